"""The documentation holds: every link leads somewhere, and every command that it shows can be typed so."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from holdfast.doors.cli.main import Call, program
from holdfast.paths import Home
from tests.unit.doors.cli.test_main import all_commands

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "plugin").rglob("*.md")])
_LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_BLOCK = re.compile(r"```(?:sh)?\n(.*?)```", re.DOTALL)


def anchors(page: Path) -> set[str]:
    """The headings of a page, as a link names them."""
    found = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in found}


@pytest.mark.requirement("HSE-8")
def test_every_link_leads_somewhere() -> None:
    broken = []
    for page in PAGES:
        for link in _LINK.findall(_CODE.sub("", page.read_text("utf-8"))):
            place, _, anchor = link.partition("#")
            if "://" in place or place.startswith("mailto:"):
                continue
            target = (page.parent / place).resolve() if place else page
            if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
                broken.append(f"{page.relative_to(ROOT)}: {link}")
    assert broken == []


def shown() -> Iterator[tuple[str, str]]:
    """Every `holdfast …` line of the help texts and of the pages' blocks, with where it stands."""
    for name, command in all_commands():
        for line in (command.help or "").splitlines():
            if line.strip().startswith("holdfast "):
                yield f"help of {name}", line.strip()
    for page in PAGES:
        for block in _BLOCK.findall(page.read_text("utf-8")) if page.parent.name != "reference" else ():
            for line in block.splitlines():
                if re.match(r"(\$ )?holdfast [a-z]", line):
                    yield str(page.relative_to(ROOT)), line.removeprefix("$ ")


def words_of(line: str) -> list[str]:
    """What a shell would hand over: without comments, pipes, redirections, and the words beside an example."""
    plain = re.split(r"\s{3,}|\s#|\s[|<>]|…", line)[0]
    return shlex.split(plain)[1:]


def parse(command: click.Command, name: str, words: list[str], parent: click.Context | None) -> None:
    context = command.make_context(name, words, parent=parent, obj=parent.obj if parent else Call(Home(Path("/h"))))
    rest = [*context._protected_args, *context.args]
    if isinstance(command, click.Group) and (rest or not command.invoke_without_command):
        found, below, left = command.resolve_command(context, rest)
        assert found is not None
        assert below is not None
        parse(below, found, left, context)


@pytest.mark.requirement("OPS-15")
def test_every_command_that_is_shown_can_be_typed_so() -> None:
    """Its verb, options and arguments are understood; files that it names need not be here."""
    wrong = []
    for where, line in shown():
        try:
            parse(program, "holdfast", words_of(line), None)
        except click.exceptions.Exit:
            continue
        except click.UsageError as error:
            if "o such file" not in error.format_message() and "does not exist" not in error.format_message():
                wrong.append(f"{where}: {line}: {error.format_message()}")
    assert wrong == []


def test_each_decision_has_a_number_of_its_own() -> None:
    pages = sorted((ROOT / "docs/decisions").glob("[0-9]*.md"))
    numbers = [int(page.name[:4]) for page in pages]
    assert numbers == list(range(1, len(pages) + 1))
    titles = [page.read_text("utf-8").partition("\n")[0] for page in pages]
    assert [title for number, title in zip(numbers, titles, strict=True) if not title.startswith(f"# {number}. ")] == []
