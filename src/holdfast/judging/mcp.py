"""What a call of an MCP tool would do, told as a command line and as paths: the same rules are asked. Pure; bounded.

A server may do anything with its arguments. Those that are named as commands, code, statements and paths are taken for
what they are called: `{command: "rm -rf ~"}`, `{sql: "DROP TABLE users"}`, `{path: "~/.bashrc"}` of a tool that
writes. The name of a tool counts as well: `git_push` is `git push` (`mcp_names.py`). What a tool only reads is left
alone.
"""

from __future__ import annotations

import shlex
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from holdfast.commandline.effects import sql
from holdfast.commandline.running import hidden
from holdfast.judging import given_statements, mcp_names, own_guard
from holdfast.judging.mcp_names import ToolName
from holdfast.judging.paths import local_path
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

PREFIX = "mcp__"
_COMMANDS = listed("command cmd commandline command_line shell_command script bash shell")
_COMMAND_ENDS = ("command", "_cmd", "commands", "command_line", "commandline")
_CODE = listed("code source_code python python_code javascript js_code snippet expression function")
_CODE_HERE = listed("script source cell_source")
"""Code where the server runs a language: elsewhere a path, a file, or a line of a shell."""
_TYPED = listed("input keys keystrokes stdin")
_KEYBOARDS = listed("type keyboard terminal terminals tmux screen keys iterm iterm2 pty console zellij kitty wezterm")
_PROGRAMS = listed("program executable exe binary")
_ARGUMENTS = listed("args arguments argv parameters")
_STATEMENTS = listed("statement statements query queries cypher pipeline")
_PATHS = listed(
    "path file_path filepath file filename file_name target target_path destination dest destination_path new_path to "
    "output output_path output_file notebook_path uri directory dir folder paths files relative_path relativepath "
    "absolute_path absolutepath target_file targetfile pathinproject path_in_project"
)
_SOURCES = listed("source source_path old_path from src")
_CONTAINERS = listed("container container_id container_name")
_HOSTS = listed("host hostname server machine ssh_host")
_SHARED = ("volumes", "volume", "mounts", "binds", "bind_mounts")
_MOST_SHARED = 20
_FOLDERS = listed("cwd workdir working_directory workingdirectory")
_ELSEWHERE = listed(
    "owner repo repository branch project_id bucket page_id drive_id share site_id workspace_id gist_id"
)
"""Beside one of these a path lies in a repository, or a store, of a service."""
_DELETES = listed("delete remove rm unlink rmdir trash destroy purge erase")
_WRITES = listed(
    "write edit create save append update modify patch put replace insert set overwrite upload download copy touch "
    "rename move truncate apply"
)
_READS = listed(
    "read get list search find view show cat stat describe open fetch head tail exists info grep glob query"
)
_FILES = listed("file files dir directory folder path paths fs filesystem text notebook")
_SQL = lazy_pattern(r"(?i)\s{0,200}(?:drop|truncate|delete|update|alter|grant|revoke|begin|with|merge|db\.|flush)")
_MOST_TABLES = 500
"""Tables inside of the arguments that are looked into."""
_MOST_PATHS = 1_000
_MOST_WRITTEN = 100


@dataclass(frozen=True, slots=True)
class McpDeeds:
    """What a call says that it does."""

    line: str = ""
    """As a command line; '' when it runs and deletes nothing."""
    written: tuple[str, ...] = ()
    """Paths that it writes."""
    is_local: bool = True
    """They are files of this machine."""


