"""The files that outsiders look for say what is so: versions, pins, commands, and the paths that documents name."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from holdfast import __version__

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
MADE = {
    ".hypothesis",
    ".git",
    ".venv",
    ".cache",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    "htmlcov",
    "dist",
    "__pycache__",
}
_PIN = re.compile(r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)==(?P<version>[A-Za-z0-9.+!]+)")
_ADDRESS = re.compile(
    "|".join(
        (r"py[p]i\.(?:org|python)", "python[h]osted", r"registry\.np[m]js", "/opt/py[p]i", "/work/(?:[s]hared|[m]ain)")
    )
)
"""Hosts of registries and paths of one machine. A letter in brackets keeps the pattern from finding itself."""
_TEST_PATH = re.compile(r"`(tests/[\w/.-]+?)/?`")


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    found = [_PIN.fullmatch(line) for line in lines if not line.startswith("#")]
    assert all(found), "names and versions only"
    return {canonicalize_name(pin["name"]): pin["version"] for pin in found if pin}


def texts(*endings: str) -> Iterator[tuple[Path, str]]:
    """The text files of the project, without what tools made."""
    for path in sorted(ROOT.rglob("*")):
        if path.suffix in endings and path.is_file() and not MADE & set(path.relative_to(ROOT).parts):
            yield path, path.read_text("utf-8", "replace")


@pytest.mark.requirement("HSE-8")
def test_every_direct_dependency_is_pinned_within_its_limits() -> None:
    groups = [PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"].values()]
    for line in [line for group in [*groups, *PROJECT["dependency-groups"].values()] for line in group]:
        wanted = Requirement(line)
        assert wanted.specifier.contains(pins()[canonicalize_name(wanted.name)]), line


@pytest.mark.requirement("HSE-8")
def test_there_is_one_version() -> None:
    assert PROJECT["project"]["version"] == __version__
    heads = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert heads[:2] == ["Unreleased", __version__]
    assert len(set(heads)) == len(heads)


@pytest.mark.requirement("HSE-8")
def test_the_workflow_and_the_ci_run_the_commands_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    commands = re.findall(r"^make \w+", readme.partition("## Two commands")[2].partition("\n## ")[0], re.MULTILINE)
    assert len(commands) == 2
    workflow = (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8")
    assert re.findall(r"- run: (make .+)", workflow) == commands
    assert [line for line in (ROOT / ".ci" / "run").read_text("utf-8").splitlines() if "make" in line] == ["make test"]
    versions = re.search(r"python: \[(.+)\]", workflow)
    assert versions is not None
    classifiers = [line.rpartition(" ")[2] for line in PROJECT["project"]["classifiers"] if ":: Python ::" in line]
    assert re.findall(r"[\d.]+", versions[1]) == classifiers == ["3.11", "3.12", "3.13", "3.14"]


@pytest.mark.requirement("HSE-8")
def test_every_target_that_people_call_is_in_the_help() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    phony = re.search(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)
    assert phony is not None
    helped = set(re.findall(r"^([a-z]+):.*## ", makefile, re.MULTILINE))
    assert set(phony[1].split()) - helped == {"tools"}
    pages = "\n".join(text for _, text in texts(".md"))
    assert set(re.findall(r"`make ([a-z]+)", pages)) - set(phony[1].split()) == set()


@pytest.mark.requirement("HSE-8")
def test_no_file_names_a_registry_or_a_path_of_one_machine() -> None:
    endings = (".md", ".toml", ".txt", ".yml", ".yaml", ".py", ".sh", ".sql", "")
    assert [str(path) for path, text in texts(*endings) if _ADDRESS.search(text)] == []


@pytest.mark.requirement("HSE-8")
def test_the_tests_that_documents_name_are_there() -> None:
    missing = {
        f"{path.relative_to(ROOT)}: {name}"
        for path, text in texts(".md")
        if path.parent.name != "story"  # lines of made-up projects name their own tests
        for name in _TEST_PATH.findall(text)
        if "PATH" not in name and not (ROOT / name).exists()
    }
    assert missing == set()
