"""Writing one key into config.toml; everything else in it stays as it is, comments included."""

from __future__ import annotations

from pathlib import Path

from holdfast.paths import write_private


def keep_port(file: Path, port: int) -> None:
    """Write the port into the settings file."""
    keep_setting(file, "daemon", "port", port)


def keep_setting(file: Path, section: str, key: str, value: int | str) -> None:
    """Write one key into the settings file."""
    import tomlkit

    document = tomlkit.parse(file.read_text("utf-8")) if file.exists() else tomlkit.document()
    if section not in document:
        document[section] = tomlkit.table()
    table = document[section]
    table[key] = value
    write_private(file, tomlkit.dumps(document).encode())
