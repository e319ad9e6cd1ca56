"""How often the outcome of a run is read right, from outputs that tools really printed.

    python -m bench.outcomes [--wrong]

Each file of tests/data/outcomes holds a command, the version of its tool, its exit code and what it printed. The exit
code is the truth; nobody labelled anything, but for the few named `-hidden`, whose scripts swallow it. An output is
read twice: as the client tells it (the event says whether it failed), and as behind `| cat`, where the status is hidden
and only the output tells.
"""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from holdfast.shell import main_run, parse, read_outcome

OUTPUTS = Path(__file__).parents[1] / "tests" / "data" / "outcomes"


@dataclass(frozen=True, slots=True)
class Recorded:
    """One output of one tool."""

    name: str
    command: str
    version: str
    exit_code: int
    made: str
    """`run`, or the page that it was taken from."""
    output: str

    @property
    def truth(self) -> str:
        """What its tests came to. A script that swallows the status (its name ends so) ran tests that failed."""
        return "failed" if self.exit_code or self.name.endswith("-hidden") else "passed"


def recorded() -> list[Recorded]:
    return [_read(path) for path in sorted(OUTPUTS.glob("*.txt"))]


def _read(path: Path) -> Recorded:
    head, facts = path.read_text("utf-8"), {}
    for name in ("command", "version", "exit", "made"):
        line, _, head = head.partition("\n")
        facts[name] = line.removeprefix(f"# {name}: ").strip()
    return Recorded(path.stem, facts["command"], facts["version"], int(facts["exit"]), facts["made"], head)


def judged(each: Recorded, *, hidden: bool) -> str:
    """passed, failed or unknown, as it is read. `none` when the command is not known as a run."""
    command = f"{each.command} | cat" if hidden else each.command
    run = main_run(parse(command))
    if run is None:
        return "none"
    failed = each.exit_code != 0 and not hidden
    output = f"Exit code {each.exit_code}\n{each.output}" if failed else each.output
    return read_outcome(run, output, failed=failed).verdict


def main() -> None:
    parser = argparse.ArgumentParser(description="How often the outcome of a run is read right.")
    parser.add_argument("--wrong", action="store_true", help="list what was read wrong")
    arguments = parser.parse_args()
    outputs = recorded()
    for hidden in (False, True):
        found = Counter[str]()
        for each in outputs:
            said = judged(each, hidden=hidden)
            kind = "right" if said == each.truth else "not told" if said in ("unknown", "none") else "wrong"
            found[kind] += 1
            if arguments.wrong and kind != "right":
                print(f"  {each.name}: {said}, not {each.truth}")
        how = "status hidden" if hidden else "as told by the client"
        total = len(outputs)
        print(f"{how}: {found['right']} of {total} right, {found['not told']} not told, {found['wrong']} wrong")


if __name__ == "__main__":
    main()
