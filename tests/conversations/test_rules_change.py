"""After an upgrade the scrubber's rules are others: spool and transcript still lead to the entries that are there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from holdfast import spool
from holdfast.ids import new_id
from holdfast.road.ownpart import OwnPart
from tests.contract.site import Site
from tests.support.roads import House, house, run
from tests.support.sessions import Session

OLD, NEW = ("the", "file"), ("the", "file", "done", "and", "is", "a")


class Words:
    """A scrubber whose rules are these words."""

    def __init__(self, *words: str) -> None:
        self._pattern = re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE)

    def value(self, value: object, breathe: object = None, /) -> tuple[object, tuple[str, ...]]:
        if isinstance(value, str):
            return self._pattern.sub("[scrubbed:word]", value), ()
        if isinstance(value, dict):
            return {key: item if key.endswith(("_id", "_path", "_name")) else self.value(item)[0]
                    for key, item in value.items()}, ()  # fmt: skip
        return ([self.value(item)[0] for item in value], ()) if isinstance(value, list) else (value, ())

    quickly = value


def wordy(text: str) -> str:
    """The session's short answers as sentences: of two words less one nothing is left to be known by."""
    for short in ("Seven", "All done", "Done", "Noted"):
        text = text.replace(f'"{short}."', f'"{short}: the work on the file is finished, and a test proves it."')
    return text


async def told_again(here: House, session: Session) -> None:
    for path in dict.fromkeys(hook.payload["transcript_path"] for hook in session.hooks):
        await here.recovery.step(Path(path), 0, None, OwnPart(everything=False))
        await here.recovery.step(Path(path), 0, None, OwnPart(everything=True), source="import")


@pytest.mark.requirement("EVT-8", "SEC-1")
@pytest.mark.parametrize(("before", "after"), [(OLD, NEW), (NEW, OLD)])
def test_a_transcript_leads_to_what_older_rules_had_scrubbed(
    site: Site, tmp_path: Path, before: tuple[str, ...], after: tuple[str, ...]
) -> None:
    async def story() -> None:
        session = Session("2.1.325", tmp_path / "projects")
        session.write()
        for path in (tmp_path / "projects").rglob("*.jsonl"):
            path.write_text(wordy(path.read_text()))
        async with house(site, scrubber=Words(*before)) as here:
            for hook in session.hooks:
                payload = json.loads(wordy(json.dumps(hook.payload)))
                assert (await here.go(payload, happened_at=hook.at)).kept
            await told_again(here, session)
            kept = [entry["id"] for entry in await here.journal()]
            assert any("[scrubbed:word]" in str(entry["payload"]) for entry in await here.journal("Stop"))
        async with house(site, scrubber=Words(*after)) as here:
            await told_again(here, session)
            assert [entry["id"] for entry in await here.journal()] == kept

    run(story())


@pytest.mark.requirement("EVT-8", "SEC-1")
@pytest.mark.parametrize("same_id", [True, False], ids=["came by its hook", "came by its transcript"])
def test_the_spool_leads_to_what_older_rules_had_scrubbed(site: Site, same_id: bool) -> None:
    prompt: dict[str, Any] = {
        "hook_event_name": "UserPromptSubmit", "session_id": "c-1", "prompt_id": "p-1", "cwd": "/srv",
        "prompt": "Open the door and the file, a long sentence is done.",
    }  # fmt: skip

    async def story() -> None:
        identity = new_id()
        async with house(site, scrubber=Words(*OLD)) as here:
            source: Any = "http" if same_id else "transcript"
            arrival = {"arrival_id": identity} if same_id else {}
            assert (await here.go(prompt, source, happened_at=9, **arrival)).kept
            clean, _ = Words(*OLD).value(prompt)
            assert isinstance(clean, dict)
            spool.put(here.spool, spool.Spooled(identity, "UserPromptSubmit", 9, clean))
        async with house(site, scrubber=Words(*NEW)) as here:
            assert await here.drain.run() == 1
            assert len(await here.journal("UserPromptSubmit")) == 1
            other = prompt | {"prompt": "Another prompt of the same turn, and a new one."}
            spool.put(here.spool, spool.Spooled(new_id(), "UserPromptSubmit", 10, other))
            assert await here.drain.run() == 1
            assert len(await here.journal("UserPromptSubmit")) == 2

    run(story())
