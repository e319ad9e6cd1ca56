"""Names of programs, scripts, modules and folders in a command line, and its words as arguments. Pure."""

from __future__ import annotations

import fnmatch
import itertools
import posixpath
import re
from collections.abc import Sequence
from dataclasses import replace

from holdfast.commandline.inline import marks, programs
from holdfast.commandline.model import Arg
from holdfast.shell.script import Command, Part, Word
from holdfast.shell.tools import listed

_FETCH = listed("curl wget fetch aria2c http https xh nc ncat netcat socat telnet lynx w3m")


def same(args: Sequence[Arg], rest: tuple[Arg, ...]) -> tuple[Arg, ...]:
    """The arguments as they were, with what is known of them, where a wrapper has not changed them."""
    last = tuple(args[len(args) - len(rest) :])
    return last if [arg.text for arg in last] == [arg.text for arg in rest] else rest


def renamed(args: Sequence[Arg]) -> dict[str, str]:
    """A program of the system under another name: `ln -s "$(command -v git)" /tmp/x`, `cp /bin/rm ./x`."""
    words = [arg for arg in args if not arg.text.startswith("-")]
    found = _PROGRAM.match(words[0].text) if len(words) == 2 else None
    if found is None or not words[1].known:
        return {}
    name, target = plain_name(found[1] or found[2]), words[1].text
    if target.endswith("/") or target in (".", ".."):
        return {}
    folder, _, other = target.rpartition("/")
    return {script_name(target): name} | ({other: name} if folder.endswith("bin") else {})


_PROGRAM = re.compile(
    r"(?:/usr(?:/local)?|/opt/homebrew)?/s?bin/([\w.+-]+)\Z|"
    r"(?:\$\(|`)\s*(?:which|command -v|type -[pP])\s+([\w.+-]+)\s*[)`]\Z"
)


def script_name(path: str) -> str:
    return posixpath.normpath(path) if path else ""


def module(args: Sequence[Arg]) -> Sequence[Arg]:
    """What `python -I -m MODULE …` runs; nothing when it runs no module."""
    place = 0
    while place < len(args) and re.match(r"-[A-Za-z]", text := args[place].text):
        if re.match(r"-[A-BD-Za-bd-z]*m\Z", text):
            return args[place + 1 :]
        if text.startswith("-m"):
            return (Arg(text[2:]), *args[place + 1 :])
        place += 2 if text in ("-W", "-X") else 1
        if "c" in text:
            return ()
    return ()


def fetches(text: str) -> bool:
    """Is it a substitution that downloads something?"""
    found = re.match(r"\s*(?:\$\(|`|<\()\s*(?:sudo\s+)?([\w./-]+)", text)
    if found is None:
        return False
    name = plain_name(found[1])
    return name in _FETCH or (programs.language(name) is not None and marks.fetches(text))


def is_socket(path: str) -> bool:
    """Is it what bash takes for a connection: `/dev/tcp/HOST/PORT`?"""
    return path.startswith(("/dev/tcp/", "/dev/udp/"))


def plain_name(name: str) -> str:
    return re.sub(r"\.(?:exe|cmd|bat)\Z", "", re.split(r"[/\\]", name.rstrip("/"))[-1].lower())


PATTERN = re.compile(r"[?*]|\[[^\]]+\]")
_NAMED_BY = re.compile(r"[\"']?\$\{?([A-Z]+)(?:_(?:BIN|CMD|EXE|PATH|CLI))?\}?[\"']?\Z")
_MEANT = listed(
    "rm git dd mv cp find chmod chown shred truncate docker kubectl helm terraform psql mysql mongosh aws gcloud az gh "
    "wipefs mkfs bash sh sudo"
)
"""Programs that are meant where a pattern, or the name of a variable, says so."""
_ONLY_GIT = re.compile(
    r"(?:-C \S+ )?(?:reset (?:-q )?--hard\b|clean -(?=\w*f)(?=\w*[dx])|"
    r"push (?:\S+ ){0,3}?(?:--force(?!-)|-[a-z]*f[a-z]*\b)|"
    r"stash (?:clear|drop)\b|branch -D |checkout (?:-f |--force |-- ))"
)
"""Words that no other program has."""


