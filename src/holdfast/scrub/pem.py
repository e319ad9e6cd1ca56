"""Finds the bodies of private keys: between BEGIN and END, after a BEGIN whose END was cut off, before an END
whose BEGIN was cut off, and after first bytes that only a private key has. Public keys and certificates stay.
"""

import re
from collections.abc import Iterator

MARK = re.compile(rb"-{4,5} ?(BEGIN|END) ([A-Z0-9 ]{0,40}?PRIVATE KEY(?: BLOCK)?) ?-{4,5}|Private-Lines: ?[0-9]{1,4}")
KEYWORDS = (b"private key", b"private-lines:")
# The first base64 characters of DER and OpenSSH private keys, whatever the key.
HEADS = (
    b"b3BlbnNzaC1rZXktdjEA",
    b"MIIEpAIBAAKCAQEA",
    b"MIIEowIBAAKCAQEA",
    b"MIIEogIBAAKCAQEA",
    b"MIIJKAIBAAKCAgEA",
    b"MIIJKQIBAAKCAgEA",
    b"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
    b"MIIEvgIBADANBgkqhkiG9w0BAQEFAASC",
    b"MIIEvAIBADANBgkqhkiG9w0BAQEFAASC",
    b"MIIJQgIBADANBgkqhkiG9w0BAQEFAASC",
    b"MIIJQwIBADANBgkqhkiG9w0BAQEFAASC",
    b"MHcCAQEEI",
    b"MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg",
    b"MC4CAQAwBQYDK2VwBCIEI",
)
HEAD_WORDS = tuple(head.lower() for head in HEADS)
# A line of a key may be indented, quoted, commented, a diff, numbered by a viewer, a string in source code;
# its end may be a real line break or the two characters backslash and n.
BREAK = re.compile(rb"(?:\\{1,4}r)?\\{1,4}n|\r?\n|\r")
LINE = re.compile(
    rb"[ \t>#*+|/;.\"'`,(-]{0,40}(?:[0-9]{1,6}(?:\t|:|\||-|\xe2\x86\x92))?[ \t>#*+|\"'`-]{0,40}[bfru]?[\"'`]?"
    rb"([A-Za-z0-9+/_=-]{1,8000})[ \t\"'`,+.;)\\\]]{0,12}"
)
HEADER = re.compile(
    rb"[ \t>#*+|\"'0-9\xe2\x86\x92-]{0,40}(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset)\b.{0,200}"
)
RUN = re.compile(rb"[A-Za-z0-9+/]{24}")
GLUED = re.compile(rb"(?:[A-Za-z0-9+/=]{4,}[ \\\"']{0,3})+")
CLOSE = 65_536
GAP = 3


def spans(data: bytes) -> Iterator[tuple[int, int]]:
    """Places to remove, in order of appearance."""
    marks = list(MARK.finditer(data))
    for index, mark in enumerate(marks):
        after = marks[index + 1] if index + 1 < len(marks) else None
        if mark.group(1) == b"END":
            if index == 0 or marks[index - 1].group(1) == b"END":
                floor = marks[index - 1].end() if index else 0
                yield from _backward(data, floor, mark.start())
        elif after is not None and after.group(1) == b"END" and after.start() - mark.end() <= CLOSE:
            if RUN.search(data, mark.end(), after.start()):
                yield mark.end(), after.start()
        else:
            yield from _forward(data, mark.end(), after.start() if after else len(data))


def headless(data: bytes, start: int) -> Iterator[tuple[int, int]]:
    """A body that begins at `start` with one of the HEADS and has no BEGIN before it."""
    if data.startswith(HEADS, start):
        yield from _forward(data, start, len(data))


def _body(line: bytes) -> bool:
    """Is this line of text one line of base64? The last line of a key may be short; words are not base64."""
    match = LINE.fullmatch(line)
    if match is None:
        return False
    text = match.group(1)
    if len(text) < 24:
        return text.endswith(b"=") or (
            len(text) >= 4 and any(c in b"0123456789+/" for c in text) and not text.islower()
        )
    return not (text.islower() or text.isupper()) or any(c in b"0123456789" for c in text)


def _lines(data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for cut in BREAK.finditer(data, start, end):
        yield at, cut.start()
        at = cut.end()
    yield at, end


def _forward(data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """From `start` as long as lines look like base64, with a few others between (headers, cuts)."""
    last, misses, seen = start, 0, False
    for begin, stop in _lines(data, start, end):
        line = data[begin : min(stop, begin + 8192)]
        if not line.strip() or HEADER.fullmatch(line):
            continue
        if _body(line):
            last, misses, seen = stop, 0, True
        elif not seen and (glued := RUN.search(line)):
            # a one-line body with text behind it: `BEGIN…KEY----- MIIE… (truncated)`
            run = GLUED.match(data, begin + glued.start(), stop)
            last, seen = (run.end() if run else begin + glued.end()), True
        else:
            misses += 1
            if misses > GAP:
                break
    if seen:
        yield start, last


def _backward(data: bytes, floor: int, end: int) -> Iterator[tuple[int, int]]:
    """The base64 lines that end at `end`."""
    first = end
    for begin, stop in reversed(list(_lines(data, max(floor, end - CLOSE), end))):
        line = data[begin:stop]
        if line.strip() and not _body(line):
            break
        if line.strip():
            first = begin
    if first < end and RUN.search(data, first, end):
        yield first, end
