"""Judges one call of a tool: reads it, asks the rules, then the facts, and keeps bytes where that settles it.

Needs neither the store nor the network nor a model. Our own fault lets the call pass; a rule that matched stands.
"""

from __future__ import annotations

import asyncio
import fnmatch
import hashlib
import json
import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, TypeVar

from holdfast.commandline.effects import places, plans
from holdfast.commandline.model import Arg, Deed, Reading, Run, Where
from holdfast.commandline.reading.files import FileKind, ReadsFile, no_files
from holdfast.commandline.reading.line import read
from holdfast.commandline.reading.work import ReadingBudget
from holdfast.events.changes import SHELL_TOOLS
from holdfast.events.progress import UNKNOWN, Progress
from holdfast.gitfiles import branch_of, repository
from holdfast.ids import NO_CONVERSATION, ConversationId
from holdfast.judging import file_findings, git_calls, named_folder, paths, quick, rules, tool_calls, triggers
from holdfast.judging.mcp import McpDeeds
from holdfast.judging.model import Excused, Finding
from holdfast.judging.triggers import Moment
from holdfast.rooms.guards import counting
from holdfast.rooms.guards.decisions import Records, described
from holdfast.rooms.guards.model import Verdict
from holdfast.rooms.guards.overriding.codes import Codes
from holdfast.rooms.guards.rulebook import Rulebook
from holdfast.rooms.guards.settings import Settings
from holdfast.rooms.guards.targets import files
from holdfast.rooms.guards.targets.facts import SHELL_OPTIONS
from holdfast.rooms.guards.targets.ledger import NO_PLAN, Ledger, Plan, real
from holdfast.rooms.guards.targets.settling import Settled, Settling, unsettled
from holdfast.rooms.room import Ground
from holdfast.undo.git import Git
from holdfast.undo.model import Kept, NotKept, printable
from holdfast.undo.store import Undo

log = logging.getLogger(__name__)
T = TypeVar("T")

