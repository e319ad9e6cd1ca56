"""For mkdocs: the pages at the repository's root are pages of the site, and links lead to pages of the site.

In the repository a link names a file as it lies there, so that it works on the code host. Here each is translated; one
to a file that is no page (source code) becomes plain text.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
HOME = "README.md"
_LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]\n]*)\]\((?P<place>[^)\s#]*)(?P<anchor>#[^)\s]*)?\)")
_CODE = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that lie beside docs/."""
    for page in sorted(ROOT.glob("*.md")):
        name = "index.md" if page.name == HOME else page.name
        files.append(File.generated(config, name, content=page.read_text("utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Translate the links of a page, but not what stands in code."""
    name = page.file.src_uri
    is_beside = page.file.generated_by is not None
    folder = "" if is_beside else posixpath.join("docs", posixpath.dirname(name))
    parts = _CODE.split(markdown)

    def translated(found: re.Match[str]) -> str:
        place, anchor = found["place"], found["anchor"] or ""
        if not place or "://" in place or place.startswith("mailto:"):
            return found[0]
        target = place_on_site(posixpath.normpath(posixpath.join(folder, place)))
        if target is None:
            return found["text"]
        start = posixpath.dirname(name)
        return f"{found['image']}[{found['text']}]({posixpath.relpath(target, start or '.')}{anchor})"

    return "".join(part if number % 2 else _LINK.sub(translated, part) for number, part in enumerate(parts))


def place_on_site(path: str) -> str | None:
    """Where a file of the repository is on the site; None when it is not there."""
    if (ROOT / path).is_dir():
        first = next((each for each in ("README.md", "commands.md") if (ROOT / path / each).is_file()), "")
        return place_on_site(posixpath.join(path, first)) if first else None
    if path == HOME:
        return "index.md"
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    return path if "/" not in path and path.endswith(".md") else None
