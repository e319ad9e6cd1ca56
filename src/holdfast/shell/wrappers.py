"""Programs that only run another: which word is the program that counts, and what a command runs in its turn.

A table of wrappers (`sudo`, `env`, `timeout 60`), and the commands that take other commands as text or as words
(`bash -c`, `eval`, `xargs`, `find -exec`). What package runners do (`uv run`, `npx`) is left to `recognise.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from holdfast.shell.script import Assignment, Nesting, Part, Redirection, Word

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)\+?=(.*)", re.DOTALL)
_SHORT_C = re.compile(r"-[a-zA-Z]*c[a-zA-Z]*\Z")
_SPLIT = re.compile(r"(?:--split-string=|-[a-zA-Z]*S(?!\w*\Z))(.+)|-[a-zA-Z]*S\Z", re.DOTALL)
_DEEPEST = 20
SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "ash", "fish", "mksh"})


@dataclass(frozen=True, slots=True)
class Wrapper:
    """How a wrapper's own words are told from the command it runs."""

    values: frozenset[str] = frozenset()
    """Options that take the next word."""
    words: int = 0
    """Words of its own after the options: the `60` of `timeout 60`."""
    assigns: bool = False
    """`X=1` after it is an assignment."""
    asks: frozenset[str] = frozenset()
    """Options with which it runs nothing: `command -v rm`."""


def _wrapper(values: str = "", words: int = 0, assigns: bool = False, asks: str = "") -> Wrapper:
    return Wrapper(frozenset(values.split()), words, assigns, frozenset(asks.split()))


WRAPPERS: dict[str, Wrapper] = {
    "builtin": _wrapper(),
    "arch": _wrapper("-arch"),
    "busybox": _wrapper(),
    "toybox": _wrapper(),
    "caffeinate": _wrapper("-t -w"),
    "chroot": _wrapper(words=1),
    "chronic": _wrapper(),
    "chrt": _wrapper(words=1),
    "command": _wrapper(asks="-v -V"),
    "coproc": _wrapper(),
    "cross-env": _wrapper(assigns=True),
    "doas": _wrapper("-u -C"),
    "env": _wrapper("-u --unset -C --chdir -S --split-string -P", assigns=True),
    "exec": _wrapper("-a"),
    "fakeroot": _wrapper("-l -s -i -b"),
    "faketime": _wrapper("-f", words=1),
    "flatpak-spawn": _wrapper(),
    "flock": _wrapper("-w --timeout -E", words=1),
    "gtime": _wrapper("-f -o"),
    "gtimeout": _wrapper("-s -k --signal --kill-after", words=1),
    "ionice": _wrapper("-c -n --class --classdata"),
    "nice": _wrapper("-n --adjustment"),
    "noglob": _wrapper(),
    "nohup": _wrapper(),
    "numactl": _wrapper(),
    "setsid": _wrapper(),
    "sshpass": _wrapper("-p -f -d -P"),
    "stdbuf": _wrapper("-i -o -e"),
    "strace": _wrapper("-e -o -p -s -u"),
    "sudo": _wrapper(
        "-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir", assigns=True, asks="-l -v -k -K"
    ),
    "taskset": _wrapper("-c", words=0),
    "time": _wrapper("-f -o"),
    "timeout": _wrapper("-s -k --signal --kill-after", words=1),
    "unbuffer": _wrapper(),
    "runuser": _wrapper("-u -g -G --user --group"),
    "systemd-inhibit": _wrapper("--what --who --why --mode"),
    "systemd-run": _wrapper("-p --property -u --unit -M --machine -E --setenv --uid --gid --working-directory --slice"),
    "unshare": _wrapper("-R --root -w --wd -S --setuid -G --setgid"),
    "nsenter": _wrapper("-t --target -S --setuid -G --setgid"),
    "setpriv": _wrapper("--reuid --regid --groups"),
    "pkexec": _wrapper("--user"),
    "gosu": _wrapper(words=1),
    "su-exec": _wrapper(words=1),
    "proxychains": _wrapper("-f"),
    "proxychains4": _wrapper("-f"),
    "torsocks": _wrapper(),
    "tsocks": _wrapper(),
    "firejail": _wrapper(),
    "dbus-run-session": _wrapper(),
    "dumb-init": _wrapper(),
    "tini": _wrapper(),
    "prlimit": _wrapper(),
    "cpulimit": _wrapper("-l -p -e"),
    "eatmydata": _wrapper(),
    "entr": _wrapper(),
    "proot": _wrapper("-r -b -w -R -S -q -k"),
    "ssh-agent": _wrapper("-a -t -P -E"),
    "ltrace": _wrapper("-e -o -p -s -u"),
    "valgrind": _wrapper(),
    "xvfb-run": _wrapper("-n -s -e -f -p -w"),
}


@dataclass(frozen=True, slots=True)
class Resolved:
    program: str
    path: str
    arguments: tuple[Word, ...]
    assignments: tuple[Assignment, ...] = ()
    wrappers: tuple[str, ...] = ()
    directory: Word | None = None
    """Where `env -C` and `sudo -D` run it."""


def resolve(words: list[Word]) -> Resolved:
    """The program that counts, behind any wrappers."""
    names: list[str] = []
    assigned: list[Assignment] = []
    directory: Word | None = None
    rest = words
    while rest and len(names) < _DEEPEST:
        name = base(rest[0])
        wrapper = WRAPPERS.get(name)
        if wrapper is None:
            break
        inner, found, where = _behind(name, wrapper, rest[1:])
        if not inner:
            break
        names.append(name)
        assigned.extend(found)
        directory = where or directory
        rest = inner[1:] if name == "time" and inner[0].text == "!" else inner
    if not rest:
        return Resolved("", "", ())
    return Resolved(base(rest[0]), rest[0].text, tuple(rest[1:]), tuple(assigned), tuple(names), directory)


