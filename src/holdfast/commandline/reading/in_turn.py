"""What a program runs in its turn: shells, `eval`, `source`, git's aliases and hooks, functions, scripts that the line
wrote, commands behind the words of others, programs written inline. Pure; it reads on by the `Reader` it is given.
"""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace

from holdfast.commandline.effects.deeds import MAY_TOUCH
from holdfast.commandline.inline import fish, other_languages, programs, settings_files
from holdfast.commandline.inline.calls import AWK_FIELD, Calls, FileCall
from holdfast.commandline.model import Arg, Run
from holdfast.commandline.reading import building, find_words, lists, names, printing, written
from holdfast.commandline.reading.at import At
from holdfast.commandline.reading.files import FROM_FILE
from holdfast.commandline.reading.reader import Reader
from holdfast.commandline.reading.streams import NOTHING, Stream
from holdfast.commandline.reading.work import SOME
from holdfast.commandline.running import tasks
from holdfast.commandline.running.git_runs import git_call, git_commands, git_hooks, linked_hooks
from holdfast.commandline.running.given_commands import GIT_RUNS, GIVEN, given_client, given_program
from holdfast.commandline.running.inner import Inner
from holdfast.commandline.running.items import INPUT
from holdfast.commandline.running.runners import RUNNERS, inner_runs
from holdfast.shell.script import Command
from holdfast.shell.wrappers import SHELLS

_HIDDEN = frozenset({"subshell", "substitution", "process"})
SENT_SCRIPT = "sent-script"
"""The program of a run that stands for a script of this machine that a shell on another one reads."""


def script(reader: Reader, name: str, text: str, at: At) -> None:
    """A script that the line or the conversation wrote: what it begins with, or its ending, says who reads it."""
    language = written.reader_of(name, text)
    at = replace(at.deeper(FROM_FILE), stdin=None, piped_from=())
    if language in ("", "bash", "sed"):
        reader.text(text, True, at)
        return
    run = Run(language, directory=at.directory, stdin=text, remote=at.remote, via=at.via)
    if language == "lua":
        _follow(reader, programs.of_file(text), run, at)
    elif language == "awk":
        _program(reader, replace(run, stdin=None, args=(Arg(text),)), at)
    else:
        _program(reader, run, at)


def scripts(reader: Reader, paths: Iterable[str], at: At) -> None:
    """Scripts that run later, such as hooks of git: what the conversation wrote in them is read now."""
    for path in paths:
        if (text := reader.scripts.text_of(path, at.directory, at.remote)) is not None:
            script(reader, path, text, at)


def files(reader: Reader, run: Run, path: str, at: At) -> None:
    """Files of the line or of the conversation that a program runs, where no other part here has read them."""
    if run.program in SHELLS:
        return
    if run.program not in RUNNERS and reader.scripts.program_of(run, at.directory, at.remote) is not None:
        return  # it was read as a program of its language
    own = run.program in other_languages.SHELLS and run.program not in SHELLS
    for name, text in written.run_by(reader.scripts, run, path):
        if own:
            _program(reader, Run(run.program, directory=at.directory, stdin=text, via=run.via), at.deeper(FROM_FILE))
        else:
            below = at.deeper(run.program)
            script(reader, name, text, replace(below, via=(*below.via, *building.how(run, name, text))))
    below = replace(at.deeper(run.program).deeper(FROM_FILE), stdin=None, piped_from=())
    for name, text in written.settings_of(reader.scripts, run):
        if own:
            _program(reader, Run(run.program, directory=at.directory, stdin=text, via=run.via), below)
            continue
        for command in settings_files.commands(text):
            reader.text(command, True, below)
        if not written.are_settings(name):  # of a kind that nothing here knows: it may be a program
            _follow(reader, programs.of_file(text), run, below)


