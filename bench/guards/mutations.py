"""Other spellings of a command, made by a fixed generator that knows no rule of the guards.

A mutation does the same as the command it was made of, so it has the same label. A mention only names the command (in a
message, a search, a document), so it is innocent whatever the command does.
"""

from __future__ import annotations

import base64
import hashlib
import random
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from bench.guards.corpus import Case

Change = Callable[[str], str | None]
"""A command in, another that does the same out; None where it cannot be said this way."""

_OPERATORS = re.compile(r"[\n;&|<>(){}`$#!*?\[\]'\"\\=]")
_BUILTINS = frozenset(
    (
        *(
            "cd",
            "eval",
            "source",
            ".",
            "export",
            "set",
            "unset",
            "alias",
            "unalias",
            "shopt",
            "trap",
            "history",
            "read",
        ),
        *("exit", "exec", "command", "type", "kill", "pushd", "popd", "declare", "printf", "echo", "test", "[", "time"),
        *("builtin", "coproc", "mapfile", "umask", "wait", ":", "true", "false", "env", "sudo"),
    )
)
"""What no wrapper program can start, or what is one itself."""
_BASH_ONLY = re.compile(
    r"<<<|<\(|\[\[|\$'|=\(|\{[^}]*(,|\.\.)[^}]*\}|\$\{!|\b(shopt|coproc|mapfile|source|pushd|function|declare|disown)\b|"
    r"printf -v|read -r -d|\\\\|^!"
)
"""What `sh` need not know."""
_PARSED_AS_ONE = frozenset({"group", "substitution", "chain"})
"""Kinds in which an alias of an earlier line is not known yet when a later one is parsed."""
_END = "HF_END"


def simple(command: str) -> list[str] | None:
    """The words of one plain command: no operator, no quote, no expansion but a leading tilde."""
    return None if _OPERATORS.search(command) or not command.split() else command.split()


def external(command: str) -> list[str] | None:
    """The same, where a wrapper program can start it."""
    words = simple(command)
    return words if words and words[0] not in _BUILTINS else None


def one_line(command: str) -> bool:
    return "\n" not in command and "#" not in command


def removal(command: str) -> tuple[str, str] | None:
    """The flags and the only target of a plain `rm`."""
    words = simple(command)
    if words and words[0] == "rm" and len(words) == 3 and re.fullmatch(r"-[rRf]+", words[1]):
        return words[1], words[2]
    return None


def before(text: str) -> Change:
    return lambda command: f"{text} {command}" if external(command) else None


def around(head: str, tail: str) -> Change:
    return lambda command: f"{head}{command}{tail}"


def quoted(head: str, tail: str = "") -> Change:
    return lambda command: f"{head}{shlex.quote(command)}{tail}"


def portable(change: Change) -> Change:
    """Only for commands that every shell knows."""
    return lambda command: None if _BASH_ONLY.search(command) else change(command)


def first(change: Callable[[str], str]) -> Change:
    """Write the name of the program in another way."""

    def changed(command: str) -> str | None:
        words = external(command)
        return f"{change(words[0])}{command[len(words[0]) :]}" if words and words[0].isalpha() else None

    return changed


def last_in_variable(command: str) -> str | None:
    words = external(command)
    return f"T={words[-1]}; {' '.join(words[:-1])} $T" if words and len(words) > 2 else None


def name_in_variable(command: str) -> str | None:
    words = external(command)
    return f"C={words[0]}; $C {' '.join(words[1:])}" if words and len(words) > 1 else None


def continued(command: str) -> str | None:
    words = simple(command)
    return " \\\n    ".join(words) if words and len(words) > 1 else None


def spread(command: str) -> str | None:
    words = simple(command)
    return f"  {words[0]}\t" + "   ".join(words[1:]) if words and len(words) > 1 else None


def git_option(option: str) -> Change:
    return lambda command: f"git {option} {command[4:]}" if external(command) and command.startswith("git ") else None


def flags(text: str) -> Change:
    def changed(command: str) -> str | None:
        found = removal(command)
        return f"rm {text} {found[1]}" if found and {"r", "f"} <= set(found[0].lower()) else None

    return changed


