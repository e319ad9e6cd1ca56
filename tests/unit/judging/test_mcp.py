"""What an MCP tool is given is judged as a command line and as paths; what it only reads is left alone."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.judging.mcp import McpDeeds, may_matter, read


@pytest.mark.requirement("WRK-7")
@pytest.mark.parametrize(
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
        ("mcp__fs__write_file", {"path": "~/.bashrc"}, McpDeeds("", ("~/.bashrc",))),
        ("mcp__fs__read_file", {"path": "~/.bashrc"}, McpDeeds()),
        ("mcp__fs__list_directory", {"path": "/"}, McpDeeds()),
        ("mcp__fs__delete_file", {"path": "~/notes.md"}, McpDeeds("rm -r -- ~/notes.md")),
        ("mcp__fs__deleteDirectory", {"path": "a b"}, McpDeeds("rm -r -- 'a b'")),
        ("mcp__fs__move_file", {"source": "a", "destination": ".git/config"}, McpDeeds("", ("a", ".git/config"))),
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
        assert len(read("mcp__a__write", {"command": odd, "path": odd, "sql": odd}).line) < 100_000
    assert not may_matter("mcp__a__b", {"title": "rm -rf ~"})
    assert may_matter("mcp__a__b", {"command": "ls"})