def within(reader: Reader, run: Run, at: At) -> None:
    """What a program runs in its turn."""
    program, args = run.program, run.args
    if program in ("ln", "cp", "install"):
        scripts(reader, linked_hooks(run), at)
        reader.scripts.links |= names.renamed(args)
    elif program in tasks.PROGRAMS:
        if (added := tasks.set_by(run)) is not None:
            reader.scripts.added_tasks.append(added)
        for arg in args:
            if arg.text.startswith("<(") and (made := printing.printed(reader, arg.text, at.nesting)) is not None:
                reader.scripts.wrote(arg.text, Stream(made, whole=True))
        for command in reader.scripts.tasks(run, at.directory):
            reader.text(command, True, replace(at.deeper(FROM_FILE), stdin=None, piped_from=()))
    if (client := given_client(run)) is not None:
        reader.keep(client)
    if program == "set" and any(arg.text == "--" for arg in args):
        place = next(n for n, arg in enumerate(args) if arg.text == "--")
        reader.variables.positional(args[place + 1 :], at.nesting)
    elif program in ("export", "declare", "typeset") and args and args[0].text.startswith("-"):
        if "f" in args[0].text:
            reader.exported |= {arg.text for arg in args[1:]}
    elif program == "alias":
        for arg in args:
            name, sign, text = arg.text.partition("=")
            if sign:
                reader.aliases[name] = text
    elif program in SHELLS:
        _shell(reader, run, at)
    elif program == "su":
        _su(reader, run, at)
    elif program in ("eval", "trap") and any(names.fetches(arg.text) for arg in args):
        reader.keep(replace(run, program="sh", args=(), piped_from=("curl",)))
    elif program == "eval" and any(_is_unread(reader, arg.text, at) for arg in args):
        reader.keep(replace(run, program="sh", args=(), piped_from=("base64",)))
    elif (
        program == "eval"
        and len(args) == 1
        and (made := printing.printed(reader, args[0].text, at.nesting)) is not None
    ):
        reader.text(made, True, at.deeper(program))
    elif program == "eval":
        reader.text(" ".join(arg.text for arg in args), all(arg.known for arg in args), at.deeper(program))
    elif program == "trap" and args:
        if program not in at.via or all(args[0] != each for each, _, _ in reader.traps):  # not for ever
            reader.traps.append((args[0], at.deeper(program), reader.functions))
    elif program in ("source", "."):
        if args:
            _sourced(reader, run, args[0].text, at)
    elif program == "git":
        _git(reader, run, at)
    elif (given := given_program(run)) is not None:
        _program(reader, given, at)
    elif program in RUNNERS and not (program == "bun" and args and args[0].text.startswith("-")):
        _inner(reader, inner_runs(run), run, at)
    elif programs.language(program) == "python" and (module := names.module(args)):
        reader.simple(module, at.deeper(program))
    elif not _program(reader, run, at) or program in GIVEN:
        _inner(reader, inner_runs(run), run, at)


def _sourced(reader: Reader, run: Run, path: str, at: At) -> None:
    """What `source PATH` runs in the shell that reads the line."""
    if names.fetches(path):
        reader.keep(replace(run, program="sh", args=(), piped_from=("curl",)))
    elif _is_unread(reader, path, at):
        reader.keep(replace(run, program="sh", args=(), piped_from=("base64",)))
    elif path == "/dev/stdin" and at.stdin is not None:
        reader.text(at.stdin, True, replace(at.deeper(run.program), stdin=None, piped_from=()))
    elif (made := printing.printed(reader, path, at.nesting)) is not None:
        reader.text(made, True, replace(at.deeper(run.program), stdin=None, piped_from=()))
    elif (told := reader.scripts.text_of(path, at.directory, at.remote)) is not None:
        script(reader, path, told, at)


def _inner(reader: Reader, given: Iterable[Inner], run: Run, at: At) -> None:
    for inner in given:
        below = replace(at.deeper(run.program), stdin=inner.stdin, piped_from=(), fed_by=())
        if inner.takes_input:
            below = replace(below, piped_from=at.piped_from, fed_by=at.fed_by)
        if inner.remote:
            below = replace(below, remote=inner.remote, directory=inner.directory, mounts=inner.mounts)
            below = replace(below, container=inner.container)
        if inner.words:
            reader.simple(inner.words, below, environment=run.environment)
        else:
            reader.text(inner.text, inner.known, below)


