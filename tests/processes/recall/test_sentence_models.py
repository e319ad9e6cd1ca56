"""Models: fetched with every byte accounted for, described by their own files, run for real."""

from __future__ import annotations

import hashlib
import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from holdfast.errors import ConfigError
from holdfast.recall import sentence_models as models
from holdfast.recall.sentence_models import DEFAULT, MODELS, Description, File, Model, ModelError, describe, fetch, load

BODY = bytes(range(256)) * 4_000


class Hub(http.server.BaseHTTPRequestHandler):
    """Gives BODY, whole or from where it is asked to go on; may break off."""

    cut_after: ClassVar[int | None] = None
    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        start = 0
        Hub.asked.append(self.headers.get("Range", ""))
        if "Range" in self.headers and "norange" not in self.path:
            start = int(self.headers["Range"].removeprefix("bytes=").removesuffix("-"))
        if "missing" in self.path:
            self.send_error(404)
            return
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(BODY) - start))
        self.end_headers()
        self.wfile.write(BODY[start : Hub.cut_after])

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def hub() -> Iterator[str]:
    Hub.cut_after, Hub.asked = None, []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def model(url: str, *, sha256: str = hashlib.sha256(BODY).hexdigest(), size: int = len(BODY)) -> Model:
    return Model("m", Description("m-1", "mean"), "none", (File("model.onnx", url, size, sha256),))


def test_fetched_with_progress(hub: str, tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    folder = fetch(model(f"{hub}/m"), tmp_path / "m", lambda *step: seen.append(step))
    assert (folder / "model.onnx").read_bytes() == BODY
    assert seen[-1] == ("model.onnx", len(BODY), len(BODY))
    assert [step[1] for step in seen] == sorted(step[1] for step in seen)
    fetch(model(f"{hub}/m"), folder)
    assert len(Hub.asked) == 1


@pytest.mark.parametrize("path", ["m", "norange"])
def test_goes_on_where_it_broke_off(hub: str, tmp_path: Path, path: str) -> None:
    Hub.cut_after = 300_000
    with pytest.raises(ModelError, match="kept"):
        fetch(model(f"{hub}/{path}"), tmp_path)
    assert not (tmp_path / "model.onnx").exists()
    Hub.cut_after = None
    fetch(model(f"{hub}/{path}"), tmp_path)
    assert (tmp_path / "model.onnx").read_bytes() == BODY
    assert Hub.asked[-1].startswith("bytes=")


@pytest.mark.parametrize(
    ("other", "says"),
    [({"sha256": "0" * 64}, "not the file"), ({"size": 1_000}, "larger"), ({"size": len(BODY) + 1}, "broke off")],
)
def test_another_file_is_refused(hub: str, tmp_path: Path, other: dict[str, object], says: str) -> None:
    with pytest.raises(ModelError, match=says):
        fetch(model(f"{hub}/m", **other), tmp_path)  # type: ignore[arg-type]
    assert not (tmp_path / "model.onnx").exists()


@pytest.mark.parametrize("path", ["missing", None])
def test_no_network(hub: str, tmp_path: Path, path: str | None) -> None:
    url = f"{hub}/{path}" if path else "http://127.0.0.1:1/m"
    with pytest.raises(ModelError, match="holdfast model use"):
        fetch(model(url), tmp_path)


def test_pins_are_whole() -> None:
    for each in MODELS.values():
        assert {file.name for file in each.files} == {"model.onnx", "tokenizer.json"}
        assert all(len(file.sha256) == 64 and "/resolve/main/" not in file.url for file in each.files)
        assert each.size == sum(file.size for file in each.files)


def test_described_by_its_own_files(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"model\.onnx"):
        describe(tmp_path)
    (tmp_path / "onnx").mkdir()
    (tmp_path / "onnx" / "model.onnx").write_bytes(b"x")
    with pytest.raises(ConfigError, match=r"tokenizer\.json"):
        describe(tmp_path)
    (tmp_path / "tokenizer.json").write_text("{}")
    assert describe(tmp_path).pooling == "mean"
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": True}))
    (tmp_path / "config_sentence_transformers.json").write_text(json.dumps({"prompts": {"query": "q: "}}))
    (tmp_path / "sentence_bert_config.json").write_text("not json")
    about = describe(tmp_path)
    assert (about.pooling, about.query_prefix, about.item_prefix, about.longest) == ("cls", "q: ", "", 512)
    assert about.id.endswith(hashlib.sha256(b"x").hexdigest()[:8])
    with pytest.raises(ConfigError, match="cannot be loaded"):
        load(tmp_path)


@pytest.mark.requirement("MEM-7")
def test_a_real_model(model_folder: Path) -> None:
    import numpy as np

    assert describe(model_folder) == MODELS[DEFAULT].about
    assert models.sha256(model_folder / "model.onnx") == MODELS[DEFAULT].files[0].sha256
    embedder = load(model_folder)
    items = embedder.embed_items(
        ["The deployment failed because the disk was full", "We adopted a puppy from the shelter", "", "x" * 9_000]
    )
    assert items.shape == (4, embedder.dimensions) == (4, 384)
    assert np.linalg.norm(items, axis=1) == pytest.approx(np.ones(4), abs=1e-4)
    asked = embedder.embed_queries(["why did the release break?", "which pet did they get?"])
    near = asked @ items.T
    assert near[0, 0] > near[0, 1]
    assert near[1, 1] > near[1, 0]
    # The same text in another company gives the same direction.
    assert embedder.embed_items(["We adopted a puppy from the shelter"])[0] @ items[1] > 0.99
