"""Whatever a command of the table loses is refused, or comes back as it was, or is not lost (WRK-13)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import losses
from tests.support.guarded import Sandbox

TABLES = [Path(__file__).parents[1] / "data" / "guards" / "losing.txt"]
COMMANDS = [
    line.replace("\\n", "\n")
    for table in TABLES
    for line in table.read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Sandbox:
    made = Sandbox(tmp_path_factory.mktemp("model"))
    losses.furnish(made)
    return made


@pytest.fixture
def sandbox(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, model: Sandbox
) -> Iterator[Sandbox]:
    folder = tmp_path_factory.mktemp("losses")
    made = Sandbox(folder)
    monkeypatch.setenv("HOME", str(made.home))
    losses.copied(model, made)
    yield made
    shutil.rmtree(folder, ignore_errors=True)


def outcome(sandbox: Sandbox, command: str) -> tuple[str, list[str]]:
    """`refused`, `back`, `nothing lost`, or else what is wrong; and which things."""
    before = losses.state(sandbox)
    judged = sandbox.judge(command, keep=True)
    if judged.verdict.decision in ("ask", "deny"):
        return "refused", [judged.verdict.reason]
    sandbox.bash(command)
    if judged.kept is None:
        gone = losses.lost(before, losses.state(sandbox), sandbox)
        return ("LOST, nothing kept", gone) if gone else ("nothing lost", [])
    sandbox.guards.undo.restore(judged.kept, over=True)
    after = losses.state(sandbox)
    differs = [f"{name!r}: {before[name]} is {after.get(name)}" for name in before if after.get(name) != before[name]]
    return ("NOT BACK", differs) if differs else ("back", [])


@pytest.mark.requirement("WRK-13", "WRK-12")
@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_that_was_there_is_lost(sandbox: Sandbox, command: str) -> None:
    said, which = outcome(sandbox, command)
    assert said in ("refused", "back", "nothing lost"), which[:5]
