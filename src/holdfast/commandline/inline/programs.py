"""Programs written inside a command line (`python -c`, `node -e`, a heredoc to an interpreter): what they delete,
overwrite and run. Pure.

Python is parsed; other languages are read by the calls that destroy. A target that is not a plain text counts as not
known, and the rules decide what that means.
"""

from __future__ import annotations

import re
import shlex

from holdfast.commandline.inline import long_python, marks, notebook, other_languages, powershell
from holdfast.commandline.inline.calls import ALL_LISTED, CHOOSES, FAR_LISTED, Calls, FileCall, ShellCall, by_calls
from holdfast.commandline.inline.given_words import with_words
from holdfast.commandline.inline.python import python_calls
from holdfast.commandline.inline.service_calls import remote_commands
from holdfast.commandline.model import Run
from holdfast.commandline.reading import names

LONGEST = 40_000
"""Characters of a program that are read."""
_LONGEST_PLAIN = 1_000_000
"""Characters of a program that is looked at for whether it has to be read."""

_INTERPRETERS = {
    "python": "python", "node": "node", "nodejs": "node", "deno": "node", "bun": "node", "tsx": "node",
    "ts-node": "node", "zx": "node",
    "ruby": "ruby", "perl": "perl", "php": "php", "awk": "awk", "gawk": "awk", "mawk": "awk", "nawk": "awk",
    "pypy": "python", "ipython": "python", "hython": "python", "mayapy": "python", "pvpython": "python",
    "pvbatch": "python", "vpython": "python", "jython": "python", "graalpy": "python", "micropython": "python",
}  # fmt: skip
_LONG = {"node": ("--eval", "--print")}
_LETTERS = {"python": "c", "node": "ep", "ruby": "e", "perl": "eE", "php": "r"}
"""Options behind which the program stands."""
_TAKE_REST = {"python": "mWX", "node": "rC", "ruby": "rIEFKTxC0", "perl": "MmIiF0lxCD", "php": "dczf"}
"""Options with a value of their own, which may stand in the same word: `-rpathname`, `-MFile::Path`."""
_VALUES = {
    "python": ("-W", "-X", "-m"),
    "node": ("-r", "--require", "--import", "-C", "--conditions"),
    "ruby": ("-r", "-I", "-C", "-E"),
    "perl": ("-I", "-M"),
    "php": ("-d", "-c", "-z"),
}


def _program_in(kind: str, option: str) -> str | None:
    """The program that stands in a word behind its option, '' when it is the next word; None: this option has none."""
    name, sign, value = option.partition("=")
    if name in _LONG.get(kind, ()):
        return value if sign else ""
    if option.startswith("--"):
        return None
    for place, letter in enumerate(option[1:], 1):
        if letter in _LETTERS[kind]:
            return option[place + 1 :] if kind != "node" else ""
        if letter in _TAKE_REST[kind]:
            return None
    return None


_IS_SHELL = re.compile(r"\s*(?:sudo\s+)?rm\s+-\w*[rR]")
"""No program of any language begins so: a command of the shell was given to the wrong interpreter."""


def language(program: str) -> str | None:
    """The language of an interpreter: `python3.12` is Python."""
    return _INTERPRETERS.get(re.sub(r"[\d.]+\Z", "", program))


