"""The settings: one TOML file for the user, one per project, environment overrides. Read here and nowhere else.

Every key is a field with its meaning beside it; `docs/reference/configuration.md` is generated from this page.
A key nobody knows is named and ignored; a value of the wrong kind is an error that names file, key and kind.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from holdfast.errors import ConfigError

PROJECT_FILE = ".holdfast.toml"


class Daemon(Struct, frozen=True, forbid_unknown_fields=True):
    """The local daemon."""

    port: Annotated[
        int,
        Meta(
            ge=0,
            le=65535,
            description="Loopback TCP port. 0 chooses a free one at the first start and keeps it here.",
        ),
    ] = 0


class StoreSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Where everything is kept."""

    url: Annotated[
        str,
        Meta(description="`sqlite:///…` or `postgresql://…`; empty means `holdfast.db` in the home."),
    ] = ""


class Scrub(Struct, frozen=True, forbid_unknown_fields=True):
    """Secrets are removed before anything is written."""

    allow: Annotated[
        tuple[str, ...],
        Meta(
            description="Texts that look like secrets and are none; "
            "or regular expressions that match such a text whole."
        ),
    ] = ()


class Recall(Struct, frozen=True, forbid_unknown_fields=True):
    """Finding what fits."""

    model: Annotated[
        str,
        Meta(description="Folder of a sentence model (`holdfast model use DIR`); empty: words alone, no model."),
    ] = ""


class Log(Struct, frozen=True, forbid_unknown_fields=True):
    """The daemon's log."""

    level: Annotated[
        Literal["error", "warning", "info", "debug"],
        Meta(description="`debug` writes a line for every event and every contribution to its answer."),
    ] = "info"


class Citations(Struct, frozen=True, forbid_unknown_fields=True):
    """Web pages that were read before answer a WebFetch when their origin proves them unchanged."""

    enabled: Annotated[
        bool, Meta(description="Whether WebFetch is answered from kept readings, and readings are kept.")
    ] = True
    shared: Annotated[
        bool,
        Meta(
            description="Keep readings for all projects instead of each for its own; on PostgreSQL for the whole team, "
            "except pages on private networks and pages that depend on who is logged in."
        ),
    ] = False
    allow_private: Annotated[
        tuple[str, ...],
        Meta(
            description="Host names, addresses and networks that may be asked although they are not public, such as "
            '`["docs.corp.example", "10.0.0.0/8"]`.'
        ),
    ] = ()
    ca_file: Annotated[
        str, Meta(description="A PEM file of certificates to trust beside the system's, for origins inside a company.")
    ] = ""
    max_bytes: Annotated[
        int, Meta(ge=0, description="How much text is kept; beyond it the least recently used readings go.")
    ] = 64 * 1024 * 1024
    debug: Annotated[
        bool, Meta(description="Write to the log, for every WebFetch, what the origin said and why it hit or missed.")
    ] = False


class Memory(Struct, frozen=True, forbid_unknown_fields=True):
    """What happens is kept, and given back where it fits."""

    inject: Annotated[
        bool, Meta(description="Whether anything is given to the agent unasked; it is kept and found all the same.")
    ] = True
    skip_tools: Annotated[
        tuple[str, ...], Meta(description="Tools of which nothing is kept, besides holdfast's own.")
    ] = ("ListMcpResourcesTool", "SlashCommand", "Skill", "TodoWrite", "AskUserQuestion")
    brief_tokens: Annotated[
        int, Meta(ge=0, le=1_400, description="The most tokens that the brief at a session's start may cost.")
    ] = 700
    recall_tokens: Annotated[
        int, Meta(ge=0, le=1_400, description="The most tokens that what a prompt recalls may cost.")
    ] = 600


class Retention(Struct, frozen=True, forbid_unknown_fields=True):
    """How long what is kept. Summaries and memories stay for good; 0 keeps the rest for good, too."""

    journal_whole_days: Annotated[
        int,
        Meta(
            ge=0, description="How long the journal keeps events whole; later, shortened, and only those of substance."
        ),
    ] = 14
    journal_days: Annotated[int, Meta(ge=0, description="How long the journal keeps events at all.")] = 60
    journal_bytes: Annotated[
        int, Meta(ge=0, description="The most that the journal's payloads may take; the oldest days go first.")
    ] = 512 * 1024 * 1024
    observation_days: Annotated[
        int, Meta(ge=0, description="How long observations are kept; those of reading and searching a quarter of it.")
    ] = 365


class Summaries(Struct, frozen=True, forbid_unknown_fields=True):
    """Summaries are made by rules, without a model. One can write them anew, in the background."""

    model: Annotated[
        str,
        Meta(
            description="The model that writes summaries, such as `haiku`, by your own `claude -p`; empty: none does."
        ),
    ] = ""
    command: Annotated[str, Meta(min_length=1, description="The Claude Code that is run for it.")] = "claude"
    calls_per_day: Annotated[int, Meta(ge=0, description="The most runs in a day (UTC).")] = 20
    usd_per_day: Annotated[
        float,
        Meta(
            ge=0, description="No run begins when the runs of the day (UTC) have cost so much, as the client reckons."
        ),
    ] = 0.5