def flags_last(command: str) -> str | None:
    found = removal(command)
    return f"rm {found[1]} {found[0]}" if found else None


def through(head: str, tail: str) -> Change:
    """Give the only target of an `rm` to a program that calls it."""

    def changed(command: str) -> str | None:
        found = removal(command)
        return f"{head.format(target=found[1])}rm {found[0]}{tail}" if found else None

    return changed


def home(text: str) -> Change:
    def changed(command: str) -> str | None:
        words = simple(command)
        if not words or not any(word.startswith("~/") for word in words):
            return None
        return " ".join(f"{text}{word[1:]}" if word.startswith("~/") else word for word in words)

    return changed


def doubled(command: str) -> str | None:
    words = simple(command)
    if not words or words[0] not in {"rm", "mv", "cp", "chmod", "chown", "find"}:
        return None
    return " ".join(word if word[0] in "-+" or "/" not in word else word.replace("/", "//./", 1) for word in words)


def dotted(command: str) -> str | None:
    found = removal(command)
    return f"rm {found[0]} ./{found[1]}" if found and found[1][0].isalpha() else None


def in_python(command: str) -> str | None:
    program = f"import os; os.system({command!r})"
    return f"python3 -c {shlex.quote(program)}"


def in_node(command: str) -> str | None:
    if not one_line(command) or '"' in command or "\\" in command:
        return None
    program = f'require("child_process").execSync("{command}")'
    return f"node -e {shlex.quote(program)}"


def from_base64(command: str) -> str | None:
    return f"echo {base64.b64encode(command.encode()).decode()} | base64 -d | bash"


def ended(text: str) -> Change:
    """Something after a command that stands on one line."""
    return lambda command: f"{command}{text}" if one_line(command) and command[-1] not in "&;" else None


SAME: dict[str, tuple[Change, ...]] = {
    "wrapper": (
        *(before("sudo"), before("timeout 60"), before("nohup"), before("nice -n 10"), before("time")),
        *(before("env LC_ALL=C"), before("command"), before("setsid -w"), before("stdbuf -oL"), before("sudo -E env")),
    ),
    "env prefix": (before("LANG=C"), before("A=1 B='two words'"), before("DEBUG= CI=1")),
    "shell": (quoted("bash -c "), portable(quoted("sh -c ")), quoted("bash -lc "), quoted("bash -euo pipefail -c ")),
    "eval": (
        quoted("eval "),
        quoted("printf '%s\\n' ", " | bash"),
        quoted("bash <<< "),
        portable(quoted("echo ", " | sh")),
    ),
    "heredoc": (
        around(f"bash <<'{_END}'\n", f"\n{_END}"),
        around(f"cat <<'{_END}' | bash\n", f"\n{_END}"),
        portable(around(f"sh -s <<'{_END}'\n", f"\n{_END}")),
    ),
    "group": (
        *(around("(\n", "\n)"), around("{\n", "\n}"), around("if true; then\n", "\nfi")),
        *(around("for _ in 1; do\n", "\ndone"), around("f() {\n", "\n}\nf"), around("while :; do\n", "\nbreak\ndone")),
    ),
    "chain": (
        *(around("cd . && ", ""), around("true; ", ""), around("false || ", ""), around("set -e\n", "\necho ok")),
        *(ended(" && echo done"), ended(" || true"), ended("; echo $?")),
    ),
    "redirect": (ended(" > /dev/null 2>&1"), ended(" 2>&1 | tail -5"), ended(" & wait"), ended("  # tidy up")),
    "substitution": (around('echo "$(\n', '\n)"'), around("x=$(\n", "\n)"), around(": <(\n", "\n)")),
    "quoted name": (
        *(first(lambda name: f'"{name}"'), first(lambda name: f"{name[0]}''{name[1:]}"), first(lambda n: f"\\{n}")),
        *(first(lambda name: f"{name[0]}\\\n{name[1:]}"), first(lambda name: f"{name[:1]}'{name[1:]}'")),
    ),
    "escapes": (
        first(lambda name: "$'" + "".join(f"\\x{ord(letter):02x}" for letter in name) + "'"),
        first(lambda name: "$'" + "".join(f"\\{ord(letter):03o}" for letter in name) + "'"),
    ),
    "path of the program": (
        *(first(lambda name: f"/usr/bin/{name}"), first(lambda name: f"/bin/{name}")),
        first(lambda name: f"/usr/bin/../bin/{name}"),
    ),
    "variable": (last_in_variable, name_in_variable),
    "layout": (continued, spread),
    "git options": (git_option("-C ."), git_option("--no-pager"), git_option("-c color.ui=never")),
    "flags": (
        *(flags("-r -f"), flags("-fr"), flags("--recursive --force"), flags("-f -v -R"), flags("-rf --"), flags_last),
    ),
    "passed on": (
        *(through("echo {target} | xargs ", ""), through("find {target} -maxdepth 0 -exec ", " {{}} +")),
        through("for t in {target}; do ", ' "$t"; done'),
    ),
    "path": (home("$HOME"), home('"${HOME}"'), home("/home/dev"), doubled, dotted),
    "program": (portable(in_python), portable(in_node)),
    "base64": (from_base64,),
}
"""By class. What nobody types for an innocent reason (`DISGUISES`) is made of destructive commands only."""

