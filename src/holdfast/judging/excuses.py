"""Why a rule that matched does not count after all: an ordered table of questions about one finding. Pure.

Each excuse has a name, which `guard test` prints, and a function of its own. The first that holds counts. None is asked
about the daemon itself (`holdfast.override`), and none weakens the rule of a project: what those functions are about
are built-in rules, by their names.
"""

from __future__ import annotations

import bisect
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from holdfast.commandline.effects.places import spot
from holdfast.commandline.model import Reading, Run, Where
from holdfast.commandline.reading.building import BUILT, MIGRATION, is_building
from holdfast.commandline.reading.files import FROM_FILE
from holdfast.commandline.reading.statement_files import CLIENTS
from holdfast.commandline.reading.written import ONLY_LOOK
from holdfast.judging import (
    conflicts,
    filled_again,
    git_calls,
    local_data,
    own_consoles,
    own_servers,
    own_stacks,
    rebuilt,
    saving,
    staying,
)
from holdfast.judging import made as made_things
from holdfast.judging.file_findings import CONTAINERS
from holdfast.judging.matching import Rule
from holdfast.judging.model import Finding
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

_MOST_BEFORE = 40
"""Runs before one that may tell where it talks to."""


@dataclass(frozen=True)
class LineContext:
    """A command line, as excuses see it. What several of them ask is worked out once."""

    reading: Reading
    where: Where

    @property
    def runs(self) -> tuple[Run, ...]:
        return self.reading.runs

    @cached_property
    def made(self) -> made_things.MadeThings:
        """What the line itself makes."""
        return made_things.by_line(self.reading, facts=bool(self.where.cwd))

    @cached_property
    def started(self) -> own_servers.Started:
        """The servers that the line itself starts."""
        return own_servers.by_line(self.runs)

    @cached_property
    def last_start(self) -> int:
        """The place of the last run that may start what the line has built; -1: none."""
        starts = (
            number
            for number, run in enumerate(self.runs)
            if BUILT not in run.via
            and run.program not in ONLY_LOOK
            and run.program not in _WAITS
            and not is_building(run)
        )
        return max(starts, default=-1)

    @cached_property
    def answers(self) -> bool:
        """Could anything in the line answer a question?"""
        return any(run.captured or run.program in _ANSWERS for run in self.runs)

    @cached_property
    def _saves(self) -> dict[int, bool]:
        return {}

    def saves_at(self, number: int) -> bool:
        """Are the changes of the work tree somewhere else behind this run?"""
        if (told := self._saves.get(number)) is None:
            told = self._saves[number] = saving.saves(self.runs[number])
        return told

    @cached_property
    def _version_control(self) -> list[int]:
        return [number for number, run in enumerate(self.runs) if run.program in ("git", "jj")]

    def calls_before(self, number: int) -> list[tuple[str, ...]]:
        """What git, or jj, was called with before this run; the last calls of a long line."""
        place = bisect.bisect_left(self._version_control, number)
        return [self.runs[each].texts for each in self._version_control[max(0, place - git_calls.NEAR) : place]]


_WAITS = listed("true false sleep date time rm mkdir awk npx")
_ANSWERS = listed("yes echo printf cat expect head seq")


@dataclass(frozen=True, slots=True)
class Case:
    """One finding about one run of a line."""

    finding: Finding
    run: Run
    number: int
    """The place of the run in the line."""
    line: LineContext
    rule: Rule | None = None
    """None: it is about what the run does to files."""

    @property
    def is_built_in(self) -> bool:
        return self.rule is not None and self.rule.scope == "built-in"


@dataclass(frozen=True, slots=True)
class Excuse:
    """A reason for which a finding does not count."""

    name: str
    says: str
    """The reason, for people."""
    holds: Callable[[Case], bool]


def excuse(case: Case) -> Excuse | None:
    """The first excuse that holds."""
    return next((each for each in EXCUSES if each.holds(case)), None)


# --- calls of git


def _in_temporary_repository(case: Case) -> bool:
    if case.run.program != "git" or not case.is_built_in or not git_calls.is_temporary(case.run, case.line.where):
        return False
    finding = case.finding
    before = case.line.runs[: case.number]
    if finding.act:
        return git_calls.is_made_before(case.run, before)  # else somebody's clone may be there
    if finding.rule in _OF_REPOSITORY:
        return True
    return finding.rule.startswith("git.push-") and git_calls.pushes_to_own(case.run, before, case.line.where)