def _program(reader: Reader, run: Run, at: At) -> bool:
    """A program of another language, written inline or read from standard input; False: it is no interpreter."""
    script = reader.scripts.program_of(run, at.directory, at.remote)
    if script is not None:
        given = (Arg(script),) if programs.language(run.program) == "awk" else ()
        run = replace(run, args=given, stdin=script)
    found = programs.read(run)
    if found is None:
        return False
    _follow(reader, found, run, at)
    return True


def _follow(reader: Reader, found: Calls, run: Run, at: At) -> None:
    """What a program of another language runs, removes and writes."""
    there = Run("", directory=at.directory, remote=at.remote, mounts=at.mounts, via=(*at.via, run.program))
    there = replace(there, container=at.container)
    if found.cut or not reader.work.program(found.letters, len(found.shell) + len(found.deletes) + len(found.writes)):
        found.deletes, found.writes, reader.cut = found.deletes[:SOME], found.writes[:SOME], True
    for mark in dict.fromkeys(found.marks):
        reader.keep(replace(there, program=mark, environment=run.environment))
    for started in found.shell:
        if started.text == "$0" and not started.known and (run.stdin is not None or run.piped_from):
            # `awk '{ system($0) }'` is a shell that reads standard input.
            _shell(reader, replace(run, program="sh", args=()), at)
            reader.keep(replace(run, program="sh", args=(), piped_from=(*run.piped_from, run.program)))
            continue
        if AWK_FIELD in started.text:
            reader.variables.set(AWK_FIELD[1:], lists.items(None, run.found) or [INPUT], at.nesting)
        reader.text(started.text, started.known, at.deeper(run.program))
    for deletion in found.deletes:
        flags = (Arg("-rf"),) if deletion.recursive else (Arg("-f"),)
        targets = [_target(deletion)]
        if deletion.target == "$_":  # what the program reads line by line
            targets = lists.items(None, run.found) or targets
        reader.keep(replace(there, program="rm", args=(*flags, *targets)))
    texts = Stream(programs.texts_in(run)) if found.writes else NOTHING
    for call in found.writes:
        path = f"{call.target.partition('/<found')[0]}/<found>" if "/<found" in call.target else call.target
        target = Arg(path, call.known, quoted=True)
        reader.keep(replace(there, writes=(("write", target),)))
        if call.known:
            reader.scripts.wrote(path, texts, behind=True)
    if found.may_touch:
        reader.keep(replace(there, program=MAY_TOUCH, args=tuple(Arg(name, quoted=True) for name in found.may_touch)))


def _target(deletion: FileCall) -> Arg:
    """What a program deletes, as an argument; of what a loop finds in a folder, with the words by which it is found."""
    folder, sign, pattern = deletion.target.partition("/<found")
    pattern = pattern.strip(" >")
    if not sign or not deletion.known:
        return Arg(deletion.target, deletion.known, quoted=not deletion.glob)
    kind = () if deletion.recursive else ("-type", "f")
    words = (folder or "/", "-mindepth", "1", *kind, *(("-name", pattern) if pattern else ()))
    return Arg(f"{folder}/<found>", quoted=True, found_by=words if pattern else find_words.loosely(words))


def call(reader: Reader, name: str, body: Sequence[Command], args: Sequence[Arg], at: At) -> None:
    """A function's body, with its arguments."""
    if any(each.program in ("cd", "pushd", "popd") and not _HIDDEN.intersection(each.nesting[1:]) for each in body):
        reader.wandered = True
    before, reader.calling = reader.calling, (*reader.calling, name)
    reader.variables.positional(args, at.nesting)
    reader.commands([replace(each, function="") for each in body], at.deeper(name))
    reader.calling = before


def _is_unread(reader: Reader, text: str, at: At) -> bool:
    """Is it a substitution that decodes something which the line does not hold?"""
    return names.decodes(text) and printing.known(reader, text, at.nesting) is None


def _su(reader: Reader, run: Run, at: At) -> None:
    """`su - postgres -c 'cmd'`: the user may stand before the option."""
    for option, arg in itertools.pairwise(run.args):
        if option.text in ("-c", "--command", "--session-command"):
            reader.text(arg.text, arg.known, replace(at.deeper("su"), stdin=None, piped_from=()))
            return
    _shell(reader, replace(run, args=()), at)


