"""Does an import lead to a file? And is a file a test? Pure: paths in, answers out.

The answer is no where it is not sure: a link that is missing costs a line, a wrong one costs trust.
"""

from __future__ import annotations

import posixpath
import re
from typing import Literal

from holdfast.source.languages import PYTHON_STANDARD, SAME_FOLDER, language_of

LinkKind = Literal["module", "names", "package"]
"""To the file as a whole (`import rules`), to names in it (`from rules import choose`), or to its folder."""

_INDEXES = frozenset({"__init__", "index", "mod"})
_ROOTS = frozenset({"", "src", "lib", "python", "app", "Sources"})
"""Folders from which an import of a single word may start."""
_FAMILIES = {
    "javascript": "script", "typescript": "script", "tsx": "script", "vue": "script", "svelte": "script",
    "c": "c", "cpp": "c", "objectivec": "c", "java": "jvm", "kotlin": "jvm", "scala": "jvm", "groovy": "jvm",
}  # fmt: skip
_NAMES_MODULES = frozenset({"python", "rust", "java", "kotlin", "scala", "php"})
"""Languages in which what is taken from a path by name may be a file of its own."""
_BY_FOLDER = frozenset({"go"})
"""Languages whose imports name folders."""
_LONG_PREFIX = frozenset({"go", "java", "kotlin", "scala", "php", "csharp"})
"""Languages whose imports may begin with more than the project's folders (`github.com/owner/name/…`)."""
_TEST_FOLDER = re.compile(r"(?:^|/)(?:tests?|specs?|__tests__|testing|e2e|androidTest|integration_tests?)/")
_TEST_FILE = re.compile(
    r"(?:^|/)(?:test_[^/]*|[^/]*(?:_test|_spec|\.test|\.spec|-test)|[^/]*[a-z0-9](?:Test|Tests|Spec|IT))\.\w+$"
)


def is_test(path: str) -> bool:
    """Does this file belong to the tests?"""
    return _TEST_FOLDER.search(path) is not None or is_test_file(path)


def is_test_file(path: str) -> bool:
    """Does this file hold tests? (Other files beside them help tests.)"""
    return _TEST_FILE.search(path) is not None or "/__tests__/" in f"/{path}"


def family(language: str) -> str:
    """Languages that import each other's files are one family."""
    return _FAMILIES.get(language, language)


def module_of(path: str) -> str:
    """A file as imports name it: without its ending; a package's own file as its folder."""
    stem = posixpath.splitext(path)[0]
    folder, name = posixpath.split(stem)
    return folder if name in _INDEXES and folder else stem


def keys_of(path: str) -> tuple[str, ...]:
    """The last words of imports that may lead to a file, or to its folder."""
    module = module_of(path)
    names = (posixpath.basename(module), posixpath.basename(posixpath.dirname(path)))
    return tuple(dict.fromkeys(name for name in names if name))


def link(importer: str, path: str, names: tuple[str, ...], target: str) -> LinkKind | None:
    """Where an import of a file leads: to the target as a whole, to names in it, to its folder, or to none of these."""
    language = language_of(importer)
    if family(language) != family(language_of(target)) or importer == target:
        return None
    module, folder = module_of(target), posixpath.dirname(target)
    if path.startswith("."):
        near = posixpath.normpath(posixpath.join(posixpath.dirname(importer), path))
        base = "" if near == "." else near
        return _exact(base, names if language in _NAMES_MODULES else (), bool(names), module, folder)
    if language in _BY_FOLDER:
        return "package" if folder and _ends(path, folder) else None
    if language in _NAMES_MODULES and any(
        _matches(posixpath.join(path, name), module, language, importer) for name in names
    ):
        return "module"
    if _matches(path, module, language, importer):
        return "names" if names else "module"
    return "package" if folder and _matches(path, folder, language, importer) else None


def _exact(path: str, modules: tuple[str, ...], has_names: bool, module: str, folder: str) -> LinkKind | None:
    if any(posixpath.join(path, name) == module for name in modules):
        return "module"
    if path == module:
        return "names" if has_names else "module"
    return "package" if path and path == folder else None


def _matches(path: str, module: str, language: str, importer: str) -> bool:
    """`holdfast/rooms/code` is `src/holdfast/rooms/code`. One word alone names a file beside the importer or at a
    root: `json` is no `tools/json.py`."""
    if "/" not in path:
        at, name = posixpath.split(module)
        if not path or name != path or (language == "python" and path in PYTHON_STANDARD):
            return False
        return at in _ROOTS or at == posixpath.dirname(importer)
    if module == path or module.endswith(f"/{path}"):
        return True
    return language in _LONG_PREFIX and "/" in module and path.endswith(f"/{module}")


def _ends(path: str, folder: str) -> bool:
    """`example.org/mall/api/tax` is the folder `tax`, `api/tax` or `services/api/tax`. `fmt` is the language's own."""
    return path.endswith(f"/{folder}") or (path.count("/") > 1 and folder.endswith("/".join(path.split("/")[-2:])))


def are_neighbours(importer: str, target: str) -> bool:
    """Do both stand in one folder, in a language that needs no import there?"""
    language = language_of(importer)
    return (
        language in SAME_FOLDER
        and importer != target
        and family(language) == family(language_of(target))
        and posixpath.dirname(importer) == posixpath.dirname(target)
    )
