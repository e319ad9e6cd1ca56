"""The documentation is built as a site, without a warning, and every link in it leads somewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

ROOT = Path(__file__).parents[1]


class Page(HTMLParser):
    """Where a page's links lead, and which places it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = {""}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name == "id" and value:
                self.places.add(value)


@pytest.mark.requirement("HSE-8")
def test_the_site_is_built_and_every_link_leads_somewhere(tmp_path: Path) -> None:
    build(load_config(str(ROOT / "mkdocs.yml"), site_dir=str(tmp_path)))  # strict: a warning is an error
    pages = {path: Page(path.read_text("utf-8")) for path in tmp_path.rglob("*.html")}
    assert {"index.html", "getting-started.html", "faq.html", "ARCHITECTURE.html"} <= {path.name for path in pages}
    broken, outside = [], set()
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                outside.add(f"{parts.scheme}://{parts.netloc}")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            is_there = target.is_file() or path.name == "404.html"
            if not is_there or (target in pages and unquote(parts.fragment) not in pages[target].places):
                broken.append(f"{path.relative_to(tmp_path)}: {link}")
    assert broken == []
    loaded = [
        each for page in pages.values() for each in page.links if re.match(r"(https?:)?//.*\.(js|css|woff2?)", each)
    ]
    assert loaded == [], "a page loads something from elsewhere"
