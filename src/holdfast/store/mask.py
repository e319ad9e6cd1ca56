"""A store's URL for people: without a password, wherever one may stand in it."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode, urlsplit


def mask(url: str) -> str:
    """`url` without its password."""
    parts = urlsplit(url)
    user, at, host = parts.netloc.rpartition("@")
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    query = urlencode([(key, value) for key, value in pairs if "pass" not in key], safe="/")
    return f"{parts.scheme}://{user.partition(':')[0]}{at}{host}{parts.path}" + (f"?{query}" if query else "")
