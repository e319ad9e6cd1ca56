"""A private tag counts however it is written and wherever it is divided: generated, not listed (MEM-2)."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from holdfast.alone import _payload
from holdfast.road.clean import clean
from holdfast.road.edge import read_payload
from holdfast.road.mend import mend
from holdfast.road.private import may_hold_tags, without_private
from holdfast.scrub import default_scrubber

pytestmark = pytest.mark.requirement("MEM-2")

SECRET = "Kellerschluessel"
HIDDEN = ["", "\u200b", "\u00ad", "\ufeff", "\u2060\u200d", "\u180e", "\x00"]
LESS = [
    "<",
    "\uff1c",
    "\ufe64",
    "&lt;",
    "&LT;",
    "&#60;",
    "&#x3c;",
    "&#0060;",
    "\\u003c",
    "\\\\u003C",
    "\\x3c",
    "%3C",
    "%253c",
]
MORE = [">", "\uff1e", "\ufe65", "&gt;", "&#62;", "&#x3E;", "\\u003e", "\\x3E", "%3e"]
SLASH = ["/", "\uff0f", "&sol;", "&#47;", "\\u002f", "%2F"]


def written(char: str) -> list[str]:
    code = ord(char)
    wide = chr(code + 0xFEE0)
    return [
        char,
        char.upper(),
        wide,
        f"&#{code};",
        f"&#x{code:x};",
        f"\\u{code:04x}",
        f"\\u{{{code:x}}}",
        f"%{code:02X}",
    ]


@st.composite
def tags(draw: Any, closing: bool = False) -> str:
    """A tag in any of its forms. Plain letters mostly, or nothing would be tried twice."""
    letters = []
    for char in "private":
        letters.append(draw(st.sampled_from([char] * 6 + written(char))) + draw(st.sampled_from([""] * 8 + HIDDEN)))
    space = draw(st.sampled_from(["", "", " ", "\n\t"]))
    slash = draw(st.sampled_from(SLASH)) if closing else ""
    made: str = (
        draw(st.sampled_from(LESS)) + draw(st.sampled_from(HIDDEN)) + space + slash + "".join(letters)
        + draw(st.sampled_from(MORE))
    )  # fmt: skip
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


@pytest.mark.parametrize("at", range(len("<private>") + 1))
@pytest.mark.parametrize("tag", ["<private>", "< private>", "<\nprivate>", "<PRIVATE>"])
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
    assert kept == text or may_hold_tags(text.encode())


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
    assert any(took(40_000) <= 40 * took(5_000) + 0.002 for _ in range(3))
