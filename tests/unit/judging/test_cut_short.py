"""Which calls put a part of each of many files of data in its place."""

from __future__ import annotations

import pytest

from holdfast.commandline.reading.line import read
from holdfast.judging.cut_short import moved_over
from tests.support.table import each_of


@pytest.mark.requirement("WRK-7")
@each_of(
    "line, is_cut",
    [
        ('for f in *.csv; do head -1000 "$f" > t && mv t "$f"; done', True),
        ('for f in raw/*.jsonl; do head -n 500 "$f" > "$f.part"; mv -f "$f.part" "$f"; done', True),
        ('for f in $(ls raw/*.csv); do shuf -n 10 "$f" > t; cp t "$f"; done', True),
        ('find raw -name \'*.csv\' | while read -r f; do tail --lines=5 "$f" > t && mv t "$f"; done', True),
        ('for f in raw/*.csv; do head -9 < "$f" > t && mv t "$f"; done', True),
        ('for f in *.csv; do tail -n +2 "$f" > t && mv t "$f"; done', False),
        ('for f in *.csv; do head -n -1 "$f" > t && mv t "$f"; done', False),
        ('for f in *.csv; do head -1000 "$f" > t && mv t "small-$f"; done', False),
        ('for f in logs/*.txt; do tail -9 "$f" > t && mv t "$f"; done', False),
        ('cp -r raw kept; for f in raw/*.csv; do head -9 "$f" > t && mv t "$f"; done', False),
        ("head -9 a.csv > t && mv t a.csv", False),
        ("mv t a.csv", False),
    ],
)
def test_many_files_are_cut_short(line: str, is_cut: bool) -> None:
    assert bool(moved_over(read(line).runs)) is is_cut
