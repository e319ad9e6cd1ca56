"""The decision about one command line: every run is read, every rule asked, the strictest answer counts. Pure.

What is decided here needs no file system; `facts` then asks about the targets and `undo` may keep their bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from holdfast.rooms.guards.judging import sql
from holdfast.rooms.guards.judging.deeds import deeds
from holdfast.rooms.guards.judging.matching import Packs, Rule, is_unknown, matching
from holdfast.rooms.guards.judging.places import Kind, Spot, spot
from holdfast.rooms.guards.model import STRICTNESS, Arg, Decision, Deed, Finding, Reading, Run, Where
from holdfast.shell.tools import listed

_DELETE: dict[Kind, tuple[Decision, Decision]] = {
    # one file, a whole tree
    "system": ("deny", "deny"),
    "home": ("deny", "deny"),
    "device": ("deny", "deny"),
    "outside": ("ask", "deny"),
    "project": ("ask", "ask"),
    "inside": ("allow", "ask"),
    "artefact": ("allow", "allow"),
    "temporary": ("allow", "allow"),
    "nothing": ("allow", "allow"),
    "unknown": ("allow", "ask"),
}
_OVERWRITE: dict[Kind, Decision] = {
    "system": "deny", "home": "ask", "device": "deny", "outside": "ask", "project": "allow", "inside": "allow",
    "artefact": "allow", "temporary": "allow", "nothing": "allow", "unknown": "allow",
}  # fmt: skip
_WHERE: dict[Kind, str] = {
    "system": "is part of the system",
    "home": "is the home directory, or the settings in it",
    "device": "is a device",
    "outside": "is outside the project",
    "project": "is the whole project",
    "inside": "is in the project, and git may not have it",
    "unknown": "is only known when the command runs",
    "artefact": "is made again by the build",
    "temporary": "is temporary",
    "nothing": "is nothing",
}


def findings(
    reading: Reading,
    packs: Packs,
    where: Where,
    unknown: Decision = "allow",
    holds: Callable[[Rule], bool] = lambda rule: True,
) -> list[Finding]:
    """All rules that match, one entry per run and rule. `unknown` is decided about what is computed at run time;
    `holds` tells whether the circumstances that a rule names are given."""
    found: list[Finding] = []
    if reading.cut:
        found.append(
            Finding("guards.too-long", "ask", "the command is too long to be read whole", "run it in smaller parts")
        )
    if reading.unread and unknown != "allow":
        found.append(
            Finding("guards.unknown", unknown, reading.unread[0], "write the command out, so that it can be read")
        )
    if _ends_holdfast(reading):
        found.append(
            Finding(
                "holdfast.override", "ask", "guards are off while the daemon is away", "`holdfast restart` renews it"
            )
        )
    for run in reading.runs:
        matched = [(rule, reason) for rule, reason in _of_packs(packs, run) if holds(rule)]
        of_run = [_of_rule(rule, run, reason) for rule, reason in matched if rule.action != "allow" or rule.act]
        allowed = any(rule.action == "allow" and rule.scope == "user" for rule, _ in matched)
        for deed in deeds(run):
            of_run += _of_deed(deed, run, where)
        # What the user's own rule allows, built-in rules do not refuse; a project's rule still may.
        strict = {"holdfast.override", *(rule.id for rule, _ in matched if rule.scope == "project")}
        found += [each for each in of_run if each.rule in strict] if allowed else of_run
    return found


def _ends_holdfast(reading: Reading) -> bool:
    """`pgrep -f holdfast | xargs kill`: one run looks for the daemon, another ends what was found."""
    looks = any(run.program in _LOOKS and "holdfast" in " ".join(run.texts) for run in reading.runs)
    return looks and any(run.program in ("kill", "pkill") and "-0" not in run.texts for run in reading.runs)


_LOOKS = listed("pgrep pidof ps grep egrep rg awk lsof fuser ss")


def _of_packs(packs: Packs, run: Run) -> Iterator[tuple[Rule, str]]:
    matched = matching(packs, run)
    for rule in matched:
        if not rule.unsafe_sql:
            yield rule, rule.said
            continue
        said = "\n".join([run.program + " " + " ".join(run.texts), *run.texts, run.stdin or ""])
        said = re.sub(r"(?m)(?:^|(?<=\s))--?\w[\w-]*", " ", said)
        if what := sql.destroys(said):
            yield rule, f"the statement {what}"
    for rule in packs.by_program.get(run.program, ()):
        if rule.unknown is not None and rule not in matched and is_unknown(packs, rule, run):
            yield replace(rule, action=rule.unknown), f"what `{run.program}` shall do is computed at run time"


def _of_rule(rule: Rule, run: Run, reason: str) -> Finding:
    instead = rule.instead if rule.scope != "project" else ""
    return Finding(rule.id, rule.action, reason, instead, brief(run), rule.act, run=run)


_FACTS_TELL: frozenset[Kind] = frozenset({"inside", "artefact", "temporary"})
"""Of what lies there the facts may still tell that it is worth keeping."""


def _of_deed(deed: Deed, run: Run, where: Where) -> Iterator[Finding]:
    for target in deed.targets:
        place = spot(target, None if run.remote else run.directory, where)
        if run.remote and place.kind == "unknown" and target.known:
            place = spot(target, "", Where(home=where.home))
        finding = _found(replace(deed, found_by=target.found_by or deed.found_by), run, place, where)
        known = place.path.startswith("/") and not run.remote
        listed = bool(finding.deed and finding.deed.found_by) and not run.remote
        if finding.decision != "allow" or listed or (known and place.kind in _FACTS_TELL):
            yield finding


def _found(deed: Deed, run: Run, place: Spot, where: Where) -> Finding:
    known = place.path.startswith("/") and not run.remote
    return Finding(
        rule=f"files.{deed.act}",
        decision=_decision(deed, place, run.remote, where),
        reason=f"`{deed.named_by}` on {_said(place)}, which {_WHERE[place.kind]}",
        instead=_instead(deed, place),
        command=brief(run),
        act=None if run.remote else deed.act,
        targets=(place.path,) if known else (),
        place=place.kind,
        deed=deed,
        run=run,
    )


def at_place(finding: Finding, path: str, where: Where) -> Finding | None:
    """The finding as it would be if the command had named this path: a link leads there."""
    if finding.deed is None or finding.run is None:
        return None
    judged = _found(finding.deed, finding.run, spot(Arg(path, quoted=True), "", where), where)
    return replace(judged, reason=f"{judged.reason} ({finding.targets[0]} leads there)") if finding.targets else judged


def folder_of(run: Run | None, where: Where) -> str:
    """The folder that a run runs in; '' when it is not known."""
    return path_of(Arg("."), run, where)


def path_of(arg: Arg, run: Run | None, where: Where) -> str:
    """The full path of an argument of a run; '' when it is not known."""
    place = spot(arg, run.directory if run is not None else "", where)
    return place.path if place.path.startswith("/") else ""


_CONTAINERS = frozenset({"docker", "podman", "nerdctl"})


def _decision(deed: Deed, place: Spot, remote: str, where: Where) -> Decision:
    match deed.act:
        case "delete":
            if deed.named_by == "mv" and place.kind not in ("system", "home", "device"):
                return "ask" if _is_history(place.path) else "allow"
            single, tree = _DELETE[place.kind]
            if deed.filtered and place.kind in ("project", "inside", "unknown"):
                return "allow"
            if place.kind == "inside" and place.path.endswith("<found>"):
                return "allow"
            if remote in _CONTAINERS:
                # Its own files go with it; only the whole of it, or a folder of the system, is asked about.
                return "ask" if place.path.count("/") < 2 and deed.recursive and place.kind == "system" else "allow"
            if remote and place.kind in ("outside", "inside", "project"):
                return "ask" if deed.recursive else "allow"
            return tree if deed.recursive else single
        case "overwrite":
            if deed.named_by == "truncate" and place.kind == "inside":
                return "ask"
            if deed.named_by in ("tar", "unzip", "cpio"):
                return "deny" if place.kind in ("system", "device") or place.path == "/" else "allow"
            if remote:
                return "deny" if place.kind in ("device",) else "allow"
            return _OVERWRITE[place.kind]
        case "permissions":
            return {"system": "deny", "home": "deny", "project": "ask", "outside": "ask", "device": "deny"}.get(  # type: ignore[return-value]
                place.kind, "allow"
            )
        case "discard":
            return "ask"


def _is_history(path: str) -> bool:
    """The repository itself: no commit has it."""
    return path == ".git" or path.endswith("/.git")


def _said(place: Spot) -> str:
    return place.said if len(place.said) <= 80 else f"{place.said[:77]}…"


def _instead(deed: Deed, place: Spot) -> str:
    match place.kind:
        case "unknown":
            return "write the path out, so that it can be checked"
        case "project" | "inside":
            return "name the files one by one, or commit or stash them first"
        case "outside" | "home" | "system" | "device":
            return "ask the user to do it"
        case _:
            return ""


_GIT_WORDS = listed(
    "add am apply archive bisect blame branch bundle cat-file checkout cherry-pick clean clone commit config describe "
    "diff fetch format-patch fsck gc grep help init log ls-files ls-remote ls-tree merge merge-base mv notes pull push "
    "rebase reflog remote reset restore rev-list rev-parse revert rm shortlog show show-ref sparse-checkout stash "
    "status submodule switch tag update-index update-ref version worktree"
)


def may_use_alias(command: str) -> bool:
    """Is git called by a word that is no usual one? Then it may be an alias."""
    return any(word not in _GIT_WORDS for word in _GIT_CALL.findall(command))


_GIT_CALL = re.compile(r"\bgit(?:\s+-\S+(?:\s+(?=-)|\s+[^\s-]\S*(?=\s))?)*\s+([\w-]+)")


def strictest(found: Iterable[Finding]) -> Finding | None:
    return max(found, key=lambda each: STRICTNESS[each.decision], default=None)


def brief(run: Run) -> str:
    """A run in a few words, for people."""
    words = " ".join([run.program or "?", *run.texts])
    return words if len(words) <= 120 else f"{words[:117]}…"
