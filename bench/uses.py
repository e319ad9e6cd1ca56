"""How many tests and users that the code index says of a file are right, on a sample that was labelled by reading.

`bench/labelled/uses.jsonl` names uses in the newest releases of five public packages (`--releases DIR`: a folder per
package with its source archives). Each is looked up in an index of that release: one that is not said any more counts
neither way. Beside it stands in how many files the bare name is written, which is what grep would say.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import tempfile
from pathlib import Path
from typing import Any

from bench.code import Bench
from bench.edits import bring
from bench.figures import Report, Row, Sample, main

from holdfast.source.index_file import IndexFile

LABELLED = Path(__file__).parent / "labelled" / "uses.jsonl"


async def said(archive: Path, wanted: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], int]:
    """Which of these uses the index says; and how many other files hold the bare names."""
    with tempfile.TemporaryDirectory(prefix="holdfast-uses-") as made:
        root = Path(made).resolve() / "root"
        root.mkdir()
        bring(root, str(archive))
        bench = Bench(Path(made) / "index", root)
        _, tree = await bench.build()
        index = IndexFile(tree.file)
        found, holding = [], 0
        texts = {
            path: (root / path).read_text("utf-8", "replace") for path in index.files(index.tree_id(str(root)) or 0)
        }
        for each in wanted:
            relations = bench.code.relations_of(index, tree, each["file"])
            if any(one.path == each["by"] and each["name"] in one.names for one in relations):
                found.append(each)
            word = re.compile(rf"\b{re.escape(each['name'])}\b")
            holding += sum(path != each["file"] and word.search(text) is not None for path, text in texts.items())
        index.close()
        await bench.code.worker.close()
        return found, holding


def measure(options: argparse.Namespace) -> Report:
    labelled = [json.loads(line) for line in LABELLED.read_text("utf-8").splitlines()]
    archives = {path.name: path for path in options.releases.glob("*/*.tar.gz")}
    found: list[dict[str, Any]] = []
    holding = asked = 0
    for name in sorted({each["archive"] for each in labelled} & archives.keys()):
        wanted = [each for each in labelled if each["archive"] == name]
        told, files = asyncio.run(said(archives[name], wanted))
        found += told
        holding += files
        asked += len(wanted)
    rows = []
    for kind, label in (("test", "tests that are named"), ("user", "users that are named")):
        of_kind = [each for each in found if each["kind"] == kind]
        right = sum(each["right"] for each in of_kind)
        rows.append(Row(f"{label}: right", "%", Sample.one(100 * right / max(1, len(of_kind)))))
    notes = [
        f"{len(found)} of {asked} labelled uses are said, {sum(each['right'] for each in found)} of them are right. "
        f"The bare names stand in {holding / max(1, asked):.1f} files each on average."
    ]
    return Report("Tests and users, labelled", "CTX-3", "none", rows, notes)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--releases", type=Path, required=True, help="a folder per package with its source archives")


if __name__ == "__main__":
    main(measure, __doc__ or "", "python -m bench.uses --releases ~/releases", arguments)
