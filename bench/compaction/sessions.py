"""Long sessions, written by rule from a seed, with probes of eight kinds planted in them.

A session is a list of moments (prompts, words of the agent, edits, runs). The list of probes stays here: the room is
told of the moments only. The sentences are those of a voice (`voices`).
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from pathlib import Path

from bench.compaction.voices import FIRST, Voice


def listed(words: str) -> tuple[str, ...]:
    return tuple(words.split())


KINDS = ("request", "correction", "decision", "file", "outcome", "identifier", "dead end", "next step")

_THINGS = listed(
    "uploader parser scheduler mailer importer exporter gateway ledger cache router renderer indexer watcher billing"
    " session signup report invoice search webhook backup archive replay pricing catalogue inventory settings profile"
)
_PARTS = listed("retry timeout header cursor token lock queue buffer schema window offset digest quota locale stream")
_OUTPUT = "collected 12 items and did the usual things with them in the usual order\n"


@dataclass(frozen=True, slots=True)
class Probe:
    """Something that the next window must know: `key` stands in one line with its `beside`."""

    kind: str
    text: str
    key: str
    at: int


@dataclass(frozen=True, slots=True)
class Moment:
    what: str
    """prompt, said, edit, passed, failed or ran."""
    text: str
    output: str = ""


@dataclass(slots=True)
class Session:
    number: int
    messages: int
    moments: list[Moment] = field(default_factory=list)
    probes: list[Probe] = field(default_factory=list)


HELD_OUT = Path(__file__).with_name("sessions_held_out")


def held_out() -> list[Session]:
    """The sessions that somebody else wrote. Their format is in the folder's README."""
    return [_read(number, path) for number, path in enumerate(sorted(HELD_OUT.glob("*.json")))]


def _read(number: int, path: Path) -> Session:
    told = json.loads(path.read_text("utf-8"))
    moments = [Moment(each["what"], each["text"], each.get("output", "")) for each in told["moments"]]
    odd = {each.what for each in moments} - {"prompt", "said", "edit", "passed", "failed", "ran"}
    odd |= {each["kind"] for each in told["probes"]} - set(KINDS)
    if odd:
        raise SystemExit(f"{path.name}: {', '.join(sorted(odd))} is no kind of moment or probe; see its README.")
    probes = [Probe(each["kind"], each["text"], each["key"], 0) for each in told["probes"]]
    return Session(number, len(moments), moments, probes)


def sessions(count: int, salt: str = "", voice: Voice = FIRST) -> list[Session]:
    return [_session(number, random.Random(f"{salt}{number}"), voice) for number in range(count)]


class _Writer:
    def __init__(self, session: Session, dice: random.Random, voice: Voice) -> None:
        self.session, self.dice, self._voice = session, dice, voice
        self.things = dice.sample(_THINGS, 4)
        self._names: set[str] = set()

    def name(self) -> str:
        while True:
            made = f"{self.dice.choice(_PARTS)}_{self.dice.choice(_THINGS)}_{self.dice.randrange(100, 999)}"
            if made not in self._names:
                self._names.add(made)
                return made

    def fill(self, what: str, name: str = "") -> str:
        return self.dice.choice(self._voice[what]).format(
            thing=self.dice.choice(self.things), part=self.dice.choice(_PARTS), name=name
        )

    def add(self, what: str, text: str, output: str = "") -> None:
        self.session.moments.append(Moment(what, text, output))

    def plant(self, kind: str, text: str, key: str) -> None:
        self.session.probes.append(Probe(kind, text, key, len(self.session.moments)))


def _session(number: int, dice: random.Random, voice: Voice) -> Session:
    messages = int(100 * 20 ** (number / 29)) if number < 30 else dice.randrange(100, 2_000)
    session = Session(number, messages)
    writer = _Writer(session, dice, voice)
    prompts = max(4, min(60, messages // 25))
    for turn in range(prompts):
        name = writer.name()
        if turn and dice.random() < 0.25:
            text = writer.fill("correct", name)
            writer.plant("correction", text, name)
        else:
            text = writer.fill("ask", name)
            writer.plant("request", text, name)
        writer.add("prompt", text)
        _turn(writer, dice, messages // prompts, turn, prompts)
    return session


def _turn(writer: _Writer, dice: random.Random, length: int, turn: int, turns: int) -> None:
    if dice.random() < 0.35:
        _state(writer, "decision", "decide")
    if dice.random() < 0.2:
        _state(writer, "dead end", "dead")
    if dice.random() < 0.3:
        path = f"src/{dice.choice(writer.things)}/{writer.name()}.py"
        writer.add("edit", path)
        writer.plant("file", path, path.rsplit("/", 1)[1])
    if dice.random() < 0.15:
        ticket = f"{dice.choice(('OPS', 'WEB', 'PAY'))}-{dice.randrange(100, 99_999)}"
        writer.add("said", f"This belongs to {ticket}.")
        writer.plant("identifier", ticket, ticket)
    for step in range(max(1, length // 4)):
        if dice.random() < 0.3:
            writer.add("said", writer.fill("talk"))
        writer.add("ran", f"sed -n '{step},{step + 40}p' src/{dice.choice(writer.things)}/main.py", _OUTPUT)
    if turn >= turns - 6 and dice.random() < 0.6:
        test = f"tests/test_{writer.name()}.py"
        failed = dice.random() < 0.5
        writer.add("failed" if failed else "passed", test)
        writer.plant("outcome", f"{test} {'failed' if failed else 'passed'}", test)
    if turn >= turns - 3:
        _state(writer, "next step", "next")
    writer.add("said", writer.fill("talk"))


def _state(writer: _Writer, kind: str, what: str) -> None:
    name = writer.name()
    text = writer.fill(what, name)
    writer.add("said", text)
    writer.plant(kind, text, name)
