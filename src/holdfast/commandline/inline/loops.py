"""What a Node, Ruby, Perl or PHP program goes through when it deletes by a name of its own. Pure; linear.

Folders that it lists, lists that it writes out, words that its functions are called with."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.commandline.effects.output_names import GENERATED, SOURCES
from holdfast.patterns import lazy_pattern

_QUOTED = r"(?:'([^'\n]{1,300})'|\"([^\"\n]{1,300})\"|`([^`\n$]{1,300})`)"
_FOLDERS = {
    "node": lazy_pattern(rf"\b(?:readdirSync|readdir|opendirSync|walkSync|readDirSync|readDir)\s*\(\s*{_QUOTED}"),
    "ruby": lazy_pattern(
        rf"\b(?:Dir\.(?:children|each_child|entries|foreach|new)|Find\.find|Pathname(?:\.new)?)\s*\(?\s*{_QUOTED}"
    ),
    "perl": lazy_pattern(
        rf"\bopendir\s*\(?\s*(?:my\s+)?[$\w]+\s*,\s*{_QUOTED}|\bfind\s*\(?[^;]{{0,120}}?,\s*{_QUOTED}\s*\)"
    ),
    "php": lazy_pattern(rf"\b(?:scandir|opendir|new\s+\w*(?:DirectoryIterator|FilesystemIterator))\s*\(\s*{_QUOTED}"),
}
_GLOBS = {
    "node": lazy_pattern(
        rf"\b(?:glob(?:\.sync|Sync)?|fg(?:\.sync)?|fastGlob(?:\.sync)?|globbySync|globby|scanSync)\s*\(\s*{_QUOTED}"
    ),
    "ruby": lazy_pattern(rf"\bDir(?:\.glob\s*\(?|\s*\[)\s*{_QUOTED}"),
    "perl": lazy_pattern(
        rf"\bglob\s*\(?\s*{_QUOTED}|<(?=[^<>\n]{{0,400}}[*?{{])([^<>\s$=;](?:[^<>\n$=;]{{0,400}}[^<>\s$=;])?)>"
    ),
    "php": lazy_pattern(rf"\b(?:glob|GlobIterator)\s*\(\s*{_QUOTED}"),
}
_HANDED_ON = lazy_pattern(
    r"\.(?:forEach|map|each)\s*\(\s*(?:fs\.|fsp\.)?(?P<node>unlinkSync|unlink|rmSync|rm|rmdirSync|rimraf\w*)\s*\)|"
    r"\.each\s*\(?\s*&(?P<ruby>(?:File|FileUtils|Dir)\.method\(:\w*(?:rm|delete|unlink)\w*\)|:(?:unlink|"
    r"delete|rmtree)\b)|"
    r"\barray_(?:map|walk)\s*\(\s*['\"](?P<php>unlink|rmdir)['\"]"
)
"""A function that deletes is handed to another one."""
_LISTS = lazy_pattern(
    r"(?:\bof\s+|\bforeach\s*\(\s*|"
    r"\bfor(?:each)?\s+(?:my\s+)?\$\w+\s*)?(?<![\w\]])[\[(]((?>\s*(?:'[^'\n]{1,300}'|\"[^\"\n]{1,300}\")\s*,?){1,32})[\])]"
    r"(?:\s*\.(?:forEach|map|each)\b|\s*as\s+\$|\s*\)|\s*\{|\s*[A-Za-z]|\s*;|\s*\Z)|\"([^\"\n]{1,500})\"\s*\.each"
)
_ITEMS = lazy_pattern(r"'([^'\n]*)'|\"([^\"\n]*)\"")
_ENDINGS = lazy_pattern(
    r"(?:endsWith|end_with\?|extname\([^)]{0,60}\)\s*={2,3}|File\.extname\([^)]{0,60}\)\s*==|"
    r"str_ends_with\([^,]{0,60},)\s*\(?\s*"
    r"['\"](\.?[\w.*-]{1,30})['\"]|/\\?\.(\w{1,10}|\(\w{1,10}(?:\|\w{1,10}){1,8}\))\$/|['\"]\*(\.\w{1,10})['\"]"
)
_FUNCTION = (
    r"(?:\bfunction\s+(\w+)\s*\(\s*\$?{name}\b|(?:const|let|"
    r"var)\s+(\w+)\s*=\s*(?:async\s*)?(?:function\s*)?\(?\s*{name}\b[^=\n]{{0,40}}"
    r"(?:=>|\)\s*\{{)|\bdef\s+(\w+)\s*[( ]\s*{name}\b|"
    r"\bsub\s+(\w+)\s*\{{[^}}\n]{{0,60}}\${name}\b[^}}\n]{{0,20}}(?:shift|@_))"
)
_MOST = 16


def listed(kind: str, text: str) -> Iterator[tuple[str, bool]]:
    """What the listings of a program find, each with whether it is a pattern that a shell would fill in."""
    if kind not in _FOLDERS:
        return
    ends = _endings(text)
    found = f"<found {ends[0]}>" if ends else "<found>"
    for match in _FOLDERS[kind].finditer(text):
        folder = next((group for group in match.groups() if group), "")
        yield f"{folder.rstrip('/') or '/'}/{found}", False
    for match in _GLOBS[kind].finditer(text):
        pattern = next((group for group in match.groups() if group), "")
        folder, sign, _ = pattern.partition("/**")
        if sign or pattern.startswith("**"):
            last = pattern.rpartition("/")[2].replace("**", "*")
            yield (
                f"{folder if sign else '.'}/<found {last}>" if last != "*" else f"{folder if sign else '.'}/<found>",
                False,
            )
        else:
            yield pattern, True


def is_handed_on(text: str) -> bool:
    """Does the program hand a function that deletes to a loop?"""
    return _HANDED_ON.search(text) is not None


def is_of_loop(name: str, text: str) -> bool:
    """Is it the variable of a loop, or the parameter of a block?"""
    plain = re.escape(name.lstrip("$@"))
    shape = (
        rf"\|\s*{plain}\b|\b{plain}\s*\)?\s*=>|\b(?:const|let|var|my|as)\s+\$?{plain}\s+(?:of\b|\()|"
        rf"\bas\s+\${plain}\b|\bfor(?:each)?\s+(?:my\s+)?\${plain}\b"
    )
    return bool(plain) and re.search(shape, text) is not None


def bound(name: str, text: str) -> list[str]:
    """The texts that a name of the program stands for: items of a list that is gone through, words of its calls."""
    plain = name.lstrip("$@")
    if not re.fullmatch(r"\w{1,60}", plain):
        return []
    found: list[str] = []
    if re.search(rf"(?:=>|\|\s*{re.escape(plain)}\s*\||\bof\b|\bas\b|\bforeach\b|\bfor\b)", text):
        for match in _LISTS.finditer(text):
            items = [a or b for a, b in _ITEMS.findall(match[1] or "")] or (match[2] or "").split()
            found += items[:_MOST]
    for match in re.finditer(_FUNCTION.format(name=re.escape(plain)), text):
        called = next((group for group in match.groups() if group), "")
        for given in re.finditer(rf"(?<![\w.]){re.escape(called)}\s*\(?\s*{_QUOTED}", text):
            found += [group for group in given.groups() if group][:1]
    return found[:_MOST]


def _endings(text: str) -> list[str]:
    found: list[str] = []
    for said, ends, star in _ENDINGS.findall(text):
        found += (
            [f"*{said}"] if said else [f"*.{each}" for each in ends.strip("()").split("|")] if ends else [f"*{star}"]
        )
    return sorted(dict.fromkeys(found), key=lambda each: not SOURCES.match(each) or GENERATED.match(each) is not None)
