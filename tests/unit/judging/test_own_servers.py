"""A server or a thing that the line makes itself is nobody's loss; another one of the same kind is."""

from __future__ import annotations

import pytest

from tests.unit.judging.test_rules import is_caught

OWN = (
    "docker run -d --rm -p 6390:6379 redis && redis-cli -p 6390 flushall",
    "docker run -d -p 127.0.0.1:5544:5432 postgres && psql -h localhost -p 5544 -c 'drop schema public cascade'",
    "vault server -dev & export VAULT_ADDR=http://127.0.0.1:8200; vault kv metadata delete secret/t",
    "nomad agent -dev & nomad job stop -purge it",
    "id=$(docker create x) && docker rm -v $id",
    "multipass launch 24.04 -n probe && multipass exec probe -- ls; multipass delete --purge probe",
    "rpk topic create probe-$$ && rpk topic delete probe-$$",
    "rabbitmqadmin declare queue name=it.q durable=false && rabbitmqadmin delete queue name=it.q",
    "neonctl branches create --name ci-88 && npm test; neonctl branches delete ci-88",
    "vagrant init x/y && vagrant up; vagrant destroy -f",
    "export GNUPGHOME=$(mktemp -d); gpg --batch --yes --delete-secret-and-public-key x",
)
OTHERS = (
    "docker run -d --rm -p 6390:6379 redis && redis-cli flushall",
    "docker run -d --rm -p 6390:6379 redis && redis-cli -h cache.example.com -p 6390 flushall",
    "docker run -d -v pg:/var/lib/postgresql/data -p 5544:5432 postgres && psql -p 5544 -c 'drop schema public'",
    "redis-cli -p 6390 flushall && docker run -d --rm -p 6390:6379 redis",
    "vault server -dev & VAULT_ADDR=https://vault.example.com vault kv metadata delete secret/t",
    "vault server -dev -dev-listen-address=127.0.0.1:8300 || vault kv metadata delete secret/t",
    "multipass launch 24.04 -n probe && multipass delete --purge db",
    "rpk topic create probe && rpk topic delete orders",
    "neonctl branches create --name ci-88; neonctl branches delete main",
    "multipass launch -n shop-prod; multipass delete --purge shop-prod",
    "vagrant up && vagrant destroy -f",
    "docker rm -f $(docker ps -aq)",
)


@pytest.mark.requirement("WRK-14")
def test_what_a_line_started_itself_may_be_emptied_and_what_it_did_not_may_not() -> None:
    assert [command for command in OWN if is_caught(command)] == []
    assert [command for command in OTHERS if not is_caught(command)] == []
