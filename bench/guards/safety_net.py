"""cc-safety-net from npm, the best public guard: asked about the same commands in the same run.

Its verdicts come from its library (`checkCommand`), all in one process; its time per call is that of its hook, started
anew for each call as the client does, on a sample whose verdicts must agree with the library's.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from bench.guards.corpus import Case
from bench.guards.judging import Answers, Outcome
from bench.guards.scenes import Place

VERSION = "2.4.5"
_CACHE = Path(__file__).parents[2] / ".cache" / f"cc-safety-net-{VERSION}"
_ALL = """
import { checkCommand } from 'cc-safety-net/api';
import { createInterface } from 'node:readline';
for await (const line of createInterface({ input: process.stdin })) {
  const began = performance.now();
  let refused = true;
  try { refused = checkCommand(JSON.parse(line)).kind !== 'allow'; } catch { /* its manual: do not run it */ }
  console.log(JSON.stringify([refused, performance.now() - began]));
}
"""


class Absent(Exception):
    """It cannot be had here; the message says why."""


class SafetyNet:
    """Installed by npm into the cache of this repository, never checked in."""

    def __init__(self) -> None:
        if not shutil.which("npm") or not shutil.which("node"):
            raise Absent("node and npm are not installed")
        self._bin = _CACHE / "node_modules" / "cc-safety-net" / "dist" / "bin" / "cc-safety-net.js"
        if not self._bin.exists():
            _CACHE.mkdir(parents=True, exist_ok=True)
            quiet = ("--silent", "--no-audit", "--no-fund", "--ignore-scripts")
            words = ["npm", "install", *quiet, "--prefix", str(_CACHE), f"cc-safety-net@{VERSION}"]
            done = subprocess.run(words, capture_output=True, timeout=180)
            if done.returncode or not self._bin.exists():
                raise Absent(f"npm could not install it (exit {done.returncode})")
        (_CACHE / "all.mjs").write_text(_ALL, "utf-8")
        self._known: dict[Case, Outcome] = {}

    def judge(self, cases: Iterable[Case], places: Mapping[str, Place]) -> Answers:
        """Every command, in its scene's folder; one process per home."""
        asked = list(cases)
        scenes: dict[str, list[Case]] = defaultdict(list)
        for case in asked:
            if case not in self._known:
                scenes[case.scene].append(case)
        for name, there in scenes.items():
            place = places[name]
            lines = [{"command": case.there(place.project, place.home), "cwd": place.project} for case in there]
            said = self._run(["node", str(_CACHE / "all.mjs")], "\n".join(map(json.dumps, lines)), place)
            for case, line in zip(there, said.splitlines(), strict=True):
                refused, ms = json.loads(line)
                self._known[case] = Outcome(refused, False, ms, "deny" if refused else "allow")
        return [(case, self._known[case]) for case in asked]

    def hook(self, case: Case, places: Mapping[str, Place]) -> Outcome:
        """One call of its hook, as the client makes it."""
        place = places[case.scene]
        event = {
            "session_id": "5f2c1c9e-30a1-4c7e-9a55-000000000000",
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": case.there(place.project, place.home)},
            "cwd": place.project,
        }
        began = time.perf_counter()
        said = self._run(["node", str(self._bin), "hook", "--coding-cli"], json.dumps(event), place)
        took = (time.perf_counter() - began) * 1e3
        refused = bool(said.strip()) and json.loads(said)["hookSpecificOutput"]["permissionDecision"] != "allow"
        return Outcome(refused, False, took, "deny" if refused else "allow")

    def _run(self, words: list[str], text: str, place: Place) -> str:
        with tempfile.TemporaryDirectory() as own:
            environment = {"PATH": os.environ["PATH"], "HOME": place.home, "CC_SAFETY_NET_HOME": own}
            done = subprocess.run(words, input=text, env=environment, capture_output=True, text=True, timeout=300)
            return done.stdout
