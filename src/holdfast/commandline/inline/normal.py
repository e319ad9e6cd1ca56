"""A program of Node, Ruby, Perl or PHP in a plainer spelling, so that a call is found by its usual name. Pure; linear.

Joined texts become one, `fs['rmSync']` becomes `fs.rmSync`, another name of a function becomes its own, a list of words
becomes its texts, and the home and temporary folders become `~` and `$TMPDIR`.
"""

from __future__ import annotations

import re

from holdfast.commandline.effects.places import reads_as_output
from holdfast.patterns import lazy_pattern

_ROUNDS = 6
_FUNCTIONS = (
    "rmSync|rmdirSync|rmdir|rm|unlinkSync|unlink|rimraf|removeSync|emptyDirSync|truncateSync|execSync|execFileSync|"
    "execFile|exec|spawnSync|spawn|writeFileSync|writeFile|createWriteStream|rm_rf|rm_r|rmtree|remove_entry|remove_dir|"
    "delete|system|shell_exec|passthru|popen|proc_open|remove_tree|truncate|remove"
)
_SAME_QUOTES = lazy_pattern(r"'([^'\\\n]*)'\s*[+.]\s*'([^'\\\n]*)'|\"([^\"\\\n]*)\"\s*[+.]\s*\"([^\"\\\n]*)\"")
_BY_INDEX = lazy_pattern(r"\[\s*(['\"`])([A-Za-z_$][\w$]*)\1\s*\](?=\s*(?:\?\.)?\()")
_CALLED = lazy_pattern(rf"\b({_FUNCTIONS})\s*\.\s*(?:call|apply)\s*\(\s*[\w.$]+\s*,\s*\[?\s*")
_IN_BRACKETS = lazy_pattern(rf"\.\s{{0,9}}({_FUNCTIONS})\s{{0,9}}\)\s{{0,9}}(?=\()")
"""`(0, cp.execSync)('…')`, as compilers write it."""
_OPTIONAL = lazy_pattern(r"\?\.(?=\()")
_DESTRUCTURED = lazy_pattern(r"\{([^{}]{1,500})\}\s*(?:=(?!=)|from\b|\)\s*=>)")
_RENAMED = lazy_pattern(rf"\b({_FUNCTIONS})\s*(?::|\bas\b)\s*([A-Za-z_$][\w$]*)")
_STORED = lazy_pattern(
    rf"(?<![\w$])([A-Za-z_$][\w$]{{0,60}})\s{{0,20}}=\s*[^=;\n]{{0,120}}?\.\s*({_FUNCTIONS})\s*(?=[;,\n)]|\Z)"
)
_SENT = lazy_pattern(r"\.\s*(?:send|public_send|__send__)\s*\(?\s*:(\w+[?!]?)\s*,?\s*")
_METHOD = lazy_pattern(r"\b([\w:]+)\.method\(\s*:(\w+)\s*\)\.call\s*\(?")
_EACH_METHOD = lazy_pattern(
    r"([A-Za-z_][^\n;{}]{0,300}?)\.(?:each|map)\s*\(?\s*&\s*([\w:]+)\.method\(\s*:(\w+)\s*\)\s*\)?"
)
_EACH_SYMBOL = lazy_pattern(
    r"(?<![\w.])([A-Za-z_][^\n;{}]{0,200}?)\.(?:each|map)\s*\(\s*&\s*:(unlink|delete|rmtree)\s*\)"
)
_BY_NAME = lazy_pattern(rf"\$(\w+)\s*=\s*['\"]({_FUNCTIONS})['\"]")
_USER_CALL = lazy_pattern(rf"\bcall_user_func(?:_array)?\s*\(\s*['\"]({_FUNCTIONS})['\"]\s*,\s*(?:\[|array\()?\s*")
_WALKED = lazy_pattern(r"\barray_walk\s*\(\s*([^,()]{1,200}(?:\([^()]*\))?)\s*,\s*['\"](unlink|rmdir)['\"]\s*\)")
_MAPPED = lazy_pattern(r"\barray_map\s*\(\s*['\"](unlink|rmdir)['\"]\s*,\s*")
_WORDS = lazy_pattern(
    r"(\b(?:system|exec|spawn|popen|qx)\s*\(?\s*)?(?:\bqw|\*?%[wi])\s*(?:\(([^()]*)\)|\[([^\[\]]*)\]|\{([^{}]*)\}|/([^/]*)/|\|([^|]*)\|)"
)
_LIST_SET = lazy_pattern(r"@(\w+)\s*=\s*\(([^()]{0,1000})\)")
_ANGLES = lazy_pattern(r"<\s*([~/$][^<>\n]{0,300})>")
_HOME = lazy_pattern(
    r"(?:require\(\s*['\"](?:node:)?os['\"]\s*\)|\bos)\.homedir\(\)|\bprocess\.env\.HOME\b|\bprocess\.env\[['\"]HOME['\"]\]|"
    r"\bDeno\.env\.get\(['\"]HOME['\"]\)|\bBun\.env\.HOME\b|\b(?<!\.)homedir\(\)|"
    r"\bDir\.home\b|\bENV\[['\"]HOME['\"]\]|\bENV\.fetch\(['\"]HOME['\"]\)|\bgetenv\(['\"]HOME['\"]\)|\$_(?:SERVER|ENV)\[['\"]HOME['\"]\]"
)
_EXPANDED = lazy_pattern(r"\bFile\.expand_path\(\s*(['\"])([^'\"\n]{0,300})\1\s*\)")
"""`File.expand_path("~/x")` is the path."""
_HOME_IN_TEXT = lazy_pattern(
    r"\$\{(?:(?:require\(\s*['\"](?:node:)?os['\"]\s*\)|os)\.homedir\(\)|process\.env\.HOME)\}|#\{(?:Dir\.home|ENV\[['\"]HOME['\"]\])\}|"
    r"\$ENV\{['\"]?HOME['\"]?\}|\{\$_SERVER\[['\"]HOME['\"]\]\}"
)
_HOME_JOINED = lazy_pattern(
    r"'~'\s*(?:\+|\.)\s*['\"](/[^'\"]*)['\"]|(?:path\.(?:join|resolve)|File\.join)\(\s*'~'\s*,\s*['\"]([^'\"]*)['\"]\s*\)"
)
_MADE_NOW = lazy_pattern(
    r"(?:\bawait\s+)?(?<![\w.$()'\"])[\w.$()'\"]{0,80}\b(?:mkdtempSync|mkdtemp|mktmpdir|tmpdir|tempdir|tempnam|sys_get_temp_dir|makeTempDir(?:Sync)?)"
    r"(?:\s*\((?:[^()\n]|\([^()\n]*\)){0,300}\)|\b(?=\s*[;,)\n]|\Z))"
)
_BLOCK = lazy_pattern(r"\bmktmpdir\b[^{|\n]{0,80}(?:\{|\bdo)\s*\|(\w+)\|")


