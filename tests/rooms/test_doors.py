"""A room that nobody but the test knows, in a real daemon and a real command line: every door serves it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from holdfast import config
from holdfast.doors.cli import reference
from holdfast.doors.cli.table import VERBS
from holdfast.doors.rooms_table import rooms_text
from holdfast.errors import ConfigError
from holdfast.rooms.gather import gather
from tests.rooms import bells
from tests.rooms.bells import LINES
from tests.rooms.daemon import PARTS, ROOT, RoomsHome, command
from tests.support.daemon import until
from tests.support.patience import PATIENCE

ROOMS = PARTS["bells"].rooms


@pytest.fixture
def home() -> Iterator[RoomsHome]:
    made = RoomsHome()
    yield made
    made.remove()


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "rooms.json"
    file.write_text(rooms_text(gather(ROOMS, house_verbs=VERBS), LINES), "utf-8")
    return file


def test_every_door_serves_it(home: RoomsHome, table: Path) -> None:
    home.home.config.write_text('[bells]\nsound = "dong"\n')
    home.start()

    def rest(tool: str, asked: dict[str, Any], headers: dict[str, str] | None = None) -> Any:
        return home.request("POST", f"/api/tools/{tool}", json.dumps(asked).encode(), headers)

    rung = [{"bell": "big", "sound": "DONG DONG", "at": bells.NOON, "by": "a person"}]
    assert rest("ring", {"names": ["big"], "times": 2}) == (200, rung)
    call = {"jsonrpc": "2.0", "id": 1, "method": "ring", "params": {"names": ["big"], "times": 2}}
    inside = {"X-Holdfast-Agent": "1"}
    answer = home.request("POST", "/rpc", json.dumps(call).encode(), inside)[1]["result"]
    assert answer == [rung[0] | {"by": "an agent"}]
    called = home.request(
        "POST",
        "/mcp",
        json.dumps(
            {
                "jsonrpc": "2.0",
                "id": 2,
                "method": "tools/call",
                "params": {"name": "ring", "arguments": {"names": ["a"]}},
            }
        ).encode(),
        {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"},
    )[1]
    assert json.loads(called["result"]["content"][0]["text"])[0]["by"] == "an agent"
    assert "It takes names (required)" in rest("ring", {})[1]["error"]

    assert command(home, table, "ring", "big", "small", "--softly").stdout == "big: dong\nsmall: dong\n"
    assert json.loads(command(home, table, "ring", "big", "--times", "2", "--json").stdout) == rung
    assert json.loads(command(home, table, "call", "ring", '{"names": ["x"]}').stdout)[0]["bell"] == "x"
    assert command(home, table, "ring").returncode == 2
    assert command(home, table, "ring", "big", "--times", "13").returncode == 2

    prompt = {"session_id": "s", "cwd": "/p", "hook_event_name": "UserPromptSubmit", "prompt": "Hello there."}
    assert "the bell says dong" in home.post("UserPromptSubmit", prompt)[1]["hookSpecificOutput"]["additionalContext"]

    def rpc(method: str, **params: Any) -> Any:
        body = {"jsonrpc": "2.0", "id": 3, "method": method, "params": params}
        answer = home.request("POST", "/rpc", json.dumps(body).encode())[1]
        return answer.get("result") or answer["error"]

    again = rpc("bells.prompt", sessionId="s", cwd="/p", prompt="Hello there.")
    assert again["wasKnown"], "the same prompt came by the hook: one event"
    assert "the bell says dong" in again["whatWasSaid"]
    other = rpc("bells.prompt", session_id="s", cwd="/p", prompt="Something else.", prompt_id="p2")
    assert not other["wasKnown"]
    assert home.get("/api/journal?event=UserPromptSubmit")[1][-1]["source"] == "rpc"
    assert "polished" in rpc("bells.count")["whatWasSaid"]
    failed = {"code": -32000, "message": "The bell is cracked.", "data": {"name": "CRACKED"}}
    assert rpc("bells.count", prompt="crack") == failed
    assert rpc("bells.count", prompt=7)["data"] == {"name": "VALIDATION_ERROR"}
    assert "bells.count" in [method["name"] for method in rpc("rpc.discover")["methods"]]
    until(lambda: home.get("/api/bells/noon")[1]["polished"] > 0, "a job ran")
    assert home.get("/api/bells/noon")[1]["hour"] == "noon"
    assert home.status()["bells"]["polished"] > 0
    assert " polished" in command(home, table, "status").stdout


@pytest.mark.requirement("HSE-1")
@pytest.mark.parametrize(
    ("sound", "state", "sentence"),
    [("ding", "ok", "Nothing is wrong."), ("clunk", "warn", "The bells are dirty. Polish them.")],
)
def test_doctor_examines_it(home: RoomsHome, table: Path, sound: str, state: str, sentence: str) -> None:
    home.home.config.write_text(f'[bells]\nsound = "{sound}"\n')
    home.start()
    checks = json.loads(command(home, table, "doctor", "--json").stdout)["checks"]
    [found] = [check for check in checks if check["name"] == "bells are clean"]
    assert (found["state"], found["sentence"]) == (state, sentence)


@pytest.mark.requirement("HSE-1")
def test_its_import_is_a_command(home: RoomsHome, table: Path, tmp_path: Path) -> None:
    """Name, help, argument and words are the room's; the command line adds the steps up."""
    helped = command(home, table, "import", "--help").stdout
    assert "Take over the bells of another tower." in helped
    assert "holdfast import tower bells.txt" in helped
    assert "## `holdfast import tower`" in reference.commands_page(ROOMS)
    home.start()
    (tmp_path / "bells.txt").write_text("big small cracked")
    done = command(home, table, "import", "tower", str(tmp_path / "bells.txt"))
    assert done.stdout == "Hung 2 brass bells, of 3 bells.\nleft out: cracked\\x1b[2J\n"
    told = json.loads(command(home, table, "import", "tower", "bells.txt", "--json", folder=tmp_path).stdout)
    assert told == {"bells": 3, "new": {"brass_bell": 2}, "left_out": ["cracked\x1b[2J"]}
    assert command(home, table, "import", "tower", str(tmp_path)).returncode == 2
    unknown = home.request("POST", "/api/import/spire", b'{"path": "/x"}')
    assert unknown[0] == 400
    assert re.search(r"There are claude, sdd-cache, claude-mem, (?:.*, )?tower\.", unknown[1]["error"])


