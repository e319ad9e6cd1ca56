"""How long tests wait. A test waits for a condition, never for a time; the bound only ends a test that hangs."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from holdfast.events.steps import OnEvent, Program

PATIENCE = 120.0
"""Seconds until a condition must be true. A quiet machine needs a fraction of one; a busy one may take them all."""


def patient(program: Program) -> Program:
    """The same program with steps that may take long: a busy machine must not drop one. Deadlines have own tests."""
    return MappingProxyType({name: _patient(entry) for name, entry in program.items()})


def _patient(entry: OnEvent) -> OnEvent:
    return replace(entry, steps=tuple(replace(step, seconds=PATIENCE) for step in entry.steps))
