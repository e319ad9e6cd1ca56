"""The files a command line reads, writes and deletes, as far as its words tell. Best effort, in the order they stand.

Paths are joined with the `cd`s before them; words with expansions or file name patterns in them are left out.
"""

from __future__ import annotations

import posixpath
import re
from typing import Literal, NamedTuple

from holdfast.shell.operands import operands
from holdfast.shell.script import Command, Script, Word
from holdfast.shell.tools import listed

FileUse = Literal["read", "write", "delete"]


class Touch(NamedTuple):
    path: str
    use: FileUse


_READERS = listed(
    "cat head tail less more wc nl tac bat source . diff cmp md5sum sha256sum file stat xxd od strings jq yq"
)
_WRITERS = listed("touch mkdir tee truncate")
_DELETERS = listed("rm rmdir unlink shred")
_PATTERN = re.compile(r"[*?\[{]")
_DEVICES = ("/dev/", "/proc/")


def files_touched(script: Script) -> tuple[Touch, ...]:
    found: dict[Touch, None] = {}
    for command in script.commands:
        if "function" in command.nesting:
            continue
        for use, word in _of(command):
            path = _path(command, word)
            if path:
                found[Touch(path, use)] = None
    return tuple(found)


def _of(command: Command) -> list[tuple[FileUse, Word]]:
    found: list[tuple[FileUse, Word]] = list(_of_program(command))
    for entry in command.redirections:
        if entry.mode in ("write", "append", "readwrite"):
            found.append(("write", entry.target))
        elif entry.mode == "read":
            found.append(("read", entry.target))
    return found


def _of_program(command: Command) -> list[tuple[FileUse, Word]]:
    program = command.program
    words = operands(command)
    if program in _READERS:
        return [("read", word) for word in (words[1:] if program in ("jq", "yq") else words)]
    if program in _WRITERS:
        return [("write", word) for word in words]
    if program in _DELETERS:
        return [("delete", word) for word in words]
    if program in ("cp", "mv", "install", "ln") and len(words) > 1:
        from_use: FileUse = "delete" if program == "mv" else "read"
        sources: list[tuple[FileUse, Word]] = [(from_use, word) for word in words[:-1]]
        return [*sources, ("write", words[-1])]
    if program in ("sed", "perl"):
        return _edited(command, words)
    if program in ("grep", "egrep", "rg", "awk"):
        given = any(text in ("-e", "-f") for text in command.texts)
        return [("read", word) for word in words[0 if given else 1 :] if "." in word.text.strip("./")]
    if program == "dd":
        pairs = (word.text.partition("=") for word in command.arguments)
        uses: dict[str, FileUse] = {"if": "read", "of": "write"}
        return [(uses[name], Word(value)) for name, _, value in pairs if name in uses]
    if program == "git":
        return _git(command)
    return []


def _edited(command: Command, words: list[Word]) -> list[tuple[FileUse, Word]]:
    texts = command.texts
    in_place = any(re.match(r"-[a-zA-Z]*i|--in-place", text) for text in texts)
    given = any(text in ("-e", "-f", "--expression", "--file") for text in texts)
    if command.program == "perl":
        if not in_place:
            return []
        at = next((i for i, text in enumerate(texts) if re.fullmatch(r"-[a-zA-Z]*e", text)), None)
        words = (
            [word for word in command.arguments[at + 2 :] if not word.text.startswith("-")] if at is not None else []
        )
    elif not given:
        # BSD sed takes the suffix as a word of its own: `sed -i '' s/a/b/ file`.
        words = words[2:] if words and words[0].text == "" else words[1:]
    use: FileUse = "write" if in_place else "read"
    return [(use, word) for word in words]


def _git(command: Command) -> list[tuple[FileUse, Word]]:
    words = [word for word in command.arguments if not word.text.startswith("-") or word.text == "--"]
    if not words:
        return []
    match words[0].text:
        case "checkout" | "restore":
            texts = [word.text for word in words]
            if "--staged" in command.texts and "--worktree" not in command.texts:
                return []
            behind = words[texts.index("--") + 1 :] if "--" in texts else (words[1:] if texts[0] == "restore" else [])
            return [("write", word) for word in behind]
        case "rm" if "--cached" not in command.texts:
            return [("delete", word) for word in words[1:] if word.text != "--"]
        case "mv" if len(words) == 3:
            return [("delete", words[1]), ("write", words[2])]
    return []


def _path(command: Command, word: Word) -> str:
    text = word.text
    if not text or text == "-" or not word.known or text.startswith(_DEVICES):
        return ""
    if _PATTERN.search(text) and not word.quoted:
        return ""
    folder = "/" if text.endswith("/") and len(text) > 1 else ""
    if text.startswith(("/", "~")):
        return posixpath.normpath(text) + folder
    if command.directory is None:
        return ""
    return posixpath.normpath(posixpath.join(command.directory, text)) + folder