_TWICE = ("shell", "eval", "heredoc", "group", "chain", "redirect", "substitution", "wrapper", "env prefix")
DISGUISES = frozenset({"base64", "escapes"})

MENTIONS: tuple[Change, ...] = (
    *(quoted("echo "), quoted("git commit -m "), quoted("grep -rnF -- ", " ."), quoted("gh issue create -t x -b ")),
    *(quoted("printf '%s\\n' ", " >> docs/notes.md"), quoted("rg -n --fixed-strings ", " src"), quoted(": ")),
    *(quoted("npx vitest run -t "), quoted("git log --oneline -S"), quoted("V=", '; echo "$V"')),
    around(f"cat > docs/danger.md <<'{_END}'\n", f"\n{_END}"),
    around(f"git commit -F - <<'{_END}'\nNever run this:\n\n    ", f"\n{_END}"),
    around(f"gh pr create --title Docs --body \"$(cat <<'{_END}'\n", f'\n{_END}\n)"'),
    quoted("python3 -c 'import sys; print(sys.argv[1])' "),
    quoted("jq -n --arg c ", " '{command: $c}'"),
)


@dataclass(frozen=True, slots=True)
class Mutation:
    """A case that was made of another; `kind` is the class of the change."""

    case: Case
    kind: str


def mutations(case: Case, most: int, salt: str = "") -> Iterator[Mutation]:
    """So many different mutations of a command, the same ones for the same salt; then one made of two changes, and of a
    destructive command one mention."""
    if not _is_balanced(case.command) or _END in case.command:
        return
    chance = random.Random(hashlib.sha256(f"{salt}{case.command}".encode()).digest())
    kinds = [kind for kind in SAME if case.destructive or kind not in DISGUISES]
    if "alias " in case.command:
        kinds = [kind for kind in kinds if kind not in _PARSED_AS_ONE]
    made: list[str] = []
    for kind in chance.sample(kinds, len(kinds)):
        text = _changed(case.command, kind, chance)
        if text is not None and text != case.command:
            yield Mutation(replace(case, command=text), kind)
            made.append(text)
        if len(made) == most:
            break
    again = _changed(made[-1], chance.choice(_TWICE), chance) if made and "alias " not in case.command else None
    if most > 1 and again is not None and made[-1].count(_END) == 0:
        yield Mutation(replace(case, command=again), "two at once")
    if case.destructive:
        said = chance.choice(MENTIONS)(case.command)
        if said is not None:
            yield Mutation(replace(case, command=said, destructive=False, needs_scene=False), "mention")


def _changed(command: str, kind: str, chance: random.Random) -> str | None:
    changes = SAME[kind]
    for change in chance.sample(changes, len(changes)):
        if (text := change(command)) is not None:
            return text
    return None


def _is_balanced(command: str) -> bool:
    """Does the shell find the end of every quote? What is broken is not mended by a mutation."""
    try:
        return "<<" in command or bool(shlex.split(command))
    except ValueError:
        return False
