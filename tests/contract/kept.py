"""A small store full of memory: a project, two sessions, prompts, observations, summaries, memories."""

from __future__ import annotations

from holdfast import recall
from holdfast.ids import NO_PROMPT, ConversationId, EntryId, ItemId, WindowId, new_id
from holdfast.items import tables as injections
from holdfast.items.model import Given, Listener, Objection, Superseded
from holdfast.rooms.memory import tables
from holdfast.rooms.memory.model import Memory, Observation, Prompt, Summary, SummaryContent
from holdfast.store.interface import Store, Tx, Value
from holdfast.upkeep.forget import Forgetting
from holdfast.upkeep.traces import Swept, Traces
from tests.support.upkeep import forgetting as forgetting_of
from tests.support.upkeep import items_of

OWNER = "me"
START = 1_790_000_000_000_000
MINUTE = 60_000_000
GUIDE = "https://docs.example/guide"
FAQ = "https://docs.example/faq"
CHANGED = START + 90 * MINUTE


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


def page(url: str, version: str, scope: str = "") -> dict[str, Value]:
    """A web page as the citations keep it."""
    told: dict[str, Value] = {"id": new_id(START), "scope": scope, "url": url, "shown_url": url, "final_url": url}
    told |= {"etag": '"1"', "last_modified": None, "content_type": "text/html", "vary": "", "version": version}
    return told | {"source": "p", "created_at": START, "verified_at": START, "challenged_at": 0, "changed_at": None}


async def fill_more(store: Store, ids: dict[str, str], owner: str = OWNER) -> dict[str, str]:
    """Add what few things have: a memory (`guide`) of two web pages, of which one changed since, words of a model in
    place of a summary, and a conversation that lost its context."""
    ids["guide"] = new_id(START)
    pages = [page(url, "v1", ids["project"]) for url in (GUIDE, FAQ)]
    reading: dict[str, Value] = {"id": new_id(START), "citation_id": pages[0]["id"], "prompt_key": "k", "prompt": "how"}
    reading |= {"text": "Five attempts.", "version": "v1", "digest": "d", "code": 200, "bytes": 14, "page_bytes": 900}
    reading |= {"took_ms": 20, "read_by": "me", "read_at": START, "used_at": START, "uses": 0}
    words = f"The guide tells how retries are set, see {GUIDE} and {FAQ}."
    at = START + 80 * MINUTE
    memory = Memory(ItemId(ids["guide"]), owner, ids["project"], "The guide", words, (), (), "user", "", at, at)

    def write(tx: Tx) -> None:
        for each in pages:
            tx.run("table.citation.put", owner=owner, **each)
            known = {name: each[name] for name in ("url", "shown_url", "version")}
            tx.run("citations.page_in_force", owner=owner, at=START, **known)
        tx.run("table.reading.put", **reading)
        tables.keep_memory(tx, memory)
        change = {"url": GUIDE, "version": "v1", "owner": owner}
        tx.run("citations.mark_cited", new_version="v2", at=CHANGED, **change)
        tx.run("citations.mark_cited", new_version="", at=CHANGED + MINUTE, **change)
        for number, conversation in enumerate(("c1", "c2")):
            tx.run("items.lose_context", conversation=conversation, at=START + 7 * MINUTE)
            tx.run(
                "memory.model_summary_put",
                subject=f"turn:{ids[f'{conversation}.prompt']}",
                facts="f1",
                by_model='{"title": "The lock", "learned": "a worn gasket"}',
                by_rules='{"title": "The importer", "files": ["a.py"]}',
                written_at=START + (8 + number) * MINUTE,
                owner=owner,
            )

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
    talk, window = ConversationId(conversation), WindowId(session)
    who = Listener(talk)
    text = f"why does the importer of {conversation} fail, ünïcode – “quotes” and a\nnew line?"
    tables.keep_prompt(tx, Prompt(ItemId(names["prompt"]), talk, NO_PROMPT, window, project, 0, text, at), owner)
    edit = Observation(
        id=ItemId(names["edit"]),
        window_id=window,
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
    tables.keep_observation(tx, edit, who, owner)
    test = Observation(
        id=ItemId(names["test"]),
        window_id=window,
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
    tables.keep_observation(tx, test, who, owner)
    content = SummaryContent(
        "The importer of " + conversation,
        request="why",
        investigated="read",
        done="edited",
        learned="a stale lock",
        outcome="passed",
        files=("a.py",),
    )
    summary = Summary(
        ItemId(names["turn"]),
        f"turn:{names['prompt']}",
        "turn",
        talk,
        window,
        project,
        1,
        content,
        "rules",
        at + 3 * MINUTE,
    )
    tables.keep_summary(tx, summary, owner)
    for name, words in (("old", "The lock is taken twice."), ("memory", "The lock is taken once, since 2.0.")):
        memory = Memory(
            ItemId(names[name]),
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
        tables.keep_memory(tx, memory)
    injections.supersede(
        tx, Superseded(ItemId(names["old"]), ItemId(names["memory"]), "newer", "user", at + 5 * MINUTE), owner
    )
    objection = Objection(ItemId(names["memory"]), ItemId(""), "an agent saw it taken twice", "agent", at + 5 * MINUTE)
    injections.objects(tx, objection, owner)
    given = [Given(ItemId(names["memory"]), "words", 12, 0.5, (("words", 0.5),))]
    injections.inject(tx, EntryId(names["entry"]), at + 6 * MINUTE, who, "recall", "", given)


# --- services on it


def forgetting(store: Store, seen: list[Traces] | None = None) -> Forgetting:
    """The service; what the files would be searched by is put into `seen`."""

    async def sweep(traces: Traces, now: int) -> Swept:
        if seen is not None:
            seen.append(traces)
        return Swept()

    return forgetting_of(store, OWNER, items_of(store), sweep=sweep)


async def found(store: Store, question: str) -> list[str]:
    asked = recall.Query(question, (OWNER,), limit=50)
    return [hit.id for hit in await store.read(lambda reader: recall.find(reader, asked))]
