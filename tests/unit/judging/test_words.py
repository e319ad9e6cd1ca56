"""What is said of a finding about files: a person understands it, and the advice fits what the command does."""

from __future__ import annotations

import pytest

from holdfast.commandline.model import Where
from holdfast.commandline.reading.line import read
from holdfast.judging.packs import built_in
from holdfast.judging.rules import findings, strictest
from tests.support.table import each_of

HERE = Where(cwd="/home/u/p", root="/home/u/p", home="/home/u")


@pytest.mark.requirement("WRK-7")
@each_of(
    "line, reason, instead",
    [
        ('rm -rf "$B/"', "where the variable is empty", "${NAME:?}"),
        ("rm -rf /$B", "where the variable is empty", "${NAME:?}"),
        ("rm -rf /", "is part of the system", "ask the user"),
        ("xargs rm -rf < list", "on what it reads from its input, which is computed at run time", "write the path out"),
        ("cat l | xargs -I{} rm -rf notes/{}", "on notes/…, which is computed at run time", "write the path out"),
        ("shred -u draft.txt", "in the project", "use `rm`"),
        ("chmod -R 777 .", "everyone write", "chmod u+w FILE"),
        ("rm -rf notes", "in the project", "name the files one by one, or commit"),
        ("rm draft.txt", "in the project", "move it aside, or commit it"),
        ("rm -rf draft.txt", "in the project", "move it aside, or commit it"),
        ("> draft.txt", "in the project", "copy it first"),
    ],
)
def test_what_is_said(line: str, reason: str, instead: str) -> None:
    worst = strictest(findings(read(line), built_in(), HERE))
    assert worst is not None
    assert reason in worst.reason
    assert instead in worst.instead
