"""Decides which requests may enter. Pure: facts about a request in, a reason to refuse or None out.

The Unix socket is the owner's by its file mode and the peer's credentials. On TCP any local process and any web page
could knock: the token keeps the first out, the Host and Origin checks (DNS rebinding, cross-site requests) the others.
"""

from __future__ import annotations

import functools
import hmac
from collections.abc import Sequence
from dataclasses import dataclass

OPEN_PATHS = frozenset({"/api/health"})
_DECIDING = frozenset({b"host", b"origin", b"authorization"})


@dataclass(frozen=True, slots=True)
class RequestRefused:
    status: int
    sentence: str


def examine(
    *, path: str, headers: Sequence[tuple[bytes, bytes]], is_unix: bool, port: int, token: bytes
) -> RequestRefused | None:
    """The reason why this request is refused, or None.

    A header that decides may be there only once: a proxy in between may have judged by the other one.
    """
    given: dict[bytes, bytes] = {}
    for name, value in headers:
        if name in _DECIDING and name in given and not (is_unix and name == b"host"):
            return RequestRefused(400, f"Requests with more than one {name.decode().title()} are not answered.")
        given[name] = value
    names = _own_names(port)
    origin = given.get(b"origin")
    if origin is not None and origin not in {b"http://" + name for name in names}:
        return RequestRefused(403, "Requests from web pages of another origin are not answered.")
    if is_unix:
        return None
    if given.get(b"host", b"").lower() not in names:
        return RequestRefused(421, f"This daemon answers to 127.0.0.1:{port} and localhost:{port} only.")
    if path in OPEN_PATHS:
        return None
    scheme, _, shown = given.get(b"authorization", b"").partition(b" ")
    if scheme.lower() != b"bearer" or not hmac.compare_digest(shown.strip(), token):
        return RequestRefused(
            401, "The token is missing or wrong. `holdfast doctor --fix` puts the right one into the hooks."
        )
    return None


@functools.cache
def _own_names(port: int) -> frozenset[bytes]:
    suffix = b":%d" % port
    return frozenset(name + suffix for name in (b"127.0.0.1", b"localhost", b"[::1]"))
