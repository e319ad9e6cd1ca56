"""What is given unasked can be switched off: by kind, and by project (MEM-25). And what the user is told (MEM-27)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contract.site import Site
from tests.conversations.session import Session, fixed_a_loop
from tests.conversations.talk import Talk, converse

PARAPHRASE = "Why did an expired cookie send people back to login again and again?"
KINDS = ("brief", "recall", "file_history")
NAMES = {
    "brief": ("memory.brief", "inject.brief"),
    "recall": ("memory.recall", "user_prompt_submit.enabled"),
    "file_history": ("memory.file_history",),
    "inject": ("memory.inject", "inject.enabled"),
}
"""The settings of each kind: the name in the section of memory, which users have in their files, and the house's."""


async def gifts(talk: Talk, name: str, cwd: str) -> dict[str, bool]:
    """Which kinds of memory each come in a session of their own."""
    found = {}
    for kind in KINDS:
        session = Session(talk, f"{name}-{kind}", cwd)
        match kind:
            case "brief":
                given = await session.start()
            case "recall":
                given = await session.ask(PARAPHRASE)
            case _:
                given = await session.tell(
                    "PreToolUse", tool_name="Read", tool_input={"file_path": f"{cwd}/src/auth.py"}, tool_use_id=name
                )
        found[kind] = bool(given)
    return found


@pytest.mark.requirement("MEM-25")
@pytest.mark.parametrize(("kind", "key"), [(kind, key) for kind, names in NAMES.items() for key in names])
def test_each_kind_is_switched_off_by_the_user_or_by_the_project(
    site: Site, tmp_path: Path, kind: str, key: str
) -> None:
    section, _, name = key.partition(".")

    async def story(talk: Talk) -> None:
        project = str(tmp_path)
        await fixed_a_loop(talk, "s1", project)
        whole = await gifts(talk, "a", project)
        assert all(whole.values())
        expected = {each: kind not in (each, "inject") for each in KINDS}
        (tmp_path / ".holdfast.toml").write_text(f"[{section}]\n{name} = false\n")
        assert await gifts(talk, "b", project) == expected
        by_user = Talk(talk.store, written=f"[{section}]\n{name} = false\n")
        (tmp_path / ".holdfast.toml").write_text(f"[{section}]\n{name} = true\n")
        assert await gifts(by_user, "c", project) == expected  # a project switches nothing on
        await by_user.service.close()
        assert await gifts(talk, "d", project) == whole

    converse(site, story)


async def sign(talk: Talk, name: str, cwd: str, source: str = "startup") -> str:
    payload = {"session_id": name, "cwd": cwd, "transcript_path": "", "hook_event_name": "SessionStart"}
    return str((await talk.tell(payload | {"source": source}, source="command")).get("systemMessage", ""))


@pytest.mark.requirement("MEM-27")
def test_the_sign_of_life_says_what_was_given_and_can_be_switched_off(site: Site, tmp_path: Path) -> None:
    async def story(talk: Talk) -> None:
        project = str(tmp_path)
        assert await sign(talk, "s0", project) == "holdfast: no memory of this project yet, guards on"
        await fixed_a_loop(talk, "s1", project)
        given = await Session(talk, "s2", project).start()
        lines = sum(line.startswith("[") for line in given.splitlines())
        assert lines
        said = await sign(talk, "s3", project)
        assert said == f"holdfast: {lines} line{'s' if lines > 1 else ''} of memory, guards on"
        assert said not in given
        assert await sign(talk, "s3", project, "resume") == "holdfast: nothing new from memory, guards on"
        (tmp_path / ".holdfast.toml").write_text("[memory]\nbrief = false\n")
        assert await sign(talk, "s4", project) == "holdfast: the brief is off, guards on"
        (tmp_path / ".holdfast.toml").write_text("sign_of_life = false\n")
        assert await sign(talk, "s5", project) == ""
        (tmp_path / ".holdfast.toml").unlink()
        talk.composed.road.signs = False
        assert await sign(talk, "s6", project) == ""

    converse(site, story)
