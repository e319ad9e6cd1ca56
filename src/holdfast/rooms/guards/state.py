"""What `status`, doctor and the sign of life say of the guards: on, only trying, off, or away for a while."""

from __future__ import annotations

from holdfast.events.scene import Services
from holdfast.rooms.guards.service import Guards
from holdfast.rooms.room import Status


def sentence(guards: Guards) -> str:
    """What a person must know about the guards at the start of a session; '' when all is as it should be."""
    match guards.settings.mode:
        case "off":
            return "guards are off"
        case "dry-run":
            return "guards only record what they would refuse (dry run)"
    missed = guards.records.counted["unguarded"]
    if missed:
        return f"{_commands(missed)} that a guard would have refused ran while the daemon was away"
    return ""


_SIGNS = {"on": "guards on", "dry-run": "guards only watch (dry-run)", "off": "guards OFF"}


def sign(guards: Guards) -> str:
    """A few words for the sign of life."""
    off = [name for name, is_rule in guards.allowed_names().items() if is_rule] if guards.settings.mode == "on" else []
    but = f" but for {', '.join(off) if len(off) <= _MOST_NAMED else f'{len(off)} kinds of rules'}" if off else ""
    missed = guards.records.counted["unguarded"]
    ran = f", {_commands(missed)} ran unguarded while the daemon was away" if missed else ""
    return f"{_SIGNS[guards.settings.mode]}{but}{ran}"


_MOST_NAMED = 3


def _commands(number: int) -> str:
    return "1 command" if number == 1 else f"{number} commands"


_ROWS = {"off": "off", "dry-run": "dry run: they only record what they would refuse"}
"""Behind the word `guards` that begins the row."""


async def status(services: Services) -> Status:
    """The mode, what was decided since the start, and how much is kept."""
    guards = services.get(Guards)
    counted = {name: number for name, number in sorted(guards.records.counted.items()) if number}
    used = guards.undo.used()
    said = _ROWS.get(guards.settings.mode) or sentence(guards) or "on"
    if counted:
        said += "; " + ", ".join(f"{name} {number}" for name, number in counted.items()) + " since the start"
    values = {
        "guards": {
            "mode": guards.settings.mode,
            "undo": guards.settings.undo,
            "decided": counted,
            "rules": dict(guards.records.by_rule.most_common()),
            "kept_bytes": used,
            "notice": sentence(guards),
        }
    }
    return Status(values, (("guards", said),))


async def rule_files(services: Services) -> str | None:
    """Are all rule files in force, and does `[guards] allow` name rules? One line for each that is not."""
    guards = services.get(Guards)
    named = [
        f"config.toml, guards, allow: {name!r} is no rule that can be switched off. `holdfast guard list` names them."
        for name, is_rule in guards.allowed_names().items()
        if not is_rule
    ]
    return "\n".join((*guards.rulebook.all_problems(), *named)) or None


async def switched_on(services: Services) -> str | None:
    """Are guards on, and were they while commands ran?"""
    guards = services.get(Guards)
    said = sentence(guards)
    if not said:
        return None
    fix = "`holdfast guard refusals` lists them." if guards.settings.mode == "on" else 'Set `[guards] mode = "on"`.'
    return f"{said[0].upper()}{said[1:]}. {fix}"
