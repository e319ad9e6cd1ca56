"""Jobs, sessions, meters and facts on both databases: what their queries promise."""

from __future__ import annotations

import pytest

from holdfast.ids import new_id
from holdfast.store.interface import Tx, Value
from tests.contract.site import AnyStore, Site, arrival


def ask(tx: Tx, subject: str, due_at: int = 100) -> int:
    return tx.run(
        "job.add",
        id=new_id(),
        kind="embed",
        subject=subject,
        arguments="{}",
        home="here",
        due_at=due_at,
        created_at=1,
    )


def due(tx: Tx, now: int = 1_000) -> list[dict[str, Value]]:
    return tx.all("job.due", home="here", now=now, ahead=now + 1_000, limit=10)


@pytest.mark.requirement("STO-1")
def test_a_job_is_asked_for_once_taken_once_and_retried(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        def work(tx: Tx) -> None:
            assert [ask(tx, "a"), ask(tx, "a"), ask(tx, "b", due_at=50), ask(tx, "c", due_at=9_000)] == [1, 0, 1, 1]
            assert [job["subject"] for job in due(tx)] == ["b", "a"]
            assert tx.one("job.next_due", home="here") == {"due_at": 50}
            job = due(tx)[0]["id"]
            assert tx.run("job.take", id=job, now=7) == 1
            assert tx.run("job.take", id=job, now=8) == 0
            assert tx.run("job.retry", id=job, due_at=60, error="no luck") == 1
            again = due(tx)[0]
            assert (again["id"], again["attempts"], again["error"], again["taken_at"]) == (job, 1, "no luck", None)
            tx.run("job.take", id=job, now=9)
            assert ask(tx, "b") == 1, "asked for while it ran: once more afterwards"
            assert tx.run("job.retry", id=job, due_at=60, error="") == 0, "the new request stands"
            assert tx.run("job.done", id=job) == 1
            tx.run("job.fail", id=due(tx)[0]["id"], error="for good")

            def counts(regular: str, now: int) -> dict[Value, Value]:
                rows = tx.all("job.counts", home="here", regular=regular, now=now)
                return {row["state"]: row["n"] for row in rows}

            assert counts("no such", 4) == {"waiting": 2, "failed": 1}
            assert counts("c", 4) == {"waiting": 1, "failed": 1}, "what comes again by itself is not due yet"
            assert counts("c", 9_000) == {"waiting": 2, "failed": 1}

        await store.write(work)

    site.tell(story)


@pytest.mark.requirement("EVT-8")
def test_a_job_of_times_to_come_is_due_after_the_clock_was_set_back(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        def work(tx: Tx) -> None:
            ask(tx, "later", due_at=9_000)
            assert due(tx, now=5_000) == []
            assert due(tx, now=-5_000) != [], "it was asked for at 1, which is far ahead of that"

        await store.write(work)

    site.tell(story)


@pytest.mark.requirement("STO-1")
def test_what_a_dead_daemon_had_begun_goes_back_once(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        def work(tx: Tx) -> None:
            for subject in ("twice begun", "twice begun", "begun and asked for", "begun"):
                ask(tx, subject)
                tx.run("job.take", id=due(tx)[0]["id"], now=7)
            ask(tx, "begun and asked for")
            assert tx.run("job.orphans", home="elsewhere") == 0
            assert tx.run("job.orphans", home="here") == 2
            assert tx.run("job.drop_orphans", home="here") == 2
            assert sorted(str(job["subject"]) for job in due(tx)) == ["begun", "begun and asked for", "twice begun"]

        await store.write(work)

    site.tell(story)


@pytest.mark.requirement("STO-1")
def test_windows_of_a_conversation(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        def work(tx: Tx) -> None:
            assert tx.run("session.project_add", id="p", owner="me", place="/r/.git", name="r", created_at=1) == 1
            assert tx.run("session.project_add", id="q", owner="me", place="/r/.git", name="r", created_at=1) == 0
            assert tx.one("session.project_by_place", owner="me", place="/r/.git") == {"id": "p"}
            tx.run("session.worktree_add", id="w", project_id="p", path="/r", created_at=1)
            for agent, number in (("", 1), ("", 2), ("a1", 1)):
                tx.run(
                    "session.open",
                    id=f"s{agent}{number}",
                    owner="me",
                    conversation="c",
                    agent_id=agent,
                    agent_type=None,
                    window_number=number,
                    project_id="p",
                    worktree_id="w",
                    transcript_path=None,
                    began_by="startup",
                    started_at=10,
                )
            current = tx.one("session.current", conversation="c", agent_id="")
            assert current is not None
            assert (current["id"], current["window_number"], current["ended_at"]) == ("s2", 2, None)
            assert tx.run("session.touch", id="s2", at=50) == 1
            assert tx.run("session.touch", id="s2", at=40) == 0
            assert tx.one("session.counts", owner="me", since=20) == {"total": 3, "active": 0}
            tx.run("journal.insert", **arrival("old", conversation="c", source="import"))
            assert tx.one("session.counts", owner="me", since=20) == {"total": 3, "active": 0}, "all was imported"
            tx.run("journal.insert", **arrival("live", conversation="c"))
            assert tx.one("session.counts", owner="me", since=20) == {"total": 3, "active": 1}
            assert tx.run("session.end", id="s1", at=60, reason="compact") == 1
            assert tx.run("session.end_agents", conversation="c", at=70, reason="exit") == 2
            assert tx.run("session.end_agents", conversation="c", at=80, reason="exit") == 0
            ids = [row["id"] for row in tx.all("session.of_conversation", conversation="c")]
            assert ids == ["s1", "s2", "sa11"]

        await store.write(work)

    site.tell(story)


@pytest.mark.requirement("STO-1")
def test_a_child_needs_its_parent(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        with pytest.raises(Exception, match=r"(?i)foreign key"):
            await store.write(
                lambda tx: tx.run("session.worktree_add", id="w", project_id="none", path="/r", created_at=1)
            )

    site.tell(story)


@pytest.mark.requirement("STO-1")
def test_meters_add_up_and_facts_stay(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        def work(tx: Tx) -> None:
            for value in (1, 2, 2**40):
                tx.run("session.meter_add", owner="me", event="Stop", name="seen", value=value)
            assert tx.all("session.meters", owner="me") == [{"event": "Stop", "name": "seen", "value": 2**40 + 3}]
            assert tx.run("session.fact_set", name="born", value="1") == 1
            assert tx.run("session.fact_set", name="born", value="2") == 0
            assert tx.one("session.fact", name="born") == {"value": "1"}
            tx.run("session.transcript_read", path="/t", conversation="c", read_bytes=10, read_at=1)
            tx.run("session.transcript_read", path="/t", conversation="c", read_bytes=20, read_at=2)
            assert tx.one("session.transcript_position", path="/t") == {"read_bytes": 20}

        await store.write(work)

    site.tell(story)


@pytest.mark.requirement("STO-1")
def test_both_sort_alike(site: Site) -> None:
    async def story(store: AnyStore) -> None:
        names = ["Z", "a", "ä", "_", "-", "B", "0"]
        for name in names:
            await store.write(lambda tx, name=name: ask(tx, name, due_at=1))  # type: ignore[misc]
        from tests.contract.site import add_query

        add_query("test.subjects", "SELECT subject FROM job ORDER BY subject")
        rows = await store.read(lambda view: view.all("test.subjects"))
        assert [row["subject"] for row in rows] == sorted(names)

    site.tell(story)
