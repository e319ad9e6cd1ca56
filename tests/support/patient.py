"""The product in a real daemon whose steps may take long: for tests of what an agent is told, on a machine that is busy
with other tests. A step that is late is left out, which is right for a user and would fail such a test."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from holdfast.daemon import supervisor, worker
from holdfast.daemon.compose import Parts
from holdfast.program import PROGRAM
from tests.support.daemon import DaemonHome
from tests.support.patience import PATIENCE, patient

ROOT = Path(__file__).parents[2]


class PatientHome(DaemonHome):
    """A daemon that leaves no step out because it is late. (One that `restart` renews is the product's own.)"""

    def launch(self, **environment: str) -> subprocess.Popen[bytes]:
        launched = subprocess.Popen(
            [sys.executable, "-m", "tests.support.patient", "supervisor", str(self.home.root)],
            env=self.environment | {"PYTHONPATH": str(ROOT)} | environment,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._processes.append(launched)
        return launched


def main(words: list[str]) -> int:
    role, *arguments = words
    if role == "supervisor":
        return supervisor.main(arguments, worker=("-m", "tests.support.patient", "worker"))
    return worker.main(arguments, Parts(program=patient(PROGRAM), patience=PATIENCE))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
