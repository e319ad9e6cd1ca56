"""What goes through a pipe, as far as the words tell: lists of `find`, keys of a store, files that are read. Pure."""

from __future__ import annotations

import itertools
import posixpath
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from holdfast.commandline.effects.places import CERTAIN_ARTEFACTS, reads_as_output
from holdfast.commandline.reading import find_words, names
from holdfast.commandline.running.items import CHOSEN, EVERY_CONTAINER, EVERY_KEY, EVERY_PROCESS
from holdfast.shell.script import Command, Heredoc, Part, Word
from holdfast.shell.tools import listed


def read_files(command: Command) -> tuple[str, ...]:
    """The files that a command of a pipeline may read, by its words."""
    if command.program in _ONLY_SAY and command.texts[:1] != ("credential",):
        return ()
    told = command.program in ("gpg", "gpg2", "openssl", "security", "sops")
    words = [command.program, *(word.text for word in command.arguments if told or not word.text.startswith("-"))]
    words += [entry.target.text for entry in command.redirections if entry.mode == "read"]
    return tuple([words[0], *words[2:]] if command.program in _PATTERN_FIRST else words)[:50]


def copied_into(command: Command) -> tuple[Word, ...]:
    """The files into which a command puts what it reads: `tee f`, `dd of=f`."""
    words = command.arguments
    if command.program == "dd" and not any(word.text.startswith("if=") for word in words):
        return tuple(_behind(word, "of=") for word in words if word.text.startswith("of="))
    if command.program in ("cp", "install") and "/dev/stdin" in command.texts:
        return words[-1:]
    if command.program in ("tee", "sponge"):
        return tuple(word for word in words if not word.text.startswith("-"))
    return ()


def copied_files(command: Command) -> tuple[tuple[Word, ...], Word] | None:
    """The files that a command copies, moves or links, and where to; None: it does none of it."""
    words = tuple(word for word in command.arguments if not word.text.startswith("-"))
    if command.program == "dd":
        source = tuple(_behind(word, "if=") for word in words if word.text.startswith("if="))
        target = [_behind(word, "of=") for word in words if word.text.startswith("of=")]
        return (source, target[0]) if source and target else None
    return (words[:-1], words[-1]) if command.program in _COPIES and len(words) > 1 else None


_COPIES = listed("cp mv ln install rsync gcp gmv")


def _behind(word: Word, sign: str) -> Word:
    return Word(word.text.removeprefix(sign), (Part(word.text.removeprefix(sign), word.known),))


_CHOOSES = re.compile(r"--filter|-\w*f\Z|(?:name|label|ancestor|status|id)=")

_ONLY_SAY = listed("echo printf ls find fd git ps stat du df which type man curl wget seq date")
_PATTERN_FIRST = listed("sed awk grep rg jq tr egrep fgrep")


def passed_on(listed: tuple[str, ...], command: Command) -> tuple[str, ...]:
    """A list of processes behind a filter that chooses none of them: `ps ax | awk '{print $1}'`."""
    if listed in (CHOSEN, EVERY_CONTAINER):
        picks = command.program in ("grep", "egrep", "rg") or any("/" in text for text in command.texts)
        return CHOSEN if listed == CHOSEN or picks else EVERY_CONTAINER
    if listed and listed not in (EVERY_PROCESS, EVERY_KEY):  # a list of files: some of them
        if command.program in _ORDERS:
            return listed
        return _narrowed(listed, command) if command.program in _FILTERS else ()
    if listed != EVERY_PROCESS or command.program not in ("tail", "head", "awk", "sed", "cut", "tr", "sort", "uniq"):
        return ()
    return () if any("/" in text or "==" in text or "~" in text for text in command.texts) else EVERY_PROCESS


