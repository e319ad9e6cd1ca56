"""call: any tool from a shell."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.daemon import DaemonHome
from tests.support.patience import PATIENCE

HOLDFAST = Path(sys.executable).with_name("holdfast")


def call(daemon: DaemonHome, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [HOLDFAST, "call", *words],
        env=daemon.environment,
        input=given,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
        cwd=daemon.home.root,
    )


@pytest.mark.requirement("OPS-8")
def test_a_tool_is_called_listed_and_told_what_is_wrong(daemon: DaemonHome) -> None:
    kept = json.loads(call(daemon, "remember", '{"text": "Deploys go out on Fridays.", "project": ""}').stdout)
    found = json.loads(call(daemon, "search", "-", given='{"query": "deploys", "project": "all"}').stdout)
    assert [line["id"] for line in found] == [kept["id"]]
    assert "search(" in call(daemon).stdout
    for words, sentence in (
        (("search", "{"), "The arguments are not valid JSON"),
        (("search", "[]"), "The arguments are one JSON object"),
        (("get", "{}"), "It takes ids (required)"),
        (("serch", "{}"), "Did you mean search?"),
    ):
        done = call(daemon, *words)
        assert done.returncode in (1, 2)
        assert sentence in done.stderr
