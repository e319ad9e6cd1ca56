"""Shapes of candidates, as tables."""

import pytest

from holdfast.scrub import shape
from holdfast.scrub.keys import KeyNames
from holdfast.scrub.rules import default_rules
from tests.support.table import each_of

pytestmark = pytest.mark.requirement("SEC-1")


@pytest.mark.parametrize(
    ("value", "bits"), [("", 0.0), ("aaaa", 0.0), ("abab", 1.0), ("abcd", 2.0), ("0123456789abcdef", 4.0)]
)
def test_entropy(value: str, bits: float) -> None:
    assert shape.entropy(value) == pytest.approx(bits)


def test_classes() -> None:
    assert shape.classes("abC12-é") == (2, 1, 2, 2)


@pytest.mark.parametrize(
    ("value", "is_words"),
    [("the_connection_handler", True), ("authenticationRequest", True), ("xq7zkw9vbpjt", False), ("abc", False)],
)
def test_wordy(value: str, is_words: bool) -> None:
    assert shape.wordy(value) is is_words


@pytest.mark.parametrize(
    ("value", "flat"),
    [("xxxxxxxxxxxx", True), ("123456789012", True), ("abcabcabcabcabcabcabcabc", True), ("vQ2mX8pL4rT6", False)],
)
def test_repetitive(value: str, flat: bool) -> None:
    assert shape.repetitive(value) is flat


@each_of(
    ("check", "value", "fits"),
    [
        ("token", "vQ2mX8pL4rT6wY0z", True),
        ("token", "vQ2mX8pL4rT6wY0", False),
        ("token", "9f86d081884c7d659a2feaa0c55ad015", True),
        ("token", "settings.API_KEY_V2", False),
        ("token", "authentication_handler_2", False),
        ("token", "/var/lib/service/token2", False),
        ("strong", "9f86d081884c7d659a2feaa0c55ad015", False),
        ("strong", "vQ2mX8pL4rT6wY0zB3nC7kD9", True),
        ("password", "hunter2", False),
        ("quoted", "hunter2", True),
        ("quoted", "hunter", False),
        ("quoted", "str", False),
        ("password", "Tr0ub4dor&3", True),
        ("given", "swordfish", True),
        ("given", "8080", False),
        ("pair", "dXNlcjpwYXNzMQ==", True),
        ("pair", "bm9jb2xvbmhlcmU=", False),
        ("bare", "q7Rz2Lw9Xk4Tn8Vb3Gm6Yp1Hd5Jc0Fs8Qa2Ue7K", True),
        ("bare", "da39a3ee5e6b4b0d3255bfef95601890afd80709", False),
        ("bare", "QWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXogMTIzNDU2", False),
        ("snowflake", "MTA5ODc2NTQzMjEwOTg3NjU0.x.y", True),
        ("snowflake", "aGVsbG8gd29ybGQgaGVsbG8g.x.y", False),
    ],
)
def test_checks(check: str, value: str, fits: bool) -> None:
    assert shape.CHECKS[check](value) is fits


@each_of(
    ("name", "kind"),
    [
        ("password", "password"),
        ("DB_PASSWORD_PROD", "password"),
        ("userPassword2", "password"),
        ("clientSecret", "token"),
        ("AWS_SECRET_ACCESS_KEY", "token"),
        ("x-api-key", "token"),
        ("npm_config__authToken", "token"),
        ("key", "strong"),
        ("SENDGRID_KEY", "strong"),
        ("max_tokens", ""),
        ("token_count", ""),
        ("nextPageToken", ""),
        ("cache_key", ""),
        ("public_key", ""),
        ("session_id", ""),
        ("password_file", ""),
        ("tokenizer", ""),
        ("x" * 100 + "_token", ""),
    ],
)
def test_names(name: str, kind: str) -> None:
    names = KeyNames(default_rules().keys)
    assert names.kind(name) == kind
    assert names.kind(name) == kind  # the remembered verdict
