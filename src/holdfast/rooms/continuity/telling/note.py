"""Writes the state of a conversation within a token budget. Pure.

The user's corrections come first, then requests, decisions and the rest.
Each part has a share of the tokens; what a part does not need goes to the others. When not all lines of a part fit, the
newest do. A text of the user is whole, or it is cut in its middle and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from holdfast.events.tokens import count_tokens
from holdfast.items.web_words import unmarked
from holdfast.prose.one_line import one_line
from holdfast.rooms.continuity.model import Stand

_LONGEST_WORDS = 1_600
"""Characters of one request that stand whole; of a longer one the beginning and the end."""
_PER_LINE = 1
_LEAST = 6
"""Tokens below which no line fits."""


@dataclass(frozen=True, slots=True)
class NotePart:
    """One part of a note."""

    headline: str
    lines: tuple[str, ...]
    """The most important first."""
    share: float
    """Of the whole budget: what it may take before the others had their turn."""
    in_order: tuple[str, ...] = ()
    """The same lines in the order in which they are told; empty: as they are."""
    exact: bool = False
    """The user's own words: who knows only their sense does not know them."""
    in_a_row: bool = False
    """Facts without news of their own (a run that passed, a file that was changed): told in one line."""


Knows = Callable[[str, bool], bool]
"""(line, must it be word for word?): does the reader know it already?"""


def verbatim(text: str, longest: int = _LONGEST_WORDS) -> str:
    """Somebody's words as a line of a list; a very long text is cut in its middle."""
    if len(text) > longest:
        gone = len(text) - longest
        text = f"{text[: longest * 2 // 3].rstrip()} [… {gone} characters …] {text[-(longest // 3) :].lstrip()}"
    return "- " + text.strip().replace("\n", "\n  ")


def parts_of(stand: Stand, knows: Knows | None = None) -> list[NotePart]:
    """The parts of a note, without what the reader knows."""
    corrected = set(stand.corrections)
    asked = [text for text in stand.requests if text not in corrected]
    first = asked[:1] if len(asked) > 2 else []
    requests = [*_newest(asked[len(first) :])[:2], *first, *_newest(asked[len(first) :])[2:]]
    failing = [f"FAILING: {run.title}" for run in stand.failing]
    passing = list({_name(run.title): run.title for run in stand.runs if run.outcome != "failed"}.values())
    made = [
        NotePart("The user's corrections, word for word. They hold:", _listed(stand.corrections), 0.2, exact=True),
        NotePart(
            "What the user asked, word for word, the oldest first:", _words(requests), 0.3, _words(asked), exact=True
        ),
        NotePart("Next steps and open points:", _said(_newest(stand.next_steps)), 0.1),
        NotePart("Decisions:", _said(_newest(stand.decisions)), 0.14),
        NotePart("Tried, and did not work:", _said(_newest(stand.dead_ends)), 0.08),
        NotePart("Runs:", _said(_newest(failing)), 0.06),
        NotePart("Passed when last run:", _said(_newest(passing)), 0.05, in_a_row=True),
        NotePart("Files changed:", _files(stand), 0.06, in_a_row=True),
        NotePart("Found out:", _said(_newest(stand.findings)), 0.06),
        NotePart("Names and addresses:", _names(stand), 0.05),
        NotePart("Asked by the agent, not answered yet:", _said(_newest(stand.questions)), 0.03),
    ]
    state = [f"- {name}: {text}" for name, text in _state(stand) if text]
    if state:
        made.append(NotePart("Where:", tuple(state), 0.02))
    if stand.note:
        made.insert(0, NotePart("Note:", (verbatim(stand.note),), 0.1))
    return [unknown(part, knows) for part in made] if knows else made


def _name(title: str) -> str:
    """What was run: "Ran pytest" and "Ran pytest: 1 passed" are the same run, told once, as it last ended."""
    return title.partition(": ")[0]


def unknown(part: NotePart, knows: Knows) -> NotePart:
    """A part without what the reader knows."""
    left = tuple(line for line in part.lines if not knows(unmarked(line.removeprefix("- ")), part.exact))
    stay = set(left)
    return replace(part, lines=left, in_order=tuple(line for line in part.in_order if line in stay))


def written(parts: Sequence[NotePart], tokens: int) -> tuple[str, list[str]]:
    """The parts within so many tokens, and the lines that did not fit."""
    parts = [part for part in parts if part.lines]
    taken: list[set[str]] = [set() for _ in parts]
    costs: dict[str, int] = {}
    left = float(tokens)
    for limited in (True, False):
        for part, kept in zip(parts, taken, strict=True):
            room = min(left, tokens * part.share) if limited else left
            for line in part.lines:
                if room < _LEAST:
                    break
                if line in kept:
                    continue
                cost = costs.get(line) or costs.setdefault(line, count_tokens(line) + _PER_LINE)
                cost += 0 if kept else count_tokens(part.headline) + 2 * _PER_LINE
                if cost <= room:
                    kept.add(line)
                    room -= cost
                    left -= cost
    dropped = [line for part, kept in zip(parts, taken, strict=True) for line in part.lines if line not in kept]
    told = ["\n".join(_told(part, kept)) for part, kept in zip(parts, taken, strict=True) if kept]
    return "\n\n".join(told), dropped


def _told(part: NotePart, kept: set[str]) -> Iterator[str]:
    lines = [line for line in dict.fromkeys(part.in_order or part.lines) if line in kept]
    if part.in_a_row:
        yield f"{part.headline} {'; '.join(line.removeprefix('- ') for line in lines)}"
        return
    yield part.headline
    yield from lines


def summary(stand: Stand) -> str:
    """The first level: a few lines to choose by."""
    lines = [("Request", stand.request), ("Next", next(iter(_newest(stand.next_steps)), ""))]
    lines += [("Failing", run.title) for run in stand.failing[-1:]]
    lines += [("Correction", stand.corrections[-1])] if stand.corrections else []
    lines += [("Note", stand.note)] if stand.note else []
    return "\n".join(f"{name}: {one_line(text, 240)}" for name, text in lines if text) or title(stand)


def title(stand: Stand) -> str:
    """One line; never empty."""
    if stand.note:
        return one_line(stand.note)
    if stand.request:
        return one_line(stand.request)
    done = [run.title for run in stand.runs[-1:]] or [f"changed {file.path}" for file in stand.files[-1:]]
    if done:
        return one_line(f"No request yet; {done[0]}")
    where = f" in {stand.folder}" if stand.folder else ""
    return f"Nothing was asked yet{where}{f' on {stand.branch}' if stand.branch else ''}"


def _words(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(verbatim, texts))


def _listed(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(verbatim(text) for text in _newest(texts))


def _said(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"- {one_line(text, 400)}" for text in texts)


def _newest(texts: Iterable[str]) -> list[str]:
    return list(texts)[::-1]


def _files(stand: Stand) -> tuple[str, ...]:
    return tuple(
        f"- {file.path}{'' if file.change == 'edited' else f' ({file.change})'}" for file in reversed(stand.files)
    )


def _names(stand: Stand) -> tuple[str, ...]:
    return tuple(f"- {name}" for name in reversed(stand.identifiers))


def _state(stand: Stand) -> list[tuple[str, str]]:
    used = ""
    if stand.context_tokens is not None and stand.window_tokens:
        used = f"{round(100 * stand.context_tokens / stand.window_tokens)} % of {stand.window_tokens:,} tokens"
    return [
        *(("folder", stand.folder), ("branch", stand.branch), ("effort", stand.effort), ("phase", stand.phase)),
        *(("open prediction", stand.ghap), ("context use then", used)),
    ]
