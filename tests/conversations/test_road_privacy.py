"""Secrets and private text are in no column, no file of the database, and no spool (SEC-1, MEM-2)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from holdfast.errors import StoreFull
from tests.contract.site import Site
from tests.support.payloads import load
from tests.support.roads import House, Refusing, house, run

TOKEN = "ghp_" + "wXyZ0123456789abcdefghijklmnopqrstuv"
KEY = "AKIA" + "Q3EGRLT7UWXYZ234"
PRIVATE = "the-name-of-the-patient"
WORDS = (TOKEN, TOKEN[8:30], KEY, PRIVATE, "hunter2-is-the-password")

PAYLOADS: list[dict[str, Any]] = [
    load("UserPromptSubmit", prompt=f"use {TOKEN} please <private>{PRIVATE}</private> and go on"),
    load("PreToolUse-Bash", tool_input={"command": f"curl -H 'Authorization: Bearer {TOKEN}' https://x.example"}),
    load("PostToolUse-Bash", tool_response={"stdout": f"aws_access_key_id={KEY}\n<private>{PRIVATE}", "stderr": ""}),
    load("PostToolUse-Read", tool_response={"file": {"content": "DB_PASSWORD=hunter2-is-the-password"}}),
    load("PostToolUse-Edit", tool_input={TOKEN: {"new_string": f"x<PRIVATE>{PRIVATE}</PRIVATE>y"}}),
    load("PostToolUseFailure-Bash-exit3", error=f"Exit code 1\nfatal: https://me:{TOKEN}@github.example/x"),
    load("Stop", last_assistant_message=f"I used {KEY}. <private>{PRIVATE}"),
    load("PostToolBatch", tool_calls=[{"tool_name": "Bash", "tool_response": f"{TOKEN} <private>{PRIVATE}</private>"}]),
    {"hook_event_name": "Teleport", "session_id": f"s-{TOKEN}", "cwd": f"/home/{KEY}", "x": [f"<private>{PRIVATE}"]},
]
BROKEN = f'{{"prompt": "<private>{PRIVATE}</private> {TOKEN}", "session_id": "s", "broken'.encode()


async def send_all(here: House) -> None:
    for payload in PAYLOADS:
        await here.go(payload)
    await here.go(BROKEN, name="UserPromptSubmit")


def found_in(data: bytes) -> list[str]:
    return [word for word in WORDS if word.encode() in data]


def files_below(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def every_value(url: str) -> bytes:
    """Every column of every row of every table, as text."""
    values: list[str] = []
    with psycopg.connect(url) as connection:
        tables = connection.execute("SELECT schemaname, tablename FROM pg_tables WHERE tableowner = current_user")
        for schema, table in tables.fetchall():
            if schema in ("pg_catalog", "information_schema"):
                continue
            query = sql.SQL("SELECT t::text FROM {} AS t").format(sql.Identifier(schema, table))
            values += [row[0] for row in connection.execute(query).fetchall()]
    return "\n".join(values).encode()


@pytest.mark.requirement("SEC-1")
@pytest.mark.requirement("MEM-2")
def test_neither_secrets_nor_private_text_are_in_the_store(site: Site, tmp_path: Path) -> None:
    async def story() -> None:
        async with house(site) as here:
            await send_all(here)
            entries = await here.journal()
            assert len(entries) == len(PAYLOADS) + 1
            assert sum(bool(entry["scrubbed"]) for entry in entries) >= len(PAYLOADS) - 1
            prompt = next(entry for entry in entries if entry["event"] == "UserPromptSubmit")
            assert prompt["payload"]["prompt"].endswith("please  and go on")
            if site.kind == "postgresql":
                data = every_value(site.url)
                assert b"please  and go on" in data
                assert found_in(data) == []
            for name, data in files_below(tmp_path).items():  # also while it is open: the write-ahead log
                assert found_in(data) == [], name
            if site.kind == "sqlite":
                assert any(b"please  and go on" in data for data in files_below(tmp_path).values())

    run(story())
    for name, data in files_below(tmp_path).items():
        assert found_in(data) == [], name


@pytest.mark.requirement("SEC-1")
@pytest.mark.requirement("MEM-2")
def test_nor_in_the_spool(site: Site, tmp_path: Path) -> None:
    async def story() -> None:
        async with house(site) as here:
            await here.go(load("Stop", session_id="s"))
            Refusing(here, StoreFull("full"))
            await send_all(here)
            spooled = files_below(here.spool)
            assert len(spooled) == len(PAYLOADS) + 1
            assert any(b"please  and go on" in data for data in spooled.values())
            for name, data in spooled.items():
                assert found_in(data) == [], name
                assert json.loads(data)["payload"]

    run(story())


@pytest.mark.requirement("MEM-2")
def test_a_wholly_private_prompt_leaves_an_empty_one(site: Site) -> None:
    async def story() -> None:
        async with house(site) as here:
            await here.go(load("UserPromptSubmit", prompt=f"<private>{PRIVATE}</private>"))
            (entry,) = await here.journal()
            assert entry["payload"]["prompt"] == ""

    run(story())
