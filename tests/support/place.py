"""A machine in miniature for the install tests: its own house, home and project; nothing real is touched."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from holdfast.install import ClientInfo, DoctorContext, InstallPlan, InstallScope, apply, plan_install
from holdfast.install.settings import settings_file
from holdfast.paths import Home
from holdfast.program import CATALOG

TOKEN = "TESTTOKEN-" + "k" * 30
CLIENT = ClientInfo(Path("/opt/claude"), (2, 1, 325))
PORT = 47110


@dataclass
class Place:
    """Where one test lives."""

    base: Path
    port: int = PORT
    token: str = TOKEN
    client: ClientInfo = CLIENT
    extra: dict[str, str] = field(default_factory=dict)
    managed: tuple[Path, ...] = ()
    used: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        self.house = self.base / "house"
        self.root = self.base / "project"
        self.home = Home(self.base / "home")
        self.python = Path(sys.executable)
        self.hook = self.base / "lib dir" / "hook.py"
        for folder in (self.house, self.root, self.hook.parent):
            folder.mkdir(parents=True, exist_ok=True)
        self.hook.write_text("import sys\nsys.stdin.read()\nprint('hook ran for ' + sys.argv[1])\n")

    @property
    def environment(self) -> dict[str, str]:
        return {"HOME": str(self.house), "PATH": os.environ["PATH"], **self.extra}

    def file(self, scope: InstallScope) -> Path:
        return settings_file(scope, self.root, self.environment)

    def write(self, scope: InstallScope, data: bytes | str, mode: int = 0o644) -> Path:
        path = self.file(scope)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        path.chmod(mode)
        return path

    def plan(self, scope: InstallScope = InstallScope.USER) -> InstallPlan:
        return plan_install(
            scope,
            root=self.root,
            home=self.home,
            port=self.port,
            token=self.token,
            python=self.python,
            hook=self.hook,
            client=self.client,
            environment=self.environment,
            managed=self.managed,
            used=self.used,
        )

    def install(self, scope: InstallScope = InstallScope.USER) -> None:
        apply(self.plan(scope))

    def settle(self) -> None:
        """A home as a daemon leaves it."""
        self.home.prepare()
        self.home.token.write_text(self.token)
        self.home.token.chmod(0o600)
        self.home.config.write_text(f"[daemon]\nport = {self.port}\n")
        self.home.config.chmod(0o600)

    def context(self, status: dict[str, Any] | None = None, **changes: Any) -> DoctorContext:
        context = DoctorContext(
            home=self.home,
            root=self.root,
            port=self.port,
            client=self.client,
            python=self.python,
            hook=self.hook,
            environment=self.environment,
            probe=lambda: status,
            managed=self.managed,
            used=self.used,
            migrations=CATALOG.migrations,
        )
        return replace(context, **changes)
