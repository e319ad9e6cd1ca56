"""What memory says, judged by short cases: a few sessions each, played as hook events, in seconds and without a client.

    python -m bench.cases bench/cases/a.jsonl              the figures by class
    python -m bench.cases FILE --verbose                   also every line that was told, and what is wrong with it
    python -m bench.cases FILE --src OTHER/src             judges the product of another folder

Ends with 0 when all is as it must be, 1 when something was missed or a forbidden line was told, 2 when the file is bad.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING

from bench.cases.judge import Judged, Sum, by_class, judge, table
from bench.cases.model import BadCase, Case, load

if TYPE_CHECKING:
    from bench.cases.play import Prepared

_EVERY = 10


def main(words: Sequence[str] | None = None) -> int:
    chosen = _parser().parse_args(words)
    try:
        cases = load(chosen.file)
    except BadCase as problem:
        print(problem, file=sys.stderr)
        return 2
    if chosen.case and not (cases := [each for each in cases if each.name in chosen.case]):
        print(f"{chosen.file} has none of {', '.join(chosen.case)}", file=sys.stderr)
        return 2
    if chosen.src and (fault := _judge_product_of(chosen.src)):
        print(fault, file=sys.stderr)
        return 2
    judged: list[Judged] = []
    interrupted = False
    try:
        for each in _judged(cases, chosen.jobs):
            judged.append(each)
            if len(judged) % _EVERY == 0 or len(judged) == len(cases):
                print(f"{len(judged)} of {len(cases)} cases", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        interrupted = True
    _report(judged, len(cases), chosen)
    if interrupted:
        return 130
    return int(any(each.missed or each.forbidden for each in judged))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="cases, one JSON object per line (bench/cases/README.md)")
    parser.add_argument(
        "--src", type=Path, metavar="DIR", help="judge the product in this folder (it holds `holdfast/`)"
    )
    parser.add_argument("--case", action="append", metavar="ID", help="only this case (may be repeated)")
    parser.add_argument("--jobs", type=int, default=2, help="how many cases are played side by side (default 2)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--verbose", action="store_true", help="print the lines that were told")
    return parser


def _judge_product_of(folder: Path) -> str:
    """Makes that folder's product the one that is imported; says what is wrong with the folder."""
    source = next((each for each in (folder, folder / "src") if (each / "holdfast" / "program.py").is_file()), None)
    if source is None:
        return f"{folder} holds no product (holdfast/program.py)"
    sys.path.insert(0, str(source.resolve()))
    import holdfast

    if Path(holdfast.__file__ or "").resolve().parents[1] != source.resolve():
        return f"another product is loaded already: {Path(holdfast.__file__ or '').parent}"
    return ""


def _judged(cases: Sequence[Case], jobs: int) -> Iterator[Judged]:
    """Each case in the order of the file, as soon as it and those before it are known."""
    from bench.cases.play import prepared  # it loads the product, which `--src` chooses

    with prepared() as made:
        if jobs < 2:
            yield from (_one(case, made) for case in cases)
            return
        with ProcessPoolExecutor(
            min(jobs, len(cases)), mp_context=get_context("fork"), initializer=_leave_interrupts
        ) as pool:
            try:
                yield from pool.map(_one, cases, [made] * len(cases))
            except KeyboardInterrupt:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def _leave_interrupts() -> None:
    """Ctrl-C reaches the whole group; the runner alone acts on it, and tells what is known."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _one(case: Case, made: Prepared) -> Judged:
    from bench.cases.play import play

    return judge(case, play(case, made))


def _report(judged: Sequence[Judged], of: int, chosen: argparse.Namespace) -> None:
    sums = by_class(judged)
    if chosen.json:
        print(json.dumps({"played": len(judged), "cases": of} | _value(judged) | {"classes": _sums(sums)}))
        return
    if chosen.verbose:
        for each in judged:
            print("\n".join(_lines(each)))
        print()
    if len(judged) < of:
        print(f"Only {len(judged)} of {of} cases were played.")
    print("\n".join(table(sums)))


def _sums(sums: dict[str, Sum]) -> dict[str, object]:
    return {kind: dataclasses.asdict(each) for kind, each in sums.items()}


def _value(judged: Sequence[Judged]) -> dict[str, object]:
    return {
        "missed": [{"case": each.case.name, "expected": str(one)} for each in judged for one in each.missed],
        "forbidden": [
            {"case": each.case.name, "expected": str(one), "line": line}
            for each in judged
            for one, line in each.forbidden
        ],
    }


def _lines(judged: Judged) -> Iterator[str]:
    case, told = judged.case, judged.told
    yield f"\n{case.name} ({case.kind}): {judged.met} of {len(case.expected)}, brief of {told.tokens} tokens"
    yield from (f"    brief    {line}" for line in told.brief)
    for (at, subject), lines in told.at.items():
        yield f"    {at:<8} {subject}"
        yield from (f"             {line}" for line in lines)
    yield from (f"  missed     {each}" for each in judged.missed)
    yield from (f"  forbidden  {each}\n             {line}" for each, line in judged.forbidden)


if __name__ == "__main__":
    sys.exit(main())
