"""The table of programs we know by name: what kind of work each does, whole or by its first word. Data only."""

from __future__ import annotations

from typing import Literal

WorkKind = Literal["test", "build", "lint", "types", "format", "install", "vcs", "server", "deploy"]


def _whole(*rows: tuple[WorkKind, str]) -> dict[str, WorkKind]:
    return {name: kind for kind, names in rows for name in names.split()}


def listed(names: str) -> frozenset[str]:
    return frozenset(names.split())


def _by_word(rows: dict[str, dict[WorkKind, str]]) -> dict[str, dict[str, WorkKind]]:
    return {program: _whole(*kinds.items()) for program, kinds in rows.items()}


PROGRAMS = _whole(
    ("test", "pytest py.test tox nox nose2 nosetests trial behave jest vitest mocha ava jasmine karma qunit tap"),
    ("test", "cypress ctest rspec minitest cucumber phpunit pest paratest bats busted prove gotestsum ginkgo"),
    ("test", "unittest pytest-xdist nextest cargo-nextest stestr green ward slipcover robot locust k6 testem kotest"),
    (
        "test",
        "elm-test test-storybook wtr web-test-runner uvu tape wdio testcafe nightwatch newman hurl zunit shellspec",
    ),
    ("build", "tsc-watch webpack rollup esbuild parcel ninja samu bazel bazelisk buck2 scons xcodebuild msbuild"),
    ("build", "javac gcc g++ cc c++ clang clang++ rustc meson python-build swiftc"),
    ("build", "sphinx-build mkdocs hugo jekyll latexmk pdflatex ant sbt wasm-pack maturin gn nvcc protoc"),
    ("lint", "ruff flake8 pylint pycodestyle pydocstyle bandit eslint oxlint biome stylelint golangci-lint shellcheck"),
    ("lint", "pre-commit prek hadolint yamllint markdownlint markdownlint-cli2 rubocop standardrb reek phpcs phpstan"),
    ("lint", "psalm ktlint detekt swiftlint clippy clang-tidy cppcheck tflint actionlint semgrep vulture xo standard"),
    ("lint", "ansible-lint cfn-lint sqlfluff credo vale codespell typos staticcheck revive luacheck checkstyle"),
    (
        "types",
        "mypy dmypy pyright basedpyright pyre pytype ty tsc vue-tsc flow sorbet srb dialyzer tsgo svelte-check pyrefly",
    ),
    ("format", "black isort autopep8 yapf prettier gofmt goimports rustfmt clang-format shfmt dprint stylua"),
    ("server", "uvicorn gunicorn hypercorn daphne nodemon http-server live-server serve webpack-dev-server puma"),
    ("server", "streamlit celery redis-server mongod http.server nginx caddy pm2 ts-node-dev"),
    ("vcs", "git hg svn jj"),
    ("deploy", "ansible-playbook eas capistrano skaffold semantic-release release-it np gh-pages surge goreleaser"),
)
"""Programs that do one kind of work whatever their arguments are."""

