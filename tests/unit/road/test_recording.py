"""Which events are recorded: by their time, their session and their project, also when a session goes elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.ids import ConversationId
from holdfast.pauses import Pause, PauseFile
from holdfast.project_file import PROJECT_FILE, ProjectFiles
from holdfast.road.identity import Atlas
from holdfast.road.recording import Recording, recording_alone

NOW = 2_000_000_000_000_000


class World:
    def __init__(self, root: Path) -> None:
        self.home = root / "home"
        self.home.mkdir()
        self.project, self.other = root / "project", root / "other"
        for each in (self.project, self.other):
            (each / ".git").mkdir(parents=True)
        self.file = PauseFile(self.home / "pauses.json")

    def recording(self) -> Recording:
        return Recording(self.file, ProjectFiles(), Atlas(lambda root: "").find)

    def pause_project(self, since: int = 0) -> None:
        place = Atlas(lambda root: "").find(str(self.project))
        self.file.add(Pause("project", place.place, since, root=place.worktree))

    def transcript(self, folder: Path) -> str:
        name = "".join(letter if letter.isalnum() else "-" for letter in str(folder))
        return f"/c/projects/{name}/s.jsonl"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path.resolve())


@pytest.mark.requirement("MEM-30")
def test_a_project_is_paused_and_others_are_not(world: World) -> None:
    world.pause_project()
    recording = world.recording()
    sub = world.project / "src"
    sub.mkdir()
    assert recording.pause_of(ConversationId("s-1"), str(world.project), "", NOW, NOW)
    assert recording.pause_of(ConversationId("s-2"), str(sub), "", NOW, NOW)
    assert recording.pause_of(ConversationId("s-3"), str(world.other), "", NOW, NOW) is None
    assert recording_alone(world.home).pause_of(ConversationId("s-1"), str(sub), "", NOW, NOW)


@pytest.mark.requirement("MEM-30")
def test_a_session_that_goes_elsewhere_is_still_paused(world: World) -> None:
    world.pause_project()
    recording = world.recording()
    recording.pause_of(ConversationId("s-1"), str(world.project), "", NOW, NOW)
    assert recording.pause_of(ConversationId("s-1"), "/tmp", "", NOW, NOW)
    # After a restart only the transcript's folder tells where the session began.
    assert world.recording().pause_of(ConversationId("s-1"), "/tmp", world.transcript(world.project), NOW, NOW)
    assert world.recording().pause_of(ConversationId("s-2"), "/tmp", world.transcript(world.other), NOW, NOW) is None


@pytest.mark.requirement("MEM-30")
def test_two_folders_with_one_name_for_the_client_are_two_projects(world: World) -> None:
    world.pause_project()
    twin = world.project.parent / "pro" / "ject"
    (twin / ".git").mkdir(parents=True)
    assert world.recording().pause_of(ConversationId("s-1"), str(twin), world.transcript(twin), NOW, NOW) is None


@pytest.mark.requirement("MEM-30")
def test_what_happened_while_a_file_said_no_is_not_taken_later(world: World) -> None:
    settings = world.project / PROJECT_FILE
    settings.write_text("capture = false\n")
    at = settings.stat().st_ctime_ns // 1_000
    assert world.recording().pause_of(ConversationId("s-1"), str(world.project), "", at + 5, at + 10)
    settings.unlink()
    later = at + 3_600_000_000
    changed = world.project.stat().st_ctime_ns // 1_000
    recording = world.recording()
    assert recording.pause_of(ConversationId("s-1"), str(world.project), "", later, later) is None
    assert recording.pause_of(ConversationId("s-1"), str(world.project), "", min(at + 5, changed - 1), later)
    assert recording.pause_of(ConversationId("s-1"), str(world.project), "", changed + 1, later) is None
    assert recording.pause_of(ConversationId("s-1"), str(world.project), "", at - 60_000_000, later) is None


@pytest.mark.requirement("MEM-30")
def test_the_users_own_file_switches_everything_off(world: World) -> None:
    (world.home / "config.toml").write_text("capture = false\n")
    assert recording_alone(world.home).pause_of(ConversationId("s-1"), str(world.other), "", NOW, NOW)
    (world.home / "config.toml").write_text("")
    assert recording_alone(world.home).pause_of(ConversationId("s-1"), str(world.other), "", NOW + 2, NOW + 2) is None


@pytest.mark.requirement("MEM-30")
def test_a_paused_session_that_is_cleared_stays_paused(world: World) -> None:
    world.file.add(Pause("session", "s-1"))
    recording, cwd = world.recording(), str(world.project)
    pause = recording.pause_of(ConversationId("s-1"), cwd, "", NOW, NOW)
    assert pause
    recording.session_was_cleared(cwd, pause, NOW)
    recording.session_after_clear(ConversationId("s-2"), cwd, NOW + 50_000)
    recording.session_after_clear(ConversationId("s-3"), cwd, NOW + 60_000)
    assert recording.pause_of(ConversationId("s-2"), cwd, "", NOW + 60_000, NOW + 60_000)
    assert recording.pause_of(ConversationId("s-3"), cwd, "", NOW + 60_000, NOW + 60_000) is None


@pytest.mark.requirement("MEM-30")
def test_a_cleared_session_stays_paused_where_the_home_cannot_be_written(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    recording, cwd = world.recording(), str(world.project)
    recording.session_was_cleared(cwd, Pause("session", "s-1", NOW), NOW)
    monkeypatch.setattr(PauseFile, "add", fails)
    recording.session_after_clear(ConversationId("s-2"), cwd, NOW + 50_000)
    assert recording.pause_of(ConversationId("s-2"), cwd, "", NOW + 60_000, NOW + 60_000)
    assert recording.pause_of(ConversationId("s-9"), cwd, "", NOW + 60_000, NOW + 60_000) is None


@pytest.mark.requirement("MEM-30")
def test_one_paused_session_says_nothing_of_another_that_is_named(world: World) -> None:
    world.file.add(Pause("session", "s-1", 0))
    recording = world.recording()
    asked = [
        recording.is_recorded(lambda: NOW, str(world.project), NOW, ConversationId(session))
        for session in ("", "s-1", "s-2")
    ]
    assert asked == [False, False, True]


@pytest.mark.requirement("MEM-30")
def test_files_are_looked_at_for_each_event_unless_they_were_just_now(world: World) -> None:
    recording, here = world.recording(), str(world.project)
    assert recording.pause_of(ConversationId("s-1"), here, "", NOW, NOW) is None
    world_of_others = PauseFile(world.home / "pauses.json")
    world_of_others.add(Pause("session", "s-1"))
    assert recording.pause_of(ConversationId("s-1"), here, "", NOW, NOW, 60.0) is None, "one look serves many"
    assert recording.pause_of(ConversationId("s-1"), here, "", NOW, NOW)
    assert recording.pause_of(ConversationId("s-2"), here, "", NOW, NOW, 60.0) is None
    (world.project / PROJECT_FILE).write_text("capture = false\n")
    assert recording.pause_of(ConversationId("s-2"), here, "", NOW, NOW, 60.0) is None
    assert recording.pause_of(ConversationId("s-2"), here, "", NOW, NOW)
