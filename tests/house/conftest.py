"""Every test that asks for a `site` is told twice: once on SQLite, once on a real PostgreSQL."""

from tests.contract.conftest import postgres_server, site

__all__ = ["postgres_server", "site"]
