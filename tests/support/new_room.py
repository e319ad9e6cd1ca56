"""`make room NAME=recipes`: writes a small whole room, its tests and its lines in `program.py`; says what to do next.

The room is the notebook of `tests/rooms` under other names. A name that cannot be is refused with a sentence, and
nothing is written.
"""

from __future__ import annotations

import keyword
import re
import shutil
import string
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from holdfast.config import all_sections
from holdfast.program import CATALOG, ROOMS
from tests.rooms import albums, bells, notebook, probe

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "src" / "holdfast" / "program.py"
TEMPLATE = ROOT / "tests" / "rooms" / "notebook"
TEMPLATE_TEST = ROOT / "tests" / "rooms" / "test_notebook_rules.py"
MADE_UP = (albums.ROOM, bells.ROOM, notebook.ROOM, probe.ROOM)
"""Rooms that the tests add to those of the product: a new room takes none of their names and letters."""
_LONGEST = 20
PROVED_BY_TALK = ("hooks", "index", "service", "tables", "tools", "verbs")

DUTY = '''"""{Things} that the user dictates: a prompt "{thing}: TEXT" becomes {a} {thing_words}.

Each is found again like every item.

It leaves the brief, recall at the prompt and everything about the store's upkeep to the house.
"""
'''
TALK = '''"""The room {name}, whole: hook JSON in, answer out, on both databases."""

from __future__ import annotations

from tests.contract.site import Site
from tests.conversations.talk import Talk, context, converse

PROVES = ({proves})
"""The modules of the room that have no test of their own."""


def test_a_prompt_keeps_it_and_a_search_finds_it(site: Site) -> None:
    async def story(talk: Talk) -> None:
        asked = {{"session_id": "s1", "cwd": "/p", "hook_event_name": "UserPromptSubmit"}}
        told = context(await talk.tell(asked | {{"prompt": "{thing}: oil the brass hinge"}}))
        assert "was kept: oil the brass hinge" in told
        [line] = await talk.items.search("brass hinge", kinds=("{thing}",))
        assert (line.listed.title, line.listed.trust) == ("oil the brass hinge", "user")

    converse(site, story)
'''
ELSEWHERE = '''

ELSEWHERE = {{{words}}}
"""What shared code means by names that this room took later."""'''
NEXT = """Wrote the room {name}: {folder}, its tests, and its lines in {program}.
It starts: `holdfast restart` takes it up, and a prompt "{thing}: TEXT" keeps {a} {thing_words}. The
generated pages were written anew.
Now make it yours, in this order:
  1. {folder}/__init__.py: the duty in one sentence, and what the room leaves to others.
  2. model.py, schema.py and migrations/{migration}: what it keeps. A store that applied the migration refuses another
     text of it: try it in a home of its own (`holdfast --home DIR`), and write the final one before you commit.
  3. rules.py and its test, then index.py, hooks.py, tools.py and settings.py.
  4. Which events it listens to, and where in their order: the Step in {program}.
  5. Tools that agents are offered: take `for_agents=False` out, and add a sentence to plugin/skills/holdfast/SKILL.md.
  6. A line in CHANGELOG.md. After each change of a table or a tool: `python -m tests.contract.snapshot`, `make docs`.
Prove it: pytest {tests} tests/house"""


class Refused(Exception):
    """Said as a sentence; nothing was written."""


@dataclass(frozen=True)
class Names:
    """What things of the new room are called."""

    name: str
    """The room, its folder and its section: recipes."""
    thing: str
    """Its family and its table: recipe."""
    letter: str

    @property
    def things(self) -> str:
        return f"{self.thing}s" if self.thing.startswith(f"{self.name}_") else self.name

    def camel(self, word: str) -> str:
        return "".join(part.capitalize() for part in word.split("_"))

    def renamed(self, text: str) -> str:
        """A text of the template with the new room's names."""
        for old, new in (
            ("tests.rooms.notebook", f"holdfast.rooms.{self.name}"),
            ("Notebook", self.camel(self.name)),
            ("notebook", self.name),
            ("Jotting", self.camel(self.thing)),
            ("Dictated", f"Dictated{self.camel(self.thing)}"),
            ("NOTES", self.things.upper()),
            ("NOTE", self.thing.upper()),
            ("Notes", self.camel(self.things)),
            ("Note", self.camel(self.thing)),
        ):
            text = text.replace(old, new)
        if self.thing[0] in "aeiou":
            text = re.sub(r"\b([Aa]) (?=note(?![a-z]))", r"\1n ", text)
        text = re.sub(r"(?<![a-z])notes(?![a-z])", self.things, text)
        return re.sub(r"(?<![a-z])note(?![a-z])", self.thing, text)


