"""Plays the scenes with the real client against the scripted API, and keeps the transcripts it wrote in the cache.

Nothing is changed in them but two things: the temporary folders become `/home/dev/…`, and each session is moved to a
day of its own, a day and a half after the one before, so that memories have ages. A tool that does not end as its scene
says, or a request that no step answers, is an error. Played once per scene and client; needs npm, for the client.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.work.scene import SCENES, Scene, Session, Turn, load, names
from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.install import PINNED
from tests.client.bed.script import Say, Use
from tests.client.bed.script import Turn as Answer

CACHE = Path(__file__).parents[2] / ".cache" / "work"
FIRST_DAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
APART = timedelta(hours=36)
_TIME = re.compile(r'(?<="timestamp":")\d{4}-\d\d-\d\dT[\d:.]+Z(?=")')
_SECONDS = 900


_TRIES = 4


class Mismatch(Exception):
    """The scene does not play as it is written."""


@dataclass(frozen=True, slots=True)
class Played:
    """What a scene left: the text of each session's transcript by its name, and the files of the repository."""

    sessions: dict[str, str]
    files: dict[str, str]


def play(scene: Scene) -> Played:
    """All sessions of a scene, in order."""
    root = Path(tempfile.mkdtemp(prefix="hf"))
    try:
        with Api() as api:
            claude = Claude(root, api.url, git=False)
            claude.env["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
            claude.env["PYTHONDONTWRITEBYTECODE"] = "1"
            claude.env["PYTHONPATH"] = str(_without_tzdata(root / "without"))
            _furnish(claude, scene)
            texts = {session.name: _session(claude, api, session) for session in scene.sessions}
            claude.close()
        places = _places(claude, scene.name)
        files = {path: (claude.project / path).read_text("utf-8") for path in claude.git("ls-files").splitlines()}
        return Played({name: _moved(text, places, at) for at, (name, text) in enumerate(texts.items())}, files)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _without_tzdata(folder: Path) -> Path:
    """A folder that hides the package `tzdata`: a scene is about a machine without it, and this one may have it."""
    folder.mkdir()
    (folder / "tzdata.py").write_text('raise ImportError("not on this machine")\n', "utf-8")
    return folder


def _furnish(claude: Claude, scene: Scene) -> None:
    for path, text in scene.files.items():
        file = claude.project / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        if text.startswith("#!"):
            file.chmod(0o755)
    (claude.home / ".gitconfig").write_text(
        "[user]\n\tname = Dev\n\temail = dev@example.invalid\n[init]\n\tdefaultBranch = main\n"
    )
    claude.git("init", "--quiet")
    claude.git("add", "--all")
    claude.git("commit", "--quiet", "--message", "Start")


def _session(claude: Claude, api: Api, session: Session) -> str:
    known: str | None = None
    for number, turn in enumerate(session.turns, 1):
        name = f"{session.name}/{number}"
        uses = _script(api, turn, claude.project)
        done = claude.run(turn.prompt, resume=known, timeout=_SECONDS)
        if done.code:
            raise Mismatch(f"{name}: the client ended with {done.code}: {done.stderr[-500:]}")
        if api.left() or api.unscripted:
            raise Mismatch(f"{name}: {api.left()} steps were not asked for, {len(api.unscripted)} requests had none.")
        for at, (use, step) in enumerate(zip(uses, turn.steps, strict=True), 1):
            result = api.result(use)
            if bool(result.is_error) != step.fails:
                raise Mismatch(f"{name}, step {at} ({step.tool}) {'failed' if result.is_error else 'went well'}: "
                               f"{result.text[:2_000]}")  # fmt: skip
        known = done.session
    return claude.transcript(str(known)).read_text("utf-8")


def _script(api: Api, turn: Turn, root: Path) -> list[Use]:
    uses = []
    for step in turn.steps:
        given = {
            name: value.replace("{root}", str(root)) if isinstance(value, str) else value
            for name, value in step.input.items()
        }
        uses.append(Use(step.tool, given))
        api.script(Answer([*([Say(step.says)] if step.says else []), uses[-1]]))
    api.script(Say(turn.says))
    return uses


def _places(claude: Claude, name: str) -> list[tuple[str, str]]:
    """What stands in the transcripts for places of this machine, the longest first."""
    project, root = str(claude.project), str(claude.project.parent)
    slug = re.compile(r"[^A-Za-z0-9]")
    python = Path(sys.executable)
    base = subprocess.run([str(python), "-c", "import sys; print(sys.base_prefix)"], capture_output=True, text=True)
    found = {
        project: f"/home/dev/{name}",
        slug.sub("-", project): f"-home-dev-{name}",
        str(claude.home): "/home/dev",
        root: "/home/dev/.scratch",
        slug.sub("-", root): "-home-dev--scratch",
        str(python.parents[1]): "/usr",
        base.stdout.strip(): "/usr",
    }
    return sorted(found.items(), key=lambda pair: -len(pair[0]))


def _moved(text: str, places: list[tuple[str, str]], number: int) -> str:
    for here, there in places:
        text = text.replace(here, there)
    first = _TIME.search(text)
    if first is None:
        raise Mismatch("the transcript has no times.")
    by = FIRST_DAY + number * APART - _time(first[0])
    return _TIME.sub(lambda found: (_time(found[0]) + by).isoformat(timespec="milliseconds")[:-6] + "Z", text)


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _played_well(name: str) -> Played:
    """Some scenes are about code that fails now and then: on a busy machine also where the scene means it to pass."""
    for left in reversed(range(_TRIES)):
        try:
            return play(load(name))
        except Mismatch as error:
            if not left:
                raise
            print(f"{name} did not go as it is written, once more: {str(error)[:120]}", file=sys.stderr, flush=True)
    raise AssertionError


def played(name: str) -> Played:
    """A scene from the cache, or played now."""
    key = hashlib.sha256((SCENES / f"{name}.toml").read_bytes() + PINNED.encode()).hexdigest()[:16]
    path = CACHE / f"{name}-{key}.json"
    if not path.exists():
        print(f"playing {name} …", file=sys.stderr, flush=True)
        CACHE.mkdir(parents=True, exist_ok=True)
        whole = json.dumps(asdict(_played_well(name)))
        path.with_suffix(".part").write_text(whole, "utf-8")
        path.with_suffix(".part").replace(path)
    return Played(**json.loads(path.read_text("utf-8")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="scenes to play (default: all)")
    chosen = parser.parse_args()
    for name in chosen.names or names():
        try:
            texts = played(name).sessions
        except Mismatch as error:
            sys.exit(f"{name}: {error}")
        print(f"{name}: {len(texts)} sessions, {sum(map(len, texts.values())) // 1024} KB")


if __name__ == "__main__":
    main()
