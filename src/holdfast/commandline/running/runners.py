"""Programs that run others by their arguments: `xargs`, `parallel`, `find -exec`, `ssh`, containers, git aliases.

Each function says what a run of such a program runs in its turn, as far as the line tells. Pure.
"""

from __future__ import annotations

import itertools
import posixpath
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from holdfast.commandline.model import Arg, Mount, Run
from holdfast.commandline.reading import find_words
from holdfast.commandline.running.inner import Inner
from holdfast.commandline.running.items import INPUT, found_items, lists_files, not_told, removes, told
from holdfast.shell.tools import listed
from holdfast.shell.wrappers import SHELLS

_XARGS_VALUES = listed(
    "-I -n -P -L -d -E -s -a -R -S -J --max-args --max-procs --delimiter --arg-file --replace --process-slot-var"
)
_PARALLEL_VALUES = listed(
    "-j --jobs -S --sshlogin -a --arg-file -I -d --delimiter -n -N -L --colsep --joblog --results --env --workdir"
)
_SSH_VALUES = listed("-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w")
_EXEC_VALUES = listed("-u --user -w --workdir -e --env --env-file -n --namespace -c --container --context")
_FIND_RUNS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_ALIAS = re.compile(r"alias\.([^=]+)=(.*)", re.DOTALL)
_MOST = 16
"""Arguments that are tried one by one."""


@dataclass(frozen=True, slots=True)
class GitSettings:
    """Settings that hold for one call of git."""

    by_environment: list[str] = field(default_factory=list)
    aliases: dict[str, str] = field(default_factory=dict)


def _xargs(run: Run) -> Iterator[Inner]:
    args, place, mark = run.args, 0, ""
    while place < len(args) and args[place].text.startswith("-") and len(args[place].text) > 1:
        text = args[place].text
        if text == "--":
            place += 1
            break
        if text.startswith("-I"):
            mark = text[2:] or (args[place + 1].text if place + 1 < len(args) else "{}")
            place += 0 if text[2:] else 1
        elif text == "-i" or text.startswith("--replace"):
            mark = text.partition("=")[2] or "{}"
        elif text in _XARGS_VALUES:
            place += 1
        place += 1
    command = args[place:]
    if not command:
        return
    if mark and not any(mark in arg.text for arg in command):
        mark = ""
    if run.stdin is None:
        items = not_told(run, command)
    else:
        whole = mark or any(_WHOLE_LINES.match(arg.text) for arg in args[:place])
        items = told(run, run.stdin.splitlines() if whole else run.stdin.split(), command)
        if command[-1].text == "-c" and posixpath.basename(command[0].text) in SHELLS:
            yield from (Inner(text=each) for each in run.stdin.splitlines()[:_MOST])
    if mark:
        for item in items[:_MOST]:
            yield Inner(tuple(_replaced(arg, re.escape(mark), item) for arg in command))
    else:
        yield Inner((*command, *items))


_WHOLE_LINES = re.compile(r"-d|-0|-L|-[a-zA-Z]*0\Z|--(?:null|delimiter)")
"""Options with which an item may have blanks."""


def _fd(run: Run) -> Iterator[Inner]:
    """`fd -e log . logs -x rm {}`; without `{}` what is found stands last."""
    for place, arg in enumerate(run.args):
        name, sign, value = arg.text.partition("=")
        if name not in ("-x", "-X", "--exec", "--exec-batch"):
            continue
        words = run.args[place + 1 :]
        stop = next((n for n, each in enumerate(words) if each.text == ";"), len(words))
        command = [*([Arg(value, arg.known)] if sign else []), *words[:stop]]
        before = _fd_operands(run.args[:place])
        folders = [each.text for each in before[1:]] or ["."]
        pattern = before[0].text if before else ""
        endings = [after.text for each, after in itertools.pairwise(run.args[:place]) if each.text in _FD_ENDING]
        chosen: tuple[str, ...] = ("-iname", f"*.{endings[0].lstrip('.')}") if len(endings) == 1 else ()
        if not chosen and (literal := _literal(pattern)):
            chosen = ("-iname", literal)
        narrow = bool(endings or pattern.strip(".*^$"))
        for folder in folders:
            listing = (folder, "-mindepth", "1", "-depth", *chosen, "-not", "-path", "*/.git/*")
            item = Arg(f"{folder.rstrip('/')}/<found>" if narrow else folder, found_by=listing)
            marked = any(re.search(_FD_MARK, each.text) for each in command)
            yield Inner(
                tuple(
                    item if re.fullmatch(_FD_MARK, each.text) else _replaced(each, _FD_MARK, item) for each in command
                )
                if marked
                else (*command, item)
            )
        return