_OF_REPOSITORY = frozenset({"git.runs-programs", "git.history", "git.plumbing", "git.gc", "git.prune"})
"""Rules about the repository itself: one that is thrown away has nothing to lose."""


def _to_temporary_repository(case: Case) -> bool:
    if case.run.program != "git" or not case.is_built_in or not case.finding.rule.startswith("git.push-"):
        return False
    return git_calls.pushes_to_temporary(case.run, case.line.runs[: case.number], case.line.where)


def _breaks_off_own_try(case: Case) -> bool:
    return case.finding.rule == "git.abort" and git_calls.is_own_try(case.run, case.line.calls_before(case.number))


def _saved_by_line(case: Case) -> bool:
    if case.rule is None or case.run.program != "git":
        return False
    line = case.line
    return saving.brings_back(case.rule, case.run, case.number, line.runs, line.saves_at, bool(line.where.cwd))


def _names_only_outputs(case: Case) -> bool:
    """Where there is a folder, the facts tell."""
    where = case.line.where
    is_git = case.finding.rule in _OF_NAMED_FILES and case.run.program == "git"
    return is_git and not where.cwd and git_calls.only_rebuilt(case.run, where)


def _takes_a_side(case: Case) -> bool:
    """Where there is a folder, the facts tell."""
    line = case.line
    if line.where.cwd or not case.is_built_in or case.finding.rule not in _OF_SIDES:
        return False
    return conflicts.takes_a_side(
        case.run,
        line.runs[max(0, case.number - _MOST_BEFORE) : case.number],
        line.runs[case.number + 1 : case.number + 1 + _MOST_BEFORE],
    )


_OF_SIDES = frozenset({"git.checkout-discard", "git.restore"})
_OF_NAMED_FILES = frozenset({"git.checkout-discard", "git.restore", "git.clean"})


# --- where it runs


def _in_container(case: Case) -> bool:
    return case.rule is not None and case.run.remote in CONTAINERS and case.finding.rule.startswith(_OF_MACHINE)


_OF_MACHINE = ("package.", "process.", "system.", "permissions.", "network.")
"""Rules about what a machine's other users need: a container has none."""


def _gets_no_answer(case: Case) -> bool:
    deed = case.finding.deed
    asks = deed.asks if deed is not None else case.finding.rule == "database.reset" and _prisma_asks(case.run)
    return asks and not case.line.answers


def _prisma_asks(run: Run) -> bool:
    """`prisma migrate reset` asks unless it is forced, and fails where nobody can answer."""
    words = " ".join((run.program, *run.texts[:10]))
    return "prisma migrate reset" in words and not {"--force", "-f"} & set(run.texts)


def _only_if_missing(case: Case) -> bool:
    """`[ -e F ] || cp x F`, `if [ ! -f F ]; then cp x F; fi`: it is written where it was not there."""
    finding, run, line = case.finding, case.run, case.line
    if finding.act != "overwrite" or case.rule is not None or not finding.path:
        return False
    place = case.number - 1
    if place > 0 and line.runs[place].program == "mkdir" and line.runs[place].followed_by == "&&":
        place -= 1
    asked = line.runs[place] if place >= 0 else None
    if asked is None or asked.program not in ("[", "[[", "test") or asked.remote != run.remote:
        return False
    words = [arg for arg in asked.args if arg.text not in ("]", "]]")]
    negated = bool(words) and words[0].text == "!"
    if len(words) != 2 + negated or words[-2].text not in ("-e", "-f", "-s", "-r"):  # what is no link may be a file
        return False
    if run.after_failure is negated or (negated and asked.followed_by != "&&" and not _leads_a_then(asked)):
        return False
    looked = replace(words[-1], known=not _COMPUTED.search(words[-1].text))  # between brackets no word is known
    return spot(looked, asked.directory, line.where).path == finding.path


def _leads_a_then(asked: Run) -> bool:
    """`if [ ! -f F ]; then …`; behind `||` comes what runs where it is there."""
    return asked.may_fail and asked.followed_by != "||"


_COMPUTED = lazy_pattern(r"`|\$(?!HOME\b|\{HOME\})")


def _set_by_script(case: Case) -> bool:
    """A script sets what it removes in ways that are not followed here."""
    return case.finding.deed is not None and case.finding.place == "unknown" and FROM_FILE in case.run.via


