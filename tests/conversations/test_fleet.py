"""Which agent needs a person: events in, the table out, over restarts and on both stores."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from holdfast.config import Config, Loaded
from holdfast.daemon.compose import Parts, assemble
from holdfast.errors import NothingFound, Refused
from holdfast.events.caller import Caller
from holdfast.events.progress import Progress, ProgressBoard
from holdfast.events.tool import NoArguments
from holdfast.ids import ConversationId
from holdfast.paths import Home
from holdfast.program import PROGRAM
from holdfast.road.edge import read_payload
from holdfast.rooms.continuity.showing.status_line import written
from holdfast.rooms.fleet.pane import lines as pane_lines
from holdfast.rooms.fleet.pane import status as room_status
from holdfast.rooms.fleet.service import Fleet
from holdfast.rooms.fleet.settings import Settings
from holdfast.rooms.fleet.tools import MarkSeen, ShowFleet, mark_seen, show_fleet, show_panes
from holdfast.scrub import default_scrubber
from holdfast.sender import NOBODY, Sender
from holdfast.store.interface import Store
from tests.contract.site import Site
from tests.support.patience import PATIENCE, patient
from tests.support.payloads import load

MINUTE = 60_000_000
START = 1_800_000_000_000_000
BASH: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "rm -rf build"}, "tool_use_id": "u1"}
ASKED: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": "rm -rf build"}}
Row = dict[str, Any]


class Daemon:
    """One daemon on a store, with a clock that the story moves."""

    def __init__(
        self, store: Store, settings: Settings | None = None, home: str = "/nowhere", now: int = START
    ) -> None:
        self.at = now
        parts = Parts(program=patient(PROGRAM), now=self.clock, owner="me", jobs=self, follows=False, patience=PATIENCE)
        loaded = Loaded(Config(), rooms={"fleet": settings or Settings(client="")})
        self.made = assemble(Home(Path(home)), loaded, default_scrubber(), store, parts)
        self.fleet = self.made.services.get(Fleet)

    def clock(self) -> int:
        self.at += 1_000
        return self.at

    def ask(self, *_: Any, **__: Any) -> None:
        """No job matters here."""

    async def tell(self, session: str, event: str, *, cwd: str = "/p", sender: Sender = NOBODY, **fields: Any) -> None:
        common = {"session_id": session, "cwd": cwd, "hook_event_name": event, "transcript_path": f"/t/{session}.jsonl"}
        body = read_payload(json.dumps(common | fields).encode())
        assert (await self.made.road.travel(body, source="http", sender=sender)).kept

    def caller(self, **more: Any) -> Caller:
        return Caller(self.made.services, "me", self.clock, **more)

    async def rows(self, **asked: Any) -> list[Row]:
        return list(msgspec.to_builtins(await show_fleet(ShowFleet(**asked), self.caller())))

    async def of(self, session: str, agent: str = "") -> Row:
        found = [row for row in await self.rows() if row["session_id"] == session]
        return next(row for row in found if (row["agent_id"] == agent if agent else row["parent"] is None))


def told(site: Site, story: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        async with site.open() as store:
            await story(store)

    asyncio.run(run())


@pytest.mark.requirement("FLT-1")
@pytest.mark.requirement("FLT-4")
@pytest.mark.requirement("FLT-5")
def test_the_table_tells_who_needs_a_person_also_after_a_restart(site: Site) -> None:
    async def story(store: Store) -> None:
        daemon = Daemon(store)
        assert await daemon.rows() == []
        await daemon.tell("busy", "UserPromptSubmit", prompt="go", cwd="/q", sender=Sender("builder", "%3", 0))
        await daemon.tell("asks", "PreToolUse", **BASH)
        await daemon.tell("asks", "PermissionRequest", **ASKED)
        await daemon.tell("limit", "StopFailure", error="rate_limit", last_assistant_message="429")
        await daemon.tell("idle", "Stop", background_tasks=[])
        await daemon.tell("fails", "PostToolUseFailure", **BASH, error="Exit code 1")
        rows = await daemon.rows()
        assert [(row["session_id"], row["status"], row["needs"]) for row in rows] == [
            ("limit", "error", "rate limit reached: 429"),
            ("asks", "attention", "permission for Bash: rm -rf build"),
            ("fails", "error", ""),
            ("busy", "working", ""),
            ("idle", "done", ""),
        ]
        assert {"agent_id", "session_id", "project", "status", "since", "stale", "parent", "needs"} <= set(rows[0])
        assert [(row["agent_id"], row["name"], row["pane"], row["parent"]) for row in rows if row["name"]] == [
            ("builder", "builder", "%3", None)
        ]
        assert {row["project"] for row in rows} == {"p", "q"}
        assert [row["session_id"] for row in await daemon.rows()] == [row["session_id"] for row in rows]

        later = Daemon(store, now=START + 6 * MINUTE)  # the first daemon is gone
        after = await later.rows()
        assert [(row["session_id"], row["status"], row["needs"], row["since"]) for row in after] == [
            (row["session_id"], row["status"], row["needs"], row["since"]) for row in rows
        ]
        assert all(row["stale"] for row in after), "nothing happened for five minutes"
        await later.tell("asks", "PostToolUse", **BASH, tool_response={})
        assert [(await later.of("asks"))[name] for name in ("status", "stale")] == ["working", False]
        assert (await later.of("busy"))["name"] == "builder"

        elsewhere = Daemon(store, home="/another", now=later.at)  # another machine that shares the store
        assert len(await elsewhere.rows()) == 5
        assert (await elsewhere.of("asks"))["status"] == "working"
        await later.tell("twin", "Stop", cwd="/clones/p")  # another project of the same name
        here = later.caller(folder="/p", project_id=(await later.of("asks"))["project_id"])
        shown = await show_fleet(ShowFleet(here=True), here)
        assert {line.session_id for line in shown} == {"limit", "asks", "fails", "idle"}

    told(site, story)


@pytest.mark.requirement("FLT-1")
def test_a_look_is_a_persons_and_is_kept(site: Site) -> None:
    async def story(store: Store) -> None:
        daemon = Daemon(store)
        await daemon.tell("session-1", "PermissionRequest", **ASKED, sender=Sender("", "%7", 0))
        await daemon.tell("session-2", "StopFailure", error="server_error")
        await daemon.tell("session-3", "Stop")
        with pytest.raises(Refused):
            await mark_seen(MarkSeen(), daemon.caller(is_agent=True))
        with pytest.raises(NothingFound):
            await mark_seen(MarkSeen(("nobody",)), daemon.caller())
        assert (await mark_seen(MarkSeen(pane="%7"), daemon.caller()))["seen"] == ["session-1"]
        assert [(await daemon.of("session-1"))[name] for name in ("status", "needs")] == [
            "checked",
            "permission for Bash: rm -rf build",
        ]
        assert (await mark_seen(MarkSeen(), daemon.caller()))["seen"] == ["session-2"], "all that still call"
        assert (await mark_seen(MarkSeen(("session-3",)), daemon.caller()))["seen"] == ["session-3"]
        again = Daemon(store, now=daemon.at)
        assert {row["status"] for row in await again.rows()} == {"checked"}
        await again.tell("session-2", "UserPromptSubmit", prompt="again")
        await again.tell("session-2", "StopFailure", error="server_error")
        assert (await again.of("session-2"))["status"] == "error"

    told(site, story)


@pytest.mark.requirement("FLT-1")
@pytest.mark.requirement("FLT-5")
def test_helpers_stand_below_their_parent_and_end_with_it(site: Site) -> None:
    async def story(store: Store) -> None:
        daemon = Daemon(store)
        one: Row = {"agent_id": "a1", "agent_type": "Explore"}
        two: Row = {"agent_id": "a2", "agent_type": "general-purpose"}
        await daemon.tell("s", "PreToolUse", **BASH, **one)
        assert [row["agent_id"] for row in await daemon.rows()] == ["s", "a1"], "its parent started elsewhere"
        await daemon.tell("s", "SubagentStart", **two)
        launched = load("PostToolUse-Agent-async_launched", session_id="s")
        launched["tool_response"]["agentId"] = "a2"
        await daemon.tell("s", "PostToolUse", **{key: launched[key] for key in launched if key.startswith("tool_")})
        await daemon.tell("s", "PermissionRequest", **ASKED, **two)
        await daemon.tell("s", "Notification", notification_type="permission_prompt", message="Claude needs you")
        rows = {row["agent_id"]: (row["status"], row["parent"]) for row in await daemon.rows()}
        assert rows == {"s": ("working", None), "a1": ("working", "s"), "a2": ("attention", "s")}
        (pane,) = await show_panes(NoArguments(), daemon.caller())
        assert (pane.status, pane.style) == ("attention", "bg=colour58"), "a pane shows the neediest of its agents"
        await daemon.tell("s", "PreToolUse", **(BASH | {"tool_use_id": "u9"}), **one)
        assert (await daemon.of("s", "a2"))["status"] == "attention", "another agent's event answers nothing"
        await daemon.tell("s", "PostToolUse", **BASH, tool_response={}, **two)
        tasks = [{"id": "a2", "type": "subagent", "status": "running"}]
        await daemon.tell("s", "Stop", background_tasks=tasks)
        left = {row["agent_id"]: row["status"] for row in await daemon.rows()}
        assert left == {"s": "working", "a2": "working"}, "a foreground helper is over with the turn"
        compaction: Row = {"agent_id": "a3", "agent_type": ""}
        await daemon.tell("s", "SubagentStop", **compaction)
        assert len(await daemon.rows()) == 2
        await daemon.tell("s", "SubagentStop", **two, last_assistant_message="done")
        await daemon.tell("s", "Stop", background_tasks=[])
        assert [(row["agent_id"], row["status"]) for row in await daemon.rows()] == [("s", "done")]
        await daemon.tell("s", "SubagentStart", **two)
        await daemon.tell("s", "SessionEnd", reason="other")
        assert [(row["agent_id"], row["ended"]) for row in await daemon.rows()] == [("s", True)]
        assert len(await daemon.rows(all=True)) == 3
        await daemon.tell("s2", "UserPromptSubmit", prompt="x")
        await daemon.tell("s2", "SessionEnd", reason="clear")
        assert "s2" not in [row["session_id"] for row in await daemon.rows()], "its terminal goes on with another"
        daemon.at += 16 * MINUTE
        assert await daemon.rows() == []

    told(site, story)


@pytest.mark.requirement("FLT-3")
@pytest.mark.requirement("FLT-5")
def test_a_team_its_tasks_and_a_report_that_is_owed(site: Site) -> None:
    async def story(store: Store) -> None:
        daemon = Daemon(store)
        spawned = load("PostToolUse-Agent-teammate_spawned")
        bob: Row = {"agent_id": spawned["tool_response"]["agent_id"], "agent_type": "bob"}
        idle = load("TeammateIdle", session_id="s", agent_id=bob["agent_id"])
        await daemon.tell("s", "UserPromptSubmit", prompt="go")
        await daemon.tell("s", "PostToolUse", **{key: spawned[key] for key in spawned if key.startswith("tool_")})
        await daemon.tell("s", "SubagentStart", **bob)
        await daemon.tell("s", "Stop", background_tasks=[{"id": "t1", "type": "teammate", "status": "running"}])
        assert [(row["kind"], row["status"]) for row in await daemon.rows()] == [
            ("main", "working"),
            ("teammate", "working"),
        ]
        await daemon.tell("s", "SubagentStop", **bob, last_assistant_message="")
        await daemon.tell("s", **_named(idle))
        rows = await daemon.rows()
        assert [(row["name"], row["status"], row["needs"]) for row in rows] == [
            ("", "done", ""),
            ("bob", "attention", "idle, but it owes a report"),
        ]
        report: Row = {
            "tool_name": "SendMessage",
            "tool_input": {"to": "team-lead", "message": "x"},
            "tool_use_id": "m1",
        }
        await daemon.tell("s", "SubagentStart", **bob)
        await daemon.tell("s", "PostToolUse", **report, tool_response={"success": True}, **bob)
        await daemon.tell("s", "SubagentStop", **bob, last_assistant_message="")
        await daemon.tell("s", **_named(idle))
        assert (await daemon.of("s", bob["agent_id"]))["status"] == "done"
        await daemon.tell("s", "TaskCreated", task_id="1", task_subject="the parser", teammate_name="bob")
        daemon = Daemon(store, now=daemon.at)
        await daemon.tell("s", **_named(idle))
        owing = await daemon.of("s", bob["agent_id"])
        assert (owing["status"], owing["needs"]) == ("attention", "idle, but its task is open: the parser")
        assert (await daemon.of("s"))["tasks_open"] == 1
        await daemon.tell("s", "TaskCompleted", task_id="1", task_subject="the parser")
        assert (await daemon.of("s", bob["agent_id"]))["status"] == "done"
        assert (await daemon.of("s"))["tasks_open"] == 0

    told(site, story)


def _named(payload: Row) -> Row:
    fields = {key: value for key, value in payload.items() if key not in ("session_id", "cwd", "transcript_path")}
    return fields | {"event": fields.pop("hook_event_name")}


@pytest.mark.requirement("FLT-1")
def test_what_is_not_of_this_moment_or_was_forgotten_says_nothing(site: Site) -> None:
    async def story(store: Store) -> None:
        daemon = Daemon(store)
        body = read_payload(json.dumps({"session_id": "old", "cwd": "/p", "hook_event_name": "Stop"}).encode())
        await daemon.made.road.travel(body, source="transcript", happened_at=START)
        assert await daemon.rows() == []
        await daemon.tell("s", "PermissionRequest", tool_name="Bash", tool_input={"command": "echo Tulip"})
        await daemon.tell("t", "Stop")
        assert (await store.size()).rows["fleet_agent"] == 2
        caller = daemon.caller(conversation=ConversationId("t"))
        assert [line.partition(" (")[0] for line in await pane_lines(caller)][-1] == "1 attention, 1 done"
        assert "permission for Bash: echo Tulip" in (await pane_lines(caller))[0]
        assert len(await pane_lines(daemon.caller(conversation=ConversationId("s")))) == 1, "not what it shows itself"
        board = daemon.made.services.get(ProgressBoard)
        assert [board.calling(ConversationId(beside)) for beside in ("s", "t")] == [0, 1]
        assert "1 other agent needs you" in written(None, (), 0, Progress(), board.calling(ConversationId("t")))
        status = await room_status(daemon.made.services)
        assert status.values["fleet"]["agents"]["attention"] == 1
        await daemon.fleet.turn_ended(ConversationId("s"), "aborted")
        assert (await daemon.of("s"))["message"] == "interrupted"
        daemon.fleet.roster.forget()
        assert len(await daemon.rows()) == 2, "read anew"

    told(site, story)
