"""Tests, builds and checks are recognised by the parsed command, behind whatever stands before and after them."""

import pytest

from holdfast.shell import main_run, parse, what
from holdfast.shell.targets import of_target
from tests.support.table import each_of

pytestmark = pytest.mark.requirement("LRN-5")


@each_of(
    ("command", "kind", "tool"),
    [
        ("pytest", "test", "pytest"),
        ("python -m pytest -q tests", "test", "pytest"),
        ("python3.11 -W error -m unittest discover", "test", "unittest"),
        ("tox -e py311", "test", "tox"),
        ("nox -s tests", "test", "nox"),
        ("coverage run --source src -m pytest", "test", "pytest"),
        ("npm test", "test", "npm test"),
        ("npm t", "test", "npm test"),
        ("yarn test", "test", "yarn test"),
        ("pnpm --filter web test", "test", "pnpm test"),
        ("bun test", "test", "bun test"),
        ("npm run test:unit", "test", "npm run test:unit"),
        ("npm --prefix web run build", "build", "npm run build"),
        ("yarn build", "build", "yarn build"),
        ("yarn workspace web test", "test", "yarn test"),
        ("yarn jest a", "test", "jest"),
        ("npm run lint", "lint", "npm run lint"),
        ("npm run typecheck", "types", "npm run typecheck"),
        ("npm run dev", "server", "npm run dev"),
        ("npx jest a", "test", "jest"),
        ("npx --yes jest@29", "test", "jest"),
        ("npx vitest run", "test", "vitest"),
        ("npx mocha", "test", "mocha"),
        ("npx playwright test", "test", "playwright test"),
        ("node --test", "test", "node --test"),
        ("node node_modules/.bin/jest", "test", "jest"),
        ("cargo test foo", "test", "cargo test"),
        ("cargo +nightly build --release", "build", "cargo build"),
        ("cargo check", "build", "cargo check"),
        ("cargo clippy", "lint", "cargo clippy"),
        ("cargo nextest run", "test", "cargo nextest"),
        ("go test ./...", "test", "go test"),
        ("go build ./...", "build", "go build"),
        ("go vet ./...", "lint", "go vet"),
        ("make", "build", "make"),
        ("make -j4 check", "test", "make check"),
        ("make -C sub build", "build", "make build"),
        ("make -j test", "test", "make test"),
        ("just test", "test", "just test"),
        ("./gradlew :app:test", "test", "gradle :app:test"),
        ("gradle build", "build", "gradle build"),
        ("mvn -q verify", "test", "mvn verify"),
        ("./mvnw clean package", "build", "mvn package"),
        ("ctest --test-dir b", "test", "ctest"),
        ("cmake --build b", "build", "cmake --build"),
        ("dotnet test", "test", "dotnet test"),
        ("dotnet build", "build", "dotnet build"),
        ("mix test", "test", "mix test"),
        ("bundle exec rspec", "test", "rspec"),
        ("bin/rails test", "test", "rails test"),
        ("php vendor/bin/phpunit", "test", "phpunit"),
        ("php artisan test", "test", "artisan test"),
        ("swift test", "test", "swift test"),
        ("swift build", "build", "swift build"),
        ("ruff check .", "lint", "ruff check"),
        ("ruff format --check", "format", "ruff format"),
        ("python -m mypy src", "types", "mypy"),
        ("pyright", "types", "pyright"),
        ("npx eslint .", "lint", "eslint"),
        ("npx tsc --noEmit", "types", "tsc"),
        ("npx biome check", "lint", "biome check"),
        ("golangci-lint run", "lint", "golangci-lint"),
        ("shellcheck x.sh", "lint", "shellcheck"),
        ("pre-commit run -a", "lint", "pre-commit run"),
        ("docker build -t x .", "build", "docker build"),
        ("terraform plan", "build", "terraform plan"),
        ("terraform validate", "lint", "terraform validate"),
        ("python manage.py test", "test", "manage.py test"),
        ("python -m build", "build", "python-build"),
        ("gcc a.c -o a", "build", "gcc"),
        ("deno test", "test", "deno test"),
        ("git -C sub commit -m x", "vcs", "git commit"),
        ("pip install a", "install", "pip install"),
        ("uv pip install x", "install", "uv pip install"),
        ("uvicorn app:app", "server", "uvicorn"),
        # what stands around it
        ("cd x && pytest", "test", "pytest"),
        ("FOO=1 BAR=2 pytest", "test", "pytest"),
        ("uv run pytest -x", "test", "pytest"),
        ("uv run --with x --extra y pytest", "test", "pytest"),
        ("uv run python -m pytest", "test", "pytest"),
        ("poetry run pytest", "test", "pytest"),
        ("pipenv run pytest", "test", "pytest"),
        ("hatch run pytest", "test", "pytest"),
        ("uvx ruff check", "lint", "ruff check"),
        ("pnpm exec vitest", "test", "vitest"),
        ("docker compose exec -T api pytest -q", "test", "pytest"),
        ("docker-compose run --rm -e A=b web npm test", "test", "npm test"),
        ("kubectl exec pod -- pytest", "test", "pytest"),
        ("timeout 60 pytest", "test", "pytest"),
        ("time pytest", "test", "pytest"),
        ("nice -n 5 make test", "test", "make test"),
        ("pytest 2>&1 | tail -5", "test", "pytest"),
        ("pytest | tee log", "test", "pytest"),
        ("pytest || true", "test", "pytest"),
        ("pytest; echo done", "test", "pytest"),
        ("bash -c 'cd x && pytest'", "test", "pytest"),
        ("(cd x && pytest)", "test", "pytest"),
        ("set -e\npytest", "test", "pytest"),
        (".venv/bin/pytest", "test", "pytest"),
        ("if pytest; then echo y; fi", "test", "pytest"),
    ],
)
def test_recognised(command: str, kind: str, tool: str) -> None:
    assert [(run.kind, run.tool) for run in what(parse(command))] == [(kind, tool)]


