"""The client's own auto-memory, read as memories of the agent and followed as it changes (MEM-26).

The client (2.1.325) lets its agent write one fact per file into `memory/` beside the project's transcripts, and gives
the index of them, `MEMORY.md`, to every session of that folder. So the index is not read, and the brief of such a
session does not repeat its facts; a prompt may still recall one. The files are never written here.
"""

from __future__ import annotations

import asyncio
import logging
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from holdfast.events.answer import Part
from holdfast.events.event import SessionEnd, SessionStart
from holdfast.events.scene import Scene, Services
from holdfast.events.tombstone import lies_on, of_item
from holdfast.ids import ConversationId, ItemId, stable_id
from holdfast.items.web_words import unmarked
from holdfast.prose.one_line import one_line
from holdfast.rooms.memory import rules, tables
from holdfast.rooms.memory.model import Memory
from holdfast.rooms.room import Ground
from holdfast.store.interface import Reader, Tx

log = logging.getLogger(__name__)

SOURCE = "auto-memory:"
JOB = "follow_auto_memory"
_INDEX = "memory.md"
_MOST_FILES = 200
_LARGEST = 64 * 1024
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """One file of the client's memory."""

    title: str
    text: str


def folder_of(transcript: str) -> str:
    """Where the client keeps the memory of a session's project; '' when that is not known."""
    folder = os.path.dirname(transcript)
    return f"{folder}/memory" if folder.startswith("/") else ""


def is_in(path: str, transcript: str) -> bool:
    """Is this a file of the client's memory?"""
    folder = folder_of(transcript)
    return bool(folder) and path.startswith(f"{folder}/") and path.lower().endswith(".md")


def read_fact(name: str, text: str) -> MemoryFile | None:
    """A file's fact: its description is the title, its body the text. None for the index and for an empty file."""
    if name.lower() == _INDEX:
        return None
    head, body = _divided(text.replace("\r\n", "\n"))
    title = head.get("description") or rules.first_sentence(body.lstrip("# ")) or head.get("name", "")
    words = body.strip() or title
    return MemoryFile(one_line(title), words[: rules.LONGEST_MEMORY]) if words else None


def _divided(text: str) -> tuple[dict[str, str], str]:
    """The front matter's plain lines, and the body."""
    if not text.startswith("---\n"):
        return {}, text
    front, found, body = text[4:].partition("\n---")
    if not found:
        return {}, text
    pairs = (line.partition(":") for line in front.splitlines() if line[:1].strip())
    head = {name.strip(): value.strip().strip("\"'") for name, colon, value in pairs if colon}
    return head, body.partition("\n")[2]


async def follow(event: SessionStart | SessionEnd, scene: Scene) -> Part | None:
    """At the start and the end of a session: look whether the client's memory has changed."""
    service = scene.services.get(AutoMemory)
    folder = folder_of(event.transcript_path)
    if not scene.is_live or not folder or not os.path.isdir(os.path.dirname(folder)):
        return None
    return Part(record=lambda tx: service.ask(tx, folder, scene.place.project_id, event.cwd, event.session_id))


