"""Makes the scrubber's test corpus from a seed: secrets of each format, in the places where sessions show them.
Every value is random and opens nothing. Templates here are kept apart from those of the unit tests.
"""

import random
import string
from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import NamedTuple

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
ALNUM = string.ascii_letters + DIGITS
URLSAFE = ALNUM + "_-"
BASE64 = ALNUM + "+/"
HEX = DIGITS + "abcdef"
BASE32 = UPPER + "234567"


class Case(NamedTuple):
    """A text, the secrets in it, and the family they belong to."""

    family: str
    place: str
    text: str
    secrets: tuple[str, ...]


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

# Where a token with a format of its own may stand; no name beside it helps.
TOKEN_PLACES: dict[str, str] = {
    "prose": "ok so I pasted {s} into the dashboard and it answered 401, why?",
    "log": "2025-04-02T09:14:55.120Z WARN upstream refused {s} (attempt 3 of 5)",
    "json-array": '{{"args": ["deploy", "{s}", "--dry-run"], "cwd": "/srv/app"}}',
    "json-in-json": '{{"stdout": "line one\\\\n{s}\\\\nline three", "interrupted": false}}',
    "traceback": '  File "client.py", line 88, in send\n    raise Denied({s!r})\nclient.Denied: {s}',
    "diff": "@@ -3,2 +3,2 @@\n-    old\n+    {s}\n     kept",
    "viewer": "    41\t{s}\n    42\t",
    "positional": "$ ./release.sh staging {s} && echo done",
    "parentheses": "connect({s})",
    "backticks": "The value was `{s}`, please rotate it.",
    "windows-line": "value\r\n{s}\r\nend",
}
NAMED_PLACES: dict[str, str] = {
    "env-file": "# settings\nSERVICE_API_KEY={s}\nPORT=8080\n",
    "yaml": "service:\n  api_key: {s}\n  retries: 3\n",
    "python": 'client = Client(api_key="{s}", timeout=5)',
    "header": "X-Api-Key: {s}",
}
SECRET_NAMES = (
    "AUTH_TOKEN",
    "clientSecret",
    "api_key",
    "SECRET_KEY",
    "access-token",
    "STRIPE_SECRET",
    "encryption_key",
)
KEY_PLACES = (
    'export {n}="{s}"', "{n}={s}", '"{n}": "{s}",', "{n}: {s}", "const {n} = '{s}';", "{n} := \"{s}\"", '<{n}>{s}</{n}>',
    "https://api.test/v1/items?limit=5&{n}={s}", '--{n}={s}', "docker run -e {n}={s} image", '{{\\"{n}\\": \\"{s}\\"}}',
    "- name: {n}\n  value: {s}", "{n} => '{s}'",
)  # fmt: skip
PASSWORD_NAMES = ("PASSWORD", "DB_PASSWORD", "password", "dbPassword", "passwd", "REDIS_PASS", "admin_pwd")
PASSWORD_PLACES = (
    'export {N}="{s}"', "{N}={s}", '"{n}": "{s}"', "{n}: {s}\n", "  {n} = '{s}'", "<{n}>{s}</{n}>", "Server=db;User Id=sa;{n}={s};Timeout=5",
    "tool --{n}={s} sync", 'tool --{n} "{s}" sync', 'connect(host="db", {n}="{s}")', "ALTER USER app WITH PASSWORD '{s}';",
)  # fmt: skip
ADDRESSES = (
    "postgres://app:{s}@db.internal:5432/main", "mongodb+srv://svc:{s}@cluster0.abc.net/?w=majority", "redis://:{s}@cache:6379/0",
    "amqp://worker:{s}@mq:5672/%2f", "https://deploy:{s}@git.test/team/repo.git", "smtp://mailer:{s}@smtp.test:587",
)  # fmt: skip
COMMANDS = (
    "curl -s -u admin:{s} https://api.test/items", "mysql -h db -u root -p{s} shop", "sshpass -p '{s}' ssh root@host",
    "redis-cli -h cache -a {s} PING", "PGPASSWORD={s} psql -h db -U app", "docker login -u ci -p {s} registry.test",
    "machine git.test\n  login me\n  password {s}\n",
)  # fmt: skip
KEY_KINDS = (
    "RSA PRIVATE KEY",
    "PRIVATE KEY",
    "OPENSSH PRIVATE KEY",
    "EC PRIVATE KEY",
    "ENCRYPTED PRIVATE KEY",
    "PGP PRIVATE KEY BLOCK",
)


