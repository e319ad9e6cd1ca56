"""The port: chosen at the first start, then kept in config.toml, because the hooks in the settings name it."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

from holdfast import config
from holdfast.paths import Home, write_private


def settled_port(home: Home, listen: Callable[[int], socket.socket]) -> socket.socket:
    """Listen on the configured port; without one, on a free port that is then written down."""
    port = config.load(home.config, rooms=()).config.daemon.port
    sock = listen(port)
    if port == 0:
        keep_port(home.config, sock.getsockname()[1])
    return sock


def keep_port(file: Path, port: int) -> None:
    """Write the port into the settings file."""
    keep_setting(file, "daemon", "port", port)


def keep_setting(file: Path, section: str, key: str, value: int | str) -> None:
    """Write one key into the settings file, leaving everything else in it as it is, comments included."""
    import tomlkit

    document = tomlkit.parse(file.read_text("utf-8")) if file.exists() else tomlkit.document()
    if section not in document:
        document[section] = tomlkit.table()
    table = document[section]
    table[key] = value
    write_private(file, tomlkit.dumps(document).encode())
