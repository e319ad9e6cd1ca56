"""A program that is typed into a framework's console which takes all back at its end, or runs for tests. Pure; linear.

`rails console --sandbox`, `rails runner -e test`, `manage.py shell --settings=shop.settings.test`,
`artisan tinker --env=testing`. One word of production ends it.
"""

from __future__ import annotations

import itertools
import posixpath
from collections.abc import Sequence

from holdfast.commandline.effects import disposable
from holdfast.commandline.model import Run
from holdfast.shell.tools import listed

_RULES = ("database.orm", "database.destroy")
_CONSOLES = {
    "rails": listed("console c runner r"), "artisan": listed("tinker"), "mix": listed("run"),
    **dict.fromkeys(("manage.py", "django-admin", "flask"), listed("shell shell_plus")),
}  # fmt: skip
_MODES = listed("-e --environment --env --settings")
_VARIABLES = listed("RAILS_ENV RACK_ENV APP_ENV MIX_ENV DJANGO_SETTINGS_MODULE FLASK_ENV")
_LANGUAGES = listed("ruby python3 php elixir")
_MOST = 20


def is_for_tests(rule: str, run: Run, before: Sequence[Run]) -> bool:
    """Is it what a console was given, and does that console keep nothing that anybody needs?"""
    if rule not in _RULES or run.remote:
        return False
    console = run if _framework(run) else _starter(run, before)
    if console is None or not (framework := _framework(console)):
        return False
    modes = _modes(console)
    if any(map(disposable.is_of_production, modes)):
        return False
    if framework == "rails" and not {"--sandbox", "-s"}.isdisjoint(console.texts[:_MOST]):
        return not {"console", "c"}.isdisjoint(console.texts[:3])
    return bool(modes) and all(map(disposable.is_test_database, modes))


def _starter(run: Run, before: Sequence[Run]) -> Run | None:
    """The run whose program this one is a part of."""
    if not run.via or run.via[-1] not in _LANGUAGES:
        return None
    return next((each for each in reversed(before) if len(each.via) < len(run.via)), None)


def _framework(run: Run) -> str:
    """The framework whose console is called; '' where it is none."""
    for place, word in enumerate((run.program, *run.texts[:2])):
        verbs = _CONSOLES.get(posixpath.basename(word))
        if verbs is not None:
            return posixpath.basename(word) if not verbs.isdisjoint(run.texts[place : place + 2]) else ""
    return ""


def _modes(run: Run) -> list[str]:
    """All that tells for what it runs."""
    found = [value.text for name, value in run.environment if name in _VARIABLES]
    for before, text in itertools.pairwise(("", *run.texts[:_MOST])):
        name, sign, value = text.partition("=")
        if sign and name in _MODES:
            found.append(value)
        elif before in _MODES and " " not in text:
            found.append(text)
    return found
