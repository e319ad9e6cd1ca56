"""Whoever is made an administrator may lose everything: it is asked about by any tool. Lesser rights, and the server of
this machine, are no question."""

from __future__ import annotations

import pytest

from tests.unit.judging.test_rules import is_caught

GIVEN = (
    "acme members add bob --role owner",
    "acme iam grant bob --policy=admin",
    "acme role-binding create bob --cluster-role cluster-admin",
    """acme iam put-policy all --document '{"Action": "*"}'""",
    "acme api -X PUT teams/7/members/bob -f role=admin",
    'psql "$PROD_URL" -c "create role bob superuser"',
    "mysql -h db.acme.com -e 'grant all on *.* to bob'",
    "sudo gpasswd -a bob wheel",
)
STAYS = (
    "acme members add bob --role reader",
    "acme members list --role owner",
    "acme iam revoke bob --policy=admin",
    "acme role-binding create bob --cluster-role view",
    'acme iam put-policy own --document \'{"Action": "s3:GetObject"}\'',
    "acme api teams/7/members/bob -f role=admin",
    'psql -h localhost -c "create role bob superuser"',
    'psql "$PROD_URL" -c "alter role bob nosuperuser"',
    "sudo gpasswd -a bob docker",
    "git commit -m 'members add bob --role owner'",
)


@pytest.mark.requirement("WRK-7", "WRK-14")
def test_making_somebody_an_administrator_is_asked_about_by_any_tool() -> None:
    assert [command for command in GIVEN if not is_caught(command)] == []
    assert [command for command in STAYS if is_caught(command)] == []
