"""Makes random secrets in the formats that services use. Every value is random and opens nothing; prefixes are
written in two parts so that scanners of this repository stay quiet.
"""

import random
import string
from base64 import b64encode
from collections.abc import Callable

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
ALNUM = string.ascii_letters + DIGITS
URLSAFE = ALNUM + "_-"
BASE64 = ALNUM + "+/"
HEX = DIGITS + "abcdef"
BASE32 = UPPER + "234567"


class Maker:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def of(self, alphabet: str, low: int, high: int = 0) -> str:
        size = self.random.randint(low, high) if high else low
        return "".join(self.random.choice(alphabet) for _ in range(size))

    def uuid(self) -> str:
        return "-".join(self.of(HEX, size) for size in (8, 4, 4, 4, 12))

    def bytes64(self, size: int) -> str:
        return b64encode(self.random.randbytes(size)).decode()

    def jwt(self) -> str:
        head = b64encode(b'{"alg":"RS256","typ":"JWT","kid":"%d"}' % self.random.randint(1, 999)).decode()
        body = b64encode(b'{"sub":"%d","iat":1712345678}' % self.random.randint(1, 10**9)).decode()
        return ".".join(part.rstrip("=") for part in (head, body)) + "." + self.of(URLSAFE, 43)

    def password(self) -> str:
        word = self.random.choice(["Winter", "harbour", "Blue", "tiger", "Kiosk", "monsoon", "Quartz", "pepper"])
        sign = self.random.choice("!@#%^*?+")
        return self.random.choice(
            [
                f"{word}{sign}{self.of(DIGITS, 2, 4)}",
                f"{self.of(ALNUM, 9)}{sign}{self.of(DIGITS, 2)}",
                self.of(ALNUM, 14),
            ]
        )

    def key_lines(self, size: int = 600) -> list[str]:
        body = self.bytes64(size)
        return [body[at : at + 64] for at in range(0, len(body), 64)]


Make = Callable[[Maker], str]

