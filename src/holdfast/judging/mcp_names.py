"""What the name of an MCP tool says that it does: `mcp__git__git_push` pushes, `mcp__github__delete_repository` deletes
what others have. Pure; bounded.

Where a name begins with a program, it is told as a call of that program, with the arguments as options. Where it is a
verb that destroys and a thing of others, or the server is one of data, it is told as a program that no rule knows.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from holdfast.commandline.effects import disposable
from holdfast.commandline.running import hidden
from holdfast.judging import unknown_programs
from holdfast.shell.tools import listed

_WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_PROGRAMS = listed(
    "git kubectl docker podman helm terraform tofu npm pnpm yarn gh glab aws gcloud az psql ansible systemctl apt brew "
    "pip cargo flux argocd vercel flyctl fly heroku wrangler firebase pulumi virsh vagrant"
)
"""Programs by which names of tools begin: `kubectl_delete`."""
_ARGUMENTS = listed("args arguments argv parameters params")
_SUBCOMMANDS = listed("subcommand sub_command action operation op verb command cmd")
_PLACES = listed("container container_id container_name image")
_ASKS_NOBODY = {"terraform": "-auto-approve", "tofu": "-auto-approve", "pulumi": "--yes"}
"""At a terminal these ask before they change anything; a server answers for them."""
_READS = listed(
    "read get list search find view show cat stat describe open fetch head tail exists info grep glob lookup browse "
    "preview validate check count explain plan inspect analyze export download watch help dry diff log status"
)
_SEARCHES = listed("search find list lookup browse grep get fetch explain")
_TOPICS = listed("docs documentation web wiki news papers")
_EMPTIES = listed("flushall flushdb dropall deletemany deleteall removeall")
"""Verbs that are one word with all that they take."""
_TAKES_MANY = listed("delete remove purge erase empty wipe destroy expunge")
_CLEARS = listed("clear clean flush")
_OF_PERSONS = listed(
    "emails mails messages threads conversations contacts photos albums mailbox inbox events calendars"
)
_TRASH = listed("trash bin mailbox inbox spam")
_OF_DATA = listed(
    "mongodb mongo postgres postgresql pg mysql mariadb sqlite redis valkey supabase neon planetscale firestore "
    "dynamodb cassandra elasticsearch opensearch clickhouse bigquery snowflake databricks neo4j qdrant pinecone "
    "weaviate milvus kafka rabbitmq s3 minio etcd consul vault db database sql k8s kubernetes cloudflare stripe"
)
"""Servers whose things are data, or run for others, whatever they are called."""
_RUNS_CODE = listed(
    "run exec execute eval evaluate repl interpreter python node js javascript jupyter notebook cell sandbox kernel"
)
_OF_NODE = listed("node js javascript typescript ts browser puppeteer playwright deno bun")
_OF_PYTHON = listed("python py jupyter notebook ipython kernel cell")
REDIS = listed("redis valkey dragonfly keydb")
"""Servers whose tools are called as the commands of `redis-cli` are."""
METHODS = listed("method http_method")
_ADDRESSES = ("url", "uri", "endpoint", "path")
_CHANGING = listed("DELETE PUT PATCH POST")
_FOLDERS = listed("repo_path repository_path repo repository cwd path working_directory")
_MOST_OPTIONS, _LONGEST, _LONGEST_LINE = 40, 400, 20_000


@dataclass(frozen=True, slots=True)
class ToolName:
    """The words of a tool's name."""

    server: frozenset[str]
    words: tuple[str, ...]

    @property
    def searches(self) -> bool:
        """Is what it is asked a question, and no statement?"""
        asks = bool(self.words) and self.words[0] in _SEARCHES
        return asks or not _SEARCHES.isdisjoint(self.server) or not _TOPICS.isdisjoint((*self.words, *self.server))

    @property
    def runs_code(self) -> bool:
        return not _RUNS_CODE.isdisjoint((*self.words, *self.server)) and not self.searches

    @property
    def knows_language(self) -> bool:
        """Does it run code, and the name tells in which language?"""
        return self.runs_code and not (_OF_NODE | _OF_PYTHON).isdisjoint((*self.words, *self.server))

    @property
    def runners(self) -> tuple[str, ...]:
        """Who runs the code that it is given; both where the name does not tell."""
        told = {*self.words, *self.server}
        if told & _OF_PYTHON:
            return ("python3 -c",)
        return ("node -e",) if told & _OF_NODE else ("python3 -c", "node -e")

    @property
    def program(self) -> str:
        """The program that the tool, or its server, is a front of: `kubectl`, `terraform__apply`, `run_helm`."""
        named = [word for word in (*self.words, *sorted(self.server)) if word in _PROGRAMS]
        return named[0] if named else ""

    @property
    def destroys(self) -> bool:
        """A verb that destroys, with a thing of others or at a server of data?"""
        if not self.words or self.words[0] in _READS or self.words[0] in _PROGRAMS or self.server & REDIS:
            return False
        of_data = not _OF_DATA.isdisjoint(self.server)
        if of_data and not _EMPTIES.isdisjoint(self.words):
            return True
        return unknown_programs.destroys_by_name(self.words, whatever=of_data) or self._empties

    @property
    def _empties(self) -> bool:
        """Does it take away many things of a person at once, or those that could still be brought back?"""
        verbs, about = {*self.words[:2]}, {*self.words}
        many = not verbs.isdisjoint(_TAKES_MANY) and not about.isdisjoint(_OF_PERSONS)
        return many or (not verbs.isdisjoint(_TAKES_MANY | _CLEARS) and not about.isdisjoint(_TRASH))


