"""The decision about one command line: every run is read, every rule asked, the strictest answer counts. Pure.

What is decided here needs no file system; `facts` then asks about the targets and `undo` may keep their bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from holdfast.rooms.guards.judging import sql
from holdfast.rooms.guards.judging.deeds import deeds
from holdfast.rooms.guards.judging.matching import Packs, Rule, matching
from holdfast.rooms.guards.judging.places import Kind, Spot, spot
from holdfast.rooms.guards.model import STRICTNESS, Decision, Deed, Finding, Reading, Run, Where

_DELETE: dict[Kind, tuple[Decision, Decision]] = {
    # one file, a whole tree
    "system": ("deny", "deny"),
    "home": ("deny", "deny"),
    "device": ("deny", "deny"),
    "outside": ("ask", "deny"),
    "project": ("ask", "ask"),
    "inside": ("allow", "ask"),
    "artefact": ("allow", "allow"),
    "temporary": ("allow", "allow"),
    "nothing": ("allow", "allow"),
    "unknown": ("allow", "ask"),
}
_OVERWRITE: dict[Kind, Decision] = {
    "system": "deny", "home": "ask", "device": "deny", "outside": "ask", "project": "allow", "inside": "allow",
    "artefact": "allow", "temporary": "allow", "nothing": "allow", "unknown": "allow",
}  # fmt: skip
_WHERE: dict[Kind, str] = {
    "system": "is part of the system",
    "home": "is the home directory, or the settings in it",
    "device": "is a device",
    "outside": "is outside the project",
    "project": "is the whole project",
    "inside": "is in the project, and git may not have it",
    "unknown": "is only known when the command runs",
    "artefact": "is made again by the build",
    "temporary": "is temporary",
    "nothing": "is nothing",
}


def findings(reading: Reading, packs: Packs, where: Where) -> list[Finding]:
    """All rules that match, one entry per run and rule."""
    found: list[Finding] = []
    if reading.cut:
        found.append(
            Finding("guards.too-long", "ask", "the command is too long to be read whole", "run it in smaller parts")
        )
    for run in reading.runs:
        found += [_of_rule(rule, run, reason) for rule, reason in _of_packs(packs, run)]
        for deed in deeds(run):
            found += _of_deed(deed, run, where)
    return found


def _of_packs(packs: Packs, run: Run) -> Iterator[tuple[Rule, str]]:
    for rule in matching(packs, run):
        if not rule.unsafe_sql:
            yield rule, rule.reason
            continue
        said = "\n".join([run.program + " " + " ".join(run.texts), *run.texts, run.stdin or ""])
        said = re.sub(r"(?m)(?:^|(?<=\s))--?[\w-]+", " ", said)
        if what := sql.destroys(said):
            yield rule, f"the statement {what}"


def _of_rule(rule: Rule, run: Run, reason: str) -> Finding:
    return Finding(rule.id, rule.action, reason, rule.instead, brief(run), rule.act)


def _of_deed(deed: Deed, run: Run, where: Where) -> Iterator[Finding]:
    for target in deed.targets:
        place = spot(target, None if run.remote else run.directory, where)
        if run.remote and place.kind == "unknown" and target.known:
            place = spot(target, "", Where(home=where.home))
        decision = _decision(deed, place, bool(run.remote), where)
        if decision == "allow" and (place.kind != "inside" or not place.path.startswith("/")):
            continue  # of what is in the project the facts may still tell that it is worth keeping
        yield Finding(
            rule=f"files.{deed.act}",
            decision=decision,
            reason=f"`{deed.named_by}` on {_said(place)}, which {_WHERE[place.kind]}",
            instead=_instead(deed, place),
            command=brief(run),
            act=deed.act,
            targets=(place.path,) if place.path.startswith("/") else (),
        )


def _decision(deed: Deed, place: Spot, remote: bool, where: Where) -> Decision:
    match deed.act:
        case "delete":
            if deed.named_by == "mv" and place.kind not in ("system", "home", "device"):
                return "allow"
            single, tree = _DELETE[place.kind]
            if deed.filtered and place.kind in ("project", "inside", "unknown"):
                return "allow"
            if place.kind == "inside" and place.path.endswith("/<found>"):
                return "allow"
            if remote and place.kind in ("outside", "inside", "project"):
                return "ask" if deed.recursive else "allow"
            return tree if deed.recursive else single
        case "overwrite":
            if deed.named_by == "truncate" and place.kind == "inside":
                return "ask"
            if remote:
                return "deny" if place.kind in ("device",) else "allow"
            return _OVERWRITE[place.kind]
        case "permissions":
            return {"system": "deny", "home": "deny", "project": "ask", "outside": "ask", "device": "deny"}.get(  # type: ignore[return-value]
                place.kind, "allow"
            )
        case "discard":
            return "ask"


def _said(place: Spot) -> str:
    return place.said if len(place.said) <= 80 else f"{place.said[:77]}…"


def _instead(deed: Deed, place: Spot) -> str:
    match place.kind:
        case "unknown":
            return "write the path out, so that it can be checked"
        case "project" | "inside":
            return "name the files one by one, or commit or stash them first"
        case "outside" | "home" | "system" | "device":
            return "ask the user to do it"
        case _:
            return ""


def strictest(found: Iterable[Finding]) -> Finding | None:
    return max(found, key=lambda each: STRICTNESS[each.decision], default=None)


def brief(run: Run) -> str:
    """A run in a few words, for people."""
    words = " ".join([run.program or "?", *run.texts])
    return words if len(words) <= 120 else f"{words[:117]}…"
