"""A store that comes to harm: noticed, named with the way out, nothing lost meanwhile, brought back by `restore`."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast import spool
from tests.support import damage
from tests.support.daemon import DaemonHome, until
from tests.support.payloads import load

HOLDFAST = Path(sys.executable).with_name("holdfast")
BASH = load("PostToolUse-Bash")


def holdfast(home: DaemonHome, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [HOLDFAST, *words], env=home.environment, capture_output=True, text=True, check=False, timeout=120
    )


def use(home: DaemonHome, name: str) -> None:
    assert home.post("PostToolUse", BASH | {"tool_use_id": name}) == (200, {})


def uses(home: DaemonHome) -> list[str]:
    return [entry["tool_use_id"] for entry in home.journal(event="PostToolUse")]


def waits(home: DaemonHome) -> bool:
    try:
        return home.get("/api/health")[0] == 503
    except OSError:
        return False


def sentence(home: DaemonHome) -> str:
    return str(home.get("/api/health")[1]["error"])


def named_everywhere(home: DaemonHome) -> None:
    """status, doctor and up say the same, and how to get out of it."""
    told = sentence(home)
    assert "holdfast restore" in told
    status = holdfast(home, "status")
    assert (status.returncode, told.split(".")[0] in status.stdout) == (3, True), status.stdout
    assert "waits for its store" in status.stdout
    checks = json.loads(holdfast(home, "doctor", "--json").stdout)["checks"]
    found = next(one for one in checks if one["name"] == "store")
    assert found["state"] == "fail", found
    assert "holdfast restore" in found["fix"]
    up = holdfast(home, "up", "--yes")
    assert up.returncode == 3
    assert "holdfast restore" in up.stderr


@pytest.fixture
def kept(home: DaemonHome) -> DaemonHome:
    """A home with five events, a backup of them in its folder, and no daemon."""
    home.start()
    for number in range(5):
        use(home, f"kept-{number}")
    until(lambda: home.status()["queue"]["jobs"] is not None, "it works")
    assert holdfast(home, "backup").returncode == 0
    home.stop()
    damage.fold(home.home.database)
    return home


def newest_backup(home: DaemonHome) -> Path:
    return max(home.home.backups.glob("*.db"), key=lambda path: path.stat().st_mtime)


@pytest.mark.requirement("STO-6")
@pytest.mark.requirement("OPS-13")
@pytest.mark.parametrize("harm", ["tree_page", "removed", "cut_in_a_page", "a_pipe", "a_folder", "without_tables"])
def test_what_is_noticed_at_the_start(kept: DaemonHome, harm: str) -> None:
    """These stand for all: that each of them is told, tests/unit/store/test_examine.py shows."""
    backup = newest_backup(kept)
    damage.NOTICED_AT_START[harm](kept.home.database)
    before = kept.home.database.read_bytes() if kept.home.database.is_file() else b""
    kept.launch()
    until(lambda: waits(kept), "it says what is wrong")
    for number in range(3):
        use(kept, f"meanwhile-{number}")
    assert len(spool.waiting(kept.home.spool)) == 3
    assert (kept.home.database.read_bytes() if kept.home.database.is_file() else b"") == before, "left as it is"
    if harm in ("tree_page", "removed"):  # a second each: these two stand for the rest
        named_everywhere(kept)

    done = holdfast(kept, "restore", str(backup), "--yes", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["rows"]["journal"] >= told["backup_rows"]["journal"] >= 5
    until(lambda: kept.answers() and not spool.waiting(kept.home.spool), "the spool is taken in")
    assert sorted(uses(kept)) == [f"kept-{n}" for n in range(5)] + [f"meanwhile-{n}" for n in range(3)]
    assert not (kept.home.logs / "last-error").exists()
    assert bool(told["set_aside"]) == (harm != "removed")
    assert bool(list(kept.home.root.glob("holdfast.db.aside-*"))) == (harm != "removed"), "set aside, never removed"


@pytest.mark.requirement("STO-6")
def test_a_first_start_is_not_a_loss(home: DaemonHome) -> None:
    home.start()
    use(home, "one")
    assert uses(home) == ["one"]


@pytest.mark.requirement("STO-6")
def test_the_store_of_another_home_is_not_taken_for_this_ones(kept: DaemonHome) -> None:
    other = DaemonHome()
    try:
        other.start()
        use(other, "somebody else's")
        other.stop()
        damage.removed(kept.home.database)
        shutil.copy(other.home.database, kept.home.database)
    finally:
        other.remove()
    kept.launch()
    until(lambda: waits(kept), "it is noticed")
    assert "is another one" in sentence(kept)


@pytest.mark.requirement("STO-6")
def test_a_file_that_is_put_back_is_taken_without_a_word(kept: DaemonHome) -> None:
    away = kept.home.root / "elsewhere"
    kept.home.database.rename(away)
    kept.launch()
    until(lambda: waits(kept), "it is noticed")
    use(kept, "meanwhile")
    away.rename(kept.home.database)
    until(lambda: kept.answers() and not spool.waiting(kept.home.spool), "it works again")
    assert len(uses(kept)) == 6


@pytest.mark.requirement("STO-6")
@pytest.mark.parametrize("harm", ["removed", "a_text", "emptied"])
def test_a_store_that_is_lost_under_a_working_daemon(kept: DaemonHome, harm: str) -> None:
    kept.start()
    use(kept, "before")
    log = kept.home.database.with_name("holdfast.db-wal")
    if harm == "emptied":
        with kept.home.database.open("r+b") as file:
            file.truncate(0)
    else:
        kept.home.database.unlink()
        log.unlink(missing_ok=True)
        if harm == "a_text":
            kept.home.database.write_text("a letter\n" * 1_000)
    for number in range(50):
        use(kept, f"after-{number}")
    until(lambda: waits(kept), "it is noticed")
    use(kept, "later")
    done = holdfast(kept, "restore", str(newest_backup(kept)), "--yes")
    assert done.returncode == 0, done.stderr
    until(lambda: kept.answers() and not spool.waiting(kept.home.spool), "the spool is taken in")
    there = set(uses(kept))
    assert {f"kept-{n}" for n in range(5)} <= there
    assert "later" in there
    if harm != "emptied":
        assert {"before", *(f"after-{n}" for n in range(50))} <= there, "what was still open was copied"


@pytest.mark.requirement("STO-6")
def test_damage_that_only_work_meets_leads_to_the_same(kept: DaemonHome) -> None:
    kept.start()
    use(kept, "before")
    damage.fold(kept.home.database)
    damage.zeroed(kept.home.database)
    sent = 0
    for sent in range(1, 200):
        use(kept, f"after-{sent}")
        if waits(kept):
            break
    until(lambda: waits(kept), "it is noticed")
    named_everywhere(kept)
    done = holdfast(kept, "restore", str(newest_backup(kept)), "--yes")
    assert done.returncode == 0, done.stderr
    until(lambda: kept.answers() and not spool.waiting(kept.home.spool), "the spool is taken in")
    there = set(uses(kept))
    lost = {f"after-{n}" for n in range(1, sent + 1)} - there
    assert len(lost) <= 2, "at most what was committed before the damage was met"


@pytest.mark.requirement("OPS-13")
def test_restore_refuses_what_it_cannot_bring_back(kept: DaemonHome, tmp_path: Path) -> None:
    good = newest_backup(kept)
    before = kept.home.database.read_bytes()
    for name in ("magic", "cut_in_half", "tree_page", "a_text", "a_folder", "newer", "another_database", "emptied"):
        copy = tmp_path / f"{name}.db"
        shutil.copy(good, copy)
        damage.NOTICED_AT_START[name](copy)
        done = holdfast(kept, "restore", str(copy), "--yes")
        assert done.returncode == 1, (name, done.stdout)
        assert "nothing was changed" in done.stderr, (name, done.stderr)
        assert done.stderr.count("\n") == 1
    assert holdfast(kept, "restore", str(tmp_path / "none"), "--yes").returncode == 1
    asked = holdfast(kept, "restore")
    assert asked.returncode == 2
    assert str(good) in asked.stderr
    assert holdfast(kept, "restore", str(good)).returncode == 4, "nobody to ask"
    assert kept.home.database.read_bytes() == before
    assert not list(kept.home.root.glob("*.aside-*"))


@pytest.mark.requirement("OPS-13")
def test_beginning_anew_is_the_users_word(kept: DaemonHome) -> None:
    damage.emptied(kept.home.database)
    for path in kept.home.backups.iterdir():
        path.unlink()
    kept.launch()
    until(lambda: waits(kept), "it is noticed")
    assert "--empty" in sentence(kept)
    use(kept, "meanwhile")
    done = holdfast(kept, "restore", "--empty", "--yes")
    assert done.returncode == 0, done.stderr
    until(lambda: kept.answers() and not spool.waiting(kept.home.spool), "it works")
    assert uses(kept) == ["meanwhile"]
