"""forget, export, import, reindex: what they print, and what they refuse."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from holdfast.doors.cli import client
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.table import read_rooms
from holdfast.doors.cli.verbs import reindex
from holdfast.doors.cli.verbs.forget import plan_lines, receipt_lines, spellings
from holdfast.errors import HoldfastError, UsageError
from holdfast.paths import Home
from tests.support.daemon import until
from tests.support.shell import Shell

TRANSCRIPTS = Path(__file__).parents[1] / "data" / "transcripts"


def remember(shell: Shell, *texts: str) -> list[str]:
    ids = []
    for text in texts:
        body = json.dumps({"text": text, "by": "user"}).encode()
        status, told = shell.daemon.request("POST", "/api/tools/remember", body)
        assert status == 200, told
        ids.append(str(told["id"]))
    return ids


@pytest.mark.requirement("MEM-11")
def test_forget_shows_what_will_go_and_asks(running: Shell) -> None:
    [first, second] = remember(running, "The boiler needs descaling.", "The kettle is new.")
    done = running.run("forget", first)
    assert done.returncode == 4
    assert "This will go: 1 memory." in done.stdout
    assert "The boiler needs descaling." in done.stdout
    assert "--yes" in done.stderr
    assert running.ok("forget", first, "--yes").splitlines()[-1] == "Forgotten: 1 memory."
    assert running.run("forget", first, "--yes").returncode == 1
    assert running.json("forget", "--text", "KETTLE", "--yes")["counts"] == {"memory": 1}
    assert running.run("forget", second, "--yes").returncode == 1


@pytest.mark.requirement("MEM-11")
def test_forget_takes_one_way_of_choosing(running: Shell) -> None:
    for words in ((), ("m12345678", "--text", "abc"), ("--text", "ab"), ("--before", "whenever")):
        assert running.run("forget", *words, "--yes").returncode == 2, words


@pytest.mark.requirement("MEM-11")
def test_export_and_import_through_files_and_pipes(running: Shell) -> None:
    remember(running, "The boiler needs descaling.")
    done = running.run("export", "kept.jsonl")
    assert done.returncode == 0
    assert "Wrote 1 records" in done.stderr
    target = running.folder / "kept.jsonl"
    assert target.stat().st_mode & 0o777 == 0o600
    assert running.ok("export").splitlines()[1:] == target.read_text().splitlines()[1:]
    there = "Took in nothing new.\nLeft out: 1 memory (here already).\n"
    assert running.ok("import", "kept.jsonl") == there
    running.ok("forget", "--text", "boiler", "--yes")
    assert running.ok("import", "kept.jsonl") == there.replace("here already", "forgotten here")
    assert len(running.ok("export", "-").splitlines()) == 2
    (running.folder / "cut.jsonl").write_text(target.read_text().splitlines()[0] + "\n")
    assert "no end line" in running.run("import", "cut.jsonl").stderr
    (running.folder / "other.txt").write_text("hello\n")
    assert running.run("import", "other.txt").returncode == 2
    assert running.run("import", "missing.jsonl").returncode == 2
    assert running.run("export", "--project", "nowhere").returncode == 1


@pytest.mark.requirement("MEM-11")
@pytest.mark.requirement("CIT-9")
def test_an_imported_memory_still_tells_of_the_page_it_cites(running: Shell) -> None:
    url, item = "https://docs.example/guide", "018f0000-0000-7000-8000-0000abcd1234"
    memory: dict[str, Any] = {
        "record": "memory",
        "id": item,
        "project_id": "",
        "title": "Retries",
        "text": f"Five retries, see {url}.",
    }
    memory |= {"tags": None, "files": None, "trust": "user", "source": "", "created_at": 1, "updated_at": 1}
    page: dict[str, Any] = {"record": "cited_page", "item_id": item, "url": url, "version": "v1"}
    page |= {"changed_at": 1_790_000_000_000_000, "new_version": "v2"}
    lines = [{"holdfast_export": 1}, memory, page, {"end": {"memory": 1, "cited_page": 1}}]
    (running.folder / "kept.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert running.ok("import", "kept.jsonl") == "Took in 1 memory, 1 cited page.\n"
    stray = page | {"item_id": item.replace("abcd", "ffff")}
    (running.folder / "stray.jsonl").write_text(
        "".join(json.dumps(line) + "\n" for line in (*lines[:3], stray, lines[3]))
    )
    left = running.json("import", "stray.jsonl")["left_out"]
    assert left == {"here": {"memory": 1, "cited_page": 1}, "alone": {"cited_page": 1}}
    said = running.ok("import", "stray.jsonl").splitlines()
    assert said == [
        "Took in nothing new.",
        "Left out: 1 memory, 1 cited page (here already).",
        "Left out: 1 cited page (what it belongs to is not here).",
    ]
    for verb in ("why", "show"):
        assert f"{url} at version v1, found changed 2026-09-21T" in running.ok(verb, "mabcd1234"), verb
    told = [json.loads(line) for line in running.ok("export").splitlines()]
    assert told[1:] == lines[1:]


@pytest.mark.requirement("MEM-13")
def test_import_claude_reads_transcripts_once(running: Shell) -> None:
    folder = running.folder / "projects" / "-home-dev-project"
    folder.mkdir(parents=True)
    for name in ("compact-2.1.325.jsonl", "tools-2.1.325.jsonl"):
        (folder / name).write_bytes((TRANSCRIPTS / name).read_bytes())
    told = running.json("import", "claude", str(running.folder))
    assert told["transcripts"] == 2
    assert told["events"] > 20
    assert running.json("import", "claude", str(running.folder)) == {"transcripts": 2, "events": 0}
    until(lambda: running.daemon.status()["queue"]["jobs"] == 0, "summaries are made")
    assert "first prompt" in running.ok("search", "first prompt", "--project", "all")
    assert running.run("import", "claude", str(running.folder / "nowhere")).returncode == 2


@pytest.mark.requirement("MEM-13")
def test_import_claude_mem_says_what_it_took(running: Shell) -> None:
    path = running.folder / "mem.db"
    with sqlite3.connect(path) as made:
        made.executescript(
            "CREATE TABLE observations (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, title TEXT,"
            " created_at_epoch INTEGER);"
            "INSERT INTO observations VALUES (1, 'm', 'garden', 'Roses need sun', 1760000000000);"
        )
    made.close()
    assert running.ok("import", "claude-mem", "mem.db").endswith("1 observation from 1 row.\n")
    assert "Roses need sun" in running.ok("search", "roses", "--project", "all")


@pytest.mark.requirement("STO-5")
def test_reindex_counts_what_it_indexed(running: Shell) -> None:
    remember(running, "The boiler needs descaling.", "The kettle is new.")
    assert running.ok("reindex") == "The index was made anew: 2 items.\n"
    assert running.json("reindex") == {"items": 2, "entries": 0, "made": 0}


@pytest.mark.requirement("STO-5")
def test_reindex_does_not_wait_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Standing:
        """A daemon whose job does nothing."""

        is_outdated = False

        def __init__(self, *_: object, **__: object) -> None: ...

        def get(self, *_: object) -> dict[str, Any]:
            return {"phase": "journal", "read": 3, "entries": 9, "made": 0, "items": 0, "error": ""}

        post = get

    monkeypatch.setattr(client, "Client", Standing)
    monkeypatch.setattr(reindex, "_PATIENCE", {"journal": 0.2, "index": 0.2})
    told = CliRunner().invoke(reindex.reindex, [], obj=Call(Home(tmp_path)))
    assert isinstance(told.exception, HoldfastError)
    assert "3 of 9" in str(told.exception)


@pytest.mark.requirement("MEM-15")
def test_status_tells_of_growth(running: Shell) -> None:
    store = running.json("status")["store"]
    assert store["growth"] is None
    assert store["tables"] == {}


def test_a_file_is_meant_in_all_its_spellings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    monkeypatch.chdir(tmp_path / "src")
    assert spellings("a.py") == ["a.py", "src/a.py", str(tmp_path / "src" / "a.py")]
    assert spellings("/etc/hosts") == ["/etc/hosts"]
    assert spellings("./b/../a.py", "other") == ["a.py"]
    with pytest.raises(UsageError, match="folder"):
        spellings(".")


@pytest.mark.requirement("MEM-11")
def test_a_file_is_forgotten_where_one_stands(running: Shell, tmp_path: Path) -> None:
    there = tmp_path / "elsewhere"
    there.mkdir()
    for number, folder in enumerate((running.folder, there)):
        change = {"file_path": f"{folder}/plan.py", "old_string": "a", "new_string": "b"}
        told = {"session_id": f"s{number}", "cwd": str(folder), "prompt_id": "p1", "hook_event_name": "PostToolUse"}
        use = {"tool_name": "Edit", "tool_input": change, "tool_use_id": f"toolu_{number}", "tool_response": {}}
        running.daemon.post("PostToolUse", told | use)
    until(lambda: len(running.json("search", "plan.py", "--project", "all")) == 2, "both are kept")
    plan = running.run("forget", "--file", "plan.py")
    assert "1 observation" in plan.stdout
    assert f"[{running.folder.name}]" in plan.stdout
    assert running.json("forget", "--file", "plan.py", "--yes")["counts"]["observation"] == 1
    assert running.run("forget", "--file", "plan.py", "--yes").returncode == 1
    assert running.run("forget", "--text", "plan.py", "--project", "all", "--yes").returncode == 2
    assert running.json("forget", "--file", "plan.py", "--project", "all", "--yes")["counts"]["observation"] == 1


def test_the_receipt_names_every_place() -> None:
    plan = {
        "counts": {"memory": 28, "note": 2, "ringings": 7, "entries": 4},
        "items": 30,
        "lines": [{"id": "m1", "time": "2026-01-01T", "kind": "memory", "title": "x\x1b[0m", "project": "w"}],
    }
    assert plan_lines(plan, read_rooms()) == [
        "This will go: 28 memories, 2 notes, 7 ringings, 4 journal entries.",
        "  m1  2026-01-01  memory   x\\x1b[0m  [w]",
        "  … and 29 more",
    ]
    receipt = {
        "counts": {"memory": 1},
        "spooled": 1,
        "log_lines": 2,
        "backups_removed": ["a.db"],
        "backup_made": "b.db",
        "backups_unread": ["c.db"],
    }
    told = "\n".join(receipt_lines(receipt, read_rooms()))
    for word in ("1 memory", "spool", "2 lines", "a.db", "b.db", "c.db"):
        assert word in told
