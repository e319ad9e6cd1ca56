"""A statement that an unknown program is given counts where an option, a word or a key says that it is one."""

from __future__ import annotations

import pytest

from tests.unit.judging.test_rules import is_caught

GIVEN = (
    "acmedb sql 'DROP TABLE orders'",
    "acmedb --execute 'truncate orders'",
    "acmedb call run_sql --tool-arg 'query=DELETE FROM orders'",
    """acme-mcp call db '{"sql": "DROP SCHEMA sales"}'""",
)
SAID = (
    "acmedb sql 'select 1'",
    "acmedb sql 'DELETE FROM orders WHERE id = 1'",
    "acmedb --database shop_test sql 'DROP TABLE orders'",
    "acme-issues create 'DROP TABLE orders fails'",
    "sqlfluff lint --query 'DROP TABLE orders'",
)


@pytest.mark.requirement("WRK-7", "WRK-14")
def test_statements_for_unknown_programs_are_read() -> None:
    assert [command for command in GIVEN if not is_caught(command)] == []
    assert [command for command in SAID if is_caught(command)] == []
