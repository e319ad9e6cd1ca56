"""What people and agents can ask of what was learned: experiences, values, clusters, remedies, calibration. As data."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from holdfast import recall
from holdfast.errors import UsageError
from holdfast.events.caller import Caller
from holdfast.events.tool import Tool, Verb
from holdfast.events.verb_lines import kept_as, none_found
from holdfast.items.words import short_id
from holdfast.rooms.learning import calibration, confidence, rules, tables
from holdfast.rooms.learning.calibration import Calibration
from holdfast.rooms.learning.model import AXES, DOMAINS, REMEDY, STRATEGIES, VALUE, Ghap, LearnedValue, Remedy
from holdfast.rooms.learning.service import Learning
from holdfast.rooms.learning.tools import verbs
from holdfast.rooms.learning.tools.ghaps import NamedId, project_of
from holdfast.rooms.learning.values.vectors import likeness, terms_of, vector, weights
from holdfast.store.interface import Reader
from holdfast.times import moment, when

_LOOKED_AT = 200
_Axis = Annotated[str, Meta(description=", ".join(AXES))]


class SearchExperiences(Struct, frozen=True, forbid_unknown_fields=True):
    query: Annotated[str, Meta(description="What to look for.")]
    axis: _Axis = "full"
    domain: str = ""
    strategy: str = ""
    outcome: str = ""
    limit: Annotated[int, Meta(ge=1, le=100)] = 5


class ListValues(Struct, frozen=True, forbid_unknown_fields=True):
    axis: str = ""
    limit: Annotated[int, Meta(ge=1, le=100)] = 5


class OneValue(Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, Meta(description="The value.")]
    cluster_id: Annotated[str, Meta(description="As `list_values` shows.")]


class StoreValue(Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, Meta(description="The value.")]
    cluster_id: Annotated[str, Meta(description="As `list_values` shows.")]
    axis: str = ""


class ListRemedies(Struct, frozen=True, forbid_unknown_fields=True):
    limit: Annotated[int, Meta(ge=1, le=1_000)] = 20
    project_id: Annotated[str, Meta(description="Id, name or folder; `all`: every project.")] = ""


class RateRemedy(Struct, frozen=True, forbid_unknown_fields=True):
    id: NamedId
    feedback: Annotated[str, Meta(description="helpful, not helpful or outdated.")]


class AskCalibration(Struct, frozen=True, forbid_unknown_fields=True):
    since: Annotated[str, Meta(description="ISO time, or an age such as 30d.")] = ""
    project_id: Annotated[str, Meta(description="Id, name or folder; empty: every project.")] = ""
    domain: Annotated[str, Meta(description=", ".join(DOMAINS))] = ""
    strategy: Annotated[str, Meta(description="Only entries have one: " + ", ".join(STRATEGIES))] = ""


class Experience(Struct, frozen=True):
    id: str
    score: float
    lesson: str
    goal: str
    outcome: str
    tier: str
    domain: str
    strategy: str
    surprise: str
    root_cause: str
    cause: str
    time: str


class ValueLine(Struct, frozen=True):
    id: str
    text: str
    axis: str
    cluster_id: str
    support: int
    distance: float
    by: str
    time: str


class ClusterLine(Struct, frozen=True):
    id: str
    axis: str
    size: int
    about: list[str]
    most_distance: float


class ValuesShown(Struct, frozen=True):
    """Values, and the clusters that have none yet: an agent may say what they teach."""

    values: list[ValueLine]
    clusters: list[ClusterLine]


class ValueChecked(Struct, frozen=True):
    valid: bool
    distance: float
    most: float
    cluster_id: str
    size: int


class RemedyLine(Struct, frozen=True):
    id: str
    command: str
    problem: str
    root_cause: str
    solution: str
    files: list[str]
    category: str
    confidence: float
    shown: int
    used: int
    worked: int
    outdated: bool
    time: str


async def search_experiences(asked: SearchExperiences, caller: Caller) -> list[Experience]:
    service = caller.services.get(Learning)
    if asked.axis not in AXES:
        raise UsageError(f"{asked.axis!r} is no axis. It is one of: {', '.join(AXES)}.")
    wanted = {
        "domain": rules.choice("domain", asked.domain) if asked.domain else "",
        "strategy": rules.choice("strategy", asked.strategy) if asked.strategy else "",
        "status": rules.choice("outcome", asked.outcome) if asked.outcome else "",
    }
    words = set(terms_of(asked.query))

    def find(reader: Reader) -> list[tuple[float, Ghap]]:
        query = recall.Query(
            asked.query, (service.owner,), kinds=("experience",), limit=_LOOKED_AT, floor=0.0, now=caller.now()
        )
        found: list[tuple[float, Ghap]] = []
        for hit in recall.find(reader, query):
            ghap = service.index.item(reader, "experience", hit.id, service.owner)
            if not isinstance(ghap, Ghap) or any(
                getattr(ghap, name) != value for name, value in wanted.items() if value
            ):
                continue
            if not words or words & set(terms_of(rules.of_axis(ghap, "full"))):  # not only its neighbours' words
                found.append((hit.score, ghap))
        return found

    found = await service.ground.store.read(find)
    if asked.axis != "full":
        texts = [terms_of(rules.of_axis(ghap, rules.axis(asked.axis))) for _, ghap in found]
        worth = weights(texts)
        about = vector(list(words), worth)
        scored = [(likeness(about, vector(text, worth)), ghap) for text, (_, ghap) in zip(texts, found, strict=True)]
        found = sorted(((score, ghap) for score, ghap in scored if score > 0), key=lambda each: -each[0])
    return [_experience(score, ghap) for score, ghap in found[: asked.limit]]


def _experience(score: float, ghap: Ghap) -> Experience:
    return Experience(
        rules.named(ghap),
        round(score, 3),
        ghap.lesson,
        ghap.goal,
        ghap.status,
        ghap.tier,
        ghap.domain,
        ghap.strategy,
        ghap.surprise,
        ghap.root_cause,
        ghap.cause,
        when(ghap.resolved_at),
    )


def _value(value: LearnedValue) -> ValueLine:
    return ValueLine(
        short_id(VALUE.letter, value.id),
        value.text,
        value.axis,
        value.cluster_id,
        value.support,
        value.distance,
        value.made_by,
        when(value.created_at),
    )


async def list_values(asked: ListValues, caller: Caller) -> ValuesShown:
    service = caller.services.get(Learning)
    if asked.axis and asked.axis not in AXES:
        raise UsageError(f"{asked.axis!r} is no axis. It is one of: {', '.join(AXES)}.")
    project = "" if caller.is_nowhere else caller.project_id
    await service.regroup_few()

    def find(reader: Reader) -> tuple[list[LearnedValue], list[tables.Cluster]]:
        values = tables.values(reader, service.owner, project, asked.axis)
        return values, tables.clusters(reader, service.owner, asked.axis)

    values, clusters = await service.ground.store.read(find)
    said = {value.cluster_id for value in values}
    open_ones = [_cluster(each) for each in clusters if each.id not in said]
    best = confidence.ranked(values, caller.now())[: asked.limit]
    return ValuesShown([_value(value) for value in best], open_ones[: asked.limit])


def _cluster(cluster: tables.Cluster) -> ClusterLine:
    most = round(cluster.mean + 0.5 * cluster.deviation, 4)
    return ClusterLine(cluster.id, cluster.axis, cluster.size, tables.heaviest(cluster, 6), most)


async def validate_value(asked: OneValue, caller: Caller) -> ValueChecked:
    found = await caller.services.get(Learning).values.validate(asked.text, asked.cluster_id)
    return ValueChecked(found.valid, found.distance, found.most, found.cluster_id, found.size)


async def store_value(asked: StoreValue, caller: Caller) -> ValueLine:
    service = caller.services.get(Learning)
    project = "" if caller.is_nowhere else caller.project_id
    value, _ = await service.values.store(asked.text, asked.cluster_id, project, caller.speaker(), caller.conversation)
    return _value(value)


async def list_remedies(asked: ListRemedies, caller: Caller) -> list[RemedyLine]:
    service = caller.services.get(Learning)
    project = await project_of(asked.project_id, caller)
    if project is None:
        return []
    found = await service.ground.store.read(lambda reader: tables.remedies(reader, service.owner, project, asked.limit))
    return [_remedy(remedy, caller.now()) for remedy in found]


def _remedy(remedy: Remedy, now: int) -> RemedyLine:
    return RemedyLine(
        short_id(REMEDY.letter, remedy.id),
        remedy.command,
        remedy.problem,
        remedy.root_cause,
        remedy.solution,
        tables.texts(remedy.files),
        remedy.category,
        round(confidence.of_remedy(remedy, now), 3),
        remedy.shown,
        remedy.used,
        remedy.worked,
        bool(remedy.outdated),
        when(remedy.happened_at),
    )


async def rate_remedy(asked: RateRemedy, caller: Caller) -> RemedyLine:
    service = caller.services.get(Learning)
    said = " ".join(asked.feedback.lower().replace("-", " ").replace("_", " ").split())
    if said not in confidence.FEEDBACK:
        raise UsageError(f"{asked.feedback!r} is no feedback. It is one of: {', '.join(confidence.FEEDBACK)}.")
    return _remedy(await service.rate(asked.id, said, caller.speaker()), caller.now())


async def get_calibration(asked: AskCalibration, caller: Caller) -> Calibration:
    service = caller.services.get(Learning)
    project = await service.ground.items.project(asked.project_id) if asked.project_id else ""
    since = moment(asked.since, caller.now(), 0)
    domain = rules.choice("domain", asked.domain) if asked.domain else ""
    strategy = rules.choice("strategy", asked.strategy) if asked.strategy else ""

    def find(reader: Reader) -> Calibration:
        found = tables.settled(reader, service.owner, project, since)
        settled = [e for e in found if domain in ("", e.domain) and strategy in ("", e.strategy)]
        in_passing = [] if strategy else tables.implied(reader, service.owner, project, since)
        implied = [each for each in in_passing if domain in ("", each.domain)]
        return calibration.calibrated(settled, implied, tables.project_names(reader, service.owner))

    return await service.ground.store.read(find)


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        "search_experiences",
        "Find earlier attempts and their outcomes.",
        SearchExperiences,
        search_experiences,
        verb=Verb("ghap search", "ghap search flaky cache test", lines=verbs.experiences, joined=True,
                  empty=none_found("experience that fits", "A `holdfast ghap` becomes one by its outcome.")),
    ),
    Tool(
        "list_values",
        "What experience taught, and clusters without a value.",
        ListValues,
        list_values,
        verb=Verb("ghap values", "ghap values", lines=verbs.values),
    ),
    Tool(
        "validate_value",
        "Check whether a sentence can be a cluster's value.",
        OneValue,
        validate_value,
        verb=Verb("ghap validate-value", "ghap validate-value 'flaky tests are isolation issues' --cluster-id ID",
                  lines=verbs.checked, negative=lambda result: not result["valid"]),
    ),
    Tool(
        "store_value",
        "Keep a sentence as the value of a cluster.",
        StoreValue,
        store_value,
        changes=True,
        verb=Verb("ghap store-value", "ghap store-value 'flaky tests are isolation issues' --cluster-id ID",
                  lines=kept_as),
    ),
    Tool(
        "rate_remedy",
        "Say whether a remedy helped.",
        RateRemedy,
        rate_remedy,
        changes=True,
        verb=Verb("ghap rate", "ghap rate r3fa9c21b helpful", lines=verbs.remedy, places=("id", "feedback")),
    ),
    Tool(
        "list_remedies",
        "Known solutions of failures, the newest first.",
        ListRemedies,
        list_remedies,
        for_agents=False,
        verb=Verb("ghap remedies", "ghap remedies", lines=verbs.remedies,
                  empty=none_found("remedy", "One is kept when a command that failed passes after a change.")),
    ),
    Tool(
        "ghap_stats",
        "How often predictions came true.",
        AskCalibration,
        get_calibration,
        for_agents=False,
        verb=Verb("ghap stats", "ghap stats --since 30d", lines=verbs.stats),
    ),
    Tool(
        "calibration",
        "How often predictions came true, over time.",
        AskCalibration,
        get_calibration,
        for_agents=False,
        verb=Verb("calibration", "calibration --since 90d", lines=verbs.calibration),
    ),
)  # fmt: skip
