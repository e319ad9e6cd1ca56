"""The client's command line when it is started again: the same options, another prompt, and a session of its own. Pure.

Which options take a value is read from the client's own `--help`, so that a newer client needs no newer table.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from typing import Literal

Takes = Literal["one", "many", "maybe"]

_OPTION = re.compile(r"^\s{1,8}(-\w, )?(--[\w-]+)((?:, --?[\w-]+)*)(?: ([<\[][^>\]]*[>\]]))?", re.MULTILINE)
_OF_THE_SESSION = frozenset(
    {"-c", "--continue", "-r", "--resume", "--session-id", "--fork-session", "--from-pr", "--teleport", "--cloud"}
)
"""They name the session that is left."""
USUAL: Mapping[str, Takes] = {
    **dict.fromkeys(("--model", "--permission-mode", "--output-format", "--input-format", "--settings"), "one"),
    **dict.fromkeys(("--append-system-prompt", "--system-prompt", "--session-id", "--debug-file", "--effort"), "one"),
    **dict.fromkeys(("--allowedTools", "--disallowedTools", "--add-dir", "--mcp-config", "--plugin-dir"), "many"),
    **dict.fromkeys(("-r", "--resume", "--debug", "-d"), "maybe"),
}
"""For a client whose help cannot be read."""


def options_in(help_text: str) -> dict[str, Takes]:
    """The options that take a value, by every name they have."""
    found: dict[str, Takes] = {}
    for short, name, others, value in _OPTION.findall(help_text):
        if not value:
            continue
        takes: Takes = "maybe" if value.startswith("[") else "many" if value.endswith("...>") else "one"
        for each in (short.rstrip(", "), name, *others.strip(", ").split(", ")):
            if each:
                found[each] = takes
    return found


def split(command: Sequence[str]) -> tuple[list[str], list[str]]:
    """The client (with whatever runs it: `env`, `npx`), and its arguments."""
    for at, word in enumerate(command):
        if posixpath.basename(word).startswith("claude"):
            return list(command[: at + 1]), list(command[at + 1 :])
    return list(command[:1]), list(command[1:])


def again(command: Sequence[str], options: Mapping[str, Takes], prompt: str) -> list[str]:
    """The command that starts the client again: without its old prompt and session, with this prompt."""
    client, arguments = split(command)
    kept: list[str] = []
    at = 0
    while at < len(arguments):
        word = arguments[at]
        if word == "--":
            break
        end = at + 1
        if not word.startswith("-"):
            at = end  # the old prompt
            continue
        name = word.partition("=")[0]
        takes = options.get(name) if "=" not in word else None
        if takes == "many":
            while end < len(arguments) and not arguments[end].startswith("-"):
                end += 1
        elif takes == "one" or (takes == "maybe" and end < len(arguments) and not arguments[end].startswith("-")):
            end += 1
        if name not in _OF_THE_SESSION:
            kept += arguments[at:end]
        at = end
    return [*client, *kept, "--", prompt]
