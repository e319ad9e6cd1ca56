"""What looks like a secret and is none must stay: a scrubber that eats code is switched off by its users."""

import pytest

from holdfast.scrub import Scrubber, default_rules, default_scrubber
from tests.support.table import each_of

pytestmark = pytest.mark.requirement("SEC-1")

SHA1 = "da39a3ee5e6b4b0d3255bfef95601890afd80709"
SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
INTEGRITY = "sha512-" + "z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="


@each_of(
    "text",
    [
        "def login(password: str_type_long) -> None: ...",
        "password: str",
        "password: Optional[str] = None",
        "def f(token: str, api_key: str | None = None): pass",
        'token = os.environ["GITHUB_TOKEN"]',
        "const key = process.env.STRIPE_SECRET_KEY;",
        "password = getpass.getpass('Password: ')",
        "api_key = load_api_key(path)",
        "secret_key = settings.SECRET_KEY_V2",
        'API_KEY="${API_KEY}"',
        "TOKEN=$CI_JOB_TOKEN",
        "token: ${{ secrets.NPM_TOKEN }}",
        "password: '{{ vault_db_password }}'",
        'api_key = "<your-token>"',
        'api_key = "your-api-key-goes-here-1234"',
        "PASSWORD=changeme",
        'password = "xxxxxxxxxxxx"',
        'secret = "********"',
        '"token": "string"',
        '"max_tokens": 4096, "token_count": 128, "prompt_cache": "on"',
        'tokenizer.pad_token = "[PAD0]"',
        '"next_page_token": "CAUQAA3xZk19dGhlIG5leHQ"',
        'primary_key = "orders_2024_idx1"',
        "AK" + "IAIOSFODNN7EXAMPLE",
        f"commit {SHA1}",
        f"git show {SHA1[:12]}",
        f"sha256:{SHA256}",
        f'"integrity": "{INTEGRITY}"',
        f"resolved https://r.test/a.tgz#{SHA1}",
        "github.com/pkg/errors v0.9.1 h1:FEBLx1zS214owpjy7qsBeixbURkuhQAwrK5UwLGTwt4=",
        "pkg/a.py,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,120",
        '"sha512": "z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="',
        'ETag: W/"q7Rz2Lw9Xk4Tn8Vb3Gm6Yp1Hd5Jc0Fs8Qa2Ue7K"',
        "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
        "session_id 5f2c1c9e-30a1-4c7e-9a55-0f3b2a1c4d5e",
        "toolu_01A09q90qw90lq917835lq9hfkd8",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJl3dIeudNqd0DPMRD6OIh65a9l2j9sJ me@host",
        "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG\n-----END CERTIFICATE-----",
        'if "-----BEGIN PRIVATE KEY-----" in text and "-----END PRIVATE KEY-----" in text:',
        "https://user:password@host/path",
        "https://example.com:8080/a@b",
        "r'://[^:]+:([^@]+)@'",
        "disk-usage, task-runner, risk-free and sk-learn",
        "docker run -u 1000:1000 image",
        '"--registry-password": registry_password,',
        'publicKeyToken="1fc8b3b9a1e18e3b"',
        "curl -s https://x.test/a:b",
        "Authorization: Bearer <token>",
        "Authorization: Bearer $TOKEN",
        "Basic authentication is required",
        "The password must have eight characters. The token is then refreshed.",
        "self.assertEqual(parser.token, next_token_value)",
        "/usr/lib/python3/dist-packages/SomeLongPackageName/Submodule2/handlers_v2.py",
        "getElementsByClassNameAndAttributeValuePairs2(document)",
    ],
)  # fmt: skip
def test_stays(text: str) -> None:
    assert default_scrubber().text(text) == (text, ())


@pytest.mark.parametrize("allow", ["hunter2-[a-z]+", "hunter2-prod"])
def test_the_users_own_list_keeps_a_value(allow: str) -> None:
    text = 'password = "hunter2-prod"'
    assert default_scrubber().text(text).found == ("named-password",)
    assert Scrubber(default_rules(), [allow]).text(text) == (text, ())


def test_an_entry_of_the_users_list_must_cover_the_whole_value() -> None:
    assert Scrubber(default_rules(), ["hunter"]).text('password = "hunter2-prod"').found == ("named-password",)


def test_an_entry_that_is_no_pattern_is_a_literal() -> None:
    text = 'password = "a1(((b"'
    assert default_scrubber().text(text).found == ("named-password",)
    assert Scrubber(default_rules(), ["a1(((b"]).text(text) == (text, ())
