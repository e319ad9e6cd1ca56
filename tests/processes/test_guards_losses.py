"""Whatever a command of the table loses is refused, or comes back as it was, or is not lost (WRK-13)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.errors import HoldfastError
from tests.support import losses
from tests.support.guarded import Sandbox

TABLES = [Path(__file__).parents[1] / "data" / "guards" / name for name in ("losing.txt", "losing_more.txt")]
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
    """`refused`, `back`, `nothing lost`, or else, in capital letters, what is wrong; and which things."""
    before = losses.state(sandbox)
    judged = sandbox.judge(command, keep=True)
    if judged.verdict.decision in ("ask", "deny"):
        return "refused", [judged.verdict.reason]
    sandbox.bash(command)
    if judged.kept is None:
        gone = losses.lost(before, losses.state(sandbox), sandbox)
        return ("LOST, nothing kept", gone) if gone else ("nothing lost", [])
    try:
        sandbox.guards.undo.restore(judged.kept, over=judged.kept.replaces)  # as the message to the agent says
    except HoldfastError as error:
        return "UNDO REFUSED", [str(error)]
    differs = losses.differences(before, losses.state(sandbox))
    return ("NOT BACK", differs) if differs else ("back", [])


@pytest.mark.requirement("WRK-13", "WRK-12")
@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_that_was_there_is_lost(sandbox: Sandbox, command: str) -> None:
    said, which = outcome(sandbox, command)
    assert said in ("refused", "back", "nothing lost"), which[:5]