@pytest.mark.requirement("HSE-1")
@pytest.mark.parametrize(
    ("sound", "lines"),
    [
        ("ding", ["0 polished", "they say ding"]),
        ("hush", None),
        ("crash", ["not known (ValueError; the daemon's log has the details)"]),
    ],
)
def test_its_part_of_the_pane_is_served_and_stands_in_status(
    home: RoomsHome, table: Path, sound: str, lines: list[str] | None
) -> None:
    home.home.config.write_text(f'[bells]\nsound = "{sound}"\n')
    home.start()
    found = {each["title"]: each["lines"] for each in home.get("/api/pane")[1]}
    assert found.get("bell tower") == lines
    shown = command(home, table, "status").stdout
    assert [line for line in lines or () if f"bell tower  {line}" not in shown] == []
    assert ("bell tower" in shown) is (lines is not None)


@pytest.mark.requirement("HSE-1")
@pytest.mark.parametrize(
    ("sound", "said"),
    [
        ("crash", ["not known (ValueError; the daemon's log has the details)"]),
        ("mute", ["not known (AttributeError; the daemon's log has the details)"]),
        (
            "thief",
            [
                "its value `gives` is not shown: begin its name with bells",
                "its value `store` is not shown: begin its name with bells",
            ],
        ),
    ],
)
def test_a_status_that_fails_or_steals_a_name_leaves_the_rest_of_status(
    home: RoomsHome, table: Path, sound: str, said: list[str]
) -> None:
    home.home.config.write_text(f'[bells]\nsound = "{sound}"\n')
    home.start()
    told = home.status()
    assert [text for name, text in told["lines"] if name == "bells"] == said
    assert told["store"]["kind"] == "sqlite"
    assert isinstance(told["gives"], dict), "the room that has the name keeps it"
    assert ("bells" in told) is (sound == "thief")
    assert command(home, table, "status").returncode == 0


