"""Attempts that were taken back, as events tell them: an edit that was undone, a command that was replaced. Pure.

Nobody has to say that it did not work.
"""

from __future__ import annotations

import posixpath
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from holdfast.events.event import Event, PostToolUse, PostToolUseFailure, UserPromptSubmit
from holdfast.prose.one_line import one_line
from holdfast.shell.files import files_touched
from holdfast.shell.parse import parse
from holdfast.shell.recognise import recognise
from holdfast.shell.script import Command, Script
from holdfast.shell.tools import listed

_MOST_EDITS = 60
_MOST_FAILED = 12
_LONGEST = 20_000
"""Characters of an edit that are compared."""
_SHOWN = 70
_LOOKS = listed(
    "ls cat cd echo grep egrep rg find head tail test [ which stat file wc sed awk sleep true false ps kill"
)
"""Programs that fail because something is not there, and nobody replaces them."""
_KINDS = frozenset({"test", "build", "lint", "types", "format", "deploy"})


@dataclass(frozen=True, slots=True)
class _Edit:
    path: str
    old: str
    new: str


class Attempts:
    """The last edits, and the commands that failed since the last prompt."""

    def __init__(self) -> None:
        self._edits: deque[_Edit] = deque(maxlen=_MOST_EDITS)
        self._failed: dict[tuple[str, str], tuple[str, str]] = {}
        self._failing = ""

    def given_up(self, event: Event, path: str) -> Iterator[tuple[str, str]]:
        """(sentence, the command that was replaced or '') for each attempt that this event takes back. `path`: the file
        of an edit, as it is told."""
        match event:
            case UserPromptSubmit():
                self._failed.clear()
            case PostToolUse(tool_name="Edit"):
                if told := self._edited(event, path):
                    yield told, ""
            case PostToolUse(tool_name="Bash") | PostToolUseFailure(tool_name="Bash"):
                yield from self._ran(event)

    def checked(self, failing: str) -> None:
        """A test or a build ran; `failing` names it when it failed. An edit that is undone next was no remedy."""
        self._failing = failing

    def _edited(self, event: PostToolUse, path: str) -> str:
        old, new = event.arguments.get("old_string"), event.arguments.get("new_string")
        if not isinstance(old, str) or not isinstance(new, str) or not path or len(old) + len(new) > _LONGEST:
            return ""
        for earlier in self._edits:
            if (earlier.path, earlier.old, earlier.new) == (path, new, old):
                self._edits.remove(earlier)
                return self._undone(earlier)
        self._edits.append(_Edit(path, old, new))
        return ""

    def _undone(self, edit: _Edit) -> str:
        tried = (
            f"`{one_line(edit.new, _SHOWN)}` in place of `{one_line(edit.old, _SHOWN)}`" if edit.new else "a removal"
        )
        after = f", after {one_line(self._failing, 160)}" if self._failing else ""
        return f"Taken back in {edit.path}: {tried}{after}."

    def _ran(self, event: PostToolUse | PostToolUseFailure) -> Iterator[tuple[str, str]]:
        command = event.arguments.get("command")
        if not isinstance(command, str) or len(command) > _LONGEST:
            return
        failed = isinstance(event, PostToolUseFailure)
        if not failed and not self._failed and not (self._edits and "git" in command):
            return
        script = parse(command)
        if isinstance(event, PostToolUse):
            yield from ((told, "") for told in self._restored(script))
        key = _purpose(script)
        if key is None:
            return
        shown = one_line(command, 160)
        if isinstance(event, PostToolUseFailure):
            if not event.is_interrupt and len(self._failed) < _MOST_FAILED:
                lines = (line.strip() for line in event.error.splitlines()[:20])
                why = next((line for line in lines if line and not line.startswith("Exit code ")), "")
                self._failed[key] = shown, one_line(why, 120)
            return
        before, why = self._failed.pop(key, ("", ""))
        if before and before != shown:
            yield f"`{before}` failed{f' ({why})' if why else ''}; `{shown}` worked instead.", before

    def _restored(self, script: Script) -> Iterator[str]:
        """Edits that git took back."""
        if not any(_is_restoring(command) for command in script.top):
            return
        names = [posixpath.normpath(touch.path) for touch in files_touched(script) if touch.use == "write"]
        everything = "." in names or not names
        for edit in [each for each in self._edits if everything or _is_under(each.path, names)]:
            self._edits.remove(edit)
            yield self._undone(edit)


def _is_restoring(command: Command) -> bool:
    texts = command.texts
    if command.program != "git" or not texts:
        return False
    words = [text for text in texts if text != "git" and not text.startswith("-")]
    match words[:1]:
        case ["checkout"]:
            return "--" in texts or words[1:] == ["."]
        case ["restore"]:
            return "--staged" not in texts or "--worktree" in texts
        case ["reset"]:
            return "--hard" in texts
    return False


def _is_under(path: str, names: list[str]) -> bool:
    return any(path == name or path.startswith(f"{name}/") or path.endswith(f"/{name}") for name in names)


def _purpose(script: Script) -> tuple[str, str] | None:
    """Program and subcommand of a line with one command; None for look-ups, and for checks, which have outcomes."""
    if len(script.top) != 1:
        return None
    command = script.top[0]
    if not command.program or command.program in _LOOKS or command.background:
        return None
    run = recognise(command)
    if run is not None and run.kind in _KINDS:
        return None
    words = [word.text for word in command.arguments if word.known and not word.text.startswith("-")]
    return command.program, words[0] if words else ""
