"""Which run includes which: a later one settles what it includes, and nothing else."""

from __future__ import annotations

import pytest

from holdfast.shell.parse import parse
from holdfast.shell.recognise import what
from holdfast.shell.scope import Scope, covers, scope_of
from tests.support.table import each_of


def scope(command: str) -> Scope:
    return scope_of(what(parse(command))[0])


@pytest.mark.requirement("MEM-17")
@each_of(
    ("later", "earlier"),
    [
        ("pytest", "pytest tests/test_x.py"),
        ("pytest -q", "python -m pytest tests/test_x.py::test_a -x"),
        ("pytest tests", "pytest tests/unit/test_x.py -k login"),
        ("pytest tests/test_x.py", "pytest tests/test_x.py::TestA::test_b"),
        ("uv run pytest", "pytest --lf"),
        ("pytest", "cd api && pytest tests/test_x.py"),
        ("make test", "pytest tests/test_x.py"),
        ("make test", "npx jest src/a.test.ts"),
        ("make check", "ruff check src"),
        ("make ci", "mypy src"),
        ("npm test", "npx vitest run src/a.test.ts"),
        ("npm test", "npm run test:unit"),
        ("npx jest", "npm test -- cart"),
        ("npx vitest run", "yarn test src/cart.test.ts"),
        ("pytest", "make test"),
        ("npx jest", "npx jest src/a.test.ts -t adds"),
        ("cargo test", "cargo test parser::tests"),
        ("cargo test --workspace", "cargo test -p core"),
        ("cargo test", "cargo build"),
        ("go test ./...", "go test ./pkg/store -run TestX"),
        ("go test ./pkg/...", "go test ./pkg/store"),
        ("go test ./...", "go build ./..."),
        ("ruff check .", "ruff check src/a.py"),
        ("mypy", "mypy src"),
        ("eslint .", "eslint src/a.ts"),
        ("gradle test", "gradle :app:test"),
        ("python -m unittest", "python -m unittest tests.test_x"),
        ("rspec", "rspec spec/a_spec.rb:12"),
        ("hatch run test", "pytest tests/test_x.py"),
        ("turbo run test", "turbo run test --filter=web"),
        ("gcloud run deploy api --image x:2", "gcloud run deploy api --image x:1"),
        ("helm upgrade api chart --set tag=2", "helm upgrade --install api chart -n prod"),
        ("git push", "git push origin main"),
        ("git push --force-with-lease", "git push"),
        ("terraform apply", "terraform apply"),
        ("mvn -q verify", "mvn test -Dtest=Foo"),
        ("./gradlew build", "./gradlew test --tests FooTest"),
        ("./gradlew test", "./gradlew testDebugUnitTest --tests '*PhotoStoreTest'"),
        ("./gradlew test", "./gradlew :app:testReleaseUnitTest"),
        ("./gradlew check", "./gradlew testDebugUnitTest --tests '*PhotoStoreTest'"),
        ("./gradlew testDebugUnitTest", "./gradlew testDebugUnitTest --tests '*PhotoStoreTest'"),
        ("./gradlew check", "./gradlew lintDebug"),
        ("./gradlew build", "./gradlew assembleDebug"),
        ("gradle clean test", "gradle test --tests X"),
        ("./gradlew clean build", "./gradlew :core:test"),
        ("cd app && ./gradlew test", "./gradlew -p app test --tests X"),
        ("mvn clean install", "mvn -pl core test"),
        ("mvn -q clean verify", "mvn test -Dtest=FooTest#bar"),
        ("sbt test", 'sbt "testOnly *ASpec"'),
        ("dotnet test Shop.sln", "dotnet test tests/Shop.Tests"),
        ("dotnet test", "dotnet test tests/Shop.Tests/Shop.Tests.csproj --filter Name~Foo"),
        ("ninja -C build test", "ctest --test-dir build -R store"),
        ("meson test -C build", "meson test -C build unit"),
        ("deno task test", "deno test a_test.ts"),
        ("zig build test", "zig test src/a.zig"),
        ("cabal test all", "cabal test store"),
        ("make deploy ENV=prod TAG=2", "make deploy ENV=prod TAG=1"),
        ("fly deploy -a web", "fly deploy -a web"),
    ],
)
def test_a_wider_run_includes_a_narrower_one(later: str, earlier: str) -> None:
    assert covers(scope(later), scope(earlier))