def _literal(pattern: str) -> str:
    """A pattern of names for a regular expression that is mostly plain: `^x$` is `x`, `foo.*bar` is `*foo*`."""
    plain = max(re.split(r"[\\^$.|?*+()\[\]{}]+", pattern), key=len, default="")
    if not plain:
        return ""
    begins, ends = pattern.startswith(f"^{plain}"), pattern.endswith(f"{plain}$")
    return f"{'' if begins else '*'}{plain}{'' if ends else '*'}" if "|" not in pattern else ""


_FD_ENDING = ("-e", "--extension")
_FD_MARK = r"\{(?:|/|//|\.|/\.)\}"
_FD_VALUES = listed(
    "-e --extension -t --type -d --max-depth --min-depth -E --exclude -S --size -j --threads -c --color "
    "--changed-within --changed-before -o --owner --base-directory --search-path --max-results"
)


def _fd_operands(args: Sequence[Arg]) -> list[Arg]:
    found: list[Arg] = []
    skip = False
    for arg in args:
        if skip:
            skip = False
        elif arg.text.startswith("-"):
            skip = arg.text in _FD_VALUES
        else:
            found.append(arg)
    return found


def _parallel(run: Run) -> Iterator[Inner]:
    marks = (":::", ":::+", "::::")
    first = next((n for n, arg in enumerate(run.args) if arg.text in marks), len(run.args))
    command, given = list(run.args[:first]), run.args[first:]
    while command and command[0].text.startswith("-"):
        command = command[2 if command[0].text in _PARALLEL_VALUES else 1 :]
    values = [arg for arg in given if arg.text not in marks]
    remote = "ssh" if any(arg.text.startswith(("-S", "--sshlogin")) for arg in run.args[:first]) else ""
    listed_files = run.stdin is None and lists_files(run.found) and bool(command)
    if not given and listed_files and (removes(command) or not find_words.is_loose(run.found)):
        values = found_items(run.found)
    elif not given:
        values = [INPUT] if run.stdin is None else told(run, run.stdin.splitlines(), command)
    places = r"\{[\d./#%]*\}"
    marked = any(re.search(places, arg.text) for arg in command)
    for value in values[:_MOST]:
        words = [_put_in(arg, places, value) for arg in command] if marked else [*command, value]
        if not command:
            yield Inner(text=value.text, known=value.known, remote=remote)
        elif all(arg.known and not arg.found_by for arg in words):
            # parallel hands one line to a shell
            yield Inner(text=" ".join(_shell_word(arg) for arg in words), remote=remote)
        else:
            yield Inner(tuple(words), remote=remote)


def _put_in(arg: Arg, places: str, value: Arg) -> Arg:
    """What stands alone is quoted by `parallel`: one word, whatever it holds."""
    made = _replaced(arg, places, value)
    return replace(made, quoted=True) if re.fullmatch(places, arg.text) else made


def _find(run: Run) -> Iterator[Inner]:
    """What `-exec` runs, with the folder that is searched, or something found in it, in the place of `{}`."""
    args, place = run.args, 0
    words = run.texts
    first, last = find_words.starts(words)
    narrow = find_words.is_narrow(words)
    listing = find_words.listing(words) if all(arg.known for arg in args) else ()
    while place < len(args):
        if args[place].text in _FIND_RUNS:
            stop = place + 1
            while stop < len(args) and args[stop].text not in (";", "+"):
                stop += 1
            for start in args[first:last] or (Arg("."),):
                below = Arg(f"{start.text.rstrip('/')}/<found>" if narrow else start.text, start.known)
                yield Inner(
                    tuple(
                        _listed(_replaced(arg, re.escape("{}"), below), arg, listing) for arg in args[place + 1 : stop]
                    )
                )
            place = stop
        place += 1


def _listed(arg: Arg, written: Arg, listing: tuple[str, ...]) -> Arg:
    return replace(arg, found_by=listing) if written.text == "{}" else arg


def _ssh(run: Run) -> Iterator[Inner]:
    behind = _after_options(run.args, _SSH_VALUES)[1:]
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


_RUN_VALUES = _EXEC_VALUES | listed(
    "-v --volume --name -p --publish --mount --network --net --entrypoint -h --hostname --platform -l --label --cpus "
    "-m --memory --add-host --dns --gpus --ipc --pid --pull --restart --shm-size --tmpfs --ulimit --user -a --attach "
    "--cap-add --cap-drop --cgroupns --cidfile --device --expose --ip --link --log-driver --log-opt --mac-address "
    "--runtime --security-opt --stop-signal --stop-timeout --sysctl --userns --uts "
    "--volumes-from --volume-driver --workdir"
)


