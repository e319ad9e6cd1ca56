"""start, stop, restart: the daemon's life. What they do is in `control.py`; here is what they say."""

from __future__ import annotations

import click

from holdfast.doors.cli import control, show
from holdfast.doors.cli.client import only_a_person
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import json_option


@click.command()
@json_option
@click.pass_obj
def start(call: Call, as_json: bool) -> None:
    """Start the daemon.

    Waits until it answers. When it is running already, nothing is done. (The hooks start it too, when they find
    none.)

    \b
    Example:
      holdfast start
    """
    was_running = control.running(call.home) is not None
    status = control.start(call.home)
    if as_json:
        show.say_json({"started": not was_running, **_facts(status)})
        return
    how = "is running already" if was_running else "runs"
    show.say(f"The daemon {how}: pid {status['pid']}, {status['url']}.")


@click.command()
@json_option
@click.pass_obj
def stop(call: Call, as_json: bool) -> None:
    """Stop the daemon; events that arrive meanwhile are kept.

    It finishes its work and ends. No hook starts it again before `holdfast start`, `up` or `restart`.
    Sessions that are open show an error at each tool call meanwhile; what happens in them is read from their
    transcripts later.

    \b
    Example:
      holdfast stop
    """
    only_a_person("stop")
    pid = control.stop(call.home)
    if as_json:
        show.say_json({"stopped": pid is not None, "pid": pid})
    else:
        show.say("The daemon was not running." if pid is None else f"The daemon (pid {pid}) has stopped.")
        show.say(
            show.fill(
                "It stays down until `holdfast start`: hooks do not start it. Until then all of holdfast is off: "
                "nothing is refused, answered or injected. Open Claude Code sessions go on; they show `connect "
                "ECONNREFUSED` at each tool call, and what happens in them is read from their transcripts later."
            )
        )


@click.command()
@json_option
@click.pass_obj
def restart(call: Call, as_json: bool) -> None:
    """Replace the running daemon by a new one, without losing an event.

    The sockets stay open meanwhile: a call waits a moment. The new daemon has the changed configuration and the new
    version; only a changed port makes it stop and start. When the daemon was down, it is started.

    \b
    Example:
      holdfast restart
    """
    status = control.restart(call.home)
    if as_json:
        show.say_json({"restarted": True, **_facts(status)})
    else:
        show.say(
            show.fill(
                f"The daemon was renewed: version {status['version']}, worker {status['worker_pid']}, {status['url']}."
            )
        )


def _facts(status: dict[str, object]) -> dict[str, object]:
    return {name: status[name] for name in ("version", "pid", "worker_pid", "url", "socket")}
