"""Data for tests on this machine may go; the same words about another machine, or about other data, are asked about."""

from __future__ import annotations

import pytest

from tests.unit.judging.test_rules import is_caught

FOR_TESTS = (
    "curl -X DELETE http://localhost:9200/it-products",
    "curl -X DELETE 'http://localhost:9200/products_test_*?ignore_unavailable=true'",
    "kafka-topics --bootstrap-server 127.0.0.1:9092 --delete --topic orders-ci",
    "docker exec kafka-it kafka-topics --bootstrap-server localhost:9092 --delete --topic orders",
    "influx delete --host http://localhost:8086 --bucket dev --start 1970-01-01T00:00:00Z --stop 2030-01-01T00:00:00Z",
    "ETCDCTL_ENDPOINTS=http://127.0.0.1:2399 etcdctl del --prefix it/",
    "mc alias set it http://localhost:9000 a b && mc rb --force it/uploads-test",
    "redis-cli -h localhost -n 15 flushdb",
    "redis-cli -n 1 flushdb",
    "redis-cli -h localhost flushdb",
    "multipass delete --purge test",
)
NOT_FOR_TESTS = (
    "curl -X DELETE http://localhost:9200/products",
    "curl -X DELETE http://localhost:9200/it-products/../products",
    "curl -X DELETE http://es.example.com:9200/it-products",
    "kafka-topics --bootstrap-server kafka.example.com:9092 --delete --topic orders-ci",
    "docker exec kafka kafka-topics --bootstrap-server localhost:9092 --delete --topic orders",
    "docker exec kafka-it kafka-topics --bootstrap-server kafka.example.com:9092 --delete --topic orders",
    "docker exec kafka-it kafka-topics --bootstrap-server localhost:9092 --delete --topic orders-prod",
    "mc alias set it https://s3.example.com a b && mc rb --force it/uploads-test",
    "redis-cli -h localhost -n 15 flushall",
    "redis-cli flushdb",
    "redis-cli -h localhost -n 0 flushdb",
    "multipass delete --purge dev",
    "redis-cli -h cache.example.com -n 15 flushdb",
    "aws s3 rb s3://localhost-test --force",
)


@pytest.mark.requirement("WRK-14")
def test_data_for_tests_on_this_machine_passes_and_any_other_does_not() -> None:
    assert [command for command in FOR_TESTS if is_caught(command)] == []
    assert [command for command in NOT_FOR_TESTS if not is_caught(command)] == []
