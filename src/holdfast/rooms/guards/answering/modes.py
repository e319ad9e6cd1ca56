"""A question that the client would not put to anybody is a refusal.

Claude Code 2.1.325 has questions of its own about certain paths: `.git`, `.claude`, `.vscode`, `.bashrc`, `.npmrc` and
more. When a call writes one of them, by Bash or by Write, its own question takes the place of ours, and in the mode
`bypassPermissions` it answers that question itself: the whole line ran. In `auto` a model answers it. A `deny` holds in
every mode.
"""

from __future__ import annotations

import os
import re
from dataclasses import replace

from holdfast.rooms.guards.model import Verdict
from holdfast.rooms.guards.service import ToolCall

_NOBODY_IS_ASKED = frozenset({"bypassPermissions", "auto"})
_PLACES = ("command", "file_path", "notebook_path")
_HIDDEN = re.compile(r"(?<![\w*?\]}])\.[A-Za-z_*?\[{$]")
"""A name that begins with a dot, or a pattern that may stand for one. All of the client's own paths have such a name,
and which they are changes with its versions."""
_WORD = re.compile(r"""[^\s'"<>|;&()=]{1,300}""")
_MOST_WORDS = 200


def enforced(verdict: Verdict, call: ToolCall) -> Verdict:
    """The verdict, with a refusal in place of a question that would not be asked."""
    if verdict.decision != "ask" or call.mode not in _NOBODY_IS_ASKED or not _names_hidden(call):
        return verdict
    why = f"{verdict.reason}; in the mode {call.mode} Claude Code does not ask about such a path, so it is refused"
    return replace(verdict, decision="deny", reason=why)


def _names_hidden(call: ToolCall) -> bool:
    """May the call write a file or folder whose name begins with a dot, by its words or through a link?"""
    told = [said for name in _PLACES if isinstance(said := call.arguments.get(name), str)]
    if any(_HIDDEN.search(said) for said in (call.cwd, *told)):
        return True
    words = [word for said in told for word in _WORD.findall(said[: 300 * _MOST_WORDS])][:_MOST_WORDS]
    return any(_HIDDEN.search(_followed(word, call.cwd)) for word in words)


def _followed(path: str, folder: str) -> str:
    try:
        return os.path.realpath(os.path.join(folder or "/", path))
    except (OSError, ValueError):  # a NUL in it
        return ""
