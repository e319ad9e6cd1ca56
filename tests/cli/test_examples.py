"""Every example of every help text is run: one home, one daemon, a project in which things happened (OPS-15).

An id in an example, such as o3fa9c21b, stands for any of its letter, and is replaced by one that is there.
"""

from __future__ import annotations

import inspect
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from holdfast.doors.cli import main as door
from holdfast.doors.cli.table import read_rooms
from holdfast.program import ROOMS
from holdfast.rooms.gather import gather
from tests.cli.worked import LIVE, happened
from tests.support.daemon import DaemonHome
from tests.support.patience import PATIENCE
from tests.support.shell import Shell
from tests.unit.doors.cli.test_main import all_commands

ENDS_OTHERWISE = {
    "holdfast model pull": (1, "the hub of models is not reached from here"),
    "holdfast model pull arctic-embed-s": (1, "the same"),
    "holdfast guard allow-once g3fa9c21b K7Q2MX": (4, "a code is shown to a person alone: tests/faults has that"),
    "holdfast service install": (1, "no systemd and no launchd is here"),
    "holdfast service install --yes": (1, "the same"),
    "holdfast service status": (1, "the same"),
    "holdfast ghap store-value 'flaky tests are isolation issues' --cluster-id ID": (1, "a cluster takes weeks"),
    "holdfast ghap validate-value 'flaky tests are isolation issues' --cluster-id ID": (1, "the same"),
}
"""Examples that do not end with 0 here, and why."""
BEFORE = {"holdfast restore ~": "holdfast backup ~/.local/share/holdfast/backups/daily-20260102T030405Z.db"}
"""What an example needs, done right before it."""
FIRST = (
    *("holdfast up", "holdfast import sdd-cache .claude/sdd-cache", "holdfast export kept.jsonl"),
    *("holdfast code index", "holdfast commits index"),
)
"""Others need what they make."""
LAST = (
    *(
        "holdfast effort finish",
        "holdfast ghap abandon",
        "holdfast citations forget",
        "holdfast forget",
        "holdfast project move",
    ),
    *("holdfast stop", "holdfast start", "holdfast restart", "holdfast model", "holdfast service"),
    *("holdfast restore", "holdfast uninstall"),
)
"""They take away what others need."""
OF_A_SESSION = "holdfast ghap"
"""Typed beside an open session."""
FOLLOWS = re.compile(r" (-f|--follow|--watch)\b")
PAGES = (
    *("status", "doctor", "journal", "search", "search login", "timeline", "seen", "project list", "call"),
    *("config show", "config check", "config path", "model show", "service status", "--help", "search --help"),
)
"""What the house shows."""
NEEDS_A_WORD = ("guard test",)
"""Without one they say so, which must fit as well."""
_ID = re.compile(r"\b([a-z]?)(?:3fa9c21b|77d01f2e)\b")
LISTED = {
    "holdfast undo": ("guard", "kept"),
    "holdfast effort": ("effort", "list", "--all"),
    "c": ("checkpoint", "list"),
    "e": ("ghap", "list"),
    "p": ("corrections",),
    "r": ("ghap", "remedies"),
}
"""The list that knows ids of a letter, or those of a command; `search` knows the others."""


class Ended(NamedTuple):
    code: int
    output: str
    errors: str


def examples() -> list[str]:
    """Each once, in an order in which they can be run."""
    found = []
    for _, command in all_commands():
        kept_as_it_is = inspect.cleandoc(command.help or "").partition("\b\nExample")[2]
        found += [line.strip() for line in kept_as_it_is.splitlines()[1:] if "holdfast" in line]
    rank = {name: at for at, name in enumerate(LAST, 1)}

    def place(line: str) -> tuple[int, int]:
        at = next((number for name, number in rank.items() if line.startswith(name)), 0)
        return (-1, FIRST.index(line)) if line in FIRST else (at, 0)

    return sorted(dict.fromkeys(found), key=place)


@pytest.fixture(scope="module")
def person(shared_daemon: DaemonHome, tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """A person in a project named website, whose folder of programs has stand-ins for what is not ours."""
    base = tmp_path_factory.mktemp("person")
    house, folder, programs = base / "me", base / "website", base / "bin"
    for each in (house, folder, programs):
        each.mkdir()
    (programs / "holdfast").symlink_to(Path(sys.executable).with_name("holdfast"))
    said = 'echo "2.1.325 (Claude Code)"\n[ "$1" != --init-only ]\n'
    for name, script in {"claude": said, "systemctl": "exit 1\n", "launchctl": "exit 1\n"}.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}")
        (programs / name).chmod(0o755)
    made = Shell(shared_daemon, folder, programs / "claude")
    made.extra = {"HOME": str(house), "PATH": f"{programs}:{os.environ['PATH']}", "EDITOR": "cat", "COLUMNS": "80"}
    made.extra |= {"CLAUDE_CONFIG_DIR": str(house / ".claude"), "XDG_CONFIG_HOME": str(house / ".config")}
    happened(made)
    return made