SUBCOMMANDS = _by_word(
    {
        "cargo": {
            "test": "test t nextest bench tarpaulin llvm-cov miri", "build": "build b check c doc package",
            "lint": "clippy deny audit udeps", "format": "fmt", "install": "install add update fetch",
            "deploy": "publish release",
        },
        "go": {"test": "test", "build": "build generate", "lint": "vet", "format": "fmt", "install": "get install mod"},
        "dotnet": {
            "test": "test vstest", "build": "build publish pack msbuild", "format": "format", "install": "restore add",
            "server": "watch",
        },
        "mix": {
            "test": "test", "build": "compile release", "lint": "credo", "types": "dialyzer", "format": "format",
            "install": "deps.get", "server": "phx.server", "deploy": "hex.publish ecto.migrate",
        },
        "swift": {"test": "test", "build": "build"},
        "zig": {"test": "test", "build": "build build-exe build-lib"},
        "deno": {"test": "test", "lint": "lint", "types": "check", "format": "fmt", "server": "serve"},
        "flutter": {"test": "test", "build": "build", "lint": "analyze", "install": "pub"},
        "dart": {"test": "test", "build": "compile", "lint": "analyze", "format": "format", "install": "pub"},
        "rails": {"test": "test test:system spec", "server": "server s", "deploy": "db:migrate db:rollback"},
        "artisan": {"test": "test", "server": "serve", "deploy": "migrate"},
        "manage.py": {"test": "test", "server": "runserver", "deploy": "migrate", "lint": "check"},
        "setup.py": {"test": "test", "build": "build sdist bdist_wheel", "install": "install develop"},
        "playwright": {"test": "test", "install": "install"},
        "ng": {"test": "test e2e", "build": "build", "lint": "lint", "server": "serve"},
        "vite": {"build": "build", "server": "dev serve preview"},
        "next": {"build": "build", "lint": "lint", "server": "dev start"},
        "nuxt": {"build": "build generate", "server": "dev preview"},
        "astro": {"build": "build", "types": "check", "server": "dev preview"},
        "react-scripts": {"test": "test", "build": "build", "server": "start"},
        "svelte-kit": {"build": "build"},
        "nx": {"test": "test e2e affected:test", "build": "build affected:build", "lint": "lint", "server": "serve"},
        "turbo": {"test": "test", "build": "build", "lint": "lint", "types": "typecheck check-types", "server": "dev"},
        "docker": {"build": "build buildx", "deploy": "push"},
        "podman": {"build": "build", "deploy": "push"}, "buildah": {"build": "bud build", "deploy": "push"},
        "skopeo": {"deploy": "copy sync"},
        "bazel": {"test": "test coverage", "build": "build"}, "bazelisk": {"test": "test coverage", "build": "build"},
        "ninja": {"test": "test check"}, "samu": {"test": "test check"}, "meson": {"test": "test"},
        "buck2": {"test": "test", "build": "build"}, "xcodebuild": {"test": "test", "build": "build archive"},
        "terraform": {
            "deploy": "apply destroy", "build": "plan", "lint": "validate", "format": "fmt", "install": "init",
            "test": "test",
        },
        "tofu": {
            "deploy": "apply destroy", "build": "plan", "lint": "validate", "format": "fmt", "install": "init",
            "test": "test",
        },
        "helm": {
            "lint": "lint", "build": "template package", "test": "test", "install": "repo dependency",
            "deploy": "install upgrade rollback push",
        },
        "helmfile": {"deploy": "apply sync destroy", "build": "template diff", "lint": "lint", "test": "test"},
        "pulumi": {"build": "preview", "deploy": "up destroy"},
        "kubectl": {"deploy": "apply rollout replace set"},
        "oc": {"deploy": "apply rollout replace new-app start-build"},
        "twine": {"deploy": "upload"}, "alembic": {"deploy": "upgrade downgrade"}, "flyway": {"deploy": "migrate"},
        "dbmate": {"deploy": "up migrate rollback"}, "goose": {"deploy": "up down"}, "liquibase": {"deploy": "update"},
        "railway": {"deploy": "up"}, "cf": {"deploy": "push"}, "kamal": {"deploy": "deploy redeploy setup rollback"},
        "waypoint": {"deploy": "up deploy release"}, "amplify": {"deploy": "push publish"},
        "copilot": {"deploy": "deploy"},
        "fly": {"deploy": "deploy"}, "flyctl": {"deploy": "deploy"},
        "vercel": {"deploy": "deploy promote rollback", "build": "build", "server": "dev"},
        "netlify": {"deploy": "deploy"}, "serverless": {"deploy": "deploy"}, "sls": {"deploy": "deploy"},
        "cdk": {"deploy": "deploy destroy", "build": "synth diff"}, "sam": {"deploy": "deploy", "build": "build"},
        "cabal": {"test": "test", "build": "build", "install": "install update", "deploy": "upload"},
        "stack": {"test": "test", "build": "build", "deploy": "upload"},
        "lein": {"test": "test", "build": "compile uberjar"},
        "dune": {"test": "test runtest", "build": "build", "format": "fmt"},
        "dbt": {"test": "test", "build": "build run compile seed snapshot"}, "inspec": {"test": "exec"},
        "forge": {"test": "test", "build": "build", "format": "fmt", "install": "install"},
        "hardhat": {"test": "test", "build": "compile"},
        "rake": {"test": "test spec", "lint": "rubocop"},
        "uv": {"install": "add sync pip lock tool", "build": "build", "deploy": "publish"},
        "poetry": {"install": "add install update lock", "build": "build", "deploy": "publish"},
        "pdm": {"install": "add install update sync", "build": "build", "test": "test", "deploy": "publish"},
        "pipenv": {"install": "install sync update"},
        "hatch": {"test": "test", "build": "build", "format": "fmt", "deploy": "publish"},
        "flit": {"build": "build", "deploy": "publish"},
        "rye": {"test": "test", "build": "build", "lint": "lint", "deploy": "publish"},
        "pip": {"install": "install download uninstall", "build": "wheel"},
        "pipx": {"install": "install inject upgrade"},
        "conda": {"install": "install create update"}, "mamba": {"install": "install create update"},
        "gem": {"install": "install", "build": "build", "deploy": "push"},
        "bundle": {"install": "install update add"},
        "composer": {"install": "install require update", "test": "test", "lint": "validate audit"},
        "apt": {"install": "install upgrade update"}, "apt-get": {"install": "install upgrade update"},
        "apk": {"install": "add"}, "dnf": {"install": "install"}, "yum": {"install": "install"},
        "brew": {"install": "install upgrade"}, "pacman": {"install": "-S -Sy -Syu"},
        "flask": {"server": "run"}, "fastapi": {"server": "run dev"}, "django-admin": {"test": "test"},
        "php": {"server": "-S"}, "jupyter": {"server": "notebook lab server"},
        "firebase": {"server": "emulators:start", "deploy": "deploy"},
        "wrangler": {"server": "dev", "deploy": "deploy publish"},
    }
)  # fmt: skip
"""Programs whose first word that is no option says what they do."""

