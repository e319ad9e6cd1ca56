"""Patterns that are compiled later do what compiled ones do, and every one of the product can be compiled."""

from __future__ import annotations

import re
import time

import pytest

from holdfast import patterns
from holdfast.judging import packs
from holdfast.patterns import compile_waiting, lazy_pattern, leave_waiting

pytestmark = pytest.mark.requirement("PRF-4")


def test_it_is_what_it_stands_for(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    real = re.compile

    def counted(source: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(source)
        return real(source, flags)

    monkeypatch.setattr(re, "compile", counted)
    later = lazy_pattern(r"(?P<word>a+)(b)?", re.IGNORECASE)
    assert compiled == []
    now = real(r"(?P<word>a+)(b)?", re.IGNORECASE)
    text = "xxAAb aab"
    assert [found.group("word") for found in later.finditer(text)] == [found["word"] for found in now.finditer(text)]
    assert later.findall(text) == now.findall(text)
    assert later.sub("-", text, 1) == now.sub("-", text, 1)
    assert later.split(text) == now.split(text)
    assert (later.match("b"), later.fullmatch("aab") is not None) == (None, True)
    assert (later.pattern, later.flags, later.groups) == (now.pattern, now.flags, now.groups)
    assert dict(later.groupindex) == dict(now.groupindex)
    assert repr(later) == repr(now)
    assert lazy_pattern(rb"\d").sub(b"", b"a1") == b"a"
    with pytest.raises(AttributeError):
        later.unknown  # type: ignore[attr-defined]  # noqa: B018
    assert len(compiled) == 2


def test_every_pattern_of_the_product_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    import holdfast.daemon.worker

    assert holdfast.daemon.worker
    packs.built_in()
    compile_waiting()
    assert not patterns._waiting
    lazy_pattern("(")
    with pytest.raises(ValueError, match="is no regular expression"):
        compile_waiting()


def test_a_process_that_ends_does_not_wait_for_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "_waiting", [])
    made = [lazy_pattern(text) for text in ("a", "b", "c")]
    monkeypatch.setattr(time, "sleep", lambda seconds: leave_waiting())
    compile_waiting(0.1)
    monkeypatch.setattr(re, "compile", lambda *_: pytest.fail("it was not compiled"))
    assert made[-1].match("c")
    with pytest.raises(pytest.fail.Exception):
        made[0].match("a")