def read(run: Run) -> Calls | None:
    """What the programs inside this run do; None when it is no interpreter or runs a file."""
    kind = language(run.program)
    if kind is None and run.program in other_languages.COMPILED and run.stdin is not None and not run.args:
        return _of_compiled(run.stdin)
    if run.stdin is not None and "-" in run.texts and other_languages.COMPILERS.match(run.program):
        return _of_compiled(run.stdin)
    if kind is None:
        return _of_another(run) if run.program in other_languages.INTERPRETERS else None
    found = Calls()
    for text in _programs(kind, run):
        if kind == "python" and LONGEST < len(text) <= _LONGEST_PLAIN:
            if long_python.reaches_nothing(text):
                continue
            text = long_python.shortened(text)
        if kind == "python":
            said, text = notebook.apart(text[: LONGEST + 1])
            found.shell += map(ShellCall, said)
        whole = len(text)
        text = text[:LONGEST]
        if kind == "python":
            text = long_python.as_much_as_is_parsed(text)
        found.cut = found.cut or len(text) < whole
        found.letters += len(text)
        found.marks += marks.marks(text)
        found.shell += [ShellCall(f"ssh host {shlex.quote(said)}") for said in remote_commands(text)]
        if _IS_SHELL.match(text):
            found.shell.append(ShellCall(text))
        if kind != "python" and (said := marks.statements(text)):
            database = "':memory:'" if marks.is_in_memory(text) else "db"
            found.shell.append(ShellCall(f"sqlite3 {database} {shlex.quote(';'.join(said))}"))
        if kind == "python":
            deletes, writes, shell = python_calls(text, argv=_behind(run))
            far = FAR_LISTED.search(text) is not None
            here = ALL_LISTED.search(text) is not None and not CHOOSES.search(text) and "chdir" not in text
            found.deletes += [
                FileCall(target, known, tree or (far and not known), glob="*" in target)
                for target, known, tree in deletes
            ]
            found.deletes += [
                FileCall("./*", recursive=tree)
                for target, known, tree in deletes
                if here and (not known or target.lstrip("./").startswith("<found"))
            ]
            found.writes += [FileCall(*each) for each in writes]
            found.shell += [ShellCall(*each) for each in shell]
        else:
            by_calls(kind, with_words(kind, text, _behind(run)), found)
        found.may_touch += _may_touch(kind, text, found)
    return found


def _may_touch(kind: str, text: str, found: Calls) -> list[str]:
    """Files that a program names, where it removes or writes over something that it computes: they may be meant."""
    told = [*found.deletes, *found.writes]
    if all(call.known for call in told) and not (kind == "awk" and _PRINTS_INTO.search(text)):
        return []
    said = {call.target for call in told}
    return [name for name in dict.fromkeys(_NAMES_FILE.findall(text)) if name not in said][:_MOST_TOUCHED]


_PRINTS_INTO = re.compile(r"\bprintf?\b[^;{}\n>]{0,200}>{1,2}\s?[a-zA-Z_]")
_NAMES_FILE = re.compile(r"(?<=[\"'\s])(?:[\w-]{1,80}/){0,12}[\w-]{1,80}(?:\.\w{1,12}){1,3}(?=[\"'\s])")
_MOST_TOUCHED = 16


def _behind(run: Run) -> list[str]:
    """The words that a program sees as its own, as Python counts them: `python -c TEXT a b`, `node - a`."""
    texts = list(run.texts)
    letters = _LETTERS.get(language(run.program) or "", "")
    for place, text in enumerate(texts):
        if text == "-" or not text.startswith("-"):
            return texts[place:] if text == "-" else []
        if not text.startswith("--") and text[-1:] in letters and letters:
            return ["-c", *(each for each in texts[place + 2 :] if each != "--")]
        if text in ("--eval", "--print"):
            return ["-c", *(each for each in texts[place + 2 :] if each != "--")]
    return []


def _of_compiled(whole: str) -> Calls:
    """A program in a language that is built and run at once: `go run x.go`."""
    text = whole[:LONGEST]
    deletes, commands = other_languages.in_calls(text)
    found = of_file(text)
    found.cut = len(whole) > LONGEST
    found.deletes += [FileCall(path, recursive=True) for path in deletes]
    found.shell += [ShellCall(said) for said in commands]
    return found


def of_file(text: str) -> Calls:
    """A file with a program in a language that is not read call by call: line by line, so that one line's word that
    deletes does not meet another line's path."""
    found = Calls(marks=list(marks.marks(text[:LONGEST])), letters=len(text), cut=False)
    for line in text[:LONGEST].splitlines():
        found.deletes += [FileCall(path, recursive=True) for path in other_languages.deleted(line, is_shell=False)]
        found.shell += [ShellCall(said) for said in other_languages.run(line)]
    found.deletes += [FileCall(path, recursive=tree) for path, tree in other_languages.called(text[:LONGEST])]
    return found


