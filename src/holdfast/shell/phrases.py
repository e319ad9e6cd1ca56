"""One phrase for one command: `Committed: fix login`, `Installed httpx (pip)`, `Searched for 'TODO' in src (rg)`."""

from __future__ import annotations

import re
from collections.abc import Callable

from holdfast.shell.operands import operands
from holdfast.shell.recognise import ToolRun, recognise
from holdfast.shell.script import Command, Script
from holdfast.shell.tools import listed

_MARK = re.compile(r"\[scrubbed:[^\]\n]*\]")


def cut(text: str, longest: int) -> str:
    """On one line, no longer than that, never through a scrubbed mark."""
    plain = " ".join(text.split())
    if len(plain) <= longest:
        return plain
    end = longest - 1
    for mark in _MARK.finditer(plain):
        if mark.start() < end < mark.end():
            end = mark.start()
    return plain[:end].rstrip(" ,:") + "…"


def words_of(command: Command) -> list[str]:
    """The arguments that are no options."""
    return [word.text for word in operands(command)]


def word_of(command: Command) -> str:
    found = words_of(command)
    return found[0] if found else ""


def short(command: Command) -> str:
    """Two or three words that name a command: `docker push`, `kubectl apply`."""
    run = recognise(command)
    if run:
        return run.tool
    name = command.program or command.path
    word = word_of(command)
    if name in _RUN_SCRIPTS and word:
        return word.rsplit("/", 1)[-1]
    return f"{name} {word}" if word and re.fullmatch(r"[a-z][a-z-]*", word) and command.program not in _PATHS else name


def phrase(command: Command, script: Script, background: bool) -> str:
    if background:
        line = " ".join((command.program or command.path, *command.texts))
        return f"Started in the background: {line}"
    if command.program == "git":
        return _git(command, script)
    run = recognise(command)
    if run and run.kind == "install":
        return _install(run)
    made = _PHRASES.get(command.program)
    text = made(command) if made else ""
    return text or _default(command)


def _default(command: Command) -> str:
    if not (command.program or command.path):
        written = ", ".join(entry.target.text for entry in command.redirections if entry.mode in ("write", "append"))
        names = ", ".join(entry.name for entry in command.assignments)
        return f"Wrote {written}" if written else f"Set {names}"
    return " ".join(("Ran", command.program or command.path, *command.texts))


def _paths(command: Command) -> str:
    return ", ".join(words_of(command)[:4])


def _option(command: Command, *names: str) -> str | None:
    texts = command.texts
    for at, text in enumerate(texts):
        if text in names and at + 1 < len(texts):
            return texts[at + 1]
        for name in names:
            if name.startswith("--") and text.startswith(name + "="):
                return text[len(name) + 1 :]
    return None


def _git(command: Command, script: Script) -> str:
    words = words_of(command)
    if not words:
        return _default(command)
    word, rest = words[0], words[1:]
    if word == "commit":
        message = _message(command, script)
        return (
            f"Committed: {message}"
            if message
            else ("Amended the commit" if "--amend" in command.texts else "Committed")
        )
    if word in ("checkout", "switch"):
        fresh = _option(command, "-b", "-B", "--orphan") if word == "checkout" else _option(command, "-c", "--create")
        if fresh:
            return f"Created branch {fresh}"
        if "--" in command.texts:
            return "Restored " + ", ".join(command.texts[command.texts.index("--") + 1 :])
        return f"Switched to branch {rest[0]}" if len(rest) == 1 else _default(command)
    if word == "push":
        forced = any(text in ("-f", "--force", "--force-with-lease") for text in command.texts)
        return " ".join(("Force-pushed" if forced else "Pushed", *(("to", *rest) if rest else ())))
    plain = {
        "pull": "Pulled", "fetch": "Fetched", "clone": "Cloned", "merge": "Merged", "rebase": "Rebased onto",
        "add": "Staged", "rm": "Removed", "mv": "Moved", "restore": "Restored", "revert": "Reverted",
        "init": "Initialised", "cherry-pick": "Cherry-picked",
    }  # fmt: skip
    if word in plain and not any(text in ("--abort", "--continue", "--skip") for text in command.texts):
        target = " ".join(rest) or {"add": "everything", "init": "a git repository"}.get(word, "")
        return f"{plain[word]} {target}".rstrip() if target != "." else f"{plain[word]} everything"
    if word in ("status", "diff", "log", "show", "blame"):
        return " ".join((f"Looked at git {word}", *rest))
    return _default(command)


