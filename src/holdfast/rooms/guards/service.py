"""Judges one call of a tool: reads it, asks the rules, then the facts, and keeps bytes where that settles it.

Needs neither the store nor the network nor a model. Our own fault lets the call pass; a rule that matched stands.
"""

from __future__ import annotations

import asyncio
import fnmatch
import hashlib
import logging
import os
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from holdfast.errors import HoldfastError
from holdfast.ids import NO_CONVERSATION, ConversationId
from holdfast.rooms.guards import facts, tables
from holdfast.rooms.guards.facts import Fact
from holdfast.rooms.guards.judging import packs, paths, rules
from holdfast.rooms.guards.judging.matching import Packs
from holdfast.rooms.guards.model import Finding, Reading, Verdict, Where
from holdfast.rooms.guards.reading.line import read
from holdfast.rooms.guards.settings import Settings
from holdfast.rooms.guards.undo import Kept, NotKept, Undo
from holdfast.rooms.room import Ground

log = logging.getLogger(__name__)

PROJECT_RULES = ".holdfast-guards.toml"
_MOST_KNOWN = 256
_LONG = 2_000
_CODE_US = 15 * 60 * 1_000_000
_WRITES = {"Write": "file_path", "Edit": "file_path", "MultiEdit": "file_path", "NotebookEdit": "notebook_path"}
_KEEPABLE = frozenset({"delete", "overwrite", "discard"})
_SHELLS = frozenset({"Bash", "PowerShell"})


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool, as the client sent it."""

    tool: str
    arguments: dict[str, Any]
    cwd: str = ""
    root: str = ""
    conversation: ConversationId = NO_CONVERSATION

    @property
    def where(self) -> Where:
        return Where(self.cwd, self.root, os.path.expanduser("~"))


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict, and what was kept before the call runs."""

    verdict: Verdict
    kept: Kept | None = None


