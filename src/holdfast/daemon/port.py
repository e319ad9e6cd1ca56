"""The port: chosen at the first start, then kept in config.toml, because the hooks in the settings name it."""

from __future__ import annotations

import socket
from collections.abc import Callable

from holdfast import config
from holdfast.paths import Home
from holdfast.settings_file import keep_port


def settled_port(home: Home, listen: Callable[[int], socket.socket]) -> socket.socket:
    """Listen on the configured port; without one, on a free port, which is written to config.toml."""
    port = config.load(home.config, rooms=()).config.daemon.port
    sock = listen(port)
    if port == 0:
        keep_port(home.config, sock.getsockname()[1])
    return sock
