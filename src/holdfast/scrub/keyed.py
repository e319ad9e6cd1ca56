"""Secrets that only their name gives away: `password = …`, `API_KEY=…`, `--token …`, `<secret>…</secret>`,
`name: DB_PASSWORD / value: …`, and the values of cookies. The shape of the value decides, the stricter
the more the place could hold code.
"""

import re

from . import labelled
from .keys import KeyNames
from .shape import CHECKS
from .steps import Budget, judging

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
    *(
        b"secret",
        b"token",
        b"auth",
        b"credential",
        b"bearer",
        b"jwt",
        b"psk",
        b"_pat=",
        b"_pat:",
        b"_pat ",
        b"_pat_",
        b'_pat"',
        b"_pat'",
        b"_dsn",
        b"kennwort",
    ),
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
    *(b"sessionid", b"sessid", b"sid=", b"session=", b"session:", b'session"'),
)
COOKIE = b"cookie"

NAME_CHARACTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-."
NAME_BYTES = frozenset(NAME_CHARACTERS)
# What may stand between a name and its value: an operator, perhaps far away; a cell's border; the next line.
AFTER = re.compile(
    rb"(?:(?P<mark>\\{0,3}[\"'`])?[\])]?(?:(?P<value>" + labelled.TO_VALUE + rb")|[ \t]{0,120}+"
    rb"(?::[ \t]?(?:Optional\[)?(?:str|bytes|string|String|Secret(?:Str)?)\]?(?:[ \t]?\|[ \t]?None)?[ \t]?)?"
    rb"(?P<op>=>|:=|==|!=|\|\|=|\?=|\+=|=|:|,|\(|-{2,8}>?|->)|(?P<url>%3[dD])"
    rb"|(?P<is>[ \t](?:(?:is|was|are)(?:[ \t](?:now|still|set[ \t]to))?[ \t]?:?|:|-|to|as)[ \t]))"
    rb"(?:[ \t]{0,120}+(?P<block>[|>][+-]?)?(?P<open>\()?\\?(?P<line>(?:\r?\n[ \t]{0,40}){1,2}))?[ \t]{0,120}+"
    rb"|(?P<cell>[*_`]{0,3}[ \t]{0,40}(?:\||</t[dh]>\s{0,24}<td[^<>\n]{0,40}>(?:<[a-z]{1,8}>)?)[ \t]{0,40})"
    rb"|(?P<under>[ \t]{0,8}\r?\n[ \t]{0,40})|(?P<xml>>)|(?P<gap>[ \t]{1,4}))"
)
QUOTED = re.compile(
    rb"[bfruBFRU]{0,2}(?:\\{0,3}\"((?:[^\"\x00-\x20\\]|\\[/u]){4,256})|\\{0,3}'((?:[^'\x00-\x20\\]|\\/){4,256})|`([^`\x00-\x20]{4,256}))"
)
PLAIN = re.compile(rb"[^\x00-\x20\"'`\\,;(){}\[\]<>|&]{4,256}")
WHOLE = re.compile(rb"[^\x00-\x20\"'`\\<>]{4,256}")
ENVIRONMENT = re.compile(rb"[^\x00-\x20\"'`\\;<>|()]{4,256}")
CELL = re.compile(rb"[`*]{0,2}([^\x00-\x20\"'`\\|<>]{4,128})[`*]{0,2}[ \t]{0,60}(?:\||</|\r?$)", re.MULTILINE)
CALL = re.compile(rb"[(\[{]")
XML = re.compile(rb"([^\x00-\x20<>\"']{4,256})</")
NEXT_PAIR = re.compile(rb"(?:&(?:amp;)?|%26|\\u0026)[A-Za-z_][A-Za-z0-9_.-]{0,40}(?:=|%3[dD])")
PAIRS = re.compile(rb"([A-Za-z0-9_.%-]{1,64})=([^\x00-\x20;,\"'\\]{8,256})")
COOKIE_HEAD = re.compile(rb"(?i:cookies?)[\"'\]]{0,2}[ \t]{0,4}[:=,][ \t]{0,4}|(?i:cookie)[ \t]{1,2}[\"']?")
SESSION_NAME = re.compile(rb"(?i:sess|sid\b|auth|token|jwt|csrf|xsrf|remember|login|credential|identity)")
COOKIE_REACH = 4096
LONGEST_NAME = 64