def _only_printed(case: Case) -> bool:
    """`manage.py sqlflush` prints statements; they count where a client of a database stands behind the pipe."""
    if case.finding.rule != "database.reset" or not _PRINTS_STATEMENTS.intersection(case.run.texts[:4]):
        return False
    following = case.line.runs[case.number + 1 : case.number + 4]
    return not any(run.piped_from and (run.program in CLIENTS or "dbshell" in run.texts) for run in following)


_PRINTS_STATEMENTS = listed("sqlflush sqlclear")


def _only_built(case: Case) -> bool:
    """A statement in a source file. What such a file starts by a shell, a client of a database too, still counts."""
    run = case.run
    if BUILT not in run.via or any(text.startswith("-") for text in run.texts):
        return False
    if run.program == "service-deletes":
        is_statement = MIGRATION in run.via
    else:
        is_statement = run.program in _STATEMENTS or (run.program == "sqlite3" and run.texts[:1] == ("db",))
    return is_statement and case.line.last_start <= case.number


_STATEMENTS = listed("drop delete truncate alter update db")


# --- what the line itself makes, starts or fills again


def _made_again(case: Case) -> bool:
    """Where there is a folder, the facts tell."""
    line = case.line
    return not line.where.cwd and rebuilt.is_made_again(case.finding, case.run, case.number, line.runs)


def _filled_again(case: Case) -> bool:
    return (
        case.is_built_in
        and case.finding.rule == "container.compose"
        and filled_again.by_line(case.line.runs, case.number)
    )


def _made_by_line(case: Case) -> bool:
    return made_things.is_of_line(case.finding, case.run, case.number, case.line.made)


def _own_server(case: Case) -> bool:
    return own_servers.talks_to_own(case.finding.rule, case.run, case.number, case.line.started)


def _own_stack(case: Case) -> bool:
    return case.is_built_in and own_stacks.destroys_own(case.finding.rule, case.run, case.line.runs[: case.number])


def _stays_here(case: Case) -> bool:
    before = case.line.runs[max(0, case.number - _MOST_BEFORE) : case.number]
    return case.is_built_in and staying.only_here(case.finding.rule, case.run, before)


# --- what is there to be thrown away


def _test_data(case: Case) -> bool:
    before = case.line.runs[max(0, case.number - _MOST_BEFORE) : case.number]
    rule = case.finding.rule
    return local_data.is_for_tests(rule, case.run, before) or own_consoles.is_for_tests(rule, case.run, before)


def _spare_thing(case: Case) -> bool:
    return local_data.is_spare_thing(case.finding.rule, case.run)


EXCUSES: tuple[Excuse, ...] = (
    Excuse("throw-away-repository", "the repository is in a temporary folder", _in_temporary_repository),
    Excuse("throw-away-remote", "what it pushes to is in a temporary folder", _to_temporary_repository),
    Excuse("own-try", "the line itself began what it breaks off", _breaks_off_own_try),
    Excuse("saved-by-line", "the line has saved it before, or brings it back afterwards", _saved_by_line),
    Excuse("outputs-only", "all files that it names are made again by a tool", _names_only_outputs),
    Excuse("takes-a-side", "it takes one side of a conflict, and git has both", _takes_a_side),
    Excuse("in-container", "a container has no other users", _in_container),
    Excuse("no-answer", "it asks before it does anything, and nothing in the line answers", _gets_no_answer),
    Excuse("only-if-missing", "the line writes it only where it is not there", _only_if_missing),
    Excuse("set-by-script", "the script sets the path in a way that is not followed here", _set_by_script),
    Excuse("only-printed", "it prints statements, and no client of a database reads them", _only_printed),
    Excuse("only-built", "the line only builds or tests the source file in which it stands", _only_built),
    Excuse("made-again", "the line makes this folder again, or has filled it", _made_again),
    Excuse("filled-again", "the line starts these services again and fills them", _filled_again),
    Excuse("made-by-line", "the line itself has made it before", _made_by_line),
    Excuse("own-server", "the line itself has started this server", _own_server),
    Excuse("own-stack", "the line itself has made it in a folder of the moment", _own_stack),
    Excuse("stays-here", "it only talks to this machine, so nothing leaves it", _stays_here),
    Excuse("test-data", "it is data for tests, on this machine", _test_data),
    Excuse("throw-away-name", "its name says that it is there to be thrown away", _spare_thing),
)
