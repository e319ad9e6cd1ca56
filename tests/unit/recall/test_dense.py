"""The vectors of a project: searched exactly while few, by a graph when many, and gone when dropped."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

np = pytest.importorskip("numpy")

from holdfast.recall import dense as dense_module  # noqa: E402
from holdfast.recall.dense import Dense, ProjectVectors  # noqa: E402
from holdfast.recall.vectors import Made, pack, unpack  # noqa: E402

SIZE = 32

# Looked for, not imported: usearch before ONNX Runtime would crash the tests (see `dense`).
pytestmark = pytest.mark.skipif(
    find_spec("usearch") is None or find_spec("onnxruntime") is None, reason="needs holdfast[model]"
)


class Still:
    """An embedder that is never asked."""

    id = "still"
    dimensions = SIZE
    scale = None

    def embed_queries(self, texts: object) -> object:
        raise AssertionError

    embed_items = embed_queries


def directions(count: int, seed: int = 1) -> Any:
    made = np.random.default_rng(seed).normal(size=(count, SIZE)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def test_packing_loses_next_to_nothing() -> None:
    made = directions(50)
    back = unpack(pack(made))
    assert len(pack(made)[0]) == SIZE
    assert ((made * back).sum(axis=1) / np.linalg.norm(back, axis=1)).min() > 0.999
    assert unpack(pack(np.zeros((1, SIZE), dtype=np.float32))).tolist() == [[0.0] * SIZE]


@pytest.mark.requirement("MEM-7")
@pytest.mark.parametrize("length", [0.5, 0.8, 1.0])
def test_the_length_of_a_mean_is_kept(length: float) -> None:
    back = unpack(pack(length * directions(50)))
    assert np.linalg.norm(back, axis=1) == pytest.approx(length, abs=0.02)


@pytest.mark.parametrize("exact", [10_000, 100])
def test_the_vectors_of_a_project(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, exact: int) -> None:
    monkeypatch.setattr(dense_module, "EXACT", exact)
    made = directions(400)
    seqs = [number - 200 for number in range(400)]  # PostgreSQL's numbers may be negative
    vectors = ProjectVectors(SIZE, tmp_path / "one.usearch")
    for start in range(0, 400, 50):
        vectors.add(seqs[start : start + 50], made[start : start + 50])
    vectors.add(seqs[:10], made[:10])
    assert len(vectors) == 400
    for number in (0, 150, 399):
        found = vectors.nearest(made[number], 5)
        assert max(found, key=lambda seq: found[seq]) == seqs[number]
        assert len(found) == 5
    exactly = vectors.cosines(made[7], [seqs[7], seqs[8], 10**9])
    assert exactly[seqs[7]] == pytest.approx(1.0, abs=0.01)
    assert set(exactly) == {seqs[7], seqs[8]}
    vectors.drop([seqs[7], seqs[399], seqs[0], 10**9])
    assert len(vectors) == 397
    assert seqs[7] not in vectors.nearest(made[7], 50)
    assert vectors.cosines(made[398], [seqs[398]])[seqs[398]] == pytest.approx(1.0, abs=0.01)
    assert vectors.sample(made[0]).shape == (410,)


def test_a_graph_is_kept_in_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(dense_module, "EXACT", 100)
    made = directions(300)
    vectors = pack(made)
    dense = Dense(Still(), tmp_path / "vectors")  # type: ignore[arg-type]
    dense.add([Made(number, "p", vector) for number, vector in enumerate(vectors)])
    dense.keep()
    (file,) = (tmp_path / "vectors").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    before = file.stat().st_size
    dense.drop(range(250))
    assert len(dense.nearest(None, made[0], (), ("p",), 300)) == 50
    again = Dense(Still(), tmp_path / "vectors")  # type: ignore[arg-type]
    again.add([Made(number, "p", vector) for number, vector in enumerate(vectors) if number >= 150])
    assert max((found := again.nearest(None, made[200], (), ("p",), 3)), key=lambda seq: found[seq]) == 200
    assert before > 0
    file.write_bytes(b"damaged")
    third = Dense(Still(), tmp_path / "vectors")  # type: ignore[arg-type]
    third.add([Made(number, "p", vector) for number, vector in enumerate(vectors)])
    assert len(third.nearest(None, made[0], (), ("p",), 300)) == 300


def test_projects_are_apart() -> None:
    made = directions(4)
    vectors = pack(made)
    dense = Dense(Still())  # type: ignore[arg-type]
    dense.add([Made(number, f"p{number % 2}", vector) for number, vector in enumerate(vectors)])
    assert set(dense.nearest(None, made[0], (), ("p0",), 9)) == {0, 2}
    assert set(dense.nearest(None, made[0], (), (), 9)) == {0, 1, 2, 3}
    assert dense.nearest(None, made[0], (), ("nowhere",), 9) == {}
    assert dense.background(None, made[0], ("nowhere",)) == (0.5, 0.1)
    mean, deviation = dense.background(None, made[0], ())
    assert -1 < mean < 1
    assert deviation >= 0.01