def _narrowed(listed: tuple[str, ...], command: Command) -> tuple[str, ...]:
    """Some of a list, by a filter. One that keeps an ending chooses by it: `grep '\\.ts$'`."""
    loose = find_words.loosely(listed)
    words = command.texts
    if command.program not in _GREPS or _has_letter(words, "vcl"):
        return loose
    pattern = next((word for word in words if not word.startswith("-")), "")
    if not _has_letter(words, "i") and (paths := _output_paths(pattern)):
        tests = tuple(word for path in paths for word in ("-o", "-path", path))[1:]
        chosen = ("(", *tests, ")") if len(paths) > 1 else tests
        return (*loose[:-1], *chosen, loose[-1]) if find_words.is_loose(listed) else (*listed, *chosen)
    found = _ENDING.search(pattern)
    if found is None:
        return loose
    last = "" if found[2] else "*"
    names = [f"*.{each}{last}" for each in found[1].strip("()").split("|") if each][:8]
    tests = tuple(word for name in names for word in ("-o", "-name", name))[1:]
    return (*loose[:-1], *(("(", *tests, ")") if len(names) > 1 else tests), loose[-1])


def _output_paths(pattern: str) -> list[str]:
    """What a filter keeps, as `find -path` says it, where every choice of it names an output: `(/dist|\\.pyc)$`."""
    group = _GROUP.match(pattern)
    before, inner, last = group.groups() if group is not None else ("", pattern, "")
    found = []
    for each in re.split(r"\\?\|", inner)[:_MOST_CHOICES]:
        plain = _PLAIN.match(f"{before}{each}{last}")
        if plain is None:
            return []
        name = plain[1].replace("\\", "")
        word = name.strip("/")
        # `dist` alone is also a part of `distance.py`.
        sure = plain[2] or name[0] in "/." or name.endswith("/") or word in CERTAIN_ARTEFACTS
        if not sure or not reads_as_output(word):
            return []
        found.append(f"*{name}" + ("" if plain[2] else "*"))
    return found if len(found) < _MOST_CHOICES else []


_MOST_CHOICES = 9
_GROUP = re.compile(r"(/?)\\?\(([^()\\]*(?:\\[.|][^()\\]*)*)\\?\)(\$?)\Z")
_PLAIN = re.compile(r"((?:/|\./)?(?:[\w@-]|\\\.|\.(?=\w))+/?)(\$?)\Z")
_GREPS = listed("grep egrep fgrep rg")
_ENDING = re.compile(r"\\?\.(\w{1,12}|\(\w{1,12}(?:\|\w{1,12}){0,12}\))(\$?)\Z")


def _lists_all_processes(command: Command) -> bool:
    words = command.texts
    if command.program == "ps":
        return not any(word.startswith(("-p", "-C", "--pid", "--ppid", "-t", "--tty")) for word in words)
    if command.program == "pgrep":
        patterns = [word for word in words if not word.startswith("-")]
        by_user = any(word.startswith(("-u", "-U", "--euid", "--uid")) for word in words)
        return (by_user and len(patterns) < 2) or (bool(patterns) and not patterns[-1].strip(".*^$"))
    return command.program == "ls" and any(word.startswith("/proc") for word in words)


def _asks_far(words: Sequence[str]) -> bool:
    """Are keys listed on a server of the network? There a pattern is no test of one's own: `-h redis.example.com`."""
    server = next((value for option, value in itertools.pairwise(words) if option in ("-h", "-u")), "")
    lists = "--scan" in words or "keys" in (word.lower() for word in words)
    far = "." in server or "://" in server or server.startswith("$")
    spare = any(_SPARE_KEYS.match(word) for word in words)
    return lists and far and not spare and not re.match(r"(?:\w+://(?:\S*@)?)?(?:127\.|localhost\b)", server)


_SPARE_KEYS = re.compile(r"(?i)(?:[\w-]+:)?(?:cache|tests?|tmp|temp|e2e|rate|rack::attack|views?)[:*_.-]")
"""Keys that are made again, or are for tests."""


def listing(command: Command) -> tuple[str, ...]:
    """The words of a `find` that only lists, for the one that reads its list."""
    if command.program in ("redis-cli", "valkey-cli"):
        return EVERY_KEY if _lists_all_keys(command.texts) or _asks_far(command.texts) else ()
    if command.program in ("docker", "podman", "nerdctl"):
        return CHOSEN if any(_CHOOSES.match(word) for word in command.texts) else EVERY_CONTAINER
    if command.program in ("ps", "pgrep", "ls") and _lists_all_processes(command):
        return EVERY_PROCESS
    if command.program == "ls":
        return _ls_lists(command)
    if not all(word.known or word.text.startswith(("~", "$HOME", "$PWD")) for word in command.arguments):
        return ()
    if command.program in _LISTERS:
        folders = _LISTERS[command.program](command.texts)
        if not folders:
            return ()
        # Files, and links to folders.
        words = (*folders, "-not", "-type", "d", *_patterns(command), "-not", "-path", "*/.git/*")
        return find_words.everything(words) if _lists_all(command) else find_words.loosely(words)
    if command.program not in ("find", "gfind"):
        return ()
    return find_words.listing(command.texts) if "-delete" not in command.texts else ()


