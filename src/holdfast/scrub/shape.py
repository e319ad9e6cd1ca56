"""What a secret looks like, as pure functions on one candidate string: entropy, character classes, likeness
to words, and the named checks that rules.toml refers to. Nothing here knows where the candidate stood.
"""

import re
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Callable
from itertools import pairwise
from math import log2

HEX = re.compile(r"[0-9a-fA-F]+")
UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
# A name, a dotted or subscripted path, a call, a type: what stands where a value could stand in source code.
CODE = re.compile(r"[A-Za-z_$@][A-Za-z0-9_]*(?:(?:\.|->|::|\?\.)[A-Za-z_][A-Za-z0-9_]*)+[()\[\]]*|.*[([{]")
NAME = re.compile(r"_*[A-Za-z]+(?:_+[A-Za-z]+)*_*[0-9]{0,3}_*|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
# Possessive, because a run of capitals could be divided in as many ways as there are stars.
CAMEL = re.compile(r"[A-Z]?+[a-z]{2,}+(?:[A-Z]{3,}+[a-z]++|[A-Z]{2,}+(?![a-z])|[A-Z][a-z]++|[0-9]++(?![a-z]))++")
WORDS = re.compile(r"[A-Za-z]+[0-9]{0,2}(?:[-_. :/][A-Za-z]*[0-9]{0,4})*")
PATH = re.compile(r"(?:[A-Za-z]:)?(?:[.~]{0,2}/|\.{1,2}\\).*|.*\.[a-z][a-z0-9]{0,3}|[a-z][a-z0-9+.-]*://.*")
NUMBER = re.compile(r"[-+]?[0-9][0-9_.,:eE/xXTZ+-]*[a-zA-Z]{0,2}")
WORDISH = re.compile(r"[a-z]+(?:[!@#$%^&*?+~][a-z!@#$%^&*?+~]*)+")
SIGNS = re.compile(r"[^A-Za-z0-9_-]")
VERSION = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")
# sha256 and sha512 in base64; a key of that form needs a name beside it.
DIGEST = re.compile(r"[A-Za-z0-9+/]{43}=|[A-Za-z0-9+/]{86}==")
STRETCH = re.compile(rb"l+|u+|d+|o+")
JUDGED = 128
ASCENDING = "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789 0123456789abcdef 1234567890 "
KIND = bytes(
    ord("l" if 97 <= code <= 122 else "u" if 65 <= code <= 90 else "d" if 48 <= code <= 57 else "o")
    for code in range(256)
)

# The commonest letter pairs of English; random letters hit one of them in six tries, words in two of three.
COMMON_PAIRS = frozenset(
    text[at : at + 2]
    for text in [
        "thheineranreonatenndtiesorteofedisitalarsttontngsehaasouiolevecomedehiriroicneea",
        "racelichllbemasiomurcaeltalansdifohopeecprnoctusacotiltrlyncetutsssorsunlowageie",
        "wheewiemadolrtpowenaulnitsmoowpaimmiaishirsuidosiviaamficivi",
    ]
    for at in range(0, len(text), 2)
)


def entropy(value: str) -> float:
    """Shannon entropy in bits per character, of the first hundred or so."""
    value = value[:JUDGED]
    size = len(value)
    if not size:
        return 0.0
    return log2(size) - sum(count * log2(count) for char in set(value) if (count := value.count(char)) > 1) / size


def classes(value: str) -> tuple[int, int, int, int]:
    """How many lower-case letters, upper-case letters, digits, and others."""
    kinds = _kinds(value)
    lower, upper, digit = kinds.count(b"l"), kinds.count(b"u"), kinds.count(b"d")
    return lower, upper, digit, len(kinds) - lower - upper - digit


def _kinds(value: str) -> bytes:
    return value.encode("ascii", "replace").translate(KIND)


def wordy(value: str, limit: float = 0.5) -> bool:
    """Do its letters follow each other as they do in words?"""
    low = value[:JUDGED].lower()
    both = [pair for a, b in pairwise(low) if (pair := a + b).isalpha()]
    return len(both) >= 5 and sum(pair in COMMON_PAIRS for pair in both) / len(both) > limit


def repetitive(value: str) -> bool:
    """xxxxxxxx, 12345678, abcabcabc, 0000-0000: typed by a hand that meant nothing."""
    value = value[:JUDGED]
    different = len(set(value))
    if different <= max(2, len(value) // 8):
        return True
    if different > 16 and len(value) < 2 * different:
        return value[:12] in ASCENDING
    data = value.encode("ascii", "replace")
    return sum(-1 <= a - b <= 1 for a, b in pairwise(data)) > 0.7 * len(data)


def hollow(value: str) -> bool:
    """Repetitive, and not long and varied enough to be a key all the same: beside a key's name, or in a vendor's form,
    `abcdef1234567890abcdef1234567890` goes, because nobody can tell it from one that was given out."""
    if len(value) < 20 or len(set(value[:JUDGED])) < 10:
        return repetitive(value)
    lower, upper, digit, _ = classes(value)
    return not (lower + upper >= 4 and digit >= 4) and repetitive(value)


def code(value: str) -> bool:
    """Does it read as code rather than as a value?"""
    return CODE.fullmatch(value[:JUDGED]) is not None or NAME.fullmatch(value[:JUDGED]) is not None


def token(value: str) -> bool:
    """A machine-made token beside a name that calls it one."""
    if len(value) < 16 or hollow(value):
        return False
    lower, upper, digit, other = classes(value)
    if not (lower or upper) or other > len(value) // 4 or (not digit and not (lower >= 4 and upper >= 4)):
        return False
    if HEX.fullmatch(value) or UUID.fullmatch(value):
        return digit >= 3 and entropy(value) >= 2.8
    if (code(value) and (len(value) < 24 or wordy(value, 0.35))) or (
        WORDS.fullmatch(value[:JUDGED]) and wordy(value, 0.35)
    ):
        return False
    if CAMEL.fullmatch(value[:JUDGED]) or PATH.fullmatch(value[:JUDGED]) or NUMBER.fullmatch(value[:JUDGED]):
        return False
    return entropy(value) >= 3.2 and not wordy(value)


def strong(value: str) -> bool:
    """A token beside a name that proves little (`key`, `auth`): hashes and identifiers do not count."""
    if len(value) < 20 or HEX.fullmatch(value) or UUID.fullmatch(value):
        return False
    return token(value) and entropy(value) >= 3.6 and not wordy(value, 0.46)


def password(value: str) -> bool:
    """Chosen by a person, in a place that could also hold code: a digit or an odd sign must give it away."""
    if len(value) < 6 or repetitive(value) or code(value):
        return False
    if (
        CAMEL.fullmatch(value[:JUDGED])
        or PATH.fullmatch(value[:JUDGED])
        or NUMBER.fullmatch(value[:JUDGED])
        or WORDS.fullmatch(value[:JUDGED])
    ):
        return False
    lower, upper, digit, other = classes(value)
    return (lower + upper > 0) and (digit > 0 or (other > 0 and lower + upper >= 4))


def quoted(value: str) -> bool:
    """A password between quotation marks or alone on a line of configuration: a word with a digit will do."""
    if (
        len(value) < 6
        or repetitive(value)
        or CODE.fullmatch(value[:JUDGED])
        or PATH.fullmatch(value[:JUDGED])
        or NUMBER.fullmatch(value[:JUDGED])
    ):
        return False
    lower, upper, digit, other = classes(value)
    letters = lower + upper
    if min(lower, upper) >= 3 and not CAMEL.fullmatch(value[:JUDGED]) and not wordy(value, 0.35):
        return True
    return letters >= 2 and (digit > 0 or (other > 0 and letters >= 4 and not WORDS.fullmatch(value[:JUDGED])))


LABEL = re.compile(
    r"(?:(?:my|your|the|an?|new|old|user|users?|admin|db|database|root|test|default|current|confirm|enter|invalid|wrong|"
    r"forgot|forgotten|reset|change|missing|bad|no|get|set|show|hide|login|client|api|access|auth|app|bot|is|has|this|"
    r"self|plain|raw|clear|hashed|encrypted|verify|repeat|retype|again|required|optional|field|input|text|type|value|"
    r"name|id|key|keys|hash|file|path|prompt|label|string|str|word|words|policy|manager|strategy|provider|grant|basic|"
    r"digest|bearer|negotiate|credentials?|secrets?|tokens?|passwords?|passwd|pwd|pass|passphrase|pin|email|username|"
    r"account|certificate|cert|key|none|null|true|false|yes|on|off|auto|always|never|error|errors|function|object|"
    r"number|bytes|boolean|hidden|visible|masked|redacted|disabled|enabled|unknown|undefined|empty|changeme|example)"
    r"[-_. ]?)+"
)


def word(value: str) -> bool:
    """A password that is a plain word between quotation marks. Short words are more often values of another kind."""
    return len(value) >= 7 and line(value)


def line(value: str) -> bool:
    """A password that is a plain word, alone on its line. Words of code and of forms are none."""
    if not 5 <= len(value) <= 64 or not value.isascii() or repetitive(value) or LABEL.fullmatch(value.lower()[:JUDGED]):
        return False
    if not (value.islower() and value.isalpha()):
        lower, _, _, other = classes(value)
        return lower >= 4 and other > 0 and WORDISH.fullmatch(value) is not None
    return True


def signed(value: str) -> bool:
    """A generated secret that uses signs too, as Django's: letters, digits and signs in a jumble."""
    value = value.removeprefix("django-insecure-")
    if (
        len(value) < 20
        or repetitive(value)
        or code(value)
        or any(mark in value for mark in "<>{} \\")
        or "://" in value
    ):
        return False
    lower, upper, digit, other = classes(value)
    if not other or lower + upper < 6 or (not digit and not (lower and upper)):
        return False
    if PATH.fullmatch(value[:JUDGED]) or NUMBER.fullmatch(value[:JUDGED]) or WORDS.fullmatch(value[:JUDGED]):
        return False
    return entropy(value) >= 3.5 and not wordy(value, 0.4) and len(SIGNS.findall(value[:JUDGED])) >= 2


def short_token(value: str) -> bool:
    """Between quotation marks, beside a name that says token or secret: short, but not a word nor a name."""
    if (
        not 8 <= len(value) <= 64
        or repetitive(value)
        or CODE.fullmatch(value[:JUDGED])
        or PATH.fullmatch(value[:JUDGED])
    ):
        return False
    lower, upper, digit, _ = classes(value)
    if NUMBER.fullmatch(value[:JUDGED]) or digit < 2 or lower + upper < 3 or VERSION.search(value):
        return False
    return not NAME.fullmatch(value[:JUDGED]) and not WORDS.fullmatch(value[:JUDGED]) and entropy(value) >= 2.5


def hex_key(value: str) -> bool:
    """A key in hexadecimal digits, of a length that keys have (sha1 is 40, so that is none)."""
    return len(value) in (32, 48, 64, 96, 128) and token(value)


def any_hex_key(value: str) -> bool:
    """The same under the name of an environment's key, where a hash is not expected."""
    return len(value) >= 20 and token(value) and bool(HEX.fullmatch(value) or UUID.fullmatch(value))


def key_like(value: str) -> bool:
    """In a form that a vendor's word announces: varied, and with a digit unless it is long and mixed."""
    lower, upper, digit, _ = classes(value)
    if hollow(value) or (not digit and not (lower >= 3 and upper >= 3)):
        return False
    return not CAMEL.fullmatch(value[:JUDGED]) and (len(value) >= 30 or not wordy(value, 0.5))


def given(value: str) -> bool:
    """A password in a place that holds only values (environment file, command line, connection string)."""
    return len(value) >= 4 and not (len(value) < 6 and NUMBER.fullmatch(value[:JUDGED])) and not repetitive(value)


def url(value: str) -> bool:
    """Between user and host of an address; `[^@]+` is a pattern that looks for one, not one."""
    return not any(sign in value for sign in ("[^", "(?", ".*", ".+", "\\"))


def header(value: str) -> bool:
    """Behind `Authorization: scheme`."""
    _, _, digit, _ = classes(value)
    if (not digit and len(value) < 20) or repetitive(value):
        return False
    return not code(value) or (digit > 0 and len(value) >= 20 and not wordy(value, 0.35))


def plausible(value: str) -> bool:
    """Varied enough for a format that already says what it is."""
    return not hollow(value)


def pair(value: str) -> bool:
    """base64 of `user:password`."""
    plain = decoded(value)
    return plain is not None and b":" in plain[1:] and all(32 <= byte < 127 for byte in plain)


def snowflake(value: str) -> bool:
    """Its first part is base64 of a number."""
    plain = decoded(value.partition(".")[0])
    return plain is not None and plain.isdigit()


def encoded_key(value: str) -> bool:
    """base64 of a whole private-key file."""
    plain = decoded(value[:128])
    return plain is not None and b"PRIVATE KEY" in plain


def decoded(value: str) -> bytes | None:
    body = value.rstrip("=")
    try:
        return b64decode(body[: len(body) // 4 * 4] if len(body) % 4 == 1 else body + "=" * (-len(body) % 4))
    except (Base64Error, ValueError):
        return None


def readable(value: str) -> bool:
    """base64 of text, or of a file with a known beginning, rather than of random bytes; or the end of such a text."""
    return any(_is_text(decoded(value[at:])) for at in range(4))


def _is_text(plain: bytes | None) -> bool:
    if plain is None or len(plain) < 8:
        return False
    if plain.startswith((b"\x1f\x8b", b"\x89PNG", b"\xff\xd8\xff", b"PK\x03\x04")):
        return True
    if sum(32 <= byte < 127 or byte in b"\t\r\n" for byte in plain) > 0.7 * len(plain):
        return True
    try:
        return not plain.isascii() and sum(char.isalpha() or char.isspace() for char in plain.decode()) > 8
    except UnicodeDecodeError:
        return False


def bare(value: str) -> bool:
    """A token with nothing around it to explain it: only the shape of fresh random base64 is proof."""
    if not 32 <= len(value) <= 100 or DIGEST.fullmatch(value):
        return False
    lower, upper, digit, other = classes(value)
    if min(lower, upper, digit) < 3 or other > len(value) // 6 or digit > len(value) // 2:
        return False
    if repetitive(value) or entropy(value) < (4.3 if len(value) < 40 else 4.5) or wordy(value, 0.4):
        return False
    stretches = len(STRETCH.findall(_kinds(value)))
    return stretches > 0.42 * len(value) and not readable(value)


CHECKS: dict[str, Callable[[str], bool]] = {
    "token": token,
    "strong": strong,
    "password": password,
    "quoted": quoted,
    "given": given,
    "word": word,
    "line": line,
    "signed": signed,
    "key-like": key_like,
    "short-token": short_token,
    "hex-key": hex_key,
    "any-hex-key": any_hex_key,
    "url": url,
    "header": header,
    "plausible": plausible,
    "pair": pair,
    "snowflake": snowflake,
    "encoded-key": encoded_key,
    "bare": bare,
}
