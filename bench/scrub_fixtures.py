"""Recall on a public scanner's fixtures, by kind: those that the vendor rules were made from, and those left out.

    python -m bench.scrub_fixtures PATH [--samples N] [--missed]

PATH is JSON: a list of {"id", "pattern"} (texts are then made from each pattern) or of {"kind", "text", "secret"}.
"""

import argparse
import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.make_rules import FACTS, NO_SECRET
from bench.scrub_corpus import MARK
from bench.scrub_samples import Sampler

from holdfast.scrub import default_scrubber


def fixtures(raw: list[dict[str, Any]], count: int) -> Iterator[tuple[str, str, str]]:
    """Kind, text and secret of each."""
    for one in raw:
        if "text" in one:
            yield one["kind"], one["text"], one["secret"]
            continue
        kind = re.sub(r"\.\d+$|^[a-z]+\.(?:secrets/)?", "", one["id"])
        if NO_SECRET.search(kind):
            continue
        pattern = re.sub(
            r"\(\?[isx]+\)", "", one["pattern"].replace(r"\z", r"\Z").replace("[[:alnum:]]", "[A-Za-z0-9]")
        )
        try:
            sampler = Sampler(pattern, seed=99)
            made = [sampler.sample() for _ in range(count)]
        except (re.error, KeyError, ValueError):
            continue
        for text, groups in made:
            yield kind, text, next((group for _, group in sorted(groups.items()) if len(group) >= 8), text)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("path", type=Path)
    options.add_argument("--samples", type=int, default=4, help="texts made from each pattern")
    options.add_argument("--missed", action="store_true", help="name the kinds of which most were missed")
    chosen = options.parse_args()
    known = {one["id"] for one in tomllib.loads(FACTS.read_text())["fact"]}
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for kind, text, secret in fixtures(json.loads(chosen.path.read_text()), chosen.samples):
        left = MARK.sub(" ", default_scrubber().text(text).text)
        counts[kind][0] += 1
        counts[kind][1] += not any(secret[at : at + 8] in left for at in range(4, max(5, len(secret) - 7)))
    for title, chosen_kinds in (("known", known), ("left out", counts.keys() - known), ("all", set(counts))):
        rows = [counts[kind] for kind in counts if kind in chosen_kinds]
        total, found = sum(row[0] for row in rows), sum(row[1] for row in rows)
        print(f"{title:10} {len(rows):4} kinds {total:6} texts   recall {found / max(1, total):.3f}")
    if chosen.missed:
        print([kind for kind, (total, found) in counts.items() if found * 2 < total])


if __name__ == "__main__":
    main()
