"""Values whose name stands in a field of its own: `{"key": "password", "val": …}`, in either order, and the columns of
a table whose head is a name. Finds places; whether a value is a secret is judged by others.
"""

import re

# From the end of a name to its value: the end of its field, up to two fields between, the value's own label.
_LABEL = rb"(?:[A-Za-z]{0,16}[Vv]alue|[Vv]al|VALUE|default|content|text|secret)"
_FIELD = rb",[ \t\r\n]{0,24}\\{0,3}[\"'][A-Za-z_]{1,16}\\{0,3}[\"'][ \t]{0,2}:[ \t]{0,2}[^,{}\[\]\n]{1,40}"
TO_VALUE = (
    rb"(?:(?:"
    + _FIELD
    + rb"){0,2},[ \t\r\n]{0,24}|[ \t\r\n]{1,24})\\{0,3}[\"']?"
    + _LABEL
    + rb"\\{0,3}[\"']?[ \t]{0,4}[:=]"
)
_BEFORE = re.compile(
    rb"\\{0,3}[\"']" + _LABEL + rb"\\{0,3}[\"'][ \t]{0,2}:[ \t]{0,2}\\{0,3}[\"']([^\"'\\\x00-\x20]{4,128})\\{0,3}[\"']"
    rb"(?:" + _FIELD + rb"){0,2},[ \t\r\n]{0,24}"
    rb"\\{0,3}[\"'](?:[A-Za-z]{0,16}[Kk]ey|[A-Za-z]{0,16}[Nn]ame|[Ff]ield|[Ll]abel|[Ii]d)\\{0,3}[\"']"
    rb"[ \t]{0,2}:[ \t]{0,2}\\{0,3}[\"']\Z"
)
BEFORE_REACH = 320
ROWS = 64
TABLE_REACH = 8192
_RULE = re.compile(rb"[ \t]{0,24}[|+]?[ \t:|+-]{3,2000}\r?\n")
_CELL = re.compile(rb"[ \t]{0,60}[`*\"]{0,3}([^\x00-\x20\"'`\\|<>]{4,128})[`*\"]{0,3}[ \t]{0,60}\Z")
_HEAD = re.compile(rb"\"?[A-Za-z][A-Za-z0-9_ ]{0,40}\"?(?:([,;\t])\"?[A-Za-z][A-Za-z0-9_ ]{0,40}\"?){1,40}")


def value_before(data: bytes, start: int) -> tuple[int, int] | None:
    """The value of an object whose name comes last. `start`: where that name begins, behind its quotation mark."""
    if data[start - 1 : start] not in (b'"', b"'") or b":" not in data[max(0, start - 5) : start]:
        return None
    begin = max(0, start - BEFORE_REACH)
    found = _BEFORE.search(data[begin:start])
    return (begin + found.start(1), begin + found.end(1)) if found else None


def column(data: bytes, start: int, end: int) -> list[tuple[int, int]]:
    """The cells under a table's head at start:end: of Markdown, of a database's client, of a file with commas."""
    low = data.rfind(b"\n", max(0, start - 512), start) + 1
    high = data.find(b"\n", end, end + 512)
    if high < 0 or (not low and start > 512):
        return []
    head = data[low:high].rstrip(b"\r")
    at, stop = high + 1, min(len(data), high + TABLE_REACH)
    if b"|" in head:
        rule = _RULE.match(data, at, stop)
        if rule is None or b"-" not in rule.group():
            return []
        sign, at = b"|", rule.end()
    else:
        match = _HEAD.fullmatch(head)
        if match is None:
            return []
        sign = match[1]
    return _cells(data, at, stop, sign, head.count(sign), head[: start - low].count(sign))


def _cells(data: bytes, at: int, stop: int, sign: bytes, width: int, index: int) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for _ in range(ROWS):
        end = data.find(b"\n", at, stop)
        line = data[at : end if end >= 0 else stop].rstrip(b"\r")
        if line.count(sign) != width:
            break
        cells = line.split(sign)
        if cell := _CELL.match(cells[index]):
            shift = at + sum(len(part) + 1 for part in cells[:index])
            found.append((shift + cell.start(1), shift + cell.end(1)))
        if end < 0:
            break
        at = end + 1
    return found
