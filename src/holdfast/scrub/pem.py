"""Finds the bodies of private keys: between BEGIN and END, after a BEGIN whose END was cut off, before an END
whose BEGIN was cut off, and after first bytes that only a private key has. Public keys and certificates stay.
"""

import re
from collections.abc import Iterator

from .steps import Breathes

MARK = re.compile(
    rb"-{4,5} ?(BEGIN|END) ([A-Z0-9 ]{0,40}?PRIVATE KEY(?: BLOCK)?) ?-{4,5}"
    rb"|Private-Lines: ?[0-9]{1,4}|(?:-{4} )(BEGIN) (SSH2 ENCRYPTED PRIVATE KEY)"
)
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
# A line of a key may be indented, quoted, commented, a diff, numbered by a viewer, a string in source code; its end may
# be a real line break or the two characters backslash and n. Each part takes what it can and gives nothing back.
LEAD, TAIL = b" \t>#*|;.\"'`,(-+/", b" \t\"'`,+.;)\\]"
NUMBERED = re.compile(rb"[0-9]{1,6}(?:\t|:|\||-|\xe2\x86\x92)[ \t>#*|\"'`+-]{0,40}+")
BASE64 = re.compile(rb"[bfru]?+[\"'`]?+([A-Za-z0-9+/_=-]{1,8000}+)")
HEADER = re.compile(
    rb"[ \t>#*+|\"'0-9\xe2\x86\x92-]{0,40}+(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset)\b.{0,200}"
)
RUN = re.compile(rb"[A-Za-z0-9+/]{24}")
GLUED = re.compile(rb"(?:[A-Za-z0-9+/=]{4,}+[ \\\"']{0,3}+)++")
CLOSE = 65_536
LONGEST_LINE = 16_384
HEAD_RUN = re.compile(rb"[A-Za-z0-9+/]{9,48}+[\\\r\n\"' ]{0,8}+[A-Za-z0-9+/]{0,48}+")
GAP = 3
AT_ONCE = 64


def spans(data: bytes, breathe: Breathes | None = None) -> Iterator[tuple[int, int]]:
    """Places to remove, in order of appearance."""
    marks = list(MARK.finditer(data))
    for index, mark in enumerate(marks):
        if breathe is not None and not index % AT_ONCE:
            breathe()
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
    if data.startswith(HEADS, start) and (run := HEAD_RUN.match(data, start)) and run.end() - start >= 20:
        yield from _forward(data, start, len(data))


def _body(line: bytes) -> bool:
    """Is this line of text one line of base64? The last line of a key may be short; words are not base64."""
    bare = line.rstrip(TAIL)[-8200:]
    lead = bare[:40].lstrip(LEAD)
    bare = lead + bare[40:]
    if numbered := NUMBERED.match(bare):
        bare = bare[numbered.end() :]
    match = BASE64.fullmatch(bare)
    if match is None:
        return False
    text = match.group(1)
    if len(text) < 24:
        return text.endswith(b"=") or (
            len(text) >= 4 and any(c in b"0123456789+/" for c in text) and not text.islower()
        )
    return not (text.islower() or text.isupper()) or any(c in b"0123456789" for c in text)


def _lines(data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Lines up to `end`, or to the first that is too long for a line of a key."""
    at = start
    while at < end:
        stop = min(end, at + LONGEST_LINE)
        real = data.find(b"\n", at, stop)
        written = data.find(b"\\n", at, stop if real < 0 else real)
        bare = data.find(b"\r", at, min(one for one in (stop, real, written) if one >= 0))
        cut = min((one for one in (real, written, bare) if one >= 0), default=-1)
        if cut < 0:
            yield at, stop
            return
        yield at, cut
        at = cut + (2 if cut == written or data[cut : cut + 2] == b"\r\n" else 1)
    yield at, end


def _forward(data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """From `start` as long as lines look like base64, with a few others between (headers, cuts)."""
    last, misses, seen = start, 0, False
    for begin, stop in _lines(data, start, end):
        line = data[begin:stop]
        if not line.strip(b" \t\\\r") or HEADER.fullmatch(line):
            continue
        if _body(line):
            last, misses, seen = stop, 0, True
            while last > begin and data[last - 1] in b"\\\r" and data[last : last + 1] in b"n\\":
                last -= 1
        elif not seen and (glued := RUN.search(line, 0, 256)):
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
