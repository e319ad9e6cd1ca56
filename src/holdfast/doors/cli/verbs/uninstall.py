"""uninstall: the hooks out of every settings file; with --purge also the daemon and everything it kept."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import click

from holdfast.doors.cli import show
from holdfast.doors.cli.client import lock_holder, only_a_person
from holdfast.doors.cli.main import Call
from holdfast.doors.cli.options import consent, json_option, project_root, yes_option
from holdfast.errors import ConfigError, HoldfastError, Refused
from holdfast.paths import Home


@click.command()
@click.option("--purge", is_flag=True, help="Also stop the daemon and remove the home, with everything in it.")
@yes_option
@json_option
@click.pass_obj
def uninstall(call: Call, purge: bool, yes: bool, as_json: bool) -> None:
    """Take the hooks out of the settings again.

    A file that nobody else changed since gets back exactly the bytes it had; from others only our hooks are removed.
    What holdfast remembers stays in the home, unless --purge is given.

    \b
    Examples:
      holdfast uninstall
      holdfast uninstall --purge --yes
    """
    from holdfast.doors.cli import control
    from holdfast.install import InstallScope, apply_uninstall, describe, plan_uninstall
    from holdfast.install import as_json as to_json
    from holdfast.install.settings import settings_file

    only_a_person("uninstall")
    home = call.home
    root = project_root()
    plan = plan_uninstall(home, also=[(scope, settings_file(scope, root, os.environ)) for scope in InstallScope])
    doomed = contents(home, call.rooms["rooms"]) if purge else []
    if purge:
        plan = replace(plan, keeps=_elsewhere(home))
    if purge and plan.notices:
        raise Refused(
            f"{plan.notices[0].sentence} The home was not removed, because the record in it is needed to undo that."
        )
    if not as_json:
        show.say(describe(plan, show.width()).rstrip("\n"))
        if doomed:
            show.say()
            show.say(show.paint(f"--purge removes everything holdfast keeps in {home.root}, for good:", "bold"))
            show.say("  " + " ".join(path.name for path in doomed))
        show.say()
    if plan.nothing_to_do and not doomed:
        if as_json:
            show.say_json({"changed": False, "plan": to_json(plan), "receipt": None, "purged": []})
        return
    consent("Remove all this?" if doomed else "Remove the hooks?", yes=yes, as_json=as_json)
    receipt = None if plan.nothing_to_do else apply_uninstall(plan)
    if purge:
        control.stop(home)
        left = remove(home, call.rooms["rooms"])
        receipt = replace(receipt, path=None) if receipt else None  # it was purged, too
    if as_json:
        shown = to_json(receipt) if receipt else None
        names = [path.name for path in doomed]
        show.say_json({"changed": True, "plan": to_json(plan), "receipt": shown, "purged": names})
        return
    if receipt:
        show.say(describe(receipt, show.width()).rstrip("\n"))
    if purge:
        stays = f" What is not holdfast's stays there: {', '.join(left)}." if left else ""
        show.say(f"{home.root} was purged.{stays}")
    elif lock_holder(home) is not None:
        show.say(f"The daemon still runs; `{home.command} stop` ends it.")


def contents(home: Home, rooms: Iterable[str]) -> list[Path]:
    """What is holdfast's in the home. Only this is removed: the home may be a folder that holds other things too."""
    named = [
        *(home.root / room for room in rooms),
        *(home.root / name for name in ("models", "vectors", "plugin", "gone-since")),
        *(home.pauses, home.pauses.with_suffix(".lock")),
        *(home.config, home.token, home.socket, home.lock, home.manifest, home.launcher),
        *(home.store_record, home.forgotten, home.stopped, home.bin),
        *(home.spool, home.logs, home.backups, home.root / "receipts"),
        *home.root.glob(f"{home.database.name}*"),
        *home.root.glob(f".{home.database.name}*"),
    ]
    return [path for path in named if os.path.lexists(path)]


def _elsewhere(home: Home) -> tuple[str, ...]:
    """A store outside the home is not ours to remove."""
    from holdfast import config
    from holdfast.store.mask import mask

    try:
        url = config.load(home.config, rooms=()).config.store.url
    except ConfigError:
        return ()
    return (f"the store {mask(url)}, which is not in the home",) if url else ()


def remove(home: Home, rooms: Iterable[str]) -> list[str]:
    """Remove the contents, and the home when nothing else is in it: the names of what is left."""
    try:
        for path in contents(home, rooms):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)
        left = sorted(path.name for path in home.root.iterdir()) if home.root.exists() else []
        if not left and home.root.exists():
            home.root.rmdir()
    except OSError as error:
        raise HoldfastError(
            f"{error.filename} could not be removed ({error.strerror}); the rest may be gone."
        ) from error
    return left