def read(tool: str, arguments: Mapping[str, Any]) -> McpDeeds:
    """What a call of an MCP tool says that it runs, deletes and writes."""
    named = mcp_names.read(tool)
    words = named.words
    types = bool(_KEYBOARDS & {*words, *named.server})
    lines = mcp_names.lines(named, arguments)
    written: list[str] = []
    deleted: list[str] = []
    moved: dict[bool, str] = {}
    if line := _program(arguments):
        lines.append(_placed(line, arguments))
    for name, value in _fields(arguments):
        if isinstance(value, str) and (name in _TYPED or types) and (typed := own_guard.answer(value)):
            lines.append(typed)
        if name in _CODE_HERE and isinstance(value, str) and named.knows_language:
            lines += [f"{runner} {shlex.quote(value)}" for runner in named.runners]
        if _is_command(name) and (text := _command(value, arguments)):
            lines.append(_placed(_as_statement(text, named) or text, arguments))
        elif name in _CODE and isinstance(value, str) and named.runs_code:
            lines += [f"{runner} {shlex.quote(value)}" for runner in named.runners]
        elif name in _TYPED and isinstance(value, str) and hidden.begins_command(value.strip()):
            lines.append(_placed(value, arguments))
        elif isinstance(value, str) and (name.endswith("sql") or (name in _STATEMENTS and not named.searches)):
            lines += filter(None, (_as_statement(value, named),))
        elif name in _PATHS | _SOURCES:
            paths = [path for each in _texts(value) if (path := _path(each))]
            if _is_deletion(words):
                deleted += paths if name in _PATHS else []
            elif _is_writing(words):
                written += paths if name in _PATHS or _MOVES & set(words) else []
            if paths:
                moved.setdefault(name in _SOURCES, paths[0])
    if _MOVES & set(words) and len(moved) == 2:
        lines.append(f"mv -- {_shell_word(moved[True])} {_shell_word(moved[False])}")
    if deleted:
        lines.append("rm -r -- " + " ".join(map(_shell_word, _shortest(deleted, _MOST_PATHS))))
    folder = next((value for name, value in _fields(arguments) if name in _FOLDERS and isinstance(value, str)), "")
    line = "\n".join(lines)  # whole: the reader of lines says itself when there is too much
    if line and folder:
        line = f"cd {_shell_word(folder[:1_000])} && {{ {line}\n}}"
    is_local = _ELSEWHERE.isdisjoint(name for name, _ in _fields(arguments))
    return McpDeeds(line, tuple(_shortest(written, _MOST_WRITTEN)), is_local)


def commands(arguments: Mapping[str, Any]) -> str:
    """The command lines in what a tool is given, whatever its name."""
    given = ((name, value) for name, value in _fields(arguments) if _is_command(name))
    return "\n".join(filter(None, (_command(value, arguments) for _, value in given)))


def names_command(arguments: Mapping[str, Any]) -> bool:
    return any(_is_command(name) for name, _ in _fields(arguments))


def _program(arguments: Mapping[str, Any]) -> str:
    """A program beside its arguments, or a list of both: `{program: "rm", args: […]}`, `{argv: […]}`."""
    told = {str(name).lower(): value for name, value in arguments.items()}
    given: Any = next(
        (told[name] for name in sorted(_ARGUMENTS & told.keys()) if isinstance(told[name], list | str)), []
    )
    words = _texts(given)
    program = next((told[name] for name in sorted(_PROGRAMS & told.keys()) if isinstance(told[name], str)), "")
    if any(map(_is_command, told)) or not words or (not program and words[0].startswith("-")):
        return ""
    if program and isinstance(given, str):
        return f"{_shell_word(program)} {given}"
    return " ".join(map(_shell_word, filter(None, (program, *words)))) if program or "argv" in told else ""


def _shortest(paths: Sequence[str], most: int) -> list[str]:
    """Of too many paths the shortest ones: `~`, `/` and `..` are among them, wherever they stand in the list."""
    found = list(dict.fromkeys(paths))
    return found if len(found) <= most else sorted(found, key=len)[:most]


def may_matter(tool: str, arguments: Mapping[str, Any]) -> bool:
    """A first look: does the name of the tool, or any argument, say something that is read here?"""
    return mcp_names.may_matter(tool) or any(
        _is_read(name) or (isinstance(value, str) and "allow-once" in value) for name, value in _fields(arguments)
    )


def _is_read(name: str) -> bool:
    return name in _READ_HERE or name.endswith("sql") or _is_command(name)


