"""Calls of Node, Ruby, Perl, PHP and awk programs that delete, write over or run something, by their names. Pure.

A target that is not a plain text counts as not known, and the rules decide what that means.
"""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from holdfast.commandline.inline import helpers, loops, normal
from holdfast.commandline.inline.literals import texts_of
from holdfast.commandline.inline.operands import operands
from holdfast.commandline.reading import braces
from holdfast.patterns import lazy_pattern

_TEXT = r"""(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`|([A-Za-z_$@][^\s,;)]*))"""
FAR_LISTED = lazy_pattern(
    r"homedir|Dir\.home|[\"'`]~|\$HOME|\bHOME\b|expand_path\(\s*[\"']~|expanduser|Path\.home|[\"'`]/(?:etc|var|usr|home|srv|opt|root|Users)\b|"
    r"(?:os\.walk|listdir|scandir|glob|Path|readdir(?:Sync)?|Dir\.\w+|Find\.find|opendir|DirectoryIterator)\(\s*"
    r"[\"'`]/(?!tmp\b|var/tmp\b|dev/)"
)
"""A program that walks there: what it deletes by a name of its own may be anything below."""
ALL_LISTED = lazy_pattern(
    r"\b(?:listdir|scandir|walk)\(\s*(?:[\"']\./?[\"']\s*)?\)|\bPath(?:\.cwd)?\(\s*(?:[\"']\./?[\"']\s*)?\)\.iterdir\(|"
    r"\bglob\(\s*[\"'](?:\./)?\*[\"']|\breaddir(?:Sync)?\(\s*[\"']\./?[\"']|"
    r"\bDir(?:\.glob\(\s*|\[)[\"']\*[\"']|\bDir\.(?:children|each_child|entries)\(?\s*[\"']\.[\"']|<\*>"
)
"""A program that lists all of the folder it runs in."""
CHOOSES = lazy_pattern(
    r"(?i)\b(?:fnmatch|suffix|ends_?with|starts_?with|filter|match\w*|test|if|unless|select|reject|grep)\b|=~"
)


COMPUTED = "$(computed)"
"""A file that is written over and whose name the program computes from what it is given at run time."""


@dataclass(frozen=True, slots=True)
class ShellCall:
    """A text that a program hands to a shell, or a command it runs."""

    text: str
    known: bool = True


@dataclass(frozen=True, slots=True)
class FileCall:
    """A file or folder that a program removes or writes over."""

    target: str
    """A path; `folder/<found PATTERN>` is what a loop finds below a folder."""
    known: bool = True
    recursive: bool = False
    glob: bool = False
    """Its signs `*` and `?` stand for names."""


@dataclass(slots=True)
class Calls:
    shell: list[ShellCall] = field(default_factory=list)
    deletes: list[FileCall] = field(default_factory=list)
    writes: list[FileCall] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    """What it does besides (`marks`)."""
    may_touch: list[str] = field(default_factory=list)
    """Files that it names while it removes or writes over something that it computes."""
    letters: int = 0
    """How much was read."""
    cut: bool = False
    """The program is longer than what is read."""


