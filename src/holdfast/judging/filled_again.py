"""Volumes of `docker compose` that the same line starts anew and fills again: `down -v && up -d && make seed`. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from holdfast.commandline.model import Run
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

_COMPOSE = listed("docker podman nerdctl docker-compose podman-compose finch")
_FILLS = lazy_pattern(
    r"(?:\A|[\s:./_-])(?:seed\w*|init[-_:]?db|initdb|load[-_:]?data|loaddata|fixtures?|restore[-_]?db|pg_restore|populate"
    r"|airflow-init)(?=[\s:./_-]|\Z)"
)
_ONLY_SAY = listed("echo printf true : cat grep rg ls sleep test [ git")
_MOST_WORDS = 12


def by_line(runs: Sequence[Run], number: int) -> bool:
    """Does the line bring the services up again behind this run, and fill them?"""
    if runs[number].remote or runs[number].after_failure or _names_production(runs[number]):
        return False
    is_up, chosen = False, _chosen(runs[number])
    for run in runs[number + 1 :]:
        if (run.remote and not run.container) or run.program in _ONLY_SAY:
            continue
        words = " ".join((run.program, *run.texts[:_MOST_WORDS]))
        starts = run.program in _COMPOSE and "up" in run.texts[:_MOST_WORDS]
        is_up = is_up or (starts and _chosen(run) == chosen)
        if is_up and _FILLS.search(words):
            return True
    return False


_PRODUCTION = lazy_pattern(r"(?i)(?<![a-z])(?:prod|production|prd|live|staging|stage)(?![a-z])")


def _chosen(run: Run) -> list[str]:
    """The project and the files that are named: another project's services are other services."""
    texts = run.texts[:_MOST_WORDS]
    return [f"{name} {value}" for name, value in pairwise(texts) if name in ("-p", "-f", "--project-name", "--file")]


def _names_production(run: Run) -> bool:
    values = (value.text for _, value in run.environment)
    return any(_PRODUCTION.search(text) for text in (*run.texts, *values))