def likely(path: str, words: Sequence[str]) -> str:
    """The program that is meant where its name is computed: `/usr/bin/g?t`, `$GIT reset`, `"$X" reset --hard`. '' where
    nothing says so."""
    name = plain_name(path)
    if PATTERN.search(name) and "$" not in name and name.strip("?*") != "":
        return next((each for each in sorted(_MEANT, key=len) if fnmatch.fnmatchcase(each, name)), "")
    if (named := _NAMED_BY.match(path)) and named[1].lower() in _MEANT:
        return named[1].lower()
    return "git" if _ONLY_GIT.match(" ".join(words[:8])) else ""


def name_in(path: str) -> str:
    """The program's name, where only the folder is computed: `$HOME/bin/x`."""
    found = re.search(r"(?:\A[^$`]*|/)([\w.+-]+)\Z", path)
    return found[1] if found else ("" if "$" in path or "`" in path else path)


def joined(base: str | None, directory: str | None) -> str | None:
    """A directory inside another; None when either is unknown."""
    if directory is None or base is None:
        return directory if directory and directory.startswith(("/", "~", "$TMPDIR", "$HOME")) else None
    if not directory or directory.startswith(("/", "~", "$TMPDIR", "$HOME")) or not base:
        return directory or base
    return f"{base}/{directory}"


def as_word(path: str, command: Command) -> Word:
    """The program's own word. The reader keeps only its text, so an expansion is known by its sign."""
    pieces = re.split(r"(\$\{IFS\}|\$IFS(?!\w))", path)
    if len(pieces) > 1:
        return Word(path, tuple(Part(piece, known="$" not in piece) for piece in pieces if piece))
    if path.count("$") > 1 and "(" not in path and "`" not in path:
        pieces = re.split(r"(\$\{\w+\}|\$\w+)", path)
        return Word(path, tuple(Part(piece, known="$" not in piece) for piece in pieces if piece))
    pieces = _FLAT.split(path) if "$(" in path or "`" in path else []
    if len(pieces) > 1:  # `g$(printf it)`
        return Word(path, tuple(Part(piece, known="$" not in piece and "`" not in piece) for piece in pieces if piece))
    return Word(path, (Part(path, known="$" not in path and "`" not in path),))


_FLAT = re.compile(r"(\$\([^()`]{1,200}\)|`[^`()]{1,200}`)")
"""A substitution in which stands no other."""


def unsplit(word: Word) -> Word:
    """A word that the shell does not split where it is expanded: behind `x=` or `<<<`. A list in brackets is split."""
    if word.known or word.text.startswith("("):
        return word
    return Word(word.text, tuple(part if part.known else replace(part, quoted=True) for part in word.parts))


def word(arg: Arg) -> Word:
    return Word(arg.text, (Part(arg.text, arg.known, arg.quoted),))


def arg(word: Word) -> Arg:
    return Arg(word.text, word.known, word.quoted)


_ESCAPE = re.compile(r"\\(?:0([0-7]{1,3})|([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|(.))", re.DOTALL)
DECODERS = frozenset({"base64", "base32", "basenc", "xxd", "uudecode", "openssl"})
_OPENS = re.compile(r"\$\(|`|<\(")
_DECODER = re.compile(r"\b(?:base64|base32|basenc|xxd|uudecode|gunzip|zcat|unxz|rev)\b|\bopenssl\s+(?:base64|enc)\b")
_CHANGES_LETTERS = re.compile(r"\s*tr\s+(?!-[a-z]|'\\n')")


def unescaped(text: str) -> str:
    """A text as `printf` writes it."""

    def one(match: re.Match[str]) -> str:
        if octal := match[1] or match[2]:
            return chr(int(octal, 8) & 0xFF) if int(octal, 8) else "\n"
        if match[3]:
            return chr(int(match[3], 16))
        return {"n": "\n", "t": "\t", "r": "\r", "0": "\n"}.get(match[4], match[0])

    return _ESCAPE.sub(one, text)


def decodes(text: str) -> bool:
    """Is it a substitution that decodes something? Linear: a text may open thousands of them."""
    opened = _OPENS.search(text)
    if opened is None:
        return False
    if _DECODER.search(text, opened.end()):
        return True
    pieces = text.split("|")
    return any(_CHANGES_LETTERS.match(piece) and _OPENS.search(before) for before, piece in itertools.pairwise(pieces))