SecretValue = tuple[int, int, str]


def name_at(data: bytes, start: int, end: int) -> tuple[int, int]:
    """The whole name around a keyword."""
    while data[end - 1] not in NAME_BYTES:
        end -= 1
    before, after = data[max(0, start - LONGEST_NAME) : start], data[end : end + 32]
    start -= len(before) - len(before.rstrip(NAME_CHARACTERS))
    end += len(after) - len(after.lstrip(NAME_CHARACTERS))
    if start and data[start - 1] == 0x5C and data[start] in b"nrt":  # the two characters \\n before a name
        start += 1
    return start, end


class KeyedReader:
    """Reads the value that belongs to one name. Judges at most three candidates."""

    def __init__(self, data: bytes, name: str, kind: str, start: int, budget: Budget) -> None:
        self.data, self.name, self.kind, self.start, self._budget = data, name, kind, start, budget

    def judge(self, span: tuple[int, int], place: str) -> SecretValue | None:
        low, high = span
        self._budget.used += judging(high - low)
        value = self.data[low:high].decode("utf-8", "replace")
        return (low, high, self.kind) if fits(value, self.kind, place, self.name) else None

    def read(self, after: re.Match[bytes]) -> SecretValue | None:
        """The value behind the name, by what stands between."""
        data, at = self.data, after.end()
        if after["line"] is not None and after["op"] not in (b":", b"=") and after["is"] is None:
            return None
        if after["under"] is not None:
            return self._under(at)
        flag = self.name.startswith("-") and (after["gap"] is not None or after.group() == b"=")
        if after["gap"] is not None and not flag:
            return self._behind_space(at)
        if after["xml"] is not None:
            found = XML.match(data, at) if self.start and data[self.start - 1] == 0x3C else None
            return self.judge(found.span(1), "given") if found else None
        if after["cell"] is not None:
            found = CELL.match(data, at) if self._leads_row() else None
            return self.judge(found.span(1), "quoted") if found else None
        if found := QUOTED.match(data, at):
            return self._quoted(found.span(found.lastindex or 0), after)
        if after["op"] in (b",", b"(") or after["open"] is not None:
            return None
        tight = after.group() in (b"=", b"%3D", b"%3d")
        if flag or (tight and (self.name.isupper() or data[self.start - 1 : self.start] in (b"?", b"&", b";"))):
            return self._environment(at, after)
        return self._plain(at, after, tight)

    def _behind_space(self, at: int) -> SecretValue | None:
        """`password 'x'` of SQL; `password x` of a router: alone on its line, or quoted."""
        if self.data[max(0, self.start - 5) : self.start].endswith((b"ENV ", b"ARG ", b"setx ")):
            found = ENVIRONMENT.match(self.data, at)
            return self.judge(found.span(), "given") if found else None
        if self.kind == "token":  # `mailjet token 9A1B…`, `owlbot SECRET "b7d2…"`: nothing but the shape says so
            found = QUOTED.match(self.data, at) or PLAIN.match(self.data, at)
            return self._random(found.span(found.lastindex or 0)) if found else None
        if self.kind != "password":
            return None
        if found := QUOTED.match(self.data, at):
            return self.judge(found.span(found.lastindex or 0), "quoted")
        found = WHOLE.match(self.data, at)
        if found is None or not self._ends_line(found.end()) or not self._leads_line():
            return None
        return self.judge(found.span(), "password")

    def _random(self, span: tuple[int, int]) -> SecretValue | None:
        """A value that no person wrote: long, of letters and digits, and whole."""
        low, high = span
        value = self.data[low:high]
        digits = sum(byte in b"0123456789" for byte in value)
        if not (20 <= len(value) <= 128 and value.isalnum() and 2 <= digits < len(value)):
            return None
        if self.data[high : high + 1] not in (b"", b"\n", b"\r", b" ", b'"', b"'", b"`", b"\\"):
            return None
        return self.judge(span, "quoted")

    def _under(self, at: int) -> SecretValue | None:
        """A password on the line under its name; both are alone on their lines."""
        found = WHOLE.match(self.data, at) if self.kind == "password" and self._leads_line() else None
        if (
            found is None
            or not self._ends_line(found.end())
            or not any(byte in b"0123456789" for byte in found.group())
        ):
            return None
        return self.judge(found.span(), "password")

    def _quoted(self, span: tuple[int, int], after: re.Match[bytes]) -> SecretValue | None:
        low, high = span
        if self.data[high : high + 1] not in (b'"', b"'", b"`", b"\\", b"") and high - low < 256:
            return None
        if after["op"] in (b",", b"("):
            return self.judge(span, "password")
        certain = self.name.startswith("-") or (self.name.isupper() and after.group() == b"=")
        return self.judge(span, "given" if certain else "word" if after["op"] != b"==" else "quoted")

    def _environment(self, at: int, after: re.Match[bytes]) -> SecretValue | None:
        found = ENVIRONMENT.match(self.data, at)
        if found is None:
            return None
        low, high = found.span()
        pair = NEXT_PAIR.search(self.data, low, high)
        if pair or self.data[high : high + 1] in (b"(", b")", b"|", b";"):
            if self.name.isupper() and (whole := self._whole_line(at)):
                return whole
            high = pair.start() if pair else high
        if self.start and self.data[self.start - 1] in b"?&":
            ends = (self.data.find(b"&", low, high), self.data.find(b"#", low, high))
            high = min([one for one in ends if one > 0] or [high])
        return self.judge((low, high), "given" if after["gap"] is None else "quoted")

    def _whole_line(self, at: int) -> SecretValue | None:
        """A value with signs that end one in a shell, when nothing but the value is left of its line."""
        found = WHOLE.match(self.data, at)
        ends = found is not None and self.data[found.end() : found.end() + 1] in (b"", b"\n", b"\r")
        if found is None or not ends or not CHECKS["signed"](found.group().decode("utf-8", "replace")):
            return None
        return self.judge(found.span(), "given")

    def _plain(self, at: int, after: re.Match[bytes], tight: bool) -> SecretValue | None:
        data = self.data
        leads = self._leads_line()
        if (pair := NEXT_PAIR.search(data, at, at + 256)) and (part := PLAIN.fullmatch(data, at, pair.start())):
            return self.judge(part.span(), "given" if tight else "quoted")
        labels = after["value"] is not None
        whole = WHOLE.match(data, at) if after["is"] is not None or leads or labels else None
        if whole and (after["is"] is not None or not CALL.search(whole.group())):
            low, high = whole.span()
            if (following := data[high : high + 1]) not in (b"'", b'"', b"`", b"<", b">"):
                while high > low and data[high - 1] in b".:!?,;)]":
                    high -= 1
                alone = self._ends_line(whole.end()) and leads and after["op"] in (b":", b"=")
                plain_word = alone and (after["op"] == b":" or tight) and following != b"\\"
                alone = alone or (labels and self._ends_line(whole.end()))
                place = "line" if plain_word and after["line"] is None else "quoted" if alone else "password"
                if value := self.judge((low, high), place):
                    return value
        if after["line"] is not None and after["block"] is None and after["op"] != b":":
            return None
        found = PLAIN.match(data, at)
        if found is None:
            return None
        low, high = found.span()
        following = data[high : high + 1]
        if (tight and following == b";") or data[self.start - 1 : self.start] == b";":
            return self.judge((low, high), "given")
        if following in (b"(", b"[", b"{"):
            return None
        while high > low and data[high - 1] in b".:!?]":
            high -= 1
        alone = following in (b"", b"\n", b"\r", b"\\") and after["op"] in (b":", b"=") and leads
        return self.judge((low, high), "quoted" if alone or after["value"] is not None else "password")

    def _leads_line(self) -> bool:
        start = self.start
        line = self.data[max(self.data.rfind(b"\n", max(0, start - 64), start) + 1, start - 64) : start]
        return not line.strip(b" \t-\"'") or line.endswith(b"\\n")

    def _leads_row(self) -> bool:
        """Does a table's border stand before it on its line?"""
        line = self.data[
            max(self.data.rfind(b"\n", max(0, self.start - 64), self.start) + 1, self.start - 64) : self.start
        ]
        return line.lstrip(b" \t").startswith((b"|", b"<"))

    def _ends_line(self, at: int) -> bool:
        return self.data[at : at + 1] in (b"", b"\n", b"\r", b"\\") or self.data[at : at + 2] in (b" \n", b" #")