def _ls_lists(command: Command) -> tuple[str, ...]:
    """`ls *.md`, `ls -d x/*`, `ls`: the names that it prints are paths. Of a folder it prints bare names."""
    words = _operands(command.texts)
    if not all(word.known or word.text.startswith(("~", "$HOME", "$PWD")) for word in command.arguments):
        return ()
    if not words or words == ["."]:
        return (".", "-mindepth", "1", "-maxdepth", "1")
    whole = _has_letter(command.texts, "d") or all(sign in word for word in words for sign in "*")
    folders = {posixpath.dirname(word) or "." for word in words}
    if whole and len(folders) > 1 and all(map(reads_as_output, words)):
        tests = tuple(each for word in words[:8] for each in ("-o", "-name", posixpath.basename(word)))[1:]
        return (".", "(", *tests, ")")
    if not whole or len(folders) != 1 or any(sign in folder for folder in folders for sign in "*?["):
        return ()
    tests = tuple(each for word in words[:8] for each in ("-o", "-name", posixpath.basename(word)))[1:]
    return (*folders, "-maxdepth", "1", *(("(", *tests, ")") if len(words) > 1 else tests))


def _patterns(command: Command) -> tuple[str, ...]:
    """The names that a program that lists files chooses, as `find` tells them: `git ls-files '*.go'`."""
    words = command.texts
    chosen: list[str] = []
    if command.program == "git":
        chosen = [posixpath.basename(word) for word in _operands(words)[1:] if "*" in posixpath.basename(word)]
    for option, value in itertools.pairwise((*words, "")):
        name, sign, told = option.partition("=")
        value = told if sign else value
        if name in ("-g", "--glob", "--include") and "*" in value and not value.startswith("!"):
            chosen.append(posixpath.basename(value))
        elif name in ("-e", "--extension") and command.program in ("fd", "fdfind"):
            chosen.append(f"*.{value}")
    if command.program in ("fd", "fdfind") and (paths := _output_paths(next(iter(_operands(words)), ""))):
        return ("-path", f"*/{paths[0]}") if len(paths) == 1 and not chosen else ()
    tests = tuple(each for name in chosen[:8] for each in ("-o", "-name", name))[1:]
    return ("(", *tests, ")") if len(chosen) > 1 else tests


def _operands(words: Sequence[str]) -> list[str]:
    return [word for word in words if word == "." or not word.startswith("-")]


def _has_letter(words: Sequence[str], letters: str) -> bool:
    return any(word[:1] == "-" and word[1:2] != "-" and set(letters) & set(word[1:]) for word in words)


def _in_folders(found: Sequence[str]) -> list[str]:
    """Where it looks: patterns stand for files somewhere below."""
    return ["."] if not found or any(sign in each for each in found for sign in "*?[") else list(found)


def _git_lists(words: Sequence[str]) -> list[str]:
    if words[:1] == ("ls-files",) or (words[:1] in (("diff",), ("status",)) and "--name-only" in words):
        return _in_folders(_operands(words)[1:] if words[0] == "ls-files" else [])
    return []


def _grep_lists(words: Sequence[str]) -> list[str]:
    named = _has_letter(words, "lL") or any(word.startswith("--files-with") for word in words)
    if not named or not (_has_letter(words, "rR") or any(word.endswith("recursive") for word in words)):
        return []
    return _in_folders(_operands(words)[0 if "-e" in words else 1 :])


def _rg_lists(words: Sequence[str]) -> list[str]:
    if "--files" in words:
        return _in_folders(_operands(words))
    named = _has_letter(words, "l") or any(word.startswith("--files-with") for word in words)
    return _in_folders(_operands(words)[1:]) if named else []


