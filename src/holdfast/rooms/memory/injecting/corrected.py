"""What the user corrected, told with its subject (MEM-31): "don't copy them" says nothing without the question that it
answers. The subject is the sentence before it, else the last request before it that names one.
"""

from __future__ import annotations

import re

from holdfast.events.correction import correction_in
from holdfast.events.subjects import ABOUT, about, need
from holdfast.items import tables as given
from holdfast.items.indexed import Start
from holdfast.patterns import lazy_pattern
from holdfast.prose.prompts.before import sentence_before
from holdfast.rooms.memory import tables
from holdfast.rooms.memory.model import Prompt
from holdfast.rooms.memory.summaries.refresh import subject_before
from holdfast.store.interface import Reader
from holdfast.times import DAY_US

_READ = 20
_TOLD_OF = 2
_SAID_US = 14 * DAY_US
"""So long it is told that the user said something that nobody confirmed."""
_LONGEST_SUBJECT = 90
_MOST = 3
"""Prompts with rules that nobody confirmed, of which a brief tells."""
_STANDING = lazy_pattern(
    r"\b(?:always|never|from now on|going forward|in (?:the )?future|(?:do not|don'?t) use|no longer|immer|nie|niemals"
    r"|ab (?:jetzt|sofort)|keine?n?|künftig|siempre|nunca|toujours|jamais)\b"
    r"|\A[^:]{0,30}\b(?:rule|convention|policy|regel|règle|regla|regra|regola)\b[^:]{0,60}:|\A(?:every|each|jede\w?)\b",
    re.IGNORECASE,
)
"""It holds in general, and not for the work of that moment."""


_OF_THAT_MOMENT = lazy_pattern(
    r"(?:(?:and|so|then|please|now) )?(?:take|put|change|turn|swap|move|make|revert|undo|roll|pull|throw|rip|drop"
    r"|remove) (?:it|this|that|these|those|them)\b",
    re.IGNORECASE,
)
"""An order about what stood there then, beside a rule: "we never ask for location. take it out"."""


_TILL_THEN = lazy_pattern(
    r"\b(?:un)?till? then\b|\b(?:before|yet|for now|for the moment)\W*\Z|\bbis dahin\b|\bvorerst\b|\bhasta entonces\b"
    r"|\bd['’]ici là\b|\baté lá\b",
    re.IGNORECASE,
)
"""An order that ends: the open thread tells it, as long as it waits."""


def whole(reader: Reader, prompt: Prompt, text: str) -> str:
    """A correction with what it is about, if it does not say that itself; '' when nobody can tell."""
    if not needs_subject(text):
        return _with_lead(prompt.text, text)
    before = sentence_before(prompt.text, text) or subject_before(reader, prompt.conversation, prompt.number)
    return about(text, before, _LONGEST_SUBJECT) if before else ""


def needs_subject(rule: str) -> bool:
    """Does a rule not say what it is about? What stands behind "one rule, as I saw it again: " is the rule."""
    lead, _, stated = rule.rpartition(": ")
    is_announced = bool(lead) and len(stated.split()) >= _LEAST_STATED
    return need(rule) == "must" and not (is_announced and need(stated) != "must")


_LEAST_STATED = 3


def _joined(texts: list[str]) -> str:
    """Corrections of one prompt, in one line. One that is about what another of them says is told beside it; of those
    that are about something else, only the first is told with its subject."""
    told: list[str] = []
    subject = ""
    for text in texts:
        words, mark, rest = text.partition(ABOUT)
        is_known = not mark or any(_says_the_same(rest.removesuffix(")"), each) for each in told)
        if is_known or not subject:
            told.append(words)
            subject = subject or ("" if is_known else f"{mark}{rest}")
    return f"{'”, “'.join(told)}{subject}"


def _says_the_same(subject: str, words: str) -> bool:
    """Is it one sentence, perhaps with a "No." before it?"""
    subject, words = subject.rstrip("…."), words.rstrip(".")
    return subject in words or words in subject


_TERSE, _LONGEST_LEAD = 6, 140
"""Words of a rule that hardly says what it is about; and characters of the sentence before it that does."""


def _with_lead(prompt: str, text: str) -> str:
    """A rule of a few words, with the sentence before it in the same prompt, as the user wrote both: "every save since
    0.3 has to load. never break a run"."""
    if len(text.split()) > _TERSE:
        return text
    lead = sentence_before(prompt, text)
    if correction_in(lead) is not None:
        return text  # it is told for itself
    at = prompt.find(lead) if lead and len(lead) <= _LONGEST_LEAD else -1
    quoted = prompt[at : prompt.find(text) + len(text)] if at >= 0 else text
    return " ".join(quoted.split()) if len(quoted) <= _LONGEST_LEAD + len(text) + 2 else text


def here(reader: Reader, start: Start) -> list[tuple[Prompt, str]]:
    """What the user corrected in this conversation, before its context was lost."""
    if not (start.conversation and start.lost_at):
        return []
    found = tables.corrections(reader, start.owner, conversation=start.conversation)
    alive = [each for each in found if each.state != "dismissed" and each.prompt_item_id not in start.given]
    prompts = {each.prompt_item_id: tables.prompt(reader, each.prompt_item_id) for each in alive}
    return [
        (
            prompt,
            _joined(
                [whole(reader, prompt, each.text) or each.text for each in alive if each.prompt_item_id == prompt.id]
            ),
        )
        for prompt in prompts.values()
        if prompt is not None
    ]


def elsewhere(reader: Reader, start: Start) -> list[tuple[Prompt, str]]:
    """How the user wants things done, said in another session, and neither confirmed nor dismissed. What holds in
    general ("always", "never") is told until the user decides; of anything else two sessions are told, while it is
    new."""
    found = tables.corrections(reader, start.owner, state="open", project_id=start.project_id, limit=_READ)
    rules = [each for each in found if each.kind == "rule" and each.conversation != start.conversation]
    told: dict[str, tuple[Prompt, str]] = {}
    for each in rules:
        if each.prompt_item_id in told or each.prompt_item_id in start.given or len(told) == _MOST:
            continue
        prompt = tables.prompt(reader, each.prompt_item_id) if _is_told(reader, each, start.now) else None
        same = [other.text for other in rules if other.prompt_item_id == each.prompt_item_id]
        same = [text for text in same if not _OF_THAT_MOMENT.match(text)] or same
        if prompt and (whole_ones := [text for one in same if (text := whole(reader, prompt, one))]):
            told[each.prompt_item_id] = (prompt, _joined(whole_ones))
    return list(told.values())


def _is_told(reader: Reader, correction: tables.KeptCorrection, now: int) -> bool:
    if _STANDING.search(correction.text) and not needs_subject(correction.text):
        return True
    if correction.happened_at < now - _SAID_US or _TILL_THEN.search(correction.text):
        return False
    shown = {each.conversation for each in given.injections_of(reader, correction.prompt_item_id, _TOLD_OF + 1)}
    return len(shown - {correction.conversation}) < _TOLD_OF