_LONG, _AT_ONCE = 400, 600
"""Characters, and words of reading, from which a line is read beside the event loop. Lines of a day take 40 words; this
many take some 10 ms of a processor."""
_READING_SECONDS = 0.8
ALL_SECONDS = 2.0
"""Of the time that the step has (`program.py`). Usually facts take some milliseconds; this is for a busy machine."""
_KEEPING_SECONDS = 30.0
"""For `undo --over`: a person waits for it, no tool call does."""
_DENIED = "another part of the line is denied"
_NEVER_OFF = frozenset({"files.holdfast", "holdfast.override"})


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool, as the client sent it."""

    tool: str
    arguments: dict[str, Any]
    cwd: str = ""
    root: str = ""
    conversation: ConversationId = NO_CONVERSATION
    use: str = ""
    agents: tuple[str, ...] = ("main",)
    progress: Progress = UNKNOWN
    window: str = ""
    mode: str = ""
    """The client's permission mode: in some of them it does not ask anybody (`answering/modes.py`)."""

    @property
    def where(self) -> Where:
        named = "" if self.cwd or self.root else named_folder.named_in(str(self.arguments.get("command", "")))
        return _where(self.cwd, self.root or named, os.path.expanduser("~"))

    @property
    def digest(self) -> str:
        # Not by msgspec: JSON may hold half of a surrogate pair, and this must have a digest, too.
        told = json.dumps([self.conversation, self.tool, self.cwd, self.arguments], sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()

    @property
    def deeds(self) -> McpDeeds:
        """What it runs, deletes and writes, as a command line and as paths."""
        branch = branch_of(self.root) if self.tool == "ExitWorktree" else ""
        return tool_calls.read(self.tool, self.arguments, self.root, branch)

    def moment(self, named: tuple[str, ...] = ()) -> Moment:
        return Moment("PreToolUse", self.tool, self.arguments, named, self.agents, self.progress)


@lru_cache(256)
def _where(cwd: str, root: str, home: str) -> Where:
    """Folders of the system and the home directory are no project, even where git manages them."""
    return Where(cwd, root if places.may_be_project(root, home) else "", home)


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict, what was kept before the call runs, and what the call is about to make."""

    verdict: Verdict
    kept: Kept | None = None
    plan: Plan = NO_PLAN


@dataclass(slots=True)
class CallRead:
    """A call, read and asked about by the rules, before git is asked or a file is opened."""

    found: list[Finding] = field(default_factory=list)
    parts: tuple[str, ...] = ()
    plan: Plan = NO_PLAN
    wanted: list[str] = field(default_factory=list)
    """Files that tell what the call runs, or git's aliases, which were not read yet."""
    runs: tuple[Run, ...] = ()
    options: frozenset[str] = frozenset()
    """Words for options of the shell that change what patterns stand for."""
    excused: list[Excused] = field(default_factory=list)
    of_moment: list[Finding] = field(default_factory=list)
    """Those of the findings that are about the moment, not about the line."""

    @property
    def is_allowed(self) -> bool:
        """Is it decided already: no rule matches, and nothing more is to be asked?"""
        return not self.found and not self.wanted


class Guards:
    """Decides about tools before they run."""

    def __init__(self, ground: Ground, settings: Settings) -> None:
        """The room's folder holds the user's rules (`*.toml`) and the kept bytes. No tool may write below the home."""
        self.settings = settings
        self.clean = ground.clean
        self._now = ground.now
        self.undo = Undo(ground.folder / "undo", most_bytes=settings.undo_bytes, days=settings.undo_days)
        self.rulebook = Rulebook(ground.folder)
        self.ledger = Ledger(ground.now)
        self.codes = Codes(ground.now)
        self.records = Records(ground)
        home = str(ground.folder.parent)
        self._private = tuple(dict.fromkeys((home, os.path.realpath(home))))
        self._threads = ThreadPoolExecutor(4, "guards")
        self.patience = ALL_SECONDS
        self._said: set[tuple[str, str]] = set()

    # --- judging

    def look(self, call: ToolCall) -> CallRead | None:
        """What a call is, read at once. None: it is too much to be read on the event loop."""
        line = call.deeds.line
        if len(line) > _LONG:
            return None
        work = ReadingBudget.for_line(line, _AT_ONCE)
        known = self._read(call, work=work)
        return None if work.is_spent else known

    async def judge(self, call: ToolCall, *, keep_as: str = "", now: int = 0, known: CallRead | None = None) -> Judged:
        """The verdict. With a name in `keep_as` bytes are kept under it now, because the call is about to run. `known`
        is what `look` told, where it was asked before."""
        until = time.monotonic() + self.patience
        known = known or self.look(call)
        if known is None:
            known = await self._beside(lambda: self._read(call), _READING_SECONDS)
            if known is None:
                late = Finding(
                    "guards.too-long", "ask", "the command takes too long to be read", "run it in smaller parts"
                )
                return Judged(self._verdict([late], ()))
        if known.wanted:
            before = known
            known = await self._beside(lambda: self._read(call, self._opener(call), before), _READING_SECONDS) or before
        if not known.found:
            return Judged(Verdict(parts=known.parts, excused=tuple(known.excused)), plan=known.plan)
        if not call.cwd:
            return Judged(self._verdict(known.found, known.parts, known.excused))
        settled, kept, why_not = await self._settled(call, known, keep_as, until, now)
        excused = [*known.excused, *settled.excused]
        verdict = self._verdict(self._after_keeping(settled, why_not), known.parts, excused)
        if settled.keepable and not why_not and verdict.decision in ("allow", "warn"):
            first = settled.keepable[0]
            verdict = replace(
                verdict, kept=True, rule=verdict.rule or first.rule, reason=verdict.reason or first.reason
            )
        return Judged(verdict, kept, known.plan)

    async def _settled(
        self, call: ToolCall, known: CallRead, keep_as: str, until: float, now: int
    ) -> tuple[Settled, Kept | None, str]:
        """What the facts say; what was kept; why not, when it had to be."""
        found, plan = known.found, known.plan
        asked = Settling(
            call.where, call.conversation, self.ledger, self._private, until - 0.2, plan, known.runs, known.options
        )
        try:
            settled = await self._beside(lambda: asked.settle(found), until - 0.1 - time.monotonic())
        except Exception:
            log.exception(
                "the targets of a command could not be looked at; it is judged by its words alone, or asked about"
            )
            return _unsettled(found), None, "its targets could not be looked at"
        if settled is None:
            log.warning("the targets of a command could not be looked at in time; it is judged by its words alone")
            return _unsettled(found), None, "its targets could not be looked at in time"
        if not settled.keepable:
            return settled, None, ""
        if settled.wanted.is_nothing:
            return settled, None, "holdfast could not see what it removes"
        if not self.settings.undo:
            return settled, None, "undo is switched off"
        if any(each.decision == "deny" for each in settled.findings):
            return settled, None, _DENIED
        if not keep_as:
            return settled, None, ""
        left = until - time.monotonic()
        command = call.deeds.line or described(call.tool, call.arguments)
        rule = settled.keepable[0].rule

        def keep() -> Kept | str:
            try:
                return self.undo.keep(
                    keep_as, settled.wanted, command=self.clean(command), rule=rule, conversation=call.conversation,
                    now=now, seconds=left - 0.1,
                )  # fmt: skip
            except NotKept as error:
                return printable(str(error))

        kept = await self._beside(keep, left)
        if isinstance(kept, Kept):
            return settled, kept, ""
        return settled, None, kept or "it would take too long"

    @staticmethod
    def _after_keeping(settled: Settled, why_not: str) -> list[Finding]:
        """Findings whose bytes are kept allow; those whose bytes could not be, ask and say why (WRK-13)."""
        kept = {id(each) for each in settled.keepable}
        if not why_not:
            return [replace(each, decision="allow") if id(each) in kept else each for each in settled.findings]
        if why_not == _DENIED:
            return settled.findings
        return [
            replace(
                each,
                decision="deny" if each.decision == "deny" else "ask",
                reason=f"{each.reason}; what it removes cannot be kept ({why_not})",
            )
            if id(each) in kept
            else each
            for each in settled.findings
        ]

    async def _beside(self, work: Callable[[], T], seconds: float) -> T | None:
        """Run it in a thread; None when it takes too long."""
        running = asyncio.get_running_loop().run_in_executor(self._threads, work)
        done, _ = await asyncio.wait({running}, timeout=max(0.0, seconds))
        if not done:
            running.add_done_callback(lambda given_up: given_up.cancelled() or given_up.exception())
            return None
        return running.result()

    def is_passed(
        self, tool: str, arguments: dict[str, Any], root: str, conversation: ConversationId = NO_CONVERSATION
    ) -> bool:
        """Is it sure, at first sight, that no rule matches this call and that it makes nothing? Most calls are so.
        What this conversation wrote and the call may run is no matter of a first sight."""
        in_force = self.rulebook.packs(root)
        if in_force.calls:
            return False
        if tool in SHELL_TOOLS:
            command = arguments.get("command")
            own = self.ledger.may_run_own(conversation)
            return isinstance(command, str) and quick.is_plain(command, in_force, runs_own=own)
        return not tool_calls.may_matter(tool, arguments)

    def _opener(self, call: ToolCall) -> ReadsFile:
        """Reads files that tell what a call runs; of scripts only those that this conversation wrote."""
        return files.opener(call.cwd, lambda path: self.ledger.wrote(call.conversation, path))

    def _read(
        self,
        call: ToolCall,
        opened: ReadsFile | None = None,
        first: CallRead | None = None,
        work: ReadingBudget | None = None,
    ) -> CallRead:
        """What the call is and which rules match. Without `opened` no file is read, and those that tell more are
        named in `wanted`. `first` is what was read without them. When `work` is spent, it is not read to its end, and
        nothing that it says counts."""
        in_force = self.rulebook.packs(call.root)
        path = call.arguments.get(tool_calls.WRITES.get(call.tool, ""))
        command = call.deeds.line
        result = CallRead()
        named: tuple[str, ...] = ()
        result.found += self._of_written(call.deeds.written, call)
        if isinstance(path, str) and path:
            full = paths.meant(path, call.where)
            named = tuple(dict.fromkeys((full, real(full))))
            result.found = list(self._of_written((path,), call))
            result.plan = Plan(makes=(full,)) if call.tool == "Write" else NO_PLAN
        elif command.strip():

            def later(kind: FileKind, path: str) -> str | None:
                if kind != "script" or self.ledger.wrote(call.conversation, real(files.named(call.cwd, path))):
                    result.wanted.append(path)
                return None

            told = opened or (later if call.cwd else no_files)
            aliases: dict[str, str] = {}
            if _may_use_alias(call, command):
                if opened is None:
                    result.wanted.append("the aliases of git")
                else:
                    aliases = Git(call.root or call.cwd, time.monotonic() + 0.15).aliases()
            reading = read(command, aliases=aliases, files=told, work=work)
            if work is not None and work.is_spent:
                return result
            holding = lambda rule: triggers.holds(rule, call.moment())  # noqa: E731
            said = rules.judged(reading, in_force, call.where, self.settings.unknown, holding)
            result.found += said.findings
            result.excused = said.excused
            result.found += paths.of_line(reading.runs, call.where, self._private, real if call.cwd else str)
            result.parts = _parts(reading)
            result.runs = reading.runs
            result.options = frozenset(word for word in SHELL_OPTIONS if word in command)
            if call.cwd:
                makes, moves, copies = plans.of_reading(reading, call.where)
                result.plan = Plan(tuple(makes), tuple(moves), tuple(copies))
            named = tuple(_named(reading, call.where)) if any(rule.paths for rule in in_force.calls) else ()
        elif isinstance(read_path := call.arguments.get("file_path"), str):
            named = (paths.meant(read_path, call.where),)
        if in_force.calls:
            # A rule that speaks once has spoken at the first reading.
            result.of_moment = first.of_moment if first else list(self._of_moment(call.moment(named), call))
            result.found += result.of_moment
        result.found = [each for each in result.found if not self._is_off(each.rule)]
        if call.cwd and result.found:
            result.found = unsettled(result.found, result.plan)
        return result

    def _of_written(self, written: Sequence[str], call: ToolCall) -> Iterator[Finding]:
        """What the rules about paths say to the files that a tool is told to write."""
        for path in written:
            full = paths.meant(path, call.where)
            for each in dict.fromkeys((full, real(full))):
                if (finding := paths.of_write(each, call.where, self._private, tool=True)) is not None:
                    yield finding
                    break
            else:
                if call.tool not in tool_calls.WRITES and call.deeds.is_local:  # of those the client keeps what was
                    yield from _written_over(full, call)

    def _of_moment(self, moment: Moment, call: ToolCall) -> Iterator[Finding]:
        for rule, finding in triggers.of_moment(self.rulebook.packs(call.root), moment, call.where):
            if rule.once:
                key = (f"{call.conversation}/{call.window}", f"{rule.where}/{rule.id}")
                if key in self._said:
                    continue
                if len(self._said) > 10_000:
                    self._said.clear()
                self._said.add(key)
            yield finding

    def has_reminders(self, root: str) -> bool:
        """Is there any rule that is not about a command line?"""
        return bool(self.rulebook.packs(root).calls)

    def at_event(self, moment: Moment, call: ToolCall) -> Verdict:
        """What rules say at an event that is no call of a tool."""
        found = [each for each in self._of_moment(moment, call) if not self._is_off(each.rule)]
        return self._verdict(found, ())

    def _is_off(self, rule: str) -> bool:
        return rule not in _NEVER_OFF and any(fnmatch.fnmatchcase(rule, each) for each in self.settings.allow)

    def allowed_names(self) -> dict[str, bool]:
        """The names in `[guards] allow`, and whether each of them switches a rule off."""
        ids = {rule.id for rule in (*self.rulebook.packs().rules, *counting.IN_CODE)} - _NEVER_OFF
        return {name: any(fnmatch.fnmatchcase(each, name) for each in ids) for name in self.settings.allow}

    def _verdict(self, found: Sequence[Finding], parts: tuple[str, ...], excused: Sequence[Excused] = ()) -> Verdict:
        worst = rules.strictest(found)
        if worst is None or worst.decision == "allow":
            return Verdict(parts=parts, excused=tuple(excused))
        said = (worst.decision, worst.rule, worst.reason, worst.instead)
        return Verdict(*said, parts=parts, findings=tuple(found), excused=tuple(excused))

    # --- for people

    def root_of(self, folder: str) -> str:
        """The project that a folder is in, as the road tells it (`road/identity.py`): its work tree, or the folder."""
        try:
            return repository(os.path.realpath(folder))[0]
        except (OSError, ValueError):  # no path that this system could have
            return folder

    async def bring_back(self, kept_id: str, *, over: bool) -> tuple[Kept, list[str], str]:
        """Bring back what was kept under an id, or the last: what that was, what was written, and the id under which
        is kept what it wrote over."""

        def work() -> tuple[Kept, list[str], str]:
            kept = self.undo.find(kept_id)
            keeps = over and self.settings.undo
            before = self.undo.keep_present(kept, now=self._now(), seconds=_KEEPING_SECONDS) if keeps else None
            return kept, self.undo.restore(kept, over=over), before.id if before else ""

        return await asyncio.to_thread(work)

    async def drop(self, kept: Kept) -> None:
        """Remove what was kept for a call that does not run after all."""
        await asyncio.to_thread(self.undo.drop_ids, [kept.id])

    async def tidy(self) -> None:
        await asyncio.to_thread(self.undo.tidy, self._now())


def _unsettled(found: Sequence[Finding]) -> Settled:
    """Nothing is known about the targets: what would be looked at and kept is asked about, where the rule allows it."""
    return Settled(
        [
            replace(each, decision="ask", reason=f"{each.reason}; what is there could not be looked at")
            if each.decision == "allow" and each.act in ("delete", "overwrite", "discard") and each.place in _WORTH
            else each
            for each in found
        ]
    )


def _written_over(path: str, call: ToolCall) -> Iterator[Finding]:
    """What a tool of a server may write over is kept, as for a command. Nothing more is decided about it."""
    name = call.tool.rpartition("__")[2]
    deed = Deed("overwrite", (Arg(path, quoted=True),), named_by=name, kept_only=True)
    told = file_findings.of_deed(deed, Run(name, (Arg(path, quoted=True),)), call.where)
    yield from filter(file_findings.is_told, told)


_WORTH = frozenset({"", "inside", "project", "outside", "home"})


def _named(reading: Reading, where: Where) -> Iterator[str]:
    """Full paths that a line names, in arguments or redirections."""
    for run in reading.runs:
        if not run.remote:
            for arg in (*run.args[:100], *(target for _, target in run.writes)):
                if (path := file_findings.path_of(arg, run, where)) and not arg.text.startswith("-"):
                    yield path


def _parts(reading: Reading) -> tuple[str, ...]:
    """What a command does, part by part, as people read it."""
    computed = (f"(computed at run time: {what})" for what in reading.unread)
    return (*(file_findings.brief(run) for run in reading.runs), *computed)


def _may_use_alias(call: ToolCall, command: str) -> bool:
    return bool(call.cwd) and "git" in command and git_calls.may_use_alias(command)
