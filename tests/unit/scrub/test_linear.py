"""Scrubbing is linear in the text, whatever the text; and an event costs a bounded number of steps (SEC-7)."""

import sys
import sysconfig
from itertools import chain
from pathlib import Path

import pytest
from bench.scrub_corpus import cases
from bench.scrub_worst import SHAPES, repeated, took

from holdfast.scrub import Busy, Scrubber, default_rules, default_scrubber, engine, steps
from holdfast.scrub.engine import UNSCRUBBED, Scrubbed
from holdfast.scrub.hidden import without_hidden
from holdfast.scrub.runs import LetterRuns
from holdfast.scrub.scan import LONGEST_WORD, PlainFinder, WordHit, in_order
from holdfast.scrub.steps import PER_BYTE, POOL
from tests.support.linear import grows_linearly
from tests.support.table import each_of

pytestmark = pytest.mark.requirement("SEC-7")

TOKEN = "gh" + "p_" + "aB3dE6gH9kL2mN5pQ8rS1tU4vW7xY0zC" + "fJ4k"
PLAIN = Scrubber(default_rules(), fast=False)
DENSE = "password=hunter%d&token=aB3dE6gH9kL2mN5pQ8\n"


@each_of("shape", SHAPES, ids=range(len(SHAPES)))
def test_no_shape_can_be_kept_busy(shape: str) -> None:
    assert grows_linearly(shape)


@pytest.mark.parametrize("glue", ["=", "", "%26", ": ", '":"'])
def test_names_inside_one_run_are_walked_over_once(glue: str) -> None:
    for name in ("X-AMZ-SECURITY-TOKEN", "access_token", "secret", "password", "api_key"):
        assert grows_linearly(f"{name}{glue}")
        assert grows_linearly(f"{name}{glue}Ab3dE6gH9kL2mN5pQ8")


def test_no_call_searches_more_than_a_piece_and_the_pieces_tell_what_the_whole_would() -> None:
    """One call holds the interpreter (`python -m bench.crowd` measures for how long)."""
    sizes: list[int] = []

    class Counted(PlainFinder):
        def hits(self, folded: bytes) -> list[WordHit]:
            sizes.append(len(folded))
            return super().hits(folded)

    words = [b"sk-", b"sk-ant-", b"secret", b"secret_key"]
    text = (b"sk-ant-secret_key" * 20_000)[: 256 * 1024]
    whole = sorted(PlainFinder(words).hits(text), key=lambda hit: hit[1])
    assert {*chain.from_iterable(in_order(Counted(words), text))} == {*whole}
    assert max(sizes) <= 4 * 1024 + LONGEST_WORD


def test_the_end_of_a_run_is_the_same_wherever_one_asks() -> None:
    data = b"aaa bbb=ccc;d%2Fe f"
    for order in (range(len(data)), reversed(range(len(data))), [9, 4, 6, 0, 2, 13, 12, 18]):
        runs = LetterRuns(data)
        for at in order:
            end = at
            while end < len(data) and data[end] not in b" ;":
                end += 1
            assert runs.end(at) == end


def test_a_place_without_hidden_characters_is_found_again_with_them() -> None:
    text = "a\u200bbc\x1b[31mé\u00addef"
    plain = without_hidden(text)
    assert plain is not None
    assert plain.data.decode() == "abcédef"
    assert plain.whole(0, 2) == (0, 5)
    assert plain.whole(1, 3) is None
    assert text.encode()[plain.place(5) :].decode() == "def"
    assert without_hidden("plain é text") is None


def test_a_step_costs_about_the_same_whatever_the_text() -> None:
    """What steps bound is worth nothing when a step can be slow: a keyword at the end of every line was, twentyfold."""
    scrubber = default_scrubber()
    words = sorted({word.decode() for rule in default_rules().rules for word in rule.keywords})
    texts = [
        repeated(f"{word}{glue}", 2_048) for word in ["AKIA", "ghp_", "key-", *words[::25]] for glue in ("\n", "Zk3\n")
    ]

    def per_step(text: str, rounds: int) -> float:
        steps = scrubber._places.find(text.encode()).used + len(text) * PER_BYTE
        return took(scrubber, text, rounds) / steps

    usual = per_step(repeated("password: ", 2_048), 7)
    assert [text[:40] for text in texts if all(per_step(text, rounds) > 12 * usual for rounds in (1, 3))] == []


@pytest.mark.parametrize("seed", ["tskey-a", "sgp_Zk3"])
def test_a_run_of_tokens_goes_in_two_passes_and_not_one_in_each(seed: str) -> None:
    assert len(default_scrubber().text(repeated(seed, 20_000)).text) < 100


# ---- the budget --------------------------------------------------------------------------------------------


