"""Summaries by a model, with the real client as the one that writes them: it runs, is capped, and is never captured."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.script import Say, Turn, Use
from tests.client.held import install, settled
from tests.support.daemon import DaemonHome, until
from tests.support.patience import PATIENCE

WRITTEN = {
    "title": "The turbine bolts were counted",
    "done": ["Counted the bolts: twelve"],
    "learned": "The flange takes twelve bolts",
    "left_open": "",
}


def begin(home: DaemonHome, claude: Claude, calls: int = 20) -> None:
    """A daemon that may ask the client, and the client's hooks that tell it everything."""
    home.home.root.mkdir(exist_ok=True)
    home.home.config.write_text(
        f'[summaries]\nmodel = "haiku"\ncommand = {json.dumps(str(claude.binary))}\ncalls_per_day = {calls}\n'
    )
    home.start(
        **{name: value for name, value in claude.environment().items() if name != "HOME"} | {"HOME": str(claude.home)}
    )
    install(claude, home)


def rows(home: DaemonHome, query: str) -> list[Any]:
    with sqlite3.connect(f"file:{home.home.database}?mode=ro", uri=True) as database:
        found = database.execute(query).fetchall()
    database.close()
    return found


def costs(home: DaemonHome) -> list[dict[str, Any]]:
    """What `holdfast costs` lists."""
    words = [sys.executable, "-m", "holdfast.doors.cli", "costs", "--json"]
    done = subprocess.run(words, env=home.environment, capture_output=True, text=True, timeout=PATIENCE, check=True)
    return list(json.loads(done.stdout))


def counting(api: Api) -> None:
    uses = [Use("Bash", {"command": f"echo bolt {number}", "description": "count"}) for number in range(4)]
    api.script(Turn([*uses]), Say("There are twelve bolts on the turbine."))


@pytest.mark.requirement("MEM-5")
@pytest.mark.requirement("EVT-10")
def test_the_users_own_client_writes_the_summary_and_is_not_captured(
    claude: Claude, api: Api, home: DaemonHome
) -> None:
    begin(home, claude)
    api.side("What was done, in order", Say(json.dumps(WRITTEN)))
    counting(api)
    done = claude.run("Count the bolts of the turbine, please.")
    settled(home, done.session, "SessionEnd")
    until(lambda: len(rows(home, "SELECT 1 FROM model_summary")) == 2, "turn and session are written")
    for written_by, title, learned in rows(home, "SELECT written_by, title, learned FROM summary"):
        assert (written_by, title, learned) == ("model", WRITTEN["title"], WRITTEN["learned"])
    [by_rules, _] = [json.loads(text) for (text,) in rows(home, "SELECT by_rules FROM model_summary")]
    assert "bolts" in by_rules["request"]
    calls = rows(home, "SELECT input_tokens, output_tokens, usd, error, model FROM model_call")
    assert len(calls) == 2
    assert all(tokens > 0 and out > 0 and usd > 0 and error is None for tokens, out, usd, error, _ in calls)
    told = costs(home)
    assert {
        (each["session"], each["input_tokens"], each["output_tokens"], each["usd"], each["model"]) for each in told
    } == {(done.session, tokens, out, usd, model) for tokens, out, usd, _, model in calls}
    account = home.status()["summaries"]
    assert (account["model"], account["today"]["calls"], account["allowed_calls"]) == ("haiku", 2, 20)
    assert account["total"]["usd"] == pytest.approx(sum(usd for _, _, usd, _, _ in calls))
    # No hook of those runs fired, and they left no transcript behind.
    assert {entry["session_id"] for entry in home.journal()} == {done.session}
    assert [path.stem for path in (claude.config / "projects").rglob("*.jsonl")] == [done.session]


@pytest.mark.requirement("MEM-5")
@pytest.mark.parametrize(
    ("answer", "calls", "error"),
    [
        ("I cannot do that.", 20, "no JSON object"),
        (json.dumps(WRITTEN), 1, None),
    ],
)
def test_a_failure_or_the_cap_leaves_the_rule_made_summary(
    claude: Claude, api: Api, home: DaemonHome, answer: str, calls: int, error: str | None
) -> None:
    begin(home, claude, calls)
    api.side("What was done, in order", Say(answer))
    counting(api)
    done = claude.run("Count the bolts of the turbine, please.")
    settled(home, done.session, "SessionEnd")
    waits: Callable[[], bool] = lambda: not rows(home, "SELECT 1 FROM job WHERE kind = 'memory.write'")  # noqa: E731
    until(lambda: rows(home, "SELECT 1 FROM model_call") and waits(), "the model's turn is over")
    made = rows(home, "SELECT error FROM model_call")
    by_rules = rows(home, "SELECT title FROM summary WHERE written_by = 'rules'")
    assert by_rules
    if error:
        assert all(error in said for (said,) in made)
        assert all(error in each["error"] and each["usd"] > 0 for each in costs(home))
        assert len(by_rules) == 2
    else:
        assert len(made) == len(costs(home)) == 1