def plain(kind: str, text: str) -> str:
    """The program with calls and texts in their usual form."""
    text = _with_home(text)
    if "tmpdir" in text or "temp" in text or "Temp" in text:
        for name in list(dict.fromkeys(_BLOCK.findall(text)))[:20]:  # `Dir.mktmpdir { |d| … File.join(d, 'a') … }`
            if _is_only_block(name, text):
                text = re.sub(
                    rf"\bFile\.join\(\s*{name}\s*,\s*['\"]((?!\.\.|[^'\"]*/\.\.)[\w./-]*)['\"]\s*\)",
                    r"'$TMPDIR/x/\1'",
                    text,
                )
                text = re.sub(rf"\"#\{{{name}\}}/((?!\.\.|[^\"\n]*/\.\.)[\w./-]*)\"", r"'$TMPDIR/x/\1'", text)
        text = _BLOCK.sub(lambda match: f"{match[0]} {match[1]}='$TMPDIR/x';", text)
        text = _MADE_NOW.sub("'$TMPDIR/x'", text)
    for _ in range(_ROUNDS):
        joined = _SAME_QUOTES.sub(_one_text, text)
        if joined == text:
            break
        text = joined
    return _OF[kind](text) if kind in _OF else text


def _is_only_block(name: str, text: str) -> bool:
    """Is a block's name nothing else in the whole program: neither set, nor changed, nor another block's or function's?
    Then it stands in `|d|` once, and else only as a word that is given to a call."""
    if re.search(r"\bdef\b|->|\blambda\b|\bproc\b|\bProc\b|define_method", text):
        return False
    uses = len(re.findall(rf"\b{name}\b", text))
    in_texts = rf"\"#\{{{name}\}}/[\w./-]*\""
    given = len(
        re.findall(rf"\bFile\.join\(\s*{name}\s*,|\w\({name}\)(?!\s*=)|,\s*{name}\)(?!\s*[=,|)])|{in_texts}", text)
    )
    return uses == given + 1


