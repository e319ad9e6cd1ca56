"""What is kept, whose words it is, how things are named and dated."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdfast.items.indexed import Change
from holdfast.rooms.memory import rules
from holdfast.rooms.memory.model import Memory, Summary
from holdfast.rooms.memory.settings import Settings
from tests.unit.rooms.memory.made import NOW, memory, summary

SKIP = Settings().skip_tools


@pytest.mark.requirement("MEM-3")
@pytest.mark.parametrize(
    ("tool", "skipped"),
    [
        *[(tool, True) for tool in SKIP],
        ("mcp__holdfast__search", True),
        ("mcp__plugin_holdfast_holdfast__get", True),
        ("", True),
        ("Bash", False),
        ("mcp__other__holdfast", False),
    ],
)
def test_tools_without_substance(tool: str, skipped: bool) -> None:
    assert rules.is_skipped(tool, frozenset(SKIP)) is skipped


@pytest.mark.requirement("MEM-3")
def test_the_list_is_the_users_but_ours_are_always_skipped() -> None:
    assert "TodoWrite" in SKIP
    assert not rules.is_skipped("TodoWrite", frozenset())
    assert rules.is_skipped("Bash", frozenset({"Bash"}))
    assert rules.is_skipped("mcp__holdfast__search", frozenset())


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("/w/src/a.py", "src/a.py"),
        ("/w/../w/src/a.py", "src/a.py"),
        ("src/a.py", "src/a.py"),
        ("../a.py", "/a.py"),
        ("/wide/a.py", "/wide/a.py"),
        ("", ""),
        ("a\nb", ""),
        ("/" + "x" * 500, ""),
    ],
)
def test_paths_inside_the_worktree_are_relative(path: str, kept: str) -> None:
    assert rules.stored_path(path, "/w") == kept


@pytest.mark.requirement("SEC-6")
def test_only_words_of_users_and_agents_become_memories() -> None:
    may = [trust for trust in ("user", "agent", "repository", "tool", "web") if rules.may_be_remembered(trust)]
    assert may == ["user", "agent"]


@pytest.mark.requirement("SEC-6")
def test_trust_ranks_by_origin() -> None:
    weights = [rules.trust_weight(trust) for trust in ("user", "agent", "repository", "tool", "web")]
    assert weights == sorted(weights, reverse=True)


@pytest.mark.requirement("MEM-12")
@pytest.mark.parametrize(
    ("new", "old", "replaces"),
    [
        (memory("We deploy from main on Fridays"), memory("We deploy from main on Mondays"), False),
        (memory("We deploy from main on Fridays only."), memory("We deploy from main, on Fridays only"), True),
        (memory("Use uv now", title="Package manager"), memory("Use pip", title="package manager"), True),
        (memory("Use uv", title="T", project_id="p2"), memory("Use pip", title="T"), False),
        (memory("Use uv", title="T", trust="agent"), memory("Use pip", title="T"), False),
        (memory("Use uv", title="T", trust="agent"), memory("Use pip", title="T", trust="agent"), True),
        (memory("yes yes"), memory("no no"), False),
    ],
)
def test_when_a_memory_replaces_another(new: object, old: object, replaces: bool) -> None:
    assert rules.replaces(new, old, 0.82) is replaces  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("Keep src/auth.py and docs/a.md in step.", ("src/auth.py", "docs/a.md")),
        ("See conftest.py", ("conftest.py",)),
        ("https://example.com/x.html is a page; 1.5 is a number", ()),
    ],
)
def test_files_named_in_a_text(text: str, files: tuple[str, ...]) -> None:
    assert rules.files_named(text) == files


def test_edits_change_what_they_name_and_nothing_else() -> None:
    old = memory("Text.", tags=("a",))
    new = rules.edited(old, Change(text="Other.", now=NOW))
    assert (new.text, new.title, new.tags, new.updated_at) == ("Other.", old.title, ("a",), NOW)  # type: ignore[union-attr]
    done = rules.edited(summary("t", done="x"), Change("T", "y", now=NOW))
    assert (done.content.title, done.content.done, done.written_by) == ("T", "y", "user")  # type: ignore[union-attr]


@pytest.mark.requirement("MEM-11")
def test_new_words_have_no_title_of_the_old_ones() -> None:
    change = Change(text="The code is Lima 12. Ask Ana.", now=NOW)
    made = memory("The code is Zanzibar 99. Ask Ben.")
    made = replace(made, title=rules.first_sentence(made.text))
    for old, title in ((made, "The code is Lima 12."), (replace(made, title="Harbour"), "Harbour")):
        new = rules.edited(old, change)
        assert isinstance(new, Memory)
        assert new.title == title
    told = rules.edited(summary("The code is Zanzibar 99.", learned="The code is Zanzibar 99."), change)
    assert isinstance(told, Summary)
    assert told.content.title == "The code is Lima 12."
    assert "Zanzibar" not in str(told)
