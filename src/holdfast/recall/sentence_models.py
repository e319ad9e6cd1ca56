"""Sentence models: which one is used, where its folder is, and how it is downloaded and verified.

`fetch` downloads a model whose hashes are written here, resumes a download that was cut off, and puts nothing in place
before it is complete and correct. `onnx` runs it; a line in the settings chooses it.
"""

from __future__ import annotations

import hashlib
import json
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from holdfast.errors import ConfigError, HoldfastError

if TYPE_CHECKING:
    from holdfast.recall.vectors import Embedder

FetchProgress = Callable[[str, int, int], None]
"""(file, bytes so far, bytes in all), called as they arrive."""

_CHUNK = 1 << 18
_SECONDS = 30.0


class ModelError(HoldfastError):
    """A model could not be fetched."""


@dataclass(frozen=True, slots=True)
class File:
    """One file of a model: its name in the folder, its address, its size and hash."""

    name: str
    url: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Description:
    """How a model must be used."""

    id: str
    pooling: Literal["cls", "mean"]
    query_prefix: str = ""
    item_prefix: str = ""
    longest: int = 512
    """Tokens of a text that it reads."""
    scale: tuple[float, float] | None = None
    """What its cosines mean (`vectors.Embedder`), measured by `bench.floor`."""

    def model_file(self, folder: Path) -> Path:
        return model_file(folder)


@dataclass(frozen=True, slots=True)
class Model:
    """A model that can be fetched."""

    name: str
    about: Description
    license: str
    files: tuple[File, ...]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)


_ARCTIC = "https://huggingface.co/Snowflake/snowflake-arctic-embed-s/resolve/e596f507467533e48a2e17c007f0e1dacc837b33"

DEFAULT = "arctic-embed-s"
MODELS: Mapping[str, Model] = {
    DEFAULT: Model(
        DEFAULT,
        Description(
            "arctic-embed-s-int8-f93ff225",
            "cls",
            query_prefix="Represent this sentence for searching relevant passages: ",
            scale=(0.66, 0.86),
        ),
        "Apache-2.0",
        (
            File(
                "model.onnx",
                f"{_ARCTIC}/onnx/model_int8.onnx",
                34_015_111,
                "f93ff225320628d2e88baf2a395cae791b0e3b27edf5c70bf7b312a4d3260c14",
            ),
            File(
                "tokenizer.json",
                f"{_ARCTIC}/tokenizer.json",
                711_649,
                "91f1def9b9391fdabe028cd3f3fcc4efd34e5d1f08c3bf2de513ebb5911a1854",
            ),
        ),
    ),
}


def model_file(folder: Path) -> Path:
    """The network: beside the tokenizer, or where model hubs put it."""
    for name in ("model.onnx", "onnx/model.onnx", "onnx/model_int8.onnx", "onnx/model_quantized.onnx"):
        if (folder / name).is_file():
            return folder / name
    raise ConfigError(f"There is no model.onnx in {folder}; name a folder with model.onnx and tokenizer.json.")


def describe(folder: Path) -> Description:
    """How the model in a folder is used: known by its hash, or from its own files (the hub's usual layout)."""
    network = model_file(folder)
    if not (folder / "tokenizer.json").is_file():
        raise ConfigError(f"There is no tokenizer.json in {folder}; a model is a folder with both.")
    digest = sha256(network)
    for model in MODELS.values():
        if digest == next(file.sha256 for file in model.files if file.name == "model.onnx"):
            return model.about
    pooling = _json(folder / "1_Pooling" / "config.json")
    prompts = _json(folder / "config_sentence_transformers.json").get("prompts")
    prompts = prompts if isinstance(prompts, dict) else {}
    longest = _json(folder / "sentence_bert_config.json").get("max_seq_length")
    return Description(
        f"{folder.name[:40]}-{digest[:8]}",
        "cls" if pooling.get("pooling_mode_cls_token") else "mean",
        query_prefix=str(prompts.get("query", "")),
        item_prefix=str(prompts.get("document", prompts.get("passage", ""))),
        longest=longest if isinstance(longest, int) and 0 < longest <= 512 else 512,
    )


def _json(path: Path) -> dict[str, object]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def load(folder: Path) -> Embedder:
    """The model in a folder, ready to use. Takes a second, so it is called outside the event loop."""
    about = describe(folder)
    try:
        from holdfast.recall.onnx import OnnxEmbedder
    except ImportError as error:
        raise ConfigError(
            f"A sentence model is set, but {error.name} is not here; install holdfast[model]. Recall goes on by words."
        ) from error
    return OnnxEmbedder(folder, about)


def fetch(model: Model, folder: Path, progress: FetchProgress = lambda name, done, size: None) -> Path:
    """Download a model into `folder`; correct files that are already there stay. Returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in model.files:
        target = folder / file.name
        if target.is_file() and target.stat().st_size == file.size and sha256(target) == file.sha256:
            progress(file.name, file.size, file.size)
            continue
        part = target.with_name(f"{target.name}.part")
        _download(file, part, progress)
        found = sha256(part)
        if found != file.sha256 or part.stat().st_size != file.size:
            part.unlink()
            raise ModelError(
                f"{file.url} is not the file that holdfast expects (sha256 {found[:12]}…, wanted {file.sha256[:12]}…); "
                "it was thrown away and nothing was changed."
            )
        os.replace(part, target)
    return folder


def _download(file: File, part: Path, progress: FetchProgress) -> None:
    """Continue where the last attempt ended, if the server can."""
    done = part.stat().st_size if part.exists() else 0
    if done >= file.size:
        part.unlink()
        done = 0
    request = urllib.request.Request(file.url, headers={"Range": f"bytes={done}-"} if done else {})
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as answer:
            if done and getattr(answer, "status", None) != 206:
                done = 0
            with part.open("ab" if done else "wb") as out:
                while chunk := answer.read(_CHUNK):
                    done += len(chunk)
                    if done > file.size:
                        raise ModelError(f"{file.url} is larger than it should be; the download was stopped.")
                    out.write(chunk)
                    progress(file.name, done, file.size)
    except (urllib.error.URLError, OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise ModelError(
            f"{file.url} could not be fetched ({reason}); what arrived is kept and the next try goes on from there. "
            "Without a network, copy the folder from another machine and name it with `holdfast model use`."
        ) from error
    if done < file.size:
        raise ModelError(
            f"{file.url} broke off after {done:,} of {file.size:,} bytes; what arrived is kept. Try again to go on."
        )


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