def _one_text(match: re.Match[str]) -> str:
    return f"'{match[1]}{match[2]}'" if match[1] is not None else f'"{match[3]}{match[4]}"'


def _node(text: str) -> str:
    text = _IN_BRACKETS.sub(r".\1", text)
    text = _CALLED.sub(r"\1(", _OPTIONAL.sub("", _BY_INDEX.sub(r".\2", text)))
    others: dict[str, str] = {}
    for found in _DESTRUCTURED.finditer(text):
        others |= {other: name for name, other in _RENAMED.findall(found[1])}
    others |= dict(_STORED.findall(text))
    return _renamed(text, {other: name for other, name in others.items() if other != name}, r"(?<![\w$.])")


_REMOVED_GLOB = lazy_pattern(
    r"(\bFileUtils\.rm(?:_rf|_r|_f|tree)?\b\s{0,3}\(?\s{0,3})Dir(?:\.glob\(|\[)\s{0,3}([\"'][\w.-]{1,80}/[\w.*/-]{0,200}[\"'])\s{0,3}[\])]"
)
"""`FileUtils.rm_rf(Dir["build/*"])`: what it lists is below an output."""


def _ruby(text: str) -> str:
    text = _REMOVED_GLOB.sub(
        lambda match: f"{match[1]}{match[2]}" if reads_as_output(match[2].strip("\"'").partition("/")[0]) else match[0],
        text,
    )
    text = _ruby_listings(text) if "Dir" in text or "Pathname" in text else text
    text = _METHOD.sub(r"\1.\2(", _SENT.sub(r".\1 ", text)) if "send" in text or "method" in text else text
    if "&" in text:
        text = _EACH_METHOD.sub(r"\2.\3(\1)", _EACH_SYMBOL.sub(r"File.delete(\1)", text))
    if "include FileUtils" in text:
        text = re.sub(
            r"(?<![\w.:])(rm(?:_rf|_r|_f|tree)?|remove_dir|remove_entry|cp(?:_r)?|mv|copy|move|copy_file|install)\b(?=\s*[('\"])",
            r"FileUtils.\1",
            text,
        )
    return _WORDS.sub(_as_list, text) if "%w" in text or "%i" in text else text


_SPLAT = lazy_pattern(r"\*(?=(?:Dir|Pathname)(?:\.glob|\s?\[))")
_DIRS = lazy_pattern(
    r"\bDir(?:\.glob\s?\(\s?\[|\s?\[)\s{0,9}((?:(?:'[^'\n]{1,200}'|\"[^\"\n]{1,200}\")\s{0,9}(?:,\s{0,9})?){2,16})\]"
)
"""`Dir["a/*", "b/*"]`."""
_OF_BLOCK = lazy_pattern(r"\|\s?(\w{1,60})\s?\|\s{0,9}\1\.(?:unlink|delete)\b")
_QUOTED = lazy_pattern(r"'[^'\n]{1,200}'|\"[^\"\n]{1,200}\"")


