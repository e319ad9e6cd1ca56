"""Following variables inside one command line. Pure.

What the line itself sets is followed; `$HOME`, `~`, `$PWD` and `$TMPDIR` are kept as names that `places` understands.
Everything else stays as written, and the argument counts as not known.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from holdfast.commandline.model import Arg
from holdfast.commandline.reading import braces
from holdfast.patterns import lazy_pattern
from holdfast.shell.script import Part, Word

KNOWN_NAMES = frozenset({"HOME", "PWD", "OLDPWD", "TMPDIR"})
_OWN_FOLDER = "$TMPDIR/of-its-own"
_TEMPORARY_NAMES = frozenset(
    {"RUNNER_TEMP", "TMP", "TEMP", "TEMPDIR", "BATS_TMPDIR", "BATS_TEST_TMPDIR", "TEST_TMPDIR"}
)
_PLAIN_NAMES = frozenset(
    {
        "RANDOM",
        "SRANDOM",
        "$",
        "BASHPID",
        "PPID",
        "UID",
        "EUID",
        "SECONDS",
        "EPOCHSECONDS",
        "USER",
        "LOGNAME",
        "HOSTNAME",
    }
)
"""Their values are one word without a slash: a path that ends in one is as good as known."""
_ALWAYS = {"SHELL": "sh", "BASH": "bash", "0": "sh", "IFS": " "}
_SIMPLE = lazy_pattern(r"\$(\w+|[@*#?!$-])\Z|\$\{(\w+|[@*])\}\Z")
_INSIDE = lazy_pattern(r"\$([A-Za-z_]\w*)|\$\{([A-Za-z_]\w*)\}")
_ARRAY = lazy_pattern(r"\$\{(\w+)\[(@|\*|\d+)\]\}\Z")
_DEFAULT = lazy_pattern(r"\$\{(\w+):?([-=?+])(.*)\}\Z", re.DOTALL)
_TEMPORARY = lazy_pattern(r"(?:\$\(|`)\s*mktemp\b(?:[^;|&$]|\$TMPDIR\b|\$\{TMPDIR(?::-/tmp)?\})*[)`]\Z")
_HERE = lazy_pattern(r"(?:\$\(|`)\s*(?:pwd(?:\s+-[LP])?|git\s+rev-parse\s+--show-toplevel)\s*[)`]\Z")
_PLAIN_COMMAND = lazy_pattern(
    r"(?:\$\(|`)\s*(?:date(?:\s+[+'\"\w%:-]*)?|whoami|id\s+-\w+|hostname(?:\s+-\w)?|uuidgen|uname\s+-\w+|nproc|"
    r"git\s+rev-parse\s+--short\s+\w+|openssl\s+rand\s+-hex\s+\d+)\s*[)`]\Z"
)
_SCOPES = frozenset({"subshell", "substitution", "process"})
_HIDE = {ord(sign): 0xE000 + number for number, sign in enumerate("{},.")}
_SHOW = {hidden: sign for sign, hidden in _HIDE.items()}
"""In quotation marks braces are only characters."""
_MOST_VALUES = 32
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class _Set:
    values: tuple[Arg, ...]
    scope: tuple[str, ...]


@dataclass(slots=True)
class Variables:
    """What is set so far. A subshell's settings end with it."""

    entries: dict[str, list[_Set]] = field(default_factory=dict)
    """By name, the last one last."""
    printed: Callable[[str, tuple[str, ...]], str | None] = lambda text, nesting: None
    """The text that a substitution becomes, where all of it is known."""
    spend: Callable[[int], bool] = lambda letters: True
    """May so many letters be put together? False: no more is followed."""

    def set(self, name: str, values: Iterable[Arg], nesting: tuple[str, ...] = ()) -> None:
        self.entries.setdefault(name, []).append(_Set(tuple(values)[:_MOST_VALUES], scope_of(nesting)))

    def unset(self, name: str, nesting: tuple[str, ...] = ()) -> None:
        self.set(name, (), nesting)

    def positional(self, args: Sequence[Arg], nesting: tuple[str, ...]) -> None:
        """What a function or a script is called with: `$1`, `$@`."""
        for number, arg in enumerate(args[:9], 1):
            self.set(str(number), [arg], nesting)
        plain = args and all(arg.known and not arg.found_by for arg in args)
        joined = [Arg(" ".join(arg.text for arg in args))] if plain else args
        self.set("@", joined, nesting)
        self.set("*", joined, nesting)

    def lend(self, assigned: Sequence[tuple[str, Sequence[Arg]]], nesting: tuple[str, ...]) -> dict[str, int]:
        """Set these for one command: `A=b make`. What `take_back` needs."""
        before = {name: len(self.entries.get(name, ())) for name, _ in assigned}
        for name, values in assigned:
            self.set(name, values, nesting)
        return before

    def take_back(self, before: Mapping[str, int]) -> None:
        """End what was lent, and what the command itself has set these names to."""
        for name, count in before.items():
            del self.entries[name][count:]

    def values(self, name: str, nesting: tuple[str, ...]) -> tuple[Arg, ...] | None:
        """The values that a name can have here; None when the line does not set it."""
        here = scope_of(nesting)
        for entry in reversed(self.entries.get(name, ())):
            if here[: len(entry.scope)] == entry.scope:
                return entry.values
        return None

    def added(self, name: str, values: Sequence[Arg], nesting: tuple[str, ...]) -> list[Arg]:
        """What `name+=…` sets: a text behind the text before, a list behind the list."""
        before = self.values(name, nesting)
        if not before or len(before) != 1 or len(values) != 1:
            return list(values)
        old, new = before[0].text, values[0].text
        if old.startswith("(") and new.startswith("("):
            old, new = old.rstrip().removesuffix(")") + " ", new[1:]
        return [Arg((old + new)[:_LONGEST], before[0].known and values[0].known)]

    def follow(self, word: Word, nesting: tuple[str, ...]) -> list[list[Arg]]:
        """Every reading of a word, each as the arguments it becomes: an unquoted variable may be several."""
        readings: list[tuple[str, bool, bool, str]] = [("", True, False, "")]
        split = False
        parts = self._at_home(word.parts or (), nesting)
        is_array = any(not part.known and part.text.endswith(("[@]}", "[*]}", "$@")) for part in parts)
        for part in parts:
            options = [Arg(part.text, True, part.quoted)] if part.known else self._option(part.text, nesting)
            split = split or (not part.known and not part.quoted)
            readings = [
                (
                    text + option.text,
                    known and option.known,
                    quoted or part.quoted,
                    shape + (option.text.translate(_HIDE) if part.quoted or not part.known else option.text),
                )
                if len(text) < _LONGEST
                else (text, known and option.known, quoted or part.quoted, shape)
                for text, known, quoted, shape in readings
                for option in options
            ][:_MOST_VALUES]
            if not self.spend(sum(len(text) for text, _, _, _ in readings)):
                break
        if not parts:
            readings = [(word.text, True, False, word.text)]
        if len(parts) == 1 and not parts[0].known:
            if parts[0].quoted and (items := self._items(parts[0].text, nesting)):
                return [items]
            options = self._option(parts[0].text, nesting)
            if any(option.found_by for option in options):
                return [[option] for option in options]
        found = []
        for text, known, quoted, shape in readings:
            text = text[:_LONGEST].replace(f"{_OWN_FOLDER}/*", "$TMPDIR/*")  # not set, it would be `/*`
            if (split or is_array) and known and (pieces := self._split(text, nesting)):
                found.append([Arg(piece) for piece in pieces])
            elif split and known and not text:
                found.append([])
            elif known and "{" in shape:
                words, whole = braces.expanded(shape)
                rest = [] if whole else [Arg(text, False)]
                found.append([*(Arg(each.translate(_SHOW), True, quoted) for each in words), *rest])
            else:
                found.append([Arg(text, known, quoted)])
        return found

    def _items(self, written: str, nesting: tuple[str, ...]) -> list[Arg]:
        """The items of a list that was read line by line: `"${lines[@]}"`; none when it is no such list."""
        match = _ARRAY.match(written)
        values = self.values(match[1], nesting) if match and match[2] == "@" else None
        if not values or any(value.found_by or not value.known or value.text.startswith("(") for value in values):
            return []
        return list(values)

    def _split(self, text: str, nesting: tuple[str, ...]) -> list[str]:
        """The words that an unquoted variable becomes; none when it is one word. `IFS=,` splits at commas."""
        signs = self.values("IFS", nesting) if "IFS" in self.entries else None
        if signs and signs[0].known and signs[0].text.strip():
            text = text.translate(dict.fromkeys(map(ord, signs[0].text), " "))
        return text.split() if " " in text or "\n" in text or "\t" in text else []

    def _at_home(self, parts: tuple[Part, ...], nesting: tuple[str, ...]) -> tuple[Part, ...]:
        """A `~` at the beginning is `$HOME`, which the line may have set anew."""
        first = parts[0] if parts else None
        if first is None or first.quoted or not first.known or not (first.text == "~" or first.text.startswith("~/")):
            return parts
        if self.values("HOME", nesting) is None:
            return parts
        return (Part("$HOME", known=False, quoted=True), Part(first.text[1:]), *parts[1:])

    def _option(self, written: str, nesting: tuple[str, ...]) -> list[Arg]:
        """The values of one expansion as it was written."""
        if match := _SIMPLE.match(written):
            name = match[1] or match[2]
            values = self.values(name, nesting)
            if values is not None:
                return list(values) or [Arg("")]
            if name in _ALWAYS:
                return [Arg(_ALWAYS[name])]
            if name in _TEMPORARY_NAMES:
                return [Arg(_OWN_FOLDER)]  # a script's own folder, as often as that of the system
            if name in _PLAIN_NAMES:
                return [Arg(written)]
            return [Arg(f"${name}", name in KNOWN_NAMES)]
        if match := _ARRAY.match(written):
            values = self.values(match[1], nesting)
            if values and any(value.found_by or value.text.startswith("$(<") for value in values):
                return list(values)
            if values and len(values) == 1 and (inside := re.fullmatch(r"\((.*)\)", values[0].text.strip(), re.DOTALL)):
                words = _words(inside[1])
                if match[2] in "@*":
                    return [Arg(" ".join(words))]
                if int(match[2]) < len(words):
                    return [Arg(words[int(match[2])])]
        if match := _DEFAULT.match(written):
            name, sign, rest = match.groups()
            values = self.values(name, nesting)
            if values:
                return list(values)
            if sign == "?":  # it ends the shell when the variable is empty: whoever wrote it has thought of that
                return [Arg(f"${name}") if name in KNOWN_NAMES else Arg("$TMPDIR/checked")]
            if sign in "-=" and "$" not in rest and "`" not in rest:
                # Set elsewhere, or the default: both are possible.
                return [Arg(rest)] if name not in KNOWN_NAMES else [Arg(f"${name}"), Arg(rest)]
        if _PLAIN_COMMAND.match(written):
            return [Arg("".join(written.split()))]
        if _HERE.match(written):
            return [Arg("$PWD")]
        if _TEMPORARY.match(written):
            return [Arg("$TMPDIR/made-now")]
        if written.startswith(("$(", "`")) and (text := self.printed(written, nesting)) is not None:
            return [Arg(text[:_LONGEST])]
        return [Arg(self._filled_in(written, nesting), False)]

    def _filled_in(self, written: str, nesting: tuple[str, ...]) -> str:
        """A substitution with the variables in it that the line has set: `$(basename "$d")`."""
        if not self.entries or not written.startswith(("$(", "`")):
            return written

        def value(match: re.Match[str]) -> str:
            values = self.values(match[1] or match[2], nesting)
            return values[0].text if values and len(values) == 1 else match[0]

        return _INSIDE.sub(value, written)


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def scope_of(nesting: tuple[str, ...]) -> tuple[str, ...]:
    """The part of a nesting that has variables of its own."""
    last = max((at for at, place in enumerate(nesting) if place in _SCOPES), default=-1)
    return nesting[: last + 1]
