"""Why a rule that matched does not count: each excuse by its name, beside a line that it does not hold for."""

from __future__ import annotations

import pytest

from holdfast.commandline.model import Where
from holdfast.commandline.reading.line import read
from holdfast.judging.excuses import EXCUSES
from holdfast.judging.matching import ONLY_TRIES, OWN_REGISTRY, TEST_NAMES
from holdfast.judging.packs import built_in, with_more
from holdfast.judging.packs import read as read_rules
from holdfast.judging.rules import Judgement, judged
from tests.support.table import each_of

HOME = Where(home="/home/u")
TABLE = (
    # name, a line that it lets pass, a line like it that it does not
    ("only-tries", "git push --force --dry-run origin main", "git push --force origin main"),
    ("own-registry", "npm_config_registry=http://localhost:4873 npm publish", "npm publish"),
    ("test-names", "dropdb shop_test", "dropdb shop"),
    ("throw-away-repository", "git init /tmp/r && git -C /tmp/r reset --hard", "git -C /tmp/r reset --hard"),
    ("throw-away-remote", "git push -f /tmp/r.git main", "git push -f /srv/r.git main"),
    ("saved-by-line", "git stash && git reset --hard", "git reset --hard && git stash"),
    ("outputs-only", "git checkout main -- package-lock.json", "git checkout main -- src/app.py"),
    ("in-container", "docker exec web pkill -9 node", "pkill -9 node"),
    ("no-answer", "npx prisma migrate reset", "npx prisma migrate reset --force"),
    ("only-if-missing", "[ -e ~/a.yml ] || cp b.yml ~/a.yml", "[ ! -e ~/a.yml ] || cp b.yml ~/a.yml"),
    ("only-printed", "python manage.py sqlflush", "python manage.py sqlflush | psql"),
    ("made-again", "rm -rf gen && buf generate", "rm -rf src && buf generate"),
    (
        "filled-again",
        "docker compose down -v && docker compose up -d && make seed",
        "docker compose down -v && make seed",
    ),
    ("made-by-line", "createdb app && dropdb app", "createdb app; dropdb app"),
    ("own-server", "docker run -d -p 6390:6379 redis && redis-cli -p 6390 flushall", "redis-cli -p 6390 flushall"),
    (
        "only-built",
        "printf 'db.query(\"DROP TABLE users\")' > a.ts && npx vitest run",
        "printf 'db.query(\"DROP TABLE users\")' > a.ts && npx tsx a.ts",
    ),
    ("takes-a-side", "git merge x; git checkout --theirs a.py", "git checkout --theirs a.py"),
    (
        "stays-here",
        "curl localhost:3000/auth/credentials -d password=test1234",
        "curl https://api.example.com/auth/credentials -d password=test1234",
    ),
    (
        "own-stack",
        "cd $(mktemp -d) && echo 'resource x y {}' > a.tf && terraform destroy -auto-approve",
        "cd $(mktemp -d) && cp ~/infra/a.tf . && terraform destroy -auto-approve",
    ),
    ("test-data", "redis-cli -h localhost -n 15 flushdb", "redis-cli -h cache.example.com -n 15 flushdb"),
    (
        "throw-away-name",
        "heroku apps:destroy shop-pr-12 --confirm shop-pr-12",
        "heroku apps:destroy shop --confirm shop",
    ),
)


def said(line: str) -> Judgement:
    return judged(read(line), built_in(), HOME)


def is_refused(line: str) -> bool:
    return any(each.decision in ("ask", "deny") for each in said(line).findings)


@pytest.mark.requirement("WRK-14")
@each_of("name, passes, stays", TABLE)
def test_an_excuse_lets_its_line_pass_and_no_other(name: str, passes: str, stays: str) -> None:
    assert name in [each.name for each in said(passes).excused]
    assert not is_refused(passes)
    assert name not in [each.name for each in said(stays).excused]
    assert is_refused(stays)


def test_a_script_of_the_project_sets_its_paths_itself() -> None:
    files = {"clean.sh": 'rm -rf "$OUT"/x'}
    reading = read("./clean.sh", files=lambda kind, path: files.get(path.removeprefix("./")))
    assert [each.name for each in judged(reading, built_in(), HOME).excused] == ["set-by-script"]
    assert is_refused('rm -rf "$OUT"/x')


def test_what_the_line_itself_began_may_be_broken_off() -> None:
    """Else the facts are asked what is lost by it, and it is kept."""
    assert [each.rule for each in said("git cherry-pick --abort").findings] == ["git.abort"]
    assert said("git cherry-pick abc || git cherry-pick --abort").findings == []


def test_a_rule_of_the_user_is_named_where_it_allows() -> None:
    own = '[[rule]]\nid = "mine"\nprograms = "dropdb"\naction = "allow"\nreason = "it is mine"\n'
    packs = with_more(built_in(), read_rules(own, "mine.toml", scope="user")[0])
    found = judged(read("dropdb shop"), packs, HOME)
    assert ([each.name for each in found.excused], found.findings) == (["allowed-by-user"], [])


def test_every_excuse_has_a_line_in_the_table_and_says_why() -> None:
    names = [*(each.name for each in EXCUSES), *(each.name for each in (ONLY_TRIES, OWN_REGISTRY, TEST_NAMES))]
    assert len(names) == len(set(names))
    assert set(names) - {"set-by-script", "own-try"} == {name for name, _, _ in TABLE}
    assert all(each.says for each in EXCUSES)


def test_what_would_have_been_allowed_anyway_needs_no_excuse() -> None:
    assert said("mkdir out && rm -rf out").excused == []
