"""Which files are read: only those inside the folder, and none while git does not say what it ignores."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.source.listing import NotListed, is_ignored, list_sources, look
from holdfast.source.model import ReadLimits
from holdfast.source.worker import ParserError
from tests.processes.source.test_worker import Bench, play
from tests.support.repositories import git, write


@pytest.mark.requirement("CTX-3")
def test_links_lead_to_no_file_and_a_git_that_fails_leaves_the_index_as_it_was(tmp_path: Path) -> None:
    root, outside = tmp_path / "shop", tmp_path / "outside"
    code = {"deep/d/x.py": "def taken(): pass\n", "a.py": "def kept(): pass\n", "secret.py": "def ignored(): pass\n"}
    write(root, {**code, ".gitignore": "secret.py\n"})
    write(outside, {"x.py": "def taken(): pass\n"})
    git(root, "init", "-q")
    git(root, "add", "-A")
    (root / "deep" / "d").rename(tmp_path / "gone")
    (root / "deep" / "d").symlink_to(outside)
    assert [each.path for each in list_sources(str(root), ReadLimits())[0]] == ["a.py"]
    assert look(str(root), "deep/d/x.py") is None
    assert look(str(root), "a.py")
    assert look(str(root), "../outside/x.py") is None

    async def story(bench: Bench) -> None:
        await bench.index(root)
        assert bench.names(root) == {"a.py": {"kept"}}
        (root / ".git" / "index").write_bytes(b"not an index")
        with pytest.raises(NotListed):
            is_ignored(str(root), ["secret.py"])
        with pytest.raises(ParserError, match=r"stays as it was: .*git could not list"):
            await bench.index(root)
        assert bench.names(root) == {"a.py": {"kept"}}
        assert bench.worker._idle, "the process ends also after a failure when nothing more is asked"

    play(story, tmp_path)
