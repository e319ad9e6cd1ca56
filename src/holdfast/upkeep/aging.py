"""Decides which rows have aged. Pure.

The journal is whole while it may still be needed (recovery, the summaries of running work, `why`); then only those
entries stay from which something was made, in a light form (`events/light.py`); then they go. When rows of other
tables go is declared with the table (`Age`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from holdfast.errors import ConfigError
from holdfast.store.table import Age, Table
from holdfast.times import DAY_US
from holdfast.upkeep.settings import RetentionSettings


def ago(days: float, now: int) -> int:
    """The moment so many days ago; 0, which is before everything, for 0 days."""
    return max(0, int(now - days * DAY_US)) if days else 0


SettingsInDays = Mapping[str, int]
"""The settings of a room that are in days, by their names: `fleet.kept_days`."""


def before(age: Age, policy: RetentionSettings, now: int, own: SettingsInDays = MappingProxyType({})) -> int:
    """The moment before which rows of this age go; 0 is never. `own` are the settings of the table's room."""
    days: int = own[age.setting] if age.setting in own else getattr(policy, age.setting)
    return ago(days / age.sooner, now)


def check(table: Table, own: SettingsInDays = MappingProxyType({})) -> None:
    """Refuse a table that ages by a setting that does not exist."""
    house = [name for name in RetentionSettings.__struct_fields__ if name.endswith("_days")]
    for age in table.ages:
        if age.setting not in (*house, *own):
            raise ConfigError(
                f"holdfast cannot start: the table {table.name} ages by {age.setting}, which is no setting of "
                "[retention] in days, and none of its room whose name ends in `_days`."
            )


def first_day_kept(days: Iterable[tuple[int, int]], most: int) -> int:
    """The first day that is kept, when the newest days may have `most` bytes together; 0: all days fit. `days` are
    (day, bytes)."""
    listed = sorted(days, reverse=True)
    total = 0
    for at, (_, size) in enumerate(listed):
        total += size
        if total > most:
            return listed[at - 1][0] if at else listed[0][0] + 1
    return 0
