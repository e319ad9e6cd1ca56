"""Tasks of a project's own, by their names."""

from __future__ import annotations

import pytest

from holdfast.shell import parse, what
from tests.support.table import each_of


@pytest.mark.requirement("MEM-17")
@each_of(
    ("command", "kind", "tool"),
    [
        ("./gradlew connectedCheck", "test", "gradle connectedCheck"),
        ("./gradlew :app:connectedDebugAndroidTest", "test", "gradle :app:connectedDebugAndroidTest"),
        ("./gradlew compileTestJava", "build", "gradle compileTestJava"),
        ("./gradlew publishToMavenCentral", "deploy", "gradle publishToMavenCentral"),
        ("mvn clean deploy", "deploy", "mvn deploy"),
        ("turbo run test", "test", "turbo run test"),
        ("pnpm turbo run lint test --filter=web", "test", "turbo run test"),
        ("npx nx run-many -t test", "test", "nx run-many test"),
        ("nx affected --target=test", "test", "nx affected test"),
        ("hatch run cov:test", "test", "hatch run cov:test"),
        ("pixi run -e dev test", "test", "pixi run test"),
        ("deno task build", "build", "deno task build"),
        ("cargo make test", "test", "cargo make test"),
        ("earthly +test", "test", "earthly test"),
        ("fastlane ios beta", "deploy", "fastlane beta"),
    ],
)
def test_a_task_is_what_its_name_says(command: str, kind: str, tool: str) -> None:
    assert [(run.kind, run.tool, run.by_words) for run in what(parse(command))] == [(kind, tool, False)]
