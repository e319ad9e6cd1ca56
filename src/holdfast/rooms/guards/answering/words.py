"""What is said: to the agent whose call is refused, and to the person who can allow it. Pure."""

from __future__ import annotations

from holdfast.rooms.guards.model import Verdict
from holdfast.undo.model import Kept


def refusal(verdict: Verdict) -> str:
    """The reason that the agent reads: what was matched, and what to do instead."""
    text = f"holdfast ({verdict.rule}): {_sentence(verdict.reason)}"
    if verdict.instead:
        text += f" Instead: {_sentence(verdict.instead)}"
    return text


def kept(what: Kept) -> str:
    """What the agent reads beside the result of a command whose bytes were kept."""
    files, folders = what.file_count, what.folder_count
    refs = len({ref.object for ref in (*what.refs, *what.stashes)})
    parts = [_many(files, "file")] if files else [_many(folders, "empty folder")] if folders else []
    parts += [_many(refs, "commit")] if refs else []
    parts += [_many(len(what.settings), "setting")] if what.settings and not parts else []
    them = "it" if files + refs == 1 or (not files and not refs and folders == 1) else "them"
    all_of_it = " and ".join(parts)
    over = " --over" if what.replaces else ""
    text = (
        f"holdfast kept {all_of_it} before this ran ({what.rule}); `holdfast undo {what.id}{over}` brings {them} back"
    )
    if what.replaces:
        text += ", over what the command leaves in the same place"
    if what.committed_count:
        text += f", and {_many(what.committed_count, 'file')} that git has, from the last commit"
    return f"{text}."


def kept_if_it_runs(what: Kept) -> str:
    """What stands behind a question about a line of which some bytes were kept already."""
    over = " --over" if what.replaces else ""
    return f"If it runs, `holdfast undo {what.id}{over}` brings back what it removes ({what.rule})."


def _many(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def override(refusal_id: str, code: str) -> str:
    """What the person reads. The model does not see it."""
    return f"To allow it once, run in a terminal of your own: holdfast guard allow-once {refusal_id} {code}"


WITHOUT_DAEMON = (
    "holdfast decided this without its daemon or its store, so there is no code for it. To allow the call once, let it "
    "be tried again when `holdfast status` shows that the daemon runs: then a code is shown."
)


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:] if text[:1].isalpha() else text
    return text if text.endswith((".", "…", "!", "?")) else f"{text}."
