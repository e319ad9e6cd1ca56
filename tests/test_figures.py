"""The figures in the README are those of the page that `python -m bench` wrote."""

from __future__ import annotations

from bench.__main__ import PAGE, README, quoted, sections


def test_the_readme_quotes_the_newest_figures() -> None:
    figures = PAGE.read_text("utf-8")
    quotation = quoted(sections(figures))
    assert quotation.count("\n") > 20
    assert quotation in README.read_text("utf-8")
    assert "**no**" not in figures
