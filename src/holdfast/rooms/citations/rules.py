"""The decisions of this room. Pure: no store, no network, no clock, no settings.

A page counts as unchanged only when its origin says so: 304 to the page's own validator, or 200 with the same strong
ETag. Whatever else happens, the fetch goes its way.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from datetime import datetime
from email.utils import parsedate_to_datetime

from holdfast.rooms.citations.model import (
    Changed,
    Citation,
    Fetched,
    FetchPlan,
    Fresh,
    KnownPage,
    Look,
    OriginAnswer,
    PageVerdict,
    Trait,
    Unproven,
    Unseen,
    Validators,
    WebPage,
)
from holdfast.times import DAY_US, MINUTE_US

CLIENT_CACHE_US = 16 * MINUTE_US
"""The client answers a WebFetch of the same URL from its own memory for 15 minutes (2.1.325)."""
CHALLENGE_EVERY_US = DAY_US
LONGEST_READING = 256 * 1024

_ETAG = re.compile(r'(W/)?"[\x21\x23-\x7e]{0,500}"')
_HTTP_DATE = re.compile(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT")
_DIFFERS = frozenset({"*", "user-agent"})
"""Of what the client sends, only its name differs from what our probe sends; `*` may be anything."""
_INCOMPLETE = re.compile(r"\[scrubbed:|\[… \d+ characters cut …\]")

_LASTING: dict[Trait, int] = {
    "validates": 30 * DAY_US,
    "no_validators": DAY_US,
    "unprovable": DAY_US,
    "always_304": 30 * DAY_US,
    "no_head": 7 * DAY_US,
    "slow": 10 * MINUTE_US,
}


def lasting(trait: Trait) -> int:
    """For how long a trait is believed, in microseconds."""
    return _LASTING[trait]


# --- validators


def checked(etag: str | None, last_modified: str | None) -> Validators | None:
    """The validators that are well formed and safe to put into a header; None when there is none."""
    good_etag = etag if etag and _ETAG.fullmatch(etag) else None
    good_date = last_modified if last_modified and _moment(last_modified) else None
    return Validators(good_etag, good_date) if good_etag or good_date else None


def _moment(text: str | None) -> datetime | None:
    if not text or not _HTTP_DATE.fullmatch(text):
        return None
    try:
        return parsedate_to_datetime(text)
    except ValueError:
        return None


def is_strong(etag: str | None) -> bool:
    return bool(etag) and not str(etag).startswith("W/")


def at_rest(last_modified: str | None, now: str | None) -> bool:
    """Was the page's last second over when the origin answered? (Within that second it may have changed unseen.)"""
    changed, asked = _moment(last_modified), _moment(now)
    return changed is not None and asked is not None and (asked - changed).total_seconds() >= 1


def condition(validators: Validators) -> tuple[str, str]:
    """The header that asks whether the page is still this. One only: some origins answer 304 when either matches."""
    if validators.etag:
        return "If-None-Match", validators.etag
    return "If-Modified-Since", str(validators.last_modified)


def impossible(validators: Validators, nonce: str) -> Validators:
    """Validators of the same kind that no page can have."""
    if validators.etag:
        return Validators(f'"holdfast-{nonce}"', None)
    return Validators(None, "Thu, 01 Jan 1970 00:00:00 GMT")


def version(final_url: str, validators: Validators, content_type: str) -> str:
    """The name of one version of a page; another one whenever the origin describes it otherwise."""
    told = "\0".join((final_url, validators.etag or "", validators.last_modified or "", content_type))
    return hashlib.blake2b(told.encode(), digest_size=12).hexdigest()


def digest(url: str, of_version: str, prompt: str, text: str) -> str:
    """The hash of a reading. It must be the same when the reading is taken from the tables."""
    told = "\0".join((url, of_version, prompt, text))
    return hashlib.blake2b(told.encode("utf-8", "replace"), digest_size=16).hexdigest()


def prompt_key(prompt: str) -> str:
    """Prompts that differ in case and spaces only are one."""
    return hashlib.blake2b(" ".join(prompt.lower().split()).encode("utf-8", "replace"), digest_size=12).hexdigest()


# --- what to do with a WebFetch


def plan(page: WebPage, known: KnownPage) -> FetchPlan:
    """What to do before this fetch."""
    if known.origin & {"always_304", "slow"} or known.page & {"unprovable", "no_validators"}:
        return "pass"
    if known.citation and known.readings and not page.wants_fresh:
        return "verify"
    if "no_validators" in known.origin:
        return "pass"
    return "take"


def asks_again(look: Look, validators: Validators | None) -> bool:
    """Must a HEAD be followed by a GET? When HEAD is refused, tells nothing, or leaves the question open."""
    if isinstance(look, Unseen) or look.status == 304:
        return False
    if look.status != 200:
        return look.status >= 400
    told = checked(look.etag, look.last_modified)
    if told is None:
        return True
    return validators is not None and _same(told, validators) and not is_strong(told.etag)


