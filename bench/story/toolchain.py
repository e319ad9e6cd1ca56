"""`go`, `cargo`, `swift`, `vitest`, `tsc`, `gradle`, `dbt` and `terraform` as the stories need them: they say what the
real tool would say.

A check of a story passes while its file has certain words, so that an edit makes a test pass as in real life. `furnish`
puts the tools on a PATH; the shell of the client runs this file, so it needs the standard library only.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Checks = list[dict[str, Any]]


def furnish(folder: Path, checks: Checks) -> None:
    """Put the tools into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    known = folder / "checks.json"
    known.write_text(json.dumps(checks), "utf-8")
    for tool in TOOLS:
        command = shlex.join([sys.executable, "-I", "-S", __file__, str(known), tool])
        file = folder / tool
        file.write_text(f'#!/bin/sh\nexec {command} "$@"\n', "utf-8")
        file.chmod(0o755)


def passes(check: dict[str, Any]) -> bool:
    file = Path(check["file"])
    return file.exists() and re.search(check["needs"], file.read_text("utf-8"), re.DOTALL) is not None


def chosen(checks: Checks, names: Sequence[str]) -> Checks:
    """The tests that these names of packages, files or tests stand for; all of them without a name."""
    plain = [name.removeprefix("./").removesuffix("...").rstrip("/") for name in names]
    if not plain or not all(plain):
        return checks
    return [each for each in checks if any(name in each["suite"] or name in each["test"] for name in plain)]


def go(words: list[str], checks: Checks) -> int:
    if words[:1] != ["test"]:
        return 0
    wanted = chosen(checks, words[1:])
    for suite in dict.fromkeys(check["suite"] for check in wanted):
        failed = [check for check in wanted if check["suite"] == suite and not passes(check)]
        for check in failed:
            print(f"--- FAIL: {check['test']} (0.00s)\n    {check['says']}")
        package = f"{wanted[0]['story']}/{suite}"
        print(f"FAIL\t{package}\t0.012s" if failed else f"ok  \t{package}\t0.012s")
    if all(map(passes, wanted)):
        return 0
    print("FAIL")
    return 1


def cargo(words: list[str], checks: Checks) -> int:
    verb = words[0] if words else ""
    if verb == "test":
        return _cargo_test(chosen([each for each in checks if each["suite"] != "clippy"], words[1:]))
    bad = [check for check in checks if check["suite"] == verb and not passes(check)]
    for check in bad:
        print(f"error: {check['says']}\n  --> {check['file']}:12:9")
    if bad:
        print("error: could not compile `quartz` (lib) due to 1 previous error")
        return 101
    print("    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.31s")
    return 0


def _cargo_test(wanted: Checks) -> int:
    bad = [check for check in wanted if not passes(check)]
    print(f"running {len(wanted)} tests")
    for check in wanted:
        print(f"test {check['test']} ... {'FAILED' if check in bad else 'ok'}")
    for check in bad:
        print(f"\nfailures:\n---- {check['test']} stdout ----\n{check['says']}")
    counts = f"{len(wanted) - len(bad)} passed; {len(bad)} failed; 0 ignored; 0 measured; 0 filtered out"
    print(f"\ntest result: {'FAILED' if bad else 'ok'}. {counts}; finished in 0.02s")
    return 101 if bad else 0


def swift(words: list[str], checks: Checks) -> int:
    if words[:1] != ["test"]:
        return 0
    wanted = chosen(checks, words[1:])
    bad = [check for check in wanted if not passes(check)]
    for check in wanted:
        name = f"Test Case '-[{check['suite']} {check['test']}]'"
        if check in bad:
            print(f"{check['file']}:12: error: -[{check['suite']} {check['test']}] : {check['says']}")
        print(f"{name} {'failed' if check in bad else 'passed'} (0.004 seconds).")
    failures = f"{len(bad)} failure{'s' * (len(bad) != 1)}"
    print(f"\t Executed {len(wanted)} tests, with {failures} (0 unexpected) in 0.012 (0.014) seconds")
    return int(bool(bad))


