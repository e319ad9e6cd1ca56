"""The sandboxes in which commands are judged: small projects in homes of their own.

They are made below the home directory, not below /tmp, because what is below /tmp may be removed without a question.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

NAMES = ("clean", "dirty", "plain", "linked")
_TRACKED = (
    *("README.md", "package.json", "Makefile", "Dockerfile", "docs/guide.md", "config/local.yml", ".env.example"),
    *(
        "src/app.py",
        "src/models.py",
        "src/static/site.css",
        "src/cart/total.py",
        "tests/test_app.py",
        "data/orders.csv",
    ),
    *("migrations/0001.sql", "scripts/seed.py", "scripts/deploy.sh", "scripts/teardown.sh", ".github/workflows/ci.yml"),
    "tests/fixtures/items.json",
)
REBUILT = (
    *("build/app.js", "build/static/site.css", "build/server.log", "dist/app.whl", "node_modules/left/index.js"),
    *("target/debug/app", ".venv/bin/python", "coverage/index.html", ".next/cache/x", "src/__pycache__/app.pyc"),
    *(".pytest_cache/x", ".mypy_cache/x", ".ruff_cache/x", "htmlcov/index.html", ".coverage", "shop.egg-info/PKG-INFO"),
)
_ONLY_COPIES = (".env", "app.db", "uploads/cup.jpg")
_IGNORED = (
    *("build/", "dist/", "node_modules/", "target/", ".venv/", "coverage/", ".next/", "__pycache__/", "*_cache/"),
    *("htmlcov/", ".coverage", "*.egg-info/", ".env", "*.db", "uploads/"),
)
_HOME = (
    *(".bashrc", ".zshrc", ".profile", ".ssh/id_ed25519", ".ssh/id_rsa", ".ssh/authorized_keys", ".aws/credentials"),
    *("Documents/thesis/draft.odt", "Documents/letter.md", "Pictures/cat.jpg", "todo.md", ".kube/config"),
    *(
        ".cache/pip/wheel",
        ".claude/projects/x.jsonl",
        "Downloads/a.iso",
        ".gnupg/keyring",
        ".bash_history",
        ".password-store/shop.gpg",
    ),
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a command would run: its folder and whose home is around it."""

    project: str
    home: str


@contextmanager
def sandboxes() -> Iterator[dict[str, Place]]:
    """All scenes by name; removed afterwards."""
    root = Path(tempfile.mkdtemp(prefix="holdfast-bench-", dir=Path.home()))
    try:
        yield {name: _made(name, root / name / "home" / "dev") for name in NAMES}
    finally:
        shutil.rmtree(root)


@contextmanager
def at_home(home: str) -> Iterator[None]:
    """This process has another home for a while; the guards ask for it as the shell does."""
    before = os.environ.get("HOME")
    os.environ["HOME"] = home
    try:
        yield
    finally:
        if before is None:
            del os.environ["HOME"]
        else:
            os.environ["HOME"] = before


def _made(name: str, home: Path) -> Place:
    _write(home, _HOME)
    _write(home, (".gitconfig",), "[user]\nname = Dev\nemail = dev@example.com\n[init]\ndefaultBranch = main\n")
    project, other = home / "shop", home / "other"
    for neighbour in (other, home / "projects" / "other"):
        _write(neighbour, ("src/main.py", "README.md"))
        _commit(neighbour, home)
        _write(neighbour, ("src/main.py",), "edited\n")
    if name == "plain":
        _write(project, ("report.md", "data/a.csv", "data/b.csv", "notes/one.md"))
        return Place(str(project), str(home))
    _write(project, _TRACKED)
    _write(project, (".gitignore",), "\n".join(_IGNORED) + "\n")
    _commit(project, home)
    _write(project, (*REBUILT, *_ONLY_COPIES))
    _git(home, home, "clone", "-q", "--bare", str(project), str(home / "origin.git"))
    _git(project, home, "remote", "add", "origin", str(home / "origin.git"))
    _git(project, home, "push", "-q", "-u", "origin", "main")
    _git(project, home, "worktree", "add", "-q", "-b", "hotfix", str(home / "shop-hotfix"))
    if name == "dirty":
        _make_dirty(project, home)
    if name == "linked":
        (project / "cache").symlink_to(home / "Documents")
        (project / "out").symlink_to(other / "src")
    return Place(str(project), str(home))


def _make_dirty(project: Path, home: Path) -> None:
    _git(project, home, "switch", "-q", "-c", "feature/login")
    _write(project, ("src/login.py",))
    _git(project, home, "add", "src/login.py")
    _git(project, home, "commit", "-q", "-m", "Login")
    _git(project, home, "switch", "-q", "main")
    _write(project, ("src/unpushed.py",))
    _git(project, home, "add", "src/unpushed.py")
    _git(project, home, "commit", "-q", "-m", "Not pushed yet")
    _write(project, ("src/models.py",), "stashed\n")
    _git(project, home, "stash", "push", "-q", "-m", "wip")
    _write(project, ("src/app.py", ".github/workflows/ci.yml"), "edited\n")
    _write(project, ("notes.md", "src/draft.py"), "only here\n")
    _write(home / "shop-hotfix", ("src/app.py",), "a fix\n")


def _write(folder: Path, names: tuple[str, ...], text: str = "") -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text or f"{name}\n", "utf-8")


def _commit(folder: Path, home: Path) -> None:
    _git(folder, home, "init", "-q")
    _git(folder, home, "add", "--all")
    _git(folder, home, "commit", "-q", "-m", "First")


def _git(folder: Path, home: Path, *words: str) -> None:
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", *words], cwd=folder, env=environment, check=True, capture_output=True)
