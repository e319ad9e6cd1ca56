"""A real daemon of other rooms: the supervisor and the worker of the product, handed a test's parts by their name."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from holdfast.daemon import supervisor, worker
from holdfast.daemon.compose import Parts
from holdfast.program import ROOMS
from tests.rooms import bells
from tests.support.daemon import DaemonHome

ROOT = Path(__file__).parents[2]


def _frozen() -> int:
    return bells.NOON


PARTS = {
    "bells": Parts(rooms=(*ROOMS, bells.ROOM), program=bells.LINES, now=_frozen),
    "the same room twice": Parts(rooms=(*ROOMS, bells.ROOM, bells.ROOM)),
    "a tool without a description": Parts(
        rooms=(*ROOMS, replace(bells.ROOM, tools=(replace(bells.ROOM.tools[0], summary=""),)))
    ),
    "a section that is taken": Parts(rooms=(*ROOMS, replace(bells.ROOM, more_settings={"memory": bells.Settings}))),
}


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
    parts: Any = PARTS[name]
    return worker.main(arguments, parts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
