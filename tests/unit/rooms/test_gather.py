"""What rooms declare is gathered; a declaration that is incomplete or taken refuses to start, with a sentence."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Annotated, Any

import msgspec
import pytest
from msgspec import Meta, Struct

from holdfast import config
from holdfast.composition import Registry
from holdfast.daemon.compose import HOUSE_JOBS
from holdfast.doors.cli.table import VERBS
from holdfast.errors import HoldfastError
from holdfast.events.answer import Part
from holdfast.events.endpoint import Endpoint
from holdfast.events.event import Stop
from holdfast.events.scene import Scene
from holdfast.events.steps import OnEvent, Program, Step, with_caps
from holdfast.events.tool import Tool, Verb
from holdfast.items.indexed import Family
from holdfast.program import HOUSE_TOOLS, PROGRAM, ROOMS
from holdfast.rooms.building import built, indexed
from holdfast.rooms.declaring import check_program
from holdfast.rooms.gather import caps_of, catalog_of, gather, sections_of
from holdfast.rooms.room import Check, Import, Job, Pane, Room
from holdfast.sections import caps_event
from holdfast.store.table import Table
from tests.rooms import bells
from tests.support.table import each_of


class Nothing(Struct):
    """No settings, no arguments."""


class Bare(Struct):
    words: str


class NoDefault(Struct):
    words: Annotated[str, Meta(description="Words.")]


class Nested(Struct):
    inner: Bare = msgspec.field(default_factory=lambda: Bare(""))


class Low(Struct):
    times: Annotated[int, Meta(ge=2, description="How often.")] = 1


def setting(kind: Any, default: Any) -> type[Struct]:
    """A section with one setting of this type."""
    return msgspec.defstruct("One", [("words", Annotated[kind, Meta(description="Words.")], default)])


class Good(Struct):
    words: Annotated[str, Meta(description="Words.")] = ""


async def answer(*_: Any) -> Any:
    return None


def room(name: str = "notes", **changes: Any) -> Room:
    return replace(Room(name, "Keeps notes.", Nothing, lambda ground: ()), **changes)


def tool(name: str = "note", words: str = "", summary: str = "Keep a note.") -> Tool[Any]:
    return Tool(name, summary, Nothing, answer, verb=Verb(words, words) if words else None)


def verbed(words: str, **changes: Any) -> Tool[Any]:
    return Tool("note", "Keep.", Good, answer, verb=replace(Verb(words, words), **changes))


def imported(name: str, **changes: Any) -> Import:
    return replace(Import(name, "Take over notes.", f"import {name} FILE", Nothing, answer), **changes)


FAMILY = Family("note", "n")
TABLE = Table("note", ("id",), owner=None, plain={}, kept_back="a test")


@pytest.mark.requirement("HSE-1")
@each_of(
    ("rooms", "said"),
    [
        ((room(), room()), "The room notes is declared by the room notes twice"),
        ((room("my notes"),), "The room 'my notes' needs a name of small letters"),
        ((bells,), "ROOMS lists <module 'tests.rooms.bells'"),
        (
            (room(checks=Check("c", answer)),),
            "`checks` of the room notes is Check(name='c',",
        ),
        ((room(tools=(answer,)),), "where tuple[Tool[Any], ...] belongs."),
        ((room(more_settings=("extra", Good)),), "`more_settings` of the room notes is ('extra',"),
        ((room(sql="notes"),), "`sql` of the room notes is 'notes', where Path | None belongs."),
        ((room(pane=answer),), "where Pane | None belongs."),
        ((room(duty=" "),), "The room notes has no duty"),
        ((room(tools=(tool(summary=""),)),), "The tool note of the room notes has no description"),
        ((room(tools=(tool(), tool())),), "The tool note is declared by the room notes twice"),
        (
            (room(tools=(tool(),)), room("more", tools=(tool(),))),
            "The tool note is declared by the room notes and by the room more",
        ),
        ((room(tools=(tool(words="status"),)),), "The verb status is declared by the house and by the room notes"),
        (
            (room(tools=(tool(words="jot"),)), room("more", tools=(tool("other", "jot"),))),
            "The verb jot is declared by the room notes and by the room more",
        ),
        (
            (room(tools=(tool(words="jot"), tool("two", "jot"))),),
            "The verb jot is declared by the room notes twice",
        ),
        (
            (room(tools=(tool(words="jot down"),)), room("more", tools=(tool("other", "jot up"),))),
            "The verb jot is declared by the room notes and by the room more",
        ),
        (
            (room(tools=(Tool("note", "Keep.", Nothing, answer, verb=Verb("jot", "note it")),)),),
            "The verb jot of the room notes needs an example that calls it",
        ),
        (
            (room(imports=(imported("x"),)), room("more", imports=(imported("x"),))),
            "The import x is declared by the room notes and by the room more",
        ),
        ((room(imports=(imported("claude"),)),), "The import claude is declared by the house and by the room notes"),
        ((room(imports=(imported("my x"),)),), "The import 'my x' of the room notes needs a name of small letters"),
        ((room(checks=(Check(" ", answer),)),), "A check of the room notes has no name"),
        ((room(imports=(imported("x", summary=""),)),), "The import x of the room notes has no `summary`"),
        ((room(imports=(imported("x", example="import x"),)),), "needs an example that calls it with a path"),
        (
            (room(pane=Pane("Notes", answer)), room("more", pane=Pane("Notes", answer))),
            "The pane Notes is declared by the room notes and by the room more",
        ),
        ((room(families=(FAMILY,)),), "The room notes needs both `families` and `index`"),
        ((room(index=answer),), "The room notes needs both `families` and `index`"),
        (
            (room(families=(FAMILY,), index=answer, tables=(replace(TABLE, family="letter"),)),),
            "A table of the room notes holds items of the family letter. Add it to `families`.",
        ),
        ((room(checks=(Check("c", answer), Check("c", answer))),), "The check c is declared by the room notes twice"),
        (
            (room(families=(FAMILY, Family("letter", "y")), index=answer, tables=(replace(TABLE, family="note"),)),),
            "The family letter of the room notes has no table",
        ),
        ((room(tools=(tool("a b/c"),)),), "The tool 'a b/c' of the room notes needs a name of small letters"),
        ((room(tools=(tool(""),)),), "The tool '' of the room notes needs a name of small letters"),
        ((room(tools=(verbed("--help"),)),), "The verb '--help' of the room notes needs one or two words"),
        ((room(tools=(verbed("a b c"),)),), "The verb 'a b c' of the room notes needs one or two words"),
        ((room(tools=(verbed(""),)),), "The verb '' of the room notes needs one or two words"),
        ((room(tools=(verbed("Jot"),)),), "The verb 'Jot' of the room notes needs one or two words"),
        ((room(tools=(verbed("jot "),)),), "The verb 'jot ' of the room notes needs one or two words"),
        (
            (room(tools=(verbed("jot", places=("nope",)),)),),
            "The verb jot of the room notes names nope in",
        ),
        ((room(tools=(verbed("jot", options={"no": "--n"}),)),), "names no in its `options`, which is no argument"),
        ((room(tools=(verbed("jot", fixed={"no": 1}),)),), "names no in its `fixed`, which is no argument"),
        ((room(tools=(verbed("jot", example="jotter"),)),), "The verb jot of the room notes needs an example"),
        (
            (room(tools=(Tool("note", "Keep.", Bare, answer),)),),
            "The tool note of the room notes does not say what its argument words is",
        ),
        (
            (room(tools=(Tool("note", "Keep.", dict, answer),)),),  # type: ignore[type-var]
            "The tool note of the room notes needs a Struct for its `arguments`",
        ),
        (
            (room("upkeep", jobs=(Job("retention", answer),)),),
            "The job upkeep.retention is declared by the house and by the room upkeep",
        ),
        ((room(jobs=(Job("a b", answer),)),), "The job 'a b' of the room notes needs a name"),
        ((room(endpoints=(Endpoint("api", answer),)),), "The endpoint 'api' of the room notes does not begin with a /"),
        (
            (room(endpoints=(Endpoint("/a", answer, methods=()),)),),
            "The endpoint /a of the room notes has no",
        ),
        (
            (room(endpoints=(Endpoint("/a", answer), Endpoint("/a", answer, methods=("GET", "post")))),),
            "The endpoint POST /a is declared by the room notes twice",
        ),
        (
            (room(endpoints=(Endpoint("/a", answer),)), room("more", endpoints=(Endpoint("/a", answer),))),
            "The endpoint POST /a is declared by the room notes and by the room more",
        ),
        ((room(settings=None),), "The section notes of the room notes needs a Struct"),
        ((room(settings=Bare),), "The setting notes.words of the room notes has no description"),
        ((room(settings=NoDefault),), "The setting notes.words of the room notes has no default"),
        (
            (room(settings=setting(dict[str, int], {})),),
            "The setting notes.words of the room notes cannot be: a setting is a text, a number, yes or no, a choice",
        ),
        ((room(settings=setting(list[str], ())),), "or a list of those (tuple[str, ...]), not list[str]"),
        (
            (room(settings=setting(int, "a year")),),
            "of the room notes does not take its own defaults: Expected `int`, got `str` - at `notes.words`",
        ),
        ((room(settings=setting(tuple[int, ...], ("a",))),), "does not take its own defaults: Expected `int`"),
        ((room(settings=setting(Annotated[int, Meta(ge=2)], 1)),), "cannot be: one `Meta` says all"),
        ((room(settings=Low),), "does not take its own defaults: Expected `int` >= 2"),
        ((room(more_settings=(("extra", Bare),)),), "The setting extra.words of the room notes has no description"),
        ((room(settings=Nested),), "The setting notes.inner.words of the room notes has no description"),
        (
            (room(settings=Good), room("more", settings=Good)),
            "Good is declared by the room notes and by the room more",
        ),
    ],
)
def test_what_is_wrong_is_named(rooms: tuple[Room, ...], said: str) -> None:
    with pytest.raises(HoldfastError) as caught:
        gather(rooms, house_verbs=VERBS, house_jobs=HOUSE_JOBS)
    assert said in str(caught.value)


class Wrong:
    """Steps that do not fit their event."""

    @staticmethod
    async def of_stop(event: Stop, scene: Scene) -> Part | None: ...


def told(event: str, *steps: Step) -> Program:
    return MappingProxyType({**PROGRAM, event: OnEvent(steps)})


STEP = PROGRAM["Stop"].steps[0]


@pytest.mark.requirement("HSE-1")
@pytest.mark.parametrize(
    ("program", "said"),
    [
        ({**PROGRAM, "Sleep": OnEvent()}, "The program has steps for Sleep, which is no event of the client."),
        ({name: on for name, on in PROGRAM.items() if name != "Stop"}, "The program says nothing of Stop."),
        (told("Stop", STEP, STEP), "The step guards.remind on Stop is listed twice"),
        (told("Stop", STEP, replace(STEP, seconds=9.0)), "The step guards.remind on Stop is listed twice"),
        (told("Stop", replace(STEP, tools=frozenset({"Bash"}))), "names tools, and no tool belongs to this event."),
        (told("Stop", replace(STEP, later=True, may_deny=True)), "runs `later`, after the answer"),
        (told("PreToolUse", Step(Wrong.of_stop)), "takes Stop, and is never given one there."),
        (told("Stop", Step("remind")), "Step(run='remind', "),  # type: ignore[arg-type]
        (told("Stop", Wrong.of_stop), "on Stop is no `Step` with a function to run."),  # type: ignore[arg-type]
        (told("UserPromptSubmit", Step(bells.on_prompt)), "is of the room bells, which is not in ROOMS."),
    ],
)
def test_a_line_of_the_program_that_cannot_run_is_named(program: Program, said: str) -> None:
    with pytest.raises(HoldfastError) as caught:
        check_program(program, ROOMS)
    assert said in str(caught.value)


@pytest.mark.requirement("HSE-1")
def test_the_product_itself_is_declared_whole() -> None:
    check_program(PROGRAM, ROOMS)
    gather(ROOMS, HOUSE_TOOLS, VERBS, HOUSE_JOBS)


@pytest.mark.requirement("HSE-1")
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"build": lambda ground: 1 / 0}, "The room notes could not be built (ZeroDivisionError: division by zero)"),
        ({"build": lambda ground: None}, "The `build` of the room notes gives None"),
        ({"index": lambda ground: 1 / 0}, "The room notes could not be indexed (ZeroDivisionError"),
        ({"index": lambda ground: None}, "The `index` of the room notes gives None"),
    ],
)
def test_a_room_that_cannot_be_built_is_named(change: dict[str, Any], said: str) -> None:
    make: Any = indexed if "index" in change else built
    with pytest.raises(HoldfastError) as caught:
        make(room(**change), None)
    assert said in str(caught.value)


@pytest.mark.requirement("HSE-1")
def test_no_room_takes_the_service_of_another() -> None:
    registry = Registry()
    registry.add(3)
    registry.add_of_room("one", "notes")
    wrong: tuple[tuple[object, str, str], ...] = (
        ("two", "more", "of the type str is built by the room notes and by the room more"),
        ("two", "notes", "of the type str is built by the room notes twice"),
        (4, "notes", "of the type int is built by the house and by the room notes"),
    )
    for service, by, said in wrong:
        with pytest.raises(HoldfastError, match=said):
            registry.add_of_room(service, by)
    assert registry.get(str) == "one"


@pytest.mark.requirement("HSE-1")
@pytest.mark.parametrize(
    ("rooms", "said"),
    [
        ((room("store"),), "The section store is declared by the house and by the room store"),
        (
            (room(), room("more", more_settings=(("notes", Nothing),))),
            "The section notes is declared by the room notes and by the room more",
        ),
    ],
)
def test_a_section_is_declared_once(rooms: tuple[Room, ...], said: str) -> None:
    with pytest.raises(HoldfastError, match=said):
        config.sections(rooms)


@pytest.mark.requirement("HSE-1")
def test_a_table_is_declared_once() -> None:
    with pytest.raises(HoldfastError, match="note"):
        catalog_of((*ROOMS, room(tables=(TABLE,)), room("more", tables=(TABLE,))))


@pytest.mark.requirement("HSE-1")
def test_a_room_brings_its_section_its_tools_and_its_jobs() -> None:
    declared = gather(ROOMS, house_verbs=VERBS)
    assert {room.name for room in declared.rooms} <= set(sections_of(ROOMS))
    assert {tool.name for room in ROOMS for tool in room.tools} <= set(declared.tools)
    assert {f"{room.name}.{job.name}" for room in ROOMS for job in room.jobs} == set(declared.jobs)


@pytest.mark.requirement("CTX-5")
def test_a_setting_may_cap_what_an_event_adds() -> None:
    class Prompting(Struct, frozen=True):
        budget: Annotated[int, Meta(description="Tokens.", extra=caps_event("UserPromptSubmit"))] = 300
        other: Annotated[int, Meta(description="Another.")] = 5

    sections = config.all_sections([room(settings=Prompting)]).values()
    chosen: dict[str, int] = caps_of(sections, lambda section: section())
    assert chosen == {"UserPromptSubmit": 300}
    capped = with_caps(PROGRAM, chosen)
    assert capped["UserPromptSubmit"].tokens == 300
    assert capped["UserPromptSubmit"].steps == PROGRAM["UserPromptSubmit"].steps
    assert capped["SessionStart"] == PROGRAM["SessionStart"]
    assert with_caps(PROGRAM, {"UserPromptSubmit": 9_000}) == PROGRAM, "never more than the program lists"
    assert caps_of(config.all_sections(ROOMS).values(), lambda section: section()) == {"UserPromptSubmit": 2_000}