@pytest.fixture(autouse=True)
def _as_this_person(person: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that run in this process see the person's folder and environment, and nothing else."""
    monkeypatch.chdir(person.folder)
    for name in set(os.environ) - set(person.environment):
        monkeypatch.delenv(name)
    for name, value in person.environment.items():
        monkeypatch.setenv(name, value)


def run_here(words: list[str]) -> Ended:
    """In this process: a hundred of them would take as long as a hundred interpreters take to start."""
    output, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(output), redirect_stderr(errors):
        code = door.main(words)
    return Ended(code, output.getvalue(), errors.getvalue())


def run_by_shell(person: Shell, line: str) -> Ended:
    """With pipes and files. What follows is interrupted once it has said something, which `jq` would hold back."""
    follows = FOLLOWS.search(line) is not None
    process = subprocess.Popen(
        ["sh", "-c", line.split("|")[0] if follows else line],
        env=person.environment,
        cwd=person.folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    if follows:
        assert process.stdout is not None
        first = process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        return Ended(0 if first else 1, first, "It said nothing.")
    output, errors = process.communicate(timeout=PATIENCE)
    return Ended(process.returncode, output, errors)


def run(person: Shell, line: str) -> Ended:
    if re.search(r"[|<>$]", line) or FOLLOWS.search(line) or not line.startswith("holdfast "):
        return run_by_shell(person, line)
    words = [os.path.expanduser(word) for word in shlex.split(line)[1:]]
    ended = run_here(words)
    if ended.code == 4 and "no terminal to ask on" in ended.errors:
        code, shown = person.on_terminal(*words, typed="y\n")
        return Ended(code, shown, "")
    return ended


def fits(letter: str, row: dict[str, Any]) -> bool:
    """An entry that is open; a summary that left a failure."""
    if letter == "e":
        return bool(row["status"] == "active")
    return letter != "s" or bool(row["outcome"] == "failed")


def with_ids(line: str) -> str:
    """The example with ids that are there now: some examples take things away."""
    taken: list[str] = []

    def there(found: re.Match[str]) -> str:
        of_command = LISTED.get(" ".join(line.split()[:2]))
        asked = of_command or LISTED.get(found[1]) or ("search", "--project", "all", "--limit", "200")
        told = json.loads(run_here([*asked, "--json"]).output or "[]")
        rows: list[dict[str, Any]] = told if isinstance(told, list) else next(iter(told.values()))
        for row in rows:
            if row["id"].startswith(found[1]) and row["id"] not in taken and fits(found[1], row):
                taken.append(row["id"])
                return str(row["id"])
        raise LookupError(f"Nothing has an id with the letter {found[1]!r}; let it happen in worked.py")

    return _ID.sub(there, line)


def listings() -> list[list[str]]:
    """Commands that only show something and need no word more: the house's, and the rooms'."""
    tools = gather(ROOMS).tools
    found = [page.split() for page in PAGES]

    def looks(declared: Any) -> bool:
        return not tools[declared["tool"]].changes and not any(one["required"] for one in declared["fields"])

    for name, declared in read_rooms()["verbs"].items():
        below = declared.get("verbs")
        if below is None:
            found += [[name]] if looks(declared) else []
        else:
            found += [[name, word] for word, each in below.items() if looks(each)]
    return found


@pytest.mark.requirement("OPS-15")
def test_every_list_fits_a_terminal_of_60_and_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a word that is longer than the line, a path for example, may stick out."""
    wide = []
    for width in (80, 60):
        monkeypatch.setenv("COLUMNS", str(width))
        for words in listings():
            ended = run_here(words)
            assert ended.code in (0, 1) or " ".join(words) in NEEDS_A_WORD, (words, ended)
            wide += [f"{' '.join(words)} at {width}: {line}" for line in too_wide(ended.output + ended.errors, width)]
    assert wide == [], "\n".join(wide)


def too_wide(text: str, width: int) -> list[str]:
    return [line for line in text.splitlines() if len(line) > width and max(map(len, line.split())) <= width - 20]


@pytest.mark.requirement("OPS-15")
@pytest.mark.requirement("OPS-9")
def test_every_example_of_the_help_texts_does_what_it_shows(person: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last test of this file: its last example takes everything away."""
    wrong = []
    for example in examples():
        expected, reason = ENDS_OTHERWISE.get(example, (0, ""))
        if example.startswith(OF_A_SESSION):
            monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", LIVE)
        else:
            monkeypatch.delenv("CLAUDE_CODE_SESSION_ID", raising=False)
        for start, command in BEFORE.items():
            if example.startswith(start):
                run(person, command)
        try:
            ended = run(person, example if reason else with_ids(example))
        except LookupError as nothing:
            wrong.append(f"{example}\n  {nothing}")
            continue
        if ended.code != expected:
            wrong.append(f"{example}\n  ended with {ended.code}: {(ended.errors or ended.output).strip()[:300]}")
    assert wrong == [], "\n".join(wrong)
