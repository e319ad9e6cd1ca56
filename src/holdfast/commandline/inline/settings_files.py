"""Commands in a file of settings that some tool runs: a playbook, a pipeline, a Procfile, hooks, a unit. Pure; linear.

No format is parsed. A value that begins with a program which may destroy counts as a command, whatever its key is
called, unless the key says that it is a text, a name or a pattern.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from holdfast.commandline.running import hidden
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

_LONGEST = 40_000
_MOST_LINES = 600
_MOST = 60
_ENTRY = lazy_pattern(
    r"([ \t]*)((?:-[ \t]+)*)(?:[\"']?([\w.@/-]{1,60})[\"']?[ \t]*[:=](?=[ \t]|$|(?<==)))?[ \t]*(.*)\Z"
)
"""Indentation, marks of a list, a key, a value."""
_PAIR = lazy_pattern(r"[\"']?([\w.-]{1,40})[\"']?[ \t]{0,4}[:=][ \t]{0,4}\"((?:[^\"\\]|\\.){3,2000})\"")
"""A key and its text anywhere in a line: `{"command": "rm -rf x"}`."""
_BLOCK = lazy_pattern(r"[|>][-+\d]{0,2}\Z|\"{3}\Z|'{3}\Z|<<-?~?\w{1,20}\Z")
"""What follows deeper is one text."""
_LEADS = lazy_pattern(r"\A(?:RUN|EXEC|exec)[ \t]+(?:--\S{1,60}[ \t]+)*")
"""Words that stand before a command in some formats."""
_WORDS = lazy_pattern(r"\"((?:[^\"\\]|\\.){0,400})\"|'([^']{0,400})'")
_PARTS = lazy_pattern(r"[;&|\n]+")
_ONLY_SAY = listed(
    "name title description comment message id label labels text help doc docs why reason summary expect expected deny "
    "denied allow allowed forbid forbidden block blocked ban banned pattern patterns match matches reject ask warn "
    "example examples input cases if when on needs tags prompt instead note notes regex rule rules"
)
"""Keys behind which a command is a text for people, or a pattern."""
_ABSENT = lazy_pattern(r"\bstate[:=][ \t]?[\"']?absent\b")
_PATH = lazy_pattern(r"\b(?:path|dest)[:=][ \t]?[\"']?([^\s\"'{},]{1,300})")


def commands(text: str) -> Iterator[str]:
    """The texts in it that read as commands which may destroy; no more than are worth a look."""
    lines = text[:_LONGEST].splitlines()[:_MOST_LINES]
    found = dict.fromkeys((*_values(lines), *_absent(lines)))
    yield from list(found)[:_MOST]


def _values(lines: Sequence[str]) -> Iterator[str]:
    above = ""
    within_block = 0
    for number, line in enumerate(lines):
        match = _ENTRY.match(line)
        if match is None or number < within_block or line.lstrip().startswith(("#", "//")):
            continue
        for name, said in _PAIR.findall(line[:4_000]):
            if _runs(name) and _reads_as_command(said):
                yield said.replace('\\"', '"')
        indent, listing, key, value = match.groups()
        value = value.rstrip(" \t,]" if value.startswith("[") else " \t,")
        if key and not value:
            above = key
        if not _runs(key or above):
            continue
        if key and _BLOCK.match(value):
            below = _below(lines, number, len(indent) + len(listing))
            within_block = number + 1 + len(below)
            value = textwrap.dedent("\n".join(below))
        elif value.startswith("["):
            value = " ".join(a or b for a, b in _WORDS.findall(value))
        elif not (key or listing or indent):
            continue
        value = _LEADS.sub("", value.strip("\"'"))
        if _reads_as_command(value):
            yield value


def _runs(key: str) -> bool:
    return key.lower().rpartition(".")[2] not in _ONLY_SAY


def _reads_as_command(text: str) -> bool:
    return any(hidden.begins_command(part.strip()) for part in _PARTS.split(text[:4_000]))


def _below(lines: Sequence[str], number: int, indent: int) -> list[str]:
    """The lines below one that are deeper."""
    found = []
    for line in lines[number + 1 : number + 1 + _MOST_LINES]:
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        found.append(line)
    return found


def _absent(lines: Sequence[str]) -> Iterator[str]:
    """`file: path=~/x state=absent` removes a file; any other module, the thing that it is called after."""
    for number, line in enumerate(lines):
        if _ABSENT.search(line) is None:
            continue
        above = "\n".join(lines[max(0, number - 6) : number + 1])
        module = next(reversed(_MODULE.findall(above)), "")
        kind = module.rpartition(".")[2]
        near = f"{above}\n" + "\n".join(lines[number + 1 : number + 4])
        if kind == "file" and (path := _PATH.search(near)) is not None:
            yield f"rm -rf {path[1]}"
        elif kind and kind not in _OF_MACHINE:
            name = _NAME.search(near)
            yield f"{module} state=absent --database={name[1] if name is not None else ''}"


_MODULE = lazy_pattern(r"(?m)^[ \t]*(?:-[ \t]+)?([a-z][\w.]{1,60}):[ \t]*(?:\{|$)")
_NAME = lazy_pattern(r"(?<![\w])name[:=][ \t]?[\"']?([\w./-]{1,80})")
_OF_MACHINE = listed(
    "file tasks handlers vars apt apt_key apt_repository yum yum_repository dnf package pip npm gem homebrew "
    "homebrew_cask snap flatpak cron lineinfile blockinfile replace ini_file xml git_config service systemd "
    "systemd_service hosts authorized_key known_hosts docker_container docker_image docker_network template copy "
    "alternatives sysctl cargo pacman apk zypper mount iptables ufw firewalld debconf locale_gen modprobe"
)
"""Modules for software, single lines and settings of a machine, which are put there again."""
