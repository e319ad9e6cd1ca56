"""`holdfast context`: the command, the tool and the hook give the same items for one query."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from holdfast.ids import new_id
from tests.support.daemon import DaemonHome, until
from tests.support.repositories import make_shop

QUERY = "Why do we round the VAT with `round_vat` half up, as the accounting confirmed?"
_ID = re.compile(r"^(?:- )?(?:\[(\w+)\]|file: .*\(([\w/.]+:\d+)\))", re.MULTILINE)


@pytest.mark.requirement("CTX-1", "CTX-5")
def test_command_tool_and_hook_give_the_same_items(daemon: DaemonHome, tmp_path: Path) -> None:
    shop = make_shop(tmp_path / "shop")

    def holdfast(*words: str, code: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-I", "-m", "holdfast.doors.cli.main", *words],
            capture_output=True, text=True, check=False, cwd=shop, env=daemon.environment,
        )  # fmt: skip
        assert done.returncode == code, (done.stdout, done.stderr)
        return done.stdout

    def hook() -> list[str]:
        """The ids that a new session's prompt is given, in order: items, then places in code."""
        body = {"hook_event_name": "UserPromptSubmit", "session_id": new_id(), "cwd": str(shop), "prompt": QUERY}
        body |= {"prompt_id": new_id(), "transcript_path": str(tmp_path / "none.jsonl"), "permission_mode": "default"}
        status, answer = daemon.post("UserPromptSubmit", body)
        assert status == 200
        return ids(str(answer.get("hookSpecificOutput", {}).get("additionalContext", "")))

    assert holdfast("context", QUERY, code=1) == ""
    holdfast("code", "index")
    holdfast("remember", "The accounting confirmed that the VAT is rounded half up.")
    until(hook, "the prompt is given something")
    given = hook()
    assert given[-1] == "src/shop/tax.py:4", "code comes after what is remembered"
    assert len(given) == 2
    told: dict[str, Any] = json.loads(holdfast("context", QUERY, "--json"))
    called = json.loads(holdfast("call", "assemble_context", json.dumps({"query": QUERY})))
    assert [each["id"] for each in told["items"]][: len(given)] == given
    assert [each["id"] for each in called["items"]] == [each["id"] for each in told["items"]]
    few = holdfast("context", *QUERY.split(), "--limit", str(len(given)))
    assert ids(few) == given


def ids(text: str) -> list[str]:
    return [one or other for one, other in _ID.findall(text)]