@lru_cache(512)
def read(tool: str) -> ToolName:
    """The words of a tool's name: `mcp__fs__write_file` has `write` and `file`, and the server `fs`."""
    server, _, name = tool[:400].removeprefix("mcp__").rpartition("__")
    return ToolName(frozenset(_split(server)), tuple(_split(name)))


def _split(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def may_matter(tool: str) -> bool:
    """A first look: does the name of the tool alone say that it does something?"""
    named = read(tool)
    return named.destroys or bool(named.server & REDIS) or bool(named.program)


def lines(named: ToolName, arguments: Mapping[str, Any]) -> list[str]:
    """What the name says, as command lines."""
    found = list(_request(arguments))
    tries = any(str(name).lower().replace("-", "_") in ("dry_run", "dryrun") for name in arguments if arguments[name])
    if tries:
        return found
    if named.program and (given := _given(named.program, arguments)):
        found.append(_unasked(named.program, " ".join((*_program(named.program, arguments), *given))))
    behind = tuple(word for word in named.words if word not in (named.program, "cli"))
    if (
        behind
        and "exec" not in behind
        and named.program
        and (named.program in named.server or named.words[0] == named.program)
    ):
        words = (*_program(named.program, arguments), *behind, *_options(_without_words(arguments)))
        found.append(_unasked(named.program, " ".join(words)))
    if named.server & REDIS and named.words:
        found.append(" ".join(("redis-cli", *named.words, *map(shlex.quote, _short(arguments)))))
    elif named.destroys and not any(map(disposable.is_own_test, _short(arguments))):
        server = "-".join(sorted(named.server)) or "server"
        found.append(" ".join((f"mcp-{server} delete", "-".join(named.words), *_options(arguments))))
    return found


def _short(arguments: Mapping[str, Any]) -> Iterator[str]:
    return (value for value in arguments.values() if isinstance(value, str) and len(value) < 200)


def _program(program: str, arguments: Mapping[str, Any]) -> Iterator[str]:
    yield program
    folder = next((arguments[name] for name in arguments if str(name).lower() in _FOLDERS), None)
    if program == "git" and isinstance(folder, str) and folder.startswith(("/", "~", ".")):
        yield f"-C {shlex.quote(folder[:_LONGEST])}"


def _given(program: str, arguments: Mapping[str, Any]) -> list[str]:
    """The words of a program among the arguments: `{args: "delete ns prod"}`, `{command: "volume rm x"}`,
    `{operation: "push", force: true}`. What runs inside of a container is no word of docker's."""
    told = {str(name).lower().replace("-", "_"): arguments[name] for name in list(arguments)[:_MOST_OPTIONS]}
    words: list[str] = []
    for name in (*sorted(_SUBCOMMANDS & told.keys()), *sorted(_ARGUMENTS & told.keys())):
        value = told[name]
        if isinstance(value, list):
            words += [shlex.quote(each) for each in value[:_MOST_OPTIONS] if isinstance(each, str)]
        elif isinstance(value, str) and not (hidden.begins_command(value) and name in _SUBCOMMANDS):
            words.append(value[:_LONGEST_LINE])
    if not words or not _PLACES.isdisjoint(told) or words[0].split(" ", 1)[0] == program:
        return []
    return [*words, *_options(_without_words(arguments))]


def _without_words(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that may be options."""
    no_options = _ARGUMENTS | _SUBCOMMANDS | _PLACES
    return {name: value for name, value in arguments.items() if str(name).lower().replace("-", "_") not in no_options}


def _unasked(program: str, line: str) -> str:
    return f"{line} {_ASKS_NOBODY[program]}" if program in _ASKS_NOBODY else line


def _options(arguments: Mapping[str, Any]) -> Iterator[str]:
    """The arguments as options: `{force: true, mode: "hard"}` is `--force --mode=hard --hard`."""
    for name, value in list(arguments.items())[:_MOST_OPTIONS]:
        option = re.sub(r"[^\w-]", "", str(name))[:60].replace("_", "-")
        if not option or str(name).lower() in _FOLDERS:
            continue
        if value is True:
            yield f"--{option}"
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield f"--{option}={value}"
        elif isinstance(value, str) and value:
            yield f"--{option}={shlex.quote(value[:_LONGEST])}"
            if option in ("mode", "type", "reset-type") and value.isalpha():
                yield f"--{value}"


def _request(arguments: Mapping[str, Any]) -> Iterator[str]:
    """`{method: "DELETE", url: …}`, as `curl` would send it."""
    told = {str(name).lower(): value for name, value in list(arguments.items())[:_MOST_OPTIONS]}
    method = next((told[name] for name in told if name in METHODS), None)
    address = next((told[name] for name in _ADDRESSES if isinstance(told.get(name), str)), "")
    if isinstance(method, str) and method.upper() in _CHANGING and "://" in address:
        body = next((told[name] for name in ("body", "data", "json") if isinstance(told.get(name), str)), "")
        sent = f" -d {shlex.quote(body[:4_000])}" if body else ""
        yield f"curl -X {method.upper()} {shlex.quote(address[:2_000])}{sent}"
