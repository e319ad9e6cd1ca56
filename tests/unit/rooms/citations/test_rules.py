"""The decisions, as tables."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdfast.rooms.citations import rules
from holdfast.rooms.citations.model import (
    Changed,
    Citation,
    Fetched,
    FetchPlan,
    Fresh,
    KnownPage,
    Look,
    OriginAnswer,
    PageReading,
    Trait,
    Unproven,
    Unseen,
    Validators,
    WebPage,
)
from holdfast.times import DAY_US
from tests.support.table import each_of

DATE = "Thu, 01 Jan 2026 00:00:00 GMT"
LATER = "Thu, 01 Jan 2026 00:00:01 GMT"
URL = "https://e.org/a"
PAGE = WebPage(URL, URL, "https://e.org", "p")
SEEN = OriginAnswer(200, URL, '"1"', DATE, LATER, "text/html")
CITATION = Citation(
    *("c", "me", "project", URL, URL),
    validators=Validators('"1"', DATE),
    content_type="text/html",
    version="v",
    source="webfetch",
    verified_at=0,
    challenged_at=0,
    changed_at=None,
)
KNOWN = KnownPage(CITATION, (PageReading("r", "p", "text", 1, 1, "me", 0),))
FETCHED = Fetched(200, "a reading", 1, 1)


@pytest.mark.requirement("CIT-6")
@each_of(
    ("etag", "date", "good"),
    [
        ('"1"', DATE, Validators('"1"', DATE)),
        ('W/"1"', None, Validators('W/"1"', None)),
        ('""', None, Validators('""', None)),
        (None, DATE, Validators(None, DATE)),
        ("unquoted", DATE, Validators(None, DATE)),
        ('"1"\r\nX: 1', None, None),
        ('"1" "2"', None, None),
        ('"a b"', None, None),
        ('"ä"', None, None),
        ('"' + "x" * 501 + '"', None, None),
        (None, DATE + "\r\nX: 1", None),
        (None, "yesterday", None),
        (None, "Thu, 99 Jan 2026 00:00:00 GMT", None),
        ("", "", None),
    ],
)
def test_only_well_formed_validators_are_sent(etag: str | None, date: str | None, good: Validators | None) -> None:
    assert rules.checked(etag, date) == good


@pytest.mark.requirement("CIT-4")
@pytest.mark.parametrize(("date", "rest"), [(LATER, True), (DATE, False), (None, False), ("nonsense", False)])
def test_the_one_second_rule(date: str | None, rest: bool) -> None:
    assert rules.at_rest(DATE, date) is rest


def test_one_condition_only() -> None:
    assert rules.condition(Validators('"1"', DATE)) == ("If-None-Match", '"1"')
    assert rules.condition(Validators(None, DATE)) == ("If-Modified-Since", DATE)
    assert rules.impossible(Validators('"1"', DATE), "n").etag != '"1"'
    assert rules.impossible(Validators(None, DATE), "n").last_modified == "Thu, 01 Jan 1970 00:00:00 GMT"


@pytest.mark.parametrize(
    ("known", "fresh", "plan"),
    [
        (KnownPage(), False, "take"),
        (KNOWN, False, "verify"),
        (KNOWN, True, "take"),
        (replace(KNOWN, readings=()), False, "take"),
        (KnownPage(origin=frozenset({"no_validators"})), False, "pass"),
        (replace(KNOWN, origin=frozenset({"no_validators"})), False, "verify"),
        (replace(KNOWN, page=frozenset({"no_validators"})), False, "pass"),
        (replace(KNOWN, page=frozenset({"unprovable"})), False, "pass"),
        (replace(KNOWN, origin=frozenset({"always_304"})), False, "pass"),
        (replace(KNOWN, origin=frozenset({"slow"})), False, "pass"),
        (replace(KNOWN, origin=frozenset({"no_head", "validates"})), False, "verify"),
    ],
)
def test_what_to_do_before_a_fetch(known: KnownPage, fresh: bool, plan: FetchPlan) -> None:
    assert rules.plan(replace(PAGE, wants_fresh=fresh), known) == plan


@pytest.mark.parametrize(
    ("look", "validators", "again"),
    [
        (Unseen("slow", ""), None, False),
        (replace(SEEN, status=304), CITATION.validators, False),
        (replace(SEEN, status=405), None, True),
        (replace(SEEN, status=302), None, False),
        (SEEN, None, False),
        (replace(SEEN, etag=None, last_modified=None), None, True),
        (SEEN, CITATION.validators, False),
        (replace(SEEN, etag='W/"1"'), Validators('W/"1"', DATE), True),
        (replace(SEEN, etag='W/"2"'), Validators('W/"1"', DATE), False),
        (replace(SEEN, etag=None), Validators(None, DATE), True),
    ],
)
def test_when_head_is_not_enough(look: Look, validators: Validators | None, again: bool) -> None:
    assert rules.asks_again(look, validators) is again


@pytest.mark.requirement("CIT-1")
@pytest.mark.requirement("CIT-4")
@each_of(
    ("look", "challenge", "verdict"),
    [
        (replace(SEEN, status=304), None, Fresh),
        (replace(SEEN, status=304, content_type=""), None, Fresh),
        (replace(SEEN, status=304), SEEN, Fresh),
        (replace(SEEN, status=304), replace(SEEN, status=304), "always_304"),
        (replace(SEEN, status=304), Unseen("slow", "s"), None),
        (replace(SEEN, status=304, final_url=URL + "/login"), None, None),
        (replace(SEEN, status=304, cache_control="No-Store"), None, "unprovable"),
        (replace(SEEN, status=304, sets_cookie=True), None, "unprovable"),
        (SEEN, None, Fresh),
        (replace(SEEN, final_url=URL + "/login"), None, None),
        (replace(SEEN, content_type="application/json"), None, None),
        (replace(SEEN, etag='"2"'), None, Changed),
        (replace(SEEN, last_modified=LATER), None, Changed),
        (replace(SEEN, etag=None), None, Changed),
        (replace(SEEN, etag=None, last_modified=None), None, "no_validators"),
        (replace(SEEN, status=404), None, None),
        (replace(SEEN, status=412), None, None),
        (replace(SEEN, status=206), None, None),
        (Unseen("slow", "s"), None, "slow"),
        (Unseen("refused", "s"), None, None),
    ],
)
def test_is_it_still_the_page(look: Look, challenge: Look | None, verdict: type | str | None) -> None:
    found = rules.judge(CITATION, look, challenge)
    if isinstance(verdict, type):
        assert isinstance(found, verdict)
    else:
        assert isinstance(found, Unproven)
        assert found.trait == verdict


def test_an_equal_weak_etag_proves_nothing_by_itself() -> None:
    weak = replace(CITATION, validators=Validators('W/"1"', None))
    assert isinstance(rules.judge(weak, replace(SEEN, etag='W/"1"')), Unproven)


@pytest.mark.parametrize(("ago", "status", "needed"), [(0, 304, False), (DAY_US, 304, True), (DAY_US, 200, False)])
def test_when_a_304_is_cross_examined(ago: int, status: int, needed: bool) -> None:
    asked = replace(CITATION, challenged_at=5)
    assert rules.needs_challenge(asked, replace(SEEN, status=status), 5 + ago) is needed


@pytest.mark.requirement("CIT-2")
@pytest.mark.requirement("CIT-3")
@each_of(
    ("fetched", "before", "after", "saw", "kept"),
    [
        (FETCHED, SEEN, SEEN, (), True),
        (FETCHED, SEEN, replace(SEEN, date="Fri, 02 Jan 2026 00:00:00 GMT", at_us=9), (), True),
        (FETCHED, replace(SEEN, etag=None), replace(SEEN, etag=None), (), True),
        (FETCHED, replace(SEEN, etag=None, date=DATE), replace(SEEN, etag=None), (), False),
        (FETCHED, replace(SEEN, etag=None, date=None), replace(SEEN, etag=None, date=None), (), False),
        (replace(FETCHED, code=302), SEEN, SEEN, (), False),
        (replace(FETCHED, text=" "), SEEN, SEEN, (), False),
        (replace(FETCHED, text="x" * (rules.LONGEST_READING + 1)), SEEN, SEEN, (), False),
        (replace(FETCHED, text="a [scrubbed:token] b"), SEEN, SEEN, (), False),
        (replace(FETCHED, text="a\n[… 12 characters cut …]\nb"), SEEN, SEEN, (), False),
        (FETCHED, None, SEEN, (), False),
        (FETCHED, SEEN, Unseen("slow", "s"), (), False),
        (FETCHED, SEEN, replace(SEEN, etag='"2"'), (), False),
        (FETCHED, SEEN, replace(SEEN, last_modified=LATER, date="Fri, 02 Jan 2026 00:00:00 GMT"), (), False),
        (FETCHED, SEEN, replace(SEEN, final_url=URL + "/x"), (), False),
        (FETCHED, SEEN, replace(SEEN, content_type="text/plain"), (), False),
        (FETCHED, SEEN, replace(SEEN, status=500), (), False),
        (FETCHED, replace(SEEN, status=404), replace(SEEN, status=404), (), False),
        (FETCHED, SEEN, SEEN, (rules.seen_version(SEEN),), True),
        (FETCHED, SEEN, SEEN, ("another",), False),
        (FETCHED, SEEN, SEEN, ("",), False),
    ],
)
def test_kept_only_when_everything_agrees(
    fetched: Fetched, before: OriginAnswer | None, after: Look, saw: tuple[str, ...], kept: bool
) -> None:
    assert (rules.why_not_kept(fetched, before, after, saw) == "") is kept


@pytest.mark.requirement("CIT-8")
@pytest.mark.parametrize(
    ("seen", "may"),
    [
        (SEEN, True),
        (replace(SEEN, vary="Accept"), True),
        (replace(SEEN, vary="accept, COOKIE"), False),
        (replace(SEEN, vary="Authorization"), False),
        (replace(SEEN, is_private=True), False),
    ],
)
def test_what_a_team_may_see(seen: OriginAnswer, may: bool) -> None:
    assert rules.may_share(seen) is may


@pytest.mark.parametrize(
    ("trait", "known", "subject"),
    [
        ("no_validators", KnownPage(), PAGE.origin),
        ("no_validators", KnownPage(origin=frozenset({"validates"})), PAGE.url),
        ("no_validators", KNOWN, PAGE.url),
        ("unprovable", KnownPage(), PAGE.url),
        ("always_304", KNOWN, PAGE.origin),
        ("slow", KNOWN, PAGE.origin),
    ],
)
def test_what_a_trait_is_true_of(trait: Trait, known: KnownPage, subject: str) -> None:
    assert rules.subject(PAGE, trait, known) == subject


def test_versions_tell_apart_whatever_the_origin_says() -> None:
    told = [
        SEEN,
        replace(SEEN, etag='"2"'),
        replace(SEEN, last_modified="Wed, 31 Dec 2025 00:00:00 GMT"),
        replace(SEEN, final_url=URL + "/x"),
        replace(SEEN, content_type="text/plain"),
    ]
    assert len({rules.seen_version(each) for each in told}) == len(told)
    assert rules.seen_version(replace(SEEN, status=404)) == ""