def _container(run: Run) -> Iterator[Inner]:
    """`docker exec box rm -rf /data`, `docker run image sh -c …`, `kubectl exec pod -- …`."""
    args = run.args
    place = next((n for n, arg in enumerate(args) if arg.text in ("exec", "run")), None)
    if place is None:
        return
    composed = any(arg.text == "compose" for arg in args[:place]) or run.program.endswith("compose")
    fresh = args[place].text == "run" and not composed
    behind: Sequence[Arg]
    image: Sequence[Arg] = ()
    if run.program in ("kubectl", "oc"):
        dashes = next((n for n, arg in enumerate(args) if arg.text == "--"), len(args))
        behind, fresh = args[dashes + 1 :], False
    else:
        behind = _after_options(args[place + 1 :], _RUN_VALUES)
        options = args[place + 1 : len(args) - len(behind)]
        image, behind = behind[:1], behind[1:]
        if fresh and (entry := _value_of(options, "--entrypoint")):
            behind = (entry, *behind)
        elif fresh and image and (tool := _tool_of(image[0].text)) and behind and behind[0].text != tool:
            behind = (Arg(tool), *behind)
    if behind:
        mounts = tuple(_mounts(options)) if fresh else None
        where = _value_of(options, "-w", "--workdir") if run.program not in ("kubectl", "oc") else None
        yield Inner(
            tuple(behind),
            remote=run.program,
            stdin=run.stdin,
            directory=where.text if where else None,
            mounts=mounts,
            container=image[0].text if image and not fresh and _is_here(run, args[:place]) else "",
        )


def _is_here(run: Run, before: Sequence[Arg]) -> bool:
    """Is a container on this machine, and not on one that is named?"""
    named = any(re.match(r"-H|--host|--context|-c\Z", arg.text) for arg in before)
    return not named and not any(name in ("DOCKER_HOST", "DOCKER_CONTEXT") for name, _ in run.environment)


_TOOL_IMAGES = {
    "terraform": "terraform", "opentofu": "tofu", "terragrunt": "terragrunt", "kubectl": "kubectl", "helm": "helm",
    "git": "git", "aws-cli": "aws", "azure-cli": "az", "pulumi": "pulumi", "rclone": "rclone", "flyway": "flyway",
    "liquibase": "liquibase", "doctl": "doctl", "heroku": "heroku", "mc": "mc", "s3cmd": "s3cmd", "restic": "restic",
}  # fmt: skip
"""Images whose words are those of one program."""


def _tool_of(image: str) -> str:
    """`hashicorp/terraform:1.9` is terraform."""
    return _TOOL_IMAGES.get(image.partition("@")[0].rsplit("/", 1)[-1].partition(":")[0], "")


def _value_of(options: Sequence[Arg], *names: str) -> Arg | None:
    for place, arg in enumerate(options):
        name, sign, value = arg.text.partition("=")
        if arg.text in names and place + 1 < len(options):
            return options[place + 1]
        if sign and name in names:
            return Arg(value, arg.known, arg.quoted)
        if arg.text[:2] in names and arg.text[2:]:  # `-w/app`
            return Arg(arg.text[2:], arg.known, arg.quoted)
    return None


def _mounts(options: Sequence[Arg]) -> Iterator[Mount]:
    """What `-v SOURCE:TARGET[:ro]` and `--mount` put into a container."""
    for place, arg in enumerate(options):
        name, sign, value = arg.text.partition("=")
        given = Arg(value, arg.known) if sign else options[place + 1] if place + 1 < len(options) else Arg("")
        if name.startswith("-v") and len(name) > 2:  # `-v$HOME:/h`
            name, given = "-v", Arg(arg.text[2:].removeprefix("="), arg.known)
        if name == "--volumes-from":
            source, target, how = given.text, "/", ""
        elif name in ("-v", "--volume"):
            source, _, rest = given.text.partition(":")
            target, _, how = rest.partition(":")
        elif name == "--mount":
            told = dict(each.partition("=")[::2] for each in given.text.split(","))
            source = told.get("source") or told.get("src") or ""
            target = told.get("target") or told.get("dst") or told.get("destination") or ""
            how = "ro" if "readonly" in told or "ro" in told else ""
        else:
            continue
        if source and target:
            volume = not source.startswith(("/", ".", "~", "$", "`"))
            known = given.known or source in ("$PWD", "$HOME")
            yield Mount(Arg(source, known), target.rstrip("/") or "/", volume, "ro" in how.split(","))


