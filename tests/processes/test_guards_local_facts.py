"""Facts about what is no file: data that the project's own seeds fill again, a branch that is merged (WRK-12)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.guarded import Sandbox, write
from tests.support.table import each_of

COMPOSE = "services:\n  db:\n    image: postgres:16\n  web:\n    build: .\nvolumes:\n  pgdata:\n  node_modules:\n"


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    made = Sandbox(tmp_path)
    monkeypatch.setenv("HOME", str(made.home))
    write(made.root / "compose.yaml", COMPOSE)
    write(made.root / "db" / "seeds.rb", "User.create!\n")
    made.bash("git init -q -b main && git add -A && git commit -qm first")
    return made


def passes(sandbox: Sandbox, command: str) -> tuple[bool, list[str]]:
    said = sandbox.judge(command).verdict
    return said.decision in ("allow", "warn"), list(dict.fromkeys(each.name for each in said.excused))


SEEDED = (
    "bin/rails db:reset",
    "rails db:drop db:create db:migrate db:seed",
    "php artisan migrate:fresh --seed",
    "mix ecto.reset",
    "mix ecto.drop && mix ecto.setup",
    "docker compose down -v",
    "docker compose down --volumes --remove-orphans && docker compose up -d",
)
ASKED = (
    "RAILS_ENV=production bin/rails db:reset",
    "DISABLE_DATABASE_ENVIRONMENT_CHECK=1 bin/rails db:reset",
    "DATABASE_URL=postgres://db.example.com/shop bin/rails db:reset",
    "bin/rails db:drop",
    "php artisan migrate:fresh",
    "php artisan migrate:fresh --seed --force",
    "npx prisma migrate reset --force",
    "ssh web1 'cd /srv/shop && bin/rails db:reset'",
    "docker --context prod compose down -v",
    "DOCKER_HOST=tcp://10.0.0.2 docker compose down -v",
    "docker compose -f elsewhere.yml down -v",
)


@pytest.mark.requirement("WRK-12", "WRK-14")
def test_what_the_projects_own_seeds_fill_again_is_no_question(sandbox: Sandbox) -> None:
    wrong = [command for command in SEEDED if passes(sandbox, command) != (True, ["seeded"])]
    assert wrong == []


@pytest.mark.requirement("WRK-12")
def test_another_server_production_and_a_switched_off_check_are_asked_about(sandbox: Sandbox) -> None:
    assert [command for command in ASKED if passes(sandbox, command)[0]] == []


@pytest.mark.requirement("WRK-12")
def test_without_seeds_a_database_is_the_only_copy(sandbox: Sandbox) -> None:
    sandbox.bash("git rm -q --cached db/seeds.rb && git commit -qm 'no seeds'")
    assert [command for command in SEEDED if passes(sandbox, command)[0]] == []


@pytest.mark.requirement("WRK-12")
@each_of(
    "volumes, name",
    [
        ("  node_modules:\n  pip_cache:\n", "cache-volumes"),
        ("  uploads:\n  pgdata:\n", ""),
        ("  minio:\n", ""),
        ("  data:\n", ""),
    ],
)
def test_a_compose_file_tells_what_its_volumes_hold(
    tmp_path_factory: pytest.TempPathFactory, volumes: str, name: str
) -> None:
    made = Sandbox(tmp_path_factory.mktemp("made"))
    write(made.root / "docker-compose.yml", f"services:\n  web:\n    build: .\nvolumes:\n{volumes}")
    write(made.root / "seed.sql", "insert into a values (1);\n")
    made.bash("git init -q -b main && git add -A && git commit -qm first")
    allowed, excuses = passes(made, "docker compose down -v")
    assert (allowed, excuses) == (bool(name), [name] if name else [])


@pytest.mark.requirement("WRK-12")
def test_a_branch_that_the_remote_has_merged_may_be_deleted_there(sandbox: Sandbox) -> None:
    sandbox.bash(
        "git init -q --bare ../o.git && git remote add origin ../o.git && git push -q origin main"
        " && git checkout -qb feature/old && git commit -q --allow-empty -m old && git push -q origin HEAD"
        " && git checkout -q main && git merge -q feature/old && git push -q origin main main:release/1 main:develop"
        " && git checkout -qb feature/new && git commit -q --allow-empty -m new && git push -q origin HEAD"
        " && git tag v9 && git push -q origin v9 && git fetch -q"
    )
    merged = ("git push origin --delete feature/old", "git push origin :feature/old", "git push -d origin feature/old")
    assert [command for command in merged if passes(sandbox, command) != (True, ["merged-branch"])] == []
    asked = (
        "git push origin --delete feature/new",
        "git push origin --delete feature/old feature/new",
        "git push origin --delete release/1",
        "git push origin --delete develop",
        "git push origin --delete main",
        "git push origin --delete v9",
        "git push origin --delete unknown",
        "git push other --delete feature/old",
        'git push origin --delete "$B"',
    )
    assert [command for command in asked if passes(sandbox, command)[0]] == []


@pytest.mark.requirement("WRK-12", "WRK-6")
def test_the_facts_say_by_which_name_they_let_something_pass(sandbox: Sandbox) -> None:
    write(sandbox.root / "src" / "app.py", "x\n")
    sandbox.bash("git add -A && git commit -qm more")
    assert passes(sandbox, "rm -rf src") == (True, ["in-git"])
    assert passes(sandbox, "rm -rf nothing-here") == (True, ["nothing-there"])
    sandbox.does("mkdir made && touch made/x")
    assert passes(sandbox, "rm -rf made") == (True, ["own"])
