"""Programs written inside a command line (`python -c`, `node -e`, a heredoc to an interpreter): what they delete,
overwrite and run. Pure.

Python is parsed; other languages are read by the calls that destroy. A target that is not a plain text counts as not
known, and the rules decide what that means.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field

from holdfast.rooms.guards.model import Run
from holdfast.rooms.guards.reading import inline_marks, other_languages
from holdfast.rooms.guards.reading.inline_python import python_calls
from holdfast.rooms.guards.reading.literals import texts_of

LONGEST = 100_000
"""Characters of a program that are read."""

_INTERPRETERS = {
    "python": "python", "node": "node", "nodejs": "node", "deno": "node", "bun": "node", "tsx": "node",
    "ruby": "ruby", "perl": "perl", "php": "php", "awk": "awk", "gawk": "awk", "mawk": "awk", "nawk": "awk",
    "pypy": "python", "ipython": "python",
}  # fmt: skip
_FLAGS = {
    "python": re.compile(r"-[a-zA-Z]*c(.*)\Z", re.DOTALL),
    "node": re.compile(r"(?:--eval|--print|-[a-z]*[ep][a-z]*)(?:=(.*))?\Z", re.DOTALL),
    "ruby": re.compile(r"-[a-zA-Z]*e(.*)\Z", re.DOTALL),
    "perl": re.compile(r"-[a-zA-Z0-9]*[eE](.*)\Z", re.DOTALL),
    "php": re.compile(r"-r(.*)\Z", re.DOTALL),
}
_VALUES = {
    "python": ("-W", "-X", "-m"),
    "node": ("-r", "--require", "--import"),
    "ruby": ("-r", "-I"),
    "perl": ("-I", "-M"),
}
_TEXT = r"""(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`|([A-Za-z_$@][^\s,;)]*))"""


@dataclass(frozen=True, slots=True)
class ShellCall:
    """A text that a program hands to a shell, or a command it runs."""

    text: str
    known: bool = True


@dataclass(frozen=True, slots=True)
class FileCall:
    """A file or folder that a program removes or writes over."""

    target: str
    known: bool = True
    recursive: bool = False


@dataclass(slots=True)
class Calls:
    shell: list[ShellCall] = field(default_factory=list)
    deletes: list[FileCall] = field(default_factory=list)
    writes: list[FileCall] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    """What it does besides (`inline_marks`)."""


def language(program: str) -> str | None:
    """The language of an interpreter: `python3.12` is Python."""
    return _INTERPRETERS.get(re.sub(r"[\d.]+\Z", "", program))


def read(run: Run) -> Calls | None:
    """What the programs inside this run do; None when it is no interpreter or runs a file."""
    kind = language(run.program)
    if kind is None:
        return _of_another(run) if run.program in other_languages.INTERPRETERS else None
    found = Calls()
    for text in _programs(kind, run):
        text = text[:LONGEST]
        found.marks += inline_marks.marks(text)
        if kind != "python" and (said := inline_marks.statements(text)):
            database = "':memory:'" if ":memory:" in text else "db"
            found.shell.append(ShellCall(f"sqlite3 {database} {shlex.quote(';'.join(said))}"))
        if kind == "python":
            deletes, writes, shell = python_calls(text)
            far = _FAR_LISTED.search(text) is not None
            found.deletes += [FileCall(target, known, tree or (far and not known)) for target, known, tree in deletes]
            found.writes += [FileCall(*each) for each in writes]
            found.shell += [ShellCall(*each) for each in shell]
        else:
            _by_calls(kind, text, found)
    return found


def _of_another(run: Run) -> Calls:
    """A program in a language that is not read call by call."""
    text = other_languages.program_of(run.texts, run.stdin)[:LONGEST]
    found = Calls(marks=list(inline_marks.marks(text)))
    found.deletes = [FileCall(path, recursive=True) for path in other_languages.deleted(text)]
    found.shell = [ShellCall(said) for said in other_languages.run(text)]
    return found


_FAR_LISTED = re.compile(
    r"homedir|Dir\.home|[\"'`]~|\$HOME|\bHOME\b|expand_path\(\s*[\"']~|expanduser|Path\.home|[\"'`]/(?:etc|var|usr|home|srv|opt|root|Users)\b"
)
"""A program that walks there: what it deletes by a name of its own may be anything below."""


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
        match = _FLAGS[kind].match(text)
        if match and text not in _VALUES.get(kind, ()):
            inside = match[1]
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
    reads_stdin = place >= len(run.args) or run.args[place].text == "-"
    if not found and reads_stdin and run.stdin is not None:
        found.append(run.stdin)
    return found


_DELETE: dict[str, tuple[tuple[str, bool], ...]] = {
    "node": (
        (r"\b(?:rm(?:dir)?(?:Sync)?|rimraf(?:\.sync|Sync)?|remove(?:Sync)?|emptyDir(?:Sync)?)\s*\(\s*", True),
        (r"\b(?:unlinkSync|unlink|truncateSync|truncate)\s*\(\s*", False),
        (r"\bDeno\.remove(?:Sync)?\s*\(\s*", True),
    ),
    "ruby": (
        (r"\bFileUtils\.(?:rm_rf|rm_r|remove_dir|remove_entry|remove_entry_secure|rmtree)\b\s*\(?\s*\[?\s*", True),
        (r"\b(?:FileUtils\.rm_f|FileUtils\.rm|File\.delete|File\.unlink|Dir\.rmdir|Dir\.delete)\b\s*\(?\s*", False),
        (r"\bPathname\.new\(\s*", True),
    ),
    "perl": (
        (r"\b(?:rmtree|remove_tree)\b\s*\(?\s*\[?\s*(?:qq?(?=[({\[/|]))?", True),
        (r"\b(?:unlink|rmdir|truncate)\b\s*\(?\s*(?:<|glob\s*\(?)?\s*", False),
    ),
    "php": (
        (r"\b(?:unlink|rmdir)\s*\(\s*", False),
        (r"\barray_map\s*\(\s*[\"'](?:unlink|rmdir)[\"']\s*,\s*glob\s*\(\s*", False),
    ),
    "awk": (),
}  # fmt: skip
_RUN: dict[str, tuple[str, ...]] = {
    "node": (r"\b(?:execSync|execFileSync|execFile|exec|spawnSync|spawn|execaSync|execa|\$)\s*\(?\s*",),
    "ruby": (r"\b(?:system|exec|spawn|IO\.popen|Open3\.\w+)\s*\(?\s*", r"%x"),
    "perl": (r"\b(?:system|exec|qx)\s*\(?\s*", r"\bopen\s*\([^,]+,\s*['\"]?-?\|['\"]?\s*,?\s*"),
    "php": (r"\b(?:exec|shell_exec|system|passthru|popen|proc_open)\s*\(\s*",),
    "awk": (r"\bsystem\s*\(\s*",),
}  # fmt: skip
_WRITE: dict[str, tuple[str, ...]] = {
    "node": (r"\b(?:writeFileSync|writeFile|createWriteStream)\s*\(\s*",),
    "ruby": (r"\bFile\.write\s*\(?\s*",),
    "perl": (
        r"\bopen\s*\(?\s*(?:my\s+)?[$\w]+\s*,\s*['\"]\+?>{1,2}\s*(?::\S*?)?['\"]\s*,\s*",
        r"\bopen\s*\(?\s*(?:my\s+)?[$\w]+\s*,\s*(?=['\"]\+?>)",
    ),
    "php": (r"\bfile_put_contents\s*\(\s*",),
}
_LIST = re.compile(r"\s*,\s*\[([^\]]*)\]")
_ITEM = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
_AWK_PIPE = re.compile(r'"((?:[^"\\]|\\.)*)"\s*\|\s*getline|\|&?\s*"((?:[^"\\]|\\.)*)"')
_BACKQUOTES = re.compile(r"`([^`]*)`")
_BRACES = re.compile(r"(?:%x|qx)\s*[({\[/|]([^)}\]/|]*)")


_HOME = re.compile(
    r"(?:require\(\s*['\"](?:node:)?os['\"]\s*\)|\bos)\.homedir\(\)|\bprocess\.env\.HOME\b|\bprocess\.env\[['\"]HOME['\"]\]|"
    r"\bDir\.home\b|\bENV\[['\"]HOME['\"]\]|\bENV\.fetch\(['\"]HOME['\"]\)|\bgetenv\(['\"]HOME['\"]\)|\$_(?:SERVER|ENV)\[['\"]HOME['\"]\]"
)
_HOME_IN_TEXT = re.compile(
    r"\$\{(?:(?:require\(\s*['\"](?:node:)?os['\"]\s*\)|os)\.homedir\(\)|process\.env\.HOME)\}|#\{(?:Dir\.home|ENV\[['\"]HOME['\"]\])\}|"
    r"\$ENV\{['\"]?HOME['\"]?\}|\{\$_SERVER\[['\"]HOME['\"]\]\}"
)
_HOME_JOINED = re.compile(
    r"'~'\s*(?:\+|\.)\s*['\"](/[^'\"]*)['\"]|(?:path\.(?:join|resolve)|File\.join)\(\s*'~'\s*,\s*['\"]([^'\"]*)['\"]\s*\)"
)


def _with_home(text: str) -> str:
    """The program with `~` for the ways in which it names the home directory."""
    if "HOME" not in text and "home" not in text:
        return text
    text = _HOME.sub("'~'", _HOME_IN_TEXT.sub("~", text))
    return _HOME_JOINED.sub(lambda match: f"'~/{(match[1] or match[2]).lstrip('/')}'", text)


_EVALUATED = re.compile(r"\beval\s*\(?\s*" + _TEXT)


def _by_calls(kind: str, text: str, found: Calls, *, evaluated: bool = False) -> None:
    text = _with_home(text)
    inside = texts_of(kind, text)
    for match in _EVALUATED.finditer(text) if "eval" in text and not evaluated else ():
        said = next((group for group in match.groups()[:3] if group is not None), None)
        if said is not None and not inside(match.start()):
            _by_calls(kind, _unescaped(said), found, evaluated=True)
    for pattern, recursive in _DELETE[kind]:
        for target, known in _arguments(pattern, text, kind, inside):
            far = not known and _FAR_LISTED.search(text) is not None
            found.deletes.append(FileCall(target, known, recursive or far))
    for pattern in _WRITE.get(kind, ()):
        for target, known in _arguments(pattern, text, kind, inside):
            found.writes.append(FileCall(target.lstrip("+> ") if kind == "perl" else target, known))
    for pattern in _RUN[kind]:
        for match in re.finditer(pattern + _TEXT, text):
            if inside(match.start()):
                continue
            said = next((group for group in match.groups()[:2] if group is not None), None)
            if said is None:
                if kind == "awk" and match[4] and match[4].startswith("$"):
                    found.shell.append(ShellCall("$0", known=False))
                continue
            said = _unescaped(said)
            listed = _LIST.match(text, match.end())
            if listed:
                said = " ".join([said, *(_unescaped(a or b) for a, b in _ITEM.findall(listed[1]))])
            elif kind in ("perl", "ruby"):
                rest = re.match(r"(?:\s*,\s*(?:'[^']*'|\"[^\"]*\"))+", text[match.end() :])
                if rest:
                    said = " ".join([said, *(_unescaped(a or b) for a, b in _ITEM.findall(rest[0]))])
            found.shell.append(ShellCall(said))
    if kind == "awk":
        found.shell += _awk_pipes(text)
        if re.search(r"\bsystem\s*\(\s*\$", text) and not any(not each.known for each in found.shell):
            found.shell.append(ShellCall("$0", known=False))
    if kind in ("ruby", "perl", "php"):
        found.shell += [ShellCall(each[1]) for each in _BACKQUOTES.finditer(text) if not inside(each.start())]
    if kind in ("ruby", "perl"):
        found.shell += [ShellCall(each[1]) for each in _BRACES.finditer(text) if not inside(each.start())]
    if kind == "node":
        found.shell += [ShellCall(each[1]) for each in _SHELL_TEMPLATE.finditer(text) if not inside(each.start())]


_SHELL_TEMPLATE = re.compile(r"(?<![\w$])(?:Bun\.)?\$`((?:[^`\\]|\\.)*)`", re.DOTALL)
"""A command of Bun or zx: $`rm -rf x`."""
_AWK_INTO = re.compile(r'\bprintf?\b([^|;{}\n]*)\|&?\s*"((?:[^"\\]|\\.)*)"')
_AWK_SHELL = re.compile(r"\s*(?:\S*/)?(?:sh|bash|zsh|dash|ksh)\b(?!.*-c)")


def _awk_pipes(text: str) -> list[ShellCall]:
    """Commands that awk reads from or prints into. What is printed into a shell is what that shell runs."""
    found = [ShellCall(_unescaped(a or b)) for a, b in _AWK_PIPE.findall(text)]
    for printed, command in _AWK_INTO.findall(text):
        if _AWK_SHELL.match(command):
            pieces = [_unescaped(a or b) for a, b in _ITEM.findall(printed)]
            found.append(ShellCall("".join(pieces) + "$0", known=False))
    return found


def _arguments(pattern: str, text: str, kind: str, inside: Callable[[int], bool]) -> list[tuple[str, bool]]:
    found = []
    for match in re.finditer(pattern + _TEXT, text):
        if inside(match.start()):
            continue
        groups = match.groups()
        said = groups[0] if groups[0] is not None else groups[1]
        if said is None and groups[2] is not None and "${" not in groups[2]:
            said = groups[2]
        if said is None:
            name = groups[3] or ""
            if kind == "node" and not re.search(
                r"Sync|rimraf|Deno|\bfsp?\.", text[max(0, match.start() - 12) : match.end()]
            ):
                continue  # `list.remove(item)`
            value = re.search(rf"\b{re.escape(name)}\s*=\s*{_TEXT}", text) if re.fullmatch(r"\$?\w+", name) else None
            inner = next((group for group in value.groups()[:2] if group is not None), None) if value else None
            found.append((_unescaped(inner), True) if inner is not None else (name[:80] or "?", False))
        else:
            joined = re.match(r"\s*(?:\+|\.(?!\w))", text[match.end() :])
            found.append((_unescaped(said), joined is None))
    return found


_OCTAL = re.compile(r"\\([0-7]{1,3})|\\x([0-9a-fA-F]{2})|\\(.)", re.DOTALL)


def _unescaped(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        if match[1]:
            return chr(int(match[1], 8))
        if match[2]:
            return chr(int(match[2], 16))
        return {"n": "\n", "t": "\t"}.get(match[3], match[3])

    return _OCTAL.sub(one, text)