@pytest.mark.requirement("MEM-17")
@each_of(
    ("later", "earlier"),
    [
        ("pytest tests/test_x.py", "pytest"),
        ("pytest tests/test_x.py", "pytest tests/test_y.py"),
        ("pytest tests/test_x.py", "pytest tests/test_x.py tests/test_y.py"),
        ("pytest -k login", "pytest"),
        ("pytest tests/unit", "pytest tests/unittest_x.py"),
        ("cd web && npm test", "pytest"),
        ("cd web && pytest", "pytest api/test_x.py"),
        ("npm run test:unit", "npm test"),
        ("npm run test:unit", "npm run test:e2e"),
        ("pnpm --filter web test", "pnpm test"),
        ("cargo test -p core", "cargo test"),
        ("cargo build", "cargo test"),
        ("go test ./pkg/a", "go test ./..."),
        ("go test ./pkg", "go test ./pkg/sub"),
        ("go test", "go test ./..."),
        ("ruff check .", "pytest"),
        ("make lint", "pytest"),
        ("make test", "terraform apply"),
        ("make test", "git push"),
        ("kubectl apply -f a.yaml", "kubectl apply -f b.yaml"),
        ("mypy src/a.py", "mypy src"),
        ("pytest", "npm test"),
        ("pytest --ignore=tests/a.py", "pytest tests/a.py"),
        ("pytest --deselect tests/a.py::t", "pytest tests/a.py"),
        ("go test ./... -short", "go test ./..."),
        ("mvn install -DskipTests", "mvn test"),
        ("mvn package -DskipUnitTests", "mvn test"),
        ("gradle build -xtest", "gradle test"),
        ("gradle install", "gradle test"),
        ("mvn -f core test", "mvn -f web test"),
        ("sbt testQuick", "sbt test"),
        ("dotnet test A.csproj", "dotnet test B.csproj"),
        ("dotnet test Unit.slnf", "dotnet test All.sln"),
        ("npx jest", "npm test -w web"),
        ("mvn -q package -Dmaven.test.skip=true", "mvn test -Dtest=Foo"),
        ("./gradlew build -x test", "./gradlew test --tests Foo"),
        ("./gradlew assembleDebug", "./gradlew testDebugUnitTest"),
        ("./gradlew check", "./gradlew connectedDebugAndroidTest"),
        ("./gradlew :app:test", "./gradlew :core:test"),
        ("./gradlew testDebugUnitTest --tests A", "./gradlew testDebugUnitTest --tests B"),
        ("./gradlew testDebugUnitTest", "./gradlew test"),
        ("./gradlew test", "./gradlew lint"),
        ("dotnet test tests/A.Tests", "dotnet test tests/B.Tests/B.Tests.csproj"),
        ("ninja -C build", "ninja -C build test"),
        ("cabal test store", "cabal test web"),
        ("meson test -C build unit", "meson test -C build"),
        ('sbt "testOnly *ASpec"', "sbt test"),
        ("make deploy ENV=staging", "make deploy ENV=prod"),
        ("fly deploy -a web", "fly deploy -a worker"),
        ("terraform apply -target=a", "terraform apply"),
    ],
)
def test_a_narrower_or_another_run_does_not(later: str, earlier: str) -> None:
    assert not covers(scope(later), scope(earlier))


@pytest.mark.requirement("MEM-17")
@each_of(
    "command",
    [
        "git push --dry-run origin main",
        "git push -n",
        "npm publish --dry-run",
        "make -n deploy",
        "kubectl apply --dry-run=client -f a.yml",
        "pytest --collect-only -q",
        "pytest --co",
        "ctest -N",
        "npx jest --listTests",
    ],
)
def test_a_rehearsal_is_no_run(command: str) -> None:
    """It passes where the real thing fails."""
    assert what(parse(command)) == ()


@pytest.mark.requirement("MEM-17")
@each_of(
    "command",
    ["git push origin main", "git commit -n -m x", "kubectl apply --dry-run=none -f a.yml", "pytest -n 4", "make test"],
)
def test_the_real_thing_is_a_run(command: str) -> None:
    assert len(what(parse(command))) == 1