@each_of(
    "command",
    [
        "echo pytest",
        "grep -r 'cargo test' .",
        "cat pytest.ini",
        "which cargo",
        "pip show pytest",
        "pytest --version",
        "cargo --version",
        "npm --version",
        "make clean",
        "python app.py",
        "python -c 'import pytest'",
        "node app.js",
        "rm -rf build",
        "# pytest",
        "git commit-graph",
        "echo \"$(pytest)\"",
        "f() { pytest; }",
        "cat > run.sh <<'EOF'\npytest\nEOF",
        "docker ps",
        "go run .",
        "cargo run",
        "ls tests",
    ],
)  # fmt: skip
def test_not_taken_for_a_run(command: str) -> None:
    assert [run for run in what(parse(command)) if run.kind != "vcs"] == []


def test_several_runs_of_a_line_in_order() -> None:
    runs = what(parse("ruff check . && mypy src; cd web && npm test | tail"))
    assert [(run.tool, run.command.directory, run.masked) for run in runs] == [
        ("ruff check", "", True),
        ("mypy", "", True),
        ("npm test", "web", True),
    ]


@pytest.mark.parametrize(
    ("command", "label"),
    [
        ("pytest -q -k name tests/test_auth.py -x", "pytest tests/test_auth.py"),
        ("pytest -s tests/a.py", "pytest tests/a.py"),
        ("cargo test -p core login", "cargo test login"),
        ("go test -run X ./...", "go test ./..."),
        ("make test", "make test"),
    ],
)
def test_the_label_names_targets_without_options(command: str, label: str) -> None:
    assert what(parse(command))[0].label == label


@pytest.mark.parametrize(
    ("command", "tool"),
    [
        ("ruff check . && pytest", "pytest"),
        ("npm ci && npm run build", "npm run build"),
        ("git status", None),
        ("npm ci", None),
    ],
)
def test_the_run_a_line_is_about(command: str, tool: str | None) -> None:
    run = main_run(parse(command))
    assert (run.tool if run else None) == tool


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("test", "test"), ("unit-tests", "test"), ("test:e2e", "test"), ("build:prod", "build"), ("lint-fix", "lint"),
        ("latest", None), ("contest", None), ("rebuild", None), ("deploy", "deploy"), ("dev", "server"),
        ("check-types", "types"),
    ],
)  # fmt: skip
def test_targets_are_known_by_whole_words(name: str, kind: str | None) -> None:
    assert of_target(name) == kind
