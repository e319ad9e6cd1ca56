"""Secrets that only their name gives away: `password = …`, `API_KEY=…`, `--token …`, `<secret>…</secret>`,
`name: DB_PASSWORD / value: …`, and the values of cookies. The shape of the value decides, the stricter
the more the place could hold code.
"""

import re

from .keys import Names
from .shape import CHECKS

# Literals that occur inside the names of keys.py; a name without one of them is never looked at.
KEYWORDS = (
    *(
        b"passw",
        b"passphrase",
        b"passcode",
        b"pwd",
        b"pass=",
        b"pass:",
        b"_pass",
        b"pgpass",
        b"_pw",
    ),
    *(b"secret", b"token", b"auth", b"credential", b"bearer", b"jwt", b"psk", b"_pat", b"_dsn", b"kennwort"),
    *(
        b"_key",
        b"-key",
        b"key=",
        b"key:",
        b"key ",
        b'key"',
        b"key'",
        b"api key",
        b"apikey",
        b"appkey",
        b"authkey",
    ),
    *(
        b"accesskey",
        b"accountkey",
        b"masterkey",
        b"sharedkey",
        b"presharedkey",
        b"privatekey",
        b"private key",
    ),
    *(b"sessionid", b"sessid", b"sid=", b"session="),
)
COOKIE = b"cookie"

NAME_BYTES = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.")
AFTER = re.compile(
    rb"(?:(?P<mark>\\{0,3}[\"'`])?[\])]?(?:[ \t]{0,24}"
    rb"(?::[ \t]?(?:Optional\[)?(?:str|bytes|string|String|Secret(?:Str)?)\]?(?:[ \t]?\|[ \t]?None)?[ \t]?)?"
    rb"(?P<op>=>|:=|==|!=|=|:|,|\()|(?P<url>%3[dD])|(?P<is>[ \t](?:is|was|:|-|to)[ \t])"
    rb"|(?P<value>,?[ \t\r\n]{1,24}[\"']?value[\"']?[ \t]{0,4}[:=]))[ \t]{0,8}"
    rb"|(?P<xml>>)|(?P<gap>[ \t]{1,4}))"
)
QUOTED = re.compile(
    rb"[bfruBFRU]{0,2}(?:\\{0,3}\"((?:[^\"\x00-\x20\\]|\\[/u]){4,256})|\\{0,3}'((?:[^'\x00-\x20\\]|\\/){4,256})|`([^`\x00-\x20]{4,256}))"
)
PLAIN = re.compile(rb"[^\x00-\x20\"'`\\,;(){}\[\]<>|&]{4,256}")
ENVIRONMENT = re.compile(rb"[^\x00-\x20\"'`\\;<>|()]{4,256}")
XML = re.compile(rb"([^\x00-\x20<>\"']{4,256})</")
PAIRS = re.compile(rb"([A-Za-z0-9_.%-]{1,64})=([^\x00-\x20;,\"'\\]{8,256})")
COOKIE_HEAD = re.compile(rb"(?i:cookies?)[\"'\]]{0,2}[ \t]{0,4}[:=,][ \t]{0,4}|(?i:cookie)[ \t]{1,2}[\"']?")
SESSION_NAME = re.compile(rb"(?i:sess|sid\b|auth|token|jwt|csrf|xsrf|remember|login|credential|identity)")
COOKIE_REACH = 4096
LONGEST_NAME = 64


def name_at(data: bytes, start: int, end: int) -> tuple[int, int]:
    """The whole name around a keyword."""
    low, high = max(0, start - LONGEST_NAME), min(len(data), end + 32)
    while data[end - 1] not in NAME_BYTES:
        end -= 1
    while start > low and data[start - 1] in NAME_BYTES:
        start -= 1
    while end < high and data[end] in NAME_BYTES:
        end += 1
    if start and data[start - 1] == 0x5C and data[start] in b"nrt":  # the two characters \n before a name
        start += 1
    return start, end


