"""What an MCP tool is given is judged as a command line and as paths; what it only reads is left alone."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.judging import mcp
from holdfast.judging.mcp import McpDeeds, may_matter, read
from tests.support.table import each_of

_ANSWER = "holdfast guard allow-once 26b275bc QUAELS"


@pytest.mark.requirement("WRK-7")
@each_of(
    ("tool", "arguments", "told"),
    [
        ("mcp__shell__execute", {"command": "rm -rf ~"}, McpDeeds("rm -rf ~")),
        ("mcp__shell__run", {"command": "rm", "args": ["-rf", "~"]}, McpDeeds("rm -rf ~")),
        ("mcp__term__run", {"cmd": ["git", "push", "--force"]}, McpDeeds("git push --force")),
        ("mcp__ssh__exec", {"host": "db1", "command": "dropdb shop"}, McpDeeds("ssh db1 'dropdb shop'")),
        ("mcp__docker__exec", {"container": "web", "command": "ls"}, McpDeeds("docker exec web sh -c ls")),
        ("mcp__pg__query", {"sql": "DROP TABLE users"}, McpDeeds("psql -c 'DROP TABLE users'")),
        ("mcp__pg__query", {"sql": "select 1"}, McpDeeds()),
        ("mcp__search__query", {"query": "how to drop table users"}, McpDeeds()),
        ("mcp__tmux__send_keys", {"keys": f"{_ANSWER}\n"}, McpDeeds(_ANSWER)),
        ("mcp__iterm__write", {"text": f"x; {_ANSWER}"}, McpDeeds(_ANSWER)),
        ("mcp__github__create_issue", {"body": f"try `{_ANSWER}`"}, McpDeeds()),
        ("mcp__fs__write_file", {"path": "~/.bashrc"}, McpDeeds("", ("~/.bashrc",))),
        ("mcp__fs__read_file", {"path": "~/.bashrc"}, McpDeeds()),
        ("mcp__fs__list_directory", {"path": "/"}, McpDeeds()),
        ("mcp__fs__delete_file", {"path": "~/notes.md"}, McpDeeds("rm -r -- ~/notes.md")),
        ("mcp__fs__deleteDirectory", {"path": "a b"}, McpDeeds("rm -r -- 'a b'")),
        (
            "mcp__fs__move_file",
            {"source": "a", "destination": ".git/config"},
            McpDeeds("mv -- a .git/config", ("a", ".git/config")),
        ),
        ("mcp__github__create_or_update_file", {"uri": "https://x/y", "path": "a.md"}, McpDeeds("", ("a.md",))),
        ("mcp__memory__delete_entities", {"entityNames": ["a"]}, McpDeeds()),
        ("mcp__run__many", {"steps": [{"command": "ls"}, {"command": "rm -rf ~"}]}, McpDeeds("ls\nrm -rf ~")),
    ],
)
def test_arguments_are_taken_for_what_they_are_called(tool: str, arguments: dict[str, Any], told: McpDeeds) -> None:
    assert read(tool, arguments) == told


@pytest.mark.requirement("WRK-7", "SEC-7")
def test_odd_arguments_are_read_without_a_fault_and_bounded() -> None:
    deep: dict[str, Any] = {"command": "rm -rf ~"}
    for _ in range(50):
        deep = {"x": deep}
    assert read("mcp__a__b", deep) == McpDeeds()
    for odd in (None, 7, True, [None], {"a": None}, "x" * 1_000_000, ["y" * 100_000] * 100):
        assert len(read("mcp__a__write", {"command": odd, "path": odd, "sql": odd}).line) < 11_000_000
    assert not may_matter("mcp__a__b", {"title": "rm -rf ~"})
    assert may_matter("mcp__a__b", {"command": "ls"})


@pytest.mark.requirement("WRK-7")
@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("mcp__shell__run", {f"note{n}": "x" for n in range(200)} | {"command": "rm -rf ~"}, "rm -rf ~"),
        ("mcp__fs__delete_files", {"paths": [f"build/{n}.o" for n in range(200)] + ["~"]}, " ~"),
        ("mcp__fs__delete_files", {"paths": [f"build/{n:09}.o" for n in range(5_000)] + ["~"]}, "~"),
        ("mcp__shell__run", {"command": " " * 50_000 + "; rm -rf ~"}, "rm -rf ~"),
        ("mcp__pg__query", {"sql": "delete from a where x = 1;" * 2_000 + "drop table users"}, "drop table users"),
        ("mcp__shell__run", {"steps": [{"note": "x"}] * 100 + [{"command": "rm -rf ~"}]}, "rm -rf ~"),
    ],
    ids=[
        "behind many fields",
        "behind many paths",
        "behind too many paths",
        "behind spaces",
        "behind statements",
        "behind many steps",
    ],
)
def test_what_stands_behind_many_others_is_read_too(tool: str, arguments: dict[str, Any], expected: str) -> None:
    assert expected in mcp.read(tool, arguments).line


@pytest.mark.requirement("WRK-7")
def test_a_path_behind_many_that_are_written_is_read_too() -> None:
    arguments = {"paths": [f"src/module_{n:05}.py" for n in range(500)] + ["~/.bashrc"]}
    assert "~/.bashrc" in mcp.read("mcp__fs__write_files", arguments).written


@pytest.mark.requirement("SEC-7")
def test_tables_within_tables_are_looked_into_only_so_far() -> None:
    inner = {f"f{n}": [{f"g{m}": 1 for m in range(20)}] * 20 for n in range(20)}
    arguments = {f"a{n}": [inner] * 50 for n in range(50)}
    assert len(list(mcp._fields(arguments))) < 20_000
