"""The port: chosen at the first start, then kept in config.toml, because the hooks in the settings name it."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path

from holdfast import config
from holdfast.paths import Home, write_private


def settled_port(home: Home, listen: Callable[[int], socket.socket]) -> socket.socket:
    """Listen on the configured port; without one, on a free port that is then written down."""
    port = config.load(home.config).config.daemon.port
    sock = listen(port)
    if port == 0:
        keep_port(home.config, sock.getsockname()[1])
    return sock


def keep_port(file: Path, port: int) -> None:
    """Write the port into the settings file, leaving everything else in it as it is."""
    import tomlkit

    document = tomlkit.parse(file.read_text("utf-8")) if file.exists() else tomlkit.document()
    if "daemon" not in document:
        document["daemon"] = tomlkit.table()
    table = document["daemon"]
    table["port"] = port
    write_private(file, tomlkit.dumps(document).encode())
