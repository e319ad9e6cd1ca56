"""What a compaction loses (CON-15): probes of eight kinds in long sessions, looked for in the next window.

Four ways, each with the tokens it gives: the client's summary alone; with what CON-6 gives back; "both"; "holdfast", a
note without a model of at most the summary's tokens plus a fifth. A probe is kept when its name stands in the text; a
request and a correction, when they stand there word for word, in a row of their own. The client's summary is a scripted
one of fair quality: it knows every probe, tells the newest first in at most 18 words each, leaves out one of eight, and
ends at its size, which was fixed beforehand.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from bench.compaction.sessions import KINDS, Moment, Session, held_out, sessions
from bench.compaction.voices import FIRST, SECOND, read_voice
from bench.figures import Report, Row, Sample, main, quantile
from msgspec.structs import replace

from holdfast.events.parse import parse
from holdfast.events.tokens import count_tokens, fit_tokens
from holdfast.ids import ClientPromptId, EntryId
from holdfast.rooms.continuity.compacting.answering import beside
from holdfast.rooms.continuity.measuring.usage import Passage
from holdfast.rooms.continuity.model import FileState, Stand
from holdfast.rooms.continuity.telling import losses, note, wording
from holdfast.rooms.continuity.telling.story import Story

SUMMARY_TOKENS = 3_000
GIVEN_TOKENS = 1_600
ALLOWED = 1.2
LEFT_OUT = 1 / 8
TARGETS = {"request": 0.95, "correction": 0.95, "decision": 0.95, "next step": 0.95}
OTHERS = 0.90
WAYS = ("client", "classic", "both", "holdfast")


def story_of(session: Session) -> Story:
    """What the room knows: the moments, and nothing of the probes."""
    story = Story()
    for at, moment in enumerate(session.moments):
        if moment.what == "said":
            story.hear(Passage("said", moment.text, at, ClientPromptId("p")), moment.text)
        else:
            story.take(parse(payload(moment)), at, EntryId(f"e{at}"), "/p")
    return story


def payload(moment: Moment) -> dict[str, object]:
    match moment.what:
        case "prompt":
            own: dict[str, object] = {"hook_event_name": "UserPromptSubmit", "prompt": moment.text}
        case "edit":
            own = {
                "hook_event_name": "PostToolUse",
                "tool_name": "Edit",
                "tool_input": {"file_path": f"/p/{moment.text}"},
            }
        case "failed":
            error = f"Exit code 1\nFAILED {moment.text}::test_it\n1 failed, 3 passed in 1s"
            own = {"hook_event_name": "PostToolUseFailure", "error": error, **_bash(f"pytest -q {moment.text}")}
        case "passed":
            said = {"tool_response": {"stdout": "4 passed in 1s", "stderr": ""}}
            own = {"hook_event_name": "PostToolUse", **_bash(f"pytest -q {moment.text}"), **said}
        case _:
            said = {"tool_response": {"stdout": moment.output, "stderr": ""}}
            own = {"hook_event_name": "PostToolUse", **_bash(moment.text), **said}
    return {"session_id": "s", "cwd": "/p"} | own


def _bash(command: str) -> dict[str, object]:
    return {"tool_name": "Bash", "tool_input": {"command": command}}


def summary_of(session: Session) -> str:
    """The scripted summary of the client: fair, and of a fixed size."""
    dice = random.Random(f"summary {session.number}")
    told = [probe for probe in reversed(session.probes) if dice.random() > LEFT_OUT]
    lines = (f"- {probe.kind}: {' '.join(probe.text.split()[:18])}" for probe in told)
    return fit_tokens("\n".join(lines), SUMMARY_TOKENS)


def stand_of(story: Story) -> Stand:
    files = tuple(FileState(fact.text, fact.outcome) for fact in story.of("file"))
    return replace(story.stand(), files=files)


def windows(session: Session, story: Story) -> dict[str, str]:
    """What stands in the next window, by way."""
    summary, stand = summary_of(session), stand_of(story)
    lost, lines = note.written(note.parts_of(stand, losses.known_by(summary)), GIVEN_TOKENS)
    classic = wording.given_back(lost, lines, by_command=True) if lost else ""
    # The mod sees the summary as the client writes it, and puts the note behind it.
    appended, _ = beside(stand, f"<summary>{summary}</summary>", GIVEN_TOKENS)
    whole, _ = note.written(note.parts_of(stand), int(max(count_tokens(summary), 500) * ALLOWED))
    return {
        "client": summary,
        "classic": f"{summary}\n{classic}",
        "both": f"{summary}\n{appended}",
        "holdfast": whole,
    }


Shares = dict[tuple[str, str], list[bool]]
"""Which probes were kept, by way and kind."""


def counted(made: Sequence[Session]) -> tuple[Shares, Shares, dict[str, list[int]]]:
    """What is kept at all, what word for word, and the tokens of each way."""
    kept: Shares = defaultdict(list)
    verbatim: Shares = defaultdict(list)
    tokens: dict[str, list[int]] = defaultdict(list)
    for session in made:
        given = windows(session, story_of(session))
        for way, text in given.items():
            tokens[way].append(count_tokens(text))
            for probe in session.probes:
                kept[way, probe.kind].append(probe.key in text)
                if probe.kind in ("request", "correction"):
                    verbatim[way, probe.kind].append(probe.text in text)
    return kept, verbatim, tokens


def measure(chosen: argparse.Namespace) -> Report:
    count = 8 if chosen.quick else int(chosen.sessions)
    voice = read_voice(chosen.voice) if chosen.voice else FIRST
    made = held_out() if chosen.held_out else sessions(count, chosen.salt, voice)
    if not made:
        raise SystemExit("There are no held-out sessions yet; bench/compaction/sessions_held_out/README.md tells how.")
    kept, verbatim, tokens = counted(made)
    rows = [
        Row(
            f"{way}: {kind}",
            "share kept",
            _share(kept[way, kind]),
            _share(kept["client", kind]),
            _target(way, kind),
            at_least=True,
        )
        for way in WAYS[1:]
        for kind in KINDS
    ]
    rows += [
        Row(f"{way}: {kind} word for word", "share kept", _share(verbatim[way, kind]), _share(verbatim["client", kind]))
        for way in WAYS[1:]
        for kind in ("request", "correction")
    ]
    rows += [
        Row(
            f"{way}: tokens",
            "mean",
            _mean(tokens[way]),
            _mean(tokens["client"]),
            ALLOWED if way == "holdfast" else None,
            of_ratio=True,
        )
        for way in WAYS[1:]
    ]
    rows.append(
        Row(
            "assembling the note of 5,000 messages",
            "ms of processor time (p50, p99)",
            _speed(20 if chosen.quick else 200),
        )
    )
    notes = [
        f"{len(made)} sessions of {min(s.messages for s in made)} to {max(s.messages for s in made)} messages, "
        f"{sum(len(s.probes) for s in made)} probes; the summary is {SUMMARY_TOKENS:,} tokens at most.",
        "The sentences were written by somebody who never read a rule."
        if chosen.voice or chosen.held_out
        else "The author of the sentences knows the rules: see `--voice` for those who do not.",
    ]
    return Report("What a compaction loses", "CON-15", "the client's scripted summary alone", rows, notes)


def _target(way: str, kind: str) -> float | None:
    return TARGETS.get(kind, OTHERS) if way == "holdfast" else None


def _share(found: list[bool]) -> Sample:
    return Sample.one(sum(found) / len(found) if found else 0.0)


def _mean(values: list[int]) -> Sample:
    return Sample(sum(values) / len(values), min(values), max(values))


def _speed(rounds: int) -> Sample:
    """From the facts in memory to the note; folding happened as the events came."""
    long = Session(0, 5_000)
    for session in sessions(30)[-8:]:
        long.moments += session.moments
    story = story_of(long)
    took = []
    for _ in range(rounds):
        began = time.thread_time()
        note.written(note.parts_of(stand_of(story)), 5_000)
        took.append((time.thread_time() - began) * 1_000)
    took.sort()
    return Sample(quantile(took, 0.5), took[0], quantile(took, 0.99))


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--held-out", action="store_true", help="the sessions that somebody else wrote")
    parser.add_argument("--salt", default="", help="any word: other sessions, which no rule can have been fitted to")
    parser.add_argument("--voice", type=Path, metavar="FILE", help="sentences of another author (README.md)")
    parser.add_argument(
        "--second-voice", action="store_const", const=SECOND, dest="voice", help="an author who never read a rule"
    )


if __name__ == "__main__":
    main(measure, __doc__ or "", "python -m bench.compaction.measure", arguments, sessions=(30, "sessions"))
