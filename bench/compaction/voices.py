"""Voices: the sentences of which sessions are made, each by another author. README.md tells how to write one.

The author of the first voice knows the rules, and about a third of its sentences state their point without a usual cue
word. The authors of the others never read a rule.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Formatter

Voice = Mapping[str, Sequence[str]]
"""Forms of sentences, by what they are: ask, correct, decide, dead, next, talk."""

SECOND = Path(__file__).with_name("second_voice.json")
LEAST = 6
"""Forms of each kind that a voice has at least."""
_NAMED = ("ask", "correct", "decide", "dead", "next")
_KINDS = (*_NAMED, "talk")
_FIELDS = {"name", "thing", "part"}

_ASK = (
    "Please add a {part} to the {thing}; call it {name}.",
    "The {thing} drops its {part} under load. Find out why and repair it, see {name}.",
    "Can you move the {part} of the {thing} into its own module named {name}?",
    "I need the {thing} to keep its {part} across restarts ({name}).",
    "Write tests for the {part} handling in the {thing}, the ones we agreed on as {name}.",
    "{thing}: the {part} is wrong for empty input, look at {name} first.",
)
_CORRECT = (
    "no, I said the {part} of the {thing}, not the default one; {name} stays",
    "don't touch {name}, only the {thing} may change",
    "use {name} instead of the old {part} in the {thing}",
    "That's not what I asked: the {thing} must keep {name}.",
    "we never log the {part}, remove {name} from the {thing}",
    "stop adding comments to {name}",
)
_DECIDE = (
    "I went with {name} for the {thing} because the {part} has to survive a restart.",
    "We'll keep {name} in the {thing} so that the {part} stays readable.",
    "The {part} lives in {name} now; anything else would have meant a second lock.",
    "I chose {name} over a plain {part} since the {thing} is called twice.",
    "{name} is what the {thing} uses for its {part} from here on.",
    "Instead of a shared {part}, the {thing} gets {name}.",
)
_DEAD = (
    "Raising the {part} did not help: {name} still times out.",
    "I tried {name} for the {thing}, but it deadlocks with the {part}.",
    "{name} turned out too slow for the {thing}, so I reverted it.",
    "Patching {name} made it worse; the {thing} lost its {part} altogether.",
    "{name} is a dead end for the {part}.",
    "With {name} the {thing} kept failing, whatever the {part} was set to.",
)
_NEXT = (
    "Next I'll wire {name} into the {thing}.",
    "The {thing} still needs {name} before we can merge.",
    "What is left: {name} for the {part}.",
    "Then {name} has to be written for the {thing}.",
    "I have not started on {name} yet.",
    "Remaining: document {name} in the {thing}.",
)
_TALK = (
    "Let me look at the {thing}.",
    "Reading the tests of the {part} now.",
    "That file is longer than I thought.",
    "Running everything once more.",
    "The output looks fine so far.",
    "I see how the {thing} calls the {part}.",
)
FIRST: Voice = {"ask": _ASK, "correct": _CORRECT, "decide": _DECIDE, "dead": _DEAD, "next": _NEXT, "talk": _TALK}


def read_voice(path: Path) -> Voice:
    """A voice from its file; a sentence for each thing that is wrong with it."""
    try:
        told = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise SystemExit(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise SystemExit(f"{path} is not JSON: {error}.") from None
    if wrong := faults(told):
        raise SystemExit("\n".join(f"{path.name}: {each}" for each in wrong))
    voice: Voice = {kind: told[kind] for kind in _KINDS}
    return voice


def faults(told: object) -> list[str]:
    """What is wrong with a voice."""
    if not isinstance(told, dict):
        return ["it must be an object with the lists " + ", ".join(_KINDS) + "."]
    wrong = []
    for kind in _KINDS:
        forms = told.get(kind)
        if not isinstance(forms, list) or len(forms) < LEAST or not all(isinstance(each, str) for each in forms):
            wrong.append(f"`{kind}` must be a list of at least {LEAST} sentences.")
            continue
        for form in forms:
            try:
                fields = [field for _, field, _, _ in Formatter().parse(form) if field is not None]
            except ValueError:
                wrong.append(f"`{kind}`: a brace in {form!r} has no partner; write {{{{ for a brace.")
                continue
            if odd := set(fields) - _FIELDS:
                wrong.append(f"`{kind}`: {{{odd.pop()}}} in {form!r} is none of {{name}}, {{thing}}, {{part}}.")
            elif fields.count("name") != (kind in _NAMED):
                often = "exactly once" if kind in _NAMED else "not at all"
                wrong.append(f"`{kind}`: {{name}} must stand {often} in {form!r}.")
    return wrong


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("Usage: python -m bench.compaction.voices FILE")
    counted = {kind: len(forms) for kind, forms in read_voice(Path(sys.argv[1])).items()}
    print("The voice can be used:", ", ".join(f"{count} {kind}" for kind, count in counted.items()))
