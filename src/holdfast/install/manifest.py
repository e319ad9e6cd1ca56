"""The manifest, `install.json` in the home: which settings files we changed, and their bytes before.

Owner-only, because settings may hold secrets. Written before the file it speaks of, so that a crash between
the two leaves a record without a change, never a change without a record.
"""

from __future__ import annotations

import base64
import fcntl
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from holdfast.errors import HoldfastError
from holdfast.install.model import InstallScope
from holdfast.paths import Home, write_private


class InstalledFile(Struct, frozen=True, kw_only=True):
    """One settings file with our hooks in it. `original` is base64; null means there was no file."""

    scope: InstallScope
    path: str
    root: str
    home: str
    port: int
    time: str
    holdfast: str
    client: str
    original: str | None
    original_mode: int | None
    sha256_before: str | None
    sha256_after: str
    folders: tuple[str, ...] = ()
    events: dict[str, str] = {}
    all_events: bool = False
    """Registered for all events of the client, not only for those that something listens to."""

    def original_bytes(self) -> bytes | None:
        return None if self.original is None else base64.b64decode(self.original)

    def __repr__(self) -> str:
        return f"Entry({self.scope}, {self.path})"


class TouchedFile(Struct, frozen=True, kw_only=True):
    """A settings file that our status line or our plugin came into, as it was before. `original` as above."""

    path: str
    original: str | None
    original_mode: int | None
    folders: tuple[str, ...] = ()

    def original_bytes(self) -> bytes | None:
        return None if self.original is None else base64.b64decode(self.original)

    def __repr__(self) -> str:
        return f"TouchedFile({self.path})"


class Manifest(Struct, frozen=True):
    """All of them."""

    version: int = 1
    files: tuple[InstalledFile, ...] = ()
    link: str | None = None
    """The link to our command in a folder on PATH."""
    link_folders: tuple[str, ...] = ()
    """Folders that were made for it."""
    server: str | None = None
    """The program that Claude Code starts for our tools (MCP)."""
    server_client: str | None = None
    """The Claude Code with which it was registered."""
    service: str | None = None
    """The file of the user service that keeps the daemon alive."""

    plugin_client: str | None = None
    """The Claude Code with which our plugin was installed."""
    touched: tuple[TouchedFile, ...] = ()
    """Settings files with something of ours that is no hook."""

    def find(self, path: Path) -> InstalledFile | None:
        return next((entry for entry in self.files if entry.path == str(path)), None)

    def find_touched(self, path: Path) -> TouchedFile | None:
        return next((one for one in self.touched if one.path == str(path)), None)

    def with_entry(self, entry: InstalledFile) -> Manifest:
        return replace(self, files=(*(one for one in self.files if one.path != entry.path), entry))

    def without(self, path: Path) -> Manifest:
        return replace(self, files=tuple(one for one in self.files if one.path != str(path)))

    def with_touched(self, *touched: TouchedFile) -> Manifest:
        return replace(self, touched=touched)

    def with_link(self, link: Path | None, folders: Iterable[Path | str]) -> Manifest:
        return replace(self, link=None if link is None else str(link), link_folders=tuple(map(str, folders)))

    def with_server(self, server: str | None, client: str | None) -> Manifest:
        return replace(self, server=server, server_client=client)

    def with_plugin(self, client: str | None) -> Manifest:
        return replace(self, plugin_client=client)

    def with_service(self, path: Path | None) -> Manifest:
        return replace(self, service=None if path is None else str(path))


def encode_original(data: bytes | None) -> str | None:
    return None if data is None else base64.b64encode(data).decode("ascii")


def load(home: Home) -> Manifest:
    """The manifest; an empty one when none was written yet."""
    try:
        return msgspec.json.decode(home.manifest.read_bytes(), type=Manifest)
    except FileNotFoundError:
        return Manifest()
    except OSError as error:
        raise HoldfastError(f"{home.manifest} cannot be read ({error.strerror}). Nothing was changed.") from error
    except (msgspec.DecodeError, ValueError) as error:
        raise HoldfastError(
            f"{home.manifest} is damaged ({error}). Nothing was changed; rename it and run the command "
            "again: our hooks are then recognised in the settings themselves."
        ) from error


def save(home: Home, manifest: Manifest) -> None:
    """Write it, or remove it when nothing is left to record."""
    try:
        client = (manifest.server, manifest.plugin_client)
        if any((manifest.files, manifest.touched, manifest.link, manifest.service, *client)):
            write_private(home.manifest, msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")
        else:
            home.manifest.unlink(missing_ok=True)
    except OSError as error:
        raise HoldfastError(f"{home.manifest} cannot be written ({error.strerror}). Nothing was changed.") from error


@contextmanager
def exclusive(home: Home) -> Iterator[None]:
    """One installer at a time per home; the lock is on the folder itself and leaves nothing behind."""
    descriptor = os.open(home.root, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
