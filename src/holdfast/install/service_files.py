"""The user service as a file: a systemd unit or a launchd property list. Text only; `service.py` installs it.

The service starts the program in the home, so the file holds while the installation behind it changes.
"""

from __future__ import annotations

import hashlib
import plistlib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from holdfast.paths import Home

Manager = Literal["systemd", "launchd"]
WORD = "daemon"
"""The word that makes the program in the home run the daemon and stay."""


@dataclass(frozen=True, slots=True)
class ServiceFile:
    """One service: who runs it, what it is called there, and its file."""

    manager: Manager
    name: str
    path: Path
    text: str


def service_file(manager: Manager, home: Home, usual: Path, house: Path, config: Path) -> ServiceFile:
    """The file for this home. `usual` is the usual home: another one gets a name of its own. `house` is the user's
    folder, `config` that of the user's settings (XDG_CONFIG_HOME)."""
    mark = "" if home.root == usual else "-" + hashlib.sha256(str(home.root).encode()).hexdigest()[:8]
    if manager == "launchd":
        label = f"dev.holdfast.daemon{mark}"
        return ServiceFile(manager, label, house / "Library" / "LaunchAgents" / f"{label}.plist", _plist(label, home))
    name = f"holdfast{mark}.service"
    return ServiceFile(manager, name, config / "systemd" / "user" / name, _unit(home))


def _unit(home: Home) -> str:
    """`holdfast stop` ends it with 0 and leaves a mark, so that it stays down until `holdfast start`. A shell is named
    because systemd takes no program whose path has special characters, and any word behind it."""
    return (
        "# Written by `holdfast service install`; `holdfast service remove` takes it away.\n"
        "[Unit]\n"
        f"Description=holdfast, one daemon behind every Claude Code hook ({_percent(str(home.root))})\n"
        f"ConditionPathExists=!{_percent(str(home.stopped))}\n"
        "StartLimitIntervalSec=60\n"
        "StartLimitBurst=5\n"
        "\n"
        "[Service]\n"
        "Type=exec\n"
        f"ExecStart=/bin/sh {_word(str(home.command))} {WORD}\n"
        "ExecReload=/bin/kill -HUP $MAINPID\n"
        "Restart=on-failure\n"
        "RestartSec=0.2\n"
        "UMask=0077\n"
        "\n"
        "[Install]\n"
        "WantedBy=default.target\n"
    )


def _percent(text: str) -> str:
    """systemd expands `%h` and the like in every value."""
    return text.replace("%", "%%")


def _word(text: str) -> str:
    """One word of a command line, as systemd reads it (systemd.service(5), "Command lines")."""
    escaped = _percent(text).replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$")
    return f'"{escaped}"'


def _plist(label: str, home: Home) -> str:
    """KeepAlive starts it again after a failure only: `holdfast stop` ends it with 0."""
    content = {
        "Label": label,
        "ProgramArguments": [str(home.command), WORD],
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ProcessType": "Background",
        "Umask": 0o077,
        "StandardErrorPath": str(home.logs / "service.log"),
    }
    return plistlib.dumps(content, sort_keys=False).decode()
