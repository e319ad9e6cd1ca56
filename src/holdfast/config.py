"""The settings: one TOML file for the user, one per project, environment overrides. Read here and nowhere else.

Every key is a field with its meaning beside it: those of the house on this page, those of a room in its `settings.py`.
`docs/reference/configuration.md` is generated from them. A key nobody knows is named and ignored; a value of the wrong
kind is an error that names file, key and kind.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from holdfast.errors import ConfigError
from holdfast.items.settings import InjectSettings, PromptSettings
from holdfast.project_file import PROJECT_FILE as PROJECT_FILE
from holdfast.project_file import SWITCH, contents, toml_table
from holdfast.sections import named_by
from holdfast.upkeep.settings import RetentionSettings

if TYPE_CHECKING:
    from holdfast.rooms.room import Room

S = TypeVar("S", bound=Struct)
Sections = Mapping[str, type[Struct]]
"""Sections of rooms by name. A caller that loads no rooms hands them in (`sections.py`)."""
Fault = Callable[[ConfigError], None]


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
    backups: Annotated[
        int,
        Meta(
            ge=0,
            le=365,
            description="Daily copies of a SQLite store that are kept in `backups/` of the home. 0 makes none.",
        ),
    ] = 3


class Scrub(Struct, frozen=True, forbid_unknown_fields=True):
    """Secrets are removed before anything is written."""

    allow: Annotated[
        tuple[str, ...],
        Meta(
            description="Texts to keep although they look like secrets; "
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


class Config(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of the house, with their defaults."""

    project: Annotated[
        str,
        Meta(description="A name that identifies the project, instead of its git directory."),
    ] = ""
    capture: Annotated[
        bool,
        Meta(
            description="Record events. Without it nothing is stored or injected; guards stay on.",
            extra=SWITCH,
        ),
    ] = True
    sign_of_life: Annotated[
        bool,
        Meta(
            description="One line for you, not for the model, at a session's start: what was given, and whether guards "
            "and recording are on.",
            extra=SWITCH,
        ),
    ] = True
    daemon: Daemon = Daemon()
    store: StoreSettings = StoreSettings()
    scrub: Scrub = Scrub()
    retention: RetentionSettings = RetentionSettings()
    recall: Recall = Recall()
    inject: InjectSettings = InjectSettings()
    user_prompt_submit: PromptSettings = PromptSettings()
    log: Log = Log()


PROJECT_KEYS = frozenset({"project"})
"""What a project may say for itself, besides switching things off (`SWITCH`); the rest is the user's alone, because a
cloned repository is not trusted."""


@dataclass(frozen=True, slots=True)
class SettingKey:
    """One documented setting."""

    name: str
    default: Any
    kind: Any
    description: str
    environment: str
    in_project: bool
    switch: bool = False
    """A project may switch it off, and never on."""
    same_as: str = ""
    """The setting of the house that it is another name of; '' for none."""

    @property
    def means(self) -> str:
        """The name of the setting that counts."""
        return self.same_as or self.name


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings, and what was odd about the files they came from."""

    config: Config
    unknown: tuple[str, ...] = ()
    rooms: Mapping[str, Struct] = field(default_factory=dict)
    """The rooms' sections by name."""

    def section(self, kind: type[S]) -> S:
        """A section of a room or of the house by its type; its defaults when it was not loaded."""
        of_house = (getattr(self.config, name) for name in self.config.__struct_fields__)
        held = (*self.rooms.values(), *of_house)
        return next((each for each in held if isinstance(each, kind)), None) or kind()

    def value(self, key: str) -> Any:
        """The value in force of `memory.inject`."""
        section, _, name = key.rpartition(".")
        if not section:
            return getattr(self.config, name)
        return getattr(self.rooms[section] if section in self.rooms else getattr(self.config, section), name)


def sections(rooms: Iterable[Room] | Sections | None = None) -> Sections:
    """The sections of these rooms (of the program's, when none are named) by name. A name that is taken is an error."""
    if isinstance(rooms, Mapping):
        return rooms
    if rooms is None:
        from holdfast.program import ROOMS

        rooms = ROOMS
    listed = tuple(rooms)
    if not listed:  # the supervisor asks for none, and must not load what gathers them
        return {}
    from holdfast.rooms.gather import sections_of

    return sections_of(listed, [each.name for each in msgspec.structs.fields(Config)])


def all_sections(rooms: Iterable[Room] | Sections | None = None) -> Sections:
    """The sections of the house and of these rooms, by name."""
    hints = get_type_hints(Config)
    of_house = {name: kind for name, kind in hints.items() if isinstance(kind, type) and issubclass(kind, Struct)}
    return {**of_house, **sections(rooms)}


def keys(rooms: Iterable[Room] | Sections | None = None) -> Iterator[SettingKey]:
    """Every setting: the house's, then the rooms'."""
    yield from _keys_of(Config, "")
    for name, section in sections(rooms).items():
        yield from _keys_of(section, f"{name}.")


def other_names(rooms: Iterable[Room] | Sections | None = None) -> dict[str, str]:
    """Other names of settings of the house, with the names that they mean."""
    return {key.name: key.same_as for key in keys(rooms) if key.same_as}


def _keys_of(struct: type[Struct], prefix: str) -> Iterator[SettingKey]:
    hints = get_type_hints(struct, include_extras=True)
    for field_ in msgspec.structs.fields(struct):
        name, kind = f"{prefix}{field_.name}", hints[field_.name]
        if isinstance(kind, type) and issubclass(kind, Struct):
            yield from _keys_of(kind, f"{name}.")
            continue
        plain, meta = get_args(kind)[0], get_args(kind)[1]
        switch = SWITCH.items() <= (meta.extra or {}).items()
        in_project = switch or name in PROJECT_KEYS
        means = named_by(meta.extra)
        variable = environment_name(name)
        yield SettingKey(name, field_.default, plain, meta.description, variable, in_project, switch, means)


