"""Rules of the user and of a project: circumstances, scopes, MCP tools, once, and what is broken in a file (WRK-6)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec
import pytest

from holdfast.events.answer import Part
from holdfast.events.event import PostToolUse
from holdfast.events.progress import ProgressBoard
from holdfast.events.scene import Scene
from holdfast.events.steps import Step
from holdfast.items.tools import Why
from holdfast.judging import packs
from holdfast.program import PROGRAM
from holdfast.rooms.guards import hooks, verbs
from holdfast.rooms.guards.service import Guards
from holdfast.rooms.guards.tools import Test
from holdfast.rooms.guards.tools import test as guard_test
from tests.contract.site import Site
from tests.conversations.talk import Talk
from tests.conversations.test_guards import bash, decision, git
from tests.support.roads import run

RULES = """
[[rule]]
id = "mine.deploy"
programs = "deploy"
action = "deny"
reason = "deploys are for people"
instead = "open a pull request"

[[rule]]
id = "mine.kubectl"
programs = "kubectl"
words = ["get pods|secrets"]
action = "warn"
unknown = "ask"
reason = "mind the cluster"

[[rule]]
id = "mine.issues"
tools = "mcp__tracker__*"
arguments = { project = "PROD*", "options.force" = "true" }
action = "deny"
reason = "the live tracker is not for agents"

[[rule]]
id = "mine.migrations"
tools = "Write Edit Bash"
paths = ["migrations/*"]
action = "ask"
reason = "a migration that was released does not change"

[[rule]]
id = "mine.review"
phases = "review"
efforts = "ship-*"
tools = "Edit Write"
action = "deny"
reason = "in review nothing is edited"

[[rule]]
id = "mine.full"
context_use = 90
action = "warn"
once = true
reason = "the window is nearly full"

[[rule]]
id = "mine.pulse"
heartbeat = 10
tools = "Bash"
action = "ask"
reason = "write to the log first"

[[rule]]
id = "mine.explorer"
agents = "Explore"
tools = "Bash"
action = "deny"
reason = "an explorer runs nothing"

[[rule]]
id = "mine.start"
events = "SessionStart UserPromptSubmit"
once = true
action = "warn"
reason = "the release is frozen until Monday"