def value_after(data: bytes, names: Names, start: int, end: int) -> tuple[int, int, str] | None:
    """The secret that belongs to the name at start:end, and the kind of name."""
    name = data[start:end].decode("ascii", "ignore").rstrip(".")
    kind = names.kind(name)
    if not kind:
        return None
    after = AFTER.match(data, end)
    if after is None:
        return None
    flag = name.startswith("-") and (after["gap"] is not None or after.group() == b"=")
    if after["gap"] is not None and not flag:
        # `password 'x'` of SQL: only a quoted value may follow a mere space
        found = QUOTED.match(data, after.end())
        if found is None or kind != "password":
            return None
        return _judge(data, found.span(found.lastindex or 0), kind, "quoted")
    if after["xml"] is not None:
        found = XML.match(data, after.end()) if start and data[start - 1] == 0x3C else None
        return _judge(data, found.span(1), kind, "given") if found else None
    found = QUOTED.match(data, after.end())
    if found is not None:
        return _quoted(data, found.span(found.lastindex or 0), kind, after, name)
    if after["op"] in (b",", b"("):
        return None
    tight = after.group() in (b"=", b"%3D", b"%3d")
    if flag or (tight and (name.isupper() or data[start - 1 : start] in (b"?", b"&", b";"))):
        found = ENVIRONMENT.match(data, after.end())
        if found is None:
            return None
        low, high = found.span()
        if start and data[start - 1] in b"?&":
            high = min([at for at in (data.find(b"&", low, high), data.find(b"#", low, high)) if at > 0] or [high])
        return _judge(data, (low, high), kind, "given" if after["gap"] is None else "quoted")
    found = PLAIN.match(data, after.end())
    if found is None:
        return None
    low, high = found.span()
    following = data[high : high + 1]
    if (tight and following == b";") or data[start - 1 : start] == b";":
        return _judge(data, (low, high), kind, "given")
    if following in (b"(", b"[", b"{"):
        return None
    while high > low and data[high - 1] in b".:!?]":
        high -= 1
    alone = following in (b"", b"\n", b"\r", b"\\") and after["op"] in (b":", b"=") and _leads_line(data, start)
    return _judge(data, (low, high), kind, "quoted" if alone or after["value"] is not None else "password")


def _quoted(
    data: bytes, span: tuple[int, int], kind: str, after: re.Match[bytes], name: str
) -> tuple[int, int, str] | None:
    low, high = span
    if data[high : high + 1] not in (b'"', b"'", b"`", b"\\", b"") and high - low < 256:
        return None
    if after["op"] in (b",", b"("):
        return _judge(data, span, kind, "password")
    certain = name.startswith("-") or (name.isupper() and after.group() == b"=")
    return _judge(data, span, kind, "given" if certain else "quoted")


def _leads_line(data: bytes, start: int) -> bool:
    line = data[max(data.rfind(b"\n", max(0, start - 64), start) + 1, start - 64) : start]
    return not line.strip(b" \t-\"'") or line.endswith(b"\\n")


def _judge(data: bytes, span: tuple[int, int], kind: str, place: str) -> tuple[int, int, str] | None:
    low, high = span
    value = data[low:high].decode("utf-8", "replace")
    return (low, high, kind) if fits(value, kind, place) else None


def fits(value: str, kind: str, place: str) -> bool:
    """Could this value be the secret that a name of this kind promises, in such a place?"""
    if kind == "strong":
        return CHECKS["strong"](value) or (len(value) >= 16 and CHECKS["pair"](value))
    if kind == "token":
        return CHECKS["token"](value) or (place == "given" and CHECKS["quoted"](value) and len(value) >= 8)
    return CHECKS[place](value)


def cookies(data: bytes, start: int) -> tuple[int, list[tuple[int, int]]]:
    """The values of a Cookie or Set-Cookie header that open a session, and where the header ends."""
    head = COOKIE_HEAD.match(data, start)
    if head is None:
        return start, []
    stop = data.find(b"\n", head.end(), head.end() + COOKIE_REACH)
    stop = stop if stop >= 0 else min(len(data), head.end() + COOKIE_REACH)
    return stop, [pair.span(2) for pair in PAIRS.finditer(data, head.end(), stop) if _opens_session(pair)]


def _opens_session(pair: re.Match[bytes]) -> bool:
    value = pair[2].decode("utf-8", "replace")
    return CHECKS["token"](value) or (SESSION_NAME.search(pair[1]) is not None and CHECKS["quoted"](value))
