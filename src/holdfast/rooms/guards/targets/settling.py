"""Facts decide about what the rules found: harmless, keepable, worse than it looked, or as the rule says.

Runs beside the event loop and within a time. A fact that cannot be had in time is unknown, and the rule's own decision
stands.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from holdfast.commandline.effects.places import CERTAIN_ARTEFACTS, is_output_anywhere, names_output, names_outputs
from holdfast.commandline.model import Run, Where
from holdfast.ids import ConversationId
from holdfast.judging import file_findings
from holdfast.judging.model import STRICTNESS, Excused, Finding
from holdfast.rooms.guards.targets import facts, local_facts, patterns, writing
from holdfast.rooms.guards.targets.facts import Fact
from holdfast.rooms.guards.targets.ledger import NO_PLAN, Ledger, Plan
from holdfast.rooms.guards.targets.listing import MOST_NAMED, NEAR, TargetListing, size
from holdfast.undo import git_losses
from holdfast.undo.git import Git, Late, Unknown, one_moment
from holdfast.undo.model import KeptRef
from holdfast.undo.store import Wanted


@dataclass(slots=True)
class Settled:
    """What is left of the findings, and what would have to be kept so that the keepable ones may run."""

    findings: list[Finding] = field(default_factory=list)
    keepable: list[Finding] = field(default_factory=list)
    """Of these findings all that is lost can be kept."""
    wanted: Wanted = field(default_factory=Wanted)
    excused: list[Excused] = field(default_factory=list)
    """Findings that the facts let pass."""

    def excuse(self, finding: Finding, name: str, says: str) -> None:
        """Let it pass. What would have been allowed anyway needs no excuse."""
        if finding.decision != "allow":
            self.excused.append(Excused(name, says, finding))


@dataclass(frozen=True, slots=True)
class _Target:
    """One target of a finding, as the facts see it."""

    fact: Fact
    fate: Fate
    worse: Finding | None = None
    """The finding, where the target is not what it seemed."""
    said: str = ""
    lost: tuple[str, ...] = ()
    """What is lost of it, whatever git has."""


Fate = Literal["own", "guest", "made-again", "unsure"]
"""Of what is `unsure` git is asked, for all targets at once."""
_EXCUSES: dict[Fate, tuple[str, str]] = {
    "unsure": ("in-git", "git has all that it removes or writes over"),
    "made-again": ("made-again", "it is made again by a tool, or is temporary"),
    "own": ("own", "this conversation has made it"),
}
"""Why nothing is lost, by what the targets are; of several the first counts."""
_NOTHING_THERE = ("nothing-there", "nothing is there")


def _worst(finding: Finding, moved: Sequence[str], targets: Sequence[_Target]) -> Finding:
    """The finding as the strictest of its targets makes it."""
    worst = finding
    if moved:
        worst = replace(worst, decision="ask", reason=f"{moved[0]} is moved there by this line, then removed")
    for each in targets:
        if each.worse is not None and STRICTNESS[each.worse.decision] > STRICTNESS[worst.decision]:
            worst = each.worse
        if each.fate == "guest" and worst.decision != "deny":
            worst = replace(worst, decision="ask", reason=each.said)
    others = [path for each in targets if each.fate == "own" for path in each.lost]
    if others and worst is finding and not moved and not any(each.fate in ("guest", "unsure") for each in targets):
        told = f"{others[0]} was not made by this conversation"
        worst = replace(worst, decision="ask" if finding.act == "delete" else finding.decision, reason=told)
    return worst


def unsettled(found: Sequence[Finding], plan: Plan) -> list[Finding]:
    """The findings that facts have to decide. Those about a file of the project that is not there lose nothing.

    Most redirections are so. It looks at names only, so that it may be called on the event loop."""
    return [each for each in found if not _is_about_nothing(each, plan)]


def _is_about_nothing(finding: Finding, plan: Plan) -> bool:
    deed = finding.deed
    if finding.decision != "allow" or finding.place not in NEAR or deed is None or deed.sources or deed.found_by:
        return False
    if finding.act != "overwrite" and (finding.act != "delete" or plan.moves):
        return False
    if not finding.targets or len(finding.targets) > _MOST_LOOKED_AT or deed.unpacks is not None:
        return False
    return not any(_PATTERN.search(path) or os.path.lexists(path) or not path.isascii() for path in finding.targets)


_MOST_LOOKED_AT = 8


class Settling:
    """One line's findings, asked one after the other."""

    def __init__(
        self,
        where: Where,
        conversation: ConversationId,
        ledger: Ledger,
        private: Sequence[str],
        until: float,
        plan: Plan = NO_PLAN,
        runs: Sequence[Run] = (),
        options: frozenset[str] = frozenset(),
    ) -> None:
        """`plan` is what the line itself makes and moves before it removes anything, `runs` are all that it runs,
        `options` those of the shell that change what patterns stand for."""
        self._where = where
        self._conversation = conversation
        self._ledger = ledger
        self._private = tuple(private)
        self._makes = plan.makes
        self._moves = plan.moves
        self._runs = runs
        self._options = options
        self._until = until
        self._listing = TargetListing(where, until, options)
        self._precious = facts.identities([where.home, where.root or where.cwd])
        self._found = Settled()
        self._removed: list[str] = []
        self._replaced: list[str] = []
        self._losses: list[git_losses.Loss] = []
        self._clean: list[str] = []
        """What is removed or written over and git has."""
        self._writes_over_clean = False
        self._top = ""

    def settle(self, found: Sequence[Finding]) -> Settled:
        with one_moment():
            return self._settled(found)

    def _settled(self, found: Sequence[Finding]) -> Settled:
        for finding in found:
            match finding.act:
                case "delete" | "overwrite":
                    self._files(finding)
                case "discard":
                    self._discard(finding)
                case _:
                    self._elsewhere(finding)
        roots = {loss.root for loss in self._losses}
        if len(roots) > 1:  # one undo is of one repository
            discards = [each for each in self._found.keepable if each.act == "discard"]
            self._found.keepable = [each for each in self._found.keepable if each.act != "discard"]
            self._found.findings = [
                replace(each, decision="ask", reason=f"{each.reason}; it is about several repositories at once")
                if each.decision == "allow" and each in discards
                else each
                for each in self._found.findings
            ]
            self._losses = []
            roots = set()
        root = git_losses.root_that_stays(next(iter(roots), ""), self._losses)
        self._found.wanted = self._wanted(root)
        return self._found

    def _wanted(self, root: str) -> Wanted:
        losses = self._losses
        removed = (*self._removed, *(path for loss in losses for path in loss.removed))
        replaced = (*self._replaced, *(path for loss in losses for path in loss.files))
        committed: tuple[str, ...] = ()
        if self._clean and (removed or replaced) and root in ("", self._top):
            root, committed = self._top, self._tracked()
        index = _first(loss.index for loss in losses)
        if (removed or replaced) and not index and not any(loss.root for loss in losses):
            root, index = self._index_changed(root)
        return Wanted(
            tuple(dict.fromkeys(removed)),
            tuple(dict.fromkeys(replaced)),
            committed,
            root,
            tuple(_kept_ref(ref) for ref in dict.fromkeys(ref for loss in losses for ref in loss.refs)),
            index,
            _first(loss.branch for loss in losses),
            _first(loss.detached for loss in losses),
            tuple(map(_kept_ref, next((loss.stashes for loss in losses if loss.stashes), ()))),
            tuple(dict.fromkeys(each for loss in losses for each in loss.settings)),
            _first(loss.config for loss in losses),
            bool(self._replaced)
            or bool(committed and self._writes_over_clean)
            or any(loss.replaces for loss in losses),
            bool(removed) and not replaced and self._is_written_before(removed),
        )

    def _index_changed(self, root: str) -> tuple[str, str]:
        """The work tree and its index, where the line takes out of it what it removes: `git rm --cached F && rm F`.
        Of a line that goes on to make a commit the index stays as that leaves it."""
        for run in filter(git_losses.takes_entries_out, self._runs):
            folder = file_findings.folder_of(run, self._where)
            if not folder or git_losses.COMMITS.intersection(self._git_around(run)[1]):
                continue
            try:
                top, index = git_losses.index_of(run, folder, self._until)
            except Unknown:
                continue
            if root in ("", top):
                return top, index
        return root, ""

    def _is_written_before(self, removed: Sequence[str]) -> bool:
        """May a part of the line write into what another part then removes?"""
        removing = [each.run for each in self._found.keepable if each.run is not None]
        places = [number for number, run in enumerate(self._runs) if any(map(partial(_is_same, run), removing))]
        at_once = any(run.followed_by in ("|", "|&", "&") for run in removing)  # the others run beside it
        runs = self._runs if at_once or not places else self._runs[: places[-1]]
        return any(writing.may_write(run, removed, self._where) for run in runs)

    def _tracked(self) -> tuple[str, ...]:
        """Of what is removed too, but in the last commit: the files that git knows there."""
        named = self._clean if len(self._clean) <= MOST_NAMED else [":/"]
        try:
            names = Git(self._top, self._until).names("ls-files", "-z", "--full-name", "--", *map(_literal, named))
        except Unknown:
            return ()
        found = [os.path.join(self._top, name) for name in names[: patterns.MOST_PATHS]]
        if named == [":/"]:
            below = tuple(f"{path}/" for path in self._clean)
            known = set(self._clean)
            found = [path for path in found if path in known or path.startswith(below)]
        return tuple(path for path in found if os.path.lexists(path))

    # --- files that are removed or written over

    def _files(self, finding: Finding) -> None:
        """One finding: nothing is lost, or it is worse, or these paths are to be kept."""
        paths = self._listing.paths(finding)
        if paths is None:
            self._found.findings.append(_unlisted(finding))
            return
        targets = [self._target(finding, fact) for fact in self._facts(finding, paths)]
        moved = self._moved_there(paths) if finding.act == "delete" else []
        unsure = [each.fact for each in targets if each.fate == "unsure"]
        lost = [*moved, *(path for each in targets for path in each.lost)]
        worst = _worst(finding, moved, targets)
        lost += self._unsaved(finding, unsure)
        if not lost:
            self._pass(finding, worst, paths, targets)
            return
        self._found.findings.append(worst)
        if worst.decision == "deny" or worst.place == "system" or (finding.deed and finding.deed.for_good):
            return  # it is refused, or it could not be brought back
        lost += self._beside(finding)
        (self._removed if finding.act == "delete" else self._replaced).extend(lost)
        self._found.keepable.append(worst)

    def _target(self, finding: Finding, fact: Fact) -> _Target:
        """Whether one target is lost, kept or made again."""
        worse = self._worse(finding, fact)
        if worse is None and self._ledger.is_own(self._conversation, fact.real):
            foreign = self._ledger.foreign(self._conversation, fact.real, self._until)
            if foreign is not None:
                return _Target(fact, "own", lost=tuple(foreign))
        guest = self._ledger.guest_of(self._conversation, fact.real) if finding.act == "delete" else ""
        if guest:
            return _Target(fact, "guest", worse, guest, (fact.real,))
        return _Target(fact, "made-again" if self._is_made_again(finding, fact) else "unsure", worse)

    def _pass(self, finding: Finding, worst: Finding, paths: Sequence[str], targets: Sequence[_Target]) -> None:
        """Nothing is there, or nothing of it is lost. What cannot be seen is decided as the rule says."""
        fates = {each.fate for each in targets}
        seen = "own" in fates or (
            # another project's output, seen and known for one
            finding.place == "outside" and any(each.fate == "made-again" and each.worse is None for each in targets)
        )
        # What the daemon does not see beyond the project, the shell may: a sandbox, a container, another mount.
        unseen = not seen and "unsure" not in fates and (worst.decision == "deny" or finding.place not in NEAR)
        unseen = unseen and not self._is_new(finding, paths) and not self._reads_as_output(finding, paths)
        if unseen or self._is_nowhere(finding):
            self._found.findings.append(worst)
        else:
            told = next((said for fate, said in _EXCUSES.items() if fate in fates), _NOTHING_THERE)
            self._found.excuse(finding, *told)

    def _beside(self, finding: Finding) -> list[str]:
        """What must be kept, too, so that all can be brought back."""
        deed = finding.deed
        if deed is None:
            return []
        if deed.named_by == "mv":
            # To undo it, what was moved must be there again, too.
            sources = [file_findings.path_of(source, finding.run, self._where) for source in deed.sources]
            moved_away = facts.filled([path for path in sources if path], self._until, self._options)
            self._removed += [fact.real for fact in map(facts.look, moved_away) if fact]
        found: list[str] = []
        for arg in deed.also:
            path = file_findings.path_of(arg, finding.run, self._where)
            beside = facts.filled([path], self._until, self._options) if path else []
            found += [fact.real for fact in map(facts.look, beside) if fact and not fact.is_folder]
        return found

    def _facts(self, finding: Finding, paths: Sequence[str]) -> Iterator[Fact]:
        """What is there. Of a link that is written over both: some programs replace it, others what it leads to."""
        for fact in filter(None, map(facts.look, paths)):
            yield fact
            behind = facts.look(fact.aimed) if finding.act == "overwrite" and fact.is_link else None
            if behind is not None and not behind.is_folder:
                yield behind

    def _is_new(self, finding: Finding, paths: Sequence[str]) -> bool:
        """Is it made by this line, or a file that is not there yet in a folder that is?"""
        if not paths or (finding.decision == "deny" and finding.place != "outside"):
            return False
        return all(
            any(path == each or path.startswith(f"{each}/") for each in self._makes)
            or (finding.act == "overwrite" and os.path.isdir(os.path.dirname(path)) and not os.path.lexists(path))
            for path in paths
        )

    def _reads_as_output(self, finding: Finding, paths: Sequence[str]) -> bool:
        """Where nothing is seen, the name decides, as it does without a folder: `rm -rf /srv/app/dist`."""
        nothing = finding.act == "delete" and bool(paths) and not any(map(os.path.lexists, paths))
        return nothing and all(is_output_anywhere(path, self._where.home) for path in paths)

    def _is_nowhere(self, finding: Finding) -> bool:
        """Is the folder that it runs in not there, and not made by this line? Then `cd` went elsewhere, or fails."""
        folder = file_findings.folder_of(finding.run, self._where)
        made = any(folder == each or folder.startswith(f"{each}/") for each in self._makes)
        return finding.decision != "allow" and not made and not os.path.isdir(folder or "/")

    def _moved_there(self, paths: Sequence[str]) -> list[str]:
        """What this line moves to a place that it removes then, and was not made by this conversation."""
        return [
            source
            for source, target in self._moves
            for path in paths
            if (target == path or target.startswith(f"{path}/") or path.startswith(f"{target}/"))
            and os.path.lexists(source)
            and not self._ledger.is_own(self._conversation, os.path.realpath(source))
        ]

    def _worse(self, finding: Finding, fact: Fact) -> Finding | None:
        """A mounted disk, another spelling of something precious, or a link that leads out of the project."""
        if finding.act == "delete" and not fact.is_link:
            if fact.is_mount:
                return replace(finding, decision="deny", reason=f"{fact.path} is a mounted disk")
            if (precious := self._precious.get(fact.identity)) is not None:
                said = "the home directory" if precious == self._where.home else "the project"
                return replace(finding, decision="deny", reason=f"{fact.path} is {said}, or holds it")
        aimed = fact.real if finding.act == "delete" else fact.aimed
        for each in self._private:
            if each and (aimed == each or aimed.startswith(f"{each}/") or each.startswith(f"{aimed}/")):
                return replace(
                    finding, decision="deny", rule="files.holdfast", reason=f"{fact.path} belongs to holdfast",
                    instead="ask the user to do it",
                )  # fmt: skip
        if aimed != fact.path and finding.deed is not None and finding.run is not None:
            return file_findings.at_place(finding, aimed, self._where)
        return None

    def _is_made_again(self, finding: Finding, fact: Fact) -> bool:
        """Is nothing of worth in it, wherever it lies?"""
        if finding.place == "temporary":
            return True
        if finding.act == "overwrite" and (fact.is_folder or (not fact.is_link and size(fact.aimed) == 0)):
            return True
        if finding.place == "outside" and names_output(fact.path):
            # `cd ../web && rm -rf dist`: another project's output, if its own git says so.
            git = Git(os.path.dirname(fact.real), self._until)
            return fact.is_folder and not fact.is_link and fact.real in git.ignored([fact.real])
        if finding.place != "artefact" or (finding.deed is not None and finding.deed.named_by == "backup"):
            return False
        certain = any(part in CERTAIN_ARTEFACTS for part in fact.path.split("/"))
        return certain or finding.act == "overwrite" or not self._in_repository(fact)

    def _in_repository(self, fact: Fact) -> bool:
        return bool(self._where.root) and fact.real.startswith(f"{os.path.realpath(self._where.root)}/")

    def _unsaved(self, finding: Finding, given: Sequence[Fact]) -> list[str]:
        """Those of these paths that hold bytes which no commit has. Git is asked once for all.

        A path is asked about without the links in it: git does not look beyond one."""
        inside = [fact for fact in given if self._in_repository(fact)]
        if not inside:
            return [fact.real for fact in given]
        git = Git(self._where.root, self._until)
        named = [fact.real for fact in inside]
        try:
            self._top = self._top or git.top()
            ignored = git.ignored(named)
            unsure = [
                fact.real
                for fact in inside
                if not (finding.place == "artefact" and fact.is_folder and fact.real in ignored)
            ]
            asked = list(map(_literal, unsure)) if len(unsure) <= MOST_NAMED else [":/"]
            unsaved = {os.path.join(self._top, name) for name in git.unsaved(asked)} if unsure else set[str]()
            lost = [fact.real for fact in inside if self._is_lost(git, finding, fact, unsaved, ignored)]
        except Unknown:
            return [fact.real for fact in given]
        unclean = {*lost, *ignored}
        clean = [path for path in named if path not in unclean]
        self._clean += clean
        self._writes_over_clean = self._writes_over_clean or (finding.act == "overwrite" and bool(clean))
        known = {fact.real for fact in inside}
        return [*(fact.real for fact in given if fact.real not in known), *lost]

    def _is_lost(self, git: Git, finding: Finding, fact: Fact, unsaved: set[str], ignored: set[str]) -> bool:
        if ".git" in fact.real.split("/"):
            return True  # the history is in no commit
        if facts.repository_of(fact.real, self._top) != self._top:
            return True  # a repository inside, or a work tree: this git does not know what is in it
        if not fact.is_folder:
            # A single file that git ignores may be all there is: `.env`, a local database.
            return (fact.real in ignored and finding.place != "artefact") or fact.real in unsaved
        if fact.real in ignored and finding.place == "artefact":
            return False
        below = f"{fact.real}/"
        if os.path.lexists(os.path.join(fact.real, ".git")) or any(path.startswith(below) for path in unsaved):
            return True
        told = git.names(
            "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", "--", _literal(fact.real)
        )
        if any(not any(part in CERTAIN_ARTEFACTS for part in name.split("/")) for name in told):
            return True  # ignored files in it may be precious
        return not git.names("ls-files", "-z", "--", _literal(fact.real))

    # --- what is no file

    def _elsewhere(self, finding: Finding) -> None:
        fact = local_facts.excuse(finding, self._where, self._until, self._runs)
        if fact is None:
            self._found.findings.append(finding)
        else:
            self._found.excuse(finding, *fact)

    # --- what git would throw away

    def _discard(self, finding: Finding) -> None:
        folder = file_findings.folder_of(finding.run, self._where)
        try:
            if finding.run is None or not folder or not os.path.isdir(folder):
                raise Unknown("where it runs is not known")
            loss = git_losses.losses(finding.run, folder, self._until, *self._git_around(finding.run))
        except Late as error:
            asked = replace(finding, decision="ask", reason=f"{finding.reason}; {error}")
            self._found.findings.append(asked if finding.decision == "allow" else finding)
            return
        except Unknown:
            self._found.findings.append(finding)
            return
        if loss.is_nothing:
            return
        self._found.findings.append(finding)
        self._found.keepable.append(finding)
        self._losses.append(loss)

    def _git_around(self, run: Run) -> tuple[list[str], list[str]]:
        """The words with which the line calls git before this run, and after it."""
        calls = [each for each in self._runs if each.program == "git"]
        places = [number for number, each in enumerate(calls) if each.args == run.args] or [len(calls)]
        words = list(map(_subcommand, calls))
        return words[: places[-1]], words[places[0] + 1 :]  # of equal calls it may be any