def _ruby_listings(text: str) -> str:
    """Each pattern that is listed as a `Dir[…]` of its own, and `{ |path| path.delete }` as a call with the path."""
    text = _SPLAT.sub("", text)
    if "Pathname" in text:
        text = _OF_BLOCK.sub(r"|\1| File.delete(\1)", re.sub(r"\bPathname\.glob\b", "Dir.glob", text))
    return _DIRS.sub(lambda match: ", ".join(f"Dir[{each}]" for each in _QUOTED.findall(match[1])), text)


_BARE_HOME = lazy_pattern(r"(?<=[(,\s])~(?=\s{0,9}[),;.]|\Z)")
_GLOBBED = lazy_pattern(
    r"\bglob\s{0,9}(?:\(\s{0,9}([\"'][~/][^\"'\n]{0,300}[\"'])\s{0,9}\)|([\"'][~/][^\"'\n]{0,300}[\"']))"
)
_LISTED = lazy_pattern(
    r"((?:\b(?:unlink|rmdir)|,)\s?\(?\s?)"
    r"<(?=[^<>\n]{0,400}[*?{])([^<>\s$=;\"](?:[^<>\n$=;\"]{0,400}[^<>\s$=;\"])?)>"
)
"""`unlink <src/*.c>`."""
_TWO_GLOBS = lazy_pattern(r"\bglob\(\"([^\"\n]{1,300})\"\)\s{0,9},\s{0,9}glob\(\"([^\"\n]{1,300})\"\)")


def _perl_listings(text: str) -> str:
    """Patterns in angle brackets as `glob("…")`; of several that are listed one behind the other, one."""
    text = _LISTED.sub(r'\1glob("\2")', text.replace("bsd_glob", "glob"))
    for _ in range(_ROUNDS):
        joined = _TWO_GLOBS.sub(r'glob("\1 \2")', text)
        if joined == text:
            break
        text = joined
    return text


def _perl(text: str) -> str:
    text = _perl_listings(text) if "unlink" in text or "rmdir" in text else text
    if "~" in text:  # `rmtree($ENV{HOME})`, `system "rm", "-rf", glob("~")`
        text = _HOME_JOINED.sub(lambda match: f"'~/{match[1].lstrip('/')}'", _BARE_HOME.sub("'~'", text))
        text = _GLOBBED.sub(lambda match: match[1] or match[2], text)
    text = _ANGLES.sub(r'"\1"', text)
    text = _WORDS.sub(_as_list, text) if "qw" in text else text
    for name, words in _LIST_SET.findall(text)[:20]:
        text = re.sub(rf"\b(system|exec|unlink)\s*\(?\s*@{name}\b", lambda match, to=words: f"{match[1]}({to})", text)  # type: ignore[misc]
    return text


def _php(text: str) -> str:
    text = _USER_CALL.sub(r"\1(", _WALKED.sub(r"\2(\1)", _MAPPED.sub(r"\1(", text)))
    return _renamed(text, dict(_BY_NAME.findall(text)), r"\$")


def _as_list(match: re.Match[str]) -> str:
    """A list of words as its texts; what is run, as one text."""
    words = next((each for each in match.groups()[1:] if each is not None), "").replace('"', "").split()
    if match[1]:
        return f'{match[1]}"{" ".join(words)}"'
    return "[" + ", ".join(f'"{word}"' for word in words) + "]"


def _renamed(text: str, others: dict[str, str], before: str) -> str:
    for other, name in list(others.items())[:20]:
        text = re.sub(rf"{before}{re.escape(other)}(?=\s*\()", name, text)
    return text


def _with_home(text: str) -> str:
    """The program with `~` for the ways in which it names the home directory."""
    text = _EXPANDED.sub(lambda match: f"{match[1]}{match[2]}{match[1]}", text)
    if "HOME" not in text and "home" not in text:
        return text
    text = _HOME.sub("'~'", _HOME_IN_TEXT.sub("~", text))
    return _HOME_JOINED.sub(lambda match: f"'~/{(match[1] or match[2]).lstrip('/')}'", text)


_OF = {"node": _node, "ruby": _ruby, "perl": _perl, "php": _php}
