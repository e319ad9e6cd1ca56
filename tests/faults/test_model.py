"""The sentence model in a running daemon: chosen, used, forgotten with, and done without."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.daemon import DaemonHome, until
from tests.support.model import arctic
from tests.support.patience import PATIENCE
from tests.support.payloads import load

HOLDFAST = Path(sys.executable).with_name("holdfast")


def holdfast(home: DaemonHome, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [HOLDFAST, *words], env=home.environment, capture_output=True, text=True, check=False, timeout=PATIENCE
    )


def tool(home: DaemonHome, name: str, **arguments: Any) -> Any:
    status, answer = home.request("POST", f"/api/tools/{name}", json.dumps(arguments).encode())
    assert status == 200, answer
    return answer


@pytest.mark.requirement("MEM-7")
def test_a_model_finds_by_meaning_what_words_do_not(daemon: DaemonHome) -> None:
    kept = tool(daemon, "remember", text="The physician treated a patient with influenza.", project="")
    tool(daemon, "remember", text="The compiler rejects this template instantiation.", project="")
    question = {"query": "doctor curing the flu", "project": "all"}
    assert tool(daemon, "search", **question) == []
    done = holdfast(daemon, "model", "use", str(arctic()))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("The daemon holds about"), "what it costs is said first"
    assert "for the 2 that are kept" in done.stdout
    until(lambda: daemon.answers() and daemon.status()["model"]["id"], "the model is loaded")
    until(lambda: tool(daemon, "search", **question), "its vectors are there")
    assert tool(daemon, "search", **question)[0]["id"] == kept["id"]
    assert "arctic-embed-s" in holdfast(daemon, "model", "show").stdout

    done = holdfast(daemon, "forget", kept["id"], "--yes")
    assert done.returncode == 0, done.stderr
    assert kept["id"] not in [line["id"] for line in tool(daemon, "search", **question)]

    assert holdfast(daemon, "model", "none").returncode == 0
    until(lambda: daemon.answers() and daemon.status()["model"]["id"] is None, "the model is gone")
    assert tool(daemon, "search", **question) == []


@pytest.mark.requirement("MEM-7")
def test_a_folder_without_a_model_is_one_sentence_and_changes_nothing(daemon: DaemonHome, tmp_path: Path) -> None:
    done = holdfast(daemon, "model", "use", str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.startswith(f"holdfast: There is no model.onnx in {tmp_path}")
    assert holdfast(daemon, "model", "pull", "nonsense").returncode == 2
    assert "recall" not in daemon.home.config.read_text()


@pytest.mark.requirement("EVT-6")
def test_a_model_that_has_gone_is_done_without(home: DaemonHome, tmp_path: Path) -> None:
    home.home.prepare()
    home.home.config.write_text(f'[recall]\nmodel = "{tmp_path}"\n')
    home.start()
    until(lambda: home.status()["model"]["problem"], "the problem is told")
    assert home.status()["model"]["problem"].startswith("There is no model.onnx")
    assert home.post("PostToolUse", load("PostToolUse-Bash")) == (200, {})