PAIRS = _by_word(
    {
        "gh": {"vcs": "pr/create pr/merge pr/ready", "deploy": "release/create release/upload"},
        "glab": {"vcs": "mr/create mr/merge", "deploy": "release/create release/upload"},
        "gcloud": {"deploy": "run/deploy app/deploy functions/deploy", "build": "builds/submit"},
        "az": {
            "deploy": "webapp/deploy webapp/up functionapp/deployment deployment/group deployment/sub containerapp/up"
            " containerapp/update", "build": "acr/build",
        },
        "aws": {
            "deploy": "s3/sync cloudformation/deploy cloudformation/update-stack cloudformation/create-stack"
            " lambda/update-function-code lambda/publish-version ecs/update-service deploy/create-deployment",
        },
        "argocd": {"deploy": "app/sync app/rollback"}, "doctl": {"deploy": "apps/create-deployment apps/update"},
        "flux": {"deploy": "reconcile/kustomization reconcile/helmrelease reconcile/source"},
        "supabase": {"deploy": "db/push functions/deploy", "test": "test/db"},
        "prisma": {"deploy": "migrate/deploy migrate/dev db/push", "build": "generate/"},
        "nomad": {"deploy": "job/run"}, "eb": {"deploy": "deploy/"},
        "docker": {"deploy": "stack/deploy service/update compose/push manifest/push", "build": "compose/build"},
        "dotnet": {"deploy": "nuget/push"}, "dart": {"deploy": "pub/publish"}, "flutter": {"deploy": "pub/publish"},
        "sqlx": {"deploy": "migrate/run"}, "diesel": {"deploy": "migration/run migration/redo"},
        "atlas": {"deploy": "migrate/apply schema/apply"}, "terragrunt": {"deploy": "run-all/apply apply/ destroy/"},
        "zig": {"test": "build/test"}, "R": {"test": "CMD/check", "build": "CMD/build", "install": "CMD/INSTALL"},
        "rebar3": {"test": "eunit/ ct/ proper/", "build": "compile/", "deploy": "hex/publish", "types": "dialyzer/"},
        "raco": {"test": "test/"}, "nix": {"test": "flake/check", "build": "build/"},
    }
)  # fmt: skip
"""Programs whose first two words together say what they do; one word with a slash behind it stands alone."""

TARGETS: tuple[tuple[WorkKind, str], ...] = (
    ("deploy", r"(deploy|publish|ship|rollout|beta|testflight)"),
    ("types", r"(type-?check|check-types|types|tsc|mypy|pyright)"),
    ("lint", r"(lint|eslint|ruff|clippy|vet|static)"),
    ("format", r"(format|fmt|prettier)"),
    ("test", r"(tests?|unit|units|e2e|spec|specs|check|checks|coverage|cov|ci|verify|integration)"),
    ("build", r"(build|compile|bundle|dist|all|package|assemble|release|docs)"),
    ("install", r"(install|setup|deps|bootstrap)"),
    ("server", r"(dev|start|serve|server|preview|watch|run|up)"),
)
"""What a target of make, or a script of package.json, does by its name: `test`, `test:unit`, `unit-tests`."""

