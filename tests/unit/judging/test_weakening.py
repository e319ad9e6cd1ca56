"""What protects data is switched off by words that most tools share; the same words that switch it on, or only show it,
are no question."""

from __future__ import annotations

import pytest

from tests.unit.judging.test_rules import is_caught

OFF = (
    "acme db update shop --no-deletion-protection",
    "acme db modify shop --backup-retention-days 0",
    "acme bucket set uploads --versioning=off",
    "acme repo edit shop --visibility public",
    "acme backup disable shop",
    "acme app scale web=0",
    "acme pool resize --count 0",
    """acme policy put --body '{"Principal": "*"}'""",
)
STAYS = (
    "acme db update shop --deletion-protection",
    "acme db modify shop --backup-retention-days 30",
    "acme bucket set uploads --versioning=on",
    "acme repo list --visibility public",
    "acme backup enable shop",
    "acme app scale web=2",
    "acme app scale web=0 --app shop-staging",
    "acme pool show --count 0",
    "echo acme app scale web=0",
    "git commit -m 'scale web=0, visibility=public'",
)


@pytest.mark.requirement("WRK-7", "WRK-14")
def test_what_switches_a_protection_off_is_asked_about_by_any_tool() -> None:
    assert [command for command in OFF if not is_caught(command)] == []
    assert [command for command in STAYS if is_caught(command)] == []
