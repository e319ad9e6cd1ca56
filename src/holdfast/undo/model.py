"""What is kept, as values. `kept.json` in each folder below `undo/` holds one `Kept`."""

from __future__ import annotations

import json
from dataclasses import dataclass

import msgspec

from holdfast.ids import ConversationId


class KeptFile(msgspec.Struct, frozen=True):
    """One file, link or folder: where it was, and what it was."""

    path: str
    kind: str
    """`file`, `link`, `folder` or `pipe`; `parent`: a folder around these, made again only where it is missing;
    `committed`: a file whose bytes git has, in `Kept.commit`."""
    mode: int
    modified_ns: int
    at: str = ""
    """Below `files/`, for a file; the target, for a link."""
    same: str = ""
    """Below `files/`: the file itself under one more name, where it had several. Its bytes may change with theirs."""
    attributes: dict[str, str] = {}
    """Extended attributes of a file or folder, in base64."""


class KeptRef(msgspec.Struct, frozen=True):
    """A name in git and what it pointed to; `stash` is an entry of the stash. Without a name it is only held."""

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
    """On the disk, with what a file system rounds up."""
    rule: str = ""
    """The rule that matched."""
    files: list[KeptFile] = []
    root: str = ""
    refs: list[KeptRef] = []
    index: str = ""
    """The path of git's index; its bytes are `files/index`."""
    branch: str = ""
    """The branch that the command left."""
    detached: str = ""
    """The commit that HEAD was on, without a branch."""
    commit: str = ""
    """The last commit then: it has the files of the kind `committed`."""
    stashes: list[KeptRef] = []
    """All of the stash, the newest first, where the command removes some."""
    settings: list[tuple[str, str]] = []
    """Settings of the repository that go with a branch or a remote."""
    config: str = ""
    """The path of git's settings; their bytes are `files/config`."""
    replaces: bool = False
    """The command leaves something else in its place, so that undo needs `--over`."""

    @property
    def file_count(self) -> int:
        return sum(each.kind in ("file", "link") for each in self.files)

    @property
    def folder_count(self) -> int:
        return sum(each.kind == "folder" for each in self.files)

    @property
    def committed_count(self) -> int:
        return sum(each.kind == "committed" for each in self.files)


@dataclass(frozen=True, slots=True)
class KeptSize:
    """What makes room and is too old is decided by."""

    id: str
    created_at: int
    bytes: int


class NotKept(Exception):
    """It cannot be kept: too large, too many, too slow, or not readable."""


def encoded(kept: Kept) -> bytes:
    """As JSON, in which a name that is not UTF-8 stands as lone surrogates: only Python's own writer takes these."""
    return json.dumps(msgspec.to_builtins(kept)).encode()


def decoded(text: bytes) -> Kept:
    """Raises ValueError where it is none."""
    try:
        return msgspec.json.decode(text, type=Kept)
    except msgspec.DecodeError:  # perhaps a name that is not UTF-8
        return msgspec.convert(json.loads(text), Kept)


def printable(path: str) -> str:
    """A path for people and for JSON: bytes that are no text are written as `\\xe9`."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
