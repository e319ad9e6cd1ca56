"""The rooms' tests use a store of their own on either database, and the run's PostgreSQL server."""

from tests.contract.conftest import postgres_server, site

__all__ = ["postgres_server", "site"]
