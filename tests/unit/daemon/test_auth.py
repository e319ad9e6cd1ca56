"""Who may come in: every combination of headers that decide, once, twice, and in either order."""

from __future__ import annotations

import itertools

import pytest

from holdfast.daemon.auth import examine

PORT, TOKEN = 4711, b"t" * 43
OWN = b"127.0.0.1:4711"
RIGHT = {b"host": OWN, b"origin": b"http://" + OWN, b"authorization": b"Bearer " + TOKEN}
OTHERS = {
    b"host": (b"evil.example", b"", OWN),
    b"origin": (b"http://evil.example", b"null", b"", b"http://" + OWN),
    b"authorization": (b"Bearer wrong", b"", b"Bearer " + TOKEN),
}


def status(headers: list[tuple[bytes, bytes]], *, is_unix: bool = False, path: str = "/api/status") -> int:
    refusal = examine(path=path, headers=headers, is_unix=is_unix, port=PORT, token=TOKEN)
    return refusal.status if refusal else 200


def test_one_of_each_that_is_right_comes_in() -> None:
    for order in itertools.permutations(RIGHT.items()):
        assert status(list(order)) == 200


@pytest.mark.requirement("SEC-2")
@pytest.mark.parametrize("name", sorted(RIGHT))
@pytest.mark.parametrize("path", ["/api/status", "/api/health", "/hooks/Stop"])
def test_a_header_that_decides_and_is_there_twice_is_refused_in_any_order(name: bytes, path: str) -> None:
    for second in OTHERS[name]:
        twice = [*RIGHT.items(), (name, second)]
        for order in itertools.permutations(twice):
            assert status(list(order), path=path) == 400, order


@pytest.mark.requirement("SEC-2")
@pytest.mark.parametrize("origin", [b"http://evil.example", b"null", b"", b"http://127.0.0.1:4711, http://evil"])
def test_another_origin_is_refused_on_both_sockets(origin: bytes) -> None:
    for is_unix in (True, False):
        assert status([*(RIGHT | {b"origin": origin}).items()], is_unix=is_unix) == 403
        twice = [(b"origin", origin), *RIGHT.items()]
        assert status(twice, is_unix=is_unix) == 400
