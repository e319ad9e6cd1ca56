"""The sentence model: a text's vector depends on that text alone, and a long one holds little memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from holdfast.recall import sentence_models as models

HELD = """
import sys
from pathlib import Path
from holdfast.recall import sentence_models as models

def peak():
    return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) // 1024

embedder = models.load(Path(sys.argv[1]))
before = peak()
embedder.embed_items(["the quick brown fox jumps over the lazy dog " * 60] * 32)
print(peak() - before)
"""


def test_a_direction_does_not_depend_on_its_neighbours(model_folder: Path) -> None:
    embedder = models.load(model_folder)
    texts = ["The physician treated a patient.", "compiler " * 200, "a", "", "The build is red since Monday. " * 12]
    together = embedder.embed_items(texts)
    alone = np.concatenate([embedder.embed_items([text]) for text in texts])
    assert (together == alone).all(), "a batch would change what an int8 model gives: questions come alone"
    assert embedder.embed_items([]).shape == (0, embedder.dimensions)


@pytest.mark.requirement("PRF-4")
@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
def test_embedding_long_texts_holds_little_memory_and_tells_nobody(model_folder: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", HELD, str(model_folder)]
    own = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | own)
    assert list(tmp_path.rglob("*")) == [], "ONNX Runtime keeps here what it means to send to its maker"
    assert int(done.stdout) < 300, "MB more than the loaded model has: 80 to 180; without the bound 500 to 600"
