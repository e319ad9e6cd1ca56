"""A compaction while the terminal is idle, with the real client: it takes 54 minutes, so it is no test.

    python -m bench.idle client|both|holdfast

The client (2.1.325) compacts when nine tenths of the prompt cache's hour are over. Says what the journal recorded, how
often a model was asked, and what of the user's words stands in the next window.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from pathlib import Path

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.request import Kind
from tests.client.bed.script import Say, Turn, Usage
from tests.client.bed.tui import Tui
from tests.client.held import install
from tests.support.daemon import DaemonHome

from holdfast.install.plugin import source

ASKED = "Please make the uploader resumable, ticket UPL-311."
_LONGEST = 58 * 60


def main() -> None:
    parser = argparse.ArgumentParser(description="A compaction while the terminal is idle.")
    parser.add_argument("way", choices=("client", "both", "holdfast"))
    way = parser.parse_args().way
    daemon = DaemonHome()
    with tempfile.TemporaryDirectory(prefix="idle") as folder, Api() as api:
        claude = Claude(Path(folder) / "bed", api.url)
        tui = Tui(claude, api)
        try:
            daemon.home.config.write_text(f'[continuity]\ncompaction = "{way}"\n')
            daemon.start()
            install(claude, daemon)
            claude.env |= {"ENABLE_PROMPT_CACHING_1H": "1", "CLAUDE_CODE_IDLE_COMPACT_MIN_TOKENS": "100000"}
            shutil.copytree(source(), claude.home / "plugin")
            api.summary = Say("<summary>IDLE-SUMMARY</summary>")
            full = Usage(input_tokens=5, cache_read_input_tokens=300_000)
            api.script(Turn([Say("Done.")], usage=full), Say("Going on."))
            tui.start("--plugin-dir", str(claude.home / "plugin"))
            tui.ask(ASKED)
            began = time.monotonic()
            while time.monotonic() - began < _LONGEST and not daemon.journal(event="PostCompact"):
                time.sleep(15)
            tui.ask("Go on.")
            window = "\n".join(each.text for each in api.of(Kind.MAIN)[-1].texts())
            print(f"after {(time.monotonic() - began) / 60:.1f} minutes:", [e["event"] for e in daemon.journal()])
            print(f"summaries {len(api.of(Kind.COMPACTION))}, the user's words {window.count(ASKED)} times")
        finally:
            tui.close()
            daemon.stop()
            claude.close()


if __name__ == "__main__":
    main()
