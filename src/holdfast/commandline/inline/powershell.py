"""What a PowerShell program removes: `Remove-Item` in all its spellings, and what a list before it names. Pure; linear.

Everything else in such a program is read as a line of a shell is.
"""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterator, Sequence

from holdfast.commandline.inline.calls import FileCall
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

PROGRAMS = frozenset({"pwsh", "powershell"})
_REMOVES = listed("remove-item ri rm del erase rd rmdir clear-content clc")
_LISTS = listed("get-childitem gci ls dir get-item gi")
_STATEMENT = lazy_pattern(r"(?:'[^'\n]*'|\"[^\"\n]*\"|[^;\n{}'\"])+")
_STAGE = lazy_pattern(r"(?:'[^'\n]*'|\"[^\"\n]*\"|[^|'\"])+")
_WORD = lazy_pattern(r"'([^'\n]*)'|\"([^\"\n]*)\"|([^\s,'\"()]+)|(,)")
_PATH = lazy_pattern(r"-(?:p|pa|pat|path|lp|literalpath|pspath)\Z")
_VALUE = lazy_pattern(
    r"-(?:fi\w*|include|exclude|ea|erroraction|errorvariable|ev|wa|warningaction|stream|credential|depth|attributes)\Z"
)
_TRIES = lazy_pattern(r"-(?:wi|wha\w*)(?::\$?true)?\Z")
_NO_FILES = lazy_pattern(r"(?:env|alias|variable|function|cert|wsman):")
_SERVICES = lazy_pattern(
    r"(?i)\b(?:remove|clear|uninstall|disable|revoke)-(?:ad|az|mg|ec2|s3|rds|ddb|iam|vm|mailbox|msol|spo|pnp|team|dns|dfs|smbshare|"
    r"localuser|sqldatabase|dbadatabase|clus|exo|aws|gcs|gce|hv|computer|recyclebin)[a-z]*\b(?![^;\n|]*-whatif)"
)
"""Commands that take something away from others, at a service or in a directory."""
_REQUESTS = lazy_pattern(
    r"(?i)\b(?:invoke-restmethod|invoke-webrequest|irm|iwr)\b(?=[^;\n|]{0,600}-method\s+['\"]?delete\b)"
    r"(?![^;\n|]{0,600}://(?:localhost|127\.0\.0\.1|\[::1\]))"
)
_ENDS_ALL = lazy_pattern(
    r"(?i)\b(?:get-process|gps|ps)\s{0,20}\|\s{0,20}(?:stop-process|spps|kill)\b(?![^;\n|]*-whatif)"
)
_WEAKENS = lazy_pattern(
    r"(?i)\b(?:set|add)-mppreference\b[^;\n|]{0,200}-disable\w+\s+(?:\$true|1)\b|"
    r"\bset-netfirewallprofile\b[^;\n|]{0,200}-enabled\s+(?:\$?false|0)\b"
)
_SECRETS = lazy_pattern(
    r"(?i)\b(?:get-childitem|gci|ls|dir|get-item)\s+(?:-path\s+)?env:|\[environment\]::getenvironmentvariables|"
    r"(?:-infile|get-content|gc|cat|type)\s+(?:-\w+\s+)?[\"']?\S{0,100}(?:\.ssh[/\\](?!\S*\.pub)|\.aws[/\\]|\.env\b(?!\.example)|id_rsa|id_ed25519)"
)
_POSTS = lazy_pattern(
    r"(?i)\b(?:invoke-restmethod|invoke-webrequest|irm|iwr|send-mailmessage)\b(?![^;\n]{0,600}://(?:localhost|127\.0\.0\.1))"
)
_FETCHED = lazy_pattern(
    r"(?i)\b(?:iex|invoke-expression)\b[^;\n|]{0,60}?\b(?:irm|iwr|curl|wget|invoke-restmethod|invoke-webrequest|downloadstring)\b"
    r"[^;\n|]{0,60}?(https?://[^\s'\")]{1,300})|"
    r"\b(?:irm|iwr|curl|wget|invoke-restmethod|invoke-webrequest)\b[^;\n|]{0,200}?(https?://[^\s'\")|]{1,300})[^;\n|]{0,100}"
    r"\|(?:\s{0,20}(?:select(?:-object)?|%|foreach-object)\s[^;\n|]{0,60}\|)?\s{0,20}(?:iex|invoke-expression)\b"
)
_DOTNET = lazy_pattern(
    r"(?i)\[(?:system\.)?io\.(?:file|directory)\]::(?:delete|writeall\w+)\(\s*(?:'([^'\n]*)'|\"([^\"\n]*)\"|([^,)\n]+))"
)
"""`[IO.Directory]::Delete('src', $true)`."""
_METHOD = lazy_pattern(r"(?i)\(\s*(?:get-item|gi|get-childitem|gci|dir|ls)\s+([^()\n]+)\)\.delete\(")
"""`(Get-Item src).Delete()`."""
_HOMES = ("$home", "$env:userprofile", "${home}", "$env:home")
_TEMPORARY = ("$env:temp", "$env:tmp", "$env:tmpdir", "[system.io.path]::gettemppath")


def deletes_at_service(text: str) -> bool:
    """Does it remove users, machines or data of a service?"""
    return any(pattern.search(text) is not None for pattern in (_SERVICES, _REQUESTS, _WEAKENS, _ENDS_ALL))


