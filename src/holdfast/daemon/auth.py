"""Who may come in. Pure: a request's facts in, a refusal or None out.

The Unix socket is the owner's by its file mode and the peer's credentials. On TCP any local process and any web page
could knock: the token keeps the first out, the Host and Origin checks (DNS rebinding, cross-site requests) the others.
"""

from __future__ import annotations

import functools
import hmac
from collections.abc import Mapping
from dataclasses import dataclass

OPEN_PATHS = frozenset({"/api/health"})


@dataclass(frozen=True, slots=True)
class Refusal:
    status: int
    sentence: str


def examine(
    *, path: str, headers: Mapping[bytes, bytes], hosts: int, is_unix: bool, port: int, token: bytes
) -> Refusal | None:
    """Why this request may not come in, or None. `hosts` is how many Host headers it has; the mapping holds one."""
    names = _own_names(port)
    origin = headers.get(b"origin")
    if origin is not None and origin not in {b"http://" + name for name in names}:
        return Refusal(403, "Requests from web pages of another origin are not answered.")
    if is_unix:
        return None
    if hosts > 1:
        return Refusal(400, "Requests with more than one Host are not answered.")
    if headers.get(b"host", b"").lower() not in names:
        return Refusal(421, f"This daemon answers to 127.0.0.1:{port} and localhost:{port} only.")
    if path in OPEN_PATHS:
        return None
    scheme, _, given = headers.get(b"authorization", b"").partition(b" ")
    if scheme.lower() != b"bearer" or not hmac.compare_digest(given.strip(), token):
        return Refusal(401, "The token is missing or wrong. `holdfast doctor --fix` puts the right one into the hooks.")
    return None


@functools.cache
def _own_names(port: int) -> frozenset[bytes]:
    suffix = b":%d" % port
    return frozenset(name + suffix for name in (b"127.0.0.1", b"localhost", b"[::1]"))
