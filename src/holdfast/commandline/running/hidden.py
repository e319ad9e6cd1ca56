"""A command behind the words of a program that nothing here knows: `retry -- rm -rf ~/x`, `wsl -e bash -c …`. Pure.

What a stranger does with its words is not known. Where they read as a command that destroys, they are taken for one.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from holdfast.commandline.model import Arg, Run
from holdfast.commandline.running.inner import Inner
from holdfast.shell.tools import listed
from holdfast.shell.wrappers import SHELLS

_INTERPRETERS = listed("python python3 node ruby perl php")
_REMOVES = listed("rm shred srm wipe")
_OTHERS = listed(
    "dd find git kubectl terraform tofu helm aws gcloud az docker podman psql mysql mongosh redis-cli dropdb npm "
    "cargo twine gh wipefs mkfs sudo doas env timeout nice nohup xargs truncate rsync eval"
)
NAMES = SHELLS | _INTERPRETERS | _REMOVES | _OTHERS
"""Names that make a second look worth its time."""
_INLINE = re.compile(r"-[A-Za-z]*[cer]\Z|--(?:eval|command)\Z")
_FAR = ("~", "/", "$HOME", "${HOME}", "..", "'", '"')
ONLY_SAY = SHELLS | listed(
    "echo printf grep egrep fgrep zgrep rg ag ack man info tldr cheat which whereis type whatis apropos hash help ls "
    "cat less more head tail wc sort uniq stat file test [ [[ expr export alias unalias declare local readonly "
    "typeset unset logger say notify-send figlet cowsay apt apt-get dnf yum zypper pacman brew apk snap port "
    "dpkg rpm pip pip3 pipx npm pnpm yarn cargo gem go conda mamba choco winget scoop asdf hg svn jj bzr fossil gh "
    "glab hub ps pgrep pkill killall pidof kill cd pushd mkdir touch cp mv ln chmod chown rmdir tr cut diff comm cmp "
    "curl wget scp rg fd jq yq set unset trap return exit true false : basename dirname realpath readlink date id "
    "getopt getopts let select history compgen complete zcat tar zip unzip strings nm ldd objdump readelf make gmake "
    "just task rake mix bazel gradle mvn pytest jest vitest mocha cypress playwright code vim vi nano emacs open xdg- "
    "open pbcopy xclip read mapfile"
)
"""Programs whose words are texts, names or patterns, or that are read elsewhere."""
_MOST = 40


def command(run: Run) -> Iterator[Inner]:
    """What a program that is not known may run."""
    if run.program in ONLY_SAY:
        return
    judged = False
    for place, arg in enumerate(run.args[:_MOST]):
        judged = judged or arg.text in _JUDGE
        if arg.text in _ONLY_TRIES:
            return
        name = posixpath.basename(arg.text)
        if (
            name in NAMES
            and arg.known
            and not arg.text.endswith("/")
            and _reads_as_command(name, run.args[place + 1 : place + _MOST])
        ):
            yield Inner(run.args[place:])
            return
        text = arg.text.partition("=")[2] if arg.text.startswith("--") else arg.text
        before = run.args[place - 1].text if place else ""
        given = arg.text != text or before.startswith("-") or before in _GIVES
        if given and not judged and before not in _SPOKEN and begins_command(text):
            yield Inner(text=text, known=arg.known)


def begins_command(text: str) -> bool:
    """Is it more than a word, and begins with a name that is worth a second look?"""
    return " " in text and posixpath.basename(text.split(" ", 1)[0]) in NAMES


_ONLY_TRIES = ("--dry-run", "--dryrun")
_GIVES = ("exec", "run", "shell", "command", "shell-command", "watch")
_JUDGE = listed(
    "check explain lint judge verdict classify parse validate analyze analyse audit inspect simulate test policy score "
    "review describe"
)
"""Words behind which a command is looked at and not run: `guard check --command 'rm -rf ~'`."""
_SPOKEN = listed(
    "-m --message -t --title -b --body --description --notes --name -k --grep -p --prompt -g --text --summary "
    "--comment --reason --subject --label --query -q --arg --filter"
)
"""Options whose value is a text for people, or a pattern."""


def _reads_as_command(name: str, behind: Sequence[Arg]) -> bool:
    words = [arg.text for arg in behind]
    if name in _REMOVES:
        flags = [word for word in words if word.startswith("-")]
        return bool(flags) and words[0].startswith("-") and any(word.startswith(_FAR) for word in words)
    if name in SHELLS or name in _INTERPRETERS:
        return any(_INLINE.match(word) for word in words[:3])
    return bool(words)
