"""A small store full of memory: a project, two sessions, prompts, observations, summaries, memories."""

from __future__ import annotations

from holdfast.ids import new_id
from holdfast.rooms.memory import shelf
from holdfast.rooms.memory.model import (
    Given,
    Listener,
    Memory,
    Observation,
    Prompt,
    Summary,
    Sums,
    Superseded,
)
from holdfast.store.interface import Store, Tx

OWNER = "me"
START = 1_790_000_000_000_000
MINUTE = 60_000_000


async def fill(store: Store, conversations: tuple[str, ...] = ("c1", "c2"), owner: str = OWNER) -> dict[str, str]:
    """Write it; ids by name: `project`, and per conversation `prompt`, `edit`, `test`, `turn`, `memory`."""
    ids: dict[str, str] = {"project": new_id(), "worktree": new_id()}

    def write(tx: Tx) -> None:
        at = START
        tx.run("session.project_add", id=ids["project"], owner=owner, place="/w/.git", name="w", created_at=at)
        tx.run("session.worktree_add", id=ids["worktree"], project_id=ids["project"], path="/w", created_at=at)
        for conversation in conversations:
            _conversation(tx, ids, conversation, owner, at)
            at += 60 * MINUTE

    await store.write(write)
    return ids


def _conversation(tx: Tx, ids: dict[str, str], conversation: str, owner: str, at: int) -> None:
    names = {name: new_id(at) for name in ("session", "prompt", "edit", "test", "turn", "old", "memory", "entry")}
    ids |= {f"{conversation}.{name}": value for name, value in names.items()}
    session, project = names["session"], ids["project"]
    tx.run(
        "session.open",
        id=session,
        owner=owner,
        conversation=conversation,
        agent_id="",
        agent_type=None,
        window_number=1,
        project_id=project,
        worktree_id=ids["worktree"],
        transcript_path=None,
        began_by="",
        started_at=at,
    )
    who = Listener(conversation, "", session)
    text = f"why does the importer of {conversation} fail, ünïcode – “quotes” and a\nnew line?"
    shelf.keep_prompt(tx, Prompt(names["prompt"], conversation, "", session, project, 0, text, at), owner)
    edit = Observation(
        id=names["edit"],
        session_id=session,
        project_id=project,
        prompt_number=0,
        kind="edit",
        tool="Edit",
        title="Edited src/importer.py: read",
        outcome="",
        trust="agent",
        files=("src/importer.py",),
        command="",
        excerpt="- old\n+ new",
        commit_hash="abc123",
        happened_at=at + MINUTE,
    )
    shelf.keep_observation(tx, edit, who, owner)
    test = Observation(
        id=names["test"],
        session_id=session,
        project_id=project,
        prompt_number=0,
        kind="test",
        tool="Bash",
        title="Ran pytest: 3 passed",
        outcome="passed",
        trust="tool",
        files=(),
        command="pytest -q",
        excerpt="3 passed",
        commit_hash="",
        happened_at=at + 2 * MINUTE,
    )
    shelf.keep_observation(tx, test, who, owner)
    sums = Sums("The importer of " + conversation, "why", "read", "edited", "a stale lock", "", "passed", ("a.py",))
    summary = Summary(
        names["turn"],
        f"turn:{names['prompt']}",
        "turn",
        conversation,
        session,
        project,
        1,
        sums,
        "rules",
        at + 3 * MINUTE,
    )
    shelf.keep_summary(tx, summary, owner)
    for name, words in (("old", "The lock is taken twice."), ("memory", "The lock is taken once, since 2.0.")):
        memory = Memory(
            names[name],
            owner,
            project,
            words[:20],
            words,
            ("lock",),
            ("src/lock.py",),
            "user",
            "",
            at + 4 * MINUTE,
            at + 4 * MINUTE,
        )
        shelf.keep_memory(tx, memory)
    shelf.supersede(tx, Superseded(names["old"], names["memory"], "newer", "user", at + 5 * MINUTE))
    given = [Given(names["memory"], "words", 12, 0.5, (("words", 0.5),))]
    shelf.inject(tx, names["entry"], at + 6 * MINUTE, who, "recall", "", given)
