"""The figures in the README are those of the page that `python -m bench` wrote."""

from __future__ import annotations

from bench.__main__ import PAGE, README, quoted


def test_the_readme_quotes_the_newest_figures() -> None:
    figures = PAGE.read_text("utf-8")
    assert quoted(figures).count("\n") > 10
    assert quoted(figures) in README.read_text("utf-8")
    assert "**no**" not in figures