@pytest.mark.requirement("HSE-1")
def test_a_job_that_comes_again_by_itself_does_not_count_as_waiting(home: RoomsHome) -> None:
    home.start()
    until(lambda: home.status()["queue"]["jobs"] == 0, "nothing waits, although the bells are oiled every day")


@pytest.mark.requirement("HSE-9")
def test_its_help_is_there_without_a_daemon(home: RoomsHome, table: Path) -> None:
    assert "Ring bells." in command(home, table, "--help").stdout
    helped = command(home, table, "ring", "--help").stdout
    assert "NAMES..." in helped
    assert "--softly" in helped
    assert "holdfast ring big small --times 2" in helped
    away = command(home, table, "ring", "big")
    assert (away.returncode, "Run `holdfast up`." in away.stderr) == (3, True)
    down = command(home, table, "status").stdout
    assert re.search("bells +silent", down), "what is missing meanwhile"


@pytest.mark.requirement("HSE-1")
def test_its_settings_are_checked_and_documented(home: RoomsHome) -> None:
    assert "| `bells.sound` |" in reference.configuration_page(ROOMS)
    assert "## `holdfast ring`" in reference.commands_page(ROOMS)
    assert "on_prompt`" in reference.events_page(bells.LINES)
    home.home.config.write_text('[bells]\nsound = ""\n')
    with pytest.raises(ConfigError, match=r"bells\.sound = '' does not fit"):
        config.load(home.home.config, environment={}, rooms=ROOMS)
    home.launch().wait(PATIENCE)
    assert "bells.sound = '' does not fit" in (home.home.logs / "last-error").read_text()


@pytest.mark.requirement("HSE-1")
def test_the_command_line_shows_and_checks_its_settings(home: RoomsHome, table: Path) -> None:
    home.home.config.write_text('[bells]\nsound = "dong"\n')
    shown = json.loads(command(home, table, "config", "show", "--json").stdout)
    assert ("bells.sound", "dong") in [(each["key"], each["value"]) for each in shown]
    home.home.config.write_text('[bells]\nsound = ""\nsnd = 1\n')
    for words in (("config", "check"), ("doctor",), ("up", "--yes")):
        done = command(home, table, *words)
        assert done.returncode in (1, 2), done.stderr
        assert "bells.sound = '' does not fit" in " ".join((done.stdout + done.stderr).split()), words


@pytest.mark.requirement("HSE-5")
def test_the_clock_that_is_handed_in_is_the_one_that_is_used(home: RoomsHome) -> None:
    home.start()
    prompt = {"session_id": "s", "cwd": "/p", "hook_event_name": "UserPromptSubmit", "prompt": "Hello there."}
    home.post("UserPromptSubmit", prompt)
    body = json.dumps({"text": "Bells are rung at noon.", "project": "all"}).encode()
    assert home.request("POST", "/api/tools/remember", body)[1]["time"] == "2026-09-21T14:13:20Z"
    [entry] = home.journal(event="UserPromptSubmit")
    assert (entry["time"], entry["received"]) == (bells.NOON, bells.NOON)


@pytest.mark.requirement("HSE-1")
@pytest.mark.parametrize(
    ("rooms", "sentence"),
    [
        ("the same room twice", "The room bells is declared by the room bells twice."),
        ("a tool without a description", "The tool ring of the room bells has no description"),
        ("a section that is taken", "The section memory is declared by the room memory and by the room bells."),
        ("a room that cannot be built", "The room bells could not be built (ZeroDivisionError: "),
        ("a path of the house", "The endpoint /api/status of the room bells is answered by the house"),
        ("a service of another room", "A service of the type Bells is built by the room bells and by the room probe."),
        ("steps of a room that is not there", "is of the room bells, which is not in ROOMS. Add it there, by"),
        ("a migration out of order", "is not the next migration. All rooms together number theirs 0001"),
    ],
)
def test_a_wrong_declaration_is_what_holdfast_start_says(home: RoomsHome, rooms: str, sentence: str) -> None:
    home.rooms = rooms
    assert home.launch().wait(PATIENCE) == 3
    assert sentence in (home.home.logs / "last-error").read_text()
    if home.home.token.exists():  # refused late: the command would start a daemon of the product's own rooms
        return
    said = subprocess.run(
        [sys.executable, "-m", "holdfast.doors.cli", "journal"],
        env=home.environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert sentence in said.stderr
