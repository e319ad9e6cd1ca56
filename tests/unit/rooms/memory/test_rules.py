"""What is kept, whose words it is, how things are named and dated."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory import rules
from holdfast.rooms.memory.settings import Settings
from tests.unit.rooms.memory.made import DAY, NOW, memory, observation, prompt, summary

SKIP = frozenset(rules.SKIP_TOOLS)


@pytest.mark.requirement("MEM-3")
@pytest.mark.parametrize(
    ("tool", "skipped"),
    [
        *[(tool, True) for tool in rules.SKIP_TOOLS],
        ("mcp__holdfast__search", True),
        ("mcp__plugin_holdfast_holdfast__get", True),
        ("", True),
        ("Bash", False),
        ("mcp__other__holdfast", False),
    ],
)
def test_tools_without_substance(tool: str, skipped: bool) -> None:
    assert rules.is_skipped(tool, SKIP) is skipped


@pytest.mark.requirement("MEM-3")
def test_the_list_is_the_users_but_ours_are_always_skipped() -> None:
    assert Settings().skip_tools == rules.SKIP_TOOLS
    assert not rules.is_skipped("TodoWrite", frozenset())
    assert rules.is_skipped("Bash", frozenset({"Bash"}))
    assert rules.is_skipped("mcp__holdfast__search", frozenset())


@pytest.mark.parametrize(
    ("prompt_text", "kept"),
    [
        ("  hello  ", "hello"),
        ("", ""),
        ("   \n", ""),
        ("<system-reminder>noise</system-reminder>do it", "do it"),
        ("do it<system-reminder>unclosed", "do it"),
        ("x" * 9_000, "x" * 4_000),
    ],
)
def test_what_is_kept_of_a_prompt(prompt_text: str, kept: str) -> None:
    assert rules.said(prompt_text) == kept


@pytest.mark.parametrize(
    ("ago", "word"),
    [(0, "just now"), (-5, "just now"), (600, "10 min ago"), (3 * 3600, "3 h ago"), (4 * 86400, "4 days ago"),
     (90 * 86400, "3 months ago")],
)  # fmt: skip
def test_ages(ago: int, word: str) -> None:
    assert rules.age(NOW, NOW - ago * 1_000_000) == word


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("o3fa9c21b", ("observation", "3fa9c21b")),
        ("[M3FA9C21B]", ("memory", "3fa9c21b")),
        ("3fa9c21b", (None, "3fa9c21b")),
        ("01900000-0000-7000-8000-000000000001", (None, "01900000-0000-7000-8000-000000000001")),
        ("x3fa9c21b", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_ids_in_both_forms(text: str, read: tuple[str | None, str] | None) -> None:
    assert rules.read_id(text) == read


def test_a_short_id_leads_back() -> None:
    for item in (memory("a"), observation("b"), prompt("c"), summary("d")):
        family = rules.family_of(item)
        assert rules.read_id(rules.short(family, item.id)) == (family, item.id[-8:])


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
    assert rules.inside(path, "/w") == kept


@pytest.mark.parametrize(
    ("text", "us"),
    [("3d", NOW - 3 * DAY), ("12h ago", NOW - DAY // 2), ("1970-01-02T00:00:00Z", DAY), ("soon", None), ("", None)],
)
def test_times_as_people_write_them(text: str, us: int | None) -> None:
    assert rules.read_time(text, NOW) == us


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


def test_titles_are_cut_at_a_word() -> None:
    cut = rules.one_line("word " * 100, 50)
    assert len(cut) <= 50
    assert cut.endswith("word…")
    assert rules.one_line("a\n  b\tc") == "a b c"


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
    new = rules.edited(old, None, "Other.", None, NOW)
    assert (new.text, new.title, new.tags, new.updated_at) == ("Other.", old.title, ("a",), NOW)  # type: ignore[union-attr]
    done = rules.edited(summary("t", done="x"), "T", "y", None, NOW)
    assert (done.content.title, done.content.done, done.written_by) == ("T", "y", "user")  # type: ignore[union-attr]
