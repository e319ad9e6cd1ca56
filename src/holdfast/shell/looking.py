"""Which command lines only look around: nothing is changed by them, and nothing is open when they fail. Pure."""

from __future__ import annotations

from holdfast.shell.script import Command, Script
from holdfast.shell.tools import listed

HARMLESS = listed(
    "cat head tail less more bat sed awk nl wc stat file ls tree pwd du df readlink realpath basename dirname diff cmp"
    " jq yq cut sort uniq column grep egrep fgrep rg ag ack find fd locate which whereis type cd echo printf true test"
    " [ sleep date env whoami uname ps tee xargs time set export"
)
GIT_LOOKS = frozenset({"status", "diff", "log", "show", "blame", "branch", "remote", "rev-parse", "ls-files", "grep"})
_ASKS = listed("curl wget http https ping dig nslookup host nc telnet lsof ss netstat pgrep man command exit false")
_INLINE = {
    "python": ("-c",), "python3": ("-c",), "node": ("-e", "-p", "--eval", "--print"), "ruby": ("-e",),
    "perl": ("-e", "-E"), "php": ("-r",), "deno": ("eval",), "bun": ("-e",), "Rscript": ("-e",), "julia": ("-e",),
}  # fmt: skip


def looks(command: Command) -> bool:
    """Does a command only show something?"""
    if not command.program or command.program in HARMLESS:
        return True
    return command.program == "git" and bool(command.texts[:1]) and command.texts[0] in GIT_LOOKS


def only_tries(script: Script) -> bool:
    """Does the whole line only look, ask a server or run a few words of a program: a reproduction, a health check?"""
    return all(looks(each) or _tries(each) for each in script.top)


def _tries(command: Command) -> bool:
    if command.program in _ASKS:
        return True
    flags = _INLINE.get(command.program)
    return flags is not None and (not command.texts or command.texts[0] in (*flags, "-", "--version", "-V"))
