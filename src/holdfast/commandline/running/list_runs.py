"""Programs that run a command for each entry of a list: `xargs`, `parallel`, `find -exec`, `fd -x`. Pure."""

from __future__ import annotations

import itertools
import posixpath
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace

from holdfast.commandline.model import Arg, Run
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
_FIND_RUNS = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_MOST = 16
"""Arguments that are tried one by one."""


def xargs(run: Run) -> Iterator[Inner]:
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


def fd(run: Run) -> Iterator[Inner]:
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


def parallel(run: Run) -> Iterator[Inner]:
    marks = (":::", ":::+", "::::")
    first = next((n for n, arg in enumerate(run.args) if arg.text in marks), len(run.args))
    command, given = list(run.args[:first]), run.args[first:]
    while command and (before := command[0].text).startswith("-"):
        command = command[2 if command[0].text in _PARALLEL_VALUES else 1 :]
        if before in ("--dry-run", "--dryrun"):
            return  # it prints what it would run
    command = _words(command)
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
        elif len(command) == 1 and " " in command[0].text.strip():
            yield Inner((Arg("sh"), Arg("-c"), *words), remote=remote)
        else:
            yield Inner(tuple(words), remote=remote)


def _words(command: list[Arg]) -> list[Arg]:
    """`parallel 'rm -rf {}'` is `parallel rm -rf {}`; what else a shell would read stays as it is."""
    if len(command) != 1 or not command[0].known or not _PLAIN_WORDS.fullmatch(command[0].text):
        return command
    return [Arg(text) for text in command[0].text.split()]


_PLAIN_WORDS = re.compile(r"[\w ./{}:=,+@%-]+")


def _put_in(arg: Arg, places: str, value: Arg) -> Arg:
    """What stands alone is quoted by `parallel`: one word, whatever it holds."""
    made = _replaced(arg, places, value)
    return replace(made, quoted=True) if re.fullmatch(places, arg.text) else made


def find(run: Run) -> Iterator[Inner]:
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


def _replaced(arg: Arg, pattern: str, item: Arg) -> Arg:
    text = re.sub(pattern, lambda _: item.text, arg.text)
    return arg if text == arg.text else Arg(text, arg.known and item.known, arg.quoted)


def _shell_word(arg: Arg) -> str:
    return shlex.quote(arg.text) if arg.quoted and not arg.text.startswith("-") else arg.text
