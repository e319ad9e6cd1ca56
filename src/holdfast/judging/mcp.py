"""What a call of an MCP tool would do, told as a command line and as paths: the same rules are asked. Pure; bounded.

A server may do anything with its arguments. Those that are named as commands, statements and paths are taken for what
they are called: `{command: "rm -rf ~"}`, `{sql: "DROP TABLE users"}`, `{path: "~/.bashrc"}` of a tool that writes.
What a tool only reads is left alone.
"""

from __future__ import annotations

import re
import shlex
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from holdfast.commandline.effects import sql
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

PREFIX = "mcp__"
_COMMANDS = listed("command cmd commandline command_line shell_command script bash shell")
_ARGUMENTS = listed("args arguments argv parameters")
_STATEMENTS = listed("sql statement statements query")
_PATHS = listed(
    "path file_path filepath file filename file_name target target_path destination dest destination_path new_path to "
    "output output_path output_file notebook_path uri directory dir folder paths files"
)
_SOURCES = listed("source source_path old_path from src")
_CONTAINERS = listed("container container_id container_name")
_HOSTS = listed("host hostname server machine ssh_host")
_FOLDERS = listed("cwd workdir working_directory workingdirectory")
_WORD = lazy_pattern(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_DELETES = listed("delete remove rm unlink rmdir trash destroy purge erase")
_WRITES = listed(
    "write edit create save append update modify patch put replace insert set overwrite upload download copy touch "
    "rename move truncate apply"
)
_READS = listed(
    "read get list search find view show cat stat describe open fetch head tail exists info grep glob query"
)
_FILES = listed("file files dir directory folder path paths fs filesystem text notebook")
_SQL = lazy_pattern(
    r"\s*(?:--[^\n]*\n\s*|/\*[^*]*\*/\s*)?(?:drop|truncate|delete|update|alter|grant|begin|with)\b", re.I
)
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


def read(tool: str, arguments: Mapping[str, Any]) -> McpDeeds:
    """What a call of an MCP tool says that it runs, deletes and writes."""
    words = _words(tool)
    lines: list[str] = []
    written: list[str] = []
    deleted: list[str] = []
    for name, value in _fields(arguments):
        if name in _COMMANDS and (text := _command(value, arguments)):
            lines.append(_placed(text, arguments))
        elif name in _STATEMENTS and isinstance(value, str) and _SQL.match(value) and sql.destroys([value]):
            lines.append(f"psql -c {shlex.quote(value)}")
        elif name in _PATHS | _SOURCES:
            paths = [path for each in _texts(value) if (path := _path(each))]
            if _is_deletion(words):
                deleted += paths if name in _PATHS else []
            elif _is_writing(words):
                written += paths if name in _PATHS or {"move", "rename"} & set(words) else []
    if deleted:
        lines.append("rm -r -- " + " ".join(map(_shell_word, _shortest(deleted, _MOST_PATHS))))
    folder = next((value for name, value in _fields(arguments) if name in _FOLDERS and isinstance(value, str)), "")
    line = "\n".join(lines)  # whole: the reader of lines says itself when there is too much
    if line and folder:
        line = f"cd {_shell_word(folder[:1_000])} && {{ {line}\n}}"
    return McpDeeds(line, tuple(_shortest(written, _MOST_WRITTEN)))


def _shortest(paths: Sequence[str], most: int) -> list[str]:
    """Of too many paths the shortest ones: `~`, `/` and `..` are among them, wherever they stand in the list."""
    found = list(dict.fromkeys(paths))
    return found if len(found) <= most else sorted(found, key=len)[:most]


def may_matter(tool: str, arguments: Mapping[str, Any]) -> bool:
    """A first look: has the call any argument that is read here?"""
    return any(name in _COMMANDS or name in _STATEMENTS or name in _PATHS for name, _ in _fields(arguments))


def _words(tool: str) -> list[str]:
    """The words of a tool's own name: `mcp__fs__write_file` has `write` and `file`."""
    return [word.lower() for word in _WORD.findall(tool.rpartition("__")[2])]


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
    words = _texts(behind) if isinstance(behind, list) else []
    return " ".join((value, *map(_shell_word, words)))


def _placed(line: str, arguments: Mapping[str, Any]) -> str:
    """The line as it runs elsewhere, where the call names a container or a host."""
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
    text = text.removeprefix("file://")
    return "" if "://" in text or "\n" in text or len(text) > 4_000 else text


def _shell_word(text: str) -> str:
    """A word that a shell reads as it is; `~` at its beginning is the home directory, as servers take it, too."""
    if text == "~" or text.startswith("~/"):
        return "~" + (shlex.quote(text[1:]) if text[1:] else "")
    return shlex.quote(text)