def environment_name(key: str) -> str:
    """The variable that overrides a key: `daemon.port` is HOLDFAST_DAEMON_PORT, the store's URL is HOLDFAST_STORE."""
    return "HOLDFAST_STORE" if key == "store.url" else "HOLDFAST_" + key.replace(".", "_").upper()


def _refuse(error: ConfigError) -> None:
    raise error


def load(
    user_file: Path,
    project_file: Path | None = None,
    environment: Mapping[str, str] | None = None,
    *,
    rooms: Iterable[Room] | Sections | None = None,
    fault: Fault = _refuse,
) -> Loaded:
    """The settings in force: defaults, then the user's file, the project's, the environment. What a project switches
    off is off, whatever the others say.

    `rooms` are the program's unless others, or their sections, are given. Who needs the house's settings alone gives
    none (`()`), and pays for loading none; what the file says of rooms is then unknown. `fault` is told what cannot be:
    the first fault ends the reading, unless the caller hears all of them; what is wrong then counts as not said.
    """
    of_rooms = sections(rooms)
    known = {key.name: key for key in keys(of_rooms)}
    _check_names(known)
    read = _Read(known, of_rooms, fault)
    read.file(user_file, is_project=False)
    if project_file:
        read.file(project_file, is_project=True)
    read.variables(os.environ if environment is None else environment)
    values = read.values | dict.fromkeys(read.switched_off, False)
    for key in known.values():
        if key.same_as:
            _settle_names(values, key)
    return _converted(_nest(values), of_rooms, tuple(read.unknown))


class _Read:
    """What files and variables say, the later over the earlier."""

    def __init__(self, known: Mapping[str, SettingKey], of_rooms: Sections, fault: Fault) -> None:
        self.values: dict[str, Any] = {}
        self.unknown: list[str] = []
        self.switched_off: list[str] = []
        self._known = known
        self._tables = {name.rpartition(".")[0] for name in known} - {""}
        self._of_rooms = of_rooms
        self._fault = fault

    def file(self, file: Path, *, is_project: bool) -> None:
        try:
            said = _flatten(_read(file))
        except ConfigError as error:
            self._fault(error)
            return
        for name, value in said.items():
            try:
                self._setting(name, value, file, is_project=is_project)
            except ConfigError as error:
                self._fault(error)

    def _setting(self, name: str, value: Any, file: Path, *, is_project: bool) -> None:
        key = self._known.get(name)
        if name in self._tables:
            raise ConfigError(f"{file}: {name} = {value!r} does not fit (a table of settings is expected).")
        if key is None or (is_project and not key.in_project):
            self.unknown.append(f"{file}: {name}")
        elif not is_project or not key.switch:
            self.values[name] = _checked(value, key, str(file), self._of_rooms)
        elif not _checked(value, key, str(file), self._of_rooms):
            self.switched_off.append(name)
        elif not all(self.values.get(each.name, each.default) for each in self._meaning(key)):
            self.unknown.append(f"{file}: {name} (a project may switch it off, never on)")

    def variables(self, environment: Mapping[str, str]) -> None:
        said = {key: text for key in self._known.values() if (text := environment.get(key.environment))}
        for key in said:  # the environment counts more than a file, whichever name each uses
            for other in self._meaning(key):
                self.values.pop(other.name, None)
        for key, text in said.items():
            try:
                self.values[key.name] = _checked(_from_text(text, key), key, key.environment, self._of_rooms)
            except ConfigError as error:
                self._fault(error)

    def _meaning(self, key: SettingKey) -> list[SettingKey]:
        """All names of a setting."""
        return [each for each in self._known.values() if each.means == key.means]


def _settle_names(values: dict[str, Any], key: SettingKey) -> None:
    """Give a setting that has two names one value: a switch is off if either name says so; else the house's counts."""
    said = [values[name] for name in (key.same_as, key.name) if name in values]
    if said:
        values[key.same_as] = values[key.name] = all(said) if key.switch else said[0]


def _check_names(known: Mapping[str, SettingKey]) -> None:
    """Refuse another name of a setting that is not there, or is another one."""
    for key in known.values():
        meant = known.get(key.means)
        if meant is None or (meant.kind, meant.default, meant.switch) != (key.kind, key.default, key.switch):
            raise ConfigError(
                f"The setting {key.name} is declared as another name of {key.same_as}, which is not there or has "
                "another kind, default or switch."
            )


def _converted(nested: dict[str, Any], of_rooms: Mapping[str, type[Struct]], unknown: tuple[str, ...] = ()) -> Loaded:
    chosen = {name: msgspec.convert(nested.pop(name, {}), section) for name, section in of_rooms.items()}
    return Loaded(msgspec.convert(nested, Config), unknown, chosen)


def _read(file: Path | None) -> dict[str, Any]:
    if file is None:
        return {}
    try:
        return toml_table(contents(file)[1])
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise ConfigError(f"{file} is not valid TOML ({error}). Correct it; nothing was changed.") from error
    except OSError as error:
        raise ConfigError(
            f"{file} cannot be read ({error.strerror or error}). Check its owner and permissions."
        ) from error


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


def _from_text(text: str, key: SettingKey) -> Any:
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


def _checked(value: Any, key: SettingKey, where: str, of_rooms: Mapping[str, type[Struct]]) -> Any:
    try:
        _converted(_nest({key.name: value, key.means: value}), of_rooms)
    except msgspec.ValidationError as error:
        reason = str(error).split(" - at ")[0]
        raise ConfigError(f"{where}: {key.name} = {value!r} does not fit ({reason}).") from error
    return value
