"""The log: what strangers do is told sparingly, and a name in the log's place that leads elsewhere is not followed."""

from __future__ import annotations

import logging

import pytest

from holdfast.daemon.logs import Sparing


def line(text: str, level: int = logging.WARNING) -> logging.LogRecord:
    return logging.LogRecord("strangers", level, "", 0, "%s", (text,), None)


@pytest.mark.requirement("SEC-10")
def test_a_few_lines_of_a_minute_pass_and_the_rest_are_counted() -> None:
    now = 0.0
    sparing = Sparing(lambda: now)
    assert sum(sparing.filter(line("refused")) for _ in range(10_000)) == 30
    assert sparing.filter(line("a failure of ours", logging.ERROR)), "errors are always told"
    now = 61.0
    first = line("refused")
    assert sparing.filter(first)
    assert first.getMessage() == "refused (9970 more like it were not logged)"
    second = line("refused")
    assert sparing.filter(second)
    assert second.getMessage() == "refused"
