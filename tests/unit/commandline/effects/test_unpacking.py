"""Archives, patches, backups and packers: which files they write over, by their words."""

from __future__ import annotations

import pytest

from holdfast.commandline.effects.deeds import deeds
from holdfast.commandline.reading.line import read
from tests.support.table import each_of


def written(command: str) -> list[tuple[str, str | None]]:
    """Targets of what is written over, each with the archive that is unpacked there."""
    return [
        (target.text, deed.unpacks.text if deed.unpacks is not None else None)
        for run in read(command).runs
        for deed in deeds(run)
        if deed.act == "overwrite"
        for target in deed.targets
    ]


@pytest.mark.requirement("WRK-13")
@each_of(
    ("command", "expected"),
    [
        ("tar xf a.tar", [(".", "a.tar")]),
        ("tar -xzf a.tgz -C out", [("out", "a.tgz")]),
        ("tar --extract --file=a.tar --directory=out", [("out", "a.tar")]),
        ("tar -C out -x -f a.tar one two", [("out", "a.tar")]),
        ("tar xzfC a.tgz out", [("out", "a.tgz")]),
        ("tar xkf a.tar", []),
        ("tar tf a.tar", []),
        ("tar czf out.tgz src", [("out.tgz", None)]),
        ("tar -c -f out.tar src", [("out.tar", None)]),
        ("tar cf - src", []),
        ("unzip -oq a.zip", [(".", "a.zip")]),
        ("unzip -o a.zip -d out", [("out", "a.zip")]),
        ("unzip -l a.zip", []),
        ("unzip a.zip", []),
        ("patch -p1 -i x.patch", [(".", "x.patch")]),
        ("patch -d src -p1 < x.patch", [("src", "x.patch")]),
        ("patch a.txt < x.patch", [("a.txt", None)]),
        ("patch --dry-run -p1 < x.patch", []),
        ("sed -i.bak s/a/b/ a.txt", [("a.txt.bak", None)]),
        ("sed --in-place=.bak s/a/b/ a.txt d/b.txt", [("a.txt.bak", None), ("d/b.txt.bak", None)]),
        ("sed -i'old-*' s/a/b/ d/a.txt", [("d/a.txt", None), ("d/old-a.txt", None)]),
        ("perl -pi.bak -e 1 a.txt", [("a.txt", None), ("a.txt.bak", None)]),
        ("cp -b a b", [("b~", None), ("b", None)]),
        ("cp --backup=numbered a b", []),
        ("mv -b -S .old a b", [("b.old", None), ("b", None)]),
        ("gzip -f a.txt", [("a.txt", None), ("a.txt.gz", None)]),
        ("gunzip -f a.txt.gz", [("a.txt.gz", None), ("a.txt", None)]),
        ("gzip -c a.txt", []),
        ("gzip a.txt", []),
        ("split -b 4 a.txt part.", [("part.*", None)]),
        ("python3 -m zipfile -e a.zip out", [("out", "a.zip")]),
    ],
)
def test_what_is_written_over(command: str, expected: list[tuple[str, str | None]]) -> None:
    assert written(command) == expected
