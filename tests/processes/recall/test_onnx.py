"""The sentence model: what goes through it together, and what that holds of memory."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from holdfast.recall import sentence_models as models
from holdfast.recall.onnx import AREA, BATCH, batches

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


@pytest.mark.parametrize("seed", range(20))
def test_every_text_is_in_one_batch_and_no_batch_is_large(seed: int) -> None:
    chance = random.Random(seed)
    lengths = [chance.choice([1, 3, 20, 64, 130, 512]) + chance.randrange(3) for _ in range(chance.randrange(60))]
    parts = batches(lengths)
    assert sorted(number for part in parts for number in part) == list(range(len(lengths)))
    for part in parts:
        assert 0 < len(part) <= BATCH
        assert len(part) == 1 or len(part) * max(lengths[number] for number in part) ** 2 <= AREA


def test_short_texts_go_together() -> None:
    assert len(batches([16] * 64)) == 4


def test_a_direction_does_not_depend_on_its_neighbours(model_folder: Path) -> None:
    embedder = models.load(model_folder)
    texts = ["The physician treated a patient.", "compiler " * 200, "a", "", "The build is red since Monday. " * 12]
    together = embedder.embed_items(texts)
    alone = np.concatenate([embedder.embed_items([text]) for text in texts])
    assert (together * alone).sum(axis=1).min() > 0.95, "only what quantizing per batch changes"
    assert embedder.embed_items([]).shape == (0, embedder.dimensions)


@pytest.mark.requirement("PRF-4")
@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
def test_embedding_long_texts_holds_little_memory(model_folder: Path) -> None:
    command = [sys.executable, "-c", HELD, str(model_folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 300, "MB more than the loaded model has: 80 to 180; without the bound 500 to 600"
