"""What is said: to the agent whose call is refused, and to the person who can allow it. Pure."""

from __future__ import annotations

from holdfast.rooms.guards.model import Verdict


def refusal(verdict: Verdict) -> str:
    """The reason that the agent reads: what was matched, and what to do instead."""
    text = f"holdfast ({verdict.rule}): {_sentence(verdict.reason)}"
    if verdict.instead:
        text += f" Instead: {_sentence(verdict.instead)}"
    return text


def kept(kept_id: str, files: int, commits: int) -> str:
    """What the agent reads beside the result of a command whose bytes were kept."""
    parts = [f"{files} {'file' if files == 1 else 'files'}"] if files else []
    parts += [f"{commits} {'commit' if commits == 1 else 'commits'}"] if commits else []
    return f"holdfast kept {' and '.join(parts)} before this ran; `holdfast undo {kept_id}` brings them back."


def override(refusal_id: str, code: str) -> str:
    """What the person reads. The model does not see it."""
    return f"To allow it once, run in a terminal of your own: holdfast guard allow-once {refusal_id} --code {code}"


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:] if text[:1].isalpha() else text
    return text if text.endswith((".", "…")) else f"{text}."
