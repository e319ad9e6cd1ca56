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
    names = {"both": {"sell": "", "buy_all": "shop.py"}, "here": {"sell": ""}, "two": {"a_b": "x.py", "c_d": "y.py"}}
    asked: list[str] = []

    def standing(text: str) -> dict[str, str]:
        asked.append(text)
        return names.get(text, {})

    files = files_at(str(tmp_path), lambda path, since: known.get(path, NO_NEWS), standing)
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
    words: list[tuple[str, float, tuple[str, ...]]] = [
        ("nothing", 1.0, ()),
        ("here", 1.0, ()),
        ("both", 0.8, ("buy_all no longer exists in shop.py",)),
        ("two", 0.6, ("a_b and 1 more name no longer exist in x.py",)),
    ]
    for text, factor, told in words:
        assert (round(files.names_there(text), 3), files.facts((), 5, text)) == (factor, told), text
    assert asked == [text for text, _, _ in words], "each text is looked up once"
    assert files.facts(("shop.py",), 5, "both") == ("shop.py no longer exists",), "the file says it already"
    assert files_at(str(tmp_path / "not there")) is None
    assert files_at("") is None
