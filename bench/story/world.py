"""Where stories are played: one home with one daemon, one client, one scripted API, and a repository per story.

Nothing of it is left behind: `close` ends the client's runs and the daemon, also after Ctrl-C.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from types import TracebackType

from bench.story import toolchain
from bench.story.clock import StoryHome
from bench.story.model import Story
from tests.client.bed.api import Api
from tests.client.bed.claude import Claude

from holdfast.events.steps import used_events
from holdfast.install import InstallScope, apply, find_client, plan_install
from holdfast.install.launching import command_script, write_program
from holdfast.install.tool_server import plan_server, register
from holdfast.program import PROGRAM

_GIT = "[user]\n\tname = Dev\n\temail = dev@example.invalid\n[init]\n\tdefaultBranch = main\n"
_PROTECTED = """\
#!/bin/sh
while read old new name; do
  case " {branches} " in *" ${{name#refs/heads/}} "*)
    test -e open && continue
    echo "error: GH006: Protected branch update failed for $name."
    echo "error: Changes must be made through a pull request."
    exit 1
  esac
done
"""


class World:
    """Use it as a context manager."""

    def __init__(self, stories: Sequence[Story], keep: Path | None = None) -> None:
        self.stories = stories
        self.stopped = threading.Event()
        self._keep = keep
        self._root = Path(tempfile.mkdtemp(prefix="hfs"))
        self.api = Api()
        self.daemon = StoryHome()
        self.claude = Claude(self._root, self.api.url, git=False)
        self.folders = {story.name: self._root / "work" / story.name for story in stories}

    def __enter__(self) -> World:
        try:
            self.api.__enter__()
            self.daemon.start()
            self._furnish()
            self._install()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def stop(self) -> None:
        """End the session that is played; from another thread."""
        self.stopped.set()
        self.claude.close()

    def close(self) -> None:
        """Each part is closed, whatever becomes of the others."""
        with ExitStack() as parts:
            parts.callback(shutil.rmtree, self._root, ignore_errors=True)
            parts.callback(self.daemon.remove)
            parts.callback(self._keep_all)
            parts.callback(self.api.__exit__, None, None, None)
            parts.callback(self.daemon.stop)
            parts.callback(self.claude.close)

    def _keep_all(self) -> None:
        if self._keep is None:
            return
        place = self._keep / "-".join(self.folders)
        for source, name in ((self.daemon.home.root, "holdfast"), (self._root, "client")):
            shutil.rmtree(place / name, ignore_errors=True)
            shutil.copytree(source, place / name, symlinks=True, ignore=_sockets)

    def environment(self, at: float) -> dict[str, str]:
        """What the tools of a session see, on this day."""
        date = f"@{int(at)} +0000"
        return {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}

    def shell(self, command: str, folder: Path, more: Mapping[str, str] | None = None) -> None:
        """Something that happens outside the client; it has to succeed."""
        done = subprocess.run(
            ["/bin/bash", "-ec", command],
            cwd=folder,
            env=self.claude.environment() | dict(more or {}),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        if done.returncode:
            raise RuntimeError(f"{command}: {done.stdout[-500:]}{done.stderr[-500:]}")

    def memory_folder(self, folder: Path) -> Path:
        """Where the client keeps its own memory of a project."""
        slug = "".join(letter if letter.isalnum() else "-" for letter in str(folder))
        return self.claude.config / "projects" / slug / "memory"

    def _furnish(self) -> None:
        tools = self._root / "tools"
        checks = [asdict(check) | {"story": story.name} for story in self.stories for check in story.checks]
        toolchain.furnish(tools, checks)
        path = [str(tools), str(Path(sys.executable).parent), os.environ["PATH"]]
        self.claude.env |= {"PATH": os.pathsep.join(path), "TZ": "UTC"}
        self.claude.env |= {"PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        (self.claude.home / ".gitconfig").write_text(_GIT, "utf-8")
        for story in self.stories:
            self._make_repository(story, self.folders[story.name])

    def _make_repository(self, story: Story, folder: Path) -> None:
        for path, text in story.files.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
            if text.startswith("#!"):
                file.chmod(0o755)
        origin = self._root / "origin" / f"{story.name}.git"
        origin.parent.mkdir(exist_ok=True)
        self.shell(f"git init -q && git add -A && git commit -qm Start && git clone -q --bare . {origin}", folder)
        self.shell(f"git remote add origin {origin} && git fetch -q && git branch -q -u origin/main", folder)
        hook = origin / "hooks" / "pre-receive"
        hook.write_text(_PROTECTED.format(branches=" ".join(story.protected)), "utf-8")
        hook.chmod(0o755)

    def _install(self) -> None:
        """As `holdfast up` does, with a command client that lives on the same day as the daemon."""
        self.claude.env["HOLDFAST_HOME"] = str(self.daemon.home.root)
        environment = self.claude.environment()
        client = find_client(str(self.claude.binary), environment)
        plan = plan_install(
            InstallScope("user"),
            root=self.claude.project,
            home=self.daemon.home,
            port=self.daemon.facts["port"],
            token=self.daemon.token,
            python=Path(sys.executable),
            hook=self.daemon.hook_file,
            client=client,
            environment=environment,
            used=used_events(PROGRAM),
        )
        apply(plan)
        write_program(self.daemon.home, command_script(Path(sys.executable), self.daemon.home))
        refused = register(self.daemon.home, plan_server(self.daemon.home, client, InstallScope("user")), environment)
        if refused is not None:
            raise RuntimeError(refused.sentence)


def _sockets(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if (Path(folder) / name).is_socket()]
