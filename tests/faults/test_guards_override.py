"""A person may allow one refused call; an agent that tries the same, by whatever way, may not (WRK-7)."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from tests.support.daemon import DaemonHome, until

REFUSED = {
    "hook_event_name": "PreToolUse",
    "session_id": "s1",
    "transcript_path": "",
    "cwd": "/",
    "tool_name": "Bash",
    "tool_input": {"command": "rm -rf /usr/share/holdfast-test-of-a-folder-that-is-not-there"},
}
MARK = {"CLAUDECODE": "1"}
SPAWN = "import pty, sys; pty.spawn(sys.argv[1:])"


@pytest.fixture
def held(home: DaemonHome) -> DaemonHome:
    home.start()
    return home


def ask(home: DaemonHome, use: str) -> dict[str, Any]:
    status, answer = home.post("PreToolUse", REFUSED | {"tool_use_id": use})
    assert status == 200
    return dict(answer)


def code_of(answer: dict[str, Any]) -> tuple[str, str]:
    found = re.search(r"allow-once (\w+) (\w+)", answer["systemMessage"])
    assert found, answer
    return found[1], found[2]


def refused(home: DaemonHome, use: str) -> tuple[str, str]:
    answer = ask(home, use)
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"
    return code_of(answer)


def command(home: DaemonHome, refusal: str, code: str) -> list[str]:
    words = ["--home", str(home.home.root), "guard", "allow-once", refusal, code]
    return [sys.executable, "-m", "holdfast.doors.cli", *words]


DAEMONISED = textwrap.dedent(
    """
    import json, os, pty, sys
    words, out, with_terminal = json.loads(sys.argv[1]), sys.argv[2], sys.argv[3] == "terminal"
    if os.fork():
        os._exit(0)
    os.setsid()
    if os.fork():
        os._exit(0)
    if with_terminal:
        pid, master = pty.fork()
        if not pid:
            os.execvp(words[0], words)
        said = b""
        while True:
            try:
                part = os.read(master, 4096)
            except OSError:
                break
            if not part:
                break
            said += part
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    else:
        import subprocess
        done = subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL)
        said, code = done.stdout + done.stderr, done.returncode
    with open(out + ".part", "wb") as file:
        file.write(b"%d " % code + said)
    os.rename(out + ".part", out)
    """
)


def daemonised(words: list[str], folder: Path, env: dict[str, str], *, terminal: bool) -> str:
    """Run it without any ancestor of ours; what it said, after its exit code."""
    out = folder / f"out{time.monotonic_ns()}"
    how = "terminal" if terminal else "none"
    subprocess.run(
        [sys.executable, "-c", DAEMONISED, json.dumps(words), str(out), how], env=env, check=True, timeout=60
    )
    until(out.exists, "it ended")
    return out.read_text("utf-8", "replace")


@pytest.mark.requirement("WRK-7")
def test_a_person_at_a_terminal_allows_one_call_and_it_is_taken_down(held: DaemonHome, tmp_path: Path) -> None:
    refusal, code = refused(held, "u1")
    said = daemonised(command(held, refusal, code), tmp_path, held.environment, terminal=True)
    assert said.startswith("0 "), said
    assert "may run once" in said
    assert "permissionDecision" not in str(ask(held, "u2")), "the very call passes"
    refused(held, "u3")
    rows = held.request("POST", "/api/tools/guard_refusals", b"{}")[1]
    assert [row["decision"] for row in reversed(rows)] == ["deny", "allowed once", "allow", "deny"]


@pytest.mark.requirement("WRK-7")
def test_an_agent_does_not_by_whatever_way(held: DaemonHome, tmp_path: Path) -> None:
    refusal, code = refused(held, "u1")
    words = command(held, refusal, code)
    client = tmp_path / "claude"
    client.symlink_to(shutil.which("bash") or "/bin/bash")
    line = " ".join(f"'{word}'" for word in words)
    tries: dict[str, str] = {}

    def run(name: str, argv: list[str], **more: str) -> None:
        done = subprocess.run(
            argv,
            env=held.environment | more,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        tries[name] = f"{done.returncode} {done.stdout}{done.stderr}"

    run("by the Bash tool", words, **MARK)
    run("by the Bash tool, without its mark", [str(client), "-c", f"{line}; exit $?"])
    run(
        "on a terminal that it made",
        [str(client), "-c", f"'{sys.executable}' -c '{SPAWN}' {line}; :"],
    )
    tries["in the background, as cron does"] = daemonised(words, tmp_path, held.environment, terminal=False)
    tries["in the background, on a terminal it made"] = daemonised(
        words, tmp_path, held.environment | MARK, terminal=True
    )
    if shutil.which("script"):
        run("by script", ["script", "-qec", line, "/dev/null"], **MARK)
    if shutil.which("tmux"):
        tries["by tmux"] = by_tmux(held, line, tmp_path)
    for name, said in tries.items():
        assert "Only a person" in said, (name, said)
    body = json.dumps({"id": refusal, "code": code}).encode()
    status, told = held.request("POST", "/api/tools/guard_allow_once", body)
    assert (status, "Only a person" in str(told)) == (409, True), "REST, from a test that has no terminal of its own"
    call = {"jsonrpc": "2.0", "id": 1, "method": "guard_allow_once", "params": {"id": refusal, "code": code}}
    told = held.request("POST", "/rpc", json.dumps(call).encode())[1]
    assert "Only a person" in str(told)
    listed = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    heads = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    assert "allow_once" not in str(held.request("POST", "/mcp", json.dumps(listed).encode(), heads))
    refused(held, "u9")


def by_tmux(home: DaemonHome, line: str, folder: Path) -> str:
    """A multiplexer that an agent started: it carries the agent's mark."""
    out = folder / "tmux.out"
    socket = str(folder / "tmux.sock")
    environment = home.environment | MARK | {"TERM": "xterm"}
    subprocess.run(["tmux", "-S", socket, "new-session", "-d", "sh"], env=environment, check=True, timeout=60)
    try:
        subprocess.run(
            ["tmux", "-S", socket, "send-keys", f"{line} > {out} 2>&1; echo done >> {out}", "Enter"],
            env=environment, check=True, timeout=60,
        )  # fmt: skip
        until(lambda: out.exists() and "done" in out.read_text(), "tmux ran it")
    finally:
        subprocess.run(["tmux", "-S", socket, "kill-server"], env=environment, check=False, timeout=60)
    return out.read_text()


@pytest.mark.requirement("WRK-7")
def test_a_wrong_code_ends_the_try(held: DaemonHome, tmp_path: Path) -> None:
    refusal, code = refused(held, "u1")
    said = daemonised(command(held, refusal, "AAAAAA"), tmp_path, held.environment, terminal=True)
    assert "wrong" in said
    said = daemonised(command(held, refusal, code), tmp_path, held.environment, terminal=True)
    assert "No refusal" in said
    assert os.environ.get("HOME") != held.environment["HOME"]
