"""What is said of a decision on record, from the rule's id and the command alone."""

from __future__ import annotations

import pytest

from holdfast.judging.packs import built_in
from holdfast.rooms.guards.explaining import instead_of, parts_of

pytestmark = pytest.mark.requirement("MEM-10")


def test_the_alternative_is_that_of_the_rule_that_gave_the_reason() -> None:
    packs = built_in()
    line = "git stash list; git checkout . "
    reason = "`git checkout .` throws away all changes below this folder"
    assert instead_of(packs, "Bash", line, "git.checkout-discard", reason) == "`git stash` keeps them"
    more = f"{reason}; what it removes cannot be kept (the disk is full)"
    assert instead_of(packs, "Bash", line, "git.checkout-discard", more) == "`git stash` keeps them"
    cut = instead_of(packs, "Bash", "[scrubbed]", "git.checkout-discard", reason)
    assert cut == "`git stash` keeps them", "the rule is known by its id where the command cannot be read any more"
    assert instead_of(packs, "Bash", line, "gone.rule", "it was removed from a file") == ""
    assert instead_of(packs, "Write", "/etc/passwd", "files.system", "it is part of the system") == ""


def test_the_parts_are_those_that_run() -> None:
    parts = parts_of("Bash", "cd x && rm -rf build; $CMD")
    assert parts[:2] == ["cd x", "rm -rf build"]
    assert "computed at run time: the program $CMD" in parts[-1]
    assert parts_of("Write", "/etc/passwd") == []