_DELETE: dict[str, tuple[tuple[str, bool], ...]] = {
    "node": (
        (r"\b(?:rm(?:dir)?(?:Sync)?|rimraf(?:\.sync|Sync)?|remove(?:Sync)?|emptyDir(?:Sync)?)\s*\(\s*", True),
        (r"\b(?:unlinkSync|unlink)\s*\(\s*", False),
        (r"\bDeno\.remove(?:Sync)?\s*\(\s*", True),
        (r"\brequire\(\s*['\"](?:rimraf|del|trash)['\"]\s*\)(?:\.\w+)?\s*\(\s*\[?\s*", True),
    ),
    "ruby": (
        (r"\bFileUtils\.(?:rm_rf|rm_r|remove_dir|remove_entry|remove_entry_secure|rmtree)\b\s*\(?\s*\[?\s*", True),
        (
            r"\b(?:FileUtils\.rm_f|FileUtils\.rm|File\.(?:delete|unlink)|Dir\.(?:rmdir|delete|unlink))\b\s*\(?\s*",
            False,
        ),
        (
            r"\bPathname(?:\.new)?\(\s*(?=(?:'[^'\n]*'|\"[^\"\n]*\"|[^()\n]{1,120})\s*\)"
            r"(?:\.\w+(?:\([^()\n]*\))?){0,4}?\.(?:rmtree|delete|unlink|rmdir)\b)",
            True,
        ),
    ),
    "perl": (
        (r"\b(?:rmtree|remove_tree)\b\s*\(?\s*\[?\s*(?:qq?(?=[({\[/|]))?", True),
        (r"\b(?:unlink|rmdir)\b\s*\(?\s*(?:glob\s*\(?)?\s*(?!(?:if|unless|for|foreach|and|or)\b)", False),
    ),
    "php": (
        (r"\b(?:unlink|rmdir)\s*\(\s*(?:glob\s*\(\s*)?", False),
    ),
    "awk": (),
}  # fmt: skip
_RUN: dict[str, tuple[str, ...]] = {
    "node": (
        r"\b(?:execSync|execFileSync|execFile|exec|spawnSync|spawn|execaSync|execa|execaCommand(?:Sync)?|Deno\.Command|fork|\$)\s*\(?\s*",
    ),
    "ruby": (r"\b(?:system|exec|spawn|IO\.popen|Open3\.\w+|Process\.spawn)\s*\(?\s*", r"%x"),
    "perl": (r"\b(?:system|exec|qx)\s*\(?\s*", r"\bopen\s*\([^,]+,\s*['\"]?-?\|-?['\"]?\s*,?\s*"),
    "php": (r"\b(?:exec|pcntl_exec|shell_exec|system|passthru|popen|proc_open)\s*\(\s*",),
    "awk": (r"\bsystem\s*\(\s*",),
}  # fmt: skip
_RUN_LISTS = lazy_pattern(
    r"\b(?:spawnSync|spawn|execa|run|Process\.new|system|exec|proc_open|popen)\s*\(\s*(?:\[|array\()\s*"
    r"((?>'[^'\n]*'|\"[^\"\n]*\"|[\w.$@]+|[\s,]+){1,60})[\])]"
)
"""A command that is given as one list: `Bun.spawnSync(['rm', '-rf', x])`."""
_WRITE: dict[str, tuple[str, ...]] = {
    "awk": (r"\bprintf?\b[^;{}\n>]{0,300}>{1,2}\s?(?=\")",),
    "node": (r"\b(?:writeFileSync|writeFile|createWriteStream|writeTextFile(?:Sync)?|Bun\.write)\s*\(\s*",),
    "ruby": (
        r"\b(?:File|IO)\.(?:bin)?write\s*\(?\s*",
        r"\bPathname(?:\.new)?\(\s*(?=(?:'[^'\n]*'|\"[^\"\n]*\")\s*\)\.(?:bin)?write\b)",
        r"(?<![\w.])(?:File\.)?(?:open|new)\s*\(?\s*(?=(?:'[^'\n]*'|\"[^\"\n]*\"|\w+)\s*,\s*['\"]w)",
    ),
    "perl": (
        r"\bopen\s*\(?\s*(?:my\s+)?[$\w]+\s*,\s*['\"]\+?>{1,2}\s*(?::\S*?)?['\"]\s*,\s*",
        r"\bopen\s*\(?\s*(?:my\s+)?[$\w]+\s*,\s*(?=['\"]\+?>)",
    ),
    "php": (
        r"\bfile_put_contents\s*\(\s*",
        r"\bfopen\s*\(\s*(?=(?:'[^'\n]*'|\"[^\"\n]*\"|\$\w+)\s*,\s*['\"]w)",
    ),
}
_LIST = lazy_pattern(r"\s*,\s*(?:\{[^{}\[\]]{0,200}?\bargs\s*:\s*)?\[([^\]]*)\]")
_ITEM = lazy_pattern(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"|([A-Za-z_$@][\w.$\[\]]*)")
_AWK_PIPE = lazy_pattern(r'"((?:[^"\\]|\\.)*)"\s*\|\s*getline|\|&?\s*"((?:[^"\\]|\\.)*)"')
_BACKQUOTES = lazy_pattern(r"`([^`]*)`")
_BRACES = lazy_pattern(r"(?:%x|\bqx)\s*(?:\(([^)]*)|\{([^}]*)|\[([^\]]*)|/([^/]*)|\|([^|]*))")
_EVALUATED = lazy_pattern(r"\beval\s*\(?\s*" + _TEXT)
_COMPUTED = lazy_pattern(r"\$\{[^{}]*\}|#\{[^{}]*\}|\{\$\w[^{}]*\}")
_STATEMENT = lazy_pattern(
    r"\s*(?:create|drop|delete\s+from|insert|update|select|alter|truncate|pragma|begin|commit|with|replace\s+into|vacuum|attach|"
    r"explain|set|grant|copy)\b[\s;]",
    re.I,
)
_DELETE_REQUEST = lazy_pattern(
    r"\b(?:axios|got|ky|superagent|request|HTTParty|Faraday|RestClient)\.(?:delete|del)\s*\(?\s*['\"`](https?://[^'\"`\s]+)|"
    r"\bfetch\s*\(\s*['\"`](https?://[^'\"`\s]+)['\"`]\s*,\s*\{[^{}]{0,200}method\s*:\s*['\"`]DELETE"
)
_MOVE = {
    "node": lazy_pattern(
        r"\b(renameSync|rename|moveSync|move|mv|copyFileSync|copyFile|cpSync|copySync|copy|cp)\s*\(\s*"
    ),
    "ruby": lazy_pattern(
        r"\bPathname(?:\.new)?\(\s*(?=(?:'[^'\n]*'|\"[^\"\n]*\")\s*\)\.rename\()|"
        r"\b(?:FileUtils\.(mv|move|cp_r|cp|copy_file|copy_entry|copy|install)|File\.(rename)|IO\.(copy_stream))\b\s*\(?\s*"
    ),
    "perl": lazy_pattern(r"(?<![\w$@%>-])(rename|move|mv|copy|cp)\b\s*\(?\s*(?=['\"$@\w])"),
    "php": lazy_pattern(r"(?<![\w$>:])(rename|copy|move_uploaded_file)\s*\(\s*"),
}
_LINK = lazy_pattern(r"\b(?:symlink(?:Sync)?|make_symlink|ln_sf?|ensureSymlink(?:Sync)?)\b\s*\(?\s*")
_RENAMED_TO = lazy_pattern(r"['\"]([^'\"\n]*)['\"]\s*\)\.rename\(\s*(?:Pathname(?:\.new)?\(\s*)?['\"]([^'\"\n]*)['\"]")
_OF_FILES = lazy_pattern(r"Sync|File|_|cp|mv|install")
"""Names that no other kind of call has; of the others both words must be known."""
_MOVES = lazy_pattern(r"rename|move|mv")
_EVERY_LINE = lazy_pattern(
    r"\b(?:unlink|rmdir)\b\s*(?:\(\s*\))?\s*(?=[;})]|\Z|\b(?:if|unless|for|foreach|or|and)\b|\|\|)"
)
"""Perl's `unlink` without a word: of what the loop goes through."""