def names_of(name: str) -> Names:
    """What the things of a room are called. Refuses a name that cannot be."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name) or len(name) > _LONGEST:
        raise Refused(
            f"{name!r} is no name for a room: at most {_LONGEST} small letters, digits and single underscores, such as "
            "`make room NAME=recipes`."
        )
    if name in {room.name for room in ROOMS}:
        raise Refused(f"There is a room {name} already: src/holdfast/rooms/{name}. Choose another name.")
    if name in {room.name for room in MADE_UP}:
        raise Refused(f"{name} is a made-up room of the tests: tests/rooms/{name}. Choose another name.")
    if any((PROGRAM.parent / "rooms" / each).exists() for each in (name, f"{name}.py")):
        raise Refused(f"{name} is a module of src/holdfast/rooms already. Choose another name.")
    thing = f"{name[:-3]}y" if name.endswith("ies") else name.removesuffix("s") if not name.endswith("ss") else name
    thing = f"{name}_item" if thing == name else thing
    if name in all_sections(ROOMS):
        raise Refused(f"The settings have a section [{name}] already. Choose another name.")
    families = [family for room in (*ROOMS, *MADE_UP) for family in room.families]
    tables = {*CATALOG.tables, *(table.name for room in MADE_UP for table in room.tables)}
    if thing in tables or thing in {family.name for family in families}:
        raise Refused(f"There are rows or items that are called {thing} already. Choose another name.")
    taken = {family.letter for family in families}
    letter = next((each for each in name + string.ascii_lowercase if each.isalpha() and each not in taken), "")
    if not letter:
        raise Refused("Every letter begins the short ids of some family. A new family needs one of two letters.")
    return Names(name, thing, letter)


def files_of(names: Names) -> dict[Path, str]:
    """Every new file with its text."""
    room = PROGRAM.parent / "rooms" / names.name
    number = f"{len(CATALOG.migrations) + 1:04}"
    found: dict[Path, str] = {}
    for file in sorted(each for each in TEMPLATE.rglob("*") if each.suffix in (".py", ".sql")):
        text = names.renamed(file.read_text("utf-8"))
        place = room / str(file.relative_to(TEMPLATE)).replace("NNNN", number).replace("notebook", names.name)
        found[place] = _as_product(names, file.name, text)
    rules = names.renamed(TEMPLATE_TEST.read_text("utf-8")).replace(f"The {names.name}'s decisions", "Its decisions")
    found[ROOT / "tests" / "unit" / "rooms" / names.name / "__init__.py"] = ""
    found[ROOT / "tests" / "unit" / "rooms" / names.name / "test_rules.py"] = rules
    proves = ", ".join(f'"rooms.{names.name}.{module}"' for module in PROVED_BY_TALK)
    talk = ROOT / "tests" / "conversations" / f"test_{names.name}.py"
    found[talk] = TALK.format(name=names.name, thing=names.thing, proves=proves)
    return found


def _as_product(names: Names, file: str, text: str) -> str:
    """A file of the template without what only a made-up room says."""
    if file == "__init__.py":
        article = "an" if names.thing[0] in "aeiou" else "a"
        duty = DUTY.format(
            Things=names.things.replace("_", " ").capitalize(),
            thing=names.thing,
            thing_words=names.thing.replace("_", " "),
            a=article,
        )
        text = duty + text.split('"""\n', 1)[1]
        text = text.replace("from holdfast.events.steps import Step\n", "").replace('"STEP"', '"hooks"')
        text = text[: text.index("\nSTEP = ")]
    if file == "model.py":
        text = text.replace('", "n", ', f'", "{names.letter}", ')
    if file == "tools.py":
        words = names.thing.replace("_", "-")
        text = re.sub(rf'(?<=["` ]){names.thing}(?= (?:add|list)\b)', words, text)
        text = re.sub(
            r"(\n        (?:add|list)_\w+,\n)(?=        (?:changes|verb)=)", r"\1        for_agents=False,\n", text
        )
    return text


