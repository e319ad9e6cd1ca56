"""A script that the conversation wrote is read when it runs, by the hook's own road; a committed one is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.guarded import C1, Sandbox, write

WIPES = "#!/bin/sh\nrm -rf ~/Documents\n"
FREE = ("ls -la", "git status --short", "git diff | head -20", "cat notes.md | grep x", "npm test", "./gradle.sh build")
"""Lines of every day that no rule can match."""


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    made = Sandbox(tmp_path)
    monkeypatch.setenv("HOME", str(made.home))
    write(made.home / "Documents" / "thesis.txt", "the only copy\n")
    write(made.root / "deploy.sh", "#!/bin/sh\necho begin\nrm -rf /srv/shop/old\necho end\n").chmod(0o755)
    write(made.root / "package.json", '{"scripts": {"tidy": "./tidy.sh"}}')
    made.bash("git init -q -b main && git add -A && git commit -qm first")
    return made


def passed(sandbox: Sandbox, *commands: str) -> list[str]:
    """Those that the first look passes."""
    told = ((command, sandbox.call(command)) for command in commands)
    return [text for text, call in told if sandbox.guards.is_passed("Bash", call.arguments, call.root, C1)]


def said(sandbox: Sandbox, *commands: str) -> dict[str, str]:
    return {command: sandbox.judge(command).verdict.decision for command in commands}


@pytest.mark.requirement("WRK-12", "WRK-7")
def test_a_script_that_the_conversation_wrote_is_read_and_a_committed_one_is_not(sandbox: Sandbox) -> None:
    (sandbox.root / "committed.sh").write_text(WIPES)
    assert sandbox.guards._read(sandbox.call("bash committed.sh")).wanted == [], "no second look is worth its time"
    assert sandbox.judge("bash committed.sh && true").verdict.decision == "allow"
    assert sandbox.does(f"printf '{WIPES}' > mine.sh && chmod +x mine.sh && mkdir sub && cp mine.sh sub/") == "allow"
    assert sandbox.does("printf 'import shutil; shutil.rmtree(\"/srv/data\")' > mine.py") == "allow"
    write(sandbox.root / ".githooks" / "pre-push", WIPES)
    assert sandbox.does("git config core.hooksPath .githooks") == "allow", "a folder that others made"
    assert sandbox.does("mkdir own && cp mine.sh own/pre-commit") == "allow"
    refused = (
        "git config core.hooksPath own",
        "git -c core.hooksPath=own commit -m x",
        "bash mine.sh",
        "./mine.sh",
        "./mine.sh --now",
        "sub/mine.sh",
        f"{sandbox.root}/mine.sh",
        "cd sub && ./mine.sh",
        "ls && ./mine.sh | tee log.txt",
        "source ./mine.sh",
        "sh -x mine.sh",
        "python3 mine.py",
    )
    assert {command: sandbox.does(command) for command in refused} == dict.fromkeys(refused, "deny")
    assert sandbox.judge("./committed.sh").verdict.decision == "allow"
    assert (sandbox.home / "Documents" / "thesis.txt").exists()


@pytest.mark.requirement("WRK-12")
def test_a_task_of_the_project_that_runs_a_script_of_the_conversation_is_read_to_its_end(sandbox: Sandbox) -> None:
    assert sandbox.does(f"printf '{WIPES}' > tidy.sh && chmod +x tidy.sh") == "allow"
    assert sandbox.does("npm run tidy") == "deny"


@pytest.mark.requirement("WRK-15")
def test_the_first_look_passes_plain_lines_until_the_conversation_wrote_what_may_run(sandbox: Sandbox) -> None:
    assert passed(sandbox, *FREE) == list(FREE)
    sandbox.does("echo hello > notes.md")
    assert passed(sandbox, *FREE) == list(FREE), "nobody runs a text"
    sandbox.does("echo 'print(1)' > work.py")
    assert passed(sandbox, *FREE) == list(FREE[:4]), "what only looks at files runs none"
    assert set(said(sandbox, *FREE).values()) == {"allow"}


@pytest.mark.requirement("WRK-12")
def test_of_a_committed_script_the_lines_that_the_conversation_added_are_read(sandbox: Sandbox) -> None:
    assert said(sandbox, "./deploy.sh") == {"./deploy.sh": "allow"}, "what the project's script does is its own matter"
    script = sandbox.root / "deploy.sh"
    script.write_text(script.read_text().replace("echo begin", "echo started"))
    sandbox.guards.ledger.changed(C1, [str(script)])
    assert said(sandbox, "./deploy.sh") == {"./deploy.sh": "allow"}, "nor after a harmless change"
    script.write_text(script.read_text() + "rm -rf ~/Documents\n")
    ways = ("./deploy.sh", "bash deploy.sh", "sh -c './deploy.sh all'")
    assert said(sandbox, *ways) == dict.fromkeys(ways, "deny")


@pytest.mark.requirement("WRK-12")
def test_a_file_of_tasks_that_the_conversation_changed_is_read_whole(sandbox: Sandbox) -> None:
    tasks = write(
        sandbox.root / "package.json", '{\n"scripts": {\n"tidy": "echo tidy",\n"gone": "rm -rf ~/Documents"\n}\n}\n'
    )
    sandbox.guards.ledger.changed(C1, [str(tasks)])
    assert sandbox.guards._opener(sandbox.call("x"))("script", "package.json") == tasks.read_text()
    assert said(sandbox, "npm run gone", "npm run tidy") == {"npm run gone": "deny", "npm run tidy": "allow"}


@pytest.mark.requirement("WRK-12")
def test_a_command_line_that_writes_into_a_script_of_others_changes_it(sandbox: Sandbox) -> None:
    assert sandbox.does("echo 'rm -rf ~/Documents' >> deploy.sh") in ("allow", "kept")
    assert said(sandbox, "./deploy.sh") == {"./deploy.sh": "deny"}


@pytest.mark.requirement("WRK-12")
def test_what_a_package_manager_put_into_an_own_folder_is_not_read(sandbox: Sandbox) -> None:
    sandbox.does("mkdir app")
    write(sandbox.root / "app" / "node_modules" / ".bin" / "tool", WIPES).chmod(0o755)
    write(sandbox.root / "app" / "own.sh", WIPES).chmod(0o755)
    assert said(sandbox, "app/node_modules/.bin/tool") == {"app/node_modules/.bin/tool": "allow"}
    assert said(sandbox, "app/own.sh") == {"app/own.sh": "deny"}
    path = sandbox.root / "app" / "node_modules" / "mine.sh"
    sandbox.guards.ledger.made(C1, [str(write(path, WIPES))])
    assert said(sandbox, "sh app/node_modules/mine.sh") == {"sh app/node_modules/mine.sh": "deny"}


@pytest.mark.requirement("SEC-7")
def test_a_name_that_no_system_has_is_no_fault(sandbox: Sandbox) -> None:
    sandbox.does("echo 'print(1)' > work.py")
    assert set(said(sandbox, "./a\0b.sh", "sh 'a\0b.sh'").values()) <= {"allow", "ask"}
