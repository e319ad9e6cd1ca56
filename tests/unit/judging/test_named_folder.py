"""The folder that a line says it works in."""

from __future__ import annotations

import pytest

from holdfast.judging.named_folder import named_in
from tests.support.table import each_of


@pytest.mark.requirement("WRK-12")
@each_of(
    "line, folder",
    [
        ("cd /home/dev/shop && rm -rf dist", "/home/dev/shop"),
        ("cd '/home/dev/shop/web/' ; make", "/home/dev/shop/web"),
        ("set -e; cd /workspace/app\nmake", "/workspace/app"),
        ("cd /Users/ana/code/shop && ls", "/Users/ana/code/shop"),
    ],
)
def test_a_line_that_begins_with_its_folder_names_it(line: str, folder: str) -> None:
    assert named_in(line) == folder


@pytest.mark.requirement("WRK-12")
@each_of(
    "line",
    [
        "cd /home/dev && rm -rf shop",
        "cd /home/dev/Documents && rm -rf taxes",
        "cd /home/dev/.ssh && rm -f id_rsa",
        "cd /home/dev/backups/db && rm -rf old",
        "cd /var/lib/postgresql && rm -rf data",
        "cd / && rm -rf tmp",
        "cd /home/dev/shop/../.. && rm -rf dev",
        "cd /home/dev/$NAME && rm -rf x",
        "ls && cd /home/dev/shop && rm -rf x",
        "cd /home/dev/shop || rm -rf x",
    ],
)
def test_others_name_none(line: str) -> None:
    assert named_in(line) == ""
