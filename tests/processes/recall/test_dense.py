"""The vector library and the model runtime in one interpreter of their own."""

from __future__ import annotations

import subprocess
import sys


def test_a_model_can_be_loaded_after_a_graph() -> None:
    """ONNX Runtime crashes when usearch was imported before it; whoever comes first, both must live."""
    script = (
        "import numpy, holdfast.recall.dense as d; d.EXACT = 1\n"
        "vectors = d.ProjectVectors(8, None); vectors.add([1, 2, 3], numpy.eye(3, 8, dtype='float32'))\n"
        "import holdfast.recall.onnx; print(len(vectors.nearest(numpy.eye(8, dtype='float32')[0], 2)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("2\n", 0), done.stderr
