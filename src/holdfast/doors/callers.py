"""Says who calls: from the headers that the command line, the relay and scripts send along.

A header is a claim. It can make a caller less (an agent instead of the user), never more than the token already allows.
"""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import HTTPConnection

from holdfast.composition import Composition
from holdfast.events.caller import Caller
from holdfast.ids import ConversationId
from holdfast.sender import fitting

_LONGEST_ID = 128


async def caller_of(
    composition: Composition, headers: Mapping[str, str], *, is_agent: bool = False, peer: int = 0
) -> Caller:
    """The caller of one request. Header names are small letters."""
    session, folder = whereabouts_of(composition, headers)
    return Caller(
        services=composition.services,
        owner=composition.owner,
        now=composition.now,
        is_agent=is_agent or bool(headers.get("x-holdfast-agent")),
        folder=folder,
        project_id=await _project_of(composition, folder) if folder else "",
        conversation=session,
        agent_name=fitting(_text(headers.get("x-holdfast-agent-id", ""))),
        is_paused=_is_paused(composition, session, folder),
        peer=peer,
    )


def whereabouts_of(composition: Composition, headers: Mapping[str, str]) -> tuple[ConversationId, str]:
    """The session and the folder that a caller says it is in."""
    clean = composition.items.cleaned
    folder = clean(_text(headers.get("x-holdfast-cwd", "")))
    return ConversationId(clean(_text(headers.get("x-holdfast-session", ""))[:_LONGEST_ID])), folder


def _is_paused(composition: Composition, conversation: ConversationId, folder: str) -> bool:
    recording, now = composition.road.recording, composition.now()
    return recording is not None and recording.pause_of(conversation, folder, "", now, now) is not None


def peer_of(request: HTTPConnection) -> int:
    """The process at the other end, where the system tells: by the Unix socket only."""
    client = request.scope.get("client")
    return int(client[1]) if client and client[0] == "unix" else 0


def _text(value: str) -> str:
    """A header is latin-1 to HTTP; what we send in it is UTF-8."""
    return value.encode("latin-1", "replace").decode("utf-8", "replace")


async def _project_of(composition: Composition, folder: str) -> str:
    """The id of the project that a folder belongs to; '' when nothing ever happened there."""
    asked = {"owner": composition.owner, "place": composition.road.atlas.find(folder).place}
    row = await composition.store.read(lambda reader: reader.one("session.project_by_place", **asked))
    return str(row["id"]) if row else ""
