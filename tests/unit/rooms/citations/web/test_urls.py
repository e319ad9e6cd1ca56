"""Which URLs can be cited, when two are one page, and which redirects are followed."""

from __future__ import annotations

import pytest

from holdfast.rooms.citations.model import NotCited, WebPage
from holdfast.rooms.citations.web.urls import next_hop, normalise, page_of
from tests.support.table import each_of


@pytest.mark.requirement("CIT-7")
@each_of(
    ("given", "key"),
    [
        ("https://Example.ORG/Path", "https://example.org/Path"),
        ("HTTPS://example.org:443", "https://example.org/"),
        ("http://example.org:80/", "http://example.org/"),
        ("https://example.org:8443/", "https://example.org:8443/"),
        ("https://example.org./a", "https://example.org/a"),
        ("https://example.org/a#part", "https://example.org/a"),
        ("https://example.org/a?", "https://example.org/a"),
        ("https://example.org/a?utm_source=x&b=2&gclid=1&a=1", "https://example.org/a?b=2&a=1"),
        ("https://example.org/a?utm_source=x", "https://example.org/a"),
        ("https://example.org/a?b=&a", "https://example.org/a?b=&a"),
        ("https://example.org/%c3%a4", "https://example.org/%C3%A4"),
        ("https://example.org/a/./b/../c", "https://example.org/a/c"),
        ("https://example.org/a/..", "https://example.org/"),
        ("https://b\u00fccher.example/", "https://xn--bcher-kva.example/"),
        ("https://[2001:DB8::1]:443/x", "https://[2001:db8::1]/x"),
    ],
)
def test_one_spelling(given: str, key: str) -> None:
    assert normalise(given) == key
    assert normalise(key) == key


@pytest.mark.requirement("CIT-6")
@each_of(
    "url",
    [
        *(
            "file:///etc/passwd",
            "ftp://example.org/",
            "javascript:alert(1)",
            "//example.org/",
            "example.org",
            "https://",
        ),
        *("https://user@example.org/", "https://user:pw@example.org/", "https://example.org:99999/"),
        *("https://example.org/a b", "https://example.org/\r\nX-Evil: 1", "https://example.org/\x00"),
        *(
            "https://example.org/?access_token=1",
            "https://example.org/?X-Amz-Signature=1",
            "https://example.org/?key=1",
        ),
        *("https://example.org/?q=[scrubbed:token]", "https://exa[mple.org/", "https://example.org/" + "a" * 2000),
        "https://exa_mple!.org/",
    ],
)
def test_never_cited(url: str) -> None:
    assert isinstance(normalise(url), NotCited)


@pytest.mark.parametrize("url", [None, 7, "", "  ", ["https://example.org"]])
def test_not_a_url(url: object) -> None:
    assert isinstance(page_of(url, "p"), NotCited)


@pytest.mark.parametrize(
    ("url", "fresh"),
    [("https://e.org/a", False), ("https://e.org/a#holdfast-fresh", True), ("https://e.org/a#holdfast-fresh-1f", True)],
)
def test_the_way_out(url: str, fresh: bool) -> None:
    page = page_of(url, 7)
    assert page == WebPage("https://e.org/a", url, "https://e.org", "", fresh)


@pytest.mark.requirement("CIT-4")
@each_of(
    ("url", "location", "target"),
    [
        ("https://e.org/a", "/b", "https://e.org/b"),
        ("https://e.org/a/b", "c", "https://e.org/a/c"),
        ("https://e.org/a", "https://www.e.org/a", "https://www.e.org/a"),
        ("https://www.e.org/a", "https://e.org/a", "https://e.org/a"),
        ("http://e.org/a", "https://e.org/a", "https://e.org/a"),
        ("https://e.org/a", "http://e.org/a", None),
        ("https://e.org/a", "https://other.org/a", None),
        ("https://e.org/a", "https://e.org:8443/a", None),
        ("https://e.org/a", "https://e.org.evil.org/a", None),
        ("https://e.org/a", "https://user@e.org/a", None),
        ("https://e.org/a", "file:///etc/passwd", None),
        ("http://e.org:8000/a", "https://e.org/a", None),
    ],
)
def test_only_the_clients_own_redirects_are_followed(url: str, location: str, target: str | None) -> None:
    assert next_hop(url, location) == target