def value_after(data: bytes, names: KeyNames, start: int, end: int, budget: Budget) -> SecretValue | None:
    """The secret that belongs to the name at start:end, and the kind of name."""
    name = data[start:end].decode("ascii", "ignore").rstrip(".")
    kind = names.kind(name)
    if not kind:
        return None
    after = AFTER.match(data, end)
    return KeyedReader(data, name, kind, start, budget).read(after) if after else None


def fits(value: str, kind: str, place: str, name: str = "") -> bool:
    """Could this value be the secret that a name of this kind promises, in such a place?"""
    if kind == "strong":
        if CHECKS["strong"](value) or (len(value) >= 16 and CHECKS["pair"](value)):
            return True
        if place == "given" and _is_key_name(name) and name.isupper() and CHECKS["any-hex-key"](value):
            return True
        return place in ("given", "word", "line", "quoted") and _is_key_name(name) and CHECKS["hex-key"](value)
    if kind == "token":
        if CHECKS["token"](value) or CHECKS["signed"](value):
            return True
        if place == "given":
            return len(value) >= 8 and CHECKS["quoted"](value)
        return place in ("word", "line") and CHECKS["short-token"](value)
    if place in ("word", "line"):
        return CHECKS["quoted"](value) or CHECKS[place](value)
    return CHECKS[place](value)


