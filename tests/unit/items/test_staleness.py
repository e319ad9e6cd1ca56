"""What became of the files that an item names."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.items.sources import NO_NEWS, FileNews
from holdfast.items.staleness import files_at


@pytest.mark.requirement("CTX-1")
def test_files_that_are_gone_moved_or_changed_are_told(tmp_path: Path) -> None:
    (tmp_path / "new.py").write_text("")
    (tmp_path / "busy.py").write_text("")
    known = {"old.py": FileNews("new.py"), "lost.py": FileNews("nowhere.py"), "busy.py": FileNews("", 7)}
    files = files_at(str(tmp_path), lambda path, since: known.get(path, NO_NEWS))
    assert files is not None
    cases: list[tuple[tuple[str, ...], tuple[str, ...]]] = [
        ((), ()),
        (("new.py",), ()),
        (("gone.py",), ("gone.py no longer exists",)),
        (("gone.py", "also.py", "third.py"), ("gone.py and 2 more no longer exist",)),
        (("old.py",), ("old.py is now new.py",)),
        (("lost.py",), ("lost.py no longer exists",)),
        (("busy.py",), ("busy.py changed 7 times since",)),
        (("gone.py", "busy.py"), ("gone.py no longer exists", "busy.py changed 7 times since")),
        (("/outside/x.py",), ()),
        (("two\nlines.py",), ("two lines.py no longer exists",)),
    ]
    for named, told in cases:
        assert files.facts(named, 5) == told, named
    there = {path: files.is_there(path) for path in ("new.py", "old.py", "lost.py", str(tmp_path / "new.py"), "/no/x")}
    assert list(there.values()) == [True, True, False, True, False]
    assert files_at(str(tmp_path / "not there")) is None
    assert files_at("") is None
