"""What people and agents can ask of the learning loop, as data. The doors serve it.

A call is for the agent that makes it: `service.who` says which. `session_id` names another conversation.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct, field, structs

from holdfast.errors import Refused, UsageError
from holdfast.events.caller import Caller
from holdfast.events.progress import ProgressBoard
from holdfast.events.tool import Tool, Verb
from holdfast.events.verb_lines import none_found
from holdfast.ids import NO_CONVERSATION
from holdfast.items.tools import AN_ID
from holdfast.rooms.learning import rules, tables
from holdfast.rooms.learning.ghaps import note_prediction
from holdfast.rooms.learning.model import DOMAINS, ROOT_CAUSES, STRATEGIES, Ghap
from holdfast.rooms.learning.service import Learning
from holdfast.rooms.learning.tables import Who
from holdfast.rooms.learning.tools import verbs
from holdfast.times import moment, when

_Session = Annotated[str, Meta(description="The session that is meant; empty: the caller's.")]
NamedId = Annotated[str, Meta(min_length=8, description=AN_ID)]
Notes = Annotated[str, Meta(description="Added to the notes.")]


class StartGhap(Struct, frozen=True, forbid_unknown_fields=True):
    goal: Annotated[str, Meta(description="What to achieve.")]
    hypothesis: Annotated[str, Meta(description="What you believe.")]
    action: Annotated[str, Meta(description="What you will do.")]
    prediction: Annotated[
        str,
        Meta(
            description="What you will then see. A run settles by itself: `test passes: X`, `tests pass`, "
            "`build passes`, `exit 0: COMMAND`."
        ),
    ]
    domain: Annotated[str, Meta(description=", ".join(DOMAINS))] = "debugging"
    strategy: Annotated[str, Meta(description=", ".join(STRATEGIES))] = "check-assumptions"
    notes: str = ""
    session_id: _Session = ""


class UpdateGhap(Struct, frozen=True, forbid_unknown_fields=True):
    hypothesis: str = ""
    action: str = ""
    prediction: str = ""
    goal: str = ""
    domain: str = ""
    strategy: str = ""
    notes: Notes = ""
    session_id: str = ""


class Resolve(Struct, frozen=True, forbid_unknown_fields=True):
    outcome: Annotated[str, Meta(description="confirmed, falsified or abandoned.")]
    result: Annotated[str, Meta(description="What you saw.")] = ""
    surprise: Annotated[str, Meta(description="Needed when falsified.")] = ""
    root_cause: Annotated[
        str | dict[str, str], Meta(description=f"Needed when falsified: {', '.join(ROOT_CAUSES)}.")
    ] = ""
    cause: Annotated[str, Meta(description="The same in a sentence.")] = ""
    lesson: Annotated[str | dict[str, str], Meta(description="What to do next time.")] = ""
    notes: Notes = ""
    id: Annotated[str, Meta(description="Empty: the active one.")] = ""
    session_id: str = ""


class Adopt(Struct, frozen=True, forbid_unknown_fields=True):
    id: NamedId
    session_id: str = ""


class Abandon(Struct, frozen=True, forbid_unknown_fields=True):
    id: Annotated[str, Meta(description="Empty: the active one.")] = ""
    reason: str = ""
    session_id: str = ""


class Active(Struct, frozen=True, forbid_unknown_fields=True):
    session_id: str = ""


class ListEntries(Struct, frozen=True, forbid_unknown_fields=True):
    limit: Annotated[int, Meta(ge=1, le=1_000)] = 20
    domain: str = ""
    outcome: Annotated[str, Meta(description="active, confirmed, falsified or abandoned.")] = ""
    since: Annotated[str, Meta(description="ISO time, or an age such as 3d.")] = ""
    project_id: Annotated[str, Meta(description="Id, name or folder; `all`: every project.")] = ""


class ShowEntry(Struct, frozen=True, forbid_unknown_fields=True):
    id: NamedId


class GhapShown(Struct, frozen=True):
    """An entry as results show it."""

    id: str
    status: str
    goal: str
    hypothesis: str
    action: str
    prediction: str
    domain: str
    strategy: str
    iterations: int
    history: list[dict[str, str]]
    outcome: str
    tier: str
    auto_captured: bool
    result: str
    surprise: str
    root_cause: str
    cause: str
    lesson: str
    notes: str
    session_id: str
    agent_id: str
    created: str
    resolved: str
    confidence_tier: str = ""
    is_left: bool = False


class MaybeActive(Struct, frozen=True, omit_defaults=True):
    """The active entry, if there is one."""

    active: bool
    entry: GhapShown | None = None
    hint: str = ""


class GhapRow(Struct, frozen=True):
    id: str
    status: str
    tier: str
    goal: str
    domain: str
    strategy: str
    outcome: str
    lesson: str
    time: str
    session_id: str = field(default="")


def shown(ghap: Ghap) -> GhapShown:
    past = [{"hypothesis": r.hypothesis, "action": r.action, "prediction": r.prediction} for r in rules.rounds(ghap)]
    return GhapShown(
        id=rules.named(ghap),
        status=ghap.status,
        goal=ghap.goal,
        hypothesis=ghap.hypothesis,
        action=ghap.action,
        prediction=ghap.prediction,
        domain=ghap.domain,
        strategy=ghap.strategy,
        iterations=ghap.iterations,
        history=past,
        outcome="" if ghap.status == "active" else ghap.status,
        tier=ghap.tier,
        auto_captured=bool(ghap.auto_captured),
        result=ghap.result,
        surprise=ghap.surprise,
        root_cause=ghap.root_cause,
        cause=ghap.cause,
        lesson=ghap.lesson,
        notes=ghap.notes,
        session_id=ghap.conversation,
        agent_id=ghap.agent_id,
        created=when(ghap.created_at),
        resolved=when(ghap.resolved_at) if ghap.resolved_at else "",
        confidence_tier=ghap.tier,
        is_left=ghap.left_at > 0,
    )


def _line(ghap: Ghap) -> GhapRow:
    ended = "" if ghap.status == "active" else ghap.status
    moment_of = when(ghap.resolved_at or ghap.created_at)
    told = (ghap.goal, ghap.domain, ghap.strategy, ended, ghap.lesson, moment_of, ghap.conversation)
    return GhapRow(rules.named(ghap), ghap.status, ghap.tier, *told)


async def _who(name: str, asked: Struct, caller: Caller) -> tuple[Learning, Who, str]:
    service = caller.services.get(Learning)
    who, project = await service.who(caller, name, structs.asdict(asked), getattr(asked, "session_id", NO_CONVERSATION))
    return service, who, project


def _noted(caller: Caller, ghap: Ghap) -> GhapShown:
    """A GHAP as a result shows it, after it was written: what is open is on the board from now on."""
    note_prediction(caller.services.get(ProgressBoard), Who(ghap.conversation, ghap.agent_id), ghap)
    return shown(ghap)


def _may_write(caller: Caller) -> None:
    if caller.is_paused and caller.is_agent:
        raise Refused("Recording is paused here, so nothing was written.")


async def start_ghap(asked: StartGhap, caller: Caller) -> GhapShown:
    _may_write(caller)
    service, who, project = await _who("start_ghap", asked, caller)
    told = {name: value for name, value in structs.asdict(asked).items() if name != "session_id"}
    return _noted(caller, await service.ghaps.start(who, project, told, caller.speaker()))


async def update_ghap(asked: UpdateGhap, caller: Caller) -> GhapShown:
    _may_write(caller)
    service, who, _ = await _who("update_ghap", asked, caller)
    told = {name: value for name, value in structs.asdict(asked).items() if name not in ("session_id", "notes")}
    return _noted(caller, await service.ghaps.update(who, told, asked.notes, caller.speaker()))


async def resolve_ghap(asked: Resolve, caller: Caller) -> GhapShown:
    _may_write(caller)
    service, who, _ = await _who("resolve_ghap", asked, caller)
    category, cause = _cause(asked.root_cause)
    told = {
        "result": asked.result,
        "surprise": asked.surprise,
        "root_cause": category,
        "cause": asked.cause or cause,
        "lesson": _lesson(asked.lesson),
        "notes": asked.notes,
    }
    return _noted(caller, await service.ghaps.resolve(who, asked.outcome, told, caller.speaker(), asked.id))


def _cause(given: str | dict[str, str]) -> tuple[str, str]:
    """(category, words) of a root cause: a word, or an object with `category` and `description`."""
    if isinstance(given, str):
        return given, ""
    strange = set(given) - {"category", "description"}
    if strange:
        raise UsageError(f"root_cause has no {min(strange)}. It takes a word, or `category` and `description`.")
    return given.get("category", ""), given.get("description", "")


def _lesson(given: str | dict[str, str]) -> str:
    """A lesson: a text, or an object with `what_worked` and `takeaway`."""
    if isinstance(given, str):
        return given
    strange = set(given) - {"what_worked", "takeaway"}
    if strange:
        raise UsageError(f"lesson has no {min(strange)}. It takes a text, or `what_worked` and `takeaway`.")
    return " ".join(filter(None, (given.get("takeaway", ""), given.get("what_worked", ""))))


async def adopt_ghap(asked: Adopt, caller: Caller) -> GhapShown:
    _may_write(caller)
    service, who, project = await _who("adopt_ghap", asked, caller)
    return _noted(caller, await service.ghaps.adopt(who, project, asked.id))


async def abandon_ghap(asked: Abandon, caller: Caller) -> GhapShown:
    _may_write(caller)
    service = caller.services.get(Learning)
    if asked.id and not caller.is_agent:  # a person may give up any entry, from anywhere
        return _noted(caller, await service.ghaps.abandon(Who(NO_CONVERSATION), asked.id, asked.reason, is_person=True))
    service, who, _ = await _who("abandon_ghap", asked, caller)
    return _noted(caller, await service.ghaps.abandon(who, asked.id, asked.reason, is_person=not caller.is_agent))


async def get_active_ghap(asked: Active, caller: Caller) -> MaybeActive:
    service, who, _ = await _who("get_active_ghap", asked, caller)
    ghap = await service.ghaps.active(who)
    if ghap is None:
        return MaybeActive(False, hint="No entry is active. start_ghap starts one.")
    return MaybeActive(True, shown(ghap))


async def list_ghap_entries(asked: ListEntries, caller: Caller) -> list[GhapRow]:
    service = caller.services.get(Learning)
    project = await project_of(asked.project_id, caller)
    if project is None:
        return []
    domain = rules.choice("domain", asked.domain) if asked.domain else ""
    if asked.outcome not in ("", "active", "confirmed", "falsified", "abandoned"):
        raise UsageError("outcome is one of: active, confirmed, falsified, abandoned.")
    since = moment(asked.since, caller.now(), 0)
    found = await service.ground.store.read(
        lambda reader: tables.ghaps(
            reader,
            service.owner,
            project_id=project,
            domain=domain,
            status=asked.outcome,
            since=since,
            limit=asked.limit,
        )
    )
    return [_line(ghap) for ghap in found]


async def project_of(named: str, caller: Caller) -> str | None:
    """The id of the project that is meant; '' for all, None for a folder where nothing ever happened."""
    if named == "all":
        return ""
    if named:
        service = caller.services.get(Learning)
        return await service.ground.items.project(named)
    return None if caller.is_nowhere else caller.project_id


async def show_ghap(asked: ShowEntry, caller: Caller) -> GhapShown:
    service = caller.services.get(Learning)
    return shown(await service.ground.store.read(lambda reader: service.ghaps.one(reader, asked.id)))


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "start_ghap",
        "Track an attempt and what you predict.",
        StartGhap,
        start_ghap,
        changes=True,
        verb=Verb(
            "ghap start",
            'ghap start "fix login" --hypothesis "the cookie stays" --action "clear it" --prediction "tests pass"',
            lines=verbs.ghap,
        ),
    ),
    Tool(
        "update_ghap",
        "Change the active entry.",
        UpdateGhap,
        update_ghap,
        changes=True,
        verb=Verb("ghap update", 'ghap update --hypothesis "the cache is stale"', lines=verbs.ghap),
    ),
    Tool(
        "resolve_ghap",
        "Resolve the active entry.",
        Resolve,
        resolve_ghap,
        changes=True,
        verb=Verb("ghap resolve", "ghap resolve confirmed --lesson 'clear the cookie on expiry'", lines=verbs.ghap),
    ),
    Tool(
        "adopt_ghap",
        "Go on with an entry that an earlier session left.",
        Adopt,
        adopt_ghap,
        changes=True,
        verb=Verb("ghap adopt", "ghap adopt e3fa9c21b", lines=verbs.ghap),
    ),
    Tool(
        "abandon_ghap",
        "Give an entry up.",
        Abandon,
        abandon_ghap,
        changes=True,
        verb=Verb(
            "ghap abandon", "ghap abandon e3fa9c21b --reason 'no longer needed'", lines=verbs.ghap, places=("id",)
        ),
    ),
    Tool(
        "get_active_ghap",
        "The entry you work on.",
        Active,
        get_active_ghap,
        verb=Verb("ghap active", "ghap active", lines=verbs.active, negative=lambda result: not result["active"]),
    ),
    Tool(
        "list_ghap_entries",
        "Entries of this project, the newest first.",
        ListEntries,
        list_ghap_entries,
        verb=Verb(
            "ghap list",
            "ghap list --outcome falsified",
            lines=verbs.ghaps,
            empty=none_found("entry", "`holdfast ghap start` starts one."),
        ),
    ),
    Tool(
        "show_ghap",
        "One entry, with its history.",
        ShowEntry,
        show_ghap,
        for_agents=False,
        verb=Verb("ghap show", "ghap show e3fa9c21b", lines=verbs.ghap),
    ),
)
