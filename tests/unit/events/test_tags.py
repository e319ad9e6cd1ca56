"""Tags that the client gives a meaning are words in what is given to the model (SEC-9). Texts are generated."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.events.fence import fence, inert

NAMES = (
    *("system-reminder", "task-notification", "command-name", "command-message", "command-args"),
    *("local-command-stdout", "local-command-stderr", "bash-input", "bash-stdout", "bash-stderr"),
    *("user-prompt-submit-hook", "tool_use_error", "persisted-output", "function_calls", "invoke", "parameter"),
    *("private", "holdfast-context"),
)
UNSEEN = (
    "",
    "",
    "",
    "\u200b",
    "\u200c",
    "\u200d",
    "\u00ad",
    "\u2060",
    "\ufeff",
    "\ufe0f",
    "\u034f",
    "\U000e0020",
    "\x00",
)
SPACES = ("", "", " ", "\t", "\n", "\u00a0", "\u3000", " " * 500)
NAMESPACES = ("", "", "antml:", "a.b-c:", "x : ", ":", "ns\u200b:", "ä:", "a:b:c:d:e:f:")
ENDS = (">", " >", " a='1'>", "\n", "/>", "", "\uff1e", ' x="<b>">')
_HIDDEN = frozenset(("Cf", "Cc", "Mn"))


@st.composite
def tags(draw: st.DrawFn) -> tuple[str, str]:
    """A tag in some spelling, and its name."""
    name = draw(st.sampled_from(NAMES))
    spelled = ""
    for letter in name:
        form = draw(st.sampled_from((letter, letter.upper(), chr(ord(letter) + 0xFEE0))))
        spelled += draw(st.sampled_from(UNSEEN)) + form
    opener = draw(st.sampled_from(("<", "<", "\uff1c", "\ufe64")))
    slash = draw(st.sampled_from(("", "/", " / ", "\uff0f", "\u200b/")))
    gap, space = draw(st.sampled_from(SPACES)), draw(st.sampled_from(NAMESPACES))
    return (
        f"{opener}{draw(st.sampled_from(UNSEEN))}{gap}{slash}{gap}{space}{spelled}{draw(st.sampled_from(ENDS))}",
        name,
    )


def meant(text: str) -> str:
    """As a lenient reader takes it."""
    seen = "".join(
        " " if each.isspace() else each for each in text if each.isspace() or unicodedata.category(each) not in _HIDDEN
    )
    return unicodedata.normalize("NFKC", seen).lower()


@pytest.mark.requirement("SEC-9")
@settings(max_examples=150, deadline=None)
@given(tags(), st.text(max_size=30), st.text(max_size=30))
def test_no_spelling_of_a_tag_is_a_tag_any_more(tag: tuple[str, str], before: str, after: str) -> None:
    text, name = tag
    wanted = re.compile(rf"<[\s/]*(?:[\w.-]*\s*:\s*)*{name}(?![\w-])")
    assert wanted.search(meant(f"{text} "))  # the made tag is one
    assert not wanted.search(meant(inert(f"{before}{text} {after}")))
    inside = fence(f"{before}{text} {after}", origin=text, nonce="ab")
    first, *_ = inside.split("\n")
    assert re.fullmatch(r'<holdfast-context from="[^"<>]*" id="ab">', first)
    if name != "holdfast-context":
        assert not wanted.search(meant(inside))


@pytest.mark.requirement("SEC-9")
@settings(max_examples=300, deadline=None)
@given(st.text())
def test_other_text_stays_as_it_is_written(text: str) -> None:
    assert inert(text).replace("‹", "<") == inert(text.replace("‹", "<")).replace("‹", "<")


@pytest.mark.requirement("SEC-9")
@pytest.mark.parametrize(
    "text",
    [
        "<b>html</b> & <div class='system-reminder'>",
        "<parameters> <private-network> <invoker> <commands>",
        "if a < private_key and b <invoked: x <parameter_list>",
        "a system-reminder without signs; command-name: x",
        "List<String> ＜全角＞ <ключ> 👩‍🚀 <",
    ],
)
def test_what_is_no_such_tag_is_left(text: str) -> None:
    assert inert(text) == text


@pytest.mark.requirement("SEC-7")
@pytest.mark.parametrize(
    "part", ["<", "< ", "<a:", "<system", "<system-", "<system ", "a:", "<:", "＜\u200b", "<sys\u200btem-reminder", " "]
)
def test_a_text_full_of_beginnings_takes_linear_time(part: str) -> None:
    # Quadratic time would be minutes here; the suite's own time limit is the judge.
    assert inert("<" + part * (400_000 // len(part)))
