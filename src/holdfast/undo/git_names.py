"""Names of commits that a git command throws away or moves: branches, tags, the stash, remotes, HEAD."""

from __future__ import annotations

import re
from collections.abc import Sequence

from holdfast.undo.call import NOTHING, GitCall, Loss, Ref
from holdfast.undo.git import Unknown

_STASH = re.compile(r"(?:stash@\{(\d+)\}|(\d+))\Z")
_COMPUTED = re.compile(r"[$`]")
_MOST_REFS = 2_000


def all_refs(call: GitCall, *below: str) -> tuple[Ref, ...]:
    found = call.git.refs_below(*(below or ("refs/heads", "refs/tags")))
    if len(found) > _MOST_REFS:
        raise Unknown(f"there are more than {_MOST_REFS} branches and tags")
    return tuple(Ref(name, each) for name, each in found.items())


def whole_stash(call: GitCall) -> tuple[Ref, ...]:
    return tuple(Ref("stash", commit, said) for commit, said in call.git.stashes())


def stash(call: GitCall) -> Loss:
    entries = whole_stash(call)
    first = call.words[0] if call.words else ""
    if first == "drop" and entries and not call.unknown:
        chosen = _STASH.match(call.words[1]) if len(call.words) > 1 else None
        if len(call.words) > 1 and chosen is None:
            raise Unknown(f"{call.words[1]} is no stash")
        number = int(chosen[1] or chosen[2]) if chosen else 0
        if number >= len(entries):
            return NOTHING
    return Loss(call.top, stashes=entries)


def branch(call: GitCall) -> Loss:
    """`-D A B` deletes; `-M A B` and `-C A B` write B over; `-f A C` moves A."""
    kind = "refs/remotes" if call.has("-r", "--remotes") else "refs/heads"
    if call.unknown:
        return _with_settings(call, all_refs(call, kind), "branch", "")
    if call.has("-d", "-D", "--delete"):
        return _of_branches(call, [f"{kind}/{name}" for name in call.words], replaces=False)
    if call.has("-m", "-M", "-c", "-C", "--move", "--copy"):
        source = call.words[0] if len(call.words) > 1 else call.git.branch().removeprefix("refs/heads/")
        target = call.words[-1] if call.words else ""
        if not target or not call.git.ref(f"refs/heads/{target}"):
            return NOTHING  # a new name: nothing is lost
        return call.head(_of_branches(call, [f"refs/heads/{source}", f"refs/heads/{target}"], replaces=True))
    return _of_branches(call, [f"refs/heads/{name}" for name in call.words[:1]], replaces=True)


def _of_branches(call: GitCall, names: Sequence[str], *, replaces: bool) -> Loss:
    loss = refs(call, names, replaces=replaces)
    short = "|".join(re.escape(ref.name.removeprefix("refs/heads/")) for ref in loss.refs)
    return _with_settings(call, loss.refs, "branch", short, replaces=replaces) if loss.refs else loss


def _with_settings(call: GitCall, found: Sequence[Ref], kind: str, short: str, *, replaces: bool = False) -> Loss:
    settings = call.git.settings(rf"^{kind}\.({short})\." if short else rf"^{kind}\.")
    config = call.git.path("config") if settings else ""
    return Loss(call.top, refs=tuple(found), settings=tuple(settings), config=config, replaces=replaces)


def tag(call: GitCall) -> Loss:
    deletes = call.has("-d", "--delete")
    names = call.words if deletes else call.words[:1]
    if call.unknown and any(map(_COMPUTED.search, names)):
        return Loss(call.top, refs=all_refs(call, "refs/tags"), replaces=True)
    return refs(call, [f"refs/tags/{name}" for name in names], replaces=not deletes)


def update_ref(call: GitCall) -> Loss:
    if call.has("--stdin") or (call.unknown and (not call.words or _COMPUTED.search(call.words[0]))):
        return Loss(call.top, refs=all_refs(call, "refs"), replaces=True)
    name = call.words[0] if call.words else ""
    if name == "refs/stash":
        return Loss(call.top, stashes=whole_stash(call), replaces=True)
    if name == "HEAD":
        name = call.git.branch() or "HEAD"
    return refs(call, [name], replaces=not call.has("-d"))


def fetch(call: GitCall) -> Loss:
    """A refspec with `+`, or `--force`, writes over what is here under that name."""
    targets = []
    for word in call.words[1:]:
        forced, spec = word.startswith("+") or call.has("-f", "--force"), word.lstrip("+")
        target = spec.partition(":")[2]
        if target and forced:
            targets.append(target if target.startswith("refs/") else f"refs/heads/{target}")
    if any("*" in target for target in targets) or (call.unknown and call.has("-f", "--force")):
        return Loss(call.top, refs=all_refs(call), replaces=True)
    return refs(call, targets, replaces=True)


def remote(call: GitCall) -> Loss:
    """`git remote remove NAME`: its branches here, and its settings."""
    if call.words[:1] not in (("remove",), ("rm",)) or len(call.words) != 2 or call.unknown:
        raise Unknown("which remote is removed is not known")
    name = call.words[1]
    found = all_refs(call, f"refs/remotes/{name}/")
    settings = [each for each in call.git.settings(r"^(remote|branch)\.") if _is_of_remote(each, name)]
    return Loss(call.top, refs=found, settings=tuple(settings), config=call.git.path("config"))


def _is_of_remote(setting: tuple[str, str], name: str) -> bool:
    """Git also takes the upstream of every branch that followed the remote: its name, and the branch there."""
    return setting[0].startswith((f"remote.{name}.", "branch."))


def refs(call: GitCall, names: Sequence[str], *, replaces: bool = False) -> Loss:
    found = tuple(Ref(name, there) for name in names if name and (there := call.git.ref(name)))
    return Loss(call.top, refs=found, replaces=replaces) if found else NOTHING
