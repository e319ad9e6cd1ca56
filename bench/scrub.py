"""Measures the scrubber beside detect-secrets, on the same texts in the same run: time per 10 KB, recall on the
generated corpus, and false positives on the sources of the interpreter and its packages.

    python -m bench.scrub [--json] [--megabytes N]
"""

import argparse
import json
import site
import statistics
import sysconfig
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.scrub_corpus import Case, cases, remains
from detect_secrets.core import scan
from detect_secrets.settings import default_settings

from holdfast.scrub import Scrubber, default_scrubber

CHUNK = 10_240
CHUNKS = 60
SEED = 4711

Figures = dict[str, float]


def sources(folder: Path, megabytes: float) -> Iterator[tuple[Path, str]]:
    """Python files of a folder, spread evenly over it, up to so many megabytes."""
    files = [path for path in sorted(folder.rglob("*.py")) if "site-packages" not in path.relative_to(folder).parts]
    total = sum(path.stat().st_size for path in files)
    step = max(1, round(total / (megabytes * 1e6)))
    for path in files[::step]:
        try:
            yield path, path.read_text("utf-8")
        except UnicodeDecodeError:
            continue


class Other:
    """detect-secrets as its commit hook runs it: one file, default plugins and filters."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def finds(self, text: str, name: str = "case.py") -> list[str]:
        path = Path(self._folder, name)
        path.write_text(text, "utf-8", errors="replace")
        return [found.secret_value or "" for found in scan.scan_file(str(path))]

    def finds_any(self, text: str) -> list[str]:
        """As source code and as configuration, which it reads differently: the better of the two counts."""
        return self.finds(text) + self.finds(text, "case.cfg")


def timed(work: Callable[[str], object], texts: list[str]) -> Figures:
    took = []
    for text in texts:
        start = time.perf_counter()
        work(text)
        took.append((time.perf_counter() - start) * 1e3 * CHUNK / max(1, len(text.encode("utf-8", "replace"))))
    took.sort()
    return {"p50": statistics.median(took), "p99": took[min(len(took) - 1, int(len(took) * 0.99))]}


def payloads(chunks: list[str]) -> list[str]:
    """Hook bodies as the client posts them after a tool call, about 10 KB each."""
    made = []
    for index, chunk in enumerate(chunks):
        body = {
            "session_id": f"5f2c1c9e-30a1-4c7e-9a55-{index:012x}",
            "transcript_path": f"/home/dev/.claude/projects/-srv-app/5f2c1c9e-{index:04x}.jsonl",
            "cwd": "/srv/app",
            "permission_mode": "default",
            "hook_event_name": "PostToolUse",
            "tool_name": "Edit",
            "tool_use_id": f"toolu_01{index:022d}",
            "tool_input": {
                "file_path": f"/srv/app/m{index}.py",
                "old_string": chunk[:1200],
                "new_string": chunk[1200:2600],
            },
            "tool_response": {
                "structuredPatch": [{"oldStart": 1, "lines": ["+" + line for line in chunk[2600:5200].splitlines()]}],
                "originalFile": chunk[5200:9000],
                "userModified": False,
            },
        }
        made.append(json.dumps(body, indent=1))
    return made


def speed(ours: Scrubber, other: Other, corpus: list[Case], chunks: list[str]) -> dict[str, dict[str, Figures]]:
    dense_text = "\n".join(case.text for case in corpus)
    dense = [dense_text[at : at + CHUNK] for at in range(0, min(len(dense_text), CHUNK * CHUNKS), CHUNK)]
    bodies = payloads(chunks)
    decoded = {text: json.loads(text) for text in bodies}
    for text in chunks + dense:  # rules compile when first needed
        ours.text(text)
    return {
        "source code": {"holdfast": timed(ours.text, chunks), "detect-secrets": timed(other.finds, chunks)},
        "hook payloads": {
            "holdfast": timed(lambda text: ours.value(decoded[text]), bodies),
            "detect-secrets": timed(other.finds, bodies),
        },
        "secret-dense": {"holdfast": timed(ours.text, dense), "detect-secrets": timed(other.finds, dense)},
    }


def recall(ours: Scrubber, other: Other, corpus: list[Case]) -> dict[str, Figures]:
    """Share of cases in which nothing of the secret is left (holdfast) or anything of it is reported (the other,
    which for some formats reports no more than the prefix)."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for case in corpus:
        hit = not remains(ours.text(case.text).text, case)
        reported = other.finds_any(case.text)
        seen = any(
            len(found) >= 3 and (found in secret or secret in found) for found in reported for secret in case.secrets
        )
        seen = seen or (case.family == "private-key" and bool(reported))
        for name in (case.family, "total"):
            row = counts[name]
            row[0] += 1
            row[1] += hit
            row[2] += seen
    order = sorted(counts, key=lambda name: (name == "total", name))
    return {
        name: {"cases": n, "holdfast": h / n, "detect-secrets": o / n} for name in order for n, h, o in [counts[name]]
    }


