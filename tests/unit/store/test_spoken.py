"""Which tables an SQL text names, in all the places where one can stand."""

from __future__ import annotations

from holdfast.program import CATALOG
from holdfast.store.spoken import spoken


def tables_in(sql: str) -> set[str]:
    return spoken(sql) & set(CATALOG.tables)


def test_the_reader_of_sql_finds_names() -> None:
    assert tables_in("SELECT * FROM prompt JOIN session ON 1 -- citation\n") == {"prompt", "session"}
    assert tables_in("SELECT ' FROM memory ' FROM citation, cited_page") == {"citation", "cited_page"}
    assert tables_in("SELECT a FROM citation AS c, memory m, prompt WHERE x IN (1, session)") == {
        *("citation", "memory", "prompt")
    }
    assert tables_in("SELECT summary, title FROM (SELECT 1 FROM page) AS p, (reading JOIN memory ON 1)") == {
        *("page", "reading", "memory")
    }
    assert tables_in("CREATE INDEX i ON memory (a); DROP TABLE IF EXISTS summary; UPDATE x SET a = prompt.id") == {
        *("memory", "summary", "prompt")
    }
    assert tables_in("INSERT INTO x (memory, page) SELECT memory, page FROM y GROUP BY a, summary") == set()