_CUT = {
    "node": (r"\b(?:truncateSync|truncate)\s*\(\s*",),
    "ruby": (r"\bFile\.truncate\b\s*\(?\s*",),
    "perl": (r"\btruncate\b\s*\(?\s*",),
    "php": (r"\bftruncate\s*\(\s*fopen\s*\(\s*",),
}


def by_calls(kind: str, text: str, found: Calls, *, evaluated: bool = False) -> None:
    """Add what the calls of a program do."""
    text = _as_much_as_is_read(kind, normal.plain(kind, text), found)
    inside = texts_of(kind, text)
    for match in _EVALUATED.finditer(text) if "eval" in text and not evaluated else ():
        said = next((group for group in match.groups()[:3] if group is not None), None)
        if said is not None and not inside(match.start()):
            by_calls(kind, unescaped(said), found, evaluated=True)
    far = FAR_LISTED.search(text) is not None
    here = ALL_LISTED.search(text) is not None and not CHOOSES.search(text)
    loose: list[bool] = [False] if loops.is_handed_on(text) else []
    """Of each deletion whose target is a name of the program: whether all below it goes."""
    for pattern, recursive in _DELETE[kind]:
        said_first = _arguments(pattern, text, kind, inside)
        for target, known in (*said_first, *_further(pattern, text, kind, inside, said_first)):
            if here and not known:
                found.deletes.append(FileCall("./*", True, recursive))
            if not known and (said := loops.bound(target, text)):
                found.deletes += [FileCall(each, True, recursive) for each in said]
                continue
            if not known:
                loose.append(recursive)
                if loops.is_of_loop(target, text) and any(loops.listed(kind, text)):
                    continue
            glob = "*" in target and known and kind in ("perl", "php", "ruby")
            whole = recursive or (far and not known)
            found.deletes += [FileCall(each, known, whole, glob) for each in _patterns(target, kind, glob)]
    if kind == "perl" and any(not inside(match.start()) for match in _EVERY_LINE.finditer(text)):
        found.deletes.append(FileCall("$_", False, far))
        loose.append(False)
    if loose:
        # One of its listings is what it goes through; which one, only a reader of the language would know.
        whole = all(loose)
        for path, glob in loops.listed(kind, text):
            found.deletes += [FileCall(each, True, whole, glob) for each in _patterns(path, kind, glob)]
    # Cut short in place: to keep the bytes they must be copied, as for a file that is written over.
    for pattern in (*_WRITE.get(kind, ()), *_CUT.get(kind, ())):
        for target, known in _arguments(pattern, text, kind, inside):
            found.writes.append(FileCall(target.lstrip("+> ") if kind == "perl" else target, known))
    for match in _DELETE_REQUEST.finditer(text):
        if not inside(match.start()):
            url = next(group for group in match.groups() if group is not None)
            found.shell.append(ShellCall(f"curl -X DELETE '{url}'"))
    if kind in _MOVE:
        for match in _MOVE[kind].finditer(text):
            if not inside(match.start()):
                _moved(kind, match, list(itertools.islice(operands(text, match.end(), kind), 2)), text, found)
    for match in _LINK.finditer(text) if kind in _MOVE else ():
        words = list(itertools.islice(operands(text, match.end(), kind), 2))
        if not inside(match.start()) and len(words) == 2 and all(known for _, known in words):
            found.shell.append(ShellCall(f"ln -s {shlex.quote(words[0][0])} {shlex.quote(words[1][0])}"))
    found.shell += [each for each in _run(kind, text, inside) if not _STATEMENT.match(each.text)]


