"""From a command line to all programs that it runs: through functions, aliases, `bash -c`, `eval`, pipes into a shell,
`xargs`, `parallel`, `find -exec`, git aliases, `ssh`, containers and programs written inline. Pure.

What is computed at run time is said in `Reading.unread`; what the runs do is for others to decide.
"""

from __future__ import annotations

import itertools
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from holdfast.commandline.inline import programs
from holdfast.commandline.model import Arg, Mode, Reading, Run
from holdfast.commandline.reading import lists, names, pipes, spelling, statement_files
from holdfast.commandline.reading.at import At
from holdfast.commandline.reading.files import FROM_FILE, Files, Scripts, no_files
from holdfast.commandline.reading.functions import Functions
from holdfast.commandline.reading.variables import KNOWN_NAMES, Variables
from holdfast.commandline.reading.work import SOME, Work
from holdfast.commandline.running import hidden, tasks
from holdfast.commandline.running.given_commands import GIT_RUNS, GIVEN, RUNS_VALUE, given_program
from holdfast.commandline.running.inner import Inner
from holdfast.commandline.running.runners import (
    RUNNERS,
    found_items,
    git_call,
    git_commands,
    git_hooks,
    linked_hooks,
    lists_files,
)
from holdfast.shell.parse import parse
from holdfast.shell.script import Command, Loop, Part, Redirection, Word
from holdfast.shell.tools import listed
from holdfast.shell.wrappers import SHELLS, resolve

_HIDDEN = frozenset({"subshell", "substitution", "process"})
_AGAIN = frozenset({"shell", "eval", "trap", "xargs", "find"})
"""Nestings whose text is read anew here, with what is known about their arguments."""
_DEEPEST = 12
_MOST_RUNS = 3_000
_LONGEST = 2_000_000
_MOST_READINGS = 16
_SUBSTITUTION = re.compile(r"\s*(?:[$<]\((.*)\)|`([^`]*)`)\s*\Z", re.DOTALL)
_ECHO = frozenset({"echo", "printf", "cat"})
_REMOVES = frozenset({"rm", "unlink", "shred", "srm", "wipe"})
_NAMES_SERVER = listed("PGHOST PGPORT PGDATABASE DATABASE_URL DB_HOST KUBECONFIG DOCKER_HOST DOCKER_CONTEXT")
RECURSION = "calls-itself"
"""The program of a run that stands for a function that calls itself."""
SENT_SCRIPT = "sent-script"
"""The program of a run that stands for a script of this machine that a shell on another one reads."""


def read(line: str, *, aliases: Mapping[str, str] | None = None, files: Files = no_files) -> Reading:
    """All runs of a line. `aliases` are git's, from the repository's configuration; `files` tells what is in a file
    that says what runs."""
    reader = _Reader(aliases or {}, Scripts(files), Work.for_line(line))
    reader.line(line, At())
    for arg, at, functions in reader.traps:  # a trap may set others: they come behind it
        reader.functions = functions
        reader.text(arg.text, arg.known, at)
    return Reading(tuple(reader.runs), tuple(dict.fromkeys(reader.unread)), reader.cut)


