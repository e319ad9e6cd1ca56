"""Tables of commands, judged without a folder: what agents type all day runs, what destroys is caught."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from holdfast.commandline.model import Where
from holdfast.commandline.reading.line import read
from holdfast.judging import paths
from holdfast.judging.packs import built_in, with_more
from holdfast.judging.packs import read as read_rules
from holdfast.judging.quick import is_plain
from holdfast.judging.rules import findings, strictest

DATA = Path(__file__).parents[3] / "data" / "guards"
CORPUS = Path(__file__).parents[4] / "bench" / "guards" / "corpus"
HOME = Where(home="/home/u")


def commands(label: str) -> Iterator[str]:
    """The lines of all tables of a label: `innocent`, `destructive`."""
    for name in (f"{label}.txt", f"made_{label}.txt"):
        for line in (DATA / name).read_text("utf-8").splitlines():
            if line and not line.startswith("#"):
                yield line.replace("\\\\n", "\0").replace("\\n", "\n").replace("\0", "\\n")


def is_refused(command: str) -> bool:
    reading = read(command)
    found = findings(reading, built_in(), HOME)
    found += paths.of_line(reading.runs, HOME, ("/home/u/.holdfast",))
    worst = strictest(found)
    return worst is not None and worst.decision in ("ask", "deny")


@pytest.mark.requirement("WRK-7", "WRK-14")
def test_what_agents_type_all_day_runs_without_a_question() -> None:
    assert [command for command in commands("innocent") if is_refused(command)] == []


@pytest.mark.requirement("WRK-7", "WRK-14")
def test_what_destroys_is_caught_in_every_class() -> None:
    assert [command for command in commands("destructive") if not is_refused(command)] == []


def in_corpus(name: str, label: str = "") -> list[str]:
    """The commands of one open file of the benchmark's corpus whose label holds everywhere."""
    rows = map(json.loads, (CORPUS / f"{name}.jsonl").read_text("utf-8").splitlines())
    told = [row for row in rows if not row["needs_scene"] and (not label or row["label"] == label)]
    return [str(row["command"]).replace("/home/dev", HOME.home) for row in told]


@pytest.mark.requirement("WRK-7", "WRK-14")
def test_an_engineers_week_runs_and_other_spellings_of_destruction_are_caught() -> None:
    innocent = [*in_corpus("week"), *in_corpus("everyday"), *in_corpus("engineers"), *in_corpus("harm", "innocent")]
    destructive = [*in_corpus("spellings"), *in_corpus("harm", "destructive"), *in_corpus("shapes")]
    for name in ("other_hand", "other_hand_later"):
        innocent += in_corpus(name, "innocent")
        destructive += in_corpus(name, "destructive")
    assert [command for command in innocent if is_refused(command)] == []
    assert [command for command in destructive if not is_refused(command)] == []
    plain = [command for command in destructive if is_plain(command, built_in())]
    assert plain == [], "the first look does not pass over them either"


@pytest.mark.requirement("WRK-15")
def test_the_first_look_passes_over_nothing_that_a_rule_matches() -> None:
    for command in (*commands("innocent"), *commands("destructive")):
        if is_plain(command, built_in()):
            assert findings(read(command), built_in(), HOME) == [], command
    usual = (
        "ls -la",
        "git status --short && git diff",
        "rg -n 'def x' -g '*.py'",
        "npm test 2>&1 | tail -20",
        "cat a b",
    )
    assert [command for command in usual if not is_plain(command, built_in())] == []
    odd = (
        "ls $(rm -rf ~)",
        "cat a > b",
        "X=1 ls",
        "git -c a=b status",
        "ls\nrm -rf ~",
        "echo `id`",
        "sudo ls",
        "npm i -g x",
    )
    assert [command for command in odd if is_plain(command, built_in())] == []


_PROGRAM = re.compile(r"(?:\A|(?<=[;|&] ))[\w./-]{2,}|(?<=\Agit )[a-z-]{2,}")


def spelled(command: str) -> Iterator[str]:
    """The command, and the same for a shell with quotes within the name of each program or word of git."""
    yield command
    for match in _PROGRAM.finditer(command):
        word = match[0]
        for name in (f"{word[0]}''{word[1:]}", f'{word[:-1]}"{word[-1]}"', f"'{word[0]}'{word[1:]}", f"{word}''"):
            yield command[: match.start()] + name + command[match.end() :]


@pytest.mark.requirement("WRK-6", "WRK-7")
def test_what_the_first_look_passes_the_full_reading_allows() -> None:
    passed = [
        each
        for command in (*commands("innocent"), *commands("destructive"), *QUOTED)
        for each in spelled(command)
        if is_plain(each, built_in())
    ]
    assert len(passed) > 50
    assert [each for each in passed if findings(read(each), built_in(), HOME) or is_refused(each)] == []


QUOTED = (
    "bash -c 'rm -rf /etc'", "sudo rm -rf /etc", "mkfs.ext4 /dev/sda", "find . -delete", "git push --force origin main",
    "docker volume rm pgdata", "git log -1 | sh", "git difftool -x 'rm -rf src' HEAD", "cat /home/u/.s''sh/id_rsa",
    "git diff '--output=.env'", "git log --outp=.env", "ls >&1x",
)  # fmt: skip


@pytest.mark.requirement("WRK-6")
def test_the_first_look_passes_over_no_rule_of_the_user_or_the_project() -> None:
    told = '[[rule]]\nid = "x"\nprograms = ["%s"]\naction = "deny"\nreason = "no"\n'
    for program, command in (
        ("git", "git commit -m x"),
        ("npm", "npm test"),
        ("pn*", "pnpm run build"),
        ("yarn", "yarn t"),
    ):
        for scope in ("user", "project"):
            rules, _, problems = read_rules(told % program, "own.toml", scope=scope)
            assert (len(rules), problems) == (1, [])
            assert is_plain(command, built_in())
            assert not is_plain(command, with_more(built_in(), rules)), (program, scope)
