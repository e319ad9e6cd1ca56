"""A sentence model in a folder (`model.onnx`, `tokenizer.json`), run by ONNX Runtime. Imported only when one is used.

One thread, not spinning: on few cores the thread pools of several libraries otherwise fight, and the daemon is idle
most of the time.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import onnxruntime
import tokenizers

from holdfast.errors import ConfigError
from holdfast.recall.sentence_models import Description

if TYPE_CHECKING:
    from holdfast.recall.vectors import Floats

BATCH = 16
"""Texts that go through the model together, at most."""
AREA = 256 * 256
"""Texts times the square of their tokens, at most, unless one text alone is larger. What the model holds meanwhile
grows with it: sixteen texts of 420 tokens took 420 MB on top, and three times as long as one after another."""


class OnnxEmbedder:
    """See `vectors.Embedder`."""

    def __init__(self, folder: Path, description: Description) -> None:
        self.id = description.id
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
        _give_back()
        self._tokenizer.enable_truncation(description.longest)
        self._tokenizer.no_padding()
        self._inputs = {each.name for each in self._session.get_inputs()}
        self.dimensions = int(self._embed(["dimensions"]).shape[1])

    def embed_queries(self, texts: Sequence[str], /) -> Floats:
        return self._embed([self._about.query_prefix + text for text in texts])

    def embed_items(self, texts: Sequence[str], /) -> Floats:
        made = self._embed([self._about.item_prefix + text for text in texts])
        _give_back()
        return made

    def _embed(self, texts: Sequence[str]) -> Floats:
        tokens = [each.ids for each in self._tokenizer.encode_batch(list(texts))]
        parts = batches([len(each) for each in tokens])
        if not parts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        made = [self._run([tokens[number] for number in part]) for part in parts]
        order = np.array([number for part in parts for number in part], dtype=np.int64)
        placed: Floats = np.concatenate(made)[np.argsort(order)]
        return placed

    def _run(self, tokens: Sequence[Sequence[int]]) -> Floats:
        """One batch through the model: directions of length one."""
        longest = max(len(each) for each in tokens)
        ids = np.zeros((len(tokens), longest), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, each in enumerate(tokens):
            ids[row, : len(each)] = each
            mask[row, : len(each)] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        output = self._session.run(None, {name: value for name, value in feed.items() if name in self._inputs})[0]
        hidden = np.asarray(output, dtype=np.float32)
        if hidden.ndim == 3:
            if self._about.pooling == "cls":
                hidden = hidden[:, 0]
            else:
                weights = mask[:, :, None].astype(np.float32)
                hidden = (hidden * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1e-9)
        made: Floats = hidden / np.maximum(np.linalg.norm(hidden, axis=1, keepdims=True), 1e-9)
        return made


def batches(lengths: Sequence[int]) -> list[list[int]]:
    """The numbers of texts that go through the model together: like with like, so that little is padding."""
    parts: list[list[int]] = []
    for number in sorted(range(len(lengths)), key=lambda number: lengths[number]):
        part = parts[-1] if parts else []
        if part and len(part) < BATCH and (len(part) + 1) * lengths[number] ** 2 <= AREA:
            part.append(number)
        else:
            parts.append([number])
    return parts


def _give_back() -> None:
    """Memory that was freed stays with the C library: glibc returns it only when asked."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
