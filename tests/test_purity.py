"""Where a docstring says "Pure", a test looks: no files, network, clock, chance, store or settings.

The claim stands in the docstring of a module, or of a package for all its modules ("Pure, but for" is no claim). The
test follows every name that the module uses, through holdfast's own functions, as far as they go.
"""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from tests.test_architecture import imports, modules, tree

_CLAIM = re.compile(r"\bPure\b(?!, but for)")
_IMPURE = frozenset(
    """
    asyncio concurrent fcntl http httpcore2 importlib io logging multiprocessing os pathlib psycopg random secrets
    select shutil signal socket socketserver sqlite3 ssl subprocess sys tempfile time urllib uuid uvicorn
    """.split()  # noqa: SIM905
)
_HARMLESS = frozenset({"pathlib.Path", "pathlib.PurePath", "pathlib.PurePosixPath", "urllib.parse", "os.path"})
"""A `Path` is a value until one of `_TOUCHES` is called on it."""
_CALLS = frozenset({"open", "print", "input", "eval", "exec", "__import__"})
_CLOCK = frozenset({"now", "today", "utcnow"})
_TOUCHES = frozenset(
    """
    absolute cwd exists expanduser glob home is_dir is_file is_symlink iterdir lstat mkdir read_bytes read_text resolve
    rglob stat symlink_to touch unlink write_bytes write_text
    """.split()  # noqa: SIM905
)
_SETTINGS_AND_STORE = ("config", "paths", "spool", "daemon", "doors", "jobs", "store")
_VALUES = frozenset({"store.interface.Row", "store.interface.StoreKind", "store.interface.Value", "store.table"})
"""Parts of the store that are values: nobody can work with a store through them."""


@cache
def sources() -> dict[str, ast.Module]:
    return {module: tree(path) for module, path in modules()}


@cache
def claims() -> list[str]:
    """The modules that say of themselves, or whose package says, that they are pure."""
    said = [name for name, code in sources().items() if _CLAIM.search(ast.get_docstring(code) or "")]
    packages = tuple(f"{name}." for name, path in modules() if name in said and path.name == "__init__.py")
    return [name for name in sources() if name in said or (packages and name.startswith(packages))]


class Names:
    """What the names of one module stand for."""

    def __init__(self, code: ast.Module) -> None:
        self.foreign: dict[str, str] = {}
        self.ours: dict[str, tuple[str, str]] = {}
        self.here: dict[str, ast.stmt] = {}
        for node in ast.walk(code):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self.foreign[alias.asname or alias.name.split(".")[0]] = alias.name
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    name = alias.asname or alias.name
                    if (node.module or "").startswith("holdfast"):
                        self.ours[name] = (str(node.module).removeprefix("holdfast").removeprefix("."), alias.name)
                    else:
                        self.foreign[name] = f"{node.module}.{alias.name}"
        for statement in code.body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                self.here[statement.name] = statement
            elif isinstance(statement, ast.Assign | ast.AnnAssign):
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                self.here |= {target.id: statement for target in targets if isinstance(target, ast.Name)}


@cache
def names_of(module: str) -> Names:
    return Names(sources()[module])


def impure_name(full: str) -> bool:
    harmless = any(full == name or full.startswith(f"{name}.") for name in _HARMLESS)
    return full.split(".")[0] in _IMPURE and not harmless


def reaches(module: str, node: ast.AST, seen: set[tuple[str, str]]) -> list[str]:
    """How a piece of code reaches out of its values, itself or through what it uses."""
    itself, uses = _looked_at(module, node)
    return [*itself, *(one for module_of, name in uses for one in _behind(module_of, name, seen))]


@cache
def _looked_at(module: str, node: ast.AST) -> tuple[list[str], list[tuple[str, str]]]:
    """How a piece of code reaches out by itself, and the names that it uses. A module is looked at by its statements:
    each of them is asked for by itself, too."""
    if isinstance(node, ast.Module):
        parts = [_looked_at(module, each) for each in node.body]
        return [one for told, _ in parts for one in told], list(dict.fromkeys(one for _, used in parts for one in used))
    names, found, uses = names_of(module), [], []
    for one in ast.walk(node):
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id in _CALLS:
            found.append(f"{module}: {one.func.id}()")
        elif isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr in _CLOCK | _TOUCHES:
            found.append(f"{module}: {ast.unparse(one.func)}()")
        if isinstance(one, ast.Name):
            if impure_name(names.foreign.get(one.id, "")):
                found.append(f"{module}: {names.foreign[one.id]}")
            uses.append(names.ours.get(one.id, (module, one.id)))
        elif isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id in names.ours:
            uses.append((".".join(filter(None, names.ours[one.value.id])), one.attr))
    return found, list(dict.fromkeys(uses))


def _behind(module: str, name: str, seen: set[tuple[str, str]]) -> list[str]:
    """The same for what a name stands for, once."""
    if (module, name) in seen or module not in sources() or name not in names_of(module).here:
        return []
    seen.add((module, name))
    return reaches(module, names_of(module).here[name], seen)


def impurities(module: str) -> list[str]:
    found = reaches(module, sources()[module], {(module, name) for name in names_of(module).here})
    path = dict(modules())[module]
    for name in sorted(imports(path) - _VALUES - set(claims())):
        if name.split(".")[0] in _SETTINGS_AND_STORE and name != module:
            used = {f"{name}.{word}" for there, word in names_of(module).ours.values() if there == name} or {name}
            found += [f"{module}: {one}" for one in sorted(used - _VALUES)]
    return found


@pytest.mark.requirement("HSE-7")
def test_what_says_that_it_is_pure_is_pure() -> None:
    assert len(claims()) > 100
    assert [found for module in claims() for found in impurities(module)] == []


@pytest.mark.requirement("HSE-7")
@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import time\ndef f(): return time.time()", "time"),
        ("import random as r\ndef f(): return r.random()", "random"),
        ("from os import environ\ndef f(): return environ", "os.environ"),
        ("from pathlib import Path\ndef f(p: Path) -> str: return p.read_text()", "p.read_text()"),
        ("from datetime import datetime\ndef f(): return datetime.now()", "datetime.now()"),
        ("def f(): return open('x')", "open()"),
        ("from pathlib import Path\ndef f(p: Path) -> str: return p.name", ""),
        ("from urllib.parse import urlsplit\ndef f(t): return urlsplit(t)", ""),
        ("from holdfast.events.fence import new_nonce\ndef f(): return new_nonce()", "secrets"),
        ("from holdfast.events import fence as walls\ndef f(): return walls.new_nonce()", "secrets"),
        ("from holdfast.events.fence import fence\ndef f(): return fence('t', origin='o', nonce='n')", ""),
    ],
)
def test_the_check_can_fail(code: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sources(), "made_up", ast.parse(code))
    names_of.cache_clear()
    found = reaches("made_up", sources()["made_up"], set())
    names_of.cache_clear()
    assert [line.partition(": ")[2] for line in found] == ([why] if why else [])
