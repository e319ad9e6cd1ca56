"""A private tag counts however it is written and wherever it is divided: generated, not listed (MEM-2)."""

from __future__ import annotations

import json
import time
import unicodedata
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast.alone import _payload
from holdfast.road.clean import clean
from holdfast.road.edge import read_payload
from holdfast.road.mend import mend
from holdfast.scrub import default_scrubber
from holdfast.scrub.private import may_hold_tags, without_private
from tests.support.table import each_of

pytestmark = pytest.mark.requirement("MEM-2")

SECRET = "Kellerschluessel"
HIDDEN = ["", "\u200b", "\u00ad", "\ufeff", "\u2060\u200d", "\u180e", "\x00", "&shy;", "&ZeroWidthSpace;", "%E2%80%8B"]
NAMED = {
    "<": ["&lt;", "&LT;", "&lt"],
    ">": ["&gt;", "&GT"],
    "/": ["&sol;"],
    "i": ["&ii;"],
    "e": ["&ee;"],
    "p": ["&pscr;"],
}


def written(char: str) -> list[str]:
    """One character in every way that we know."""
    code, wide, small = ord(char), chr(ord(char) + 0xFEE0), {"<": "\ufe64", ">": "\ufe65"}.get(char)
    named = [f"\\N{{{unicodedata.name(char)}}}", *NAMED.get(char, [])]
    letters = [char.upper(), chr(0x1D41A + code - 97), chr(0x24D0 + code - 97)] if char.isalpha() else [f"\\{char}"]
    return [
        *letters, *named, *([small] if small else []), wide,
        f"&#{code};", f"&#{code:05};", f"&#x{code:x};", f"&#X000{code:X};", f"&#{ord(wide)};",
        f"\\u{code:04x}", f"\\uu{code:04X}", f"\\u{{{code:x}}}", f"\\U{code:08x}", f"\\u{ord(wide):04x}",
        f"\\x{code:02x}", f"\\x{{{code:X}}}", f"\\{code:03o}", f"\\0{code:03o}",
        f"%{code:02X}", f"%u{code:04x}", quote(wide), "".join(f"\\x{byte:02x}" for byte in wide.encode()),
        "".join(f"\\{byte:03o}" for byte in wide.encode()),
    ]  # fmt: skip


def by_percent(char: str, pick: bool) -> str:
    return f"%{ord(char):02x}" if char == "%" or (pick and char.isascii()) else char


def by_entity(char: str, pick: bool) -> str:
    return "&amp;" if char == "&" else f"&#{ord(char)};" if pick and char.isascii() else char


def by_backslash(char: str, pick: bool) -> str:
    return "\\\\" if char == "\\" else f"\\x{ord(char):02x}" if pick and char.isascii() else char


WRAPS = [by_percent, by_entity, by_backslash]


@st.composite
def tags(draw: Any, closing: bool = False) -> str:
    """A tag in any mixture of its forms, and once or twice wrapped as a whole, as encoders wrap a text. Plain letters
    mostly, or nothing would be tried twice."""

    def one(char: str) -> str:
        drawn = draw(st.sampled_from([char] * 12 + written(char))), draw(st.sampled_from([""] * 12 + HIDDEN))
        return "".join(drawn)

    space = draw(st.sampled_from(["", "", "", " ", "\n\t", "&#32;", "%20"]))
    made: str = "".join([one("<"), space, one("/") if closing else "", *map(one, "private"), space, one(">")])
    for wrap in draw(st.lists(st.sampled_from(WRAPS), max_size=2)):
        every = draw(st.booleans())
        made = "".join(wrap(char, every) for char in made)
    return made


COMMON = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@COMMON
@given(tags(), tags(closing=True))
def test_what_any_form_encloses_goes_and_the_rest_stays(opening: str, closing: str) -> None:
    assert without_private(f"before {opening}{SECRET}{closing} after") == "before  after"
    assert without_private(f"before {opening}{SECRET}") == "before "
    assert without_private(f"a {opening}b{opening}{SECRET}{closing}{SECRET}{closing} z") == "a  z"


