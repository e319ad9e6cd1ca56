"""Undo's folder on a small disk, in a name space of its own: `python -m tests.processes.full_disk FOLDER KIND`.

Prints one JSON object: what was decided and what the store holds then.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

from holdfast.rooms.guards.settings import Settings
from tests.support.guarded import Sandbox, write

DISKS = {
    "full": "size=128k",
    "no names left": "size=4m,nr_inodes=14",
    "read-only": "size=4m",
    "file too large": "size=4m",
    "full behind the bytes": "size=128k",
}


def main(folder: Path, kind: str) -> None:
    sandbox = Sandbox(folder, Settings())
    os.environ["HOME"] = str(sandbox.home)
    undo = folder / "holdfast" / "guards" / "undo"
    undo.mkdir(parents=True)
    subprocess.run(("mount", "-t", "tmpfs", "-o", DISKS[kind], "tmpfs", str(undo)), check=True)
    write(sandbox.root / "small.txt", "the only copy\n")
    write(sandbox.root / "big.bin", "x" * (60_000 if kind == "full behind the bytes" else 300_000))
    for number in range(12):
        write(sandbox.root / "many" / f"{number}.txt", "one of many\n")
    first = sandbox.judge("rm small.txt", keep=True)
    assert first.kept is not None
    if kind == "full behind the bytes":
        left = os.statvfs(undo).f_bavail * 4096 - 15 * 4096  # room for the bytes, and for nothing more
        (undo / "filler").mkdir()
        write(undo / "filler" / "x", "y" * max(0, left))
    if kind == "read-only":
        subprocess.run(("mount", "-o", "remount,ro", str(undo)), check=True)
    if kind == "file too large":
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    command = "rm -r many" if kind == "no names left" else "rm big.bin"
    second = sandbox.judge(command, keep=True)
    third = sandbox.judge("echo x > big.bin", keep=True) if kind != "no names left" else second
    os.remove(sandbox.root / "small.txt")
    back = sandbox.guards.undo.restore(sandbox.guards.undo.find(first.kept.id))
    told = {
        "decisions": [each.verdict.decision for each in (second, third)],
        "kept": [each.kept is not None or each.verdict.kept for each in (second, third)],
        "reason": second.verdict.reason,
        "listed": [each.command for each in sandbox.guards.undo.listed()],
        "halves": [name for name in os.listdir(undo) if name not in (first.kept.id, "filler")],
        "back": [os.path.basename(path) for path in back],
        "small": (sandbox.root / "small.txt").read_text(),
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
