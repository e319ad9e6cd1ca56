"""Programs that no table names, read by their own words."""

from __future__ import annotations

import pytest

from holdfast.shell import parse, what
from holdfast.shell.by_words import says_so
from tests.support.table import each_of


@pytest.mark.requirement("MEM-17")
@each_of(
    ("command", "kind", "tool"),
    [
        ("gleam test", "test", "gleam test"),
        ("acme db migrate", "deploy", "acme db migrate"),
        ("acme apps:deploy web", "deploy", "acme apps:deploy"),
        ("bundle exec cap production deploy", "deploy", "cap production deploy"),
        ("npx changeset publish", "deploy", "changeset publish"),
        ("acme run web:test", "test", "acme run web:test"),
        ("mill shop.test", "test", "mill shop.test"),
        ("clojure -M:dev:test", "test", "clojure -M:dev:test"),
        ("perl -Ilib t/parser.t", "test", "perl t/parser.t"),
        ("julia --project=. test/runtests.jl", "test", "julia test/runtests.jl"),
        ("julia --project -e 'using Pkg; Pkg.test()'", "test", "julia Pkg.test"),
        ('Rscript -e "devtools::test()"', "test", "Rscript devtools::test"),
        ("bash scripts/run-tests.sh", "test", "run-tests.sh"),
        ("./scripts/deploy.sh prod", "deploy", "deploy.sh"),
        ("./loadtest.sh", "test", "loadtest.sh"),
        ("./bin/deploy production", "deploy", "deploy"),
        ("scripts/run-tests fast", "test", "run-tests"),
        ("python tests/test_dates.py", "test", "python tests/test_dates.py"),
    ],
)
def test_a_program_says_itself_what_it_does(command: str, kind: str, tool: str) -> None:
    assert [(run.kind, run.tool, run.by_words) for run in what(parse(command))] == [(kind, tool, True)]
    assert says_so(command)


@pytest.mark.requirement("MEM-17")
@each_of(
    "command",
    [
        "mkdir build", "rm -rf build", "cp -r test /tmp", "psql test -c 'select 1'", "cd build", "ls test",
        "vim build.sh",
        "terraform workspace select test", "ssh host test", "createdb test", "tmux attach -t test", "kubectl get pods",
        "python scripts/seed.py", "node -e 'test()'", "which test", "open build", "cargo run",
    ],
)  # fmt: skip
def test_names_of_files_hosts_and_databases_say_nothing(command: str) -> None:
    assert what(parse(command)) == ()
