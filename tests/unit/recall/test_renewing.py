"""The version of the index's words: it changes when the same item would have other words, and at no other time."""

from __future__ import annotations

import pytest

from holdfast.recall import renewing
from holdfast.recall.renewing import words_version
from holdfast.recall.words import BASE, STOP


@pytest.mark.requirement("STO-5")
def test_the_version_changes_with_the_words(monkeypatch: pytest.MonkeyPatch) -> None:
    version = words_version()
    assert words_version.__wrapped__() == version
    for name, other in (("STOP", STOP | {"gardener"}), ("BASE", BASE | {"mended": "mend"})):
        with monkeypatch.context() as changed:
            changed.setattr(renewing, name, other)
            assert words_version.__wrapped__() != version, name
    monkeypatch.setattr(renewing, "words", lambda item: item.text)
    assert words_version.__wrapped__() != version