@COMMON
@given(tags(), tags(closing=True), st.booleans())
def test_it_goes_from_any_body(opening: str, closing: str, ascii_only: bool) -> None:
    text = f"before {opening}{SECRET}{closing} after"
    body = json.dumps({"prompt": text, "tool_input": {"x": [text]}}, ensure_ascii=ascii_only).encode()
    assert may_hold_tags(body)
    read = read_payload(body)
    kept = clean(read.fields, default_scrubber(), mended=read.mended).fields
    assert kept == {"prompt": "before  after", "tool_input": {"x": ["before  after"]}}


@COMMON
@given(tags(), st.booleans(), st.sampled_from(["", '{"prompt": "', "[", '{"a":1,"prompt":"x']))
def test_it_goes_from_malformed_json(opening: str, ascii_only: bool, start: str) -> None:
    escaped = json.dumps(f"x {opening}{SECRET}", ensure_ascii=ascii_only)[1:-1]
    body = f"{start}{escaped}".encode()
    assert SECRET not in str(read_payload(body).fields)
    fields = _payload(body)
    mend(fields)
    assert SECRET not in str(fields)


@COMMON
@given(tags(), tags(closing=True), st.data())
def test_a_tag_may_be_divided_between_blocks(opening: str, closing: str, data: Any) -> None:
    whole = f"open {opening}{SECRET} and {SECRET}{closing} end"
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), min_size=1, max_size=4)))
    parts = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    for value in (
        [{"type": "text", "text": part} for part in parts],
        {"content": parts, "type": "result"},
        {str(index): {"text": part} for index, part in enumerate(parts)},
    ):
        fields: dict[str, Any] = {"session_id": "s", "tool_response": json.loads(json.dumps(value)), "cwd": "/srv"}
        mend(fields)
        left = "".join(_strings(fields["tool_response"]))
        assert SECRET[:8] not in left
        assert left.startswith("open ")
        assert left.endswith(" end")
        assert (fields["session_id"], fields["cwd"]) == ("s", "/srv")


@each_of("at", range(len("<private>") + 1))
@each_of("tag", ["<private>", "< private>", "<\nprivate>", "<PRIVATE>"])
def test_a_divided_tag_that_is_never_closed_is_seen_in_the_bytes(tag: str, at: int) -> None:
    blocks = [{"type": "text", "text": f"open {tag[:at]}"}, {"type": "text", "text": f"{tag[at:]}{SECRET}"}]
    payload = read_payload(json.dumps({"hook_event_name": "Stop", "message": {"content": blocks}}).encode())
    kept = clean(payload.fields, default_scrubber(), mended=payload.mended).fields
    assert SECRET not in str(kept)


def _strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for key, item in value.items() if key != "type" for text in _strings(item)]
    if isinstance(value, list):
        return [text for item in value for text in _strings(item)]
    return [value]


@COMMON
@given(st.text(alphabet="<>/ privateＰｒ&lt;#\\u00%37\u200bx\n", max_size=60))
def test_text_without_a_tag_stays_as_it_is_and_nothing_raises(text: str) -> None:
    kept = without_private(text)
    assert len(kept) <= len(text)
    assert kept == text or may_hold_tags(json.dumps(text).encode())


@pytest.mark.parametrize(
    "text",
    [
        "if a < private and b < c", "List<privateKey>", "x &lt; y", "100%2Fprivate", "<privateer>",
        "vector< private_t >",
        "\\u0070rivate methods", "a ＜ b ＞ c", "<private-network>", "&lt;privateer&gt;",
    ],
)  # fmt: skip
def test_what_is_no_tag_stays(text: str) -> None:
    assert without_private(text) == text


@pytest.mark.requirement("SEC-7")
@pytest.mark.parametrize(
    "part", ["&lt;", "\\u003c", "%3c", "\u200b<", "< ", "</private ", "&#60;private", "<\u200bprivate\u200b", "\uff1c"]
)
def test_odd_forms_take_linear_time(part: str) -> None:
    def took(size: int) -> float:
        text = part * (size // len(part))
        best = 9.0
        for _ in range(3):
            start = time.process_time()
            without_private(text)
            mend({"a": [text, text], "b": text + "</private>"})
            best = min(best, time.process_time() - start)
        return best

    # Linear is 8 times, quadratic 64 times; a busy machine has measured more than 20 for what is linear.
    assert any(took(8_000) <= 40 * took(1_000) + 0.002 for _ in range(3))
