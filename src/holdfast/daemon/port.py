"""The port: chosen at the first start, then kept in config.toml, because the hooks in the settings name it."""

from __future__ import annotations

import socket
from collections.abc import Callable

from holdfast import config
from holdfast.errors import HoldfastError
from holdfast.paths import Home
from holdfast.settings_file import installed_port, keep_port

_PATIENCE = 1.0
"""Seconds. A port that is only wished for is not waited for as long as the configured one."""


def settled_port(home: Home, listen: Callable[..., socket.socket]) -> socket.socket:
    """Listen on the configured port. Without one (config.toml is new, or was lost), listen on the port that the hooks
    name, else on a free one, and write it to config.toml."""
    port = config.load(home.config, rooms=()).config.daemon.port
    if port:
        return listen(port)
    sock = _listening(installed_port(home), listen) or listen(0)
    keep_port(home.config, sock.getsockname()[1])
    return sock


def _listening(port: int, listen: Callable[..., socket.socket]) -> socket.socket | None:
    try:
        return listen(port, patience=_PATIENCE) if port else None
    except HoldfastError:  # another program has it now: the doctor tells, and `up` changes the hooks
        return None
