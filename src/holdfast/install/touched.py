"""What of ours stands in a settings file and is no hook: the status line, and what the client's plugin commands leave.

Before the first of it comes in, the manifest takes the bytes down, so that `uninstall` can give them back.
"""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path

from holdfast.install import files, jsontext, manifest, surgery
from holdfast.install.manifest import TouchedFile
from holdfast.install.model import ChangeWay, FileChange, InstallScope
from holdfast.install.settings import decode, parse_settings
from holdfast.install.status_line import without_ours
from holdfast.paths import Home

_PLUGIN_TABLES = ("enabledPlugins", "extraKnownMarketplaces")
"""`claude plugin uninstall` and `marketplace remove` leave them behind, empty (2.1.325)."""


def take_down(home: Home, path: Path) -> None:
    """Remember the bytes of a file that something of ours is about to come into. Earlier bytes are kept."""
    with manifest.exclusive(home):
        record = manifest.load(home)
        if record.find_touched(path) is not None:
            return
        found, entry = files.read(path), record.find(path)
        made = tuple(map(str, files.missing_folders(path)))
        one = TouchedFile(
            path=str(path),
            original=entry.original if entry else manifest.encode_original(found.data),
            original_mode=entry.original_mode if entry else found.mode,
            folders=entry.folders if entry else made,
        )
        manifest.save(home, record.with_touched(*record.touched, one))


def without_traces(text: str, original: bytes | None, homes: Container[str], path: Path) -> str:
    """The text without our status line, and without plugin tables that are empty now and were not there before."""
    text = without_ours(text, path, homes)
    root = parse_settings(text, path)
    before = parse_settings(original.decode("utf-8"), path) if original is not None else None
    if root is None:
        return text
    doomed = {
        index
        for index, child in enumerate(root.children)
        if child.key in _PLUGIN_TABLES and child.node.kind == "object" and not child.node.children
        if before is None or before.get(child.key) is None
    }
    return jsontext.apply_edits(text, jsontext.remove(root, frozenset(doomed), "")) if doomed else text


def change_of(one: TouchedFile, homes: Container[str]) -> FileChange:
    """What happens to a file that has none of our hooks."""
    path, original = Path(one.path), one.original_bytes()
    found = files.read(path)
    if found.data is None:
        return _change(one, found, None, "gone")
    text = decode(found.data, path)
    bare = without_traces(text, original, homes, path)
    root = parse_settings(bare, path)
    if original is None and (root is None or not root.children):
        return _change(one, found, None, "delete")
    if original is not None and surgery.same_meaning(bare, original.decode("utf-8"), path):
        return _change(one, found, original, "none" if found.data == original else "restore")
    return _change(one, found, bare.encode("utf-8"), "none" if bare == text else "clean")


def _change(one: TouchedFile, found: files.FoundFile, after: bytes | None, way: ChangeWay) -> FileChange:
    return FileChange(
        scope=InstallScope.USER,
        path=Path(one.path),
        before=found.data,
        after=after,
        mode_before=found.mode,
        mode_after=one.original_mode if way == "restore" else found.mode,
        original=one.original_bytes(),
        original_mode=one.original_mode,
        way=way,
        folders=tuple(map(Path, one.folders)),
    )
