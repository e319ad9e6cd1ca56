"""What a call of git runs besides git: aliases, hooks, and the settings, options and addresses that take a command.

Pure."""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field

from holdfast.commandline.model import Run
from holdfast.patterns import lazy_pattern

_ALIAS = re.compile(r"alias\.([^=]+)=(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class GitSettings:
    """Settings that hold for one call of git."""

    by_environment: list[str] = field(default_factory=list)
    aliases: dict[str, str] = field(default_factory=dict)


def git_call(run: Run) -> tuple[GitSettings, str, str]:
    """(settings, the subcommand or alias, the words after it) of a call of git."""
    named = dict(run.environment)
    found = [value.text for name, value in named.items() if name.startswith("GIT_CONFIG_PARAMETERS")]
    for name, value in named.items():
        if name.startswith("GIT_CONFIG_KEY_"):
            of = named.get(f"GIT_CONFIG_VALUE_{name[15:]}")
            found.append(f"{value.text}={of.text if of else ''}")
    settings = GitSettings([piece.strip("'") for setting in found for piece in setting.split("' '")])
    args, place = run.args, 0
    while place < len(args) and args[place].text.startswith("-"):
        text = args[place].text
        if text == "-c" and place + 1 < len(args):
            found.append(args[place + 1].text)
        elif text.startswith("-c") and len(text) > 2:
            found.append(text[2:])
        place += 2 if text in ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env") else 1
    for setting in found:
        for piece in [setting, *re.findall(r"'([^']*)'", setting)]:
            if match := _ALIAS.match(piece):
                settings.aliases[match[1].lower()] = match[2]
    name = args[place].text.lower() if place < len(args) else ""
    return settings, name, " ".join(shlex.quote(arg.text) for arg in args[place + 1 :])


_OPTIONS_THAT_RUN = {
    "rebase": ("-x", "--exec"), "difftool": ("-x", "--extcmd"), "clone": ("-u", "--upload-pack"),
    "fetch": ("--upload-pack",), "pull": ("--upload-pack",), "ls-remote": ("--upload-pack", "--exec"),
    "push": ("--receive-pack", "--exec"), "archive": ("--exec",), "grep": ("-O", "--open-files-in-pager"),
    "send-pack": ("--receive-pack", "--exec"), "fetch-pack": ("--upload-pack", "--exec"),
}  # fmt: skip
"""Options of git's commands whose value it runs."""
_EXTERNAL = lazy_pattern(r"ext::(.+)", re.DOTALL)
"""An address that is a command; a blank in a word of it is written as `% `."""
_BLANK = lazy_pattern(r"(?<!%) ")


def git_commands(run: Run) -> Iterator[str]:
    """Command lines that a call of git is given: by settings, or by words that take a command."""
    args, place = run.args, 0
    while place < len(args) and args[place].text.startswith("-"):
        text = args[place].text
        if text == "-c" and place + 1 < len(args):
            yield args[place + 1].text
        place += 2 if text in ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env") else 1
    name = args[place].text.lower() if place < len(args) else ""
    rest = args[place + 1 :]
    words = [arg.text for arg in rest]
    if name == "submodule" and "foreach" in words:
        behind = [word for word in words[words.index("foreach") + 1 :] if word not in ("--recursive", "-q", "--quiet")]
        yield " ".join(behind)
    elif name == "bisect" and words[:1] == ["run"]:
        yield " ".join(shlex.quote(word) for word in words[1:])
    wanted = _OPTIONS_THAT_RUN.get(name, ())
    for option, value in itertools.pairwise((*words, "")):
        long, sign, told = option.partition("=")
        if option in wanted and not (name == "grep" and option.startswith("-")):
            yield value
        elif sign and long in wanted:
            yield told
        elif option[:2] in wanted and option[2:] and option[1] != "-":  # `git grep -O'less -R'`
            yield option[2:]
        elif address := _EXTERNAL.match(option):
            yield shlex.join(word.replace("% ", " ") for word in _BLANK.split(address[1]))
    if name == "config":  # `git config core.pager 'less -R'` is `-c core.pager='less -R'` for every later call
        yield from (f"{setting}={value}" for setting, value in itertools.pairwise(words) if "." in setting[1:])
    if name == "filter-branch":
        yield from (value for option, value in itertools.pairwise(words) if option.endswith("-filter"))


_HOOKS = (
    *("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-push", "post-checkout", "post-merge"),
    *("pre-rebase", "post-rewrite", "pre-merge-commit"),
)


def linked_hooks(run: Run) -> Iterator[str]:
    """Scripts that become hooks of git: `ln -s ../../scripts/check .git/hooks/pre-commit`."""
    words = [arg.text for arg in run.args if not arg.text.startswith("-")]
    if len(words) == 2 and ".git/hooks" in words[1]:
        yield words[0].removeprefix("../../")


def git_hooks(run: Run) -> Iterator[str]:
    """Scripts of the folder that a call of git names for hooks: `git config core.hooksPath .githooks`."""
    for place, text in enumerate(run.texts):
        name, _, value = text.partition("=")
        if name.lower() == "core.hookspath":
            folder = value or (run.texts[place + 1] if place + 1 < len(run.args) else "")
            yield from (f"{folder.rstrip('/')}/{hook}" for hook in _HOOKS if folder)
