"""A made-up room: it rings on a prompt, and people can have it ring. It stands on the contract and on nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

from msgspec import Meta, Struct

from holdfast.errors import HoldfastError
from holdfast.events.answer import Context, Part
from holdfast.events.caller import Caller
from holdfast.events.endpoint import Endpoint, Request
from holdfast.events.event import UserPromptSubmit
from holdfast.events.method import Method, MethodEvent
from holdfast.events.scene import Scene, Services
from holdfast.events.steps import OnEvent, Step
from holdfast.events.tool import Tool, Verb
from holdfast.items.sources import ContextLine, ContextQuery, ContextSource, FileNews
from holdfast.program import PROGRAM
from holdfast.rooms.room import Check, Ground, Import, ImportTold, Job, Pane, Room, Status, Taken, TakesRecords

NOON = 1_790_000_000_000_000


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The bells."""

    sound: Annotated[str, Meta(min_length=1, description="What a bell says.")] = "ding"


class Bells:
    """Counts what rang."""

    def __init__(self, ground: Ground, settings: Settings) -> None:
        self.settings = settings
        self.now = ground.now
        self.jobs = ground.jobs
        self.store = ground.store
        self.polished = 0


class Ring(Struct, frozen=True, forbid_unknown_fields=True):
    """Arguments of `ring`."""

    names: Annotated[list[str], Meta(min_length=1, description="The bells.")]
    times: Annotated[int, Meta(ge=1, le=12, description="How often.")] = 1
    softly: Annotated[bool, Meta(description="Not so loud.")] = False


async def ring(asked: Ring, caller: Caller) -> list[dict[str, Any]]:
    bells = caller.services.get(Bells)
    await bells.store.write(lambda tx: bells.jobs.ask(tx, "polish", "all", {"bells": len(asked.names)}))
    sound = bells.settings.sound if asked.softly else bells.settings.sound.upper()
    by = "an agent" if caller.is_agent else "a person"
    return [
        {"bell": name, "sound": " ".join([sound] * asked.times), "at": bells.now(), "by": by} for name in asked.names
    ]


def rung(result: list[dict[str, Any]], width: int) -> Iterator[str]:
    for one in result:
        yield f"{one['bell']}: {one['sound']}"


async def polish(arguments: dict[str, Any], services: Services) -> None:
    services.get(Bells).polished += int(arguments["bells"])


async def oil(arguments: dict[str, Any], services: Services) -> None:
    """Every day."""


async def on_prompt(event: UserPromptSubmit, scene: Scene) -> Part | None:
    return Part(contexts=(Context(f"the bell says {scene.services.get(Bells).settings.sound}", "bells"),))


class Typed(Struct):
    """A prompt, as a script tells it."""

    session_id: str = ""
    prompt: str | None = None


class Pealed(Struct, rename="camel"):
    was_known: bool
    what_was_said: str


async def peal(asked: Typed, caller: Caller, travelled: MethodEvent) -> Pealed:
    """The prompt has travelled: the bell rang on the road, as for a hook."""
    return Pealed(travelled.repeated, travelled.answer.context)


async def count(asked: Typed, caller: Caller, travelled: MethodEvent) -> Pealed:
    if asked.prompt == "crack":
        raise Cracked("The bell is cracked.")
    return Pealed(False, f"{caller.services.get(Bells).polished} polished")


class Cracked(HoldfastError):
    """Nobody can ring it."""

    name = "CRACKED"


async def hours(request: Request) -> dict[str, Any]:
    return {"polished": request.caller.services.get(Bells).polished, "hour": request.path["hour"]}


class Tower(Struct):
    """One step: the bells of a list, one by one."""

    path: str
    after: int = 0


async def hang(asked: Tower, services: Services, records: TakesRecords) -> Taken:
    """Take over one bell per step."""
    names = Path(asked.path).read_text("utf-8").split()
    name = names[asked.after]
    cracked = name.startswith("cracked")
    told: ImportTold = {
        "bells": 1,
        "new": {} if cracked else {"brass_bell": 1},
        "left_out": [f"{name}\x1b[2J"] if cracked else [],
    }
    return Taken(told, len(names), {"after": asked.after + 1} if asked.after + 1 < len(names) else None)


async def at_a_glance(caller: Caller) -> list[str]:
    bells = caller.services.get(Bells)
    if bells.settings.sound == "crash":
        raise ValueError("the rope broke")
    return [f"{bells.polished} polished", f"they say {bells.settings.sound}"] if bells.settings.sound != "hush" else []


async def chimes(query: ContextQuery, services: Services) -> list[ContextLine]:
    """Lines for an assembled context that are no items: one for each word that names a bell."""
    if "cracked" in query.text:
        raise ValueError("the rope broke")
    named = [word for word in query.text.lower().split() if word.startswith("bell-")]
    return [ContextLine(word, "chimes", f"[{word}] hangs in the tower", 1.0, 0.9) for word in named]


def in_the_tower(project_id: str, path: str, since: int) -> FileNews:
    """What is known of files: all ropes were moved to one place."""
    return FileNews(moved_to="ropes.txt") if path.endswith(".rope") else FileNews()


class Carving:
    """What is known of names in code: `old_bell` was carved over."""

    def standing(self, root: str, text: str) -> dict[str, str]:
        return {"old_bell": "tower.py"} if "old_bell" in text else {}


async def status(services: Services) -> Status:
    polished, sound = services.get(Bells).polished, services.get(Bells).settings.sound
    if sound == "crash":
        raise ValueError("the rope broke")
    if sound == "thief":
        return Status({"store": "ours", "gives": 7, "bells": {"polished": polished}})
    if sound == "mute":
        return None  # type: ignore[return-value]
    return Status({"bells": {"polished": polished}}, (("bells", f"{polished} polished"),))


async def is_clean(services: Services) -> str | None:
    bells = services.get(Bells)
    return "The bells are dirty. Polish them." if bells.settings.sound == "clunk" else None


ROOM = Room(
    "bells",
    duty="Rings bells.",
    settings=Settings,
    build=lambda ground: (Bells(ground, ground.chosen(Settings)),),
    jobs=(Job("polish", polish), Job("oil", oil, every_seconds=86_400.0)),
    tools=(Tool("ring", "Ring bells.", Ring, ring, verb=Verb("ring", "ring big small --times 2", lines=rung)),),
    methods=(
        Method("bells.prompt", "A prompt was typed.", Typed, Pealed, peal, event="UserPromptSubmit"),
        Method("bells.count", "How many were polished.", Typed, Pealed, count),
    ),
    endpoints=(Endpoint("/api/bells/{hour}", hours, methods=("GET",)),),
    checks=(Check("bells are clean", is_clean),),
    status=status,
    away="silent",
    imports=(
        Import(
            "tower",
            "Take over the bells of another tower.",
            "import tower bells.txt",
            Tower,
            hang,
            counts="bells",
            said="Hung {new}, of {bells}.",
        ),
    ),
    pane=Pane("bell tower", at_a_glance),
    context=ContextSource(("chimes",), chimes, at_prompt=True),
    files=lambda services: in_the_tower,
    symbols=lambda services: Carving(),
)

_PROMPT = PROGRAM["UserPromptSubmit"]
LINES = MappingProxyType(
    {**PROGRAM, "UserPromptSubmit": OnEvent((*_PROMPT.steps, Step(on_prompt)), tokens=_PROMPT.tokens, recovers=True)}
)
