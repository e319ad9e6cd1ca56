"""The plugin under the real client: valid, tested, and installed from a local marketplace; alone, beside hooks in the
settings, without the program, and under an older client."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast import hook
from holdfast.install import InstallScope, apply, find_client, plan_install
from holdfast.install.launching import command_script, write_program
from holdfast.install.plugin import source, write_copy
from holdfast.install.tool_server import plan_server, register
from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.request import Kind, Request
from tests.client.bed.script import Say, Use
from tests.client.bed.tui import Tui
from tests.support.daemon import DaemonHome, until

A_SESSION = {"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"}
PROGRAMS = Path(sys.executable).parent
"""Where this installation's `holdfast` is."""
TOOLS = "mcp__plugin_holdfast_holdfast__"


def install_plugin(claude: Claude) -> Path:
    """From a local marketplace, as a user does it; the plugin's folder."""
    market = claude.home / "market"
    made = write_copy(market, with_hooks=True)
    for words in (("marketplace", "add", str(market)), ("install", "holdfast@holdfast")):
        done = claude.command("plugin", *words)
        assert done.returncode == 0, done.stdout + done.stderr
    return made


def path_without_holdfast() -> str:
    folders = os.environ["PATH"].split(os.pathsep)
    return os.pathsep.join(folder for folder in folders if not (Path(folder) / "holdfast").exists())


def once_tools_are_there(daemon: DaemonHome) -> Callable[[Request], Use]:
    """A step before the first call of our tools: not every client waits for its tool servers."""

    def hello(asked: Request) -> Use:
        until(lambda: "session manager started" in daemon.log(), "the tools were asked for")
        return Use("Bash", {"command": "echo hello", "description": "say hello"})

    return hello


def whole_turn(tui: Tui, api: Api, line: str) -> None:
    """The first turn waits for the daemon to start; meanwhile the screen stands still."""
    tui.submit(line)
    until(lambda: api.left() == 0, "the model was asked for every step")
    tui.wait_idle()


@pytest.mark.requirement("OPS-3")
def test_the_plugin_is_valid_its_mod_passes_its_tests_and_its_evals_run(claude: Claude, api: Api) -> None:
    claude.env["HOLDFAST_HOME"] = str(claude.home / "holdfast")
    claude.env["PATH"] = path_without_holdfast()
    plugin = claude.home / "plugin"
    shutil.copytree(source(), plugin)  # the client lays files beside what it loads
    valid = claude.command("plugin", "validate", str(plugin), "--profile", "directory")
    assert valid.returncode == 0, valid.stdout
    assert re.findall("[✘⚠]", valid.stdout) == []
    hooked = re.search(r"mod\.mjs hooks: (.*)", valid.stdout)
    assert hooked is not None
    events = {re.split(r"[{ ]", each)[0] for each in hooked[1].split(", ")}
    assert events >= {"command.run", "ui.close", "ui.render"}
    of_turns = ("prompt.", "tool.", "turn.", "http.", "skill.", "agent.", "model.")
    inside = {each for each in events if each.startswith(of_turns)}
    assert inside == {"turn.complete"}, "no hook of the mod is part of a turn; one tells that it is over"
    for folder in (source().parent, write_copy(claude.home / "market", with_hooks=False).parent):
        assert claude.command("plugin", "validate", str(folder)).returncode == 0, folder

    tested = claude.command("plugin", "test", str(plugin))
    assert tested.returncode == 0, tested.stdout + tested.stderr
    assert " 0 fail" in tested.stdout + tested.stderr

    search, remember = (
        Use(f"{TOOLS}search", {"query": "retries"}),
        {"text": "Releases on Tuesdays, for support's sake."},
    )
    found = Say("Three attempts, for idempotent calls only [s3fa9c21b].")
    api.script(search, found, when=lambda asked: "retries in the payment" in "".join(asked.prompts()))
    kept = (Use(f"{TOOLS}remember", remember), Say("Kept: Tuesdays."))
    api.script(*kept, when=lambda asked: "Tuesdays only" in "".join(asked.prompts()))
    api.script(Say("It applies a stash."), when=lambda asked: "git stash pop" in "".join(asked.prompts()))
    words = ("--ablation", "none", "--runs", "1", "--concurrency", "3", "--trust-plugin", "--no-publish")
    report = claude.home / "report.json"
    judged = claude.command(
        "plugin", "eval", str(plugin), *words, "--allow-tools", f"{TOOLS}*", "--json", str(report), timeout=200
    )
    assert judged.returncode == 0, judged.stdout + judged.stderr
    cases = json.loads(report.read_text())["cases"]
    assert {case["name"] for case in cases} == {path.parent.name for path in plugin.glob("evals/*/case.yaml")}
    assert "_tools.json" not in report.read_text(), "the stand-in for the tools knows all of them"


