"""The command client on its own: what it keeps of a long event."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from holdfast import alone, revive, spool
from holdfast.command_client import DEADLINE
from holdfast.paths import Home


def kept(home: Home, payload: dict[str, object]) -> tuple[dict[str, object], int]:
    """What `keep` leaves in the spool of an event, and how many bytes that takes."""
    alone.keep(home, b"PostToolUse", b"an-id", json.dumps(payload).encode())
    (path,) = spool.waiting(home.spool)
    return spool.take(path).payload, path.stat().st_size


@pytest.mark.requirement("EVT-8")
@pytest.mark.parametrize(
    "response",
    [
        [f"word {number}" for number in range(60_000)],
        {f"key {number}": number for number in range(60_000)},
        [[["deep"] * 10] * 100 for _ in range(500)],
    ],
    ids=["list", "object", "nested"],
)
def test_of_a_long_event_the_beginning_and_the_ids_are_kept(tmp_path: Path, response: object) -> None:
    """Scrubbing all of it would take longer than the client waits for a hook."""
    payload, size = kept(Home(tmp_path), {"session_id": "s-1", "tool_response": response, "tool_use_id": "toolu_1"})
    assert (payload["session_id"], payload["tool_use_id"]) == ("s-1", "toolu_1")
    assert "were left out" in str(payload["holdfast_fault"])
    assert payload["tool_response"]
    assert size < 2 * alone._KEPT_LENGTH


@pytest.mark.requirement("EVT-8")
def test_one_long_text_is_cut_and_nothing_else_left_out(tmp_path: Path) -> None:
    asked: dict[str, object] = {
        "session_id": "s-1",
        "tool_response": {"stdout": "line\n" * 1_000_000},
        "tool_use_id": "toolu_1",
    }
    payload, size = kept(Home(tmp_path), asked)
    assert list(payload) == ["session_id", "tool_response", "tool_use_id"]
    assert "characters cut" in str(payload["tool_response"])
    assert size < 2 * alone._KEPT_LENGTH


@pytest.mark.requirement("EVT-15")
def test_after_a_stop_the_event_is_kept_and_nothing_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(tmp_path)
    home.prepare()
    home.stopped.touch()
    monkeypatch.setattr(revive, "start", lambda home: pytest.fail("it was started"))
    assert alone.deliver(str(tmp_path), b"Stop", b"an-id", b'{"session_id": "s"}', time.monotonic()) == (200, b"{}")
    assert len(spool.waiting(home.spool)) == 1


@pytest.mark.requirement("WRK-15", "MEM-27")
def test_at_a_sessions_start_the_user_is_told_that_no_daemon_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(tmp_path)
    home.prepare()
    monkeypatch.setattr(revive, "may_start", lambda home, now: False)

    def told(event: bytes) -> dict[str, str]:
        status, answer = alone.deliver(str(tmp_path), event, b"an-id", b'{"session_id": "s"}', time.monotonic() - 9)
        assert status == 200
        return dict(json.loads(answer))

    assert "a tool call is judged only where its hook is a command" in told(b"SessionStart")["systemMessage"]
    home.stopped.touch()
    assert "holdfast is stopped: nothing is refused" in told(b"SessionStart")["systemMessage"]
    assert told(b"Stop") == {}


@pytest.mark.requirement("OPS-5")
def test_in_a_home_that_cannot_be_written_nothing_is_started_and_nobody_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(revive, "access", lambda path, mode: False)
    monkeypatch.setattr(revive, "start", lambda home: pytest.fail("it was started"))
    monkeypatch.setattr(alone.time, "sleep", lambda seconds: pytest.fail("it waited"))  # type: ignore[attr-defined]
    for home in (tmp_path, tmp_path / "not" / "there" / "yet"):
        assert revive.start_missing(str(home), time.time()) == 0
        answer = alone.deliver(str(home), b"Stop", b"an-id", b'{"session_id": "s"}', time.monotonic())
        assert answer == (200, b"{}")
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert "this event was not kept" in said


@pytest.mark.requirement("EVT-8")
def test_a_daemon_that_could_not_start_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(tmp_path)
    home.prepare()
    waits: list[float] = []
    monkeypatch.setattr(revive, "start", lambda home: 4711)
    monkeypatch.setattr(alone, "_has_failed", lambda pid: len(waits) >= 3)
    monkeypatch.setattr(alone.time, "sleep", waits.append)  # type: ignore[attr-defined]
    assert alone.deliver(str(tmp_path), b"Stop", b"an-id", b'{"session_id": "s"}', time.monotonic()) == (200, b"{}")
    assert len(waits) == 3, "it waits while the daemon starts, and no longer"
    assert len(spool.waiting(home.spool)) == 1


@pytest.mark.requirement("SEC-7")
def test_an_event_that_cannot_be_scrubbed_in_time_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The client's deadline covers its own scrubbing, and nothing unscrubbed reaches the spool."""

    def never_done(*_: object, **__: object) -> None:
        while True:
            time.sleep(0.01)

    home = Home(tmp_path)
    home.prepare()
    home.stopped.touch()
    monkeypatch.setattr(alone, "clean", never_done)
    began = time.monotonic() - DEADLINE + 0.3
    assert alone.deliver(str(tmp_path), b"Stop", b"an-id", b'{"session_id": "s"}', began) == (200, b"{}")
    assert not list(spool.waiting(home.spool))
    assert "could not be scrubbed in time" in capsys.readouterr().err