_LITERAL = re.compile(
    r"\"{3}([\s\S]{0,8000}?)\"{3}|'{3}([\s\S]{0,8000}?)'{3}"
    r"|\"((?:[^\"\\\n]|\\.){0,4000}+)\"|'((?:[^'\\\n]|\\.){0,4000}+)'|`([^`]{0,4000}+)`"
)


def texts_in(run: Run) -> str:
    """The texts of an inline program that may be commands, one below the other: it may write them into a file."""
    whole = "\n".join((*run.texts, run.stdin or ""))[:LONGEST]
    texts = [next(filter(None, match.groups()), "") for match in _LITERAL.finditer(whole)]
    return "\n".join(names.unescaped(text) for text in texts if " " in text.strip())


def _of_another(run: Run) -> Calls:
    """A program in a language that is not read call by call."""
    whole = other_languages.program_of(run.texts, run.stdin)
    text = whole[:LONGEST]
    found = Calls(marks=list(marks.marks(text)), letters=len(text), cut=len(whole) > LONGEST)
    if run.program in powershell.PROGRAMS:
        found.deletes, text = powershell.read(text)
        if (address := powershell.fetched(whole[:LONGEST])) is not None:
            found.shell.append(ShellCall(f"curl {shlex.quote(address)} | sh"))
        if powershell.deletes_at_service(whole[:LONGEST]):
            found.marks.append(marks.SERVICE_DELETES)
        if powershell.sends_secrets(whole[:LONGEST]):
            found.marks.append(marks.SENDS_SECRETS)
        found.shell.append(ShellCall(text))
    if other_languages.empties_application(run.program, text):
        found.marks.append(marks.SERVICE_DELETES)
    far = other_languages.deleted(text, is_shell=run.program in other_languages.SHELLS)
    found.deletes += [FileCall(path, recursive=True) for path in far]
    near = other_languages.called(text) if run.program not in powershell.PROGRAMS else ()
    found.deletes += [FileCall(path, recursive=tree) for path, tree in near]
    found.shell += [ShellCall(said) for said in other_languages.run(text)]
    if run.program in _CALLS_OTHERS:
        found.shell += [ShellCall(said) for said in other_languages.others(text)]
    return found


_CALLS_OTHERS = frozenset({"nu", "elvish", "xonsh"})
"""Shells with a grammar of their own, in which other programs are called as in any."""


def _programs(kind: str, run: Run) -> list[str]:
    if kind == "awk":
        place = 0
        while place < len(run.args) and run.args[place].text.startswith("-"):
            text = run.args[place].text
            if text in ("-f", "--file"):
                return []
            place += 2 if text in ("-F", "-v") else 1
        return [run.args[place].text] if place < len(run.args) else []
    found: list[str] = []
    place = 0
    while place < len(run.args):
        text = run.args[place].text
        if not text.startswith("-") or text == "-":
            break
        if kind == "node" and place == 0 and text in ("eval", "-"):
            break
        inside = _program_in(kind, text)
        if inside is not None:
            if inside:
                found.append(inside)
            elif place + 1 < len(run.args):
                found.append(run.args[place + 1].text)
                place += 1
            if kind == "python":
                return found
        elif text in _VALUES.get(kind, ()):
            if kind == "python" and text == "-m":
                return found
            place += 1
        place += 1
    if kind == "node" and place < len(run.args) and run.args[place].text == "eval" and place + 1 < len(run.args):
        return [run.args[place + 1].text]
    if run.program == "deno" and place < len(run.args) and run.args[place].text == "run":
        place = next(
            (n for n, arg in enumerate(run.args) if n > place and not re.match(r"-.", arg.text)), len(run.args)
        )
    reads_stdin = place >= len(run.args) or run.args[place].text == "-"
    if not found and reads_stdin and run.stdin is not None:
        found.append(run.stdin)
    return found
