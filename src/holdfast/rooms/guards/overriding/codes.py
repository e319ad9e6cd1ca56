"""Codes for refused calls. In memory only; each holds for one try and a quarter of an hour."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from holdfast.errors import NothingFound, Refused

MINUTES = 15
_HOLDS_US = MINUTES * 60 * 1_000_000
_MOST = 256
_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


@dataclass(frozen=True, slots=True)
class _Issued:
    code: str
    digest: str
    until: int


class Codes:
    """Which refused calls wait for a code, and which a person has allowed."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._issued: OrderedDict[str, _Issued] = OrderedDict()
        self._allowed: OrderedDict[str, tuple[str, int]] = OrderedDict()

    def issue(self, refusal_id: str, digest: str) -> str:
        """A new code for a refused call."""
        code = "".join(secrets.choice(_LETTERS) for _ in range(6))
        self._issued[refusal_id] = _Issued(code, digest, self._now() + _HOLDS_US)
        while len(self._issued) > _MOST:
            self._issued.popitem(last=False)
        return code

    def allow(self, refusal_id: str, code: str) -> None:
        """Let the call pass once. One wrong try ends the code, so that it cannot be guessed."""
        issued = self._issued.pop(refusal_id, None)
        if issued is None or issued.until < self._now():
            raise NothingFound(
                f"No refusal {refusal_id} waits for a code. A code holds for {MINUTES} minutes, for one try, "
                "and until the daemon restarts."
            )
        if not secrets.compare_digest(issued.code, code.upper().strip()):
            raise Refused("The code is wrong, and does not hold any more. The next refusal shows a new one.")
        self._allowed[issued.digest] = (refusal_id, self._now() + _HOLDS_US)
        while len(self._allowed) > _MOST:
            self._allowed.popitem(last=False)

    def spend(self, digest: str) -> str:
        """The refusal whose very call a person has allowed; it counts once. '' when there is none."""
        refusal_id, until = self._allowed.pop(digest, ("", 0))
        return refusal_id if until >= self._now() else ""