_MOST_WORK = 1_000_000
"""Letters of a program times its calls that delete, write, move or run: what each names is looked for in all of it."""
_SOME_CALLS = 8


def _found(pattern: str | re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    return re.finditer(pattern, text) if isinstance(pattern, str) else pattern.finditer(text)


def _as_much_as_is_read(kind: str, text: str, found: Calls) -> str:
    """The program up to the last call that is looked at. Work is counted, so that no text takes time by its square."""
    most = max(_SOME_CALLS, _MOST_WORK // max(1, len(text)))
    patterns = [*(pattern for pattern, _ in _DELETE[kind]), *_WRITE.get(kind, ()), *_CUT.get(kind, ()), *_RUN[kind]]
    ends: list[int] = []
    for pattern in (*patterns, *([_MOVE[kind]] if kind in _MOVE else [])):
        ends += [match.end() for match in itertools.islice(_found(pattern, text), most + 1)]
    if len(ends) <= most:
        return text
    found.cut = True
    return text[: sorted(ends)[most]]


def _moved(kind: str, match: re.Match[str], words: list[tuple[str, bool]], text: str, found: Calls) -> None:
    """A file that is moved or copied onto another one."""
    name = next(filter(None, match.groups()), "") or "rename"
    if match[0].startswith("Pathname") and (other := _RENAMED_TO.match(text, match.end())) is not None:
        words = [(other[1], True), (other[2], True)]
    if len(words) < 2:
        return
    (source, known), (target, is_told) = words
    program = "mv" if _MOVES.match(name) else "cp"
    if known and is_told:
        found.shell.append(ShellCall(f"{program} {shlex.quote(source)} {shlex.quote(target)}"))
    elif is_told:
        found.writes.append(FileCall(target))
    elif (
        known
        and (kind in ("perl", "php") or _OF_FILES.search(match[0]))
        and not loops.is_of_loop(target.partition(".")[0], text)
    ):
        found.writes.append(FileCall(COMPUTED, False))
    elif _OF_FILES.search(match[0]):
        found.writes.append(FileCall(target, False))


def _run(kind: str, text: str, inside: Callable[[int], bool]) -> Iterator[ShellCall]:
    for pattern in _RUN[kind]:
        for match in re.finditer(pattern + _TEXT, text):
            if not inside(match.start()):
                yield from _command(kind, text, match)
    for match in _RUN_LISTS.finditer(text):
        if not inside(match.start()):
            yield ShellCall(_joined(match[1]))
    yield from (ShellCall(*each) for each in helpers.helper_calls(kind, text, _RUN[kind], inside))
    if kind == "awk":
        yield from _awk_pipes(text)
    if kind in ("ruby", "perl", "php"):
        yield from (ShellCall(_shell_text(each[1])) for each in _BACKQUOTES.finditer(text) if not inside(each.start()))
    if kind in ("ruby", "perl"):
        yield from (
            ShellCall(_shell_text(next(filter(None, each.groups()), "")))
            for each in _BRACES.finditer(text)
            if not inside(each.start())
        )
    if kind == "node":
        yield from (
            ShellCall(_shell_text(each[1])) for each in _SHELL_TEMPLATE.finditer(text) if not inside(each.start())
        )


def _command(kind: str, text: str, match: re.Match[str]) -> Iterator[ShellCall]:
    """One call that runs something: its text, its list of words, or the variable that holds it."""
    said = next((group for group in match.groups()[:3] if group is not None), None)
    if kind == "awk" and not (match[4] or "").startswith("$"):
        yield ShellCall(_awk_text(text, match))
        return
    if said is None:
        name = match[4] or ""
        if kind == "awk" and name.startswith("$"):
            yield ShellCall("$0", known=False)
        elif (held := _held(name, text)) is not None:
            yield ShellCall(_shell_text(unescaped(held)))
        return
    said = _shell_text(unescaped(said))
    listed = _LIST.match(text, match.end())
    if listed:
        said = f"{said} {_joined(listed[1])}"
    elif kind in ("perl", "ruby", "php"):
        rest = _REST.match(text, match.end())
        if rest:
            said = f"{said} {_joined(rest[0])}"
    goes_on = _GOES_ON.match(text, match.end())
    if goes_on and not listed:
        said += "$computed"
    yield ShellCall(said)


def _awk_text(text: str, match: re.Match[str]) -> str:
    """What awk hands to a shell: texts, variables and fields that stand one behind the other are joined."""
    found: list[str] = []
    place = match.start(next(number for number, group in enumerate(match.groups(), 1) if group is not None))
    place -= match[4] is None  # its quotation mark
    while piece := _AWK_PIECE.match(text, place):
        place = piece.end()
        if piece[4] is not None:
            return "".join((*found, _PRINTS.sub("$computed", unescaped(piece[4]))))
        if piece[1] is not None:
            found.append(unescaped(piece[1]))
        elif piece[2]:
            found.append("$HOME" if piece[2] == "HOME" else "$computed")
        elif piece[3].startswith("$"):
            found.append(AWK_FIELD)
        else:
            held = _held(piece[3], text)
            found.append("$computed" if held is None else unescaped(held))
    return "".join(found) if _AWK_ENDS.match(text, place) else "".join((*found, "$computed"))


AWK_FIELD = "$awk_field"
"""What awk reads: a line, or a word of it."""
_AWK_PIECE = lazy_pattern(
    r"\s*(?:\"((?:[^\"\\\n]|\\.)*)\"|ENVIRON\[\"(\w+)\"\]|(\$?[A-Za-z_0-9]++)(?!\()"
    r"|sprintf\s*\(\s*\"((?:[^\"\\\n]|\\.)*)\")"
)
_AWK_ENDS = lazy_pattern(r"\s*(?:[);}\n]|\Z)")
"""Behind the last text. Else a call, or an expression in brackets, says what goes on."""
_PRINTS = lazy_pattern(r"%[-+ #0-9.*]{0,12}[a-zA-Z]")
_GOES_ON = lazy_pattern(r"\s*(?:\+|\.(?!\w))")
_REST = lazy_pattern(
    r"(?>\s*,\s*(?>'[^']*'|\"[^\"]*\"|[$@\w]+(?:\.\w+)?)(?>\s*[.+]\s*(?:'[^']*'|\"[^\"]*\"|[$@]\w+))*(?=\s*(?:[,);}]|\Z|$|(?:if|unless|or|and|for|do)\b|&&|\|\|)))+",
    re.MULTILINE,
)
"""The words behind the first one; each may be joined of several."""


def _held(name: str, text: str) -> str | None:
    """The text that a variable is set to."""
    if not re.fullmatch(r"[$@]?\w+", name):
        return None
    value = re.search(rf"(?<![\w.]){re.escape(name)}\s*=\s*{_TEXT}", text)
    return next((group for group in value.groups()[:3] if group is not None), None) if value else None


def _joined(items: str) -> str:
    """The words of a list, as a shell would take them; what is computed stands as a variable."""
    found = []
    for a, b, name in _ITEM.findall(items):
        word = unescaped(a or b)
        found.append(
            "$computed" if name else word if re.fullmatch(r"[\w@%+=:,./~*$-]+", word) else f"'{word}'" if word else "''"
        )
    return " ".join(found)


def _shell_text(text: str) -> str:
    return _COMPUTED.sub("$computed", text)


_SHELL_TEMPLATE = lazy_pattern(r"(?<![\w$])(?:Bun\.)?\$`((?:[^`\\]|\\.)*)`", re.DOTALL)
"""A command of Bun or zx: $`rm -rf x`."""
_AWK_INTO = lazy_pattern(r'\bprintf?\b([^|;{}\n]*)\|&?\s*"((?:[^"\\]|\\.)*)"')
_AWK_SHELL = lazy_pattern(r"\s*(?:\S*/)?(?:sh|bash|zsh|dash|ksh)\b(?!.*-c)")


def _awk_pipes(text: str) -> list[ShellCall]:
    """Commands that awk reads from or prints into. What is printed into a shell is what that shell runs."""
    found = [ShellCall(unescaped(a or b)) for a, b in _AWK_PIPE.findall(text)]
    for printed, command in _AWK_INTO.findall(text):
        if _AWK_SHELL.match(command):
            pieces = [unescaped(a or b) for a, b, _ in _ITEM.findall(printed)]
            found.append(ShellCall("".join(pieces) + "$0", known=False))
    return found


def _patterns(target: str, kind: str, glob: bool) -> list[str]:
    """Perl's `glob("src/*.c src/*.h")` is two patterns, unless one is quoted in it. `{a,b}/*` is two everywhere."""
    words = target.split() if glob and kind == "perl" and '"' not in target else [target]
    return [each for word in words for each in (braces.expanded(word)[0] if glob else [word])]


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
            if (
                kind == "node"
                and "promises" not in text
                and not re.search(
                    r"Sync|rimraf|Deno|\bfsp?\.|\bunlink|(?<![\w.])rm\b", text[max(0, match.start() - 12) : match.end()]
                )
            ):
                continue  # `list.remove(item)`
            held = _held(name, text)
            found.append((unescaped(held), True) if held is not None else (name[:80] or "?", False))
        else:
            goes_on = _GOES_ON.match(text, match.end())
            said = unescaped(said)
            if _COMPUTED.search(said) or goes_on:
                # What is joined to a folder lies in it.
                below = _COMPUTED.split(said)[0]
                found.append((f"{below}<found>", True) if below.endswith("/") and below != "/" else (said, False))
            else:
                found.append((said, True))
    return found


def _further(
    pattern: str, text: str, kind: str, inside: Callable[[int], bool], first: list[tuple[str, bool]]
) -> list[tuple[str, bool]]:
    """What a call names behind its first word, or in a list: `unlink "a", "b"`."""
    if kind == "node" and "[" not in text:
        return []
    found = [
        (unescaped(each), True)
        for match in re.finditer(pattern, text)
        if not inside(match.start())
        for each, known in operands(text, match.end(), kind)
        if known
    ]
    return [each for each in dict.fromkeys(found) if each not in first]


_OCTAL = lazy_pattern(r"\\([0-7]{1,3})|\\x([0-9a-fA-F]{2})|\\(.)", re.DOTALL)


def unescaped(text: str) -> str:
    """A text of a program without its escapes."""

    def one(match: re.Match[str]) -> str:
        if match[1]:
            return chr(int(match[1], 8))
        if match[2]:
            return chr(int(match[2], 16))
        return {"n": "\n", "t": "\t"}.get(match[3], match[3])

    return _OCTAL.sub(one, text)
