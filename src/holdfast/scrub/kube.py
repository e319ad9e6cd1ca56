"""The values of a Kubernetes Secret: `kind: Secret`, then `data:` or `stringData:`, as YAML or JSON. Its names promise
nothing (`username`, `.dockerconfigjson`), its kind does.
"""

import re

from .steps import Budget, judging

ID = "kubernetes-secret"
KEYWORDS = (
    b"kind: secret",
    b'kind": "secret',
    b'kind":"secret',
    b"kind: 'secret",
    b'kind: "secret',
    b'kind\\": \\"secret',
)
FIELDS = ("data", "stringData")
REACH = 16_384
LEAST = 4
_KIND = re.compile(rb"kind\\{0,3}[\"']?:[ \t]?\\{0,3}[\"']?Secret(?![A-Za-z])")
_END = re.compile(rb"^(?:---|\.\.\.)[ \t\r]*$", re.MULTILINE)
_YAML = re.compile(rb"^([ \t]{0,16})[\"']?(?:data|stringData)[\"']?[ \t]{0,4}:[ \t\r]{0,8}$", re.MULTILINE)
_JSON = re.compile(rb"[\"']?(?:data|stringData)\\{0,3}[\"']?[ \t]{0,4}:[ \t]{0,4}\{([^{}]{0,16000})\}")
_PAIR = re.compile(rb"[\"']?[ \t]{0,4}:[ \t]{0,4}\\{0,3}[\"']?([^\x00-\x20\"'\\,]{4,4096})")
_LINE = re.compile(rb"([ \t]{1,32})[\"']?[A-Za-z0-9._-]{1,128}[\"']?:(?:[ \t]{1,8}(?:!![a-z]{1,8} )?([^\n]{0,4096}))?")
_BLOCK = re.compile(rb"[|>][0-9+-]{0,2}[ \t\r]*\Z")

ByteRange = tuple[int, int]


def values(data: bytes, start: int, budget: Budget) -> tuple[int, list[ByteRange]]:
    """Where the values of the Secret around `start` stand, and how far was read."""
    stop = min(len(data), start + REACH)
    if _KIND.match(data, start) is None:
        return start + 1, []
    if ending := _END.search(data, start, stop):
        stop = ending.start()
    begin = max(0, start - REACH // 4)
    if (earlier := data.rfind(b"\n---", begin, start)) >= 0:
        begin = earlier + 1
    budget.used += (stop - begin) // 256
    found: list[ByteRange] = []
    for block in _YAML.finditer(data, begin, stop):
        found += _lines(data, block.end() + 1, stop, len(block[1]))
    for block in _JSON.finditer(data, begin, stop):
        found += [pair.span(1) for pair in _PAIR.finditer(data, block.start(1), block.end(1))]
    budget.used += sum(judging(high - low) for low, high in found)
    return stop, found


def _lines(data: bytes, at: int, stop: int, indent: int) -> list[ByteRange]:
    """The values of a YAML mapping that is indented further than this; a text over several lines goes line by line."""
    found: list[ByteRange] = []
    text_of = 0
    while at < stop:
        end = data.find(b"\n", at, stop)
        end = end if end >= 0 else stop
        line = data[at:end].rstrip(b" \t\r")
        depth = len(line) - len(line.lstrip(b" \t"))
        if line and depth <= indent:
            break
        if text_of and depth > text_of:
            found.append((at + depth, at + len(line)))
        elif line and line.lstrip(b" \t")[:1] != b"#":
            text_of = 0
            match = _LINE.fullmatch(line)
            if match is None:
                break
            if match[2] is None or _BLOCK.match(match[2]):
                text_of = depth
            else:
                found.append(_bare(data, at + match.start(2), at + match.end(2)))
        at = end + 1
    return [(low, high) for low, high in found if high - low >= LEAST]


def _bare(data: bytes, low: int, high: int) -> ByteRange:
    """Without its remark and its quotation marks."""
    if (remark := data.find(b" #", low, high)) >= 0:
        high = remark
    value = data[low:high].rstrip()
    quotes = value[:1] in (b'"', b"'")
    return low + quotes, low + len(value) - (quotes and value[-1:] == value[:1])
