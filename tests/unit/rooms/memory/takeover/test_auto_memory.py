"""The client's memory files: what is one, and what a file's fact is."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.takeover.auto_memory import MemoryFile, is_in, read_fact

TRANSCRIPT = "/home/me/.claude/projects/-home-me-shop/2f1c.jsonl"


@pytest.mark.requirement("MEM-26")
@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("/home/me/.claude/projects/-home-me-shop/memory/deploy.md", True),
        ("/home/me/.claude/projects/-home-me-shop/memory/MEMORY.md", True),
        ("/home/me/.claude/projects/-home-me-other/memory/deploy.md", False),
        ("/home/me/shop/memory/deploy.md", False),
        ("memory/deploy.md", False),
        ("/home/me/.claude/projects/-home-me-shop/memory/run.py", False),
    ],
)
def test_which_files_are_the_clients_memory(path: str, is_one: bool) -> None:
    assert is_in(path, TRANSCRIPT) is is_one
    assert not is_in(path, "")


@pytest.mark.requirement("MEM-26")
@pytest.mark.parametrize(
    ("name", "text", "fact"),
    [
        (
            "deploy.md",
            '---\nname: deploy\ndescription: "How we deploy"\nmetadata:\n  type: a\n---\n\nOn Fridays.\n**Why:** x',
            MemoryFile("How we deploy", "On Fridays.\n**Why:** x"),
        ),
        ("old.md", "# Deploys\n\nOn Fridays.", MemoryFile("Deploys", "# Deploys\n\nOn Fridays.")),
        ("odd.md", "---\nnot closed\nOn Fridays.", MemoryFile("---", "---\nnot closed\nOn Fridays.")),
        ("crlf.md", "---\r\ndescription: A\r\n---\r\nB\r\n", MemoryFile("A", "B")),
        ("head.md", "---\ndescription: Only this\n---\n", MemoryFile("Only this", "Only this")),
        ("MEMORY.md", "- [Deploy](deploy.md) — how", None),
        ("empty.md", "  \n", None),
    ],
)
def test_what_a_files_fact_is(name: str, text: str, fact: MemoryFile | None) -> None:
    assert read_fact(name, text) == fact
