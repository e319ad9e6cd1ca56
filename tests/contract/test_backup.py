"""Backups on both databases: whole, owner-only, and good for a restore."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from holdfast.errors import StoreError
from holdfast.program import CATALOG
from holdfast.store import restore_store
from tests.contract.site import AnyStore, Site, add_query, count, keep


@pytest.fixture
def copy(site: Site, tmp_path: Path) -> Path:
    """A backup of a store with three rows, made under a loose umask."""
    target = tmp_path / "copy"
    mask = os.umask(0)
    try:

        async def story(store: AnyStore) -> None:
            for key, payload in (("k1", "{}"), ("k2", "ü\n\\N\t漢 'quoted'"), ("k3", "%s")):
                await keep(store, key, payload=payload, happened_at=2**62, tool_name=None)
            await store.backup(target)

        site.tell(story)
    finally:
        os.umask(mask)
    return target


async def everything(store: AnyStore) -> object:
    add_query("test.everything", "SELECT * FROM journal ORDER BY id")
    return await store.read(lambda view: view.all("test.everything"))


@pytest.mark.requirement("SEC-2")
def test_a_backup_is_one_private_file(site: Site, copy: Path, tmp_path: Path) -> None:
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert not [path for path in tmp_path.iterdir() if path.name.startswith((".copy", "copy-"))]


@pytest.mark.requirement("STO-2")
def test_a_backup_restores(site: Site, copy: Path) -> None:
    before = site.tell(everything)

    async def later(store: AnyStore) -> None:
        await keep(store, "k4")

    site.tell(later)
    restore_store(site.url, copy, CATALOG, backups=site.backups)
    assert site.tell(everything) == before
    site.tell(later)
    assert site.tell(count) == 4


@pytest.mark.requirement("STO-2")
@pytest.mark.parametrize("damage", ["cut", "foreign", "missing"])
def test_a_damaged_backup_is_refused(site: Site, copy: Path, damage: str) -> None:
    if damage == "cut":
        os.truncate(copy, copy.stat().st_size * 2 // 3)
    elif damage == "foreign":
        copy.write_text('{"some": "json"}\n')
    else:
        copy.unlink()
    with pytest.raises(StoreError, match="nothing was changed"):
        restore_store(site.url, copy, CATALOG, backups=site.backups)
    assert site.tell(count) == 3