def _watch(run: Run) -> Iterator[Inner]:
    behind = _after_options(run.args, frozenset({"-n", "--interval"}))
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
    for option, arg in zip(run.args, run.args[1:], strict=False):
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
    rest = _after_options(run.args, {"-S", "-c", "-e", "-h", "-p", "-s", "-t", "-T", "-X"})
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
    rest = list(_after_options(args, frozenset({"-p", "--package", "-c", "--call", "--with", "--from", "--spec"})))
    if rest:
        name = re.sub(r"(?<=.)@[\w.^~*-]+\Z", "", rest[0].text)
        if name in ("shx", "shelljs", "shelljs-exec") and rest[1:]:
            yield Inner(tuple(rest[1:]))
        yield Inner((replace(rest[0], text=name), *rest[1:]), stdin=run.stdin)
    for option, arg in zip(run.args, run.args[1:], strict=False):
        if option.text in ("-c", "--call") and run.program == "npx":
            yield Inner(text=arg.text, known=arg.known)


def _entered(run: Run) -> Iterator[Inner]:
    """`conda run -n ml CMD`, `op run -- CMD`, `aws-vault exec prod -- CMD`: a command in other surroundings."""
    verbs, values, own = _ENTERS[run.program]
    if not run.args or run.args[0].text not in verbs:
        return
    dashes = next((place for place, arg in enumerate(run.args) if arg.text == "--"), None)
    rest = run.args[dashes + 1 :] if dashes is not None else _after_options(run.args[1:], values)[own:]
    if rest:
        yield Inner(tuple(rest))


_ENTERS = {
    **dict.fromkeys(("conda", "mamba", "micromamba"), (("run",), listed("-n --name -p --prefix --cwd"), 0)),
    **dict.fromkeys(("op", "doppler"), (("run",), listed("-p --project -c --config --env-file --account"), 0)),
    **dict.fromkeys(("dotenv", "dotenvx"), (("run",), listed("-f --env-file -e"), 0)),
    "direnv": (("exec",), listed(""), 1), "aws-vault": (("exec",), listed("-d --duration --region"), 1),
    "toolbox": (("run",), listed("-c --container -d -r"), 0), "distrobox": (("enter",), listed("-n --name"), 1),
    "devcontainer": (("exec",), listed("--workspace-folder --container-id"), 0), "lxc": (("exec",), listed(""), 1),
    "perf": (("stat", "record"), listed("-e -o -r"), 0), "mix": (("cmd",), listed("--app"), 0),
    "asdf": (("exec", "env"), listed(""), 0), "jj": (("util",), listed("-R --repository"), 1),
}  # fmt: skip
"""Programs, the words with which they run a command, their options with values, and words before the command."""


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
    """`adb shell rm -rf /sdcard/x`: on a device."""
    place = next((n for n, arg in enumerate(run.args) if arg.text in ("shell", "exec-out")), None)
    if place is not None and run.args[place + 1 :]:
        behind = run.args[place + 1 :]
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
    "xargs": _xargs, "parallel": _parallel, "find": _find, "gfind": _find, "fd": _fd, "fdfind": _fd,
    "ssh": _ssh, "mosh": _ssh,
    "docker": _container, "docker-compose": _container,
    "podman": _container, "nerdctl": _container, "kubectl": _container, "oc": _container,
    "watch": _watch, "script": _script, "flock": _script, "hyperfine": _strings, "tmux": _strings, "screen": _screen,
    "concurrently": _strings, "watchexec": _watch, "entr": _watch, "cargo": _cargo_watch, "adb": _adb,
    "cmd": _windows, "at": _scheduled, "batch": _scheduled,
    **dict.fromkeys(("npx", "bunx", "uvx", "pnpx", *_PACKAGE_VERBS), _package), **dict.fromkeys(_ENTERS, _entered),
    **dict.fromkeys(("nix-shell", "nix", "nodemon", "sg", "vagrant", "just"), _told),
}  # fmt: skip


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


_GIT_WORDS_THAT_RUN = {"rebase": ("-x", "--exec"), "difftool": ("-x", "--extcmd")}


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
    for option, value in itertools.pairwise(words):
        if option in _GIT_WORDS_THAT_RUN.get(name, ()):
            yield value
    if name in ("rebase", "difftool"):
        yield from (word.partition("=")[2] for word in words if word.startswith(("--exec=", "--extcmd=")))
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


def _replaced(arg: Arg, pattern: str, item: Arg) -> Arg:
    text = re.sub(pattern, lambda _: item.text, arg.text)
    return arg if text == arg.text else Arg(text, arg.known and item.known, arg.quoted)


def _shell_word(arg: Arg) -> str:
    return shlex.quote(arg.text) if arg.quoted and not arg.text.startswith("-") else arg.text


def _after_options(args: Sequence[Arg], values: frozenset[str] | set[str]) -> Sequence[Arg]:
    place = 0
    while place < len(args) and args[place].text.startswith("-") and len(args[place].text) > 1:
        if args[place].text == "--":
            return args[place + 1 :]
        place += 2 if args[place].text in values else 1
    return args[place:]
