"""Marks by which forgotten summaries are known, besides those of every item. Pure."""

from __future__ import annotations

from holdfast.events.tombstone import mark


def of_subject(subject: str) -> str:
    """The summary of a turn, a session or a subagent's work."""
    return mark("summary", subject)


def of_written(subject: str) -> str:
    """What a model had written of a subject up to a moment."""
    return mark("written", subject)
