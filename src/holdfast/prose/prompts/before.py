"""The sentence before a rule of the user's that means something by "it" or "them": it names the subject. Pure."""

from __future__ import annotations

from holdfast.events.subjects import need
from holdfast.prose.sentences import spoken

_LONGEST_LEAD = 140


def sentence_before(prompt: str, text: str) -> str:
    """The sentence of the same prompt that stands before a text, if it says what it is about; '' for none."""
    before, found, _ = prompt.partition(text)
    told = [each for each in spoken(before) if len(each.split()) > 2 and need(each) != "must"] if found else []
    return told[-1] if told else ""


def with_subject(prompt: str, text: str) -> str:
    """A sentence of a prompt as it is understood alone: where it needs the sentence before, both, as the user wrote
    them."""
    lead = sentence_before(prompt, text) if need(text) == "must" else ""
    at = prompt.find(lead) if lead and len(lead) <= _LONGEST_LEAD else -1
    quoted = prompt[at : prompt.find(text) + len(text)] if at >= 0 else text
    return " ".join(quoted.split()) if len(quoted) <= _LONGEST_LEAD + len(text) + 2 else text