def with_room(program: str, names: Names) -> str:
    """`program.py` with the room's lines."""
    imported = re.search(r"^from holdfast\.rooms import (?:\(([^)]*)\)|(.*))$", program, re.MULTILINE)
    listed = re.search(r"^ROOMS: tuple\[Room, \.\.\.\] = \(\n(?:.*\n)*?(?=\)$)", program, re.MULTILINE)
    steps = re.search(
        r'^    "UserPromptSubmit": OnEvent\(\n        \(\n(?:            .*\n)*(?=        \),$)', program, re.MULTILINE
    )
    if not (imported and listed and steps):
        raise Refused(
            "src/holdfast/program.py does not look as `make room` knows it. Copy tests/rooms/notebook by hand."
        )
    rooms = sorted({*re.findall(r"\w+", imported[1] or imported[2]), names.name})
    edits = (
        (steps.end(), steps.end(), f"            Step({names.name}.hooks.keep_{names.thing}),\n"),
        (listed.end(), listed.end(), f"    {names.name}.ROOM,\n"),
        (imported.start(), imported.end(), f"from holdfast.rooms import {', '.join(rooms)}"),
    )
    for start, end, text in sorted(edits, reverse=True):
        program = program[:start] + text + program[end:]
    return program


def run(*words: str) -> str:
    """Run a module of this checkout. What it said when it failed; '' when all is well."""
    done = subprocess.run((sys.executable, "-m", *words), cwd=ROOT, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else (done.stdout + done.stderr).strip() or "it failed"


def write(name: str) -> str:
    """Write the room; what to say about it."""
    names = names_of(name)
    before = PROGRAM.read_text("utf-8")
    files, program = files_of(names), with_room(before, names)
    there = [file for file in files if file.exists()]
    if there:
        raise Refused(f"{there[0].relative_to(ROOT)} is there already. Choose another name.")
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    PROGRAM.write_text(program, "utf-8")
    written = [str(PROGRAM), *(str(file) for file in files if file.suffix == ".py")]
    for words in (("check", "--fix", "--quiet", "--select", "I"), ("format", "--quiet")):
        run("ruff", *words, *written)
    if wrong := run("holdfast.daemon.rehearsal"):
        PROGRAM.write_text(before, "utf-8")
        for file in files:
            file.unlink()
        for folder in (PROGRAM.parent / "rooms" / name, ROOT / "tests" / "unit" / "rooms" / name):
            shutil.rmtree(folder)
        raise Refused(f"The room {name} cannot be: {wrong.splitlines()[-1]}")
    for module in ("holdfast.doors.cli.reference", "tests.contract.snapshot"):
        if wrong := run(module):
            raise Refused(f"The room was written, and `python -m {module}` failed: {wrong}")
    migration = next(file.name for file in files if file.suffix == ".sql" and file.parent.name == "migrations")
    rules, talk = (file for file in files if file.name.startswith("test_"))
    said = NEXT.format(
        name=name,
        thing=names.thing,
        thing_words=names.thing.replace("_", " "),
        a="an" if names.thing[0] in "aeiou" else "a",
        folder=f"src/holdfast/rooms/{name}",
        program=PROGRAM.relative_to(ROOT),
        migration=migration,
        tests=f"{rules.relative_to(ROOT)} {talk.relative_to(ROOT)}",
    )
    if said_before := said_by_shared_code():
        text = talk.read_text("utf-8")
        at = text.index("\n\n\ndef ")
        talk.write_text(
            text[:at] + ELSEWHERE.format(words=", ".join(f'"{each}": ""' for each in said_before)) + text[at:], "utf-8"
        )
        said += (
            f"\nShared code says {' and '.join(said_before)} too: write into ELSEWHERE of {talk.relative_to(ROOT)} "
            "what it means there, or choose another name."
        )
    return said


def said_by_shared_code() -> list[str]:
    """The names of rooms that shared code says, of one and of several only the one."""
    asked = (
        "from tests.house.test_names import SHARED, singular, violations\n"
        "found = {each for module, path in SHARED for each in violations(module, path.read_text('utf-8'))}\n"
        "print(*sorted({singular(each) for each in found}))"
    )
    done = subprocess.run((sys.executable, "-c", asked), cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.split()


if __name__ == "__main__":
    try:
        print(write(sys.argv[1] if len(sys.argv) > 1 else ""))
    except Refused as refused:
        sys.exit(str(refused))
