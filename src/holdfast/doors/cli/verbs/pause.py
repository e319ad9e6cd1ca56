"""pause, resume: stop recording for a while, and go on (MEM-30). They write a file of the home and need no daemon."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.client import only_a_person
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option
from holdfast.errors import UsageError
from holdfast.ids import ConversationId, now_us
from holdfast.paths import Home
from holdfast.pauses import FOR_EVER, SHORT_ID, Pause, PauseFile, ended, told, words
from holdfast.project_file import ProjectFiles, read_file
from holdfast.times import clock_time, span

_HERE = "."
_TOO_SHORT = re.compile(rf"[0-9a-f]{{1,{SHORT_ID - 1}}}")

_session_option = click.option(
    "--session",
    is_flag=False,
    flag_value=_HERE,
    default="",
    metavar="[ID]",
    help="One session: the one that this command runs in, or the one named.",
)
_project_option = click.option(
    "--project",
    is_flag=False,
    flag_value=_HERE,
    default="",
    metavar="[FOLDER]",
    help="One project: that of the current folder, or of the one named.",
)


@click.command()
@_session_option
@_project_option
@click.option("--for", "length", default="", metavar="TIME", help="End by itself after 30m, 2h, 3d.")
@json_option
@click.pass_obj
def pause(call: Call, session: str, project: str, length: str, as_json: bool) -> None:
    """Stop recording: everything, or one project, or one session.

    Nothing that happens meanwhile is kept, and nothing of it is taken later from the spool or the transcripts. Nothing
    is given to the agent unasked. Guards stay on.

    \b
    Examples:
      holdfast pause --for 2h
      holdfast pause --project
      holdfast pause --session 2f1c9c0e
    """
    only_a_person("pause")
    now = now_us()
    wanted = _meant(call.home, session, project)
    new = Pause(wanted.scope, wanted.target, now, now + span(length) if length else FOR_EVER, wanted.root)

    def begin(pauses: Sequence[Pause]) -> Sequence[Pause]:
        """The pause that is in force for the same gives way, so that its end is the one that was asked for."""
        return [*ended(pauses, now, lambda each: _same(each, new)), new]

    PauseFile(call.home.pauses).change(begin)
    if as_json:
        show.say_json(told(new))
    else:
        show.say(f"{_sentence(new)}. Guards stay on. `{_way_back(new)}` goes on recording.")


@click.command()
@_session_option
@_project_option
@click.option("--all", "everything", is_flag=True, help="End every pause, also those of other projects and sessions.")
@json_option
@click.pass_obj
def resume(call: Call, session: str, project: str, everything: bool, as_json: bool) -> int:
    """Record again: end the pauses that hold here, or those of one project or session.

    What happened in a pause stays unrecorded. Exits with 1 when recording is still off here.

    \b
    Example:
      holdfast resume
    """
    only_a_person("resume")
    now, file = now_us(), PauseFile(call.home.pauses)
    here = _places(call.home)
    own = os.environ.get("CLAUDE_CODE_SESSION_ID", "")
    wanted = _meant(call.home, session, project) if session or project else None

    def is_meant(each: Pause) -> bool:
        if each.by == "settings":
            return False
        if everything:
            return True
        return _same(each, wanted) if wanted else each.is_about(ConversationId(own), {here.target})

    before = file.read()
    after = file.change(lambda pauses: ended(pauses, now, is_meant))
    gone = [each for each in before if each.until > now and is_meant(each)]
    left = recording_here(call.home)
    others = [each for each in after if each.until > now and each.by == "person"]
    if as_json:
        show.say_json(
            {"ended": [told(each) for each in gone], "recording": left is None, "left": told(left) if left else None}
        )
        return 1 if left else 0
    show.say(f"{len(gone)} pause{'s' if len(gone) != 1 else ''} ended." if gone else "No pause was in force here.")
    if left:
        show.say(f"Still {words(left, clock_time)}.")
    elif others:
        more = "1 pause holds" if len(others) == 1 else f"{len(others)} pauses hold"
        show.say(f"{more} elsewhere; `holdfast resume --all` ends {'it' if len(others) == 1 else 'them'}.")
    return 1 if left else 0


def recording_here(home: Home) -> Pause | None:
    """The pause that holds in the current folder (and session, inside one), if any."""
    from holdfast.road.recording import recording_alone

    return recording_alone(home.root).pause_of(*_here(), "", now_us(), now_us())


def recording_state(home: Home) -> dict[str, Any]:
    """What `status` says of recording where no daemon says it."""
    from holdfast.road.recording import recording_alone

    return recording_alone(home.root).state(*_here(), now_us())


def _here() -> tuple[ConversationId, str]:
    """The session that this command runs in, and the current folder; '' where there is none."""
    try:
        folder = os.getcwd()
    except OSError:
        folder = ""
    return ConversationId(os.environ.get("CLAUDE_CODE_SESSION_ID", "")), folder


def _meant(home: Home, session: str, project: str) -> Pause:
    """What is to be paused, as a pause without its times."""
    if session and project:
        raise UsageError("Name a session or a project, not both.")
    if session:
        named = os.environ.get("CLAUDE_CODE_SESSION_ID", "") if session == _HERE else session
        if not named:
            raise UsageError(
                "This command does not run inside a session. Name one: `holdfast journal` shows the ids, and so does "
                "`/status` in Claude Code."
            )
        if _TOO_SHORT.fullmatch(named):
            raise UsageError(
                f"{named} is too short for a session's id: give its first {SHORT_ID} characters. Nothing was changed."
            )
        return Pause("session", named)
    return _places(home, "" if project == _HERE else project) if project else Pause("all")


def _places(home: Home, folder: str = "") -> Pause:
    """The project of a folder (the current one, when none is named), as a pause without its times."""
    from holdfast.road.identity import whereabouts

    place = os.path.abspath(os.path.expanduser(folder)) if folder else os.getcwd()
    if not os.path.isdir(place):
        raise UsageError(f"There is no folder {place}; nothing was changed.")
    projects, user = ProjectFiles(), read_file(home.config)
    found = whereabouts(place, lambda root: projects.at(root).name or user.name)
    return Pause("project", found.place, root=found.worktree)


def _way_back(pause: Pause) -> str:
    """The command that ends a pause, wherever it is given."""
    is_elsewhere = pause.scope == "session" and pause.target != os.environ.get("CLAUDE_CODE_SESSION_ID", "")
    return f"holdfast resume --session {pause.target}" if is_elsewhere else "holdfast resume"


def _same(one: Pause, other: Pause) -> bool:
    return one.by == other.by and (one.scope, one.target) == (other.scope, other.target)


def _sentence(pause: Pause) -> str:
    of = {
        "all": "Recording is paused everywhere",
        "project": f"Recording is paused in {pause.root}",
        "session": f"Recording is paused for session {pause.target}",
    }[pause.scope]
    return of + (f" until {clock_time(pause.until)}" if pause.until < FOR_EVER else "")