SHARE = 8
"""The tests of this part have an eighth of the pool, and an eighth of the text: the same happens in an eighth of the
time. One of them has the whole pool."""
TOO_DENSE = "".join(DENSE % at for at in range(13_000 // SHARE)) + f"\nlast words {TOKEN} end"


@pytest.fixture
def small_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (engine, steps):
        monkeypatch.setattr(module, "POOL", POOL // SHARE)


@pytest.fixture
def scrubbed(small_pool: None) -> Scrubbed:
    """What is left of `TOO_DENSE`."""
    return default_scrubber().text(TOO_DENSE)


@pytest.mark.parametrize("share", [1, SHARE])
def test_what_was_not_looked_at_is_cut_and_marked(share: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "POOL", POOL // share)
    text = TOO_DENSE if share == SHARE else DENSE % 1 * 10_000 + TOO_DENSE
    scrubbed = default_scrubber().text(text)
    assert scrubbed.found[-1] == UNSCRUBBED
    assert "bytes were not looked at" in scrubbed.text
    assert "hunter" not in scrubbed.text
    assert TOKEN not in scrubbed.text
    assert "last words" not in scrubbed.text


def test_the_same_text_is_always_cut_at_the_same_place_by_either_engine(scrubbed: Scrubbed) -> None:
    assert UNSCRUBBED in scrubbed.found
    assert scrubbed == default_scrubber().text(TOO_DENSE) == PLAIN.text(TOO_DENSE)


def test_a_text_that_was_cut_is_not_cut_again(scrubbed: Scrubbed) -> None:
    others = (default_scrubber().text(repeated(seed, 500_000)) for seed in ("sk-ant-", "password="))
    for once in (scrubbed, *others):
        assert UNSCRUBBED in once.found
        assert default_scrubber().text(once.text) == (once.text, ())


@pytest.mark.usefixtures("small_pool")
def test_the_texts_of_an_event_share_one_pool() -> None:
    part = "".join(DENSE % at for at in range(2_500 // SHARE))
    assert UNSCRUBBED not in default_scrubber().text(part).found
    value, found = default_scrubber().value({"parts": [part] * 5, "note": "kept"})
    assert UNSCRUBBED in found
    assert isinstance(value, dict)
    assert value["note"] == "kept"
    assert "hunter" not in str(value)
    assert default_scrubber().value({"parts": [part] * 5, "note": "kept"}) == (value, found)


@pytest.mark.usefixtures("small_pool")
def test_a_cut_never_halves_a_character_or_a_secret() -> None:
    text = "".join(f"pässwörd: ünd password=hünter{at}&token=aB3dE6gH9kL2mN5pQ8" for at in range(5_000 // SHARE))
    text += " sk-ant-ü" * (20_000 // SHARE)
    scrubbed = default_scrubber().text(text)
    assert UNSCRUBBED in scrubbed.found
    assert "\ufffd" not in scrubbed.text
    assert "aB3dE6" not in scrubbed.text


def test_ordinary_texts_stay_far_below_the_budget() -> None:
    dense = "\n".join(case.text for case in cases(seed=3, rounds=1)).encode()
    source = b"".join(
        Path(sysconfig.get_path("stdlib"), name).read_bytes() for name in ("argparse.py", "ssl.py", "typing.py")
    )
    places = default_scrubber()._places
    assert places.find(source).used < len(source) * PER_BYTE / 10
    assert places.find(dense).used < POOL


@pytest.mark.parametrize("seed", ["sk-ant-", "password=", "xoxp-", DENSE % 1])
def test_one_who_keeps_others_waiting_is_told_that_it_would_take_long(seed: str) -> None:
    hostile = {"tool_response": {"stdout": repeated(seed, 30_000)}}
    with pytest.raises(Busy):
        default_scrubber().quickly(hostile)
    assert default_scrubber().value(hostile)[1]
    ordinary = {"tool_response": Path(sysconfig.get_path("stdlib"), "ssl.py").read_text()[:30_000], "token": TOKEN}
    assert default_scrubber().quickly(ordinary) == default_scrubber().value(ordinary)


def test_a_long_work_looks_up_often_and_finds_the_same() -> None:
    """Whoever scrubs a hostile text in a thread lets the others have the interpreter (`breathe`). What is done between
    two looks is counted in calls, because time is another machine's."""
    words = (
        "X-AMZ-SECURITY-TOKEN=",
        "eyJ",
        "key-",
        "sk-ant-\n",
        "-----BEGIN PRIVATE KEY-----\n",
        "\u200b\n",
        "\x1b[0m\n",
    )
    scrubber = default_scrubber()
    for word in words:
        text = (word * (48 * 1024))[: 48 * 1024]
        done, longest = 0, 0

        def count(*_: object) -> None:
            nonlocal done
            done += 1

        def breathe() -> None:
            nonlocal done, longest
            done, longest = 0, max(longest, done)

        sys.setprofile(count)
        try:
            found = scrubber.value({"stdout": text}, breathe)
        finally:
            sys.setprofile(None)
        assert max(longest, done) <= 30_000, (word, longest, done)
        assert found == scrubber.value({"stdout": text})
