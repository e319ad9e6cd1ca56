"""The reference pages say what the program does."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.config import keys
from holdfast.doors.cli import reference
from holdfast.doors.cli.table import VERBS, read_rooms
from holdfast.program import PROGRAM

ROOT = Path(__file__).parents[4]


@pytest.mark.requirement("OPS-6")
def test_the_pages_are_up_to_date() -> None:
    assert reference.differing(ROOT) == [], "run `python -m holdfast.doors.cli.reference`"


def test_check_notices_a_difference_and_writing_mends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert reference.main(["--check"]) == 1
    assert reference.main([]) == 0
    assert reference.main(["--check"]) == 0
    page = tmp_path / reference.FOLDER / "events.md"
    page.write_text(page.read_text().replace("PreToolUse", "PreToolUsed"))
    assert reference.main(["--check"]) == 1


@pytest.mark.requirement("OPS-6")
def test_every_key_verb_and_event_is_documented() -> None:
    commands, configuration, events = (
        reference.commands_page(),
        reference.configuration_page(),
        reference.events_page(),
    )
    assert all(f"## `holdfast {name}`" in commands for name in (*VERBS, *read_rooms()["verbs"]))
    assert all(f"| `{key.name}` |" in configuration for key in keys())
    assert all(f"| `{name}` |" in events for name in PROGRAM)
    assert all(str(code) in commands for code, _ in reference.EXIT_CODES)
