"""Volumes are no loss where the same line starts the services anew and fills them."""

from __future__ import annotations

import pytest

from holdfast.commandline.reading.line import read
from holdfast.judging import filled_again
from tests.support.table import each_of

DOWN, UP = "docker compose down -v", "docker compose up -d"


@pytest.mark.requirement("WRK-12")
@each_of(
    "line",
    [f"{DOWN} && {UP} && make seed", f"{DOWN}; {UP}; ./bin/seed.sh", f"{DOWN} && {UP} db && rails db:seed"],
)
def test_what_is_filled_again_is_no_loss(line: str) -> None:
    assert filled_again.by_line(read(line).runs, 0)


@pytest.mark.requirement("WRK-12")
@each_of(
    "line",
    [
        DOWN,
        f"{DOWN} && {UP}",
        f"{DOWN} && make seed",
        f"{DOWN} && {UP} && echo seed",
        f"docker --context prod compose down -v && {UP} && make seed",
        f"{DOWN} && make seed && {UP}",
        f"{DOWN} && {UP} && python manage.py migrate",
        "docker compose -p shop down -v && docker compose -p other up -d && make seed",
    ],
)
def test_without_a_start_and_a_seed_it_is(line: str) -> None:
    assert not filled_again.by_line(read(line).runs, 0)