def base(word: Word) -> str:
    """The base name of a program; nothing when an expansion hides it."""
    name = word.text.rstrip("/").rsplit("/", 1)[-1]
    return name if word.known or (word.parts and word.parts[-1].known and "/" in word.parts[-1].text) else ""


def _piece(text: str, of: Word) -> Word:
    """One word of a text that is split at its blanks."""
    return Word(text, (Part(text, of.known or "$" not in text),))


def _behind(name: str, wrapper: Wrapper, words: list[Word]) -> tuple[list[Word], list[Assignment], Word | None]:
    assigned: list[Assignment] = []
    directory: Word | None = None
    own = wrapper.words
    at = 0
    while at < len(words):
        text = words[at].text
        if text == "--":
            at += 1
            break
        if text == "-" and wrapper.assigns:
            pass  # `env -` is `env -i`
        elif text.startswith("-") and len(text) > 1:
            splits = _SPLIT.match(text) if wrapper.assigns else None
            if splits and splits[1]:  # `env -vS 'cmd'` has it in the next word, `--split-string=cmd` in this one
                pieces = [_piece(piece, words[at]) for piece in splits[1].split()]
                return _behind(name, wrapper, pieces + words[at + 1 :])
            if splits and text not in wrapper.values and at + 1 < len(words):
                pieces = [_piece(piece, words[at + 1]) for piece in words[at + 1].text.split()]
                return _behind(name, wrapper, pieces + words[at + 2 :])
            if text in wrapper.asks:
                return [], [], None
            if text in wrapper.values:
                if text in ("-C", "--chdir", "-D") and at + 1 < len(words):
                    directory = words[at + 1]
                if text in ("-S", "--split-string") and at + 1 < len(words):
                    split = [_piece(piece, words[at + 1]) for piece in words[at + 1].text.split()]
                    return _behind(name, wrapper, split + words[at + 2 :])
                at += 1
        elif wrapper.assigns and (match := _ASSIGNMENT.fullmatch(text)):
            assigned.append(Assignment(match.group(1), Word(match.group(2), words[at].parts)))
        elif own:
            own -= 1
        else:
            break
        at += 1
    return words[at + own :] if own else words[at:], assigned, directory


@dataclass(frozen=True, slots=True)
class Inner:
    """A command inside a command: as text to be parsed, or as words."""

    place: Nesting
    text: str | None = None
    words: tuple[Word, ...] = ()
    status: Literal["same", "lost"] = "same"


def inner(program: str, arguments: tuple[Word, ...], redirections: tuple[Redirection, ...]) -> list[Inner]:
    """What this command runs in its turn."""
    if program in SHELLS or program == "su":
        return _of_shell(arguments, redirections)
    if program == "eval" and arguments:
        return [Inner("eval", text=" ".join(word.text for word in arguments))]
    if program == "trap" and len(arguments) > 1 and not arguments[0].text.startswith("-"):
        return [Inner("trap", text=arguments[0].text, status="lost")]
    if program in ("xargs", "parallel"):
        behind = _after_options(arguments, _XARGS_VALUES)
        return [Inner("xargs", words=behind)] if behind else []
    if program in ("find", "fd", "fdfind", "gfind"):
        return _of_find(arguments)
    return []


_XARGS_VALUES = frozenset({"-I", "-n", "-P", "-L", "-d", "-E", "-s", "-a", "--max-args", "--max-procs", "--delimiter"})
_SHELL_VALUES = frozenset({"-o", "-O", "+o", "+O", "--rcfile", "--init-file"})
_FIND_RUNS = frozenset({"-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"})


def _of_shell(arguments: tuple[Word, ...], redirections: tuple[Redirection, ...]) -> list[Inner]:
    at = 0
    while at < len(arguments):
        text = arguments[at].text
        if text in ("--command",) or _SHORT_C.match(text):
            rest = [word for word in arguments[at + 1 :] if not _SHORT_OPTION.match(word.text)]
            return [Inner("shell", text=rest[0].text)] if rest else []
        if text in _SHELL_VALUES:
            at += 1
        elif not text.startswith(("-", "+")):
            return []
        elif text == "-s":
            break
        at += 1
    for entry in reversed(redirections):
        if entry.mode == "heredoc" and entry.heredoc:
            return [Inner("shell", text=entry.heredoc.body)]
        if entry.mode == "herestring":
            return [Inner("shell", text=entry.target.text)]
        if entry.mode == "read":
            return []
    return []


_SHORT_OPTION = re.compile(r"-[a-zA-Z]+\Z")


def _of_find(arguments: tuple[Word, ...]) -> list[Inner]:
    found: list[Inner] = []
    at = 0
    while at < len(arguments):
        if arguments[at].text in _FIND_RUNS:
            stop = at + 1
            while stop < len(arguments) and arguments[stop].text not in (";", "+"):
                stop += 1
            if words := arguments[at + 1 : stop]:
                found.append(Inner("find", words=words, status="lost"))
            at = stop
        at += 1
    return found


def _after_options(arguments: tuple[Word, ...], values: frozenset[str]) -> tuple[Word, ...]:
    at = 0
    while at < len(arguments) and arguments[at].text.startswith("-"):
        if arguments[at].text == "--":
            return arguments[at + 1 :]
        at += 2 if arguments[at].text in values else 1
    return arguments[at:]
