"""The name that an origin gives a project. A file of blank lines must not take minutes."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.rooms.continuity.sessions.remotes import origin_name


@pytest.mark.requirement("CON-1")
def test_the_origin_is_found_also_in_a_file_of_blank_lines(tmp_path: Path) -> None:
    config = tmp_path / ".git" / "config"
    config.parent.mkdir()
    origin = '\t[remote "origin"]\n\tfetch = x\n\n\turl = git@example.org:ada/engine.git\n[branch "main"]\n'
    for number, text in enumerate((origin, "[core]\n" + "\n" * 400_000 + origin, " \n" * 200_000 + "x")):
        config.write_text(text)
        assert origin_name(str(tmp_path)) == ("" if number == 2 else "ada_engine")
