"""A sentence model in a folder (`model.onnx`, `tokenizer.json`), run by ONNX Runtime. Imported only when one is used.

One thread, not spinning: on few cores the thread pools of several libraries otherwise fight, and the daemon is idle
most of the time. ONNX Runtime tells its maker about every session since 1.29, over the network, unless a variable says
no before it is loaded.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import numpy as np
import onnxruntime
import tokenizers

from holdfast.errors import ConfigError
from holdfast.recall.sentence_models import Description
from holdfast.recall.vectors import FORMAT

if TYPE_CHECKING:
    from holdfast.recall.vectors import Floats


class OnnxEmbedder:
    """See `vectors.Embedder`."""

    def __init__(self, folder: Path, description: Description) -> None:
        self.id = f"{description.id}-{FORMAT}"
        self.scale = description.scale
        self._about = description
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(
                str(description.model_file(folder)), options, providers=["CPUExecutionProvider"]
            )
            self._tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        except Exception as error:
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            raise ConfigError(
                f"The model in {folder} cannot be loaded ({reason}); recall goes on without one. "
                "Fetch it again with `holdfast model pull`, or name another folder with `holdfast model use`."
            ) from error
        self._tokenizer.enable_truncation(description.longest)
        self._tokenizer.no_padding()
        self._inputs = {each.name for each in self._session.get_inputs()}
        self.dimensions = int(self._embed(["dimensions"]).shape[1])
        self._is_fresh = False
        self.rest()

    def embed_queries(self, texts: Sequence[str], /) -> Floats:
        return self._embed([self._about.query_prefix + text for text in texts])

    def embed_items(self, texts: Sequence[str], /) -> Floats:
        made = self._embed([self._about.item_prefix + text for text in texts])
        self.rest()
        return made

    def rest(self) -> None:
        """Give memory back, if a text was embedded since the last time. A long question takes 10 MB."""
        if not self._is_fresh:
            self._is_fresh = True
            _give_back()

    def _embed(self, texts: Sequence[str]) -> Floats:
        # One by one: an int8 model gives a text another vector in a batch than alone, and questions come alone.
        tokens = [each.ids for each in self._tokenizer.encode_batch(list(texts))]
        if not tokens:
            return np.empty((0, self.dimensions), dtype=np.float32)
        self._is_fresh = False
        placed: Floats = np.concatenate([self._run(each) for each in tokens])
        return placed

    def _run(self, tokens: Sequence[int]) -> Floats:
        """One text through the model: a direction of length one."""
        ids = np.array([tokens], dtype=np.int64)
        mask = np.ones_like(ids)
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        output = self._session.run(None, {name: value for name, value in feed.items() if name in self._inputs})[0]
        hidden = np.asarray(output, dtype=np.float32)
        if hidden.ndim == 3:
            hidden = hidden[:, 0] if self._about.pooling == "cls" else hidden.mean(axis=1)
        made: Floats = hidden / np.maximum(np.linalg.norm(hidden, axis=1, keepdims=True), 1e-9)
        return made


def _give_back() -> None:
    """Memory that was freed stays with the C library: glibc returns it only when asked."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
