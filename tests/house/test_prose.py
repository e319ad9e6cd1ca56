"""Docstrings, help texts and pages say the concrete noun: these phrases are riddles to a reader in a hurry (HSE-6)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_architecture import SOURCE, modules, tree

ROOT = SOURCE.parents[1]
RIDDLES = {
    r"what c[ao]mes? of": "the outcome of",
    r"what (?:[\w'`,]+ ){1,6}c[ao]mes? to(?! be\b)": "the outcome of",
    r"what bec[ao]mes? of": "what happened to",
    r"tells? of": "mentions, is about",
    r"kept things?": "an item, an undo copy",
    r"what (?:is|was) told of": "what was said about",
    r"is to be had": "is installed",
    r"in spirit": "say what it is",
    r"is no more(?! than)": "no longer exists",
    r"(?:its|their|the database's) keeper": "the administrator",
    r"the newest so many": "maximum number",
    r"what stands of": "what is still valid",
    r"speaks? of another": "uses another",
    r"(?:to|for) who (?:ask|has|have|look|need|want)\w*": "for a caller that asks",
    r"(?:can|could) not be had": "could not be read, looked at, installed",
    r"(?:made|makes?) light": "shortened",
    r"(?:that )?a thing cites": "that an item cites",
}
"""A phrase, and what to say instead."""
PATTERN = re.compile(rf"\b(?:{'|'.join(RIDDLES)})\b", re.IGNORECASE)
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "plugin").rglob("*.md")]


def texts(code: ast.Module) -> Iterator[str]:
    """All strings of a module that are sentences: docstrings, help, descriptions, log lines."""
    for node in ast.walk(code):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.value


def riddles(text: str) -> list[str]:
    return PATTERN.findall(" ".join(text.split()))


@pytest.mark.requirement("HSE-6")
def test_the_program_says_the_concrete_noun() -> None:
    found = {module: riddles("\n".join(texts(tree(path)))) for module, path in modules()}
    assert {module: some for module, some in found.items() if some} == {}


@pytest.mark.requirement("HSE-6")
@pytest.mark.parametrize("page", list(PAGES), ids=lambda page: page.name)
def test_a_page_says_the_concrete_noun(page: Path) -> None:
    assert riddles(page.read_text("utf-8")) == []


@pytest.mark.requirement("HSE-6")
@pytest.mark.parametrize(
    ("text", "is_riddle"),
    [
        ("Says what came of the work.", True),
        ("What a session came to, as an item.", True),
        ("What came to be kept.", False),
        ("What becomes\nof events while the disk is full.", True),
        ("It tells of a trial.", True),
        ("Explain a kept thing.", True),
        ("The agent is told to call it.", False),
        ("It is no more than a lead.", False),
        ("The outcome of a run.", False),
        ("It is told to who asks for it.", True),
        ("The facts could not be had.", True),
        ("It depends on who is logged in.", False),
        ("Keep things in order.", False),
    ],
)
def test_what_counts_as_a_riddle(text: str, is_riddle: bool) -> None:
    assert bool(riddles(text)) is is_riddle


@pytest.mark.requirement("HSE-6")
def test_the_folders_that_a_package_names_to_its_reader_are_there() -> None:
    """`delivery/` in a package's docstring is a folder of that package, or of the whole source."""
    wrong = [
        f"{module}: {name}/"
        for module, path in modules()
        if path.name == "__init__.py"
        for name in re.findall(r"`([a-z_]+)/`", ast.get_docstring(tree(path)) or "")
        if not (path.parent / name).is_dir() and not (SOURCE / name).is_dir()
    ]
    assert wrong == []
