"""Calls that only build or test a source file, and those that run it."""

from __future__ import annotations

import pytest

from holdfast.commandline.reading import building
from holdfast.commandline.reading.line import read


@pytest.mark.requirement("WRK-14")
def test_a_build_or_a_test_is_told_from_a_start() -> None:
    for line in (
        "./gradlew :app:compileDebugKotlin -q",
        "./gradlew test --tests '*Cart'",
        "mvn -q verify",
        "go test ./...",
        "cargo clippy",
        "npm run build",
        "npx vitest run a.spec.ts",
        "uv run pytest -q",
        "bundle exec rspec",
        "node --test",
    ):
        assert building.is_building(read(line).runs[0]), line
    for line in (
        "./gradlew test bootRun",
        "./gradlew flywayClean",
        "mvn spring-boot:run",
        "go run .",
        "cargo run",
        "npm run seed",
        "npx tsx reset.ts",
        "uv run reset.py",
        "bundle exec ruby reset.rb",
        "node reset.js",
        "python reset.py",
    ):
        assert not building.is_building(read(line).runs[0]), line


@pytest.mark.requirement("WRK-14")
def test_a_file_that_names_a_database_elsewhere_is_no_mere_source() -> None:
    pytest_call = read("pytest -q").runs[0]
    assert building.how(pytest_call, "tests/test_x.py", "connect('postgres://localhost/t')") == (building.BUILT,)
    assert building.how(pytest_call, "tests/test_x.py", "connect('postgresql://app@db.prod.example.com/x')") == ()
    assert building.how(pytest_call, "app/migrations/0001.py", "x") == (building.BUILT, building.MIGRATION)
    assert building.how(read("pytest app/migrations/0001.py").runs[0], "app/migrations/0001.py", "x") == (
        building.BUILT,
    )
