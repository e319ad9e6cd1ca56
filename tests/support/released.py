"""Which migrations are released, and whether they are still what they were (docs/versioning.md)."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

from holdfast import __version__
from holdfast.program import CATALOG

PAGE = Path(__file__).parents[2] / "docs" / "released.toml"

Checksums = dict[str, str]


def here() -> Checksums:
    """The migrations of this checkout, of the house and of every room: name to checksum."""
    return {str(one.applied): one.applied.checksum for one in CATALOG.migrations}


def released(page: str) -> Checksums:
    """What the versions on the page released, all together."""
    return {name: checksum for version in tomllib.loads(page).values() for name, checksum in version.items()}


def changed(before: Checksums, now: Checksums) -> list[str]:
    """The released migrations that are gone or no longer the same."""
    return sorted(name for name, checksum in before.items() if now.get(name) != checksum)


def with_version(page: str, version: str, now: Checksums) -> str:
    """The page with what this version releases. Raises when a released migration changed."""
    if wrong := changed(released(page), now):
        raise ValueError(f"Released migrations changed: {', '.join(wrong)}. Undo that and write a new migration.")
    if version in tomllib.loads(page):
        raise ValueError(f"{version} is on the page already. Choose the next version first.")
    new = [f'"{name}" = "{now[name]}"' for name in sorted(now.keys() - released(page).keys())]
    return "\n".join([page.rstrip(), "", f'["{version}"]', *new]) + "\n"


if __name__ == "__main__":
    try:
        PAGE.write_text(with_version(PAGE.read_text("utf-8"), __version__, here()), "utf-8")
    except ValueError as error:
        sys.exit(str(error))
