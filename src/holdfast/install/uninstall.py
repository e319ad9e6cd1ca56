"""Take our hooks out again: the original bytes when nothing else changed, else our entries and nothing more.

A receipt stays in the home. What cannot be undone safely is named and left in the manifest.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from holdfast import __version__, config
from holdfast.errors import HoldfastError
from holdfast.install import files, manifest, surgery
from holdfast.install.apply import check_unchanged, now, prepare, receipt_of, set_mode
from holdfast.install.describe import as_json
from holdfast.install.manifest import InstalledFile, Manifest
from holdfast.install.model import ChangeWay, FileChange, InstallReceipt, InstallScope, Notice, UninstallPlan
from holdfast.install.on_path import remove_command
from holdfast.install.plan import ours_of
from holdfast.install.plugin_client import remove_plugin
from holdfast.install.service import remove_service
from holdfast.install.settings import Ours, all_hooks, decode, parse_settings
from holdfast.install.status_line import without_ours
from holdfast.install.tool_server import unregister
from holdfast.install.touched import change_of, without_traces
from holdfast.paths import Home, make_private_folder, token_of, write_private


def plan_uninstall(
    home: Home, *, scope: InstallScope | None = None, also: Sequence[tuple[InstallScope, Path]] = ()
) -> UninstallPlan:
    """All files of the manifest (or one scope's); `also` are files to look into when the manifest is lost."""
    record = manifest.load(home)
    port, token = _port(home), token_of(home)
    changes: list[FileChange] = []
    notices: list[Notice] = []
    for entry in record.files:
        if scope is not None and entry.scope is not scope:
            continue
        try:
            changes.append(_of_entry(entry, ours_of(home, entry, port, token), record))
        except HoldfastError as error:
            notices.append(Notice("kept", str(error), "Correct the file, then run `holdfast uninstall` again."))
    for one in record.touched if scope is None else ():
        if record.find(Path(one.path)) is None:
            changes.append(change_of(one, ours_of(home, None, port, token).homes))
    known = {change.path for change in changes}
    for where, path in also:
        if record.find(path) is None and path not in known and (scope is None or where is scope):
            changes += _of_stranger(where, path, ours_of(home, None, port, token))
    keeps = (f"{home.root} (store, configuration, receipts); `holdfast uninstall --purge` removes it too",)
    link = Path(record.link) if record.link and scope is None else None
    server = record.server_client if record.server and scope is None else None
    plugin = record.plugin_client if scope is None else None
    service = Path(record.service) if record.service and scope is None else None
    return UninstallPlan(home, tuple(changes), tuple(notices), keeps, link, server, plugin, service, scope is None)


def _of_entry(entry: InstalledFile, ours: Ours, record: Manifest) -> FileChange:
    path = Path(entry.path)
    found = files.read(path)
    original = entry.original_bytes()
    if found.data is None:
        return _change(entry, found, None, None, "gone")
    whole = decode(found.data, path)
    touched = record.find_touched(path)
    clean = touched.original_bytes() if touched else original  # without our status line and plugin, too
    if touched:
        entry = replace(entry, folders=touched.folders, original_mode=touched.original_mode)
    text = without_traces(whole, clean, ours.homes, path)
    if files.digest(text.encode("utf-8")) == entry.sha256_after:
        return _change(entry, found, original, entry.original_mode, "delete" if original is None else "restore")
    then = None if clean is None else clean.decode("utf-8")
    bare = surgery.strip(text, ours, then, path)
    if bare is None:
        return _change(entry, found, None, None, "delete")
    if then is not None and bare != whole and surgery.same_meaning(bare, then, path):
        # Claude Code lays the whole file out anew when a setting changes, and back: the layout was not the user's.
        return _change(entry, found, clean, entry.original_mode, "restore")
    # A mode the user chose since then stays theirs; ours (owner-only) goes back to what it was.
    mode = found.mode if entry.original_mode is None or found.mode != 0o600 else entry.original_mode
    return _change(entry, found, bare.encode("utf-8"), mode, "none" if bare == whole else "clean")


def _change(
    entry: InstalledFile, found: files.FoundFile, after: bytes | None, mode: int | None, way: ChangeWay
) -> FileChange:
    return FileChange(
        scope=entry.scope,
        path=Path(entry.path),
        before=found.data,
        after=after,
        mode_before=found.mode,
        mode_after=mode,
        original=entry.original_bytes(),
        original_mode=entry.original_mode,
        way=way,
        removed=tuple(entry.events),
        folders=tuple(map(Path, entry.folders)),
    )


def _of_stranger(scope: InstallScope, path: Path, ours: Ours) -> Iterator[FileChange]:
    """A file that no manifest speaks of, with our hooks or our status line in it all the same."""
    found = files.read(path)
    if found.data is None:
        return
    whole = decode(found.data, path)
    text = without_ours(whole, path, ours.homes)
    mine = tuple(event for event, hook in all_hooks(parse_settings(text, path)) if hook in ours)
    bare = surgery.strip(text, ours, "{}", path)
    if bare is not None and bare != whole:
        after = bare.encode("utf-8")
        yield FileChange(scope, path, found.data, after, found.mode, found.mode, None, None, "clean", removed=mine)


def apply_uninstall(plan: UninstallPlan, environment: Mapping[str, str] = os.environ) -> InstallReceipt:
    """Do it, and keep a receipt in the home; without anything to do there is none to keep."""
    time = now()
    notes = tuple(f"{notice.sentence} {notice.fix or ''}".strip() for notice in plan.notices)
    if plan.nothing_to_do:
        return InstallReceipt("uninstall", time, __version__, (), notes)
    prepare(plan.home)
    with manifest.exclusive(plan.home):
        check_unchanged(plan.changes)
        # The client's own commands write the settings anew: they come first, and what they wrote is read again.
        told = unregister(plan.home, environment) if plan.server else None
        removed = remove_plugin(plan.home, environment) if plan.plugin else None
        notes = (*notes, *(f"{each.sentence} {each.fix}" for each in (told, removed) if each))
        changes = _again(plan) if plan.server or plan.plugin else plan.changes
        record = manifest.load(plan.home)
        for change in changes:
            _carry_out(change)
            record = record.without(change.path)
            manifest.save(plan.home, record)
        if plan.is_whole and not record.plugin_client:
            manifest.save(plan.home, record := record.with_touched())
        _drop_launcher(plan.home, record)
        if plan.link:
            remove_command(plan.home)
        trouble = remove_service(plan.home, environment) if plan.service else None
        if trouble:
            notes = (*notes, f"The service was removed, but its manager did not stop it: {trouble}")
    done = tuple(receipt_of(change, change.removed) for change in changes)
    folder = plan.home.root / "receipts"
    place = folder / f"uninstall-{time.replace(':', '').replace('-', '')}.json"
    receipt = InstallReceipt("uninstall", time, __version__, done, notes, place)
    make_private_folder(folder)
    write_private(place, msgspec.json.format(msgspec.json.encode(as_json(receipt)), indent=1) + b"\n")
    return receipt


def _again(plan: UninstallPlan) -> tuple[FileChange, ...]:
    """The same changes, made from what the files hold now."""
    scope = None if plan.is_whole else next((change.scope for change in plan.changes), None)
    known = [(change.scope, change.path) for change in plan.changes]
    return plan_uninstall(plan.home, scope=scope, also=known).changes


def _carry_out(change: FileChange) -> None:
    if change.way == "delete":
        files.delete(change.path, change.folders)
    elif change.way in ("restore", "clean"):
        assert change.after is not None
        files.write(change.path, change.after, change.mode_after)
    elif change.way == "none" and change.mode_after is not None and change.mode_after != change.mode_before:
        set_mode(change.path, change.mode_after)


def _drop_launcher(home: Home, record: Manifest) -> None:
    if not any(entry.scope is InstallScope.PROJECT for entry in record.files):
        home.launcher.unlink(missing_ok=True)


def _port(home: Home) -> int | None:
    try:
        return config.load(home.config, None, {}, rooms=()).config.daemon.port or None
    except HoldfastError:
        return None