class AutoMemory:
    """Keeps the memories of this room equal to the client's files."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    def ask(self, tx: Tx, folder: str, project_id: str, cwd: str, conversation: ConversationId) -> None:
        """Ask, in a transaction, for a folder to be compared."""
        about = {"folder": folder, "project_id": project_id, "cwd": cwd, "conversation": conversation}
        self._ground.jobs.ask(tx, JOB, folder, about)

    async def compare(self, arguments: Mapping[str, Any]) -> None:
        """The job: make the memories of a folder equal to its files."""
        folder, cwd = str(arguments["folder"]), str(arguments["cwd"])
        found = await asyncio.to_thread(self._read, folder, cwd)
        if found is None:
            return
        marked = await self._ground.items.marked(
            [text for memory in found.values() if memory for text in (memory.title, memory.text)],
            ConversationId(str(arguments.get("conversation", ""))),
        )
        words = iter(marked)
        found = {
            path: replace(memory, title=next(words), text=next(words)) if memory else None
            for path, memory in found.items()
        }
        project_id = str(arguments["project_id"])
        await self._ground.store.write(lambda tx: self._settle(tx, folder, project_id, found))

    def _read(self, folder: str, cwd: str) -> dict[str, Memory | None] | None:
        """The memories of the files that are there; None for one whose memory stays as it is: it was written while
        recording was paused, cannot be read now, or is one too many. None at all when the folder cannot be read."""
        found: dict[str, Memory | None] = {}
        try:
            names = sorted(name for name in os.listdir(folder) if name.lower().endswith(".md"))
        except FileNotFoundError:
            return {}
        except OSError as error:
            log.warning("%s cannot be read (%s); its memories stay as they are", folder, error.strerror)
            return None
        if len(names) > _MOST_FILES:
            log.warning("%s has %d files; the first %d are followed", folder, len(names), _MOST_FILES)
        found |= dict.fromkeys(f"{folder}/{name}" for name in names[_MOST_FILES:])
        for name in names[:_MOST_FILES]:
            path = f"{folder}/{name}"
            try:
                at, text = _contents(path)
            except FileNotFoundError:
                continue
            except OSError:  # a link, a folder, a file that may not be read
                found[path] = None
                continue
            if not self._ground.is_recorded(cwd, at):
                found[path] = None
            elif (fact := read_fact(name, self._ground.clean(text))) is not None:
                found[path] = self._memory(path, fact, at)
        return found

    def _memory(self, path: str, fact: MemoryFile, at: int) -> Memory:
        return Memory(
            id=ItemId(stable_id(0, SOURCE, self._ground.owner, path)),
            owner=self._ground.owner,
            project_id="",
            title=fact.title,
            text=fact.text,
            tags=("auto-memory",),
            files=rules.files_named(fact.text),
            trust="agent",
            source=f"{SOURCE}{path}",
            created_at=at,
            updated_at=at,
        )

    def _settle(self, tx: Tx, folder: str, project_id: str, found: dict[str, Memory | None]) -> None:
        owner = self._ground.owner
        known = {
            each.source.removeprefix(SOURCE): each for each in tables.memories_from(tx, owner, f"{SOURCE}{folder}/")
        }
        gone = [memory.id for path, memory in known.items() if path not in found and memory.trust != "user"]
        if gone:
            self._ground.items.remove(tx, gone, mend=False)
        for path, memory in found.items():
            old = known.get(path)
            if memory is None or (old and _same_words(old, memory)):
                continue
            if old and old.trust == "user":  # a person corrected it: these words are theirs
                continue
            if old:
                new = replace(memory, project_id=old.project_id, created_at=old.created_at, tags=old.tags)
                tables.rewrite(tx, new)
                tables.index_memory(tx, new)
            elif not lies_on(tx, memory.created_at, of_item(memory.id)):
                tables.keep_memory(tx, replace(memory, project_id=project_id))


def _same_words(old: Memory, new: Memory) -> bool:
    """Marks aside: a page that was read long ago is not known any more, and its mark stays."""
    return all(unmarked(a) == unmarked(b) for a, b in ((old.title, new.title), (old.text, new.text)))


def _contents(path: str) -> tuple[int, str]:
    """When a plain file last changed, in microseconds, and its text."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode):
            raise OSError("it is no plain file")
        return about.st_mtime_ns // 1_000, file.read(_LARGEST).decode("utf-8", "replace")


def given_by_client(reader: Reader, owner: str, transcript: str) -> frozenset[ItemId]:
    """The memories whose index the client itself gives to this session."""
    folder = folder_of(transcript)
    return (
        frozenset(each.id for each in tables.memories_from(reader, owner, f"{SOURCE}{folder}/"))
        if folder
        else frozenset()
    )


async def compare(arguments: dict[str, Any], services: Services) -> None:
    """The job of this page."""
    await services.get(AutoMemory).compare(arguments)
