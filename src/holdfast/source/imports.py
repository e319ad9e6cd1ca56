"""Reads one import statement: the path it names, with `/` between the parts, and the names taken from it. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from holdfast.source.model import Imported

_WORD = r"[A-Za-z_$][\w$]*"
_QUOTED = re.compile(r"""['"]([^'"\n]{1,300})['"]""")
_PYTHON_FROM = re.compile(r"from\s+(\.*)\s*([\w.]*)\s+import\s+(.*)", re.DOTALL)
_NAMES = re.compile(_WORD)
_SCRIPT_END = re.compile(r"\.(?:[cm]?[jt]sx?|vue|svelte|json)$")
_INCLUDE = re.compile(r"""[<"]([^>"\n]{1,300})[>"]""")
_SCRIPT_WORDS = frozenset({"import", "from", "export", "require", "type", "const", "let", "var", "typeof"})
_MOST = 60
"""Paths of one statement."""


def read_import(text: str, language: str) -> list[Imported]:
    """What a statement imports; nothing when it cannot be read."""
    reader = _READERS.get(language)
    return list(_few(reader(text))) if reader else []


def _few(found: Iterator[Imported]) -> Iterator[Imported]:
    for number, each in enumerate(found):
        if number >= _MOST:
            return
        path = each.path.strip("/") if not each.path.startswith(".") else each.path
        if path or each.names:
            yield Imported(path, each.names[:_MOST])


def _python(text: str) -> Iterator[Imported]:
    text = re.sub(r"#[^\n]*", "", text)
    match = _PYTHON_FROM.match(text)
    if match:
        dots, path = len(match[1]), match[2].replace(".", "/")
        up = "" if not dots else "./" if dots == 1 else "../" * (dots - 1)
        yield Imported(up + path, tuple(_first_words(match[3])))
        return
    for part in text.removeprefix("import").split(","):
        words = part.split()
        if words:
            yield Imported(words[0].replace(".", "/"))


def _first_words(text: str) -> Iterator[str]:
    """`(a, b as c)` → a, b."""
    for part in text.strip().strip("()").split(","):
        found = _NAMES.search(part)
        if found:
            yield found[0]


def _script(text: str) -> Iterator[Imported]:
    quoted = _QUOTED.findall(text)
    if not quoted:
        return
    head = re.sub(r"\bas\s+[\w$]+", "", text.partition(quoted[-1])[0])
    names = () if "*" in head else tuple(name for name in _NAMES.findall(head) if name not in _SCRIPT_WORDS)
    yield Imported(_SCRIPT_END.sub("", quoted[-1]), names)


def _go(text: str) -> Iterator[Imported]:
    for path in _QUOTED.findall(text):
        yield Imported(path)


def _rust(text: str) -> Iterator[Imported]:
    text = re.sub(r"^\s*(?:pub(?:\([^)]*\))?\s+)?", "", text).rstrip(";\n ")
    if text.startswith("mod "):
        yield Imported("./" + text[4:].strip())
        return
    for path in _unfolded(text.removeprefix("use").strip(), "::"):
        parts = [part.split(" as ")[0].strip() for part in path.split("::")]
        up = ""
        while parts and parts[0] in ("crate", "self", "super"):
            first = parts.pop(0)
            up = "../" + up if first == "super" else up or ("./" if first == "self" else "")
        if parts and parts[-1] in ("*", "self"):
            yield Imported(up + "/".join(parts[:-1]))
        elif parts:
            yield Imported(up + "/".join(parts[:-1]), (parts[-1],))


def _unfolded(text: str, joint: str) -> Iterator[str]:
    """`a::{b, c::{d}}` → a::b, a::c::d. Braces that are nested deeply are left out."""
    waiting = [("", text)]
    done = 0
    while waiting and done < _MOST:
        prefix, rest = waiting.pop()
        head, brace, tail = rest.partition("{")
        if not brace:
            done += 1
            yield prefix + rest.strip().rstrip("},")
            continue
        if prefix.count(joint) > 12:
            continue
        inner = tail.rsplit("}", 1)[0]
        waiting += [(prefix + head.strip(), part) for part in reversed(_parts(inner)) if part.strip()]


def _parts(text: str) -> list[str]:
    """Split at the commas outside of braces."""
    found, depth, start = [], 0, 0
    for at, sign in enumerate(text):
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
        elif sign == "," and depth <= 0:
            found.append(text[start:at])
            start = at + 1
    return [*found, text[start:]]


def _dotted(text: str) -> Iterator[Imported]:
    """Java, Kotlin, Scala: `import static a.b.C;`, `import a.b.{C, D}`."""
    text = re.sub(r"^\s*import\s+(?:static\s+|given\s+)?", "", text).strip().rstrip(";")
    for path in _unfolded(text, "."):
        parts = [part for part in re.split(r"\s+as\s+|=>", path)[0].strip().split(".") if part]
        if parts and parts[-1] in ("*", "_", "given"):
            parts.pop()
            yield Imported("/".join(parts))
        elif parts:
            yield Imported("/".join(parts[:-1]), (parts[-1],))


def _include(text: str) -> Iterator[Imported]:
    for path in _INCLUDE.findall(text):
        yield Imported(re.sub(r"\.\w{1,4}$", "", path))


def _csharp(text: str) -> Iterator[Imported]:
    path = re.sub(r"^\s*(?:global\s+)?using\s+(?:static\s+)?(?:\w+\s*=\s*)?", "", text).strip().rstrip(";")
    yield Imported(path.replace(".", "/"))


def _ruby(text: str) -> Iterator[Imported]:
    for path in _QUOTED.findall(text)[:1]:
        near = "./" if text.startswith("require_relative") and not path.startswith(".") else ""
        yield Imported(near + path.removesuffix(".rb"))


def _php(text: str) -> Iterator[Imported]:
    path = re.split(r"\s+as\s+", text.strip(), flags=re.IGNORECASE)[0].strip("\\ ")
    folder, _, name = path.replace("\\", "/").rpartition("/")
    yield Imported(folder, (name,))


def _swift(text: str) -> Iterator[Imported]:
    words = text.split()
    if len(words) > 1:
        yield Imported(words[-1].replace(".", "/"))


def _bash(text: str) -> Iterator[Imported]:
    words = text.split(maxsplit=1)
    if len(words) == 2:
        path = re.sub(r"^.*\$\{?\w+[^/]*/|^.*\)/", "", words[1].strip().strip("\"'"))
        yield Imported(re.sub(r"\.\w{1,5}$", "", path.removeprefix("./")))


def _lua(text: str) -> Iterator[Imported]:
    for path in _QUOTED.findall(text)[:1]:
        yield Imported(path.replace(".", "/"))


_READERS: dict[str, Callable[[str], Iterator[Imported]]] = {
    "python": _python,
    "javascript": _script,
    "typescript": _script,
    "tsx": _script,
    "go": _go,
    "rust": _rust,
    "java": _dotted,
    "kotlin": _dotted,
    "scala": _dotted,
    "c": _include,
    "cpp": _include,
    "csharp": _csharp,
    "ruby": _ruby,
    "php": _php,
    "swift": _swift,
    "bash": _bash,
    "lua": _lua,
}