_READ_HERE = listed("argv") | _CODE_HERE | _PROGRAMS | _STATEMENTS | _CODE | _TYPED | _PATHS | mcp_names.METHODS
_MOVES = frozenset({"move", "rename", "mv"})


def _is_command(name: str) -> bool:
    return name in _COMMANDS or name.endswith(_COMMAND_ENDS)


def _as_statement(text: str, named: ToolName) -> str:
    """A call of a client of databases, where a text is a statement that destroys; '' where it is not."""
    if named.server & mcp_names.REDIS:
        return f"redis-cli {text}"
    if given_statements.is_destroying(text):
        return f"database-client --query {shlex.quote(text)}"
    if any(map(_SQL.match, sql.statements(text))) and sql.destroys([text]):
        return f"psql -c {shlex.quote(text)}"
    return ""


def _fields(arguments: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The fields of a call, also those of a table in it or of tables in a list."""
    waiting: deque[tuple[Mapping[str, Any], int]] = deque([(arguments, 0)])
    seen = 0
    while waiting and seen <= _MOST_TABLES:
        table, depth = waiting.popleft()
        seen += 1
        for name, value in table.items():
            yield str(name).lower().replace("-", "_"), value
            if depth < 2 and len(waiting) <= _MOST_TABLES:
                inner = value if isinstance(value, list) else [value]
                waiting.extend((each, depth + 1) for each in inner[:_MOST_TABLES] if isinstance(each, dict))


def _texts(value: Any) -> list[str]:
    return (
        [value]
        if isinstance(value, str)
        else [each for each in value if isinstance(each, str)]
        if isinstance(value, list)
        else []
    )


def _command(value: Any, arguments: Mapping[str, Any]) -> str:
    """The command line of a call: a text, a list of words, or a program beside a list of its arguments."""
    if isinstance(value, list):
        return " ".join(map(_shell_word, _texts(value)))
    if not isinstance(value, str):
        return ""
    behind = next((each for name, each in arguments.items() if str(name).lower() in _ARGUMENTS), None)
    words = map(_shell_word, _texts(behind)) if isinstance(behind, list) else filter(None, _texts(behind))
    return " ".join((value, *words))


def _placed(line: str, arguments: Mapping[str, Any]) -> str:
    """The line as it runs elsewhere, where the call names a container, an image or a host."""
    told = {str(name).lower(): value for name, value in arguments.items()}
    if isinstance(image := told.get("image"), str) and image:
        shared = [each for name in _SHARED for each in _texts(told.get(name)) if ":" in each]
        mounts = "".join(f" -v {_shell_word(each[:400])}" for each in shared[:_MOST_SHARED])
        return f"docker run --rm{mounts} {shlex.quote(image[:200])} sh -c {shlex.quote(line)}"
    for names, before in ((_CONTAINERS, "docker exec"), (_HOSTS, "ssh")):
        for name, value in arguments.items():
            if str(name).lower() in names and isinstance(value, str) and value not in ("", "localhost", "127.0.0.1"):
                place = shlex.quote(value[:200])
                return f"{before} {place} {'sh -c ' if names is _CONTAINERS else ''}{shlex.quote(line)}"
    return line


def _is_deletion(words: Sequence[str]) -> bool:
    about_files = not words or bool(_FILES.intersection(words)) or len(words) == 1
    return bool(_DELETES.intersection(words)) and about_files


def _is_writing(words: Sequence[str]) -> bool:
    return bool(_WRITES.intersection(words)) and not (words and words[0] in _READS)


def _path(text: str) -> str:
    """A path of this machine; '' for an address of the network, or a long text."""
    text = local_path(text)
    return "" if "://" in text or "\n" in text or len(text) > 4_000 else text


def _shell_word(text: str) -> str:
    """A word that a shell reads as it is; `~` at its beginning is the home directory, as servers take it, too."""
    if text == "~" or text.startswith("~/"):
        return "~" + (shlex.quote(text[1:]) if text[1:] else "")
    return shlex.quote(text)
