"""Says what solved a failure before, where it can still help: at the prompt that names a command or quotes an error, at
the Read of a file, and with the failure itself (`capture`)."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator

from msgspec.structs import replace

from holdfast.events.answer import Context, Part, refuse
from holdfast.events.event import PreToolUse, UserPromptSubmit
from holdfast.events.scene import Scene
from holdfast.events.tokens import count_tokens
from holdfast.ids import ItemId
from holdfast.items import tables as injections
from holdfast.items.indexed import Saying
from holdfast.items.model import Given, Listener, Occasion
from holdfast.items.web_words import is_marked
from holdfast.items.words import mark_of
from holdfast.prose.one_line import one_line
from holdfast.rooms.learning import confidence, tables
from holdfast.rooms.learning.model import REMEDY, Remedy
from holdfast.rooms.learning.remedies.foreseen import errors_in, named_in
from holdfast.rooms.learning.remedies.signature import Signature, keys_of, read_signature
from holdfast.rooms.learning.service import Learning
from holdfast.store.interface import Reader, Tx
from holdfast.worktree_paths import relative

ORIGIN = "learning"
_LEAST_SURE = 0.35
"""A remedy that is less sure is found by a search, and is not said unasked."""
_SURE = 0.74
"""As sure is a remedy that helped once more, for some weeks."""
SWITCH = f"{ORIGIN}.remedies"


def fitting(reader: Reader, service: Learning, scene: Scene, signature: Signature) -> list[Remedy]:
    """The remedies of a failure, the surest key first, then the surest remedy."""
    best: dict[str, tuple[int, float, Remedy]] = {}
    for key in keys_of(signature):
        for remedy, weight in tables.by_key(reader, service.owner, scene.place.project_id, key.text):
            known = best.get(remedy.id)
            if _may_say(remedy, scene) and (known is None or known[0] < weight):
                best[remedy.id] = (weight, confidence.of_remedy(remedy, scene.now()), remedy)
        if best:
            break  # a surer key found it
    return [
        each for _, _, each in sorted(best.values(), key=lambda found: (-found[0], -found[1], -found[2].happened_at))
    ]


def given(service: Learning, scene: Scene, remedy: Remedy, *, short: bool = False) -> Given:
    line = service.index.said(remedy, Saying(scene.now(), short=short))
    return Given(remedy.id, line, count_tokens(line))


def claim(
    tx: Tx, service: Learning, scene: Scene, who: Listener, remedy: Remedy, occasion: Occasion, about: str
) -> bool:
    """Note that a remedy is shown to this agent; False when it was shown before."""
    shown = given(service, scene, remedy)
    if injections.was_given(tx, who, shown):
        return False
    injections.inject(tx, scene.entry_id, scene.at_us, who, occasion, about, [shown])
    current = service.index.item(tx, REMEDY.name, remedy.id, scene.owner)
    if isinstance(current, Remedy):
        tables.judge(tx, replace(current, shown=current.shown + 1), scene.owner)
    return True


def is_on(service: Learning, scene: Scene) -> bool:
    return service.settings.remedies and SWITCH not in scene.off


async def at_prompt(event: UserPromptSubmit, scene: Scene) -> Part | None:
    """At a prompt that names a command which fails here, or quotes an error: what helped before. It is the last event
    before the command; what PreToolUse says arrives with its result."""
    service = scene.services.get(Learning)
    project = scene.place.project_id
    if not scene.is_live or event.is_notification or not project or not is_on(service, scene):
        return None
    known = await service.commands(project, scene)
    named, errors = named_in(event.prompt, known.by_words), errors_in(event.prompt)
    if not named and not errors:
        return None

    def fits(reader: Reader) -> Iterator[tuple[str, Remedy]]:
        for label in named:
            error = read_signature(known.failing.get(label, ""))
            for remedy in fitting(reader, service, scene, error)[:1] if error else ():
                yield f"`{label}` failed here the last time. What helped before:", remedy
            proven = service.index.item(reader, REMEDY.name, ItemId(known.proven.get(label, "")), scene.owner)
            if isinstance(proven, Remedy) and _may_say(proven, scene):
                yield f"`{label}` failed here before:", proven
        for each in errors:
            for remedy in fitting(reader, service, scene, each)[:1]:
                yield "This failed before:", remedy

    def look(reader: Reader) -> tuple[Listener, str, Remedy | None]:
        who = injections.listener(reader, event.session_id, event.agent_id or "")
        for headline, remedy in fits(reader):
            if not injections.was_given(reader, who, given(service, scene, remedy)):
                return who, headline, remedy
        return who, "", None

    who, headline, remedy = await scene.read(look)
    if remedy is None:
        return None

    def record(tx: Tx) -> Part | None:
        return None if claim(tx, service, scene, who, remedy, "recall", "") else Part()

    text = f"{headline}\n{given(service, scene, remedy, short=True).text}"
    return Part(contexts=(Context(text, ORIGIN, (("type", "lesson"),)),), record=record)


def _may_say(remedy: Remedy, scene: Scene) -> bool:
    return not remedy.outdated and confidence.of_remedy(remedy, scene.now()) >= _LEAST_SURE


def at_read(event: PreToolUse, scene: Scene) -> Awaitable[Part | None] | None:
    """At the Read that precedes an edit: what failed with this file before, and what helped."""
    service = scene.services.get(Learning)
    named = event.arguments.get("file_path")
    if not scene.is_live or not isinstance(named, str) or not is_on(service, scene):
        return None
    path = relative(named, scene.place.worktree_path)
    known = service.known_files(scene.place.project_id)
    if known is not None and path not in known:
        return None
    return _of_file(service, scene, event, path)


async def _of_file(service: Learning, scene: Scene, event: PreToolUse, path: str) -> Part | None:
    ids = (await service.files(scene.place.project_id, scene)).get(path, [])
    if not ids:
        return None

    def look(reader: Reader) -> tuple[Listener, Remedy | None]:
        who = injections.listener(reader, event.session_id, event.agent_id or "")
        said = frozenset(mark for marks in injections.said_to(reader, who).values() for mark in marks)
        for each in ids[:5]:
            remedy = service.index.item(reader, REMEDY.name, ItemId(each), scene.owner)
            if not isinstance(remedy, Remedy) or not (remedy.root_cause or remedy.trust == "user"):
                continue  # nobody has said why: the raw words of a failure help nobody who only opens the file
            if mark_of(remedy.root_cause) in said:
                continue  # the agent was told of it, as the end of earlier work
            if _may_say(remedy, scene):
                return who, None if injections.was_given(reader, who, given(service, scene, remedy)) else remedy
        return who, None

    who, remedy = await scene.read(look)
    if remedy is None or remedy.conversation == event.session_id:
        return None
    text = f"What failed with {path} before:\n{given(service, scene, remedy, short=True).text}"

    def record(tx: Tx) -> Part | None:
        return None if claim(tx, service, scene, who, remedy, "file", path) else Part()

    return Part(contexts=(Context(text, ORIGIN, (("type", "lesson"),)),), record=record)


def hold(event: PreToolUse, scene: Scene) -> Awaitable[Part | None] | None:
    """Hold a command once that surely fails again, with the lesson as the reason. Off unless the user wants it."""
    service = scene.services.get(Learning)
    command = event.arguments.get("command")
    if not service.settings.hold or not scene.is_live or not isinstance(command, str):
        return None
    return _held(service, scene, event, one_line(command, 200))


async def _held(service: Learning, scene: Scene, event: PreToolUse, label: str) -> Part | None:
    if service.was_held(event.session_id, label) or not scene.place.project_id:
        return None

    def look(reader: Reader) -> Remedy | None:
        verdict, error = tables.last_verdict(reader, service.owner, scene.place.project_id, label)
        signature = read_signature(error) if verdict == "failed" else None
        found = fitting(reader, service, scene, signature) if signature else []
        sure = [each for each in found[:1] if confidence.of_remedy(each, scene.now()) >= _SURE]
        # What a page says refuses no command (SEC-6).
        return next((each for each in sure if not is_marked(f"{each.root_cause} {each.solution}")), None)

    remedy = await scene.read(look)
    if remedy is None or not service.hold_once(event.session_id, label):
        return None
    reason = (
        f"This command failed here the last time. {given(service, scene, remedy).text} Run it again if you want it "
        "all the same; it is held once."
    )
    return Part(decision=refuse("learning.hold", reason))
