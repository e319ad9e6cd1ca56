"""Writes one key into config.toml; everything else in it stays as it is, comments included. Finds a lost port again."""

from __future__ import annotations

import json
from pathlib import Path

from holdfast.paths import Home, write_private


def keep_port(file: Path, port: int) -> None:
    """Write the port into the settings file."""
    keep_setting(file, "daemon", "port", port)


def keep_setting(file: Path, section: str, key: str, value: int | str) -> None:
    """Write one key into the settings file."""
    if not file.exists() and isinstance(value, int):  # the first start of all: hooks wait for it
        write_private(file, f"[{section}]\n{key} = {value}\n".encode())
        return
    import tomlkit

    document = tomlkit.parse(file.read_text("utf-8")) if file.exists() else tomlkit.document()
    if section not in document:
        document[section] = tomlkit.table()
    table = document[section]
    table[key] = value
    write_private(file, tomlkit.dumps(document).encode())


def installed_port(home: Home) -> int:
    """The port that the hooks in the settings name, by the record of the installation; 0 when there is none.

    It outlives a lost config.toml: open sessions go on posting to it."""
    try:
        files = json.loads(home.manifest.read_bytes())["files"]
        ports = [int(file["port"]) for file in files]
    except (OSError, ValueError, KeyError, TypeError):
        return 0
    return ports[-1] if ports and 0 < ports[-1] < 65536 else 0