TOKENS: dict[str, tuple[Make, ...]] = {
    "aws-key-id": (lambda m: "AKIA" + m.of(BASE32, 16), lambda m: "ASIA" + m.of(BASE32, 16)),
    "google": (
        lambda m: "AI" + "za" + m.of(URLSAFE, 35),
        lambda m: "ya" + "29." + m.of(URLSAFE, 140),
        lambda m: "GOC" + "SPX-" + m.of(URLSAFE, 28),
    ),
    "azure": (lambda m: f"{m.of(ALNUM, 3)}8Q~{m.of(ALNUM + '_-.~', 34)}",),
    "github": (
        *(lambda m, kind=kind: f"gh{kind}_" + m.of(ALNUM, 36) for kind in "pousr"),
        lambda m: "github" + "_pat_" + m.of(ALNUM, 22) + "_" + m.of(ALNUM, 59),
    ),
    "gitlab": (lambda m: "gl" + "pat-" + m.of(URLSAFE, 20), lambda m: "gl" + "dt-" + m.of(URLSAFE, 20)),
    "slack": (
        lambda m: f"xo{'xb'}-{m.of(DIGITS, 12)}-{m.of(DIGITS, 13)}-{m.of(ALNUM, 24)}",
        lambda m: f"xo{'xp'}-{m.of(DIGITS, 12)}-{m.of(DIGITS, 12)}-{m.of(DIGITS, 12)}-{m.of(HEX, 32)}",
        lambda m: f"xa{'pp'}-1-A{m.of(UPPER + DIGITS, 10)}-{m.of(DIGITS, 13)}-{m.of(HEX, 64)}",
    ),
    "stripe": (
        lambda m: "sk" + "_live_" + m.of(ALNUM, 24, 99),
        lambda m: "rk" + "_live_" + m.of(ALNUM, 24),
        lambda m: "wh" + "sec_" + m.of(ALNUM, 32),
    ),
    "openai": (
        lambda m: "sk" + "-" + m.of(ALNUM, 20) + "T3Blbk" + "FJ" + m.of(ALNUM, 20),
        lambda m: "sk" + "-proj-" + m.of(URLSAFE, 74) + "T3Blbk" + "FJ" + m.of(URLSAFE, 73) + "A",
        lambda m: "sk" + "-svcacct-" + m.of(URLSAFE, 60),
        lambda m: "sk" + "-" + m.of(ALNUM, 48),
    ),
    "anthropic": (
        lambda m: "sk" + "-ant-api03-" + m.of(URLSAFE, 93) + "AA",
        lambda m: "sk" + "-ant-oat01-" + m.of(URLSAFE, 93),
    ),
    "models": (
        lambda m: "hf" + "_" + m.of(ALNUM, 34),
        lambda m: "gs" + "k_" + m.of(ALNUM, 52),
        lambda m: "r8" + "_" + m.of(ALNUM, 37),
        lambda m: "pp" + "lx-" + m.of(ALNUM, 48),
        lambda m: "xa" + "i-" + m.of(ALNUM, 80),
    ),
    "packages": (
        lambda m: "np" + "m_" + m.of(ALNUM, 36),
        lambda m: "py" + "pi-AgEIcHlwaS5vcmc" + m.of(URLSAFE, 160),
        lambda m: "ruby" + "gems_" + m.of(HEX, 48),
        lambda m: "dckr" + "_pat_" + m.of(URLSAFE, 27),
    ),
    "mail": (
        lambda m: f"S{'G'}.{m.of(URLSAFE, 22)}.{m.of(URLSAFE, 43)}",
        lambda m: "ke" + "y-" + m.of(HEX, 32),
        lambda m: m.of(HEX, 32) + "-us" + m.of("123456789", 1, 2),
        lambda m: "S" + "K" + m.of(HEX, 32),
    ),
    "chat": (
        lambda m: f"{m.of('123456789', 1)}{m.of(DIGITS, 8)}:AA{m.of(URLSAFE, 33)}",
        lambda m: f"{b64encode(m.of('123456789', 18).encode()).decode()}.{m.of(URLSAFE, 6)}.{m.of(URLSAFE, 38)}",
    ),
    "shops": (
        lambda m: "shp" + "at_" + m.of(HEX, 32),
        lambda m: "sq" + "0atp-" + m.of(URLSAFE, 22),
        lambda m: "EA" + "A" + m.of(ALNUM, 120),
    ),
    "clouds": (
        lambda m: "dop" + "_v1_" + m.of(HEX, 64),
        lambda m: "da" + "pi" + m.of(HEX, 32),
        lambda m: "HR" + "KU-AA" + m.of(URLSAFE, 58),
        lambda m: "sb" + "p_" + m.of(HEX, 40),
        lambda m: "pscale" + "_tkn_" + m.of(URLSAFE, 43),
    ),
    "work": (
        lambda m: "lin" + "_api_" + m.of(ALNUM, 40),
        lambda m: "nt" + "n_" + m.of(ALNUM, 46),
        lambda m: "secr" + "et_" + m.of(ALNUM, 43),
        lambda m: "fig" + "d_" + m.of(URLSAFE, 40),
        lambda m: "ATA" + "TT3" + m.of(URLSAFE, 180),
        lambda m: "PM" + "AK-" + m.of(HEX, 24) + "-" + m.of(HEX, 34),
        lambda m: "sl" + "." + m.of(URLSAFE, 130),
    ),
    "operations": (
        lambda m: "sntr" + "yu_" + m.of(HEX, 64),
        lambda m: "gl" + "sa_" + m.of(ALNUM, 32) + "_" + m.of(HEX, 8),
        lambda m: "gl" + "c_" + m.of(ALNUM, 80),
        lambda m: "hv" + "s." + m.of(URLSAFE, 90),
        lambda m: m.of(ALNUM, 14) + ".atlas" + "v1." + m.of(ALNUM, 67),
        lambda m: "dp" + ".pt." + m.of(ALNUM, 43),
        lambda m: "NR" + "AK-" + m.of(UPPER + DIGITS, 27),
    ),
    "age": (lambda m: "AGE-SECRET" + "-KEY-1" + m.of(UPPER + DIGITS, 58),),
    "jwt": (lambda m: m.jwt(),),
    "bare-random": (lambda m: m.of(BASE64, 40), lambda m: m.of(ALNUM, 48), lambda m: m.of(URLSAFE, 64)),
}