def _subcommand(run: Run) -> str:
    skip = False
    for text in run.texts:
        if skip or text.startswith("-"):
            skip = not skip and text in ("-C", "-c")
            continue
        return text
    return ""


def _is_same(run: Run, other: Run) -> bool:
    return (run.program, run.args, run.directory) == (other.program, other.args, other.directory)


def _literal(path: str) -> str:
    """A path for git, in which `*` and `[` are only characters."""
    return path if path.startswith(":") else f":(literal){path}"


def _kept_ref(ref: git_losses.Ref) -> KeptRef:
    return KeptRef(ref.name, ref.object, ref.message)


def _first(values: Iterable[str]) -> str:
    return next(filter(None, values), "")


def _unlisted(finding: Finding) -> Finding:
    """What it would find, its pattern stands for or its archive holds cannot be listed: it may not be harmless."""
    deed = finding.deed
    if deed is None or finding.decision != "allow" or finding.place in _MADE_AGAIN or deed.named_by == "mv":
        return finding
    if deed.unpacks is not None:
        if finding.place not in NEAR:
            return finding
        unread = "which files it writes over cannot be read before it runs, and the folder is too large to be kept"
        return replace(finding, decision="ask", reason=f"{finding.reason}; {unread}")
    if names_outputs(deed.found_by):
        return finding
    patterns = any(_PATTERN.search(path) for path in finding.targets)
    if not deed.found_by and (not patterns or (finding.act == "overwrite" and deed.sources)):
        return finding
    return replace(finding, decision="ask", reason=f"{finding.reason}; what it would find cannot be listed")


_PATTERN = re.compile(r"[*?\[]|[!@+]\(|<found>")
_MADE_AGAIN = frozenset({"artefact", "temporary", "nothing"})
