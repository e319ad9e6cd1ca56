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
        many = "1 command" if missed == 1 else f"{missed} commands"
        return f"{many} that a guard would have refused ran while the daemon was away"
    return ""


_SIGNS = {"on": "guards on", "dry-run": "guards only watch (dry-run)", "off": "guards OFF"}


def sign(guards: Guards) -> str:
    """A few words for the sign of life."""
    some = f", {len(guards.settings.allow)} rules off" if guards.settings.mode == "on" and guards.settings.allow else ""
    missed = guards.records.counted["unguarded"]
    away = f", but away while {missed} ran that they refuse" if missed else ""
    return f"{_SIGNS[guards.settings.mode]}{some}{away}"


async def status(services: Services) -> Status:
    """The mode, what was decided since the start, and how much is kept."""
    guards = services.get(Guards)
    counted = {name: number for name, number in sorted(guards.records.counted.items()) if number}
    used = guards.undo.used()
    said = sentence(guards) or "on"
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
    """Are all rule files in force?"""
    return " ".join(services.get(Guards).rulebook.problems()) or None


async def switched_on(services: Services) -> str | None:
    """Are guards on, and were they while commands ran?"""
    guards = services.get(Guards)
    said = sentence(guards)
    if not said:
        return None
    fix = "`holdfast guard refusals` lists them." if guards.settings.mode == "on" else 'Set `[guards] mode = "on"`.'
    return f"{said[0].upper()}{said[1:]}. {fix}"