def vitest(words: list[str], checks: Checks) -> int:
    wanted = chosen(checks, [word for word in words if word != "run"])
    bad = [check for check in wanted if not passes(check)]
    print("\n RUN  v2.1.8\n")
    for suite in dict.fromkeys(check["suite"] for check in wanted):
        failed = [check for check in bad if check["suite"] == suite]
        print(f" {'❯' if failed else '✓'} {suite} ({sum(check['suite'] == suite for check in wanted)})")
        for check in failed:
            print(f"   × {check['test']}\n     → {check['says']}")
    print(f"\n Test Files  {_count({each['suite'] for each in bad}, {each['suite'] for each in wanted})}")
    print(f"      Tests  {_count(bad, wanted)}")
    return int(bool(bad))


def _count(failed: Checks | set[str], every: Checks | set[str]) -> str:
    before = f"{len(failed)} failed | " if failed else ""
    return f"{before}{len(every) - len(failed)} passed ({len(every)})"


def tsc(words: list[str], checks: Checks) -> int:
    return 0


_TASKS = frozenset({"clean", "build", "check", "test", "assemble", "ktlintCheck"})


def gradle(words: list[str], checks: Checks) -> int:
    runs_tests = not {"test", "check", "build"}.isdisjoint(words)
    wanted = chosen(checks, [word for word in words if word not in _TASKS]) if runs_tests else []
    bad = [check for check in wanted if not passes(check)]
    if not bad:
        print(f"\nBUILD SUCCESSFUL in 4s\n{len(words) + 2} actionable tasks: {len(words) + 2} executed")
        return 0
    print("> Task :test FAILED\n")
    for check in bad:
        print(f"{check['suite']} > {check['test']}() FAILED\n    {check['says']}\n")
    print(f"{len(wanted)} tests completed, {len(bad)} failed\n\nFAILURE: Build failed with an exception.\n")
    print("* What went wrong:\nExecution failed for task ':test'.\n> There were failing tests.\n\nBUILD FAILED in 4s")
    return 1


def dbt(words: list[str], checks: Checks) -> int:
    wanted = chosen(checks, words[1:]) if words[:1] in (["test"], ["build"]) else []
    bad = [check for check in wanted if not passes(check)]
    for number, check in enumerate(wanted, 1):
        said = "FAIL 3" if check in bad else "PASS"
        print(f"{number} of {len(wanted)} {said} {check['test']} {'.' * 12} [{said} in 0.11s]")
    for check in bad:
        print(f"\nFailure in test {check['test']} (models/{check['suite']}.yml)\n  {check['says']}")
    print(f"\nDone. PASS={len(wanted) - len(bad)} WARN=0 ERROR={len(bad)} SKIP=0 TOTAL={len(wanted)}")
    return int(bool(bad))


def terraform(words: list[str], checks: Checks) -> int:
    bad = [check for check in checks if check["suite"] in words and not passes(check)]
    for check in bad:
        print(f"Error: {check['test']}\n\n  on {check['file']} line 4:\n\n{check['says']}")
    if not bad:
        print("Success! The configuration is valid.")
    return int(bool(bad))


TOOLS: dict[str, Callable[[list[str], Checks], int]] = {
    "go": go,
    "cargo": cargo,
    "swift": swift,
    "vitest": vitest,
    "tsc": tsc,
    "gradle": gradle,
    "dbt": dbt,
    "terraform": terraform,
}


def of_this_story(checks: Checks) -> Checks:
    """Several stories of one world may use a tool: the checks of the story whose files are here."""
    here: dict[str, int] = {}
    for check in checks:
        here[check["story"]] = here.get(check["story"], 0) + Path(check["file"]).exists()
    story = max(here, key=here.__getitem__, default="")
    return [check for check in checks if check["story"] == story]


def main(known: str, tool: str, *words: str) -> int:
    checks = [check for check in json.loads(Path(known).read_text("utf-8")) if check["tool"] == tool]
    return TOOLS[tool]([word for word in words if not word.startswith("-")], of_this_story(checks))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
