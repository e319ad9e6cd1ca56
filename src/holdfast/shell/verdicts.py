"""The endings that builds, linters and type checkers write, and what goes beside a test's summary. Data only."""

from __future__ import annotations

import re
from dataclasses import dataclass

from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed


@dataclass(frozen=True, slots=True)
class Ending:
    """A line that settles a run: good or bad, perhaps with a number of errors."""

    tools: frozenset[str]
    good: str
    bad: str
    """Patterns; empty for none. `bad` may have a group `n`, where `0` makes it good."""
    each: bool = False
    """Every line that matches `bad` counts as one error."""
    ships: bool = False
    """Of a deploy or release by these tools only: such lines stand in the output of others, too."""


def _ending(tools: str, good: str = "", bad: str = "", *, each: bool = False, ships: bool = False) -> Ending:
    return Ending(listed(tools), good, bad, each, ships)


ENDINGS: tuple[Ending, ...] = (
    _ending("mypy dmypy", r"^Success: no issues found in", r"^Found (?P<n>\d+) errors? in "),
    _ending("pyright basedpyright", "", r"^(?P<n>\d+) errors?, \d+ warnings?"),
    _ending("ty", r"^All checks passed!$", r"^Found (?P<n>\d+) diagnostics?"),
    _ending("tsc vue-tsc tsgo", "", r"^Found (?P<n>\d+) errors?[. ]"),
    _ending("tsc vue-tsc tsgo", "", r"(?:^|- )(?:[^\s(]+\(\d+,\d+\): )?error TS\d+: ", each=True),
    _ending("ruff", r"^All checks passed!$|^\d+ files? (?:already formatted|left unchanged)$",
            r"^Found \d+ errors? \(\d+ fixed, (?P<n>\d+) remaining\)"),
    _ending("ruff", "", r"^Found (?P<n>\d+) errors?\.$"),
    _ending("ruff black", r"^All done! [^\n]*$", r"^(?:Oh no! [^\n]*\n)?(?P<n>\d+) files? would be reformatted"),
    _ending("eslint stylelint xo standard", "", r"^✖ \d+ problems? \((?P<n>\d+) errors?, \d+ warnings?\)"),
    _ending("eslint", "", r"^Oops! Something went wrong! :\(|^ESLint found too many warnings "),
    _ending("eslint", r"\"errorCount\":0,", r"\"errorCount\":[1-9]", each=True),
    _ending("oxlint", "", r"^Found \d+ warnings? and (?P<n>\d+) errors?\.$"),
    _ending("markdownlint markdownlint-cli2", "", r"^Summary: (?P<n>\d+) error\(s\)$"),
    _ending("prettier", "", r"^\[error\] "),
    _ending("prettier", r"^All matched files use Prettier code style!$", r"^\[warn\] Code style issues found"),
    _ending("biome", r"^Checked \d+ files? in [^\n]*\. No fixes applied\.$", r"^Found (?P<n>\d+) errors?\.$"),
    _ending("golangci-lint", "", r"^(?P<n>\d+) issues[.:]"),
    _ending("flake8 pycodestyle", "", r"^\S+:\d+:\d+: [A-Z]+\d+ ", each=True),
    _ending("pylint", r"^Your code has been rated at 10\.00/10", r"^\S+:\d+:\d+: [EF]\d{4}: ", each=True),
    _ending("pylint", "", r"^Your code has been rated at (?:-\d+|\d)\.\d\d/10"),
    _ending("ruff", "", r"^::error ", each=True),
    _ending("isort", "", r"^ERROR: \S+ Imports are incorrectly sorted", each=True),
    _ending("bandit", r"^[ \t]*No issues identified\.", r"^>> Issue: ", each=True),
    _ending("yamllint", "", r"^[ ]+\d+:\d+[ ]+error[ ]", each=True),
    _ending("codespell", "", r"^\S+:\d+: \S+ ==> ", each=True),
    _ending("shellcheck", "", r"^In \S+ line \d+:$", each=True),
    _ending("rubocop standardrb", r"^\d+ files? inspected, no offenses detected$",
            r"^\d+ files? inspected, (?P<n>\d+) offenses? detected"),
    _ending("phpstan psalm", r"\[OK\] No errors", r"\[ERROR\] Found (?P<n>\d+) errors?"),
    _ending("pre-commit prek", "", r"^[^\n]*\.\.\.Failed$", each=True),
    _ending("cargo", "", r"^error: could not compile [^\n]* due to (?P<n>\d+) previous errors?"),
    _ending("cargo", r"^[ ]+Finished ", r"^error(?:\[E\d+\])?: (?!Recipe )", each=True),
    _ending("cargo rustfmt", "", r"^Diff in \S+:\d+:$", each=True),
    _ending("go", "", r"^\S+\.go:\d+(?::\d+)?: ", each=True),
    _ending("go", "", r"^(?:stat \S+: directory not found|no required module provides package |pattern \S+: |"
            r"package \S+ is not in |go: (?:cannot find |no module |go\.mod file not found|errors? ))"),
    _ending("gradle gradlew", r"^BUILD SUCCESSFUL in ", r"^BUILD FAILED(?: in [^\n]*)?$"),
    _ending("mvn mvnw mvnd", "", r"^\[ERROR\] (?:The build could not read|The goal you specified requires a project)"),
    _ending("mvn mvnw mvnd", r"^\[INFO\] BUILD SUCCESS$", r"^\[(?:INFO|ERROR)\] BUILD FAILURE$"),
    _ending("ant", r"^BUILD SUCCESSFUL$", r"^BUILD FAILED$"),
    _ending("dotnet msbuild", r"^Build succeeded\.|^[ ]*Build succeeded(?: with \d+ warning\(s\))? in ",
            r"^[ ]*(?P<n>[1-9]\d*) Error\(s\)$|^Build FAILED\.|^Build failed with "),
    _ending("xcodebuild swift", r"^\*\* (?:BUILD|TEST) SUCCEEDED \*\*|^Build complete!",
            r"^\*\* (?:BUILD|TEST) FAILED \*\*"),
    _ending("javac", "", r"^(?P<n>\d+) errors?$"),
    _ending("gcc g++ cc c++ clang clang++ make gmake cmake ninja nvcc rustc clang-tidy", "",
            r"^(?:[^\s:][^:\n]*:\d+(?::\d+)?: (?:fatal )?error: |collect2: error: |clang: error: )", each=True),
    _ending("make gmake cmake", "", r"^g?make(?:\[\d+\])?: \*\*\* (?![^\n]*\(ignored\))"),
    _ending("cmake", r"^-- Build files have been written to: |^\[100%\] Built target ",
            r"^CMake Error|^-- Configuring incomplete, errors occurred!"),
    _ending("ninja samu meson", r"^ninja: no work to do\.", r"^ninja: (?:build stopped|error)"),
    _ending("bazel bazelisk", r"^INFO: Build completed successfully", r"^(?:FAILED|ERROR): Build did NOT complete"),
    _ending("webpack", r"^webpack [\d.]+ compiled (?:successfully|with \d+ warnings?)",
            r"^webpack [\d.]+ compiled with (?P<n>\d+) errors?"),
    _ending("webpack", "", r"^\[webpack-cli\] (?:✖ |Failed |Error: |Invalid )"),
    _ending("rollup", r"^created \S+ in ", r"^\[!\] "),
    _ending("esbuild tsup", r"^⚡ Done in ", r"^✘ \[ERROR\] ", each=True),
    _ending("bun", r"^Bundled \d+ modules? in ", r"^error: |^The following filters did not match any test files"),
    _ending("deno", r"^Checked \d+ files?$|^Check \S+$", r"^Found (?P<n>\d+) problems?$"),
    _ending("deno", "", r"^error(?:\[[\w-]+\])?: "),
    _ending("mocha", "", r"^[^\n]{0,20}Exception during run: |^Error: (?:No test files found|Cannot find module)"),
    _ending("ava", "", r"^[ ]{2}✘ (?:Based on your configuration|Couldn’t find any files to test)"),
    _ending("node", "", r"^Could not find '|^Failed tests:$"),
    _ending("phpunit paratest pest", r"^No tests executed!$", r"^Cannot open file \"|^(?:Fatal|Parse) error: "),
    _ending("vite astro", r"^✓ built in |^\[build\] Complete!", r"^error during build:|^✗ Build failed in"),
    _ending("next nuxt", r"^ ?✓ Compiled successfully", r"^(?:Failed to compile\.|> Build error occurred)"),
    _ending("docker podman", r"^Successfully (?:built|tagged) |^#\d+ DONE [\d.]+s\s*\Z|^#\d+ naming to ",
            r"^ERROR: (?:failed to|process)|^(?:ERROR: )?Cannot connect to the Docker daemon |"
            r"^Error: building at STEP|^failed to solve: "),
    _ending("terraform tofu", r"^Success! The configuration is valid|^No changes\. |^Plan: \d+ to add|"
            r"^Changes to Outputs:$|^You can apply this plan to ",
            r"^[│╷]? ?Error: "),
    _ending("terraform tofu terragrunt", r"^Apply complete! Resources: |^Destroy complete! ", ""),
    _ending("helm helmfile", r"^STATUS: deployed|^Release \"[^\"\n]+\" has been upgraded", r"^Error: ", ships=True),
    _ending("kubectl oc", r"^deployment [^\n]* successfully rolled out|^\S+/\S+ (?:created|configured|unchanged)$",
            r"^error: |^Error from server|^The \S+ \"[^\n]*\" is invalid:", ships=True),
    _ending("gh glab", r"^https://\S+/(?:pull|releases|-/merge_requests)/",
            r"^(?:pull request create failed: |GraphQL: |HTTP \d{3}: |failed to |X |! |error |a pull request for )",
            ships=True),
    _ending("npm yarn pnpm lerna", r"^\+ (?:@\S+/)?\S+@\d\S*$", "", ships=True),
    _ending("cargo", r"^[ ]+(?:Uploaded|Published) \S+ v\d", "", ships=True),
    _ending("twine poetry uv hatch flit pdm", r"^View at:$|^https://pypi\.org/project/",
            r"^ERROR[ ]+HTTPError: |^HTTPError: |^error: (?:Failed|Upload)|^[ ]*HTTP Error \d+", ships=True),
    _ending("docker podman", r"^\S+: digest: sha256:", r"^(?:denied|unauthorized|Error response from daemon): ",
            ships=True),
    _ending("pulumi cdk sam serverless sls fly flyctl vercel netlify wrangler firebase gcloud az aws railway kamal eb",
            r"^(?:✔|✅|✓) |^[^\n]*(?:Deploy complete!|Successfully created/updated stack)|^Service deployed",
            r"^(?:Error|ERROR|error|✘|✖|❌|🛑)(?::|[ ]| \[ERROR\])", ships=True),
    _ending("ansible-playbook", r"^\S+[ ]+: ok=\d+[^\n]*unreachable=0[ ]+failed=0",
            r"^\S+[ ]+: ok=\d+[^\n]*(?:unreachable=[1-9]|failed=[1-9])", ships=True),
    _ending("alembic flyway prisma dbmate goose liquibase",
            r"^Successfully applied |^All migrations have been successfully applied|^Applied: ",
            r"^(?:ERROR|FATAL|FAILED|Error)\b", ships=True),
    _ending("turbo", r"^[ ]*Tasks:[ ]+\d+ successful, \d+ total", r"^[ ]*Failed:[ ]+\S"),
    _ending("nx", r"^[ ]*NX[ ]+Successfully ran target",
            r"^[ ]*(?:NX[ ]+Ran targets? [^\n]* failed|✖[ ]+\d+/\d+ failed)"),
    _ending("just", "", r"^error: Recipe `[^`\n]+` failed"),
    _ending("npm yarn pnpm", "", r"^npm (?:ERR!|error) |^ ELIFECYCLE |^error Command failed with exit code "),
)  # fmt: skip

GO_PACKAGE = lazy_pattern(
    r"^(?:(?P<good>ok|\?)|(?P<bad>FAIL))[ \t]+(?P<name>\S+)(?:[ \t]+(?:[\d.]+s|\(cached\)|\[[^\]\n]*\])|$)",
    re.MULTILINE,
)
GO_END = lazy_pattern(r"^(?:(?P<good>PASS)|(?P<bad>FAIL))$", re.MULTILINE)
GO_TEST = lazy_pattern(r"^[ ]*--- (PASS|FAIL|SKIP): (\S+)", re.MULTILINE)
SUITES_FAILED = lazy_pattern(r"^(?:Test Suites:|[ ]*Test Files)[ ]+(\d+) failed", re.MULTILINE)
CUT_SHORT = lazy_pattern(r"^!{3,} (?:KeyboardInterrupt|_pytest\.outcomes\.Exit\b|Interrupted: )", re.MULTILINE)
"""pytest was stopped before its end; the counts that follow are of what ran so far."""
UNHANDLED = lazy_pattern(r"^[ ]*Errors[ ]{2,}(\d+) errors?$", re.MULTILINE)

LINES = tuple(pattern for entry in ENDINGS for pattern in (entry.bad, entry.good) if pattern)