class Config(Struct, frozen=True, forbid_unknown_fields=True):
    """All settings, with their defaults."""

    project: Annotated[
        str,
        Meta(description="A name that identifies the project, instead of its git directory."),
    ] = ""
    daemon: Daemon = Daemon()
    store: StoreSettings = StoreSettings()
    scrub: Scrub = Scrub()
    memory: Memory = Memory()
    citations: Citations = Citations()
    retention: Retention = Retention()
    summaries: Summaries = Summaries()
    recall: Recall = Recall()
    log: Log = Log()


PROJECT_KEYS = frozenset({"project"})
"""What a project may say for itself; the rest is the user's alone, because a cloned repository is not trusted."""


@dataclass(frozen=True, slots=True)
class Key:
    """One documented setting."""

    name: str
    default: Any
    kind: Any
    description: str
    environment: str
    in_project: bool


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings, and what was odd about the files they came from."""

    config: Config
    unknown: tuple[str, ...] = ()


def keys() -> Iterator[Key]:
    """Every setting, in the order of this page."""
    yield from _keys_of(Config, "")


def _keys_of(struct: type[Struct], prefix: str) -> Iterator[Key]:
    hints = get_type_hints(struct, include_extras=True)
    for field in msgspec.structs.fields(struct):
        name, kind = f"{prefix}{field.name}", hints[field.name]
        if isinstance(kind, type) and issubclass(kind, Struct):
            yield from _keys_of(kind, f"{name}.")
            continue
        plain, meta = get_args(kind)[0], get_args(kind)[1]
        yield Key(name, field.default, plain, meta.description, environment_name(name), name in PROJECT_KEYS)


def environment_name(key: str) -> str:
    """The variable that overrides a key: `daemon.port` is HOLDFAST_DAEMON_PORT, the store's URL is HOLDFAST_STORE."""
    return "HOLDFAST_STORE" if key == "store.url" else "HOLDFAST_" + key.replace(".", "_").upper()


def load(user_file: Path, project_file: Path | None = None, environment: Mapping[str, str] | None = None) -> Loaded:
    """The settings in force: defaults, then the user's file, the project's, the environment."""
    known = {key.name: key for key in keys()}
    tables = {name.rpartition(".")[0] for name in known} - {""}
    values: dict[str, Any] = {}
    unknown: list[str] = []
    for file, is_project in ((user_file, False), (project_file, True)):
        for name, value in _flatten(_read(file)).items() if file else ():
            key = known.get(name)
            if name in tables:
                raise ConfigError(f"{file}: {name} = {value!r} does not fit (a table of settings is expected).")
            if key is None or (is_project and not key.in_project):
                unknown.append(f"{file}: {name}")
            else:
                values[name] = _checked(value, key, str(file))
    for key in known.values():
        text = (os.environ if environment is None else environment).get(key.environment)
        if text:
            values[key.name] = _checked(_from_text(text, key), key, key.environment)
    return Loaded(msgspec.convert(_nest(values), Config), tuple(unknown))


def _read(file: Path | None) -> dict[str, Any]:
    if file is None:
        return {}
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} is not valid TOML ({error}). Correct it; nothing was changed.") from error
    except OSError as error:
        raise ConfigError(f"{file} cannot be read ({error.strerror}). Check its owner and permissions.") from error


def _flatten(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            flat.update(_flatten(value, f"{prefix}{name}."))
        else:
            flat[f"{prefix}{name}"] = value
    return flat


def _nest(flat: Mapping[str, Any]) -> dict[str, Any]:
    nested: dict[str, Any] = {}
    for name, value in flat.items():
        *folders, last = name.split(".")
        place = nested
        for folder in folders:
            place = place.setdefault(folder, {})
        place[last] = value
    return nested


_WORDS = dict.fromkeys(("1", "true", "yes", "on"), True) | dict.fromkeys(("0", "false", "no", "off"), False)


def _from_text(text: str, key: Key) -> Any:
    if get_origin(key.kind) is tuple:
        return [part.strip() for part in text.split(",") if part.strip()]
    if key.kind is bool:
        word = text.strip().lower()
        if word not in _WORDS:
            raise ConfigError(f"{key.environment}={text!r} is neither yes nor no.")
        return _WORDS[word]
    if key.kind in (int, float):
        try:
            return key.kind(text)
        except ValueError as error:
            raise ConfigError(f"{key.environment}={text!r} is not a number.") from error
    return text


def _checked(value: Any, key: Key, where: str) -> Any:
    try:
        msgspec.convert(_nest({key.name: value}), Config)
    except msgspec.ValidationError as error:
        reason = str(error).split(" - at ")[0]
        raise ConfigError(f"{where}: {key.name} = {value!r} does not fit ({reason}).") from error
    return value
