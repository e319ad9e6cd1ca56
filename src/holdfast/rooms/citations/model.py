"""The values of this room. No behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Trait = Literal["validates", "no_validators", "unprovable", "always_304", "no_head", "slow"]
"""What may be known of an origin or a URL; `rules.lasting` says for how long."""


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page as it was asked for: `url` is its normalised key, `asked` the client's own words."""

    url: str
    asked: str
    origin: str
    prompt: str
    wants_fresh: bool = False


@dataclass(frozen=True, slots=True)
class NotCited:
    """Why a URL can never be cited."""

    why: str


@dataclass(frozen=True, slots=True)
class Validators:
    """What a version of a page is called by its origin; at least one of the two, both safe to send."""

    etag: str | None
    last_modified: str | None


@dataclass(frozen=True, slots=True)
class OriginAnswer:
    """What an origin answered to a probe, at the end of all redirects."""

    status: int
    final_url: str
    etag: str | None = None
    last_modified: str | None = None
    date: str | None = None
    content_type: str = ""
    cache_control: str = ""
    vary: str = ""
    sets_cookie: bool = False
    method: str = "HEAD"
    is_private: bool = False
    """Was any hop at an address that is not public (and which the settings allow)?"""
    at_us: int = 0


@dataclass(frozen=True, slots=True)
class Unseen:
    """Why a probe gave no answer."""

    why: Literal["slow", "refused", "redirects", "unreachable"]
    detail: str


Look = OriginAnswer | Unseen


@dataclass(frozen=True, slots=True)
class Citation:
    """A page that was read, as its origin described it."""

    id: str
    owner: str
    scope: str
    url: str
    final_url: str
    validators: Validators
    content_type: str
    version: str
    source: str
    verified_at: int
    challenged_at: int
    changed_at: int | None


@dataclass(frozen=True, slots=True)
class PageReading:
    """What one prompt got out of the page."""

    id: str
    prompt: str
    text: str
    page_bytes: int
    took_ms: int
    read_by: str
    read_at: int


@dataclass(frozen=True, slots=True)
class KnownPage:
    """What is stored about a page before its origin is asked. `origin` and `page` hold the traits of each."""

    citation: Citation | None = None
    readings: tuple[PageReading, ...] = ()
    origin: frozenset[Trait] = frozenset()
    page: frozenset[Trait] = frozenset()


@dataclass(frozen=True, slots=True)
class Fetched:
    """What the client's WebFetch gave."""

    code: int
    text: str
    page_bytes: int
    took_ms: int


FetchPlan = Literal["pass", "take", "verify"]
"""Let the fetch go; take the validators before it goes; verify the kept page."""


@dataclass(frozen=True, slots=True)
class Fresh:
    """The origin has proven that the page is the same."""

    how: str


@dataclass(frozen=True, slots=True)
class Changed:
    """The origin has another version of the page."""


@dataclass(frozen=True, slots=True)
class Unproven:
    """Neither is proven. `trait` is what this teaches about the page or its origin."""

    why: str
    trait: Trait | None = None


PageVerdict = Fresh | Changed | Unproven
