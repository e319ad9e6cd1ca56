"""`holdfast forget` at a real daemon, on both databases: a word goes from every column that holds words, the preview
says so before, and the daemon starts again afterwards."""

from __future__ import annotations

import json
import os
import pwd
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from holdfast.doors.cli.main import Call
from holdfast.doors.cli.table import read_rooms
from holdfast.doors.cli.verbs.forget import forget
from holdfast.errors import Refused
from holdfast.program import CATALOG
from holdfast.store import sqlite_path
from holdfast.store.interface import Tx
from holdfast.store.table import JsonRecord, Table
from tests.contract.site import AnyStore, Site
from tests.house.planted import Planter, everything
from tests.support.daemon import DaemonHome, until
from tests.support.payloads import load

ME = pwd.getpwuid(os.getuid()).pw_name
COLUMNS = [(table.name, column) for table in CATALOG.tables.values() if not table.derived for column in table.worded]
PROMPT = load("UserPromptSubmit")


def called(home: DaemonHome, *words: str) -> Result:
    """The command, in this process."""
    return CliRunner().invoke(forget(read_rooms()), words, obj=Call(home.home))


def said(home: DaemonHome, *words: str) -> dict[str, object]:
    told = called(home, *words, "--yes", "--json")
    assert told.exit_code == 0, (words, told.exception)
    return dict(json.loads(told.stdout))


def word_of(number: int) -> str:
    return f"zanzibar{number:03}quartz"


def text_for(table: Table, column: str, word: str) -> str:
    """The word in a form that this column can hold."""
    shape = table.shapes.get(column)
    if shape == "list":
        return json.dumps([f"src/{word}.py"])
    if isinstance(shape, JsonRecord) or column in ("payload", "by_model", "by_rules") or shape == "object":
        return json.dumps({"text": f"About the {word.upper()} of old"})
    return f"About the {word.upper()}\nof old"


async def plant(store: AnyStore) -> None:
    """One row for each column with words, each with a word of its own."""
    planter = Planter(store, CATALOG, ME)

    def write(tx: Tx) -> None:
        for number, (name, column) in enumerate(COLUMNS):
            about = str(planter.row(tx, CATALOG.tables["memory"])["id"])
            table = CATALOG.tables[name]
            planter.row(tx, table, about, **{column: text_for(table, column, word_of(number))})

    await store.write(write)


async def whole(store: AnyStore) -> str:
    Planter(store, CATALOG, ME)
    return json.dumps(await everything(store, CATALOG), default=str).lower()


@pytest.mark.requirement("HSE-3")
@pytest.mark.requirement("MEM-11")
@pytest.mark.requirement("SEC-1")
def test_a_word_goes_from_every_column_and_the_preview_says_so(home: DaemonHome, site: Site) -> None:
    site.tell(plant)
    home.start(HOLDFAST_STORE=site.url)
    missed = []
    for number, (name, column) in enumerate(COLUMNS):
        plan = called(home, "--text", word_of(number))
        if not isinstance(plan.exception, Refused) or "nothing in the store" in plan.stdout:
            missed.append(f"{name}.{column} is not in the preview: {plan.stdout}{plan.exception}")
    for number, (name, column) in enumerate(COLUMNS):
        shown = home.request("POST", "/api/tools/forget", _body(text=word_of(number), preview=True))[1]
        if not shown["counts"]:
            continue  # a room tidied it away with another word: a page goes when nobody has read it
        receipt = said(home, "--text", word_of(number))
        if receipt["counts"] != shown["counts"]:
            missed.append(f"{name}.{column}: the preview {shown['counts']}, the receipt {receipt['counts']}")
    home.stop()
    kept = site.tell(whole)
    missed += [f"{name}.{column} still has it" for n, (name, column) in enumerate(COLUMNS) if word_of(n) in kept]
    if site.kind == "sqlite":
        file = sqlite_path(site.url)
        for path in file.parent.glob(f"{file.name}*"):
            missed += [path.name for number in range(len(COLUMNS)) if word_of(number).encode() in _lower(path)]
    assert missed == []


def _body(**asked: object) -> bytes:
    return json.dumps(asked).encode()


def _lower(path: Path) -> bytes:
    return path.read_bytes().lower()


@pytest.mark.requirement("MEM-11")
def test_a_word_that_stands_only_in_a_backup_goes(home: DaemonHome, site: Site) -> None:
    home.home.backups.mkdir(parents=True)
    copy = home.home.backups / f"mine.{site.ending}"

    async def story(store: AnyStore) -> None:
        await plant(store)
        await store.backup(copy)

    site.tell(story)
    before = copy.read_bytes()
    home.start(HOLDFAST_STORE=site.url)
    assert said(home, "--text", word_of(3))["backups_removed"] == [copy.name]
    copy.write_bytes(before)  # somebody brings it back
    plan = called(home, "--text", word_of(3))
    assert isinstance(plan.exception, Refused), "it shows what will go, and asks"
    assert plan.stdout.splitlines()[:2] == [
        "This will go: nothing in the store.",
        f"  the backup {copy.name}, which holds it; a new one is made",
    ]
    assert said(home, "--text", word_of(3))["backups_removed"] == [copy.name]
    assert not copy.exists()
    assert called(home, "--text", word_of(3), "--yes").exit_code == 1, "now it is nowhere"


@pytest.mark.requirement("MEM-11")
def test_words_that_stand_on_two_lines_go_from_the_journal_and_the_backups(home: DaemonHome, site: Site) -> None:
    home.start(HOLDFAST_STORE=site.url)
    home.post("UserPromptSubmit", PROMPT | {"prompt": "Ask the brass\ngasket maker"})
    until(lambda: home.journal(), "it is kept")
    home.home.backups.mkdir(parents=True, exist_ok=True)
    copy = home.home.backups / f"mine.{site.ending}"

    async def story(store: AnyStore) -> None:
        await store.backup(copy)

    home.stop()
    site.tell(story)
    home.start(HOLDFAST_STORE=site.url)
    receipt = said(home, "--text", "brass gasket")
    assert receipt["backups_removed"] == [copy.name]
    assert not home.journal()


@pytest.mark.requirement("MEM-11")
@pytest.mark.requirement("STO-2")
@pytest.mark.parametrize("before", ["2030-01-01", "0d"])
def test_the_daemon_starts_again_after_forgetting_by_time(home: DaemonHome, site: Site, before: str) -> None:
    home.start(HOLDFAST_STORE=site.url)
    home.post("UserPromptSubmit", PROMPT)
    shown = home.request("POST", "/api/tools/forget", _body(before=before, preview=True))[1]
    receipt = said(home, "--before", before)
    assert receipt["counts"] == shown["counts"]
    assert home.journal() == []
    home.stop()
    home.start(HOLDFAST_STORE=site.url)
    assert home.status()["store"]["kind"] == site.kind
    assert not list(home.home.backups.glob("*-before-*")), "no migration was tried again"
