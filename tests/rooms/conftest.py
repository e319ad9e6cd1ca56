"""The rooms' tests on PostgreSQL use the run's server."""

from tests.contract.conftest import postgres_server

__all__ = ["postgres_server"]
