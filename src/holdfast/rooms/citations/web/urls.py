"""URLs: which ones can be cited, when two of them are one page, and which redirects the client follows. Pure."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urljoin, urlsplit, urlunsplit

from holdfast.patterns import lazy_pattern
from holdfast.rooms.citations.model import NotCited, WebPage

LONGEST = 2_000
FRESH = "holdfast-fresh"
"""A URL whose fragment begins so is read anew. The client sends no fragment, but keeps its own copies of pages by the
whole URL (2.1.325), so a fragment never used before also makes it go to the origin."""

_PORTS = {"http": 80, "https": 443}
_UNSAFE = lazy_pattern(r"[\x00-\x20\x7f<>\"\\^`{|}]")
_ESCAPE = lazy_pattern(r"%[0-9A-Fa-f]{2}")
_SCRUBBED = lazy_pattern(r"\[scrubbed:|%5Bscrubbed:", re.IGNORECASE)
_TRACKING = lazy_pattern(
    r"(utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid|li_fat_id|mc_[ce]id|_hs\w+"
    r"|hsCtaTracking|vero_id|oly_\w+|_openstat|mkt_tok|s_kwcid|ref_src|_ga|_gl)\Z",
    re.IGNORECASE,
)
_CREDENTIAL = lazy_pattern(
    r"(access_?token|auth(_?token)?|token|api_?key|apikey|key|secret|password|passwd|pwd|session(_?id)?|sid|sig|signature"
    r"|x-amz-\S+|x-goog-\S+|jwt|ticket|code)\Z",
    re.IGNORECASE,
)


def page_of(url: object, prompt: object) -> WebPage | NotCited:
    """The page that a WebFetch asks for."""
    if not isinstance(url, str) or not url.strip():
        return NotCited("no URL")
    asked = url.strip()
    key = normalise(asked)
    if isinstance(key, NotCited):
        return key
    fragment = urlsplit(asked).fragment
    return WebPage(key, asked, origin_of(key), prompt if isinstance(prompt, str) else "", fragment.startswith(FRESH))


def normalise(url: str) -> str | NotCited:
    """The one spelling of a URL: scheme and host in lower case, no default port, fragment or tracking parameters."""
    if len(url) > LONGEST:
        return NotCited("the URL is too long")
    if _SCRUBBED.search(url):
        # Two different secrets would share one key.
        return NotCited("a secret was removed from the URL")
    if _UNSAFE.search(url):
        return NotCited("the URL has characters that no URL has")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return NotCited("the URL cannot be read")
    scheme = parts.scheme.lower()
    if scheme not in _PORTS:
        return NotCited("neither https nor http")
    if parts.username is not None or parts.password is not None:
        return NotCited("the URL carries a user name")
    host = _host(parts)
    if host is None:
        return NotCited("the URL names no host")
    names = [pair.partition("=")[0] for pair in parts.query.split("&")]
    if any(_CREDENTIAL.match(name) for name in names):
        return NotCited("the URL carries a credential")
    kept = [pair for pair in parts.query.split("&") if pair and not _TRACKING.match(pair.partition("=")[0])]
    place = host if port in (None, _PORTS[scheme]) else f"{host}:{port}"
    path = _ESCAPE.sub(lambda found: found[0].upper(), parts.path) or "/"
    return urlunsplit((scheme, place, _without_dots(path), "&".join(kept), ""))


def _host(parts: SplitResult) -> str | None:
    host = (parts.hostname or "").rstrip(".")
    if not host:
        return None
    if ":" in host:
        return f"[{host}]"
    if host.isascii():
        return host if re.fullmatch(r"[a-z0-9._-]+", host) else None
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return None


def _without_dots(path: str) -> str:
    """The path without `.` and `..` segments, as every client sends it (RFC 3986, 5.2.4)."""
    if "/." not in path:
        return path
    kept: list[str] = []
    for segment in path.split("/")[1:]:
        if segment == "..":
            kept = kept[:-1]
        elif segment != ".":
            kept.append(segment)
    if path.endswith(("/.", "/..")):
        kept.append("")
    return "/" + "/".join(kept)


def origin_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def host_of(url: str) -> str:
    return urlsplit(url).hostname or ""


def next_hop(url: str, location: str) -> str | None:
    """Where a redirect leads, if the client follows it: the same host (with or without `www.`), never back to http.

    The client reports any other redirect as a result of its own (code 301 or 302) and reads nothing there.
    """
    target = normalise(urljoin(url, location))
    if isinstance(target, NotCited):
        return None
    here, there = urlsplit(url), urlsplit(target)
    if here.scheme == "https" and there.scheme == "http":
        return None
    same_port = (here.port or _PORTS[here.scheme]) == (there.port or _PORTS[there.scheme])
    upgraded = here.scheme == "http" and there.scheme == "https" and here.port is None and there.port is None
    same_host = (here.hostname or "").removeprefix("www.") == (there.hostname or "").removeprefix("www.")
    return target if same_host and (same_port or upgraded) else None
