"""service: a user service (systemd, launchd) that keeps the daemon running from login on (OPS-14)."""

from __future__ import annotations

import os

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.client import only_a_person
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import consent, json_option, yes_option
from holdfast.errors import HoldfastError
from holdfast.paths import write_private


@click.group()
def service() -> None:
    """Run the daemon from login on, as a user service (systemd or launchd).

    Nobody needs one: hooks start the daemon when they find none. `holdfast uninstall` removes it.

    \b
    Example:
      holdfast service install
    """


@service.command("install")
@yes_option
@json_option
@click.pass_obj
def install(call: Call, yes: bool, as_json: bool) -> None:
    """Install the service and start the daemon by it.

    Shows the plan and asks. A daemon that runs already is stopped first, so that the service has it.

    \b
    Example:
      holdfast service install --yes
    """
    import sys
    from pathlib import Path

    from holdfast.doors.cli import control
    from holdfast.install.launching import command_script, write_program
    from holdfast.install.service import install_service, plan_service

    home = call.home
    plan = plan_service(home, os.environ)
    if not as_json:
        show.say(show.fill(f"The service {plan.file.name} will run the daemon of {home.root}."))
        show.say()
        show.say(f"  file     {plan.file.path}")
        for words in plan.commands:
            show.say(f"  command  {' '.join(words)}")
        show.say()
        for line in plan.file.text.splitlines():
            show.say(f"    {line}")
        if plan.note:
            show.say()
            show.say(show.fill(plan.note))
        show.say()
    consent("Install this service?", yes=yes, as_json=as_json)
    control.check_home(home)
    write_program(home, command_script(Path(sys.executable), home))
    was_stopped = home.stopped.exists()
    ran = control.stop(home) is not None
    home.stopped.unlink(missing_ok=True)
    try:
        install_service(plan, os.environ)
    except HoldfastError as error:
        if was_stopped and not ran:
            write_private(home.stopped, b"holdfast stop\n")
        again = ""
        if ran:
            again = f" The daemon runs again without it: pid {control.start(home)['pid']}."
        raise HoldfastError(f"The service was not installed: {error}{again}") from error
    status = control.start(home)
    if as_json:
        facts = {"name": plan.file.name, "path": str(plan.file.path), "manager": plan.file.manager}
        show.say_json({"changed": not plan.is_current, **facts, "pid": status["pid"]})
    else:
        show.say(show.fill(f"The service {plan.file.name} runs the daemon: pid {status['pid']}, {status['url']}."))


@service.command("status")
@json_option
@click.pass_obj
def state(call: Call, as_json: bool) -> int:
    """Show whether the service is installed and running. Exits with 1 when it is not.

    \b
    Example:
      holdfast service status
    """
    from holdfast.install.service import service_state

    found = service_state(call.home, os.environ)
    if as_json:
        facts = {"name": found.name, "path": str(found.path) if found.path else None, "manager": found.manager}
        known = {"installed": found.is_installed, "running": found.is_running, "sentence": found.sentence}
        show.say_json(facts | known)
    else:
        show.say(show.fill(found.sentence))
    return 0 if found.is_running else 1


@service.command("remove")
@yes_option
@json_option
@click.pass_obj
def remove(call: Call, yes: bool, as_json: bool) -> None:
    """Stop the service and remove its file. Hooks start the daemon again when they need it.

    \b
    Example:
      holdfast service remove --yes
    """
    from holdfast.install import manifest
    from holdfast.install.service import remove_service

    only_a_person("service remove", "remove the service")
    recorded = manifest.load(call.home).service
    if recorded is None:
        if as_json:
            show.say_json({"changed": False, "path": None})
        else:
            show.say("No service is installed.")
        return
    if not as_json:
        show.say(show.fill(f"{recorded} will be stopped and removed."))
    consent("Remove the service?", yes=yes, as_json=as_json)
    trouble = remove_service(call.home, os.environ)
    if as_json:
        show.say_json({"changed": True, "path": recorded, "trouble": trouble})
    else:
        show.say(f"{recorded} was removed.")
        if trouble:
            show.tell(show.fill(f"holdfast: its manager did not stop it: {trouble}"))