def _is_key_name(name: str) -> bool:
    """`SENTRY_KEY`, `datadogKey`: a key of something, not `key` alone."""
    return len(name) > 5 and name.lower().endswith("key")


def fits_alone(value: str, kind: str, name: str) -> bool:
    """Could this be the secret that the key of an object promises? There is nothing else around it."""
    return not any(space in value for space in " \t\n") and fits(value, kind, "word", name)


def cookies(data: bytes, start: int, budget: Budget) -> tuple[int, list[tuple[int, int]]]:
    """The values of a Cookie or Set-Cookie header that open a session, and where the header ends."""
    head = COOKIE_HEAD.match(data, start)
    if head is None:
        return start, []
    stop = data.find(b"\n", head.end(), head.end() + COOKIE_REACH)
    stop = stop if stop >= 0 else min(len(data), head.end() + COOKIE_REACH)
    found = []
    for pair in PAIRS.finditer(data, head.end(), stop):
        budget.used += judging(pair.end(2) - pair.start(2))
        if _opens_session(pair):
            found.append(pair.span(2))
    return stop, found


def _opens_session(pair: re.Match[bytes]) -> bool:
    value = pair[2].decode("utf-8", "replace")
    return CHECKS["token"](value) or (SESSION_NAME.search(pair[1]) is not None and CHECKS["quoted"](value))
