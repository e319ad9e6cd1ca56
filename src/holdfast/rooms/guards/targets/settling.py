"""Facts decide about what the rules found: harmless, keepable, worse than it looked, or as the rule says.

Runs beside the event loop and within a time. A fact that cannot be had in time is unknown, and the rule's own decision
stands.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from holdfast.commandline.effects.places import CERTAIN_ARTEFACTS, names_output, names_outputs
from holdfast.commandline.model import Arg, Where
from holdfast.commandline.reading.find_words import at_home
from holdfast.ids import ConversationId
from holdfast.judging import rules
from holdfast.judging.model import STRICTNESS, Finding
from holdfast.rooms.guards.targets import facts
from holdfast.rooms.guards.targets.facts import Fact
from holdfast.rooms.guards.targets.ledger import NO_PLAN, Ledger, Plan
from holdfast.undo import git_losses
from holdfast.undo.git import Git, Unknown
from holdfast.undo.model import KeptRef
from holdfast.undo.store import Wanted

_LARGEST_REPLACED = 32 * 1024 * 1024
"""Bytes of a file in the project that are copied before it is written over, where no rule asks for it."""
_UNLISTED = re.compile(r"[!@+*?]\([^)]*\)|<found>")
"""What no list can be made of: extended patterns, what a program finds."""
_NEAR = frozenset({"inside", "project", "artefact", "temporary", "nothing"})
_MOST_NAMED = 500
"""Paths that git is asked about by name; about more it is asked as a whole."""


@dataclass(slots=True)
class Settled:
    """What is left of the findings, and what would have to be kept so that the keepable ones may run."""

    findings: list[Finding] = field(default_factory=list)
    keepable: list[Finding] = field(default_factory=list)
    """Of these findings all that is lost can be kept."""
    wanted: Wanted = field(default_factory=Wanted)


def unsettled(found: Sequence[Finding], plan: Plan) -> list[Finding]:
    """The findings that facts have to decide. Those about a file of the project that is not there lose nothing.

    Most redirections are so. It looks at names only, so that it may be called on the event loop."""
    return [each for each in found if not _is_about_nothing(each, plan)]


def _is_about_nothing(finding: Finding, plan: Plan) -> bool:
    deed = finding.deed
    if finding.decision != "allow" or finding.place not in _NEAR or deed is None or deed.sources or deed.found_by:
        return False
    if finding.act != "overwrite" and (finding.act != "delete" or plan.moves):
        return False
    if not finding.targets or len(finding.targets) > _MOST_LOOKED_AT:
        return False
    return not any(_PATTERN.search(path) or os.path.lexists(path) for path in finding.targets)


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
    ) -> None:
        """`plan` is what the line itself makes and moves before it removes anything."""
        self._where = where
        self._conversation = conversation
        self._ledger = ledger
        self._private = tuple(private)
        self._makes = plan.makes
        self._moves = plan.moves
        self._until = until
        self._precious = facts.identities([where.home, where.root or where.cwd])
        self._found = Settled()
        self._removed: list[str] = []
        self._replaced: list[str] = []
        self._losses: list[git_losses.Loss] = []

    def settle(self, found: Sequence[Finding]) -> Settled:
        for finding in found:
            match finding.act:
                case "delete" | "overwrite":
                    self._files(finding)
                case "discard":
                    self._discard(finding)
                case _:
                    self._found.findings.append(finding)
        roots = {loss.root for loss in self._losses}
        if len(roots) > 1:  # one undo is of one repository
            self._found.keepable = [each for each in self._found.keepable if each.act != "discard"]
            self._losses = []
        self._found.wanted = Wanted(
            tuple(dict.fromkeys(self._removed)),
            tuple(dict.fromkeys([*self._replaced, *(path for loss in self._losses for path in loss.files)])),
            next(iter(roots), ""),
            tuple(
                KeptRef(ref.name, ref.object, ref.message)
                for ref in dict.fromkeys(ref for loss in self._losses for ref in loss.refs)
            ),
            next((loss.index for loss in self._losses if loss.index), ""),
            next((loss.branch for loss in self._losses if loss.branch), ""),
        )
        return self._found

    # --- files that are removed or written over

    def _files(self, finding: Finding) -> None:
        """One finding: nothing is lost, or it is worse, or these paths are to be kept."""
        paths = self._paths(finding)
        if paths is None:
            self._found.findings.append(_unlisted(finding))
            return
        worst = finding
        lost: list[str] = []
        if finding.act == "delete" and (moved := self._moved_there(paths)):
            worst = replace(worst, decision="ask", reason=f"{moved[0]} is moved there by this line, then removed")
            lost += moved
        unsure: list[Fact] = []
        is_own = False
        for fact in filter(None, map(facts.look, paths)):
            judged = self._worse(finding, fact)
            if judged is not None and STRICTNESS[judged.decision] > STRICTNESS[worst.decision]:
                worst = judged
            if judged is None and self._ledger.is_own(self._conversation, fact.real):
                is_own = True
                continue
            guest = self._ledger.guest_of(self._conversation, fact.real)
            if guest and finding.act == "delete":
                worst = worst if worst.decision == "deny" else replace(worst, decision="ask", reason=guest)
                lost.append(fact.path)
            elif not self._is_made_again(finding, fact):
                unsure.append(fact)
            elif finding.place == "outside" and judged is None:
                is_own = True  # another project's output, seen and known for one
        lost += self._unsaved(finding, unsure)
        if not lost:
            # What the daemon does not see beyond the project, the shell may: a sandbox, a container, another mount.
            unseen = not is_own and not unsure and (worst.decision == "deny" or finding.place not in _NEAR)
            unseen = unseen and not self._is_new(finding, paths)
            if unseen or self._is_nowhere(finding):
                self._found.findings.append(worst)
            return  # nothing is there, or nothing of it is lost
        self._found.findings.append(worst)
        if worst.decision == "deny" or (finding.deed and finding.deed.for_good):
            return
        if finding.deed is not None and finding.deed.named_by == "mv":
            # To undo it, what was moved must be there again, too.
            sources = [rules.path_of(source, finding.run, self._where) for source in finding.deed.sources]
            self._removed += facts.filled([path for path in sources if path])
        (self._removed if finding.act == "delete" else self._replaced).extend(lost)
        self._found.keepable.append(worst)

    def _is_new(self, finding: Finding, paths: Sequence[str]) -> bool:
        """Is it made by this line, or a file that is not there yet in a folder that is?"""
        if not paths or (finding.decision == "deny" and finding.place != "outside"):
            return False
        return all(
            any(path == each or path.startswith(f"{each}/") for each in self._makes)
            or (finding.act == "overwrite" and os.path.isdir(os.path.dirname(path)) and not os.path.lexists(path))
            for path in paths
        )

    def _is_nowhere(self, finding: Finding) -> bool:
        """Is the folder that it runs in not there, and not made by this line? Then `cd` went elsewhere, or fails."""
        folder = rules.folder_of(finding.run, self._where)
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

    def _paths(self, finding: Finding) -> list[str] | None:
        """The paths it is about; None when they are not known."""
        deed = finding.deed
        if deed is not None and deed.found_by:
            folder = rules.folder_of(finding.run, self._where)
            words = at_home(deed.found_by, self._where.home, folder)
            return facts.found_by(words, folder, self._until) if folder else None
        targets = finding.targets
        try:
            if finding.place in _NEAR and any(path.endswith("/<found>") for path in targets):
                # A program lists a folder: whichever files it means, they are among these.
                targets = tuple(each for path in targets for each in _of_folder(path))
            elif not targets or any(_UNLISTED.search(path) for path in targets):
                return None
            paths = facts.filled(targets)
            if finding.through:
                paths = [f"{path}/" if os.path.islink(path) else path for path in paths]
            if deed is not None and deed.sources:
                paths = [each for path in paths for each in self._landing(path, deed.sources, finding)]
        except facts.TooMany:
            return None
        return paths

    def _landing(self, target: str, sources: Sequence[Arg], finding: Finding) -> list[str]:
        """The files that are written over when something is moved or copied to a target."""
        if not os.path.isdir(target):
            return [target]
        found = []
        for source in sources:
            for path in facts.filled([rules.path_of(source, finding.run, self._where)]):
                landed = os.path.join(target, os.path.basename(path.rstrip("/")))
                if not os.path.isdir(path) or os.path.islink(path):
                    found.append(landed)
                    continue
                for folder, _, names in os.walk(path):
                    inside = os.path.join(landed, os.path.relpath(folder, path))
                    found += [os.path.normpath(os.path.join(inside, name)) for name in names]
                    if len(found) > facts.MOST_PATHS:
                        raise facts.TooMany
        return found

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
                    finding, decision="deny", rule="files.holdfast", reason=f"{fact.path} belongs to holdfast"
                )
        if aimed != fact.path and finding.deed is not None and finding.run is not None:
            return rules.at_place(finding, aimed, self._where)
        return None

    def _is_made_again(self, finding: Finding, fact: Fact) -> bool:
        """Is nothing of worth in it, wherever it lies?"""
        if finding.place == "temporary":
            return True
        if finding.act == "overwrite":
            size = _size(fact.aimed)
            if fact.is_folder or size == 0 or (finding.decision == "allow" and size > _LARGEST_REPLACED):
                return True
        if finding.place == "outside" and names_output(fact.path):
            # `cd ../web && rm -rf dist`: another project's output, if its own git says so.
            git = Git(os.path.dirname(fact.real), self._until)
            return fact.is_folder and not fact.is_link and fact.real in git.ignored([fact.real])
        if finding.place != "artefact":
            return False
        certain = any(part in CERTAIN_ARTEFACTS for part in fact.path.split("/"))
        return certain or finding.act == "overwrite" or not self._in_repository(fact)

    def _in_repository(self, fact: Fact) -> bool:
        return bool(self._where.root) and fact.real.startswith(f"{os.path.realpath(self._where.root)}/")

    def _unsaved(self, finding: Finding, given: Sequence[Fact]) -> list[str]:
        """Those of these paths that hold bytes which no commit has. Git is asked once for all."""
        inside = [fact for fact in given if self._in_repository(fact)]
        if not inside:
            return [fact.path for fact in given]
        git = Git(self._where.root, self._until)
        named = [fact.path for fact in inside]
        try:
            top = git.top()
            unsaved = {os.path.join(top, name) for name in git.unsaved(named if len(named) <= _MOST_NAMED else [":/"])}
            ignored = git.ignored(named)
            lost = [fact.path for fact in inside if self._is_lost(git, finding, fact, unsaved, ignored)]
        except Unknown:
            lost = named
        return [*(fact.path for fact in given if fact not in inside), *lost]

    def _is_lost(self, git: Git, finding: Finding, fact: Fact, unsaved: set[str], ignored: set[str]) -> bool:
        if ".git" in fact.path.split("/"):
            return True  # the history is in no commit
        if not fact.is_folder:
            # A single file that git ignores may be all there is: `.env`, a local database.
            return (fact.path in ignored and finding.place != "artefact") or {fact.path, fact.real} & unsaved != set()
        if fact.path in ignored and finding.place == "artefact":
            return False
        below = (f"{fact.path}/", f"{fact.real}/")
        if os.path.lexists(os.path.join(fact.path, ".git")) or any(path.startswith(below) for path in unsaved):
            return True
        told = git.names(
            "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", "--", fact.path
        )
        if any(not any(part in CERTAIN_ARTEFACTS for part in name.split("/")) for name in told):
            return True  # ignored files in it may be precious
        return not git.names("ls-files", "-z", "--", fact.path)

    # --- what git would throw away

    def _discard(self, finding: Finding) -> None:
        folder = rules.folder_of(finding.run, self._where)
        try:
            if finding.run is None or not folder or not os.path.isdir(folder):
                raise Unknown("where it runs is not known")
            loss = git_losses.losses(finding.run, folder, self._until)
        except Unknown:
            self._found.findings.append(finding)
            return
        if loss.is_nothing:
            return
        self._found.findings.append(finding)
        self._found.keepable.append(finding)
        self._losses.append(loss)


def _of_folder(path: str) -> list[str]:
    folder = path.removesuffix("/<found>")
    return [path] if folder == path else facts.files_below(folder)


def _unlisted(finding: Finding) -> Finding:
    """What it would find, or its pattern stands for, cannot be listed: then it is not known to be harmless."""
    deed = finding.deed
    if deed is None or finding.decision != "allow" or finding.place in _MADE_AGAIN or deed.named_by == "mv":
        return finding
    if names_outputs(deed.found_by):
        return finding
    patterns = any(_PATTERN.search(path) for path in finding.targets)
    if not deed.found_by and (not patterns or (finding.act == "overwrite" and deed.sources)):
        return finding
    return replace(finding, decision="ask", reason=f"{finding.reason}; what it would find cannot be listed")


_PATTERN = re.compile(r"[*?\[]|[!@+]\(|<found>")
_MADE_AGAIN = frozenset({"artefact", "temporary", "nothing"})


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
