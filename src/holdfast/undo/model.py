"""What is kept, as values. `kept.json` in each folder below `undo/` holds one `Kept`."""

from __future__ import annotations

import msgspec

from holdfast.ids import ConversationId


class KeptFile(msgspec.Struct, frozen=True):
    """One file, link or folder: where it was, and what it was."""

    path: str
    kind: str
    """`file`, `link` or `folder`."""
    mode: int
    modified_ns: int
    at: str = ""
    """Below `files/`, for a file; the target, for a link."""


class KeptRef(msgspec.Struct, frozen=True):
    """A name in git and what it pointed to; `stash` is an entry of the stash."""

    name: str
    object: str
    message: str = ""


class Kept(msgspec.Struct, frozen=True):
    """All that was kept before one command."""

    id: str
    command: str
    """Scrubbed, and without what is private."""
    conversation: ConversationId
    created_at: int
    bytes: int
    rule: str = ""
    """The rule that matched."""
    files: list[KeptFile] = []
    root: str = ""
    refs: list[KeptRef] = []
    index: str = ""
    """The path of git's index; its bytes are `files/index`."""
    branch: str = ""
    """The branch that the command left."""

    @property
    def file_count(self) -> int:
        return sum(each.kind != "folder" for each in self.files)


class NotKept(Exception):
    """It cannot be kept: too large, too many, too slow, or not readable."""