@pytest.mark.requirement("OPS-3")
def test_it_works_without_install_and_its_pane_is_live(claude: Claude, api: Api, home: DaemonHome, tui: Tui) -> None:
    """One conversation in a terminal: the first event starts the daemon; commands and the pane cost no turn."""
    claude.env |= {"HOLDFAST_HOME": str(home.home.root), "PATH": f"{PROGRAMS}:{os.environ['PATH']}"}
    install_plugin(claude)
    cached = [path for path in (claude.config / "plugins" / "cache").rglob("*") if path.is_file()]
    assert cached
    assert [path for path in cached if path.stat().st_mode & 0o077] == [], "the client's copy is the owner's alone, too"
    remember = Use(f"{TOOLS}remember", {"text": "Deploys go out on Fridays only."})
    api.script(once_tools_are_there(home), remember, Say("Kept."))
    tui.start()
    whole_turn(tui, api, "Keep that deploys go out on Fridays only.")
    assert not api.result(remember).is_error
    asked = len(api.of(Kind.MAIN))
    tui.ask("/holdfast:status")
    assert "running for" in tui.screen()
    tui.submit("/holdfast:pane")
    tui.wait_for("nothing was given to the model")

    remove = Use("Bash", {"command": "rm -rf /", "description": "remove all"})
    api.script(remove, Say("It was refused."))
    whole_turn(tui, api, "Remove all.")
    assert "files.delete" in api.result(remove).text
    tui.wait_for("1 refused")  # the pane follows by itself
    assert "given once" in tui.screen()
    tui.submit("/holdfast:pause 2h")
    tui.wait_for("recording is paused")
    tui.ask("/holdfast:pause off")
    tui.ask("/holdfast:pane")
    assert "1 refused" not in tui.screen()
    assert len(api.of(Kind.MAIN)) == asked + 2, "commands and the pane asked no model"
    tui.ask("/exit")
    tui.wait_ended()
    until(lambda: home.journal(event="SessionEnd"), "the end is in the journal")
    entries = home.journal(limit=1000)
    assert {entry["event"] for entry in entries} >= A_SESSION
    # On a slow machine the first event finds the daemon still starting, and waits in the spool.
    assert {entry["source"] for entry in entries} <= {"command", "spool"}


@pytest.mark.requirement("OPS-3")
@pytest.mark.requirement("CON-13")
def test_beside_hooks_in_the_settings_it_answers_nothing(claude: Claude, api: Api, daemon: DaemonHome) -> None:
    """Both installed: every event arrives once, what is given is given once, each tool has one name."""
    claude.env["HOLDFAST_HOME"] = str(daemon.home.root)
    install_plugin(claude)
    environment = claude.environment()
    client = find_client(str(claude.binary), environment)
    write_program(daemon.home, command_script(Path(sys.executable), daemon.home))
    assert register(daemon.home, plan_server(daemon.home, client, InstallScope.USER), environment) is None
    plan = plan_install(
        InstallScope.USER,
        root=claude.project,
        home=daemon.home,
        port=daemon.facts["port"],
        token=daemon.token,
        python=Path(sys.executable),
        hook=Path(hook.__file__),
        client=client,
        environment=environment,
        managed=(),
    )
    apply(plan)
    step = Use("Bash", {"command": "echo hello", "description": "say hello"})
    keep = Use("mcp__holdfast__remember", {"text": "The Friday deploys need two reviewers."})
    learn = Use("Skill", {"skill": "holdfast:holdfast"})
    api.script(step, learn, keep, Say("Done."), Say("Two."))
    first = claude.run("Say hello.")
    second = claude.run("How many reviewers do the Friday deploys need?")
    assert (first.text, second.text) == ("Done.", "Two.")
    assert api.reached("# Working with holdfast"), "the skill is the plugin's, also beside settings"
    fired = {event: counts["fired"] for event, counts in daemon.status()["events"].items()}
    journaled = Counter(entry["event"] for entry in daemon.journal(limit=1000))
    assert set(fired) >= A_SESSION
    assert fired == dict(journaled), "every event came once: nothing was sent twice and then dropped"
    last = api.of(Kind.MAIN)[-1]
    assert sum(said.text.count("need two reviewers") for said in last.texts()) == 1
    assert sum(said.text.count("holdfast remembers earlier sessions") for said in last.texts()) <= 1
    names = json.dumps(last.body)
    assert "mcp__holdfast__search" in names
    assert TOOLS not in names


@pytest.mark.requirement("OPS-3")
def test_without_the_program_there_is_one_sentence_and_the_session_goes_on(claude: Claude, api: Api) -> None:
    claude.env |= {"HOLDFAST_HOME": str(claude.home / "nothing"), "PATH": path_without_holdfast()}
    install_plugin(claude)
    api.script(Use("Bash", {"command": "echo hello", "description": "say hello"}), Say("Done."))
    done = claude.run("Say hello.")
    assert done.text == "Done."
    said = [line["output"] for line in done.lines if line.get("subtype") == "hook_response" and line["output"].strip()]
    assert len(said) == 1
    assert "the program is not installed on this machine" in said[0]
    assert {line["outcome"] for line in done.lines if line.get("subtype") == "hook_response"} == {"success"}
    (begun,) = [line for line in done.lines if line.get("subtype") == "init"]
    assert [(each["name"], each["status"]) for each in begun["mcp_servers"]] == [
        ("plugin:holdfast:holdfast", "connected")
    ]
    assert not api.reached("not installed")
    assert not (claude.home / "nothing").exists()


@pytest.mark.requirement("OPS-3")
def test_an_older_client_gets_hooks_tools_and_commands(older: Claude, api: Api, daemon: DaemonHome) -> None:
    """2.1.197 knows no mods, and would run no hook of a plugin that names an event it does not know."""
    older.env["HOLDFAST_HOME"] = str(daemon.home.root)
    write_program(daemon.home, command_script(Path(sys.executable), daemon.home))
    install_plugin(older)
    keep = Use(f"{TOOLS}remember", {"text": "Deploys go out on Fridays only."})
    api.script(once_tools_are_there(daemon), keep, Say("Done."))
    done = older.run("/holdfast:seen")
    assert done.text == "Done."
    assert not api.result(keep).is_error
    assert api.reached(" turns: nothing"), "the command's own output stands in the prompt"
    until(lambda: daemon.journal(event="SessionEnd"), "the end is in the journal")
    assert {entry["event"] for entry in daemon.journal(limit=1000)} >= A_SESSION
