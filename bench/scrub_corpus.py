"""Makes the scrubber's test corpus from a seed: secrets of each format, in the places where sessions show them.
Templates here are kept apart from those of the unit tests.
"""

import re
from base64 import b64encode
from collections.abc import Iterator
from typing import NamedTuple

from bench.scrub_tokens import ALNUM, BASE32, BASE64, DIGITS, HEX, LOWER, TOKENS, UPPER, URLSAFE, Maker

MARK = re.compile(r"\[scrubbed:[a-z0-9-]+\]")


class Case(NamedTuple):
    """A text, the secrets in it, and the family they belong to."""

    family: str
    place: str
    text: str
    secrets: tuple[str, ...]


def remains(text: str, case: Case) -> bool:
    """Is any piece of six characters of a secret left in a scrubbed text?"""
    text = MARK.sub(" ", text)
    return any(secret[at : at + 6] in text for secret in case.secrets for at in range(max(1, len(secret) - 5)))


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
    'export {n}="{s}"',
    "{n}={s}",
    '"{n}": "{s}",',
    "{n}: {s}",
    "const {n} = '{s}';",
    '{n} := "{s}"',
    "<{n}>{s}</{n}>",
    "https://api.test/v1/items?limit=5&{n}={s}",
    "--{n}={s}",
    "docker run -e {n}={s} image",
    '{{\\"{n}\\": \\"{s}\\"}}',
    "- name: {n}\n  value: {s}",
    "{n} => '{s}'",
)
PASSWORD_NAMES = ("PASSWORD", "DB_PASSWORD", "password", "dbPassword", "passwd", "REDIS_PASS", "admin_pwd")
PASSWORD_PLACES = (
    'export {N}="{s}"',
    "{N}={s}",
    '"{n}": "{s}"',
    "{n}: {s}\n",
    "  {n} = '{s}'",
    "<{n}>{s}</{n}>",
    "Server=db;User Id=sa;{n}={s};Timeout=5",
    "tool --{n}={s} sync",
    'tool --{n} "{s}" sync',
    'connect(host="db", {n}="{s}")',
    "ALTER USER app WITH PASSWORD '{s}';",
)
ADDRESSES = (
    "postgres://app:{s}@db.internal:5432/main",
    "mongodb+srv://svc:{s}@cluster0.abc.net/?w=majority",
    "redis://:{s}@cache:6379/0",
    "amqp://worker:{s}@mq:5672/%2f",
    "https://deploy:{s}@git.test/team/repo.git",
    "smtp://mailer:{s}@smtp.test:587",
)
COMMANDS = (
    "curl -s -u admin:{s} https://api.test/items",
    "mysql -h db -u root -p{s} shop",
    "sshpass -p '{s}' ssh root@host",
    "redis-cli -h cache -a {s} PING",
    "PGPASSWORD={s} psql -h db -U app",
    "docker login -u ci -p {s} registry.test",
    "machine git.test\n  login me\n  password {s}\n",
)
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
    yield Case("npmrc", "auth", f"//registry.example/:_authToken={npm}", (npm,))
    heroku = make.uuid()
    yield Case("heroku", "env", f"HEROKU_API_KEY={heroku}", (heroku,))
