"""Tasks of a project's own files are what they run (WRK-7)."""

from __future__ import annotations

import pytest

from holdfast.commandline.model import Where
from holdfast.commandline.reading.files import FileKind
from holdfast.commandline.reading.line import read
from holdfast.commandline.running import tasks
from holdfast.judging.packs import built_in
from holdfast.judging.rules import findings, strictest

MAKEFILE = """OUT := build
DATA = $(HOME)/Documents
.PHONY: clean wipe
clean:
\trm -rf $(OUT) $$X
\t$(RM) *.o
wipe: clean
\t@rm -rf $(DATA)
publish: ; npm publish
fill:
\trm -rf $(UNSET)/x
"""
FILES = {
    "package.json": '{"scripts": {"db:reset": "prisma migrate reset --force", "clean": "rm -rf dist", '
    '"nuke": "npm run clean && npm run db:reset", "build": "tsc", "x": "rm -rf ~"}}',
    "web/package.json": '{"scripts": {"deploy": "vercel remove shop --yes"}}',
    "Makefile": MAKEFILE,
    "justfile": "db := 'shop'\n\nreset: clean\n    dropdb {{db}}\n\nclean:\n    rm -rf dist\n",
    "Taskfile.yml": "tasks:\n  wipe:\n    cmds:\n      - dropdb shop\n  lint:\n    cmds:\n      - ruff check\n",
    "composer.json": '{"scripts": {"fresh": ["@php artisan migrate:fresh"], "post": "@fresh"}}',
    "Rakefile": "task :purge do\n  sh 'redis-cli flushall'\nend\ntask :lint do\n  sh 'rubocop'\nend\n",
    "deno.json": '{"tasks": {"drop": "dropdb shop"}}',
    "drop.sql": "DROP TABLE orders;",
    "schema.sql": "CREATE TABLE orders (a int);",
    "reset.sql": "SELECT 1;",
}  # fmt: skip
REFUSED = (
    "npm run db:reset", "pnpm db:reset", "yarn nuke", "npm run x", "npm --prefix web run deploy", "make wipe",
    "make -s publish", "just reset", "just", "just -f justfile reset", "task wipe", "composer fresh",
    "composer run-script post",
    "rake purge", "deno task drop", "psql shop -f drop.sql", "mysql shop < drop.sql", "cat drop.sql | psql shop",
    "psql shop -c '\\i drop.sql'", "sqlite3 app.db '.read drop.sql'", "cd web && npm run deploy",
)  # fmt: skip
PASSED = (
    "npm run build", "npm run clean", "npm run missing", "npm test", "make clean", "make fill", "make", "just clean",
    "task lint", "rake lint", "composer install", "psql shop -f schema.sql", "mysql shop < schema.sql", "npm install",
    "psql shop_test -f drop.sql", "psql shop -f reset.sql", "make -n wipe", "just --list", "yarn add left-pad",
)  # fmt: skip


def told(kind: FileKind, path: str) -> str | None:
    return FILES.get(path)


def decision(command: str) -> str:
    found = strictest(findings(read(command, files=told), built_in(), Where(home="/home/u")))
    return found.decision if found else "allow"


@pytest.mark.requirement("WRK-7")
def test_a_task_is_what_its_file_says() -> None:
    assert [command for command in REFUSED if decision(command) not in ("ask", "deny")] == []
    assert [command for command in PASSED if decision(command) in ("ask", "deny")] == []


@pytest.mark.requirement("WRK-7")
def test_statements_that_cannot_be_read_are_asked_about_by_their_name() -> None:
    unread = {
        "psql shop -f wipe_all.sql": "ask",
        "psql shop -f report.sql": "allow",
        "psql t_test -f drop_x.sql": "allow",
    }
    assert {command: decision(command) for command in unread} == unread


@pytest.mark.requirement("WRK-15")
def test_a_file_that_goes_in_circles_or_is_broken_ends() -> None:
    circle = '{"scripts": {"a": "npm run b", "b": "npm run a"}}'
    assert tasks.commands("npm", circle, ("a",)) == ["npm run b", "npm run a"]
    assert tasks.commands("npm", "{", ("a",)) == tasks.commands("npm", "[]", ("a",)) == []
    assert tasks.commands("make", "A = $(B)\nB = $(A)\nx: x\n\techo $(A)\n", ("x",)) != []
    assert tasks.commands("make", ":" * 10_000, ("x",)) == []
