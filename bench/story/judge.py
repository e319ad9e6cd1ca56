"""Judges what was given: which expectations were met, which lines were forbidden, which were about the matter. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bench.story import forbidden
from bench.story.given import Block, Line
from bench.story.model import Fact, Session, Story, Turn
from bench.story.play import Played


@dataclass(frozen=True, slots=True)
class Expectation:
    """One thing that a session must be given, or must not."""

    session: str
    hook: str
    """brief, recall N (at prompt N), or a file."""
    wanted: str
    met: bool

    def __str__(self) -> str:
        return f"{self.session}, {self.hook}: {self.wanted}"


@dataclass(frozen=True, slots=True)
class Given:
    """One line that was given, and what is thought of it."""

    session: str
    hook: str
    text: str
    about: bool
    faults: tuple[str, ...] = ()
    is_item: bool = True
    """A heading or an instruction is listed only if it is at fault."""


@dataclass(slots=True)
class Verdict:
    """The judgement over some sessions."""

    expectations: list[Expectation] = field(default_factory=list)
    lines: list[Given] = field(default_factory=list)
    brief_tokens: list[int] = field(default_factory=list)
    tokens: int = 0

    def __iadd__(self, other: Verdict) -> Verdict:
        self.expectations += other.expectations
        self.lines += other.lines
        self.brief_tokens += other.brief_tokens
        self.tokens += other.tokens
        return self

    @property
    def missed(self) -> list[Expectation]:
        return [each for each in self.expectations if not each.met]

    @property
    def forbidden(self) -> list[Given]:
        return [line for line in self.lines if line.faults]


def judge(played: Played, prompts: Sequence[Turn], places: Sequence[str], commands: frozenset[str]) -> Verdict:
    """One session. `prompts` are those of earlier sessions, `places` folders of this machine."""
    verdict = Verdict(expectations=list(_expected(played)))
    faults = _faults(played, prompts, places, commands)
    for block in played.blocks:
        hook = _hook(block)
        verdict.tokens += block.tokens
        if block.hook == "brief" and not block.to_agent:
            verdict.brief_tokens.append(block.tokens)
        for line in block.lines:
            reasons = tuple(dict.fromkeys(faults.get((block.nonce, line.text), ())))
            if line.is_item or reasons:
                about = line.is_item and _is_about(line, block, played.story, played.session)
                verdict.lines.append(Given(played.name, hook, line.text, about, reasons, line.is_item))
    return verdict


def _expected(played: Played) -> Iterator[Expectation]:
    story, session, name = played.story, played.session, played.name
    briefs = [line for block in played.blocks if block.hook == "brief" for line in block.items]
    for key in session.brief:
        yield Expectation(name, "brief", key, _says(briefs, story.facts[key]))
    for key in session.not_in_brief:
        yield Expectation(name, "brief", f"not {key}", not _says(briefs, story.facts[key]))
    for number, turn in enumerate(session.turns, 1):
        hook = f"recall {number}"
        recalled = [line for each in played.blocks if _hook(each) == hook for line in each.items]
        # What the brief has said in full counts at the first prompt too: it must not be said again.
        heard = [*recalled, *briefs]
        for key in turn.given:
            yield Expectation(name, hook, key, _says(heard, story.facts[key]))
        if turn.nothing:
            yield Expectation(name, hook, "nothing", not recalled)
    for path, keys in session.files.items():
        base = path.rpartition("/")[2]
        about = [each for each in played.blocks if each.hook == "file" and base in each.text]
        lines = [*(line for block in about for line in block.items), *_heard_before(played)]
        for key in keys:
            yield Expectation(name, path, key, _says(lines, story.facts[key]))


def _heard_before(played: Played) -> list[Line]:
    """What the brief and recall have said need not be said again when a file is opened."""
    return [line for block in played.blocks if block.hook in ("brief", "recall") for line in block.items]


def _says(lines: Sequence[Line], fact: Fact) -> bool:
    return any(fact.words.found_in(line.said) for line in lines)


def _is_about(line: Line, block: Block, story: Story, session: Session) -> bool:
    """In a brief: about anything that still holds. At a prompt or a file: about its subject."""
    if block.hook == "recall" and not block.to_agent:
        turn = session.turns[block.turn - 1]
        facts = [story.facts[key] for key in (*turn.given, *turn.about)]
    elif block.hook == "file":
        wanted = {
            fact for path, keys in session.files.items() if path.rpartition("/")[2] in block.text for fact in keys
        }
        named = {key for turn in session.turns for key in (*turn.given, *turn.about)}
        facts = [story.facts[key] for key in wanted | named]
    else:
        facts = story.facts_known(session)
    return any(fact.words.found_in(line.said) for fact in facts)


def _faults(
    played: Played, prompts: Sequence[Turn], places: Sequence[str], commands: frozenset[str]
) -> dict[tuple[str, str], list[str]]:
    """Why lines are forbidden, by block and line."""
    found: dict[tuple[str, str], list[str]] = {}

    def note(block: Block, line: Line, why: str) -> None:
        found.setdefault((block.nonce, line.text), []).append(why)

    never = (*played.story.never, *played.session.never)
    for block in played.blocks:
        for line in block.lines:
            for why in forbidden.of_line(line, block, prompts, places):
                note(block, line, why)
            for words in never if line.is_item else ():
                if words.found_in(line.said):
                    note(block, line, f"never: {words}")
        for line, why in (*forbidden.of_block(block), *forbidden.missing_tools(block, commands)):
            note(block, line, why)
    for block, line, why in forbidden.doubled(played.blocks, played.before):
        note(block, line, why)
    return found


def _hook(block: Block) -> str:
    if block.to_agent:
        return f"{block.hook} of a subagent"
    return f"recall {block.turn}" if block.hook == "recall" else block.hook
