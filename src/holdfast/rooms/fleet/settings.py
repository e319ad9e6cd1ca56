"""What the user may choose about the fleet: `[fleet]` of config.toml. A project's file has no say in it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

NoticeWay = Literal["bell", "desktop", "command"]


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Which agent needs you, and how you learn it."""

    notify: Annotated[
        tuple[NoticeWay, ...],
        Meta(
            description="How to notify you that an agent needs you: `bell` rings its terminal, `desktop` shows a "
            "notification (notify-send, or osascript on macOS), `command` runs `fleet.command`. Empty: not at all."
        ),
    ] = ()
    command: Annotated[
        tuple[str, ...],
        Meta(
            description='A program and its arguments, such as `["/usr/local/bin/page-me"]`. No shell is involved: the '
            "fields of the agent come as JSON on stdin and as FLEET_STATUS, FLEET_NEEDS, FLEET_PROJECT, FLEET_AGENT "
            "and FLEET_SESSION in its environment. It is ended after 10 seconds."
        ),
    ] = ()
    notify_after_seconds: Annotated[
        int, Meta(ge=0, le=3_600, description="Seconds that an agent waits, unseen, before you are notified.")
    ] = 5
    quiet_seconds: Annotated[
        int, Meta(ge=0, le=86_400, description="Seconds between two notifications about the same agent, at least.")
    ] = 60
    quiet_hours: Annotated[
        str,
        Meta(
            pattern=r"^$|^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$",
            description="Local hours without notifications, such as `22:00-07:30`; empty: none.",
        ),
    ] = ""
    client: Annotated[
        str,
        Meta(
            description="The Claude Code whose own list of sessions (`claude agents --json`) is asked where events "
            "leave a status open: after Esc the client fires none. Empty: it is not asked."
        ),
    ] = "claude"
    colours: Annotated[
        tuple[Annotated[str, Meta(pattern=r"^(error|attention|working|checked|done)=[A-Za-z0-9#,= -]{0,80}$")], ...],
        Meta(
            description="Styles of panes with `holdfast fleet --tmux`, as tmux writes them. A status without one keeps "
            "the pane's own."
        ),
    ] = ("error=bg=colour52", "attention=bg=colour58", "working=bg=colour17", "checked=bg=colour236")
    ended_minutes: Annotated[
        int, Meta(ge=0, le=10_080, description="Minutes for which `holdfast fleet` shows a session that ended.")
    ] = 15

    def styles(self) -> dict[str, str]:
        """`colours`, by status."""
        return {name: style for name, _, style in (each.partition("=") for each in self.colours)}