def false_positives(ours: Scrubber, other: Other, megabytes: float) -> dict[str, Figures]:
    """Findings per megabyte of ordinary sources; a few are real passwords in the tests of the library itself."""
    result = {}
    folders = {"standard library": Path(sysconfig.get_path("stdlib")), "site-packages": Path(site.getsitepackages()[0])}
    for name, folder in folders.items():
        size = mine = others = 0
        for path, text in sources(folder, megabytes):
            size += len(text.encode("utf-8", "replace"))
            mine += len(ours.text(text).found)
            others += len(other.finds(text, path.name))
        result[name] = {"megabytes": size / 1e6, "holdfast": mine / size * 1e6, "detect-secrets": others / size * 1e6}
    return result


def worst(ours: Scrubber) -> dict[str, Figures]:
    """Milliseconds for one megabyte of hostile text; linear, so ten megabytes take ten times as long."""
    size = 1_000_000
    seeds = {
        "one letter": "a",
        "sk-sk-sk-": "sk-",
        "password=": "password=",
        "eyJ-eyJ-": "eyJ-",
        "BEGIN…KEY": "-----BEGIN PRIVATE KEY-----\n",
        "open addresses": "://a:",
        "curl -u": "curl -u ",
        "key: key:": "key: ",
        "base64 line": "Ab3/xY9+",
    }
    figures = {}
    for name, seed in seeds.items():
        text = (seed * (size // len(seed) + 1))[:size]
        start = time.perf_counter()
        ours.text(text)
        figures[name] = {"ms per MB": (time.perf_counter() - start) * 1e3}
    return figures


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--json", action="store_true", help="print the figures as JSON")
    options.add_argument("--megabytes", type=float, default=4.0, help="size of each sample of ordinary sources")
    chosen = options.parse_args()
    ours, corpus = default_scrubber(), list(cases(SEED))
    library = "".join(text for _, text in sources(Path(sysconfig.get_path("stdlib")), 2.0))
    chunks = [library[at : at + CHUNK] for at in range(0, len(library), len(library) // CHUNKS)][:CHUNKS]
    with default_settings(), tempfile.TemporaryDirectory() as scratch:
        other = Other(scratch)
        figures = {
            "ms per 10 KB": speed(ours, other, corpus, chunks),
            "recall": recall(ours, other, corpus),
            "false positives per MB": false_positives(ours, other, chosen.megabytes),
            "worst cases": worst(ours),
        }
    if chosen.json:
        print(json.dumps(figures, indent=2))
    else:
        show(figures)


def show(figures: dict[str, dict[str, Figures]] | dict[str, object]) -> None:
    for title, rows in figures.items():
        print(f"\n{title}")
        assert isinstance(rows, dict)
        for name, row in rows.items():
            if title.startswith("ms"):
                cells = [f"{tool}  p50 {value['p50']:8.3f}  p99 {value['p99']:8.3f}" for tool, value in row.items()]
            else:
                cells = [f"{key} {value:8.3f}" if key != "cases" else f"{value:5d} cases" for key, value in row.items()]
            print(f"  {name:20}", "   ".join(cells))


if __name__ == "__main__":
    main()