class Guards:
    """Decides about tools before they run."""

    def __init__(self, ground: Ground, settings: Settings) -> None:
        """The room's folder holds the user's rules (`*.toml`) and the kept bytes. No tool may write below the home."""
        folder = ground.folder
        self.settings = settings
        self.clean = ground.clean
        self._now = ground.now
        self._store = ground.store
        self._owner = ground.owner
        self.undo = Undo(folder / "undo", most_bytes=settings.undo_bytes, days=settings.undo_days)
        self.problems: list[str] = []
        self._folder = folder
        self._private = (str(folder.parent),)
        self._files: dict[str, tuple[float, Packs]] = {}
        self._made: OrderedDict[str, set[str]] = OrderedDict()
        """Files that each conversation made: the ledger. In memory only; what is missing is unknown."""
        self._codes: OrderedDict[str, tuple[str, str, int]] = OrderedDict()
        self._allowed: dict[str, int] = {}

    # --- rules

    def packs(self, root: str) -> Packs:
        """All rules in force: built in, the user's, and the project's, which can only add strictness."""
        self.problems = []
        found = packs.built_in()
        for file in sorted(self._folder.glob("*.toml")):
            found = self._with(found, file, "user")
        if root:
            found = self._with(found, Path(root) / PROJECT_RULES, "project")
        return found

    def _with(self, found: Packs, file: Path, scope: str) -> Packs:
        try:
            text = file.read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            return found
        more, _, problems = packs.read(text, str(file), scope=scope)
        self.problems += problems
        if scope == "project":
            self.problems += [
                f"{each.where}: a project cannot allow; the rule is passed over."
                for each in more
                if each.action == "allow"
            ]
            more = [each for each in more if each.action != "allow"]
        return packs.with_more(found, more)

    # --- judging

    async def judge(self, call: ToolCall, *, keep: bool, now: int) -> Judged:
        """The verdict. `keep` keeps bytes now, because the command is about to run."""
        if call.tool in _WRITES:
            path = call.arguments.get(_WRITES[call.tool])
            written = paths.of_write(path, call.where, self._private) if isinstance(path, str) else None
            return Judged(self._verdict([written] if written else [], ()))
        if call.tool not in _SHELLS:
            return Judged(Verdict())
        command = call.arguments.get("command")
        if not isinstance(command, str) or not command.strip():
            return Judged(Verdict())
        # A long line takes up to half a second to read; the other sessions do not wait for it.
        if len(command) > _LONG:
            reading, found = await asyncio.to_thread(self.read, command, call)
        else:
            reading, found = self.read(command, call)
        parts = tuple(rules.brief(run) for run in reading.runs)
        if not found:
            return Judged(Verdict(parts=parts))
        kept: Kept | None = None
        keepable = False
        if call.cwd:
            found, keepable, kept = await asyncio.to_thread(self._settle, found, call, command, keep, now)
        return Judged(replace(self._verdict(found, parts), kept=keepable), kept)

    def read(self, command: str, call: ToolCall) -> tuple[Reading, list[Finding]]:
        """What a command line runs, and the rules that match, before any fact is asked."""
        reading = read(command)
        in_force = self.packs(call.root)
        found = rules.findings(reading, in_force, call.where)
        for run in reading.runs:
            targets = [arg for _, arg in run.writes]
            if run.program in ("tee", "cp", "mv", "install", "ln", "rm", "sed", "truncate", "dd", "chmod"):
                targets += list(run.args)
            for arg in targets:
                if arg.known and not run.remote and (text := arg.text.removeprefix("of=")):
                    path = os.path.expanduser(text) if text.startswith("~") else text
                    if entry := paths.of_write(path, call.where, self._private):
                        found.append(entry)
        return reading, [each for each in found if not self._is_off(each.rule)]

    def _is_off(self, rule: str) -> bool:
        return rule != "files.holdfast" and any(fnmatch.fnmatchcase(rule, each) for each in self.settings.allow)

    def _verdict(self, found: Sequence[Finding], parts: tuple[str, ...]) -> Verdict:
        worst = rules.strictest(found)
        if worst is None or worst.decision == "allow":
            return Verdict(parts=parts)
        return Verdict(worst.decision, worst.rule, worst.reason, worst.instead, parts=parts, findings=tuple(found))

    # --- facts

    def _settle(
        self, found: list[Finding], call: ToolCall, command: str, keep: bool, now: int
    ) -> tuple[list[Finding], bool, Kept | None]:
        """Ask the facts about every finding; keep bytes where that makes it harmless."""
        settled: list[Finding] = []
        to_keep: list[str] = []
        over: list[str] = []
        commits: dict[str, str] = {}
        for finding in found:
            if finding.decision not in ("ask", "allow") or finding.act is None:
                settled.append(finding)
                continue
            match finding.act:
                case "delete" | "overwrite":
                    answer = self._about_files(finding, call)
                    if answer is None:
                        continue
                    if isinstance(answer, Finding):
                        if answer.decision != "allow":
                            settled.append(answer)
                        continue
                    (over if finding.act == "overwrite" else to_keep).extend(answer)
                    settled.append(replace(finding, targets=tuple(answer)))
                case "discard":
                    lost = self._about_work(finding, call)
                    if lost is None:
                        continue
                    files, refs = lost
                    over.extend(files)
                    commits |= refs
                    settled.append(replace(finding, targets=tuple(files)) if files or refs else finding)
                case _:
                    settled.append(finding)
        keepable = [each for each in settled if each.decision != "deny" and each.act in _KEEPABLE]
        if not keepable or not self.settings.undo or any(each.decision == "deny" for each in settled):
            return settled, False, None
        if any(not each.targets and not commits for each in keepable):
            return settled, False, None
        kept = None
        if keep:
            try:
                about = (command, call.conversation, [*to_keep, *over])
                kept = self.undo.keep(*about, written_over=bool(over), root=call.root, commits=commits, now=now)
            except NotKept as error:
                return (
                    [replace(each, reason=f"{each.reason}; it cannot be kept ({error})") for each in settled],
                    False,
                    None,
                )
        return [replace(each, decision="allow") if each in keepable else each for each in settled], True, kept

    def _about_files(self, finding: Finding, call: ToolCall) -> list[str] | Finding | None:
        """Paths whose bytes must be kept; None when nothing is lost; a finding when it is worse than it looked."""
        known = facts.look(finding.targets, call.root)
        lost: list[str] = []
        for fact in known:
            if not fact.exists or self.was_made(call.conversation, fact.path):
                continue
            worse = self._worse(finding, fact, call)
            if worse is not None:
                return worse
            if finding.act == "delete" and fact.in_git and not (fact.ignored and not fact.is_folder):
                continue
            lost.append(fact.path)
        if not known and not finding.targets:
            return finding
        return lost or None

    def _worse(self, finding: Finding, fact: Fact, call: ToolCall) -> Finding | None:
        """A link to something precious, another spelling of it, or a mounted disk."""
        if fact.is_mount:
            return replace(finding, decision="deny", reason=f"{fact.path} is a mounted disk")
        home = os.path.realpath(os.path.expanduser("~"))
        for precious, said in (
            (home, "the home directory"),
            (os.path.realpath(call.root or "/"), "the project"),
            ("/", "the root"),
        ):
            if (
                not fact.is_link
                and fact.real
                and (precious == fact.real or precious.startswith(fact.real.rstrip("/") + "/"))
            ):
                return replace(finding, decision="deny", reason=f"{fact.path} is {said}, or holds it")
        return None

    def _about_work(self, finding: Finding, call: ToolCall) -> tuple[list[str], dict[str, str]] | None:
        """What a git command would throw away: files to keep, and commits by the names that would be lost."""
        root = call.root
        if not root:
            return [], {}
        if finding.rule == "git.stash-drop":
            held = facts.stashes(root)
            return ([], {f"stash{number}": commit for number, commit in enumerate(held)}) if held else None
        if finding.rule == "git.branch-delete":
            names = [word for word in finding.command.split()[2:] if not word.startswith("-")]
            refs = {
                f"refs/heads/{name}": commit
                for name in names
                if (commit := facts.commit_of(root, f"refs/heads/{name}"))
            }
            return ([], refs) if refs else None
        untracked = finding.rule == "git.clean"
        lost = facts.work_not_in_git(root, ["."], modified_only=not untracked)
        if lost is None:
            return [], {}
        if untracked and any(flag in finding.command for flag in ("-x", "-X", "dx", "fx", "xd", "xf")):
            ignored = (
                facts.git(root, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory") or ""
            )
            lost += [name.rstrip("/") for name in ignored.split("\0") if name]
        return ([os.path.join(root, name) for name in lost], {}) if lost else None

    # --- the ledger

    def note_made(self, conversation: str, path: str) -> None:
        """This conversation made the file: it is the agent's own to remove."""
        self._made.setdefault(conversation, set()).add(path)
        self._made.move_to_end(conversation)
        while len(self._made) > _MOST_KNOWN:
            self._made.popitem(last=False)

    def was_made(self, conversation: str, path: str) -> bool:
        made = self._made.get(conversation, ())
        return path in made

    # --- a person's override

    def code_for(self, refusal_id: str, call: ToolCall) -> str:
        """A code that only the person sees; with it one call like this one may pass."""
        code = "".join(secrets.choice("ABCDEFGHJKLMNPQRSTUVWXYZ23456789") for _ in range(6))
        self._codes[refusal_id] = (code, _digest(call), self._now() + _CODE_US)
        while len(self._codes) > _MOST_KNOWN:
            self._codes.popitem(last=False)
        return code

    def allow_once(self, refusal_id: str, code: str) -> None:
        """Let one call pass, that was refused under this id."""
        known = self._codes.get(refusal_id)
        if known is None or known[2] < self._now():
            raise HoldfastError(f"No refusal {refusal_id} waits for a code; codes end after 15 minutes or a restart.")
        if not secrets.compare_digest(known[0], code.upper().strip()):
            del self._codes[refusal_id]  # one try: a code cannot be guessed
            raise HoldfastError("The code is wrong. It is not valid any more; the next refusal shows a new one.")
        del self._codes[refusal_id]
        self._allowed[known[1]] = self._now() + _CODE_US

    def was_allowed(self, call: ToolCall) -> bool:
        """Did a person allow this very call? It counts once."""
        until = self._allowed.pop(_digest(call), 0)
        return until >= self._now()

    # --- for people

    def root_of(self, folder: str) -> str:
        """The work tree that a folder is in; '' when it is in none."""
        return (facts.git(folder, "rev-parse", "--show-toplevel") or "").strip()

    async def refusals(self, limit: int) -> list[dict[str, Any]]:
        return await self._store.read(lambda reader: tables.listed(reader, self._owner, 0, limit))

    async def bring_back(self, kept_id: str, *, over: bool) -> tuple[Kept, list[str]]:
        """Bring back what was kept under an id, or the last."""

        def work() -> tuple[Kept, list[str]]:
            kept = self.undo.find(kept_id)
            return kept, self.undo.restore(kept, over=over)

        return await asyncio.to_thread(work)

    async def tidy(self) -> None:
        await asyncio.to_thread(self.undo.tidy, self._now())

    def described(self, tool: str, arguments: dict[str, Any]) -> str:
        """A call in one line, for the record."""
        said = arguments.get("command") or arguments.get("file_path") or arguments.get("notebook_path") or ""
        return f"{said}"[:2_000] if isinstance(said, str) else ""


def _digest(call: ToolCall) -> str:
    told = msgspec.json.encode([call.conversation, call.tool, call.cwd, call.arguments], order="deterministic")
    return hashlib.sha256(told).hexdigest()