def _shell(reader: Reader, run: Run, at: At) -> None:
    run = fish.read(run) if run.program == "fish" else run
    args, place = run.args, 0
    while place < len(args):
        text = args[place].text
        if re.match(r"-[a-zA-Z]*n[a-zA-Z]*\Z", text):
            return  # it only checks the syntax
        if text == "--command" or re.match(r"-[a-zA-Z]*c[a-zA-Z]*\Z", text):
            rest = list(args[place + 1 :])
            while rest and re.match(r"-[a-zA-Z]+\Z|--\Z", rest[0].text):
                rest = rest[1:]
            if rest:
                inner = at.deeper(run.program)
                before = reader.functions
                reader.functions = before.only(reader.exported)
                if len(rest) > 1:
                    reader.variables.set("0", [rest[1]], inner.nesting)
                    reader.variables.positional(rest[2:], inner.nesting)
                if names.fetches(rest[0].text):
                    reader.keep(replace(run, args=(), piped_from=("curl",)))
                elif rest[0].text.startswith(("$(", "`")) and _is_unread(reader, rest[0].text, at):
                    reader.keep(replace(run, args=(), piped_from=("base64",)))
                made = printing.printed(reader, rest[0].text, at.nesting)
                reader.text(rest[0].text if made is None else made, rest[0].known or made is not None, inner)
                reader.functions = before
            return
        if text in ("--rcfile", "--init-file") or re.match(r"[-+][a-zA-Z]*[oO]\Z", text):
            place += 1
        elif text == "-s":
            break
        elif not text.startswith(("-", "+")):
            if text == "/dev/stdin":
                break
            if text.startswith("<(") and names.fetches(text):
                reader.keep(replace(run, args=(), piped_from=("curl",)))
            elif text.startswith("<(") and _is_unread(reader, text, at):
                reader.keep(replace(run, args=(), piped_from=("base64",)))
            elif (said := printing.printed(reader, text, at.nesting)) is not None:
                reader.text(said, True, replace(at.deeper(run.program), stdin=None, piped_from=()))
            elif (told := reader.scripts.text_of(text, at.directory, at.remote)) is not None:
                script(reader, "", told, at.deeper(run.program))
            elif (wrote := reader.scripts.wrote_into(text)) and names.DECODERS.intersection(wrote.programs):
                reader.keep(replace(run, args=(), piped_from=wrote.programs))
            return
        place += 1
    if run.stdin is not None:
        reader.text(run.stdin, True, replace(at.deeper(run.program), stdin=None, piped_from=()))
    elif at.remote in ("ssh", "mosh") and (run.piped_from or run.fed_by):
        reader.keep(replace(run, program=SENT_SCRIPT, args=()))
    elif run.piped_from:
        reader.unread.append(f"{run.program} runs what {run.piped_from[-1] or 'a pipe'} prints")


def _git(reader: Reader, run: Run, at: At) -> None:
    """Settings that come by the environment are shown as options; an alias is what it stands for."""
    settings, name, rest = git_call(run)
    shown = [Arg(text) for setting in settings.by_environment for text in ("-c", setting)]
    if shown:
        reader.keep(replace(run, args=(*shown, *run.args), environment=()))
    below = replace(at.deeper("git"), stdin=None, piped_from=())
    if name == "submodule":  # `foreach` runs it in each of them
        below = replace(below, directory=None)
    for text in git_commands(run):
        if match := GIT_RUNS.match(text):
            reader.line(match[1], below)
        elif "=" not in text.partition(" ")[0]:
            reader.line(text, below)
    scripts(reader, git_hooks(run), at)
    words = shlex.split(rest) if name == "config" and "alias." in rest else []
    for setting, value in itertools.pairwise(words):
        if setting.startswith("alias."):
            reader.own_aliases[setting[6:].lower()] = value
    expansion = (dict(reader.git_aliases) | reader.own_aliases | settings.aliases).get(name)
    if expansion is None or f"git {name}" in reader.calling:
        return
    before, reader.calling = reader.calling, (*reader.calling, f"git {name}")
    text = expansion[1:] if expansion.startswith("!") else f"git {expansion}"
    reader.line(f"{text} {rest}", at.deeper(f"git {name}"))
    reader.calling = before