def needs_challenge(citation: Citation, seen: OriginAnswer, now_us: int) -> bool:
    """Must this 304 be cross-examined with a validator that cannot match?"""
    return seen.status == 304 and now_us - citation.challenged_at >= CHALLENGE_EVERY_US


def judge(citation: Citation, look: Look, challenge: Look | None = None) -> PageVerdict:
    """Is the kept page still the page?"""
    if isinstance(look, Unseen):
        return _unseen(look)
    if look.status not in (200, 304):
        return Unproven(f"the origin answered {look.status}")
    if look.final_url != citation.final_url:
        return Unproven(f"the URL now leads to {look.final_url}")
    forbidden = _forbidden(look)
    if forbidden:
        return Unproven(forbidden, "unprovable")
    if look.status == 304:
        if isinstance(challenge, Unseen):
            return Unproven(challenge.detail)
        if challenge is not None and challenge.status == 304:
            return Unproven("the origin answers 304 to anything", "always_304")
        return Fresh("304 Not Modified")
    if citation.content_type and look.content_type != citation.content_type:
        return Unproven(f"the type is now {look.content_type or 'not told'}")
    told = checked(look.etag, look.last_modified)
    if told is None:
        return Unproven("the origin gave no validator", "no_validators")
    if not _same(told, citation.validators):
        return Changed()
    if is_strong(told.etag):
        return Fresh("200 with the same strong ETag")
    return Unproven("the origin ignores conditions and has no strong ETag", "unprovable")


def _unseen(look: Unseen) -> Unproven:
    return Unproven(look.detail, "slow" if look.why == "slow" else None)


def _same(one: Validators, other: Validators) -> bool:
    """Do two answers describe one version? A date counts only where both have it."""
    dates_differ = bool(one.last_modified and other.last_modified and one.last_modified != other.last_modified)
    if one.etag or other.etag:
        return one.etag == other.etag and not dates_differ
    return one.last_modified == other.last_modified


# --- what to keep of it


def unkeepable(seen: Look) -> Unproven | None:
    """Why a page that is described so is not kept; None when it may be."""
    if isinstance(seen, Unseen):
        return _unseen(seen)
    if seen.status != 200:
        return Unproven(f"the origin answered {seen.status}", "unprovable" if seen.status in (401, 403) else None)
    forbidden = _forbidden(seen)
    if forbidden:
        return Unproven(forbidden, "unprovable")
    told = checked(seen.etag, seen.last_modified)
    if told is None:
        return Unproven("the origin gave no validator", "no_validators")
    if told.etag is None and not at_rest(seen.last_modified, seen.date):
        return Unproven("the page changed within the last second, and has a date only")
    return None


def _forbidden(seen: OriginAnswer) -> str:
    if _names(seen.cache_control) & {"no-store", "private"}:
        return "the origin does not want the page stored"
    if seen.sets_cookie:
        return "the page sets a cookie"
    if _names(seen.vary) & _DIFFERS:
        return f"the page varies with {seen.vary}"
    return ""


def _names(header: str) -> set[str]:
    """The names in a header's list, less their values."""
    return {part.partition("=")[0].strip().lower() for part in header.split(",")}


def seen_version(look: Look) -> str:
    """The version that an answer describes, '' when it describes none that could be kept."""
    if isinstance(look, Unseen) or unkeepable(look):
        return ""
    told = checked(look.etag, look.last_modified)
    return version(look.final_url, told, look.content_type) if told else ""


def why_not_kept(fetched: Fetched, before: OriginAnswer | None, after: Look, client_saw: Iterable[str]) -> str:
    """Why a reading is not kept, '' when everything agrees.

    `client_saw` are the versions that this client may have read under the same URL lately: it keeps pages in its own
    memory, so its reading may be of an older version than the one the origin showed before and after.
    """
    if fetched.code != 200:
        return f"the client got {fetched.code}"
    if not fetched.text.strip() or len(fetched.text) > LONGEST_READING:
        return "there is no reading, or too much of it"
    if _INCOMPLETE.search(fetched.text):
        return "the reading is not whole"
    if before is None:
        return "nothing was seen before the fetch"
    reason = unkeepable(before) or unkeepable(after)
    if reason:
        return reason.why
    described = seen_version(before)
    if described != seen_version(after):
        return "the page changed during the fetch"
    if any(other != described for other in client_saw):
        return "the client may have read an older version from its own memory"
    return ""


def may_share(seen: OriginAnswer) -> bool:
    """May a team see it? Not what is on a private network, nor what depends on who is logged in."""
    return not seen.is_private and not _names(seen.vary) & {"cookie", "authorization"}


def subject(page: WebPage, trait: Trait, known: KnownPage) -> str:
    """What a trait is true of: this page, or the whole origin. One page without validators speaks for its origin
    only as long as no other page of it is known to have some."""
    validates = "validates" in known.origin or known.citation is not None
    return page.url if trait == "unprovable" or (trait == "no_validators" and validates) else page.origin
