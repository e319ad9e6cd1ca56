"""Statements for a database in the words of a program that no rule knows: `acmedb sql "DROP TABLE x"`. Pure; linear.

An option or a word in front must say that a statement follows (`--sql`, `query`, `-e`), or a key of JSON does. What is
only said, searched or formatted is no statement.
"""

from __future__ import annotations

from collections.abc import Iterator

from holdfast.commandline.effects import sql
from holdfast.commandline.model import Run
from holdfast.commandline.running import hidden
from holdfast.commandline.running.runners import RUNNERS
from holdfast.judging import unknown_programs
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

DESTROYS = "statement-destroys"
"""The program of the rule that is about these calls."""

_BEGINS = lazy_pattern(
    r"(?i)\s{0,20}(?:drop\s+(?:table|database|schema|keyspace|index|view|stream|topic|user|role|measurement|collection|all)\b|"
    r"truncate\s+\w|delete\s+from\s+\w|alter\s+table\s+\S+\s+drop\s|update\s+\S+\s+set\s|db\.\w+\.(?:drop|deletemany|remove)\(|"
    r"db\.dropdatabase\(|remove\s+(?:table|database|namespace)\s|flush(?:all|db)\b|match\s*\(\w*[^)]{0,80}\)\s*(?:detach\s+)?delete\b)"
)
_INTRODUCES = lazy_pattern(
    r"(?i)-{0,2}(?:[\w-]{0,30}[-_:])?(?:sql|quer(?:y|ies)|execute|exec|statements?|eval|command|cmd|run|cypher|cql|e|c|q|tool-arg|"
    r"call|data|body|args|input|param\w*)\Z"
)
_IN_JSON = lazy_pattern(r"(?i)\"(?:sql|query|statement|command|stmt|q)\"\s{0,5}:\s{0,5}\"([^\"]{4,2000})")
_NAMED = lazy_pattern(r"-{0,2}[A-Za-z_][\w.-]{0,40}=(?=\s{0,5}[A-Za-z])")
_NO_CLIENTS = hidden.ONLY_SAY | listed(
    "git python python3 node nodejs ruby perl php deno bun lua sed awk gawk tee sqlfluff sqlfmt sqlglot squawk "
    "pg_format sql-formatter sqlparse sql-lint sqlcheck pgsanity pglast sqruff semgrep ast-grep comby sd claude "
    "codex gemini aider llm ollama mods sgpt sqlc dbt prettier ctags notify-send xclip wl-copy fzf"
)
_MOST = 40


def destroys(run: Run) -> bool:
    """Is the program given a statement that destroys data?"""
    if not run.args or run.program in _NO_CLIENTS or run.program in RUNNERS:
        return False
    if unknown_programs.is_on_this_machine(run.program):
        return False
    return any(sql.destroys([text]) or _FLUSHES.match(text) for text in _statements(run))


def is_destroying(text: str) -> bool:
    """Is a text a statement that empties a store, in a language that is no SQL: `FLUSHALL`, `MATCH (n) DELETE n`?"""
    return _FLUSHES.match(text) is not None and _BEGINS.match(text) is not None


def may_hold(word: str) -> bool:
    """A first look at one word: may it hold such a statement?"""
    if _BEGINS.match(word) is not None:
        return True
    return (" " in word or "(" in word) and ("=" in word or "{" in word)


_FLUSHES = lazy_pattern(r"(?i)\s*(?:flush(?:all|db)\b|match\s*\(|remove\s)")


def _statements(run: Run) -> Iterator[str]:
    introduced = False
    for arg in run.args[:_MOST]:
        text = arg.text
        if " " not in text and "(" not in text and not _FLUSHES.match(text):
            introduced = introduced or _INTRODUCES.match(text) is not None
            continue
        named = _NAMED.match(text)
        if named is not None and _BEGINS.match(text[named.end() :]):
            yield text[named.end() :]
        elif introduced and _BEGINS.match(text):
            yield text
        elif "{" in text[:200]:
            yield from (match[1] for match in _IN_JSON.finditer(text[:4_000]) if _BEGINS.match(match[1]))
