"""What a skill says about its efforts, read from its front matter (YAML) or from `effort.toml` beside it. Pure.

A repository is not trusted: whatever stands there is bounded, and what does not fit is left out. Both writings have the
same names; those of the file beside the skill win.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec

from holdfast.project_file import toml_table
from holdfast.rooms.work.efforts.phases import numbered
from holdfast.rooms.work.model import Heartbeat, Phase, SkillConfig

LARGEST = 64 * 1024
_MOST = 50
_MOST_PHASES = 100
_LONGEST = 500
_LONGEST_NAME = 120
_LONGEST_MATTER = 16 * 1024
"""Front matter that is read: the reader takes a tenth of a millisecond for each line."""
_MOST_CHARACTERS = 60_000
"""In all texts of a skill together: it is kept with each effort."""
_MOST_BRACKETS = 400
"""The reader's time grows with the square of how deep lists stand in each other."""
_MODE = re.compile(r"[\w.+-]{1,40}")
_SKILL = re.compile(r"[\w.:-]{1,120}")
_HUMP = re.compile(r"(?<=[a-z0-9])([A-Z])")


def read_skill(skill: str, path: str, text: str, beside: bytes = b"", *, from_repository: bool = True) -> SkillConfig:
    """The configuration of a skill. `text` is its file, `beside` the file `effort.toml`; both may be empty."""
    said = _plain(front_matter(text))
    try:
        said |= _plain(toml_table(beside)) if beside else {}
    except ValueError:
        pass  # a file that is no TOML says nothing; doctor and `effort show` name the skill's path
    block = said.get("heartbeat")
    heartbeat, after = _heartbeat(block, said.get("block_after"))
    phases = tuple(itertools.islice(_phases(said.get("phases")), _MOST_PHASES))
    config = SkillConfig(
        skill=skill,
        path=path,
        from_repository=from_repository,
        phases=phases,
        modes=_words(said.get("modes"), _MODE),
        templates=_paths(said.get("templates")),
        commands=_texts(said.get("commands")),
        directives=_texts(said.get("directives")),
        next_skills=_words(said.get("next_skills", said.get("next")), _SKILL),
        preload=_paths(said.get("preload")),
        log_template=_text(said.get("log_template"), 4_000),
        heartbeat=heartbeat,
        block_after=after,
        starts_effort=_starts(said, phases),
    )
    if _length(config) <= _MOST_CHARACTERS:
        return config
    return SkillConfig(skill=skill, path=path, from_repository=from_repository)


def _length(config: SkillConfig) -> int:
    """Characters of all its texts."""
    each = [*config.phases, config]
    lists = [value for one in each for value in msgspec.structs.astuple(one) if isinstance(value, tuple)]
    return sum(len(text) for texts in lists for text in texts if isinstance(text, str))


def _starts(said: Mapping[str, Any], phases: tuple[Phase, ...]) -> bool:
    """A skill that has phases, or says `effort: true`, starts an effort. An ordinary command does not."""
    wanted = said.get("effort")
    return wanted if isinstance(wanted, bool) else bool(phases)


def front_matter(text: str) -> Any:
    """The YAML between the first two lines of dashes; {} when there is none, or when it cannot be read."""
    body = text.removeprefix("\ufeff")
    if not body.startswith("---"):
        return {}
    lines = body[:LARGEST].splitlines()
    end = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "...")), None)
    if lines[0].rstrip() != "---" or end is None:
        return {}
    inner = "\n".join(lines[1:end])
    if len(inner) > _LONGEST_MATTER or inner.count("[") + inner.count("{") > _MOST_BRACKETS:
        return {}
    import yaml  # loaded by the first skill that is read

    class Plain(yaml.SafeLoader):  # type: ignore[misc]
        """YAML without aliases: a few lines of them become gigabytes."""

        def compose_node(self, parent: Any, index: Any) -> Any:
            if self.check_event(yaml.AliasEvent):
                raise yaml.YAMLError("aliases are not read")
            return super().compose_node(parent, index)

    try:
        return yaml.load(inner, Plain)
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError):
        return {}


