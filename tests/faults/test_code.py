"""`holdfast code` as a person types it, with a real daemon: bad files, a killed reader, a home that is no project."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.daemon import DaemonHome
from tests.support.repositories import git, make_shop, write


@pytest.mark.requirement("CTX-3")
def test_a_folder_with_bad_files_is_indexed_searched_and_outlined(daemon: DaemonHome, tmp_path: Path) -> None:
    shop = make_shop(tmp_path / "shop")
    write(shop, {"bad.py": b"\xff\xfe\x00", "latin.py": b"# caf\xe9\n", "deep.js": "(\n" * 1_000})

    def holdfast(*words: str, code: int | None = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-I", "-m", "holdfast.doors.cli", *words],
            capture_output=True, text=True, check=False, cwd=shop, env=daemon.environment,
        )  # fmt: skip
        assert code in (None, done.returncode), (done.stdout, done.stderr)
        return done.stdout + done.stderr

    assert "not indexed yet" in holdfast("code", "search", "round", code=1)
    told = holdfast("code", "index")
    assert "5 functions and classes in 6 files." in told
    assert "Left out: 1 file, because it is binary." in told
    left_out = [
        line.rpartition(": ")[2] for line in daemon.log().splitlines() if "is left out of the code index" in line
    ]
    assert left_out == ["it is binary", "it is not UTF-8"], "one line for each"
    assert "src/shop/tax.py:4" in holdfast("code", "search", "round", "half", "up")
    assert "Nothing in the index fits." in holdfast("code", "search", "zygomorphic", code=1)
    assert "Cart.add_item" in holdfast("code", "similar", "def add(self, x):\n    self.items.append(x)\n")
    assert "method  Cart.add_item" in holdfast("code", "outline", "src/shop/cart.py")
    parsed: dict[str, Any] = json.loads(holdfast("code", "search", "round vat", "--json"))
    assert parsed["found"][0]["name"] == "round_vat"
    assert "is no project" in holdfast("code", "index", "--folder", "/", code=2)
    assert holdfast("status", "--json").find('"code_folders": 1') > 0

    # The process that reads is killed: the next question starts another one.
    [reader] = readers(daemon)
    os.kill(reader, signal.SIGKILL)
    write(shop, {"src/shop/new.py": "def brand_new_function(): pass\n"})
    git(shop, "add", ".")
    assert "src/shop/new.py:1" in holdfast("code", "search", "brand_new_function")
    assert reader not in readers(daemon)

    # Branches are switched, files renamed and deleted behind its back: the very next answer has nothing of before.
    def found(folder: Path = shop) -> set[str]:
        given = json.dumps({"query": "round_vat", "folder": str(folder)}).encode()
        status, told = daemon.request("POST", "/api/tools/search_code", given)
        return {each["path"] for each in told["found"]} if status == 200 else set()

    def read(path: str, session: str) -> str:
        event = {"hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": {"file_path": str(shop / path)}}
        common = {"session_id": session, "cwd": str(shop), "transcript_path": "", "tool_use_id": f"toolu_{session}"}
        return json.dumps(daemon.post("PreToolUse", event | common)[1])

    before = {"src/shop/tax.py", "src/shop/invoice.py", "tests/test_tax.py"}
    assert found() == before
    assert "src/shop/invoice.py (round_vat)" in read("src/shop/tax.py", "one")
    git(shop, "commit", "-qm", "All")
    git(shop, "checkout", "-q", "-b", "renamed")
    git(shop, "mv", "src/shop/invoice.py", "src/shop/billing.py")
    git(shop, "rm", "-q", "tests/test_tax.py")
    git(shop, "commit", "-qm", "Rename")
    told = read("src/shop/tax.py", "two")
    assert "invoice.py" not in told
    assert "test_tax.py" not in told
    assert found() == {"src/shop/tax.py", "src/shop/billing.py"}
    git(shop, "checkout", "-q", "-")
    assert "billing.py" not in read("src/shop/tax.py", "three")
    assert found() == before
    git(shop, "worktree", "add", "-q", str(tmp_path / "second"), "renamed")
    assert found(tmp_path / "second") == set(), "another worktree has nothing of this one"
    (shop / "tests/test_tax.py").unlink()
    assert "test_tax.py" not in read("src/shop/tax.py", "four")
    assert found() == before - {"tests/test_tax.py"}


def readers(daemon: DaemonHome) -> list[int]:
    """The processes of a daemon that read source files."""
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid=,command="], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()]
    worker = str(daemon.facts["worker_pid"])
    return [int(pid) for pid, parent, command in rows if parent == worker and "holdfast.source.child" in command]


@pytest.mark.requirement("CTX-3")
def test_a_large_folder_shows_a_bar_and_after_ctrl_c_the_next_call_goes_on(daemon: DaemonHome, tmp_path: Path) -> None:
    many = tmp_path / "many"
    body = "".join(f"def step_{number}(value):\n    return value + {number}\n\n\n" for number in range(40))
    write(many, {f"src/part_{number}.py": f"# {number}\n{body}" for number in range(3_600)})
    git(many, "init", "-q")
    command = [sys.executable, "-I", "-m", "holdfast.doors.cli", "code", "index"]
    ours, theirs = os.openpty()
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, cwd=many, env=daemon.environment)
    os.close(theirs)
    seen = b""
    with open(ours, "rb", buffering=0) as terminal:
        while b" files" not in seen:
            seen += terminal.read(1_024)
        running.send_signal(signal.SIGINT)
        assert running.wait(30) != 0
    assert b"[#" in seen, "a bar"
    assert b"of 3600 files" in seen, "and how much is done"
    again = subprocess.run(command, capture_output=True, text=True, cwd=many, env=daemon.environment, check=True)
    assert "144000 functions and classes in 3600 files." in again.stdout
    assert "#" not in again.stderr, "no bar where nobody looks"
