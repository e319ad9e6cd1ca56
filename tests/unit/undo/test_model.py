"""What is kept is written and read again as it was, whatever bytes a name has."""

from __future__ import annotations

import json
import os

import pytest

from holdfast.ids import ConversationId
from holdfast.undo.model import Kept, KeptFile, KeptRef, decoded, encoded, printable

_NAMES = (
    b"/p/plain.txt",
    b"/p/caf\xe9.txt",
    b"/p/\xff\xfe",
    "/p/ä\U0001f600".encode(),
    b"/p/new\nline",
    b'/p/"quoted"\\',
)


@pytest.mark.requirement("WRK-13")
def test_names_of_any_bytes_are_written_and_read_again() -> None:
    files = [KeptFile(os.fsdecode(name), "file", 0o644, 1, "00000") for name in _NAMES]
    files += [KeptFile("/p/link", "link", 0o777, 1, os.fsdecode(b"to/\xe9"))]
    kept = Kept(
        "id", "echo \ud800; rm", ConversationId("c"), 1, 2, files=files, refs=[KeptRef("refs/heads/a", "0" * 40)]
    )
    again = decoded(encoded(kept))
    assert again == kept
    assert [os.fsencode(each.path) for each in again.files[: len(_NAMES)]] == list(_NAMES)


@pytest.mark.requirement("WRK-13")
def test_what_an_earlier_version_kept_is_read() -> None:
    told = {"id": "a", "command": "rm", "conversation": "c", "created_at": 1, "bytes": 2, "branch": "main"}
    told |= {"files": [{"path": "/p/a", "kind": "file", "mode": 420, "modified_ns": 1, "at": "00000"}]}
    kept = decoded(json.dumps(told).encode())
    assert (kept.branch, kept.file_count, kept.stashes, kept.replaces) == ("main", 1, [], False)
    with pytest.raises(ValueError, match="id"):
        decoded(b'{"command": "rm"}')


@pytest.mark.requirement("WRK-13")
def test_a_path_for_people_is_text() -> None:
    assert printable(os.fsdecode(b"/p/caf\xe9.txt")) == "/p/caf\\xe9.txt"
    assert printable("/p/ä") == "/p/ä"
