"""Commands in files of settings: found by what they begin with, whatever the format and the key."""

from __future__ import annotations

import pytest

from holdfast.commandline.inline.settings_files import commands
from tests.support.table import each_of


@pytest.mark.requirement("WRK-14")
@each_of(
    ("text", "told"),
    [
        ("tasks:\n  - shell: rm -rf ~/x", ["rm -rf ~/x"]),
        ("script:\n  - rm -rf ~/x", ["rm -rf ~/x"]),
        ("web: rm -rf ~/x", ["rm -rf ~/x"]),
        ('run = "rm -rf ~/x"', ["rm -rf ~/x"]),
        ("command=rm -rf /srv/x", ["rm -rf /srv/x"]),
        ("ExecStart=/bin/rm -rf /srv/x", ["/bin/rm -rf /srv/x"]),
        ('command: ["rm", "-rf", "/srv/x"]', ["rm -rf /srv/x"]),
        ('{"steps": [{"command": "rm -rf ~/x"}]}', ["rm -rf ~/x"]),
        ("- run: |\n    cd ~\n    rm -rf x\n- run: make", ["cd ~\nrm -rf x"]),
        ("- file:\n    path: ~/x\n    state: absent", ["rm -rf ~/x"]),
        ("- file: { path: /srv/x, state: absent }", ["rm -rf /srv/x"]),
        ("- apt: name=x state=absent", []),
        ("deny:\n  - rm -rf ~/x", []),
        ("name: rm -rf ~/x", []),
        ("# run: rm -rf ~/x", []),
        ("rm -rf ~/x", []),
        ("image: postgres:16\nports: [5432]", []),
        ("cwd: rm", []),
    ],
)
def test_what_reads_as_a_command_is_one_unless_its_key_says_that_it_is_a_text(text: str, told: list[str]) -> None:
    assert [each.strip() for each in commands(text)] == told


def test_a_long_file_is_read_in_part() -> None:
    assert list(commands("x: y\n" * 20_000 + "run: rm -rf ~/x")) == []
    assert len(list(commands("\n".join(f"- rm -rf ~/{n}" for n in range(500))))) < 100