def fetched(text: str) -> str | None:
    """The address of a script that it gets from the network and runs at once: `iex (irm https://…)`."""
    match = _FETCHED.search(text)
    return match[1] or match[2] if match is not None else None


def sends_secrets(text: str) -> bool:
    """Does it send the environment, or a file with secrets, to another machine?"""
    return _SECRETS.search(text) is not None and _POSTS.search(text) is not None


def read(text: str) -> tuple[list[FileCall], str]:
    """What a program removes, and the program without these commands."""
    found: list[FileCall] = []
    rest: list[str] = []
    for statement in _STATEMENT.findall(text):
        before: list[str] = []
        kept: list[str] = []
        for stage in _STAGE.findall(statement):
            words = list(_words(stage))
            name = next((word.lower() for word in words if word != ","), "")
            if name in ("get-help", "help", "get-command", "gcm"):
                before = []
                continue
            if name in _REMOVES:
                found += _removed(words[1:], before)
            else:
                found += _by_method(stage)
                kept.append(_as_shell(name, words[1:]) or stage)
            before = words
        rest.append("|".join(kept))
    return found, ";".join(rest).replace("\\", "/")


_TARGETS = {
    ":>": listed("set-content sc out-file"), ":>>": listed("add-content ac"),
    "mv": listed("move-item mi mv move rename-item rni ren"), "cp": listed("copy-item cpi cp copy"),
}  # fmt: skip
"""What writes, moves and copies files, each with what a shell calls it."""


def _as_shell(name: str, words: Sequence[str]) -> str:
    """`Set-Content ~/.bashrc x`, `Move-Item a b` as a shell writes it; '' for any other command."""
    program = next((each for each, names in _TARGETS.items() if name in names), "")
    if not program or any(_TRIES.match(word.lower()) for word in words):
        return ""
    named = next((word for before, word in itertools.pairwise(words) if _FILE.match(before.lower())), "")
    others = [word for word in (_operands(words)[0]) if word != named]
    told = [named, *others] if named else others
    paths = [_path(word)[0] for word in told[: 1 if program[0] == ":" else 2]]
    quoted = [path if path.startswith(("~", "$")) and " " not in path else shlex.quote(path) for path in paths]
    return f"{program} {' '.join(quoted)}" if quoted and (program[0] == ":" or len(quoted) > 1) else ""


_FILE = lazy_pattern(r"-(?:pa(?:th)?|filepath|literalpath|lp)\Z")


def _by_method(stage: str) -> Iterator[FileCall]:
    """What a class or a method of .NET removes."""
    for single, double, plain in _DOTNET.findall(stage):
        path, known = _path(single or double or plain.strip())
        yield FileCall(path, known, recursive=True)
    for listed_in in _METHOD.findall(stage):
        for target in _operands(list(_words(listed_in)))[0]:
            path, known = _path(target)
            yield FileCall(path, known, recursive=True)


def _words(stage: str) -> Iterator[str]:
    for single, double, plain, comma in _WORD.findall(stage):
        yield single or double or plain or comma


def _operands(words: Sequence[str]) -> tuple[list[str], dict[str, list[str]]]:
    """What a command is about, and the values of its other options."""
    targets: list[str] = []
    values: dict[str, list[str]] = {}
    option = ""
    for word, comma in zip(words, (*(each == "," for each in words[1:]), False), strict=False):
        if word == ",":
            continue
        if word.startswith("-") and not word[1:2].isdigit():
            option = word.lower()
            continue
        if _VALUE.match(option):
            values.setdefault(option[:3], []).append(word)
            option = option if comma else ""
            continue
        else:
            targets.append(word)
        option = option if _PATH.match(option) else ""
    return targets, values


def _removed(words: Sequence[str], before: Sequence[str]) -> Iterator[FileCall]:
    if any(_TRIES.match(word.lower()) for word in words):
        return
    tree = any(word.lower().startswith("-r") for word in words)
    targets, _ = _operands(words)
    if not targets and before and before[0].lower() in _LISTS:
        listed_in, values = _operands(before[1:])
        patterns = values.get("-fi") or values.get("-in") or []
        for folder in listed_in or ["."]:
            path, known = _path(folder)
            for pattern in patterns or [""]:
                yield FileCall(f"{path.rstrip('/*')}/<found {pattern}>" if pattern else path, known, recursive=True)
        return
    if not targets and before:
        yield FileCall("$(input)", known=False, recursive=tree)
    for target in targets:
        if not _NO_FILES.match(target.lower()):
            path, known = _path(target)
            yield FileCall(path, known, tree)


def _path(word: str) -> tuple[str, bool]:
    """A path as a shell writes it, and whether it is known."""
    plain = word.strip("()").replace("\\", "/")
    low = plain.lower()
    for name in _HOMES:
        if low == name or low.startswith(f"{name}/"):
            return f"~{plain[len(name) :]}", True
    for name in _TEMPORARY:
        if low.startswith(f"{name}/"):
            return f"$TMPDIR{plain[len(name) :]}", True
    for name in ("$psscriptroot", "$pwd"):
        if low == name or low.startswith(f"{name}/"):
            return f".{plain[len(name) :]}", True
    return plain, re.search(r"\$", plain) is None