@dataclass(slots=True)
class _Reader:
    git_aliases: Mapping[str, str]
    scripts: Scripts
    work: Work
    own_aliases: dict[str, str] = field(default_factory=dict)
    """Git's aliases that this line sets."""
    runs: list[Run] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    variables: Variables = field(default_factory=Variables)
    functions: Functions = field(default_factory=Functions)
    telling: list[str] = field(default_factory=list)
    """Variables of the line by which a program that it runs is told something: `GIT_DIR`, `RAILS_ENV`, `PGHOST`."""
    traps: list[tuple[Arg, At, Functions]] = field(default_factory=list)
    """What runs when the line ends, with what variables are then and the functions of the shell that set it."""
    aliases: dict[str, str] = field(default_factory=dict)
    exported: set[str] = field(default_factory=set)
    """Functions that a child shell knows, too."""
    calling: tuple[str, ...] = ()
    cut: bool = False
    """There was more than is read: too many commands, too deep, or too long."""
    went: dict[tuple[str, ...], str | None] = field(default_factory=dict)
    """Where a `cd` to what the line computes has led, by nesting: `cd "$(mktemp -d)"`."""
    looped: tuple[str, int] = ("", 0)
    """The loop that was met last: it has one entry per value."""
    wandered: bool = False
    """A function changed the directory: from there on it is not known."""

    def line(self, text: str, at: At) -> None:
        """Read a text as a shell does."""
        if at.depth > _DEEPEST or len(text) > _LONGEST:
            self.cut = True
            return
        script = parse(spelling.plain(text), deep=False)
        self.cut = self.cut or script.cut or not self.work.script(script)
        self._commands(script.commands, at, script.loops)

    def _commands(self, commands: Sequence[Command], at: At, loops: Sequence[Loop] = ()) -> None:
        outputs: dict[tuple[str, ...], tuple[str | None, tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {}
        waiting = list(reversed(loops))
        for number, command in enumerate(commands):
            if self.work.left < 0:
                return
            while waiting and waiting[-1].at <= number:
                self._loop(waiting.pop(), (*at.nesting, *lists.loop_nesting(commands, number)))
            if command.program in lists.READS and command.nesting[-1:] != ("function",):
                self._read_into(command, lists.source(commands, number), outputs, at)
            if command.function and command.function not in self.calling:
                self.functions.add(command, at.nesting)
                continue
            if _AGAIN.intersection(command.nesting):
                continue
            stdin: str | None = None
            before: tuple[str, ...] = ()
            listed: tuple[str, ...] = ()
            fed: tuple[str, ...] = ()
            if command.position:
                stdin, before, listed, fed = outputs.get(command.nesting, (None, (), (), ()))
            elif at.stdin is not None or at.piped_from or at.fed_by:
                stdin, before, fed = at.stdin, at.piped_from, at.fed_by
            if command.program in pipes.TOLD:
                command = pipes.with_bodies(command, number, commands)
            fed = (*fed, *(entry.target.text for entry in command.redirections if entry.mode == "read"))
            self._command(
                command,
                replace(
                    at, stdin=stdin, piped_from=before, found=listed, fed_by=fed,
                    after_failure=at.after_failure or command.before == "||",
                    may_fail=at.may_fail or command.after == "||" or command.negated or "condition" in command.nesting,
                    followed_by=command.after,
                ),
            )  # fmt: skip
            printed = self._output(command, stdin, at)
            self._remember_script(command, stdin, at)
            outputs[command.nesting] = (
                printed,
                (*before, command.program),
                pipes.listing(command) if not before else pipes.passed_on(listed, command),
                (*fed, *pipes.read_files(command)),
            )

    def _loop(self, entry: Loop, nesting: tuple[str, ...]) -> None:
        values = [arg for reading in self.variables.follow(entry.value, nesting) for arg in reading]
        known = self.variables.values(entry.name, nesting) or ()
        if self.looped == (entry.name, entry.at):
            values = [*known, *values]
        self.looped = (entry.name, entry.at)
        self.variables.set(entry.name, values, nesting)

    def _read_into(
        self, command: Command, source: str | None, outputs: Mapping[tuple[str, ...], tuple[Any, ...]], at: At
    ) -> None:
        """`find … | while read f`, `mapfile -t a < <(find …)`: the variable is what the list before it names."""
        if not (name := lists.variable(command)):
            return
        items: list[Arg] = []
        if source == lists.PIPE:
            told, _, listed, _ = outputs.get(command.nesting[:-1], (None, (), (), ()))
            items = lists.items(told, listed)
        elif source:
            items = self._listed(Arg(source, known=False), at)
        if items:
            self.variables.set(name, items, (*at.nesting, *command.nesting[:-1]))

    def _remember_script(self, command: Command, stdin: str | None, at: At) -> None:
        """`cat > f <<EOF`, `printf … > f`, `… | tee f`: the line tells what is in the file."""
        files, copies = pipes.written_files(command)
        if copies:
            own = pipes.stdin(command.redirections)
            text = own if own is not None else stdin
        else:
            plain = tuple(entry for entry in command.redirections if entry.mode not in ("write", "append"))
            text = self._output(replace(command, redirections=plain), stdin, at) if files else None
        if text is not None:
            self.scripts.wrote(files, text)

    def _output(self, command: Command, stdin: str | None, at: At) -> str | None:
        """What a command prints, where the line tells."""
        if command.program not in _ECHO or any(entry.mode in ("write", "append") for entry in command.redirections):
            return None
        if command.program == "cat":
            own = pipes.stdin(command.redirections)
            return own if own is not None else (stdin if not command.arguments else None)
        pieces: list[str] = []
        for word in command.arguments:
            reading = self.variables.follow(word, (*at.nesting, *command.nesting))[0]
            if not all(arg.known for arg in reading):
                return None
            pieces += [arg.text for arg in reading]
        return pipes.printed(command.program, pieces)

    # --- one command

    def _command(self, command: Command, at: At) -> None:
        nesting = (*at.nesting, *command.nesting)
        assigned = []
        for entry in command.assignments:
            values = [arg for reading in self.variables.follow(entry.value, nesting) for arg in (reading or [Arg("")])]
            assigned.append((entry.name, values))
        if not command.path or command.program in ("export", "declare", "typeset", "local", "readonly"):
            is_reference = any(word.text == "-n" for word in command.arguments)
            for name, values in assigned:
                if is_reference and values:
                    other = values[0].text
                    values = list(self.variables.values(other, nesting) or (Arg(f"${other}", other in KNOWN_NAMES),))
                self.variables.set(name, values, nesting)
                if name not in self.telling and (name[:4] == "GIT_" or name[-4:] == "_ENV" or name in _NAMES_SERVER):
                    self.telling.append(name)
                self._values_that_run(((name, value) for value in values), at)
        if command.program == "unset":
            for word in command.arguments:
                self.variables.unset(word.text, nesting)
        if command.program in ("cd", "pushd"):
            self._go(command, nesting)
        writes = self._writes(command.redirections, nesting)
        own = pipes.stdin(command.redirections)
        here = replace(
            at,
            directory=None if self.wandered else self._folder(at, command, nesting),
            stdin=own if own is not None else at.stdin,
            nesting=nesting,
        )
        if any(target.text.startswith(("/dev/tcp/", "/dev/udp/")) for _, target in writes):
            fed = (*at.fed_by, *pipes.read_files(command), command.program)
            self._keep(Run("nc", piped_from=(*at.piped_from, command.program), fed_by=fed, via=at.via))
        if not command.path:
            if writes:
                self._keep(Run("", writes=writes, directory=here.directory, remote=at.remote, via=at.via))
            return
        exported = (
            (name, value) for name in self.telling for each in self.variables.entries[name] for value in each.values
        )
        environment = (*exported, *((name, value) for name, values in assigned for value in values))
        self._values_that_run(environment, here)
        made = self._printed(command.path, here) if command.path[:1] in "$`" else None
        first = [Word(each, (Part(each),)) for each in made.split()] if made else []
        words = [*(first or [names.as_word(command.path, command)]), *command.arguments]
        readings: list[list[Arg]] = [[]]
        for word in words:
            readings = [[*reading, *option] for reading in readings for option in self.variables.follow(word, nesting)][
                :_MOST_READINGS
            ]
        before = self.variables.lend(assigned, nesting)  # `X='rm -rf ~' sh -c '$X'`: what it runs sees them
        # `X=1 time f` runs the program of that name, not the word of the shell.
        wrappers = (*command.wrappers, "env") if command.wrappers and assigned else command.wrappers
        for reading in readings:
            self._simple(reading, here, writes, environment, wrappers)
        self.variables.take_back(before)

    def _go(self, command: Command, nesting: tuple[str, ...]) -> None:
        """Follow a `cd` whose target the line itself has set."""
        target = next((word for word in command.arguments if word.text == "-" or not word.text.startswith("-")), None)
        if target is None or target.known:
            self.went.pop(nesting, None)
            return
        readings = self.variables.follow(target, nesting)
        one = readings[0][0] if len(readings) == 1 and len(readings[0]) == 1 else Arg("", False)
        self.went[nesting] = one.text if one.known else None

    def _folder(self, at: At, command: Command, nesting: tuple[str, ...]) -> str | None:
        if command.directory is not None or not self.went:
            return names.joined(at.directory, command.directory)
        for length in range(len(nesting), -1, -1):
            if nesting[:length] in self.went:
                return names.joined(at.directory, self.went[nesting[:length]])
        return None

    def _values_that_run(self, assigned: Iterable[tuple[str, Arg]], at: At) -> None:
        """`GIT_SSH_COMMAND='rm -rf x; ssh'`: a program runs the value."""
        for name, value in assigned:
            if not RUNS_VALUE.match(name):
                continue
            made = self._printed(value.text, at) if value.text.startswith("<(") else None
            if made is not None or (value.known and " " in value.text.strip()):
                text = value.text if made is None else made
                self.line(text, replace(at.deeper(name), stdin=None, piped_from=()))

    def _writes(self, redirections: Sequence[Redirection], nesting: tuple[str, ...]) -> tuple[tuple[Mode, Arg], ...]:
        found: list[tuple[Mode, Arg]] = []
        for entry in redirections:
            if entry.mode in ("write", "append"):
                mode: Mode = "append" if entry.mode == "append" else "write"
                found += [(mode, arg) for reading in self.variables.follow(entry.target, nesting) for arg in reading]
        return tuple(found)

    def _simple(
        self,
        args: Sequence[Arg],
        at: At,
        writes: tuple[tuple[Mode, Arg], ...] = (),
        environment: tuple[tuple[str, Arg], ...] = (),
        wrappers: tuple[str, ...] = (),
    ) -> None:
        """One program with its arguments, variables followed."""
        self.cut = self.cut or at.depth > _DEEPEST or not self.work.command(args)
        if not args or self.cut:
            return
        resolved = resolve([names.word(arg) for arg in args])
        rest = names.same(args, tuple(names.arg(word) for word in resolved.arguments))
        program = names.plain_name(resolved.program or names.name_in(resolved.path))
        if "?" in program or "*" in program:  # `/bin/r? -rf x`: a pattern that becomes a program
            program = ""
        if program in pipes.TOLD and not all(arg.known for arg in rest):
            rest = tuple(self._told(arg, at) for arg in rest)
        if program in _REMOVES:
            if not self.work.targets(rest):
                rest, self.cut = rest[:SOME], True
            rest = tuple(each for arg in rest for each in self._listed(arg, at))
        environment = (*environment, *((entry.name, names.arg(entry.value)) for entry in resolved.assignments))
        directory = names.joined(at.directory, resolved.directory.text if resolved.directory is not None else "")
        run = Run(
            program=program,
            args=rest,
            writes=writes,
            directory=directory,
            stdin=at.stdin,
            piped_from=at.piped_from,
            found=at.found,
            environment=environment,
            remote=at.remote,
            mounts=at.mounts,
            fed_by=at.fed_by,
            container=at.container,
            via=(*at.via, *resolved.wrappers),
            after_failure=at.after_failure,
            may_fail=at.may_fail,
            followed_by=at.followed_by,
        )
        if program in statement_files.CLIENTS:
            run = self.scripts.with_statements(run, at.directory)
        if len(args) == 1 and args[0].known and " " in args[0].text.strip():
            # `flock f -c 'cmd'`: what stands behind the wrapper is a command line.
            self.text(args[0].text, True, at.deeper("wrapper"))
            return
        if not program:
            self.unread.append(f"the program {resolved.path[:60]} is computed at run time")
            self._keep(run)
            return
        at = replace(at, directory=directory)
        if "/" in resolved.path and (text := self.scripts.text_of(resolved.path, at.directory, at.remote)) is not None:
            self._script(text, at)
        elif (
            program not in self.calling
            and (body := self.functions.body(program, (*wrappers, *resolved.wrappers), at.nesting)) is not None
        ):
            self._call(program, body, rest, at)
        elif program in self.calling:
            self._keep(replace(run, program="", via=(*at.via, "itself")))
            self._keep(replace(run, program=RECURSION))
        elif program in self.aliases:
            text = " ".join([self.aliases[program], *(shlex.quote(arg.text) for arg in rest)])
            self.line(text, at.deeper("alias"))
        self._keep(run)
        self._within(run, at)

    def _told(self, arg: Arg, at: At) -> Arg:
        """`mysql -e "$(cat <<'EOF' … )"`: the text that is printed, where the line tells."""
        made = None if arg.known else self._printed(arg.text, at)
        return arg if made is None else Arg(made, quoted=True)

    def _listed(self, arg: Arg, at: At) -> list[Arg]:
        """`rm $(grep -rl x docs)`: what a program that only lists prints."""
        found = None if arg.known or at.depth > _DEEPEST else _SUBSTITUTION.match(arg.text)
        if found is None:
            return [arg]
        listed: tuple[str, ...] = ()
        for command in parse(found[1] if found[1] is not None else found[2], deep=False).commands:
            listed = pipes.passed_on(listed, command) if command.position else pipes.listing(command)
        return found_items(listed) if lists_files(listed) else [arg]

    def _script(self, text: str, at: At) -> None:
        """A script that this line wrote, started by this line: what it begins with says who reads it."""
        first = text.lstrip().partition("\n")[0]
        name = next((each for each in ("python3", "python", "node", "ruby", "perl", "php") if each in first), "")
        if first.startswith("#!") and name:
            self._program(Run(name, directory=at.directory, stdin=text, remote=at.remote, via=at.via), at)
        else:
            self.text(text, True, replace(at.deeper(FROM_FILE), stdin=None, piped_from=()))

    def _scripts(self, paths: Iterable[str], at: At) -> None:
        """Scripts that run later, such as hooks of git: what the conversation wrote in them is read now."""
        for path in paths:
            if (text := self.scripts.text_of(path, at.directory, at.remote)) is not None:
                self._script(text, at)

    def _within(self, run: Run, at: At) -> None:
        """What a program runs in its turn."""
        program, args = run.program, run.args
        if program in ("ln", "cp", "install"):
            self._scripts(linked_hooks(run), at)
        elif program in tasks.PROGRAMS:
            for command in self.scripts.tasks(run, at.directory):
                self.text(command, True, replace(at.deeper(FROM_FILE), stdin=None, piped_from=()))
        if program in GIVEN:
            self._inner(GIVEN[program](run), run, at)
        if program == "set" and any(arg.text == "--" for arg in args):
            place = next(n for n, arg in enumerate(args) if arg.text == "--")
            self.variables.positional(args[place + 1 :], at.nesting)
        elif program in ("export", "declare", "typeset") and args and args[0].text.startswith("-"):
            if "f" in args[0].text:
                self.exported |= {arg.text for arg in args[1:]}
        elif program == "alias":
            for arg in args:
                name, sign, text = arg.text.partition("=")
                if sign:
                    self.aliases[name] = text
        elif program in SHELLS:
            self._shell(run, at)
        elif program == "su":
            self._su(run, at)
        elif program in ("eval", "trap") and any(names.fetches(arg.text) for arg in args):
            self._keep(replace(run, program="sh", args=(), piped_from=("curl",)))
        elif program == "eval" and any(names.decodes(arg.text) for arg in args):
            self._keep(replace(run, program="sh", args=(), piped_from=("base64",)))
        elif program == "eval" and len(args) == 1 and (made := self._printed(args[0].text, at)) is not None:
            self.text(made, True, at.deeper(program))
        elif program == "eval":
            self.text(" ".join(arg.text for arg in args), all(arg.known for arg in args), at.deeper(program))
        elif program == "trap" and args:
            if program not in at.via or all(args[0] != each for each, _, _ in self.traps):  # not for ever
                self.traps.append((args[0], at.deeper(program), self.functions))
        elif program in ("source", "."):
            if args and names.fetches(args[0].text):
                self._keep(replace(run, program="sh", args=(), piped_from=("curl",)))
            elif args and args[0].text == "/dev/stdin" and at.stdin is not None:
                self.text(at.stdin, True, replace(at.deeper(program), stdin=None, piped_from=()))
            elif args and (made := self._printed(args[0].text, at)) is not None:
                self.text(made, True, replace(at.deeper(program), stdin=None, piped_from=()))
            elif args and (written := self.scripts.text_of(args[0].text, at.directory, at.remote)) is not None:
                self._script(written, at)
        elif program == "git":
            self._git(run, at)
        elif program in RUNNERS and not (program == "bun" and args and args[0].text.startswith("-")):
            self._inner(RUNNERS[program](run), run, at)
        elif (given := given_program(run)) is not None:
            self._program(given, at)
        elif programs.language(program) == "python" and (module := names.module(args)):
            self._simple(module, at.deeper(program))
        elif not self._program(run, at) and program not in GIVEN:
            self._inner(hidden.command(run), run, at)

    def _inner(self, given: Iterable[Inner], run: Run, at: At) -> None:
        for inner in given:
            below = replace(at.deeper(run.program), stdin=inner.stdin, piped_from=(), fed_by=())
            if inner.takes_input:
                below = replace(below, piped_from=at.piped_from, fed_by=at.fed_by)
            if inner.remote:
                below = replace(below, remote=inner.remote, directory=inner.directory, mounts=inner.mounts)
                below = replace(below, container=inner.container)
            if inner.words:
                self._simple(inner.words, below, environment=run.environment)
            else:
                self.text(inner.text, inner.known, below)

    def _program(self, run: Run, at: At) -> bool:
        """A program of another language, written inline or read from standard input; False: it is no interpreter."""
        script = self.scripts.program_of(run, at.directory, at.remote)
        found = programs.read(run if script is None else replace(run, args=(), stdin=script))
        if found is None:
            return False
        there = Run("", directory=at.directory, remote=at.remote, mounts=at.mounts, via=(*at.via, run.program))
        there = replace(there, container=at.container)
        if found.cut or not self.work.program(found.letters, len(found.shell) + len(found.deletes) + len(found.writes)):
            found.deletes, found.writes, self.cut = found.deletes[:SOME], found.writes[:SOME], True
        for mark in found.marks:
            self._keep(replace(there, program=mark))
        for call in found.shell:
            if call.text == "$0" and not call.known and (run.stdin is not None or run.piped_from):
                # `awk '{ system($0) }'` is a shell that reads standard input.
                self._shell(replace(run, program="sh", args=()), at)
                self._keep(replace(run, program="sh", args=(), piped_from=(*run.piped_from, run.program)))
                continue
            self.text(call.text, call.known, at.deeper(run.program))
        for deletion in found.deletes:
            flags = (Arg("-rf"),) if deletion.recursive else (Arg("-f"),)
            targets = [Arg(deletion.target, deletion.known, quoted=True)]
            if deletion.target == "$_":  # what the program reads line by line
                targets = lists.items(None, run.found) or targets
            self._keep(replace(there, program="rm", args=(*flags, *targets)))
        for written in found.writes:
            target = Arg(written.target, written.known, quoted=True)
            self._keep(replace(there, writes=(("write", target),)))
        return True

    def _printed(self, text: str, at: At) -> str | None:
        """What a substitution stands for, where the line tells: `$(echo …)`, `<(printf …)`."""
        found = _SUBSTITUTION.match(text)
        if found is None or at.depth > _DEEPEST:
            return None
        commands = parse(found[1] if found[1] is not None else found[2], deep=False).commands
        stdin: str | None = None
        for command in commands:
            stdin = self._output(command, stdin, at)
        return stdin

    def text(self, text: str, known: bool, at: At) -> None:
        if not known and not text.strip("$(){}@*1234567890\"' "):
            self.unread.append(f"{at.via[-1]} runs a text that is computed at run time")
            self._keep(Run("", (Arg(text, False),), directory=at.directory, remote=at.remote, via=at.via))
            return
        self.line(text, replace(at, stdin=at.stdin, nesting=at.nesting))

    def _call(self, name: str, body: Sequence[Command], args: Sequence[Arg], at: At) -> None:
        """A function's body, with its arguments."""
        if any(each.program in ("cd", "pushd", "popd") and not _HIDDEN.intersection(each.nesting[1:]) for each in body):
            self.wandered = True
        before, self.calling = self.calling, (*self.calling, name)
        self.variables.positional(args, at.nesting)
        self._commands([replace(each, function="") for each in body], at.deeper(name))
        self.calling = before

    def _su(self, run: Run, at: At) -> None:
        """`su - postgres -c 'cmd'`: the user may stand before the option."""
        for option, arg in itertools.pairwise(run.args):
            if option.text in ("-c", "--command", "--session-command"):
                self.text(arg.text, arg.known, replace(at.deeper("su"), stdin=None, piped_from=()))
                return
        self._shell(replace(run, args=()), at)

    def _shell(self, run: Run, at: At) -> None:
        args, place = run.args, 0
        while place < len(args):
            text = args[place].text
            if text == "--command" or re.match(r"-[a-zA-Z]*c[a-zA-Z]*\Z", text):
                rest = list(args[place + 1 :])
                while rest and re.match(r"-[a-zA-Z]+\Z|--\Z", rest[0].text):
                    rest = rest[1:]
                if rest:
                    inner = at.deeper(run.program)
                    before = self.functions
                    self.functions = before.only(self.exported)
                    if len(rest) > 1:
                        self.variables.set("0", [rest[1]], inner.nesting)
                        self.variables.positional(rest[2:], inner.nesting)
                    if names.fetches(rest[0].text):
                        self._keep(replace(run, args=(), piped_from=("curl",)))
                    made = self._printed(rest[0].text, at)
                    self.text(rest[0].text if made is None else made, rest[0].known or made is not None, inner)
                    self.functions = before
                return
            if text in ("--rcfile", "--init-file") or re.match(r"[-+][a-zA-Z]*[oO]\Z", text):
                place += 1
            elif text == "-s":
                break
            elif not text.startswith(("-", "+")):
                if text == "/dev/stdin":
                    break
                if text.startswith("<(") and names.fetches(text):
                    self._keep(replace(run, args=(), piped_from=("curl",)))
                elif (made := self._printed(text, at)) is not None:
                    self.text(made, True, replace(at.deeper(run.program), stdin=None, piped_from=()))
                elif (written := self.scripts.text_of(text, at.directory, at.remote)) is not None:
                    self._script(written, at.deeper(run.program))
                return
            place += 1
        if run.stdin is not None:
            self.text(run.stdin, True, replace(at.deeper(run.program), stdin=None, piped_from=()))
        elif at.remote in ("ssh", "mosh") and (run.piped_from or run.fed_by):
            self._keep(replace(run, program=SENT_SCRIPT, args=()))
        elif run.piped_from:
            self.unread.append(f"{run.program} runs what {run.piped_from[-1] or 'a pipe'} prints")

    def _git(self, run: Run, at: At) -> None:
        """Settings that come by the environment are shown as options; an alias is what it stands for."""
        settings, name, rest = git_call(run)
        shown = [Arg(text) for setting in settings.by_environment for text in ("-c", setting)]
        if shown:
            self._keep(replace(run, args=(*shown, *run.args), environment=()))
        for text in git_commands(run):
            if match := GIT_RUNS.match(text):
                self.line(match[1], replace(at.deeper("git"), stdin=None, piped_from=()))
            elif "=" not in text.partition(" ")[0]:
                self.line(text, replace(at.deeper("git"), stdin=None, piped_from=()))
        self._scripts(git_hooks(run), at)
        words = shlex.split(rest) if name == "config" and "alias." in rest else []
        for setting, value in itertools.pairwise(words):
            if setting.startswith("alias."):
                self.own_aliases[setting[6:].lower()] = value
        expansion = (dict(self.git_aliases) | self.own_aliases | settings.aliases).get(name)
        if expansion is None or f"git {name}" in self.calling:
            return
        before, self.calling = self.calling, (*self.calling, f"git {name}")
        text = expansion[1:] if expansion.startswith("!") else f"git {expansion}"
        self.line(f"{text} {rest}", at.deeper(f"git {name}"))
        self.calling = before

    def _keep(self, run: Run) -> None:
        if len(self.runs) < _MOST_RUNS:
            self.runs.append(run)
        else:
            self.cut = True
