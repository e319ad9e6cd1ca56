"""Classes of secrets that a scanner's own examples showed as missed. All of these are made up."""

import random
from itertools import product

import pytest
from bench.scrub_corpus import MARK

from holdfast.scrub import default_scrubber
from tests.support.table import each_of

pytestmark = pytest.mark.requirement("SEC-1")

MADE = random.Random(20)
HEX40 = "".join(MADE.choice("0123456789abcdef") for _ in range(40))
HEX64 = "".join(MADE.choice("0123456789abcdef") for _ in range(64))
TYPED = (
    "abcdef" + "1234567890" + "abcdef" + "1234567890",
    "1234567890" + "abcdef" * 4,
    "0123456789" + "abcdef" + "0123",
)
WORD = "Qu1et" + "-Harb0ur!"
GONE = [
    *(f"{name}={value}" for name, value in product(("ACMEWORKS_API_KEY", "acmeworks_token", "MY_SECRET"), TYPED)),
    *(f"{name}{gap}{HEX40}" for name, gap in product(("Client Secret", "api key", "Access Token"), (" ", "  ", "\n"))),
    f"agentcli link --key={HEX64} --host 10.0.0.1",
    f"SECRET_KEY_BASE={HEX64}",
    f'secret_key_base: "{HEX64}"',
    *(f'{call}("db.local", "root", "{WORD}")' for call in ("mysql_connect", "mysqli_connect", "new mysqli", "new PDO")),
    f'DBI->connect("dbi:mysql:shop", "root", "{WORD}")',
    f"<AdministratorPassword><Value>{WORD}</Value></AdministratorPassword>",
    f"<Password>\n    <Value>{WORD}</Value>\n</Password>",
    f'ConvertTo-SecureString "{WORD}" -AsPlainText -Force',
    f'[System.Net.NetworkCredential]::new("svc", "{WORD}")',
    f"snmp-server community {WORD} RW",
    f"enable password {WORD}",
]
STAYS = [
    "the token is read from the environment",
    "api key rotation is described below",
    f"commit {HEX40}",
    f"sha256: {HEX64}",
    "mysql_connect($host, $user, $password)",
    "ConvertTo-SecureString $env:PASSWORD -AsPlainText",
    "enable password encryption in the menu",
    "--key=value",
    "API_KEY=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
]


@each_of("text", GONE)
def test_it_goes(text: str) -> None:
    left = MARK.sub(" ", default_scrubber().text(text).text)
    for secret in (HEX40, HEX64, WORD, *TYPED):
        assert secret[4:12] not in left, left


@pytest.mark.parametrize("text", STAYS)
def test_it_stays(text: str) -> None:
    assert default_scrubber().text(text) == (text, ())
