"""A program that is typed into a framework's console which takes all back at its end, or runs for tests. Pure; linear.

`rails console --sandbox`, `rails runner -e test`, `manage.py shell --settings=shop.settings.test`,
`artisan tinker --env=testing`. It counts for the framework's own calls of its models. One word of production, the
address of a database, another connection, a statement or a service ends it.
"""

from __future__ import annotations

import itertools
import posixpath
from collections.abc import Sequence

from holdfast.commandline.effects import disposable
from holdfast.commandline.model import Run
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

_RULE = "database.orm"
_RULES = {**dict.fromkeys(("manage.py", "django-admin", "flask"), (_RULE, "database.destroy"))}
"""What a call of a model is found by, where it is more than that one rule."""
_CONSOLES = {
    "rails": listed("console c runner r"), "artisan": listed("tinker"), "mix": listed("run"),
    **dict.fromkeys(("manage.py", "django-admin", "flask"), listed("shell shell_plus")),
}  # fmt: skip
_MODES = listed("-e --environment --env --settings")
_VARIABLES = listed("RAILS_ENV RACK_ENV APP_ENV MIX_ENV DJANGO_SETTINGS_MODULE FLASK_ENV")
_LANGUAGES = listed("ruby python3 php elixir")
_OF_DEVELOPER = listed("dev development")
_ELSEWHERE = lazy_pattern(
    r"(?i)\w*(?:URL|URI|DSN|HOST|HOSTNAME|HOSTADDR|SERVER|CONNINFO|DBSTRING)\Z|(?:DB|DATABASE|PG|MYSQL|POSTGRES|REDIS)_?\w*\Z"
)
"""Variables that say which database it is, whatever the mode."""
_LEAVES = lazy_pattern(
    r"(?i)(?<![a-z])(?:prod|production|prd|live|staging)(?![a-z])|://|"
    r"\bestablish_connection|\bconnect(?:ed|s)_to\b|\bconnects?\b|connections?\b|\b(?:using|on|setConnection)\s{0,9}\(|"
    r"\b(?:drop|alter|rename|truncate|create)(?:\s+|_)(?:table|database|schema|index|column|view|type)|\btruncate|\bSchema\b|"
    r"\bremove_(?:column|index)|\bcommit|\bafter_commit|\bexecute\b|\bexec_\w|\braw_|\bcursor\b|\bvacuum\b|\bautocommit|"
    r"\bENV\s?[\[.]|\benviron\b|\bgetenv\b|\bputenv\b|\bconfig\s{0,9}\(|\bRails\.cache|"
    r"\b(?:Redis|Aws|S3|Sidekiq|Resque|Elasticsearch|Opensearch|Searchkick|Stripe|Faraday|HTTParty|RestClient|Net|Fog|Mongo|"
    r"Kafka|Google|Azure|Twilio|Typhoeus|Excon|Storage|Http|Cache|Mail|Queue|Guzzle\w*|boto3|requests|httpx|urllib\w*|redis|"
    r"pymongo|storages?|elasticsearch|Repo\d|Req|Tesla|HTTPoison|FileUtils|subprocess)\b|"
    r"\b[A-Z]\w{0,60}::[A-Z]\w{0,60}::[A-Z]|\.new\b|\bpurge|\battachments?\b|`|\bsystem\b|\bspawn\b|\b(?:require|eval|send)\b"
)
"""Words of a program that reaches past its console: another database, what cannot be taken back, a service."""
_MOST = 20
_LONGEST = 4_000


def is_for_tests(rule: str, run: Run, before: Sequence[Run]) -> bool:
    """Is it what a console was given, and does that console keep nothing that anybody needs?"""
    if not rule.startswith("database.") or run.remote:
        return False
    console = run if _framework(run) else _starter(run, before)
    if console is None or console.remote or not (framework := _framework(console)):
        return False
    if rule not in _RULES.get(framework, (_RULE,)):
        return False
    if any(_ELSEWHERE.match(name) for each in (console, run) for name, _ in each.environment):
        return False
    if leaves(console):
        return False
    modes = _modes(console)
    if framework == "rails" and not {"--sandbox", "-s"}.isdisjoint(console.texts[:_MOST]):
        words = [text for text in _behind_verb(console) if not text.startswith("-") and text not in modes]
        here = not words and all(mode in _OF_DEVELOPER or disposable.is_test_database(mode) for mode in modes)
        return here and not {"console", "c"}.isdisjoint(console.texts[:3])
    return bool(modes) and all(map(disposable.is_test_database, modes))


def leaves(run: Run) -> bool:
    """May the program of a console reach past the database of its mode?"""
    program = "\n".join((run.stdin or "", *(text.removeprefix("--execute") for text in run.texts)))
    return len(program) > _LONGEST or _LEAVES.search(program) is not None


def _behind_verb(run: Run) -> tuple[str, ...]:
    """What stands behind `console`: a bare word is the mode for which it runs."""
    texts = run.texts[:_MOST]
    return next((texts[place + 1 :] for place, text in enumerate(texts) if text in _CONSOLES["rails"]), ())


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
