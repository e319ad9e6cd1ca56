"""Secrets that a name, an address, a header or a command line gives away."""

import pytest

from holdfast.scrub import default_scrubber
from tests.support.table import each_of

pytestmark = pytest.mark.requirement("SEC-1")

PW = "Tr0ub4" + "dor&3x"
WEAK = "hun" + "ter2"
HEX = "9f86d081884c7d65" + "9a2feaa0c55ad015"
KEY = "vQ2mX8pL4rT6" + "wY0zB3nC7kD9"
B64 = "c3ZjOmNv" + "cnJlY3Q3SG9yc2U="
AZURE = "k3Jd8sQ1" * 10 + "Zm9vYm" + "=="
UUID = "3f2b1c4d-9a8e-4b7c" + "-8d6f-1a2b3c4d5e6f"


@each_of(
    ("text", "secret"),
    [
        (f"DB_PASSWORD={WEAK}", WEAK),
        (f"PGPASSWORD={WEAK} psql -h db", WEAK),
        (f'password = "{PW}"', PW),
        (f'{{"password": "{WEAK}"}}', WEAK),
        (f'{{\\"password\\": \\"{PW}\\"}}', PW),
        (f"password: {WEAK}\n", WEAK),
        (f"  - name: DB_PASSWORD\n    value: {WEAK}\n", WEAK),
        (f"tool --password={WEAK} run", WEAK),
        (f"tool --password {WEAK} run", WEAK),
        (f"<password>{WEAK}</password>", WEAK),
        (f"Server=db;User Id=sa;Password={WEAK};Encrypt=true", WEAK),
        (f"CREATE USER app PASSWORD '{PW}';", PW),
        (f"api_key = '{KEY}'", KEY),
        (f"clientSecret: \"{KEY}\"", KEY),
        (f"STRIPE_SECRET={HEX}", HEX),
        (f"my api key is {KEY}", KEY),
        (f"GET /v1?limit=2&access_token={KEY}&page=3", KEY),
        (f"HEROKU_API_KEY={UUID}", UUID),
        (f"//registry.example/:_authToken={UUID}", UUID),
        (f"postgres://app:{PW.replace('&', '')}@db:5432/x", PW.replace("&", "")),
        (f"mongodb+srv://svc:{WEAK}@c0.abc.net", WEAK),
        (f"redis://:{WEAK}@cache:6379", WEAK),
        (f"amqp://guest:{WEAK}@mq/%2f", WEAK),
        ("https://user:" + "pw" + "@host/x", "pw"),
        (f"git clone https://{KEY}@git.test/r.git", KEY),
        (f"DefaultEndpointsProtocol=https;AccountName=a;AccountKey={AZURE};x", AZURE),
        (f"Endpoint=sb://x/;SharedAccessKey={AZURE[:42]}=", AZURE[:42] + "="),
        (f"Authorization: Bearer {KEY}", KEY),
        (f"-H 'authorization: token {KEY}'", KEY),
        (f"Authorization: Basic {B64}", B64),
        (f'"auths": {{"r.test": {{"auth": "{B64}"}}}}', B64),
        (f"Set-Cookie: sessionid={KEY}; HttpOnly", KEY),
        (f"Cookie: theme=dark; connect.sid={KEY}", KEY),
        (f"curl -s -u admin:{WEAK} https://x.test", WEAK),
        (f"curl \\\n  -u admin:{WEAK} https://x.test", WEAK),
        (f"curl --user name:'{WEAK}' https://x.test", WEAK),
        (f'curl -u ":{WEAK}" https://x.test', WEAK),
        (f"Authorization: Api-Token {KEY}", KEY),
        (f"the password is {PW[:-1]}", PW[:-1]),
        (f"SENTRY_KEY={HEX}", HEX),
        (f"api_key =                                {KEY}", KEY),
        (f"password:\n  {PW}\n", PW),
        (f"| password | {PW} |", PW),
        (f"mysql -uroot -p{WEAK} shop", WEAK),
        (f"sshpass -p {WEAK} ssh h", WEAK),
        (f"machine h\n  login me\n  password {WEAK}\n", WEAK),
        ("https://hooks.slack.com/services/T0AB12CD3/B0EF45GH6/" + KEY, KEY),
        ("https://discord.com/api/webhooks/123456789012345678/" + KEY * 3, KEY * 3),
        ("aws_secret_access_key = " + KEY + "Qw3/r5Ty+Ui9Op1A", KEY + "Qw3/r5Ty+Ui9Op1A"),
    ],
)  # fmt: skip
def test_the_secret_goes_and_the_rest_stays(text: str, secret: str) -> None:
    before, _, after = text.rpartition(secret)
    scrubbed = default_scrubber().text(text)
    assert scrubbed.text.startswith(before + "[scrubbed:")
    assert scrubbed.text.endswith("]" + after)
    assert len(scrubbed.found) >= 1


def test_a_secret_key_goes_with_its_key_id() -> None:
    scrubbed = default_scrubber().text("AK" + "IAQ3EGZ7TAW5LM2XYB," + KEY + "Qw3Er5Ty7Ui9Op1A")
    assert scrubbed.text == "[scrubbed:aws-access-key],[scrubbed:aws-secret-key]"


def test_of_an_address_only_the_password_goes() -> None:
    scrubbed = default_scrubber().text("postgres://app:" + WEAK + "@db:5432/main?x=1")
    assert scrubbed.text == "postgres://app:[scrubbed:url-password]@db:5432/main?x=1"


def test_a_password_with_an_at_sign_goes_whole() -> None:
    scrubbed = default_scrubber().text("ftp://app:p@ss" + "w0rd!@db/x")
    assert scrubbed.text == "ftp://app:[scrubbed:url-password]@db/x"


def test_long_values_go_to_their_end() -> None:
    long = (KEY + "x/+") * 60
    assert default_scrubber().text(f"aws_session_token={long}\nregion=eu").text == (
        "aws_session_token=[scrubbed:named-secret]\nregion=eu"
    )
