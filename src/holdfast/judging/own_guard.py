"""Lines that end holdfast's daemon, or type a person's answer. Pure; linear.

A pattern for names of processes counts where it may match the daemon's: `pkill -f 'hold.ast'`, `kill $(pgrep holdf)`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from holdfast.commandline.inline import programs
from holdfast.commandline.model import Run
from holdfast.commandline.reading.written import ONLY_LOOK
from holdfast.commandline.running import hidden
from holdfast.judging.model import Finding
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

_LOOKS = listed("pgrep pidof ps grep egrep rg awk lsof fuser ss")
_ENDS_BY_NAME = listed("pkill killall skill")
_TYPES = listed("tmux screen xdotool ydotool wtype osascript expect")
_TELLS = listed("git gh glab hub jj hg") | hidden.ONLY_SAY | ONLY_LOOK
"""Programs that take a text to show, search or keep it."""
_ANSWER = lazy_pattern(r"\bholdfast\s{1,9}guard\s{1,9}allow-once\s{1,9}g?[0-9a-f]{8}\s{1,9}[A-Za-z0-9]{6,12}\b")
_NAME = "holdfast"
_SHORTEST = 4
_MOST_WORDS = 20


def findings(runs: Sequence[Run]) -> Iterator[Finding]:
    """What is said to a line that would take its guard away."""
    if any(_types_answer(run) or _starts_answer(run) or _posts_answer(run) for run in runs):
        yield Finding(
            "holdfast.override", "deny", "only a person can allow a refused call",
            "tell the user what you want to do, and why",
        )  # fmt: skip
    ends = any(run.program in ("kill", "pkill") and "-0" not in run.texts for run in runs)
    looks = ends and any(run.program in _LOOKS and _may_name(run) for run in runs)
    if looks or any(run.program in _ENDS_BY_NAME and "-0" not in run.texts and _may_name(run) for run in runs):
        yield Finding(
            "holdfast.override", "ask", "nothing is refused while the daemon is away", "`holdfast restart` renews it"
        )


def _types_answer(run: Run) -> bool:
    """`tmux send-keys -t 1 'holdfast guard allow-once …' Enter`; of any other program a whole answer in one word."""
    if run.program in _TYPES and "allow-once" in "".join("".join(run.texts).split()):
        return True
    return run.program not in _TELLS and any(map(answer, run.texts[:_MOST_WORDS]))


def answer(text: str) -> str:
    """A person's answer in a text, as it is typed, with an id and a code; '' when there is none."""
    found = _ANSWER.search(text[:_LONGEST]) if "allow-once" in text else None
    return found[0] if found is not None else ""


def _starts_answer(run: Run) -> bool:
    """`xterm -e holdfast guard allow-once ID CODE`, `some-launcher -- holdfast guard allow-once …`."""
    if run.program in hidden.ONLY_SAY or run.program in ONLY_LOOK or "allow-once" not in run.texts[:_MOST_WORDS]:
        return False
    before = run.texts[: run.texts.index("allow-once")]
    return any(posixpath.basename(text) == _NAME for text in before)


def _posts_answer(run: Run) -> bool:
    """`curl --unix-socket S http://h/api/tools/guard_allow_once`: the tool, at the daemon's door."""
    is_program = programs.language(run.program) is not None and (run.stdin is not None or _INLINE in run.texts)
    if run.program not in _POSTS and not is_program:
        return False
    return any(_TOOL.search(text[:_LONGEST]) for text in (*run.texts[:_MOST_WORDS], run.stdin or ""))


_POSTS = listed("curl wget http https httpie xh curlie nc ncat netcat socat websocat grpcurl")
_INLINE = "-c"
_TOOL = lazy_pattern(r"(?:/tools/\w{1,20}|[\"']\w{1,20})[._]allow_once\b")
_LONGEST = 20_000


def _may_name(run: Run) -> bool:
    return any(may_name_daemon(text) for text in run.texts[:_MOST_WORDS])


def may_name_daemon(pattern: str) -> bool:
    """May this pattern match the daemon's name? Its letters stand there, in their order."""
    if pattern.startswith("-") or len(pattern) > 60:
        return _NAME in pattern
    pieces = re.findall(r"[a-z0-9]+", pattern.lower())
    at = 0
    for piece in pieces:
        found = _NAME.find(piece, at)
        if found < 0:
            return _NAME in pattern.lower()
        at = found + len(piece)
    return sum(map(len, pieces)) >= _SHORTEST