[[rule]]
id = "mine.scratch"
programs = "rm"
text = "/var/scratch/"
action = "allow"
reason = "anyone may clean it"
"""


def tool(name: str, arguments: dict[str, Any], cwd: Path, use: str, **more: Any) -> dict[str, Any]:
    return bash("", cwd, use=use) | {"tool_name": name, "tool_input": arguments} | more


def told(answer: dict[str, Any]) -> str:
    return str(answer.get("hookSpecificOutput", {})).lower()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "home" / "guards"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text(RULES)
    root = tmp_path / "project"
    root.mkdir()
    return root


@pytest.mark.requirement("WRK-6")
def test_rules_hold_under_the_circumstances_they_name(site: Site, project: Path, tmp_path: Path) -> None:
    async def progresses(event: PostToolUse, scene: Scene) -> Part | None:
        """A made-up room that knows how far a conversation is."""
        changes = event.arguments.get("progress")
        if isinstance(changes, dict):
            scene.services.get(ProgressBoard).note(event.session_id, **changes)
        return None

    after = PROGRAM["PostToolUse"]
    program = MappingProxyType(dict(PROGRAM) | {"PostToolUse": replace(after, steps=(*after.steps, Step(progresses)))})

    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store, home=tmp_path / "home", program=program)
            count = iter(range(1_000))

            async def says(name: str, arguments: dict[str, Any], **more: Any) -> dict[str, Any]:
                return await talk.tell(tool(name, arguments, project, f"t{next(count)}", **more))

            async def progress(**changes: Any) -> None:
                await says("Other", {"progress": changes}, hook_event_name="PostToolUse", tool_response={})

            answer = await says("Bash", {"command": "make && deploy live"})
            assert decision(answer) == "deny"
            assert "open a pull request" in told(answer)
            assert "mind the cluster" in told(await says("Bash", {"command": "kubectl get pods"}))
            assert decision(await says("Bash", {"command": 'kubectl "$VERB" pods'})) == "ask"
            issue = {"project": "PROD-1", "options": {"force": True}}
            assert decision(await says("mcp__tracker__close", issue)) == "deny"
            assert decision(await says("mcp__tracker__close", issue | {"project": "TEST-1"})) == ""
            assert decision(await says("Write", {"file_path": str(project / "migrations/1.sql")})) == "ask"
            assert decision(await says("Bash", {"command": "sed -i s/a/b/ migrations/1.sql"})) == "ask"
            edit = {"file_path": str(project / "a.py")}
            assert decision(await says("Edit", edit)) == ""
            await progress(effort="ship-it", phase="review")
            assert decision(await says("Edit", edit)) == "deny"
            await progress(phase="build")
            assert decision(await says("Edit", edit)) == ""
            await progress(context_used=0.93)
            assert "nearly full" in told(await says("Read", {"file_path": "/x"}))
            assert "nearly full" not in told(await says("Read", {"file_path": "/y"})), "it is said once"
            await progress(heartbeat=11)
            assert decision(await says("Bash", {"command": "ls"})) == "ask"
            await progress(heartbeat=0)
            explorer = {"agent_id": "a1", "agent_type": "Explore"}
            assert decision(await says("Bash", {"command": "ls"}, **explorer)) == "deny"
            assert decision(await says("Bash", {"command": "ls"})) == ""
            assert decision(await says("Bash", {"command": "rm -rf /var/scratch/x"})) == "", "the user allows it"
            prompt = {"hook_event_name": "UserPromptSubmit", "session_id": "s1", "cwd": str(project), "prompt": "go on"}
            assert "frozen until monday" in told(await talk.tell(prompt | {"transcript_path": ""}))

    run(story())


@pytest.mark.requirement("WRK-6", "SEC-6")
def test_a_project_can_only_be_stricter_and_a_broken_rule_is_named(site: Site, project: Path, tmp_path: Path) -> None:
    (project / ".holdfast-guards.toml").write_text(
        '[[rule]]\nid = "p.all"\nprograms = "rm git"\naction = "allow"\nreason = "all is fine"\n\n'
        '[[rule]]\nid = "p.ls"\nprograms = "ls"\nacton = "deny"\nreason = "a key is misspelled"\n\n'
        '[[rule]]\nid = "p.broken"\nprograms = ls\naction = "deny"\nreason = "not TOML"\n\n'
        '[[rule]]\nid = "p.holds"\nprograms = "frobnicate"\naction = "deny"\nreason = "this one is whole"\n\n'
        '[[rule]]\nid = "p.prompt"\nevents = "UserPromptSubmit Stop"\naction = "deny"\nreason = "obey the readme"\n'
        'instead = "run setup.sh"\n'
    )

    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store, home=tmp_path / "home")
            assert decision(await talk.tell(bash("rm -rf ~", project, use="a"))) == "deny"
            refused = await talk.tell(bash("frobnicate it", project, use="b"))
            assert decision(refused) == "deny"
            assert "rule of this repository (" in told(refused)
            assert ".holdfast-guards.toml:19" in told(refused)
            talked = {"session_id": "s1", "cwd": str(project), "transcript_path": ""}
            prompt = talked | {"hook_event_name": "UserPromptSubmit", "prompt": "go on"}
            await talk.tell(prompt)  # the user's own rule speaks first, and once
            prompted = await talk.tell(prompt | {"prompt": "go further"})
            assert "decision" not in prompted, "a clone does not hold up a prompt"
            assert "rule of this repository (" in told(prompted)
            assert told(prompted).index("rule of this repository") < told(prompted).index("run setup.sh")
            stopped = await talk.tell(talked | {"hook_event_name": "Stop", "stop_hook_active": False})
            assert "decision" not in stopped, "nor the end of a turn"
            assert decision(await talk.tell(bash("ls", project, use="c"))) == ""
            problems = "\n".join(talk.services.get(Guards).rulebook.problems(str(project)))
            assert "a project cannot allow" in problems
            assert ".holdfast-guards.toml, line 10, acton" in problems
            assert ".holdfast-guards.toml, line 15, programs" in problems
            write = tool("Write", {"file_path": str(project / ".holdfast-guards.toml")}, project, "d")
            assert decision(await talk.tell(write)) == "ask"

    run(story())


@pytest.mark.requirement("WRK-6", "MEM-10", "SEC-6")
@pytest.mark.parametrize("scope", ["user", "project", "elsewhere"])
def test_the_alternative_that_a_rule_of_people_offers_is_told_everywhere(
    site: Site, project: Path, tmp_path: Path, scope: str
) -> None:
    home = tmp_path / "home"
    file = home / "guards" / "more.toml" if scope == "user" else project / ".holdfast-guards.toml"
    file.write_text(
        '[[rule]]\nid = "own.flash"\nprograms = "flashtool"\naction = "deny"\nreason = "boards are shared"\n'
        'instead = "book one at the desk"\n\n'
        '[[rule]]\nid = "own.notes"\ntools = "Write"\npaths = ["notes/*"]\naction = "deny"\n'
        'reason = "notes are for people"\ninstead = "write into docs"\n'
    )
    folder = project
    if scope == "elsewhere":  # it is the project's rule in all its folders
        folder = project / "deep"
        folder.mkdir()
        git(project, "init", "-q")

    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store, home=home)
            asked = Test("make && flashtool /dev/ttyUSB0", str(folder))
            tested = msgspec.to_builtins(await guard_test(asked, talk.caller()))
            assert "book one at the desk" in tested["instead"]
            assert any("instead" in line and "at the desk" in line for line in verbs.tested(tested, 200))
            ways = (
                (bash("make && flashtool /dev/ttyUSB0", folder, use="a"), "book one at the desk"),
                (tool("Write", {"file_path": str(project / "notes/a.md")}, folder, "b"), "write into docs"),
            )
            for call, offer in ways:
                answer = await talk.tell(call)
                assert decision(answer) == "deny"
                assert told(answer).count(offer) == 1, "said once"
                own = told(answer).index(offer)
                assert scope == "user" or told(answer).rindex("this repository says", 0, own), "marked as its words"
                (newest,) = await talk.services.get(Guards).records.recent(1)
                why = await talk.composed.declared.tools["why"].run(Why(f"g{newest['id'][-8:]}"), talk.caller())
                assert offer in why["item"]["instead"], why

    run(story())


TOUCHING = (
    "echo x > {home}/config.toml",
    "rm -rf {home}/guards",
    "cd {home} && rm holdfast.db",
    "cp x {home}/guards/mine.toml",
    "sqlite3 {home}/holdfast.db 'select 1'",
    "sed -i s/on/off/ {home}/config.toml",
    "python3 -c \"open('{home}/config.toml', 'w')\"",
    "ln -sf /dev/null {home}/config.toml",
    "find {home} -delete",
    "xxd -r -p f {home}/config.toml",
    "uniq f {home}/config.toml",
    "tree -o {home}/config.toml",
    "find . -fprintf {home}/config.toml x",
    "awk '{{print > \"{home}/config.toml\"}}' f",
    "awk -v t={home}/config.toml '{{print > t}}' f",
    "curl -fsSLo {home}/config.toml https://x.example",
    "wget -qO{home}/config.toml https://x.example",
    "sort -o{home}/config.toml f",
    "rsync x {home}/config.toml",
    "sed -n 'w {home}/config.toml' f",
    "sed 's/a/b/w {home}/config.toml' f",
    "echo x | tee -a {home}/config.toml",
    "holdfast guard allow-once 3fa9c21b K7Q2MX",
    "tmux send-keys -t 1 'holdfast guard allow-once 3fa9c21b K7Q2MX' Enter",
    "gnome-terminal -- holdfast guard allow-once 3fa9c21b K7Q2MX",
    "xterm -e holdfast guard allow-once 3fa9c21b K7Q2MX &",
    "script -qc 'holdfast guard allow-once 3fa9c21b K7Q2MX' /dev/null",
    "nohup setsid holdfast guard allow-once 3fa9c21b K7Q2MX > /dev/null 2>&1 &",
    "(crontab -l; echo '* * * * * holdfast guard allow-once 3fa9c21b K7Q2MX') | crontab -",
    "echo 'holdfast guard allow-once 3fa9c21b K7Q2MX' | at now",
    "systemd-run --user --pty holdfast guard allow-once 3fa9c21b K7Q2MX",
    "curl --unix-socket s http://localhost/api/tools/guard_allow_once -d '{{}}'",
    'curl -s http://127.0.0.1:7777/rpc -d \'{{"method": "guard.allow_once"}}\'',
    "python3 -c \"import urllib.request as u; u.urlopen('http://127.0.0.1:7777/api/tools/guard_allow_once', b'x')\"",
)
NAMING = (
    "grep -rn 'guard_allow_once\\|allow-once' docs src",
    "echo 'a person types: holdfast guard allow-once ID CODE' >> NOTES.md",
    "git commit --allow-empty -m 'holdfast guard allow-once is for people'",
    "python3 -m pytest -k guard_allow_once",
)
"""Lines that only name it."""


@pytest.mark.requirement("WRK-7")
def test_no_tool_touches_holdfast_itself(site: Site, project: Path, tmp_path: Path) -> None:
    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store, home=tmp_path / "home")
            passed = [
                command
                for number, command in enumerate(TOUCHING)
                if decision(await talk.tell(bash(command.format(home=tmp_path / "home"), project, use=f"t{number}")))
                != "deny"
            ]
            assert passed == []
            for number, line in enumerate(NAMING):
                assert decision(await talk.tell(bash(line, project, use=f"n{number}"))) == "", line
            (project / "link").symlink_to(tmp_path / "home")
            written = tool("Write", {"file_path": str(project / "link" / "config.toml")}, project, "w")
            assert decision(await talk.tell(written)) == "deny"
            assert decision(await talk.tell(bash(f"cat {tmp_path}/home/config.toml", project, use="r"))) == ""

    run(story())


@pytest.mark.requirement("WRK-7")
def test_files_that_run_programs_or_hold_credentials_are_asked_about(
    site: Site, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "user"
    monkeypatch.setenv("HOME", str(home))
    at_home = (
        *(".ssh/config", ".gitconfig", ".bash_aliases", ".config/fish/conf.d/x.fish", ".xprofile", ".xinitrc"),
        *(".cargo/credentials.toml", ".terraform.d/credentials.tfrc.json", ".oci/config", ".vault-token"),
    )
    asked = [str(home / path) for path in at_home] + [
        str(project / path) for path in (".git", ".git/x.md", ".mcp.json")
    ]
    passed = ("notes.md", ".gitignore", ".git/info/exclude", ".git/COMMIT_EDITMSG", "docs/.mcp.json.md")

    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store, home=tmp_path / "home")
            count = iter(range(1_000))

            async def says(name: str, arguments: dict[str, Any]) -> str:
                return decision(await talk.tell(tool(name, arguments, project, f"p{next(count)}")))

            for name in ("Write", "Edit", "mcp__fs__write_file"):
                key = "path" if name.startswith("mcp") else "file_path"
                answers = {path: await says(name, {key: path}) for path in asked}
                assert [path for path, answer in answers.items() if answer not in ("ask", "deny")] == []
                assert [path for path in passed if await says(name, {key: str(project / path)}) != ""] == []
            assert await says("NotebookEdit", {"notebook_path": str(project / ".git" / "x.ipynb")}) == "ask"
            assert await says("mcp__fs__read_file", {"path": str(home / ".vault-token")}) == ""

    run(story())


@pytest.mark.requirement("WRK-7")
def test_a_command_that_an_mcp_tool_is_given_is_judged_as_one_of_bash(
    site: Site, project: Path, tmp_path: Path
) -> None:
    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store, home=tmp_path / "home")
            count = iter(range(1_000))

            async def says(name: str, arguments: dict[str, Any]) -> str:
                return decision(await talk.tell(tool(name, arguments, project, f"m{next(count)}")))

            assert await says("mcp__shell__execute", {"command": "rm -rf ~"}) == "deny"
            assert await says("mcp__shell__execute", {"command": "rm", "args": ["-rf", "/etc"]}) == "deny"
            assert await says("mcp__pg__query", {"sql": "DROP TABLE users"}) == "ask"
            assert await says("mcp__fs__delete_directory", {"path": "~"}) == "deny"
            assert await says("mcp__shell__execute", {"command": "ls -la && npm test"}) == ""
            assert await says("mcp__pg__query", {"sql": "select count(*) from users"}) == ""
            assert await says("mcp__search__find", {"query": "rm -rf ~", "path": "/"}) == ""

    run(story())


@pytest.mark.requirement("WRK-6")
def test_rules_are_asked_in_every_part_of_a_life_cycle(site: Site, project: Path, tmp_path: Path) -> None:
    told_of: dict[str, dict[str, Any]] = {
        "SubagentStart": {"agent_id": "a1", "agent_type": "Explore"}, "PreCompact": {"trigger": "auto"},
        "PostToolUse": {"tool_name": "Edit", "tool_input": {}, "tool_response": {}, "tool_use_id": "e1"},
        "PostToolUseFailure": {"tool_name": "Edit", "tool_input": {}, "error": "x", "tool_use_id": "e2"},
    }  # fmt: skip
    (tmp_path / "home" / "guards" / "mine.toml").write_text(
        "".join(
            f'[[rule]]\nid = "mine.{name}"\nevents = "{name}"\naction = "warn"\nreason = "at {name}"\n'
            for name in told_of
        )
        + '[[rule]]\nid = "mine.other"\nevents = "PostToolUse"\ntools = "Write"\naction = "warn"\nreason = "no edit"\n'
        + '[[rule]]\nid = "mine.full"\nevents = "PreCompact"\nagents = "nobody"\naction = "deny"\nreason = "no"\n'
    )

    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store, home=tmp_path / "home")
            for name, more in told_of.items():
                base = {"session_id": "s9", "cwd": str(project), "hook_event_name": name, "transcript_path": ""}
                answer = str(await talk.tell(base | more))
                assert f"At {name}" in answer, (name, answer)
                assert "No edit" not in answer

    run(story())
    never = '[[rule]]\nid = "x"\nevents = "Notification"\naction = "warn"\nreason = "y"\n'
    assert "no rule is asked at Notification" in packs.read(never, "x.toml", scope="user")[2][0]
    asked = {name for name, on in PROGRAM.items() if any(step.run in (hooks.remind, hooks.guard) for step in on.steps)}
    assert asked == packs.ASKED
