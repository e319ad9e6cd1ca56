"""A whole room that nobody but the tests knows (`tests/rooms/notebook`), in real daemon and command line processes, on
both databases: hook, recall, doors, job, forget, export, import, retention, reindex, vectors and status cover it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from holdfast import config
from holdfast.doors.cli import reference
from holdfast.doors.cli.table import VERBS
from holdfast.doors.rooms_table import rooms_text
from holdfast.errors import ConfigError
from holdfast.ids import new_id, now_us
from holdfast.rooms.gather import gather
from holdfast.times import DAY_US
from tests.contract import postgres
from tests.rooms.daemon import MADE, RoomsHome, command, with_notebook, with_step
from tests.rooms.notebook import STEP
from tests.support.daemon import until

pytestmark = pytest.mark.requirement("HSE-2")
SECRET = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
MCP = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


class House:
    """A daemon with made-up rooms, a folder to work in, and a command line."""

    def __init__(self, folder: Path, url: str, rooms: str = "notebook") -> None:
        self.home = RoomsHome()
        self.home.rooms = rooms
        self.home.environment["HOLDFAST_USER_PROMPT_SUBMIT_TIMEOUT"] = "5"  # a busy machine must not drop a recall
        if url:
            self.home.environment["HOLDFAST_STORE"] = url
        self.work = folder / "work"
        self.work.mkdir(parents=True)
        self.table, parts = folder / "rooms.json", MADE[rooms]()
        self.table.write_text(rooms_text(gather(parts.rooms, house_verbs=VERBS), parts.program), "utf-8")

    def prompt(self, session: str, text: str) -> str:
        """What the agent is told at a prompt."""
        event = "UserPromptSubmit"
        told = {"session_id": session, "cwd": str(self.work), "hook_event_name": event, "prompt": text}
        status, answer = self.home.post(event, told)
        assert status == 200
        return str(answer.get("hookSpecificOutput", {}).get("additionalContext", ""))

    def run(self, *words: str) -> str:
        """What a command prints."""
        done = command(self.home, self.table, *words, folder=self.work)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def json(self, *words: str) -> Any:
        return json.loads(self.run(*words, "--json"))

    def tool(self, name: str, **asked: Any) -> Any:
        """A tool's result by REST, asked from the project's folder."""
        headers = {"X-Holdfast-Cwd": str(self.work)}
        status, result = self.home.request("POST", f"/api/tools/{name}", json.dumps(asked).encode(), headers)
        assert status == 200, result
        return result

    def notes(self) -> dict[str, str]:
        """Ids by the notes' words."""
        return {note["text"]: note["id"] for note in self.tool("list_notes", limit=1_000)}

    def found(self, *words: str) -> list[str]:
        """Ids of the notes that a search finds."""
        done = command(self.home, self.table, "search", *words, "--kind", "note", "--json", folder=self.work)
        assert done.returncode == (0 if done.stdout != "[]\n" else 1), done.stderr
        return [line["id"] for line in json.loads(done.stdout)]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One daemon per database for all tests of this file; each test has its own words and sessions."""
    with ExitStack() as stack:
        made = furnished(request, stack, tmp_path_factory.mktemp("house"), request.param)
        made.home.start()
        yield made


def furnished(
    request: pytest.FixtureRequest, stack: ExitStack, folder: Path, kind: str, rooms: str = "notebook"
) -> House:
    url = ""
    if kind == "postgresql":
        server: postgres.Server = request.getfixturevalue("postgres_server")
        url = stack.enter_context(server.database())
    made = House(folder, url, rooms)
    stack.callback(made.home.remove)
    return made


def test_the_hook_keeps_a_clean_note_and_later_prompts_are_given_it(house: House) -> None:
    told = house.prompt("espresso-1", f"note: descale the espresso machine on Tuesdays, pass {SECRET}")
    assert "The user's note was kept: descale the espresso machine" in told
    [(text, short)] = [each for each in house.notes().items() if "espresso" in each[0]]
    assert SECRET not in told + text
    assert text.startswith("descale the espresso machine on Tuesdays, pass ")
    assert short.startswith("n")

    given = house.prompt("espresso-2", "When must I descale the espresso machine?")
    assert f"[{short}] descale the espresso machine on Tuesdays" in given, house.home.log()
    assert f"[{short}]" not in house.prompt("espresso-2", "And when must I descale the espresso machine again?")
    known = house.json("why", short)
    assert [(each["session"], each["place"]) for each in known["shown"]] == [("espresso-2", "recall")]
    assert (known["session"], known["origin"]["event"]) == ("espresso-1", "UserPromptSubmit")
    assert known["origin"]["scrubbed"]

    assert house.found("espresso", "descale") == [short]
    assert short in [line["id"] for line in house.json("timeline", short)]
    assert "Tuesdays" in house.run("show", short)
    house.run("edit", short, "--text", "Clean the coffee grinder on Fridays.")
    assert house.found("grinder", "fridays") == [short]
    assert house.tool("search", text="Tuesdays", kind="note") == []
    by_agent = {"id": short, "text": "Never clean it."}
    answer = house.home.request("POST", "/api/tools/edit", json.dumps(by_agent).encode(), {"X-Holdfast-Agent": "1"})
    assert answer[0] >= 400
    assert "Fridays" in house.run("show", short)


@pytest.mark.requirement("CON-12")
def test_every_door_serves_its_tools(house: House) -> None:
    by_rest = house.tool("add_note", text=f"door one {SECRET}", file="src/door.py")
    assert (by_rest["file"], by_rest["by"], SECRET in by_rest["text"]) == ("src/door.py", "user", False)
    call = {"jsonrpc": "2.0", "id": 1, "method": "add_note", "params": {"text": "door two"}}
    by_rpc = house.home.request("POST", "/rpc", json.dumps(call).encode())[1]["result"]
    assert by_rpc["text"] == "door two"
    call |= {"method": "tools/call", "params": {"name": "add_note", "arguments": {"text": "door three"}}}
    by_mcp = house.home.request("POST", "/mcp", json.dumps(call).encode(), MCP)[1]["result"]
    assert json.loads(by_mcp["content"][0]["text"])["by"] == "agent"
    assert json.loads(house.run("call", "add_note", '{"text": "door four"}'))["by"] == "user"
    assert house.run("note", "add", "door", "five", "--file", "src/door.py").startswith("Kept as n")
    listed = house.run("note", "list")
    assert all(f"door {each}" in listed for each in ("one", "two", "three", "four", "five"))
    assert "src/door.py: door five" in listed
    assert command(house.home, house.table, "note", "list", "--limit", "0").returncode == 2
    assert "Write and list notes." in house.run("--help")
    assert " note." in house.run("search", "--help")
    [search] = [tool for tool in house.home.get("/api/tools")[1] if tool["name"] == "search"]
    assert search["arguments"]["properties"]["kind"]["description"].endswith(", note")


def test_its_job_runs_and_status_and_doctor_tell_of_it(house: House) -> None:
    counted = house.tool("add_note", text="count me")["id"]
    until(lambda: house.home.status()["notebook"]["notes"] == len(house.notes()), "the job has counted the notes")
    assert house.home.status()["store"]["rows"]["note"] == len(house.notes())
    assert f"{len(house.notes())} notes" in house.run("status")
    house.run("forget", counted, "--yes")
    assert house.home.status()["notebook"]["notes"] == len(house.notes())
    checks = json.loads(command(house.home, house.table, "doctor", "--json").stdout)["checks"]
    assert [each["state"] for each in checks if each["name"] == "there is room for notes"] == ["ok"]


def test_forgetting_in_every_way_covers_it(house: House) -> None:
    for session, words in {
        "forget-1": "note: the brass gasket leaks",
        "forget-2": "note: the copper kettle whistles",
        "forget-3": "note src/pump.py: the pump is loud",
        "forget-4": "note: the iron ladle stays",
    }.items():
        house.prompt(session, words)
    by_tool = house.tool("add_note", text="the tin funnel drips")["id"]
    house.run("backup")
    house.run("forget", "--text", "brass gasket", "--yes")
    house.run("forget", "--session", "forget-2", "--yes")
    house.run("forget", "--file", "src/pump.py", "--yes")
    house.run("forget", by_tool, "--yes")
    left = " ".join(house.notes())
    assert "the iron ladle stays" in left
    gone = ("brass gasket", "copper kettle", "pump is loud", "tin funnel")
    assert not [each for each in gone if each in left]
    assert not [each for each in gone if house.found(*each.split())]
    assert command(house.home, house.table, "show", by_tool, folder=house.work).returncode != 0
    exported = house.run("export")
    assert "iron ladle" in exported
    assert not [each for each in ("brass gasket", "copper kettle", "tin funnel") if each in exported]
    for backup in house.home.home.backups.iterdir():
        assert b"brass gasket" not in backup.read_bytes()


def test_a_fresh_home_takes_an_export_in_and_forgotten_notes_stay_away(
    house: House, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    house.prompt("export-1", "note src/kiln.py: fire the porcelain kiln slowly")
    short = house.notes()["fire the porcelain kiln slowly"]
    export = tmp_path / "kept.jsonl"
    house.run("export", str(export))
    house.run("forget", short, "--yes")
    house.run("import", str(export))
    assert short not in house.notes().values()

    kind = "postgresql" if "HOLDFAST_STORE" in house.home.environment else "sqlite"
    with ExitStack() as stack:
        fresh = furnished(request, stack, tmp_path / "fresh", kind)
        fresh.work = house.work
        fresh.home.start()
        fresh.run("import", str(export))
        assert fresh.notes()["fire the porcelain kiln slowly"] == short
        assert fresh.found("porcelain", "kiln") == [short]
        assert fresh.found("--file", "src/kiln.py") == [short]
        assert f"[{short}] fire the porcelain kiln" in fresh.prompt("import-1", "How do I fire the porcelain kiln?")


def test_it_ages(house: House, tmp_path: Path) -> None:
    house.tool("add_note", text="a young walnut tree")
    lines: list[dict[str, Any]] = [json.loads(line) for line in house.run("export").splitlines()]
    [young] = [line for line in lines if line.get("text") == "a young walnut tree"]
    at = now_us() - 400 * DAY_US
    old = young | {"id": new_id(at), "made_at": at, "text": "an old walnut tree"}
    file = tmp_path / "old.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in [lines[0], old, {"end": {}}]) + "\n")
    house.run("import", str(file))
    assert len(house.found("walnut", "tree")) == 2
    assert house.tool("age_now")["note"] == 1
    assert [text for text in house.notes() if "walnut" in text] == ["a young walnut tree"]
    assert len(house.found("walnut", "tree")) == 1


def test_a_lost_index_is_made_anew_with_it_and_it_has_vectors(house: House) -> None:
    short = house.tool("add_note", text="the velvet curtain hides a window")["id"]
    assert house.found("velvet", "curtain") == [short]
    house.tool("lose_index")
    assert house.found("velvet", "curtain") == []
    assert house.json("reindex")["items"] >= len(house.notes())
    assert house.found("velvet", "curtain") == [short]
    assert any("the velvet curtain hides a window" in each for each in house.tool("embed_now"))
    assert house.tool("embed_now") == []


def test_its_settings_are_checked_and_documented(tmp_path: Path) -> None:
    rooms = with_notebook().rooms
    assert "| `notebook.most` |" in reference.configuration_page(rooms)
    assert "holdfast note add" in reference.commands_page(rooms)
    assert "notebook.keep_note" in reference.events_page(with_step("UserPromptSubmit", STEP))
    file = tmp_path / "config.toml"
    file.write_text("[notebook]\nmost = 0\n")
    with pytest.raises(ConfigError, match=r"notebook\.most = 0 does not fit"):
        config.load(file, environment={}, rooms=rooms)
