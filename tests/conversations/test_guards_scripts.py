"""What a conversation wrote and then runs: by the hook JSON of the client, also after a restart of the daemon."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.contract.site import Site
from tests.conversations.talk import Talk
from tests.conversations.test_guards import bash, decision, repository
from tests.support.roads import run

__all__ = ["repository"]

WIPES = "#!/bin/sh\nrm -rf ~/Documents\n"


def wrote(tool: str, path: Path, cwd: Path, kind: str = "update") -> dict[str, Any]:
    """The client tells that it wrote a file."""
    after = {"hook_event_name": "PostToolUse", "tool_name": tool, "tool_input": {"file_path": str(path)}}
    return bash("", cwd, use=f"{tool}-{path.name}") | after | {"tool_response": {"type": kind, "filePath": str(path)}}


@pytest.mark.requirement("WRK-12", "WRK-7")
def test_a_script_that_was_written_or_edited_is_read_when_it_runs(site: Site, repository: Path) -> None:
    (repository / "old.sh").write_text(WIPES)
    (repository / "notes.md").write_text("how to clean up\n")
    new = repository / "new.sh"

    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store)
            assert decision(await talk.tell(bash("./old.sh", repository, use="t1"))) == ""
            new.write_text(WIPES)
            await talk.tell(wrote("Write", new, repository, "create"))
            assert decision(await talk.tell(bash("./new.sh", repository, use="t2"))) == "deny"
            assert decision(await talk.tell(bash("./old.sh", repository, use="t3"))) == "", "others wrote it"
            await talk.tell(wrote("Edit", repository / "old.sh", repository))
            assert decision(await talk.tell(bash("./old.sh", repository, use="t4"))) == "deny"
            assert decision(await talk.tell(bash("./new.sh", repository, use="t5", session="s2"))) == ""
            again = Talk(store)  # the daemon was restarted: the next prompt brings the ledger back
            prompt = {"hook_event_name": "UserPromptSubmit", "session_id": "s1", "prompt": "go on"}
            await again.tell(prompt | {"cwd": str(repository), "transcript_path": ""})
            for number, command in enumerate(("./new.sh", "./old.sh")):
                assert decision(await again.tell(bash(command, repository, use=f"t6{number}"))) == "deny"

    run(story())
