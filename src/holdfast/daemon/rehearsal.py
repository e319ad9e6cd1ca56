"""Composes the product in a temporary home and serves nothing: `make docs` refuses what a start would refuse.

`python -m holdfast.daemon.rehearsal` ends with 1 and the sentence that `holdfast start` would say.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from holdfast import config
from holdfast.build import Running
from holdfast.daemon.app import make_app
from holdfast.daemon.compose import PRODUCT, Parts, compose, declared_by, scrubber_of
from holdfast.errors import HoldfastError
from holdfast.paths import Home


async def rehearse(home: Home, parts: Parts = PRODUCT) -> None:
    """Compose everything and close it again. A declaration that is wrong is an error with a sentence."""
    declared_by(parts)  # as `worker.serve` does
    loaded = config.load(home.config, environment={}, rooms=parts.rooms)
    composition = await compose(home, loaded, scrubber_of(loaded.config), parts)
    try:
        make_app(composition, 0, b"", Running())
    finally:
        await composition.store.close()


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="hf") as folder:
        home = Home(Path(folder))
        home.prepare()
        try:
            asyncio.run(rehearse(home))
        except HoldfastError as error:
            print(f"holdfast: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
