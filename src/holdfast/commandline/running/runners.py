"""What a program runs in its turn, by its arguments: one table, and one default for all that it does not tell. Pure.

A reader of the table knows the words of its program (`ssh HOST CMD`, `npx TOOL`, `op run -- CMD`). Where it finds
nothing, and for a program that nothing here knows, words that read as a command that destroys are taken for one
(`hidden`).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from holdfast.commandline.model import Arg, Run
from holdfast.commandline.running import hidden
from holdfast.commandline.running.containers import container
from holdfast.commandline.running.given_commands import GIVEN
from holdfast.commandline.running.inner import Inner, after_options
from holdfast.commandline.running.list_runs import fd, find, parallel, xargs
from holdfast.shell.tools import listed

_SSH_VALUES = listed("-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w")


def _ssh(run: Run) -> Iterator[Inner]:
    behind = after_options(run.args, _SSH_VALUES)[1:]
    if behind and behind[0].text == "--":
        behind = behind[1:]
    if behind:
        known = all(arg.known for arg in behind)
        yield Inner(
            text=" ".join(arg.text for arg in behind),
            known=known,
            remote=run.program,
            stdin=run.stdin,
            takes_input=True,
        )
    elif run.stdin is not None:
        yield Inner(text=run.stdin, remote=run.program)


def _typed(run: Run) -> Iterator[Inner]:
    """`echo 'write erase' | telnet sw1`: what is typed at a machine that may have no shell."""
    if run.stdin is not None:
        yield Inner(text=run.stdin[:_LONGEST_TYPED], remote=run.program)


_LONGEST_TYPED = 4_000


def _watch(run: Run) -> Iterator[Inner]:
    behind = after_options(run.args, frozenset({"-n", "--interval"}))
    if behind:
        yield Inner(tuple(behind))
        yield Inner(text=" ".join(arg.text for arg in behind))


def _windows(run: Run) -> Iterator[Inner]:
    """`cmd /c "rd /s /q C:\\x"`."""
    place = next((n for n, arg in enumerate(run.args) if re.fullmatch(r"(?i)/{1,2}[ck]", arg.text)), None)
    if place is not None and run.args[place + 1 :]:
        behind = run.args[place + 1 :]
        if len(behind) == 1:
            yield Inner(text=behind[0].text.replace("\\", "/"), known=behind[0].known)
        else:
            yield Inner(tuple(behind))


def _script(run: Run) -> Iterator[Inner]:
    """`script -c 'cmd'`, `flock f -c 'cmd'`."""
    for option, arg in itertools.pairwise(run.args):
        if option.text == "--command" or re.fullmatch(r"-[A-Za-z]*c", option.text):
            yield Inner(text=arg.text, known=arg.known)


def _strings(run: Run) -> Iterator[Inner]:
    """Programs that take command lines as arguments: `hyperfine 'cmd'`, `tmux new-session -d 'cmd'`."""
    for arg in run.args:
        if " " in arg.text and not arg.text.startswith("-"):
            yield Inner(text=arg.text, known=arg.known)


def _screen(run: Run) -> Iterator[Inner]:
    """`screen -dm CMD …`."""
    yield from _strings(run)
    rest = after_options(run.args, {"-S", "-c", "-e", "-h", "-p", "-s", "-t", "-T", "-X"})
    if rest and not any(arg.text == "-X" for arg in run.args):
        yield Inner(tuple(rest))


def _scheduled(run: Run) -> Iterator[Inner]:
    """`at now`, `batch`: the commands come by standard input."""
    if run.stdin is not None:
        yield Inner(text=run.stdin)


def _package(run: Run) -> Iterator[Inner]:
    """`npx TOOL …`, `pnpm dlx TOOL …`, `uvx TOOL …`, `python -m TOOL …`: the tool is what runs."""
    args = list(run.args)
    verbs = _PACKAGE_VERBS.get(run.program)
    if verbs is not None:
        while args and args[0].text.startswith("-"):
            args = args[2 if args[0].text in ("-C", "--dir", "--cwd", "-w", "--workspace") else 1 :]
        if not args or args[0].text not in (*verbs, *_BINARIES.get(run.program, ())):
            return
        args = args[1:] if args[0].text in verbs else args
        if run.program == "mise" and (dashes := next((n for n, arg in enumerate(args) if arg.text == "--"), None)):
            args = args[dashes + 1 :]  # before it stand the tools that it needs
    rest = list(after_options(args, frozenset({"-p", "--package", "-c", "--call", "--with", "--from", "--spec"})))
    if rest:
        name = re.sub(r"(?<=.)@[\w.^~*-]+\Z", "", rest[0].text)
        if name in ("shx", "shelljs", "shelljs-exec") and rest[1:]:
            yield Inner(tuple(rest[1:]))
        yield Inner((replace(rest[0], text=name), *rest[1:]), stdin=run.stdin)
    for option, arg in itertools.pairwise((*run.args, Arg(""))):
        name, sign, value = option.text.partition("=")
        if name in ("-c", "--call") and run.program in ("npx", "npm"):
            yield Inner(text=value, known=option.known) if sign else Inner(text=arg.text, known=arg.known)


def _entered(run: Run) -> Iterator[Inner]:
    """`conda run -n ml CMD`, `op run -- CMD`, `aws-vault exec prod -- CMD`: a command in other surroundings."""
    verbs, values, own = _ENTERS[run.program]
    args = run.args
    if args and args[0].text in verbs:
        args = args[1:]
    elif run.program not in _NEED_NO_WORD:
        return
    dashes = next((place for place, arg in enumerate(args) if arg.text == "--"), None)
    rest = args[dashes + 1 :] if dashes is not None else after_options(args, values)[own:]
    if rest:
        yield Inner(tuple(rest))


_ENTERS = {
    **dict.fromkeys(("conda", "mamba", "micromamba"), (("run",), listed("-n --name -p --prefix --cwd"), 0)),
    **dict.fromkeys(("op", "doppler"), (("run",), listed("-p --project -c --config --env-file --account"), 0)),
    **dict.fromkeys(("dotenv", "dotenvx", "env-cmd"), (("run",), listed("-f --env-file --file -e -r --rc-file"), 0)),
    "direnv": (("exec",), listed(""), 1), "aws-vault": (("exec",), listed("-d --duration --region"), 1),
    "toolbox": (("run",), listed("-c --container -d -r"), 0), "distrobox": (("enter",), listed("-n --name"), 1),
    "devcontainer": (("exec",), listed("--workspace-folder --container-id"), 0), "lxc": (("exec",), listed(""), 1),
    "perf": (("stat", "record"), listed("-e -o -r"), 0), "mix": (("cmd",), listed("--app"), 0),
    "asdf": (("exec", "env"), listed(""), 0), "jj": (("util",), listed("-R --repository"), 1),
}  # fmt: skip
"""Programs, the words with which they run a command, their options with values, and words before the command."""
_NEED_NO_WORD = frozenset({"dotenv", "env-cmd"})
"""Those that also run what stands behind their options: `dotenv -e .env.production -- CMD`."""


def _told(run: Run) -> Iterator[Inner]:
    """`nix-shell --run 'CMD'`, `nodemon --exec 'CMD'`, `sg docker -c 'CMD'`, `nix develop -c CMD …`."""
    if run.program == "nix" and run.texts[:1] == ("run",) and "--" in run.texts[:-1]:
        yield Inner(run.args[run.texts.index("--") + 1 :])
    for place, arg in enumerate(run.args[:-1]):
        if arg.text in ("--run", "--exec", "-x", "-c", "--command"):
            following = run.args[place + 1]
            if " " in following.text:
                yield Inner(text=following.text, known=following.known)
            else:
                yield Inner(tuple(run.args[place + 1 :]))
            return


def _adb(run: Run) -> Iterator[Inner]:
    """`adb shell rm -rf /sdcard/x`: on a device. Its `su` takes the command as words: `su 0 rm x`, `su -c rm x`."""
    place = next((n for n, arg in enumerate(run.args) if arg.text in ("shell", "exec-out")), None)
    if place is not None and run.args[place + 1 :]:
        behind = run.args[place + 1 :]
        if behind[0].text == "su" and behind[1:]:
            as_user = re.compile(r"-\w*|--\w[\w-]*|\d+|root|shell|system")
            behind = tuple(itertools.dropwhile(lambda arg: as_user.fullmatch(arg.text) is not None, behind[1:]))
        if not behind:
            return
        yield Inner(text=" ".join(arg.text for arg in behind), known=all(arg.known for arg in behind), remote="adb")


def _cargo_watch(run: Run) -> Iterator[Inner]:
    """`cargo watch -s 'CMD'`."""
    if run.texts[:1] == ("watch",):
        for option, arg in itertools.pairwise(run.args):
            if option.text in ("-s", "--shell"):
                yield Inner(text=arg.text, known=arg.known)


_PACKAGE_VERBS = {
    "pnpm": ("dlx", "exec"), "yarn": ("dlx", "exec"), "bun": ("x",), "npm": ("exec", "x"), "pipx": ("run",),
    "uv": ("run",), "poetry": ("run",), "pdm": ("run",), "hatch": ("run",), "bundle": ("exec",), "rye": ("run",),
    "mise": ("exec", "x"), "devbox": ("run",), "pipenv": ("run",),
}  # fmt: skip


_RELEASES = ("changeset", "changesets", "lerna", "nx", "semantic-release", "release-it", "np", "vsce", "ovsx", "jsr")
_BINARIES = {"pnpm": _RELEASES, "yarn": _RELEASES}
"""Tools of a package that these run by their name alone, where it matters here."""


RUNNERS: dict[str, Callable[[Run], Iterator[Inner]]] = {
    "xargs": xargs, "parallel": parallel, "find": find, "gfind": find, "fd": fd, "fdfind": fd,
    "ssh": _ssh, "mosh": _ssh, "telnet": _typed, "nc": _typed, "ncat": _typed, "netcat": _typed,
    "docker": container, "docker-compose": container,
    "podman": container, "nerdctl": container, "kubectl": container, "oc": container,
    "watch": _watch, "script": _script, "flock": _script, "hyperfine": _strings, "tmux": _strings, "screen": _screen,
    "concurrently": _strings, "watchexec": _watch, "entr": _watch, "cargo": _cargo_watch, "adb": _adb,
    "cmd": _windows, "at": _scheduled, "batch": _scheduled,
    **dict.fromkeys(("npx", "bunx", "uvx", "pnpx", *_PACKAGE_VERBS), _package), **dict.fromkeys(_ENTERS, _entered),
    **dict.fromkeys(("nix-shell", "nix", "nodemon", "sg", "vagrant", "just"), _told),
}  # fmt: skip
"""Programs whose words tell what they run."""
_COMPLETE = (frozenset(GIVEN) - frozenset(RUNNERS)) | listed(
    "xargs parallel find gfind fd fdfind nc ncat netcat telnet"
)
"""Those whose words are names, patterns and statements where they run nothing."""


def inner_runs(run: Run) -> Iterator[Inner]:
    """All that a program runs by its arguments: as the tables tell, else what reads as a command."""
    told = [*(GIVEN[run.program](run) if run.program in GIVEN else ())]
    told += RUNNERS[run.program](run) if run.program in RUNNERS else ()
    if not told and run.program not in _COMPLETE:
        told += hidden.command(run)
    yield from told