def _keys(make: Maker) -> Iterator[Case]:
    for kind in KEY_KINDS:
        begin, end = f"-----BEGIN {kind}-----", f"-----END {kind}-----"
        lines = make.key_lines()
        forms = {
            "plain": "\n".join([begin, *lines, end]),
            "escaped": '{"private_key": "' + "\\n".join([begin, *lines, end]) + '\\n"}',
            "indented": "key: |\n" + "\n".join("    " + line for line in [begin, *lines, end]),
            "quoted": "\n".join(f'    "{line}\\n" +' for line in [begin, *lines, end]),
            "viewer": "\n".join(f"{at:6}→{line}" for at, line in enumerate([begin, *lines, end], 1)),
            "unclosed": "\n".join([begin, *lines]),
            "headless": "\n".join([*lines, end, "bye"]),
            "one-line": " ".join([begin, *lines, end]),
        }
        for place, text in forms.items():
            yield Case("private-key", place, text, tuple(lines))


def cases(seed: int = 2025, rounds: int = 3) -> Iterator[Case]:
    """The whole corpus, the same for the same seed."""
    make = Maker(seed)
    for _ in range(rounds):
        for family, makers in TOKENS.items():
            places = TOKEN_PLACES if family == "bare-random" else {**TOKEN_PLACES, **NAMED_PLACES}
            for one in makers:
                for place, template in places.items():
                    secret = one(make)
                    yield Case(family, place, template.format(s=secret), (secret,))
        for name in SECRET_NAMES:
            for template in KEY_PLACES:
                secret = make.random.choice(
                    [make.of(ALNUM, 32), make.of(HEX, 40), make.of(URLSAFE, 43), make.of(LOWER + DIGITS, 24)]
                )
                yield Case("named-token", template, template.format(n=name, s=secret), (secret,))
        for name in PASSWORD_NAMES:
            for template in PASSWORD_PLACES:
                secret = make.password()
                yield Case("named-password", template, template.format(n=name, N=name.upper(), s=secret), (secret,))
        for family, templates in (("address", ADDRESSES), ("command", COMMANDS)):
            for template in templates:
                secret = make.password().replace("@", "%40").replace("#", "!").replace("?", "!")
                yield Case(family, template, template.format(s=secret), (secret,))
        yield from _keys(make)
        yield from _mixed(make)


def _mixed(make: Maker) -> Iterator[Case]:
    aws = make.of(BASE64, 40)
    yield Case("aws-secret", "env", f"AWS_SECRET_ACCESS_KEY={aws}", (aws,))
    yield Case("aws-secret", "ini", f"[default]\naws_secret_access_key = {aws}\nregion = eu-west-1", (aws,))
    yield Case("aws-secret", "csv", f"AKIA{make.of(BASE32, 16)},{aws}", (aws,))
    account = make.bytes64(64)
    text = f"DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={account};EndpointSuffix=core.windows.net"
    yield Case("azure-connection", "storage", text, (account,))
    shared = make.bytes64(32)
    text = f"Endpoint=sb://bus.windows.net/;SharedAccessKeyName=root;SharedAccessKey={shared}"
    yield Case("azure-connection", "bus", text, (shared,))
    hook = make.of(ALNUM, 24)
    yield Case(
        "webhook",
        "slack",
        f"https://hooks.slack.com/services/T{make.of(UPPER, 8)}/B{make.of(UPPER, 10)}/{hook}",
        (hook,),
    )
    hook = make.of(URLSAFE, 68)
    yield Case("webhook", "discord", f"https://discord.com/api/webhooks/{make.of('123456789', 18)}/{hook}", (hook,))
    basic = b64encode(f"svc:{make.password()}".encode()).decode()
    yield Case("header", "basic", f"> Authorization: Basic {basic}", (basic,))
    yield Case("header", "docker", '{"auths": {"registry.test": {"auth": "' + basic + '"}}}', (basic,))
    for form in (
        '-H "Authorization: Bearer {s}"',
        "headers = {{'Authorization': 'token {s}'}}",
        "authorization: bearer {s}",
    ):
        secret = make.of(ALNUM, 40)
        yield Case("header", form, form.format(s=secret), (secret,))
    for form in (
        "Set-Cookie: sessionid={s}; HttpOnly; Path=/",
        "Cookie: theme=dark; connect.sid={s}",
        "curl -b 'session={s}' https://x.test",
    ):
        secret = make.of(ALNUM, 32)
        yield Case("cookie", form, form.format(s=secret), (secret,))
    npm = make.uuid()
    yield Case("npmrc", "auth", f"//registry.npmjs.org/:_authToken={npm}", (npm,))
    heroku = make.uuid()
    yield Case("heroku", "env", f"HEROKU_API_KEY={heroku}", (heroku,))