def _plain(told: Any) -> dict[str, Any]:
    """A table's fields by snake_case names. Fields of an inner table `effort` count as its own."""
    if not isinstance(told, Mapping):
        return {}
    found = {_snake(_written(name)): value for name, value in list(told.items())[:200]}
    inner = found.get("effort")
    if isinstance(inner, Mapping):
        found |= {_snake(_written(name)): value for name, value in list(inner.items())[:200]}
        found["effort"] = True
    return found


def _snake(name: str) -> str:
    return _HUMP.sub(lambda match: "_" + match[1].lower(), name.strip().replace("-", "_")).lower()


def _heartbeat(said: Any, after: Any) -> tuple[Heartbeat, int]:
    """`block`, `warn` or `off`; `true` and a number block; a table has `mode` and `block_after`."""
    if isinstance(said, Mapping):
        inner = _plain(said)
        said, after = inner.get("mode", "block" if "block_after" in inner else "warn"), inner.get("block_after", after)
    mode: Heartbeat = "warn"
    if said is True or (isinstance(said, int) and not isinstance(said, bool)):
        mode, after = "block", said if said is not True else after
    elif said is False:
        mode = "off"
    elif isinstance(said, str) and said.strip().lower() in ("block", "warn", "off"):
        mode = _MODES[said.strip().lower()]
    is_number = isinstance(after, int) and not isinstance(after, bool)
    return mode, after if is_number and 2 <= after <= 1_000 else 10


_MODES: Mapping[str, Literal["off", "warn", "block"]] = {"block": "block", "warn": "warn", "off": "off"}


def _phases(said: Any, outer: str = "") -> Iterator[Phase]:
    """Phases in order; those inside another follow it. Numbers that are not written are counted."""
    count = 0
    for each in said[:_MOST_PHASES] if isinstance(said, list) else ():
        fields = _plain(each) if isinstance(each, Mapping) else {}
        if isinstance(each, Mapping) and len(each) == 1 and not (_NAMES & fields.keys()):
            ((name, inner),) = each.items()  # `- Plan: {proof: …}`
            label = _written(name)
            fields = (_plain(inner) if isinstance(inner, Mapping) else {}) | {"name": f"{label}"}
            if isinstance(inner, str):  # `- 1: Plan`
                fields["name"] = f"{label}: {inner}"
        label = _text(fields.get("label") or fields.get("name") or fields.get("phase") or each, is_line=True)
        if not label:
            continue
        count += 1
        number = numbered(label)[0]
        if outer:
            number = number if number.startswith(f"{outer}.") else f"{outer}.{count}"
        elif not number or "." in number:
            number = number or str(count)
        yield Phase(
            label=label,
            number=number,
            proof=_texts(fields.get("proof")),
            commands=_texts(fields.get("commands")),
            templates=_paths(fields.get("templates")),
            directives=_texts(fields.get("directives")),
        )
        if not outer:
            yield from _phases(fields.get("phases", fields.get("sub_phases")), number)


_NAMES = frozenset({"label", "name", "phase"})


def _texts(said: Any) -> tuple[str, ...]:
    """A list of texts, or one; a table gives its names."""
    if isinstance(said, Mapping):
        said = list(said)
    each = said if isinstance(said, list) else [said]
    return tuple(text for value in each[:_MOST] if (text := _text(value)))


def _words(said: Any, pattern: re.Pattern[str]) -> tuple[str, ...]:
    """The same for names of one word: what does not look like one is left out."""
    return tuple(text for text in _texts(said) if pattern.fullmatch(text))


def _paths(said: Any) -> tuple[str, ...]:
    """The same for paths: one of several lines is none."""
    return tuple(text for text in _texts(said) if text.isprintable())


def _text(said: Any, longest: int = _LONGEST, *, is_line: bool = False) -> str:
    if isinstance(said, bool) or not isinstance(said, str | int | float):
        return ""
    text = _written(said).strip()
    return " ".join(text[:longest].split())[:_LONGEST_NAME] if is_line else text[:longest]


def _written(value: Any) -> str:
    """A value in words. Python does not write a number of more than 4,300 digits down; here it has 0x and 64,000."""
    try:
        return str(value)
    except ValueError:
        return ""
