"""Summaries by a model, with a stand-in for the client: words, allowance and ledger. Told on both databases."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from holdfast.rooms.memory.settings import Summaries
from holdfast.rooms.memory.summaries.by_model.ledger import Account, Spent
from holdfast.rooms.memory.summaries.by_model.writing import Writing
from holdfast.store.interface import Store, Tx
from holdfast.upkeep.forget_selection import ForgetRequest
from tests.contract.kept import OWNER, fill, forgetting, found
from tests.contract.site import AnyStore, Site
from tests.support.ground import ground


def client(folder: Path, answer: str, usd: float = 0.01) -> str:
    """A stand-in for the client: it notes that it was called, and prints a result."""
    result = json.dumps(
        {"type": "result", "result": answer, "total_cost_usd": usd, "usage": {"input_tokens": 900, "output_tokens": 60}}
    )
    program = folder / "claude"
    program.write_text(f"#!/bin/sh\ncat > /dev/null\necho x >> {folder}/calls\ncat <<'EOF'\n{result}\nEOF\n")
    program.chmod(0o700)
    return str(program)


def calls(folder: Path) -> int:
    file = folder / "calls"
    return len(file.read_text().split()) if file.exists() else 0


def writing(store: Store, folder: Path, asked: list[dict[str, Any]], allowance: Summaries) -> Writing:
    class Queue:
        def ask(self, tx: Tx, name: str, subject: str, arguments: dict[str, Any], *, in_seconds: float = 0) -> None:
            asked.append(arguments)

    return Writing(ground(store, OWNER, folder=folder, jobs=Queue()), allowance)


@pytest.mark.requirement("MEM-5")
def test_a_models_words_take_the_place_of_the_rules_and_both_are_kept(site: Site, tmp_path: Path) -> None:
    async def story(store: AnyStore) -> None:
        ids = await fill(store)
        asked: list[dict[str, Any]] = []
        answer = '```json\n{"title": "Lock fixed", "done": ["one", "two"], "learned": "It was stale."}\n```'
        service = writing(store, tmp_path, asked, Summaries("haiku", client(tmp_path, answer)))
        subject = f"turn:{ids['c1.prompt']}"
        turn = {"level": "turn", "conversation": "c1", "number": 1}
        await service.consider(turn)
        assert asked == []  # a turn with two observations is left to the rules
        await service.run({"subject": subject})
        row = await store.read(lambda reader: reader.one("memory.summary_of", subject=subject))
        assert row is not None
        assert (row["written_by"], row["title"], row["done"]) == ("model", "Lock fixed", "one\ntwo")
        assert (row["outcome"], row["request"]) == ("passed", "why")
        assert ids["c1.turn"] in await found(store, "lock fixed")
        kept = await store.read(lambda reader: reader.one("memory.model_summary", subject=subject))
        assert kept is not None
        assert json.loads(str(kept["by_rules"]))["learned"] == "a stale lock"
        spent = await store.read(lambda reader: reader.one("memory.model_spent", owner=OWNER, day=0))
        assert spent == {"calls": 1, "usd": 0.01, "input_tokens": 900, "output_tokens": 60}
        await service.run({"subject": subject})
        assert calls(tmp_path) == 1  # it is written already

    site.tell(story)


@pytest.mark.requirement("MEM-5")
def test_the_allowance_of_a_day_is_kept(site: Site, tmp_path: Path) -> None:
    async def story(store: AnyStore) -> None:
        ids = await fill(store)
        for allowance in (
            Summaries("", client(tmp_path, '{"title": "x"}')),
            Summaries("haiku", client(tmp_path, '{"title": "x"}'), calls_per_day=0),
            Summaries("haiku", client(tmp_path, '{"title": "x"}'), usd_per_day=0.0),
        ):
            service = writing(store, tmp_path, [], allowance)
            await service.consider({"level": "session", "conversation": "c1"})
            if allowance.model:
                await service.run({"subject": f"turn:{ids['c1.prompt']}"})
        assert calls(tmp_path) == 0
        service = writing(
            store, tmp_path, [], Summaries("haiku", client(tmp_path, "nonsense", usd=0.3), usd_per_day=0.5)
        )
        for _ in range(5):
            await service.run({"subject": f"turn:{ids['c1.prompt']}"})
        assert calls(tmp_path) == 2  # the third would begin past half a dollar
        row = await store.read(lambda reader: reader.one("memory.summary_of", subject=f"turn:{ids['c1.prompt']}"))
        assert row is not None
        assert row["written_by"] == "rules"

    site.tell(story)


@pytest.mark.requirement("MEM-5")
def test_every_call_is_in_the_ledger_with_what_it_was_about(site: Site, tmp_path: Path) -> None:
    async def story(store: AnyStore) -> None:
        ids = await fill(store)
        nonsense = writing(store, tmp_path, [], Summaries("haiku", client(tmp_path, "Zanzibar!", usd=0.3), 20, 1.0))
        assert await writing(store, tmp_path, [], Summaries()).account() is None
        none = Spent(0, 0.0, 0, 0)
        assert await nonsense.account() == Account("haiku", none, 20, 1.0, none)
        await nonsense.run({"subject": f"turn:{ids['c1.prompt']}"})
        sound = Summaries("haiku", client(tmp_path, '{"title": "Lock fixed"}'), 20, 1.0)
        await writing(store, tmp_path, [], sound).run({"subject": f"turn:{ids['c2.prompt']}"})
        long_ago: dict[str, Any] = {
            "id": "old",
            "day": 1,
            "purpose": "summary",
            "subject": "turn:gone",
            "model": "haiku",
            "usd": 0.5,
        }
        long_ago |= {"input_tokens": 1, "output_tokens": 2, "error": "about Zanzibar", "began_at": 1, "took_ms": 3}
        await store.write(lambda tx: tx.run("memory.model_call", owner=OWNER, **long_ago))
        await store.write(lambda tx: tx.run("memory.model_call", **long_ago | {"owner": "you", "id": "other"}))

        off = writing(store, tmp_path, [], Summaries())
        account = await off.account()
        assert account is not None
        assert (account.model, account.today.calls, account.total.calls) == ("", 2, 3)
        assert account.today.usd == pytest.approx(0.31)
        assert account.total.usd == pytest.approx(0.81)
        assert account.total.input_tokens == 1_801
        new, failed, old = await off.costs(0, 10)
        assert (new.summary_id, new.conversation, new.project, new.error) == (ids["c2.turn"], "c2", "w", "")
        assert (new.input_tokens, new.output_tokens, new.usd) == (900, 60, 0.01)
        assert (failed.summary_id, failed.error) == (ids["c1.turn"], "the answer is no JSON object")
        assert (old.summary_id, old.conversation, old.project, old.error) == ("", "", "", "about Zanzibar")
        assert await off.costs(2, 10) == [new, failed]
        assert await off.costs(0, 1) == [new]
        await forgetting(store).forget(ForgetRequest(text="zanzibar"))
        assert [each.error for each in await off.costs(0, 10)] == ["", failed.error, "forgotten"]

    site.tell(story)


@pytest.mark.requirement("MEM-11")
def test_what_is_forgotten_during_a_call_is_not_written_back(site: Site, tmp_path: Path) -> None:
    async def story(store: AnyStore) -> None:
        ids = await fill(store)
        subject = f"turn:{ids['c1.prompt']}"
        program = Path(client(tmp_path, '{"title": "The zanzibar lock was stale"}'))
        gate = tmp_path / "gate"
        held = program.read_text().replace(
            "cat > /dev/null\n", f"cat > /dev/null\nwhile [ ! -e {gate} ]; do sleep 0.02; done\n"
        )
        program.write_text(held)
        service = writing(store, tmp_path, [], Summaries("haiku", str(program)))
        run = asyncio.create_task(service.run({"subject": subject}))
        for _ in range(500):
            if begun := await service.costs(0, 5):
                break
            await asyncio.sleep(0.02)
        [booked] = begun
        assert "cut off" in booked.error
        await forgetting(store).forget(ForgetRequest(ids=(ids["c1.test"],)))
        gate.touch()
        await run
        row = await store.read(lambda reader: reader.one("memory.summary_of", subject=subject))
        assert row is None or "zanzibar" not in str(row)
        assert await store.read(lambda reader: reader.one("memory.model_summary", subject=subject)) is None
        [paid] = await service.costs(0, 5)
        assert (paid.usd, paid.error) == (0.01, "")

    site.tell(story)
