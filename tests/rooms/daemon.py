"""A real daemon of other rooms: the supervisor and the worker of the product, handed a test's parts by their name."""

from __future__ import annotations

import atexit
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from holdfast.daemon import supervisor, worker
from holdfast.daemon.compose import Parts
from holdfast.events.endpoint import Endpoint
from holdfast.events.steps import Program, Step
from holdfast.program import CATALOG, PROGRAM, ROOMS
from holdfast.rooms.room import Ground, Room
from tests.rooms import albums, bells, notebook, probe
from tests.support.daemon import DaemonHome
from tests.support.patience import PATIENCE, patient

ROOT = Path(__file__).parents[2]


def _never(ground: Ground) -> tuple[object, ...]:
    return (1 // 0,)


def _frozen() -> int:
    return bells.NOON


def numbered(room: Room) -> Room:
    """The room with the next free numbers for its migrations, which a contributor types by hand: NNNN stands there, so
    that no migration of the product takes the number away."""
    assert room.sql is not None
    folder = Path(tempfile.mkdtemp(prefix="hfroom"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "migrations").mkdir()
    shutil.copy(room.sql / f"{room.name}.sql", folder)
    for number, file in enumerate(sorted((room.sql / "migrations").glob("NNNN_*.sql")), len(CATALOG.migrations) + 1):
        shutil.copy(file, folder / "migrations" / file.name.replace("NNNN", f"{number:04}"))
    return replace(room, sql=folder)


def with_step(event: str, step: Step) -> Program:
    """The product's program with one more line."""
    on_event = PROGRAM[event]
    return patient(MappingProxyType({**PROGRAM, event: replace(on_event, steps=(*on_event.steps, step))}))


def with_notebook() -> Parts:
    rooms = (*ROOMS, numbered(notebook.ROOM), probe.ROOM)
    return Parts(rooms=rooms, program=with_step("UserPromptSubmit", notebook.STEP), patience=PATIENCE)


PARTS = {
    "bells": Parts(rooms=(*ROOMS, bells.ROOM), program=bells.LINES, now=_frozen),
    "the same room twice": Parts(rooms=(*ROOMS, bells.ROOM, bells.ROOM)),
    "a tool without a description": Parts(
        rooms=(*ROOMS, replace(bells.ROOM, tools=(replace(bells.ROOM.tools[0], summary=""),)))
    ),
    "a section that is taken": Parts(rooms=(*ROOMS, replace(bells.ROOM, more_settings=(("memory", probe.Settings),)))),
    "a room that cannot be built": Parts(rooms=(*ROOMS, replace(bells.ROOM, build=_never))),
    "a path of the house": Parts(
        rooms=(*ROOMS, replace(bells.ROOM, endpoints=(Endpoint("/api/status", bells.hours, methods=("GET",)),)))
    ),
    "a service of another room": Parts(
        rooms=(*ROOMS, bells.ROOM, replace(probe.ROOM, build=lambda ground: bells.ROOM.build(ground)))
    ),
    "steps of a room that is not there": Parts(program=bells.LINES),
}


def with_wrong_number() -> Parts:
    """The migration of the notebook with a number that leaves a gap."""
    room = numbered(notebook.ROOM)
    assert room.sql is not None
    for file in (room.sql / "migrations").iterdir():
        file.rename(file.with_name(f"9999_{file.name[5:]}"))
    return Parts(rooms=(*ROOMS, room))


def with_albums() -> Parts:
    return Parts(rooms=(*ROOMS, numbered(albums.ROOM)), patience=PATIENCE)


MADE: dict[str, Callable[[], Parts]] = {
    "notebook": with_notebook,
    "albums": with_albums,
    "a migration out of order": with_wrong_number,
}
"""Those that need a folder: made in the process that asks."""


class RoomsHome(DaemonHome):
    """A home whose daemon has the rooms that a name stands for."""

    rooms = "bells"

    def launch(self, **environment: str) -> subprocess.Popen[bytes]:
        launched = subprocess.Popen(
            [sys.executable, "-m", "tests.rooms.daemon", "supervisor", self.rooms, str(self.home.root)],
            env=self.environment | {"PYTHONPATH": str(ROOT)} | environment,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._processes.append(launched)
        return launched


def main(words: list[str]) -> int:
    role, name, *arguments = words
    if role == "supervisor":
        return supervisor.main(arguments, worker=("-m", "tests.rooms.daemon", "worker", name))
    return worker.main(arguments, MADE[name]() if name in MADE else PARTS[name])


def command(home: DaemonHome, table: Path, *words: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """One command of a `holdfast` that was built with the rooms of this table."""
    script = "import sys; from pathlib import Path; from holdfast.doors.cli.main import main\n"
    script += "sys.exit(main(sys.argv[2:], Path(sys.argv[1])))"
    return subprocess.run(
        [sys.executable, "-c", script, str(table), *words],
        env=home.environment,
        cwd=folder or home.home.root,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