def _message(command: Command, script: Script) -> str:
    """The first line of a commit's message: from `-m`, from a heredoc in it, or from standard input."""
    given = next(
        (
            text
            for at, text in enumerate(command.texts)
            if at and re.fullmatch(r"-[a-z]*m|--message", command.texts[at - 1])
        ),
        _option(command, "--message"),
    )
    docs = list(command.heredocs)
    if given is None or given.startswith("$(cat"):
        index = next(at for at, other in enumerate(script.commands) if other is command)
        docs += [doc for other in script.commands if other.parent == index for doc in other.heredocs]
        given = docs[0].body if docs else (None if given is None else "")
    lines = [line.strip() for line in (given or "").splitlines() if line.strip()]
    return lines[0] if lines else ""


def _install(run: ToolRun) -> str:
    manager = run.tool.rsplit(" ", 1)[0]
    packages = [text for text in run.arguments if not text.startswith("-")]
    files = [
        run.arguments[at + 1] for at, text in enumerate(run.arguments[:-1]) if text in ("-r", "--requirement", "-e")
    ]
    packages = [name for name in packages if name not in files]
    word = run.tool.rsplit(" ", 1)[-1]
    verb = {"uninstall": "Removed", "remove": "Removed", "update": "Updated", "upgrade": "Updated"}.get(
        word, "Installed"
    )
    if manager == "go" and word == "mod":
        return "Tidied the go modules"
    what = ", ".join(packages or [f"from {name}" if name.endswith((".txt", ".in")) else name for name in files])
    return f"{verb} {what or 'the dependencies'} ({manager})"


def _search(command: Command) -> str:
    words = words_of(command)
    pattern = _option(command, "-e", "--regexp")
    if pattern is None and words:
        pattern, words = words[0], words[1:]
    if pattern is None:
        return "Listed files (rg)" if "--files" in command.texts else ""
    where = f" in {', '.join(words[:3])}" if words else ""
    return f"Searched for '{pattern}'{where} ({command.program})"


def _find(command: Command) -> str:
    name = _option(command, "-name", "-iname", "-path", "-regex")
    where = word_of(command) or "."
    verb = "Deleted" if "-delete" in command.texts else "Looked for"
    if name:
        return f"{verb} '{name}' in {where} (find)"
    return (
        f"Listed {where} (find)" if verb == "Looked for" and not any("-exec" in text for text in command.texts) else ""
    )


def _listing(command: Command) -> str:
    return f"Listed {_paths(command) or 'the directory'}"


def _transfer(verb: str) -> Callable[[Command], str]:
    def made(command: Command) -> str:
        words = words_of(command)
        return f"{verb} {', '.join(words[:-1])} to {words[-1]}" if len(words) > 1 else ""

    return made


def _simple(verb: str) -> Callable[[Command], str]:
    def made(command: Command) -> str:
        paths = _paths(command)
        return f"{verb} {paths}" if paths else ""

    return made


def _cat(command: Command) -> str:
    written = [entry.target.text for entry in command.redirections if entry.mode in ("write", "append")]
    if written:
        added = all(entry.mode != "write" for entry in command.redirections)
        return f"{'Added to' if added else 'Wrote'} {', '.join(written)}"
    return _simple("Read")(command)


def _sed(command: Command) -> str:
    edits = any(text.startswith(("-i", "--in-place")) for text in command.texts)
    words = words_of(command)
    files = words if _option(command, "-e") else words[1:]
    return f"{'Edited' if edits else 'Read'} {', '.join(files)} (sed)" if files else ""


def _curl(command: Command) -> str:
    address = next((text for text in command.texts if "://" in text), word_of(command))
    return f"Fetched {address} ({command.program})" if address else ""


def _change(verb: str) -> Callable[[Command], str]:
    def made(command: Command) -> str:
        words = words_of(command)
        return f"{verb} {', '.join(words[1:])} ({command.program} {words[0]})" if len(words) > 1 else ""

    return made


_RUN_SCRIPTS = listed("bash sh zsh python python3 node ruby perl deno php tsx source .")
_PHRASES: dict[str, Callable[[Command], str]] = {
    "rg": _search, "grep": _search, "egrep": _search, "ag": _search, "ack": _search, "find": _find, "fd": _search,
    "ls": _listing, "tree": _listing, "exa": _listing, "eza": _listing,
    "rm": _simple("Removed"), "rmdir": _simple("Removed"), "unlink": _simple("Removed"), "rimraf": _simple("Removed"),
    "mkdir": _simple("Created"), "touch": _simple("Touched"), "cp": _transfer("Copied"), "mv": _transfer("Moved"),
    "ln": _transfer("Linked"), "rsync": _transfer("Copied"), "cat": _cat, "tee": _cat, "head": _simple("Read"),
    "tail": _simple("Read"), "less": _simple("Read"), "wc": _simple("Counted"), "sed": _sed, "curl": _curl,
    "wget": _curl, "chmod": _change("Changed the mode of"), "chown": _change("Changed the owner of"),
    "cd": _simple("Went to"), "kill": _simple("Ended process"), "diff": _simple("Compared"),
}  # fmt: skip
_PATHS = frozenset(_PHRASES)
