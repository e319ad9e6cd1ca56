"""The sentences that agents read. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.rooms.work.model import Effort
from holdfast.rooms.work.rules import artifact_name, named
from holdfast.visible import visible

_MOST_FILES = 8


def log_call(command: str, *, has_tools: bool) -> str:
    """How to log, in the words that the agent types."""
    by_tool = ', or call the tool `effort` with action="log"' if has_tools else ""
    return f'`{command} effort log "what you did"`{by_tool}'


def blocked(effort: Effort, count: int, how: str) -> str:
    return (
        f"This is call {count} since the last entry in the log of effort {named(effort)}, which asks for one every "
        f"{effort.config.block_after}. Log what you did, then call again: {how}."
    )


def warned(effort: Effort, count: int, how: str) -> str:
    after = effort.config.block_after
    then = f" From {after} on calls are refused." if effort.heartbeat == "block" else ""
    return f"{count} calls since the last entry in the log of effort {named(effort)}.{then} Log what you did: {how}."


def overflow(effort: Effort, percent: int, command: str, *, has_tools: bool) -> str:
    by_tool = ', or call the tool `effort` with action="dehydrate"' if has_tools else ""
    return (
        f"The context window is {percent} % full. Before you go on, leave a hand-over for the next window of effort "
        f'{named(effort)}: `{command} effort dehydrate "where it stands" --step "what is next" --file PATH`{by_tool}.'
    )


def begun(effort: Effort, how: str, *, is_new: bool) -> str:
    """What a window is told of its effort, in holdfast's and the user's words; `course` says the rest."""
    verb = "begins" if is_new else "goes on"
    lines = [f"Effort {named(effort)} {verb} (id {effort.id[-8:]}). Task: {visible(effort.dir_path)}."]
    if effort.title:
        lines.append(effort.title)
    if effort.heartbeat != "off":
        lines.append(f"Log what you do in {artifact_name(effort, 'LOG')}: {how}.")
    return "\n".join(lines)


def course(effort: Effort) -> str:
    """Mode and phases, in the words of the skill's file."""
    mode = f"Mode: {effort.mode}. " if effort.mode else ""
    phase = f"Phase: {effort.phase}." if effort.phase else ""
    order = " → ".join(phase.label for phase in effort.config.phases if not phase.is_inner)
    return f"{mode}{phase}{f' Phases: {order}.' if order else ''}".strip()


def documents(effort: Effort, names: Sequence[str], command: str) -> str:
    """The documents that the effort has, besides its log."""
    if len(names) < 2:
        return ""
    more = f" and {len(names) - _MOST_FILES} more" if len(names) > _MOST_FILES else ""
    shown = f"{', '.join(names[:_MOST_FILES])}{more}"
    return f"Documents: {shown}. `{command} effort show {effort.id[-8:]} --write .` writes them to disk."


def offered(files: Sequence[str]) -> str:
    """Files that the effort read before, for a window that begins."""
    shown = files[-_MOST_FILES:]
    return f"Files that this effort has read: {', '.join(map(visible, shown))}." if shown else ""


def handover(text: str) -> str:
    return f"Left by the window before:\n{text}"


def for_subagent(effort: Effort, parent: str, how: str) -> str:
    """What a subagent is told of the effort that it works for."""
    return f"{begun(effort, how, is_new=False)}\nYou work for it as a subagent of session {parent[-8:]}."


def skill_says(effort: Effort) -> str:
    """What files of the repository say to a subagent."""
    lines = []
    if effort.config.log_template:
        lines.append(f"Write log entries like this:\n{effort.config.log_template}")
    if effort.config.directives:
        lines += ["The skill says:", *effort.config.directives]
    if effort.directives:
        lines.append(f"Directives of the repository: {', '.join(map(visible, effort.directives[-_MOST_FILES:]))}.")
    return "\n".join(lines)


def next_skills(effort: Effort) -> str:
    skills = effort.config.next_skills
    return f"Next: {', '.join(f'/{skill}' for skill in skills)}." if skills else ""
