"""Programs that are typed into a console which keeps nothing that anybody needs."""

from __future__ import annotations

import pytest

from holdfast.commandline.model import Where
from holdfast.commandline.reading.line import read
from holdfast.judging.packs import built_in
from holdfast.judging.rules import judged
from tests.support.table import each_of

HOME = Where(home="/home/u")


def passes(line: str) -> bool:
    return not any(each.decision in ("ask", "deny") for each in judged(read(line), built_in(), HOME).findings)


@pytest.mark.requirement("WRK-14")
@each_of(
    "line",
    (
        "rails console --sandbox <<< 'Order.delete_all'",
        "echo 'Order.delete_all' | bundle exec rails c -s",
        "rails runner -e test 'Order.delete_all'",
        "php artisan tinker --env=testing --execute 'User::query()->delete();'",
        "python manage.py shell --settings=a.settings.test -c 'from a.models import O; O.objects.all().delete()'",
    ),
)
def test_a_sandbox_or_a_test_mode_keeps_nothing(line: str) -> None:
    assert passes(line)


@pytest.mark.requirement("WRK-7")
@each_of(
    "line",
    (
        "rails console <<< 'Order.delete_all'",
        "rails console --sandbox -e production <<< 'Order.delete_all'",
        "rails runner --sandbox 'Order.delete_all'",
        "echo 'Order.delete_all' | rails runner -",
        "echo 'Order.delete_all' | heroku run rails console -a shop",
        "rails console --sandbox <<< 'puts 1'; rails console <<< 'Order.delete_all'",
        "rails c -s <<< 'puts 1'; python3 -c \"import boto3; boto3.client('s3').delete_bucket(Bucket='b')\"",
        "rails console production --sandbox <<< 'User.delete_all'",
        "rails console -s -e staging <<< 'User.delete_all'",
        "rails console -s <<< 'ActiveRecord::Base.establish_connection(:crm); User.delete_all'",
        "rails console -s <<< 'Redis.new.flushall'",
        "rails console -s <<< 'ActiveRecord::Base.connection.execute(\"DROP TABLE users\")'",
        "DATABASE_URL=postgres://db.acme.com/shop rails runner -e test 'User.delete_all'",
        "rails runner --environment=test 'Redis.new(url: x).flushall'",
        "php artisan tinker --env=testing --execute=\"DB::connection('crm')->table('users')->truncate()\"",
        "python manage.py shell --settings=a.settings.prod -c 'from a.models import O; O.objects.all().delete()'",
    ),
)
def test_any_other_console_is_asked_about(line: str) -> None:
    assert not passes(line)
