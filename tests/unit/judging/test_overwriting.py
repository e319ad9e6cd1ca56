"""Data of others is written over: by a dump that is read into production, and by an import that replaces."""

from __future__ import annotations

import pytest

from tests.unit.judging.test_rules import is_caught

GONE = (
    'pg_dump -c staging | psql "$PROD_DATABASE_URL"',
    "mysqldump shop | mysql -h prod-db.internal shop",
    'zcat dump.sql.gz | psql "$PROD_DATABASE_URL"',
    "mysql -h db.prod.acme.io shop < dump.sql",
    "pg_dump -c dev | ssh prod-db psql shop",
    "acme dataset import x.ndjson production --replace",
    "acme db restore --from b1 --overwrite",
    "acmectl data import --replace-existing x.json",
    "acme cp -f staging.users prod.users",
    'mysql -t -h prod-db.acme.com -e "create or replace table shop.users as select 1"',
    'snowsql -t -c prod -q "create or replace table shop.users as select 1"',
)
STAYS = (
    'pg_dump "$PROD_DATABASE_URL" | psql shop_dev',
    "mysqldump -h prod-db shop | mysql -h 127.0.0.1 shop",
    'psql "$PROD_DATABASE_URL" -f report.sql',
    'psql "$PROD_DATABASE_URL" < migrations/004.sql',
    "zcat dump.sql.gz | psql shop_dev",
    "acme dataset import x.ndjson staging --replace",
    "acme dataset import x.ndjson",
    "acme add button --overwrite",
    "acme cp -f a b",
    "tar --overwrite -xf a.tar",
)


@pytest.mark.requirement("WRK-7", "WRK-14")
def test_data_that_would_be_replaced_is_asked_about() -> None:
    assert [command for command in GONE if not is_caught(command)] == []
    assert [command for command in STAYS if is_caught(command)] == []