MAKES = listed("make gmake just task rake inv invoke poe mage doit grunt gulp lage earthly fastlane rush wireit bb")
"""Programs whose words are targets of the project's own."""
SCRIPTS = frozenset({"npm", "yarn", "pnpm", "bun"})
SCRIPT_VALUES = listed("--prefix -C --filter -F -w --workspace --cwd --dir")
"""Options of theirs, before the script's name, that take the next word."""
TASKS = {
    program: listed(words)
    for program, words in {
        "turbo": "run", "nx": "run run-many affected", "lerna": "run", "moon": "run", "mise": "run r", "devbox": "run",
        "composer": "run run-script exec", "deno": "task", "cargo": "make xtask", "hatch": "run", "pdm": "run",
        "pixi": "run", "rye": "run", "pipenv": "run", "poetry": "run", "uv": "run",
    }.items()
}  # fmt: skip
"""Programs that run a task of the project's own behind one of these words."""
JVM = frozenset({"gradle", "gradlew", "mvn", "mvnw", "mvnd", "sbt", "ant"})
JVM_TARGETS = _whole(
    ("test", "test check verify integrationTest connectedAndroidTest testDebugUnitTest surefire:test"),
    ("build", "build assemble package install compile compileJava assembleDebug jar bootJar compileKotlin"),
    ("lint", "lint ktlintCheck detekt checkstyleMain checkstyle:check spotlessCheck"),
    ("format", "spotlessApply ktlintFormat"),
    ("server", "bootRun spring-boot:run run"),
    ("deploy", "deploy release:perform publish"),
)
JVM_WORDS = _whole(
    ("build", "compile assemble build bundle package process generate link jar war install dex"),
    ("lint", "lint ktlint detekt spotless checkstyle spotbugs pmd"),
    ("deploy", "deploy publish upload release"),
    ("test", "test tests check verify spec specs kotest"),
)
"""What a word in a task's name says (`connectedDebugAndroidTest`), those that come first first."""

RUNNERS: dict[str, tuple[str, ...]] = {
    "uv": ("run",), "poetry": ("run",), "pipenv": ("run",), "hatch": ("run",), "pdm": ("run",), "rye": ("run",),
    "pixi": ("run",), "conda": ("run",), "mamba": ("run",), "pnpm": ("exec", "dlx"), "yarn": ("exec", "dlx"),
    "npm": ("exec", "x"), "bun": ("x",), "npx": (), "pnpx": (), "bunx": (), "uvx": (), "pipx": ("run",),
    "bundle": ("exec",), "rbenv": ("exec",), "asdf": ("exec",), "mise": ("exec", "x"), "direnv": ("exec",),
    "cross-env": (), "dotenv": (), "dotenvx": ("run",), "doppler": ("run",), "lerna": ("exec",),
    "php": (), "node": (), "ruby": (), "deno": ("run",), "tsx": (), "nvm": ("exec", "run"), "fnm": ("exec",),
    "volta": ("run",), "c8": (), "nyc": (), "env-cmd": (), "ddev": ("exec",), "lando": (), "sail": (),
}  # fmt: skip
"""Programs that run what stands behind them, after one of these words if any are given."""
RUNNER_VALUES = listed(
    "--with --with-requirements --extra --group --only-group --no-group -p --python --package --project --directory "
    "--env-file -n --name --prefix -c --filter -F -e -r --require --import -d -I"
)
"""Options of theirs that take the next word."""
CONTAINERS = frozenset({"exec", "run"})
CONTAINER_VALUES = listed(
    "-e --env -u --user -w --workdir -v --volume --mount -p --publish --name --network --entrypoint --platform -f "
    "--file --env-file --profile --project-name --project-directory -c --container -n --namespace --cpus -m --memory"
)
RUN_VALUES = listed(
    "-t -o -k -m -n -p -C -j -c -B -R -run --test-dir --config --tb --target --file --tag --rootDir --root --project "
    "--features --package --bin --test-reporter --maxfail --reporter --output-format --cov --timeout --max-warnings"
)
"""Options of tests and builds that take the next word; it is no target of theirs."""
