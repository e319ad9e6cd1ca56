"""Databases of the moment, by their address."""

from __future__ import annotations

import pytest

from holdfast.commandline.effects.own_databases import only_of_moment
from tests.support.table import each_of


@pytest.mark.requirement("WRK-14")
@each_of(
    "words, environment",
    (
        ((), {"DATABASE_URL": "sqlite:////tmp/x.db"}),
        ((), {"SQLALCHEMY_DATABASE_URI": "sqlite+aiosqlite:////tmp/x.db?a=1"}),
        ((), {"DATABASE_URL": "sqlite://"}),
        ((), {"DATABASE_URL": "sqlite::memory:"}),
        ((), {"DATABASE_URL": "file:/tmp/p.db"}),
        ((), {"GOOSE_DBSTRING": "/tmp/g.db"}),
        (("-x", "url=sqlite:////tmp/x.db", "downgrade", "base"), {}),
        (("-url=jdbc:h2:mem:t", "clean"), {}),
        (("--connection", "/tmp/k.db"), {}),
        (("schema", "clean", "-u", "sqlite://file?mode=memory"), {}),
    ),
)
def test_memory_and_temporary_files_are_of_the_moment(words: tuple[str, ...], environment: dict[str, str]) -> None:
    assert only_of_moment(words, environment.items())


@pytest.mark.requirement("WRK-7")
@each_of(
    "words, environment",
    (
        (("downgrade", "base"), {}),
        ((), {"OTHER_URL": "sqlite:////tmp/x.db"}),
        ((), {"DATABASE_URL": "sqlite:///shop.db"}),
        ((), {"DATABASE_URL": "sqlite:////srv/shop.db"}),
        ((), {"DATABASE_URL": "sqlite:////tmp/../srv/shop.db"}),
        ((), {"DATABASE_URL": "sqlite:////tmp/prod.db"}),
        ((), {"DB_PATH": "/tmp/x.db", "DATABASE_URL": "mysql://db.example.com/shop"}),
        (("--url", "postgres://db.example.com/shop"), {"DATABASE_URL": "sqlite:////tmp/x.db"}),
        (("-url=jdbc:h2:~/shop",), {}),
        ((), {"DB_PASSWORD_FILE": "/tmp/pw"}),
        ((), {"DATABASE_BACKUP_PATH": "/tmp/backups"}),
        ((), {"SHOP_DATABASE_URL": "sqlite:////tmp/x.db"}),
        ((), {"DB_URL": "sqlite:////tmp/x.db", "DB_HOST": "db.acme.com"}),
        ((), {"DATABASE_URL": "postgres://db.acme.com/shop?mode=memory"}),
        ((), {"DATABASE_URL": "postgres://db.acme.com/shop?application_name=:memory:"}),
        (("postgres", "host=db.acme.com dbname=shop", "reset"), {"GOOSE_DBSTRING": "/tmp/x.db"}),
        (("flush", "--host", "db.acme.com"), {"DATABASE_URL": "sqlite:////tmp/x.db"}),
        (("flush", "--database=crm"), {"DATABASE_URL": "sqlite:////tmp/x.db"}),
        (("clean", "-configFiles=file:///tmp/flyway.conf"), {}),
        (("flush", "--noinput", "--log", "/tmp/x.db"), {}),
        (("-x", "report=/tmp/report.db", "downgrade", "base"), {}),
    ),
)
def test_any_other_address_is_not(words: tuple[str, ...], environment: dict[str, str]) -> None:
    assert not only_of_moment(words, environment.items())
