"""Decoded JSON: names give values away, structure stays, depth does not matter."""

import random
from base64 import b64encode
from typing import Any

import pytest

from holdfast.scrub import default_scrubber

pytestmark = pytest.mark.requirement("SEC-1")

TOKEN = "gh" + "p_" + "aB3dE6gH9kL2mN5pQ8rS1tU4vW7xY0zC" + "fJ4k"
PLAIN = "vQ2mX8pL4rT6" + "wY0zB3nC7kD9"


def scrub(value: Any) -> Any:
    return default_scrubber().value(value)[0]


def test_nothing_found_gives_back_the_same_object() -> None:
    value = {"a": [1, 2.5, None, True, "text"], "session_id": "5f2c1c9e-30a1-4c7e-9a55-0f3b2a1c4d5e"}
    result, found = default_scrubber().value(value)
    assert result is value
    assert found == ()


def test_strings_go_at_any_place_and_the_input_is_left_alone() -> None:
    value: Any = {"a": {"b": ["x", TOKEN, {"c": f"see {TOKEN}"}]}, "n": 1}
    result, found = default_scrubber().value(value)
    assert result == {"a": {"b": ["x", "[scrubbed:github-token]", {"c": "see [scrubbed:github-token]"}]}, "n": 1}
    assert found == ("github-token", "github-token")
    assert value["a"]["b"][1] == TOKEN


def test_keys_are_scrubbed_too() -> None:
    assert scrub({TOKEN: {"x": 1}}) == {"[scrubbed:github-token]": {"x": 1}}


@pytest.mark.parametrize(
    "name",
    [
        "api_key",
        "apiKey",
        "client_secret",
        "aws_secret_access_key",
        "token",
        "Authorization",
        "X-Api-Key",
        "access-token",
    ],
)
def test_a_name_gives_its_value_away(name: str) -> None:
    assert scrub({name: PLAIN}) == {name: "[scrubbed:named-secret]"}


def test_a_weak_password_goes_by_its_name() -> None:
    assert scrub({"password": "hun" + "ter2"}) == {"password": "[scrubbed:named-password]"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("token", "string"),
        ("password", "string"),
        ("max_tokens", "4096"),
        ("token_count", "123456789012345678"),
        ("prompt_cache", PLAIN),
        ("cache_key", "orders_2024_index_v12"),
        ("key", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ("token", "${GITHUB_TOKEN}"),
        ("password", "Please enter the password 2 times"),
    ],
)
def test_a_name_alone_is_not_enough(name: str, value: str) -> None:
    assert scrub({name: value}) == {name: value}


def test_a_flag_gives_the_next_argument_away() -> None:
    assert scrub(["tool", "--api-key", PLAIN, "run"]) == ["tool", "--api-key", "[scrubbed:named-secret]", "run"]


def test_a_name_and_value_pair_counts_as_a_name() -> None:
    value = [{"name": "SERVICE_TOKEN", "value": PLAIN}, {"name": "REGION", "value": PLAIN}]
    assert scrub(value) == [
        {"name": "SERVICE_TOKEN", "value": "[scrubbed:named-secret]"},
        {"name": "REGION", "value": PLAIN},
    ]


def test_a_key_spread_over_a_list_of_lines_goes() -> None:
    body = b64encode(random.Random(5).randbytes(300)).decode()
    lines = [body[at : at + 64] for at in range(0, len(body), 64)]
    begin, end = "-----BEGIN PRIVATE" + " KEY-----", "-----END PRIVATE" + " KEY-----"
    patch = {"lines": [" kept", "+" + begin, *("+" + line for line in lines), "+" + end, f"+{TOKEN}", " kept too"]}
    result = scrub(patch)
    assert not any(line in str(result) for line in lines)
    assert result["lines"][:2] == [" kept", "+" + begin]
    assert result["lines"][-2:] == ["+[scrubbed:github-token]", " kept too"]
    assert len(result["lines"]) == len(patch["lines"])


@pytest.mark.parametrize("wrap", [lambda v: [v], lambda v: {"a": v}])
def test_depth_is_no_matter(wrap: Any) -> None:
    value: Any = TOKEN
    for _ in range(10_000):
        value = wrap(value)
    result: Any
    result, found = default_scrubber().value(value)
    assert found == ("github-token",)
    while not isinstance(result, str):
        result = result[0] if isinstance(result, list) else result["a"]
    assert result == "[scrubbed:github-token]"


@pytest.mark.parametrize("value", [None, 7, 2.5, True, [], {}, ""])
def test_other_values_pass(value: object) -> None:
    assert default_scrubber().value(value) == (value, ())


def test_a_string_alone_is_scrubbed() -> None:
    assert default_scrubber().value(TOKEN) == ("[scrubbed:github-token]", ("github-token",))
