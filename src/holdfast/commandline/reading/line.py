"""From a command line to all programs that it runs: through functions, aliases, `bash -c`, `eval`, pipes into a shell,
`xargs`, `parallel`, `find -exec`, git aliases, `ssh`, containers and programs written inline. Pure.

What is computed at run time is said in `Reading.unread`; what the runs do is for others to decide.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from holdfast.commandline.model import Arg, Mode, Reading, Run
from holdfast.commandline.reading import in_turn, lists, names, pipes, spelling, statement_files
from holdfast.commandline.reading.at import At
from holdfast.commandline.reading.files import Files, Scripts, no_files
from holdfast.commandline.reading.reader import Reader
from holdfast.commandline.reading.variables import KNOWN_NAMES
from holdfast.commandline.reading.work import SOME, ReadingBudget
from holdfast.commandline.running.given_commands import RUNS_VALUE
from holdfast.commandline.running.list_runs import INPUT, found_items, lists_files
from holdfast.shell.parse import is_doubtful, is_too_long, parse, parse_piecewise
from holdfast.shell.script import Command, Loop, Part, Redirection, Script, Word
from holdfast.shell.tools import listed
from holdfast.shell.wrappers import resolve

_AGAIN = frozenset({"shell", "eval", "trap", "xargs", "find"})
"""Nestings whose text is read anew here, with what is known about their arguments."""
_CAPTURED = frozenset({"substitution", "process", "subshell", "group"})
"""Nestings whose output something else may read."""
_DEEPEST = 12
_LONGEST = 2_000_000
_MOST_READINGS = 16
_SUBSTITUTION = re.compile(r"\s*(?:[$<]\((.*)\)|`([^`]*)`)\s*\Z", re.DOTALL)
_ECHO = frozenset({"echo", "printf", "cat"})
_REMOVES = frozenset({"rm", "unlink", "shred", "srm", "wipe"})
_TELLING = listed(
    "PGHOST PGPORT PGDATABASE DATABASE_URL DB_HOST KUBECONFIG DOCKER_HOST DOCKER_CONTEXT VAULT_ADDR CONSUL_HTTP_ADDR "
    "NOMAD_ADDR ETCDCTL_ENDPOINTS REDIS_URL NATS_URL TEMPORAL_ADDRESS RPK_BROKERS GNUPGHOME "
    "RESTIC_REPOSITORY BORG_REPO "
    "AWS_ENDPOINT_URL ETH_RPC_URL DISABLE_DATABASE_ENVIRONMENT_CHECK TF_CLI_ARGS TF_CLI_ARGS_apply"
)
RECURSION = "calls-itself"
"""The program of a run that stands for a function that calls itself."""


def read(line: str, *, aliases: Mapping[str, str] | None = None, files: Files = no_files) -> Reading:
    """All runs of a line. `aliases` are git's, from the repository's configuration; `files` tells what is in a file
    that says what runs."""
    reader = _Reader(aliases or {}, Scripts(files), ReadingBudget.for_line(line))
    reader.line(line, At())
    for arg, at, functions in reader.traps:  # a trap may set others: they come behind it
        reader.functions = functions
        reader.text(arg.text, arg.known, at)
    return Reading(tuple(reader.runs), tuple(dict.fromkeys(reader.unread)), reader.cut)


class _Reader(Reader):
    """Follows the commands of a line, one by one."""

    __slots__ = ()

    def line(self, text: str, at: At) -> None:
        """Read a text as a shell does."""
        if at.depth > _DEEPEST or len(text) > _LONGEST:
            self.cut = True
            return
        if is_too_long(text):
            self.cut = True
            return  # nothing of a line counts that is not read whole
        text = spelling.plain(text)
        script = parse(text, deep=False)
        if not is_doubtful(script):
            self._script(script, at)
            return
        again = parse_piecewise(text)
        if not again.complete:  # neither is sure to be right: what either finds counts
            state = self.state()
            self._script(script, at)
            self.begin_again(state)
        self._script(again, at)

    def _script(self, script: Script, at: At) -> None:
        self.cut = self.cut or script.cut or not self.work.script(script)
        if self.cut:
            return
        self.commands(script.commands, at, script.loops)

    def commands(self, commands: Sequence[Command], at: At, loops: Sequence[Loop] = ()) -> None:
        outputs: dict[tuple[str, ...], tuple[str | None, tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {}
        waiting = list(reversed(loops))
        for number, command in enumerate(commands):
            if self.cut or self.work.left < 0:
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
                    captured=at.captured or command.after in ("|", "|&") or not _CAPTURED.isdisjoint(command.nesting),
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
            items = self._listed(Arg(source, known=False), at) if source[:1] in "<$`" else []
        elif (
            said := next((entry.target for entry in command.redirections if entry.mode == "herestring"), None)
        ) is not None:
            items = [arg for reading in self.variables.follow(said, (*at.nesting, *command.nesting)) for arg in reading]
        if source and not (items and all(arg.known or arg.found_by for arg in items)):
            items = [arg for arg in items if arg.known or arg.found_by or arg.text.startswith("$(every")] or [INPUT]
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
            assigned.append((entry.name, self.variables.added(entry.name, values, nesting) if entry.adds else values))
        if not command.path or command.program in ("export", "declare", "typeset", "local", "readonly"):
            is_reference = any(word.text == "-n" for word in command.arguments)
            for name, values in assigned:
                if is_reference and values:
                    other = values[0].text
                    values = list(self.variables.values(other, nesting) or (Arg(f"${other}", other in KNOWN_NAMES),))
                self.variables.set(name, values, nesting)
                if name not in self.telling and (name[:4] == "GIT_" or name[-4:] == "_ENV" or name in _TELLING):
                    self.telling.append(name)
                self._values_that_run(((name, value) for value in values), at)
        if command.program == "printf" and len(command.arguments) > 2 and command.arguments[0].text == "-v":
            said = self._output(replace(command, arguments=command.arguments[2:]), None, at)
            self.variables.set(command.arguments[1].text, [Arg(said) if said is not None else INPUT], nesting)
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
            captured=at.captured or bool(writes),
        )
        sockets = [target for _, target in writes if target.text.startswith(("/dev/tcp/", "/dev/udp/"))]
        if sockets:
            reached = tuple(Arg(each, sockets[0].known) for each in sockets[0].text.split("/")[3:5])
            fed = (*at.fed_by, *pipes.read_files(command), command.program)
            self.keep(Run("nc", reached, piped_from=(*at.piped_from, command.program), fed_by=fed, via=at.via))
        if not command.path:
            if writes:
                self.keep(Run("", writes=writes, directory=here.directory, remote=at.remote, via=at.via))
            return
        exported = (
            (name, value) for name in self.telling for each in self.variables.entries[name] for value in each.values
        )
        environment = (*exported, *((name, value) for name, values in assigned for value in values))
        self._values_that_run(environment, here)
        made = self.printed(command.path, here) if command.path[:1] in "$`" else None
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
            self.simple(reading, here, writes, environment, wrappers)
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
            made = self.printed(value.text, at) if value.text.startswith("<(") else None
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

    def simple(
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
            captured=at.captured,
        )
        if program in statement_files.CLIENTS:
            run = self.scripts.with_statements(run, at.directory)
        if len(args) == 1 and args[0].known and " " in args[0].text.strip():
            # `flock f -c 'cmd'`: what stands behind the wrapper is a command line.
            self.text(args[0].text, True, at.deeper("wrapper"))
            return
        if not program:
            self.unread.append(f"the program {resolved.path[:60]} is computed at run time")
            self.keep(run)
            return
        at = replace(at, directory=directory)
        if "/" in resolved.path and (text := self.scripts.text_of(resolved.path, at.directory, at.remote)) is not None:
            in_turn.script(self, text, at)
        elif (
            program not in self.calling
            and (body := self.functions.body(program, (*wrappers, *resolved.wrappers), at.nesting)) is not None
        ):
            in_turn.call(self, program, body, rest, at)
            self.keep(replace(run, args=()))
            return  # its body says what happens to its words
        elif program in self.calling:
            self.keep(replace(run, program="", via=(*at.via, "itself")))
            self.keep(replace(run, program=RECURSION))
        elif program in self.aliases:
            text = " ".join([self.aliases[program], *(shlex.quote(arg.text) for arg in rest)])
            self.line(text, at.deeper("alias"))
        self.keep(run)
        in_turn.within(self, run, at)

    def _told(self, arg: Arg, at: At) -> Arg:
        """`mysql -e "$(cat <<'EOF' … )"`: the text that is printed, where the line tells."""
        made = None if arg.known else self.printed(arg.text, at)
        return arg if made is None else Arg(made, quoted=True)

    def _listed(self, arg: Arg, at: At) -> list[Arg]:
        """`rm $(grep -rl x docs)`: what a program that only lists prints."""
        found = None if arg.known or at.depth > _DEEPEST else _SUBSTITUTION.match(arg.text)
        if found is None:
            return [arg]
        listed: tuple[str, ...] = ()
        for command in parse(found[1] if found[1] is not None else found[2], deep=False).commands:
            listed = pipes.passed_on(listed, command) if command.position else pipes.listing(command)
        if lists_files(listed):
            return found_items(listed)
        made = self.printed(arg.text, at)
        return [Arg(word) for word in made.split()] or [arg] if made is not None and not arg.quoted else [arg]

    def printed(self, text: str, at: At) -> str | None:
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
            self.keep(Run("", (Arg(text, False),), directory=at.directory, remote=at.remote, via=at.via))
            return
        self.line(text, replace(at, stdin=at.stdin, nesting=at.nesting))