def _fd_lists(words: Sequence[str]) -> list[str]:
    return _in_folders(_operands(words)[1:])


_LISTERS: dict[str, Callable[[Sequence[str]], list[str]]] = {
    **dict.fromkeys(("locate", "plocate", "mdfind"), lambda words: ["/"]),
    "git": _git_lists, "rg": _rg_lists, "ag": _rg_lists, "fd": _fd_lists, "fdfind": _fd_lists,
    **dict.fromkeys(("grep", "egrep", "fgrep", "ggrep", "ack"), _grep_lists),
}  # fmt: skip
"""Programs that list files, with the folders in which they look."""
_FILTERS = listed("grep egrep fgrep rg head tail awk sed")
_ORDERS = listed("sort uniq cat shuf tac tee")
"""Programs that pass on all of a list."""


def _lists_all(command: Command) -> bool:
    """Does it choose none of the files: `git ls-files`, `rg --files`?"""
    words, chosen = command.texts, [word for word in _operands(command.texts) if word != "."]
    if command.program == "git":
        return words[:1] == ("ls-files",) and len(chosen) == 1 and not _has_letter(words, "dikmtux")
    return "--files" in words and not chosen and not any(word.startswith(("-g", "--glob", "-t")) for word in words)


def _lists_all_keys(words: Sequence[str]) -> bool:
    """`redis-cli --scan`, `redis-cli keys '*'`: without a pattern, or with one that fits everything."""
    low = [word.lower() for word in words]
    if "--scan" in low:
        pattern = next((after for word, after in itertools.pairwise(low) if word == "--pattern"), "*")
    elif "keys" in low[:-1]:
        pattern = low[low.index("keys") + 1]
    else:
        return False
    return not pattern.strip("*?")


def printed(program: str, pieces: list[str]) -> str:
    """What `echo` or `printf` writes of these words."""
    if program == "echo":
        escapes = any(piece in ("-e", "-ne", "-en") for piece in pieces[:2])
        pieces = [piece for piece in pieces if piece not in ("-n", "-e", "-E", "-ne", "-en")]
        said = " ".join(pieces)
        return names.unescaped(said) if escapes else said.replace("\\n", "\n")
    if not pieces:
        return ""
    shape, *rest = pieces
    if "%b" in shape:
        rest = [names.unescaped(each) for each in rest]
    shape = names.unescaped(shape)
    if "%" in shape and rest:
        return "".join(re.sub(r"%[-\w.]*[sdbq]", lambda _, each=each: each, shape, count=1) for each in rest)  # type: ignore[misc]
    return shape


def bodies(commands: Sequence[Command]) -> dict[int, Heredoc]:
    """The heredocs of a line by their number. Those of a text that stands in another one are counted anew."""
    return {
        entry.number: entry for command in commands if "heredoc" not in command.nesting for entry in command.heredocs
    }


_NUMBER = re.compile(r"<<(\d{1,4})\b")


def with_bodies(command: Command, known: Mapping[int, Heredoc]) -> Command:
    """`mysql -e "$(cat <<'EOF' … )"`: in the words of a substitution a heredoc's text takes the place of its number."""
    if not known:
        return command
    told = partial(_with_body, known)
    return replace(
        command,
        arguments=tuple(map(told, command.arguments)),
        assignments=tuple(replace(entry, value=told(entry.value)) for entry in command.assignments),
        redirections=tuple(replace(entry, target=told(entry.target)) for entry in command.redirections),
    )


def _with_body(known: Mapping[int, Heredoc], word: Word) -> Word:
    if word.known or "<<" not in word.text or word.text.startswith("$(("):
        return word

    def here(match: re.Match[str]) -> str:
        entry = known.get(int(match[1]))
        if entry is None:
            return match[0]
        if entry.quoted:
            return f"<<< {shlex.quote(entry.body)}"
        escaped = re.sub(r'\\(?=")|"', r"\\\g<0>", entry.body)
        return f'<<< "{escaped}"'

    parts = tuple(part if part.known else replace(part, text=_NUMBER.sub(here, part.text)) for part in word.parts)
    return Word("".join(part.text for part in parts), parts)
