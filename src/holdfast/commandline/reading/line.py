"""From a command line to all programs that it runs: through functions, aliases, `bash -c`, `eval`, pipes into a shell,
`xargs`, `parallel`, `find -exec`, git aliases, `ssh`, containers and programs written inline. Pure.

What is computed at run time is said in `Reading.unread`; what the runs do is for others to decide.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from holdfast.commandline.model import Arg, Reading, Run, WriteMode
from holdfast.commandline.reading import (
    in_turn,
    joined_options,
    lists,
    names,
    pipes,
    printing,
    spelling,
    statement_files,
)
from holdfast.commandline.reading.at import At
from holdfast.commandline.reading.files import ReadsFile, Scripts, no_files
from holdfast.commandline.reading.reader import Reader
from holdfast.commandline.reading.streams import Stream, Streams
from holdfast.commandline.reading.variables import KNOWN_NAMES
from holdfast.commandline.reading.work import SOME, ReadingBudget
from holdfast.commandline.running.given_commands import RUNS_VALUE
from holdfast.commandline.running.items import INPUT, found_items, lists_files
from holdfast.patterns import lazy_pattern
from holdfast.shell.parse import doubt, is_too_long, parse, parse_piecewise
from holdfast.shell.script import Command, Loop, Part, Redirection, Script, Word
from holdfast.shell.tools import listed
from holdfast.shell.wrappers import Resolved, resolve

_AGAIN = frozenset({"shell", "eval", "trap", "xargs", "find"})
"""Nestings whose text is read anew here, with what is known about their arguments."""
_CAPTURED = frozenset({"substitution", "process", "subshell", "group"})
"""Nestings whose output something else may read."""
_DEEPEST = 12
_LONGEST = 2_000_000
_MOST_READINGS = 16
_REMOVES = frozenset({"rm", "unlink", "shred", "srm", "wipe"})
_TELLING = listed(
    "PGHOST PGPORT PGDATABASE DATABASE_URL DB_HOST KUBECONFIG DOCKER_HOST DOCKER_CONTEXT VAULT_ADDR CONSUL_HTTP_ADDR "
    "NOMAD_ADDR ETCDCTL_ENDPOINTS REDIS_URL NATS_URL TEMPORAL_ADDRESS RPK_BROKERS GNUPGHOME "
    "RESTIC_REPOSITORY BORG_REPO "
    "AWS_ENDPOINT_URL ETH_RPC_URL DISABLE_DATABASE_ENVIRONMENT_CHECK TF_CLI_ARGS TF_CLI_ARGS_apply"
)
_BELOW = lazy_pattern(r"(?:\./)?\w[\w.-]*(?:/\w[\w.-]*)*/?\Z")
"""A folder below the one where the line is."""
RECURSION = "calls-itself"
"""The program of a run that stands for a function that calls itself."""


def read(
    line: str,
    *,
    aliases: Mapping[str, str] | None = None,
    files: ReadsFile = no_files,
    work: ReadingBudget | None = None,
) -> Reading:
    """All runs of a line. `aliases` are git's, from the repository's configuration; `files` tells what is in a file
    that says what runs; `work` is how much reading it may cost."""
    reader = _Reader(aliases or {}, Scripts(files), work or ReadingBudget.for_line(line))
    reader.variables.printed = partial(printing.known, reader)
    reader.variables.spend = reader.work.letters
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
        if self.work.is_spent or is_too_long(text):
            self.cut = True
            return  # nothing of a line counts that is not read whole
        text = spelling.plain(text)
        script = parse(text, deep=False)
        doubtful, cost = doubt(script)
        if not self.work.spend(cost):
            self.cut = True
            return
        if not doubtful:
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
        given = Stream(at.stdin, not at.more_input, at.piped_from, (), at.fed_by)
        streams = Streams(given, lambda compound: printing.taken_in(self, compound.redirections, at.nesting))
        bodies = pipes.bodies(commands)
        waiting = list(reversed(loops))
        for number, command in enumerate(commands):
            if self.cut or self.work.is_spent:
                return
            while waiting and waiting[-1].at <= number:
                self._loop(waiting.pop(), (*at.nesting, *lists.loop_nesting(commands, number)))
            if command.function and command.function not in self.calling:
                self.functions.add(pipes.with_bodies(command, bodies), at.nesting)
                continue
            if _AGAIN.intersection(command.nesting):
                continue
            self.substituted.clear()
            command = pipes.with_bodies(command, bodies)
            nesting = (*at.nesting, *command.nesting)
            command = replace(command, redirections=self._through_descriptors(command))
            reads = streams.read_by(command).and_input(printing.taken_in(self, command.redirections, nesting))
            if command.program in lists.READS:
                self._read_into(command, reads, at)
            self._command(
                command,
                replace(
                    at, stdin=reads.text, more_input=reads.text is not None and not reads.whole,
                    piped_from=reads.programs, found=reads.found, fed_by=reads.files,
                    after_failure=at.after_failure or command.before == "||",
                    may_fail=at.may_fail or command.after == "||" or command.negated or "condition" in command.nesting,
                    followed_by=command.after,
                    captured=at.captured or command.after in ("|", "|&") or not _CAPTURED.isdisjoint(command.nesting),
                ),
            )  # fmt: skip
            if command.ends is not None:
                self._remember_files(command, streams.of_compound(command.ends), reads, nesting)
                continue
            prints = printing.output(self, command, reads, nesting)
            self._remember_files(command, prints, reads, nesting)
            streams.printed(command, printing.beside_files(command.redirections, prints))

    def _loop(self, entry: Loop, nesting: tuple[str, ...]) -> None:
        values = [arg for reading in self.variables.follow(entry.value, nesting) for arg in reading]
        known = self.variables.values(entry.name, nesting) or ()
        if self.looped == (entry.name, entry.at):
            values = [*known, *values]
        self.looped = (entry.name, entry.at)
        self.variables.set(entry.name, values, nesting)

    def _through_descriptors(self, command: Command) -> tuple[Redirection, ...]:
        """`exec 3<f` opens a file under a number; behind it `<&3` and `>&3` mean that file."""
        if command.program == "exec" and not command.arguments:
            self.descriptors |= {
                entry.descriptor: replace(entry, mode="write") if names.is_socket(entry.target.text) else entry
                for entry in command.redirections
                if entry.descriptor
            }
        if not self.descriptors:
            return command.redirections
        return tuple(
            self._opened(entry) if entry.mode == "duplicate" and entry.target.text in self.descriptors else entry
            for entry in command.redirections
        )

    def _opened(self, entry: Redirection) -> Redirection:
        """What `<&3` or `>&3` stands for. A connection is read as well as written."""
        opened = replace(self.descriptors[entry.target.text], descriptor=entry.descriptor)
        reads_socket = entry.descriptor == "0" and opened.mode == "write"
        return replace(opened, mode="read") if reads_socket else opened

    def _read_into(self, command: Command, reads: Stream, at: At) -> None:
        """`find … | while read f`, `mapfile -t a < <(find …)`, `read -d '' x <<EOF`: the variables are what is read."""
        if not reads.is_told:
            return
        nesting = (*at.nesting, *(command.nesting[:-1] if command.nesting[-1:] == ("condition",) else command.nesting))
        for name, items in lists.read_into(command, reads):
            self.variables.set(name, items, nesting)

    def _remember_files(self, command: Command, prints: Stream, reads: Stream, nesting: tuple[str, ...]) -> None:
        """`cat > f <<EOF`, `{ …; } >> f`, `… | tee f`, `mv f g`: the line tells what is in the file."""
        for entry in command.redirections:
            if entry.mode in ("write", "append"):
                self.scripts.wrote(printing.named(self, entry.target, nesting), prints, behind=entry.mode == "append")
        behind = command.program == "tee" and not {"-a", "--append"}.isdisjoint(command.texts)
        for word in pipes.copied_into(command):
            self.scripts.wrote(printing.named(self, word, nesting), reads, behind=behind)
        if self.scripts.written and (copied := pipes.copied_files(command)) is not None:
            sources, target = copied
            named = [printing.named(self, word, nesting) for word in sources]
            self.scripts.copied(named, printing.named(self, target, nesting))

    # --- one command

    def _command(self, command: Command, at: At) -> None:
        nesting = (*at.nesting, *command.nesting)
        assigned = []
        for entry in command.assignments:
            value = names.unsplit(entry.value)
            values = [arg for reading in self.variables.follow(value, nesting) for arg in (reading or [Arg("")])]
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
            said = printing.of_words(self, "printf", command.arguments[2:], nesting)
            self.variables.set(
                command.arguments[1].text, [Arg(said.text) if said.whole and said.text else INPUT], nesting
            )
        if command.program == "unset":
            for word in command.arguments:
                self.variables.unset(word.text, nesting)
        if command.program in ("cd", "pushd"):
            self._go(command, nesting)
        writes = self._writes(command.redirections, nesting)
        here = replace(
            at,
            directory=None if self.wandered else self._folder(at, command, nesting),
            nesting=nesting,
            captured=at.captured or bool(writes),
        )
        self._reach_socket(command, writes, at)
        if not command.path:
            if writes:
                self.keep(Run("", writes=writes, directory=here.directory, remote=at.remote, via=at.via))
            return
        exported = (
            (name, value) for name in self.telling for each in self.variables.entries[name] for value in each.values
        )
        environment = (*exported, *((name, value) for name, values in assigned for value in values))
        self._values_that_run(environment, here)
        made = printing.printed(self, command.path, nesting) if command.path[:1] in "$`" else None
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

    def _reach_socket(self, command: Command, writes: tuple[tuple[WriteMode, Arg], ...], at: At) -> None:
        """`cat key > /dev/tcp/host/80`: the shell itself sends what is written there."""
        sockets = [target for _, target in writes if names.is_socket(target.text)]
        if sockets:
            reached = tuple(Arg(each, sockets[0].known) for each in sockets[0].text.split("/")[3:5])
            fed = (*at.fed_by, *pipes.read_files(command), command.program)
            self.keep(Run("nc", reached, piped_from=(*at.piped_from, command.program), fed_by=fed, via=at.via))

    def _go(self, command: Command, nesting: tuple[str, ...]) -> None:
        """Follow a `cd` whose target the line itself has set."""
        target = next((word for word in command.arguments if word.text == "-" or not word.text.startswith("-")), None)
        if target is None or target.known:
            before = self.went.pop(nesting, None)
            if before is not None and target is not None and _BELOW.match(target.text):
                self.went[nesting] = f"{before}/{target.text}"  # `cd "$(mktemp -d)" && … && cd w`
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
            made = printing.printed(self, value.text, at.nesting) if value.text.startswith("<(") else None
            if made is not None or (value.known and " " in value.text.strip()):
                text = value.text if made is None else made
                self.line(text, replace(at.deeper(name), stdin=None, piped_from=()))

    def _writes(
        self, redirections: Sequence[Redirection], nesting: tuple[str, ...]
    ) -> tuple[tuple[WriteMode, Arg], ...]:
        found: list[tuple[WriteMode, Arg]] = []
        for entry in redirections:
            if entry.mode in ("write", "append"):
                mode: WriteMode = "append" if entry.mode == "append" else "write"
                found += [(mode, arg) for reading in self.variables.follow(entry.target, nesting) for arg in reading]
        return tuple(found)

    def simple(
        self,
        args: Sequence[Arg],
        at: At,
        writes: tuple[tuple[WriteMode, Arg], ...] = (),
        environment: tuple[tuple[str, Arg], ...] = (),
        wrappers: tuple[str, ...] = (),
    ) -> None:
        """One program with its arguments, variables followed."""
        self.cut = self.cut or at.depth > _DEEPEST or not self.work.command(args)
        if not args or self.cut:
            return
        resolved = resolve([names.word(arg) for arg in args])
        rest = names.same(args, tuple(names.arg(word) for word in resolved.arguments))
        named = names.plain_name(resolved.program or names.name_in(resolved.path))
        linked = self.scripts.links.get(names.script_name(resolved.path), named)
        # Under both names: nobody knows whether the link was made, or whether its folder is searched first.
        for program in dict.fromkeys((linked, named)):
            self._under_name(program, args, rest, at, writes, environment, (wrappers, resolved))

    def _under_name(
        self,
        program: str,
        args: Sequence[Arg],
        rest: tuple[Arg, ...],
        at: At,
        writes: tuple[tuple[WriteMode, Arg], ...],
        environment: tuple[tuple[str, Arg], ...],
        around: tuple[tuple[str, ...], Resolved],
    ) -> None:
        """A program by a name that it has: what it is, or what the line calls it."""
        wrappers, resolved = around
        if not program or names.PATTERN.search(program):  # `/bin/r? -rf x`: a pattern that becomes a program
            self.unread.append(f"the program {resolved.path[:60]} is computed at run time")
            program = names.likely(resolved.path, [arg.text for arg in rest])
        if program in _REMOVES:
            rest = self._targets(rest, at)
        rest = joined_options.apart(program, rest)
        environment = (*environment, *((entry.name, names.arg(entry.value)) for entry in resolved.assignments))
        directory = names.joined(at.directory, resolved.directory.text if resolved.directory is not None else "")
        run = replace(
            _run_at(at, program, rest),
            writes=writes,
            directory=directory,
            environment=environment,
            via=(*at.via, *resolved.wrappers),
        )
        if program in statement_files.CLIENTS:
            run = self.scripts.with_statements(run, at.directory)
        if len(args) == 1 and args[0].known and " " in args[0].text.strip():
            # `flock f -c 'cmd'`: what stands behind the wrapper is a command line.
            self.text(args[0].text, True, at.deeper("wrapper"))
            return
        if not program:
            self.keep(run)
            return
        at = replace(at, directory=directory)
        if "/" in resolved.path and (text := self.scripts.text_of(resolved.path, at.directory, at.remote)) is not None:
            in_turn.script(self, resolved.path, text, at)
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
        in_turn.files(self, run, resolved.path, at)

    def _targets(self, args: tuple[Arg, ...], at: At) -> tuple[Arg, ...]:
        """What a program removes, with what `$(…)` lists; only some of very many."""
        if not self.work.targets(args):
            args, self.cut = args[:SOME], True
        return tuple(each for arg in args for each in self._listed(arg, at))

    def _listed(self, arg: Arg, at: At) -> list[Arg]:
        """`rm $(grep -rl x docs)`: what a program that only lists prints."""
        inside = None if arg.known or at.depth > _DEEPEST else printing.inside(arg.text)
        if inside is None:
            return [arg]
        listed: tuple[str, ...] = ()
        for command in parse(inside, deep=False).commands:
            listed = pipes.passed_on(listed, command) if command.position else pipes.listing(command)
        return found_items(listed) if lists_files(listed) else [arg]

    def text(self, text: str, known: bool, at: At) -> None:
        if not known and not text.strip("$(){}@*1234567890\"' "):
            self.unread.append(f"{at.via[-1]} runs a text that is computed at run time")
            self.keep(Run("", (Arg(text, False),), directory=at.directory, remote=at.remote, via=at.via))
            return
        self.line(text, replace(at, stdin=at.stdin, nesting=at.nesting))


def _run_at(at: At, program: str, args: tuple[Arg, ...]) -> Run:
    """A run of a program where the line has come to."""
    return Run(
        program=program,
        args=args,
        stdin=at.stdin,
        more_input=at.more_input,
        piped_from=at.piped_from,
        found=at.found,
        remote=at.remote,
        mounts=at.mounts,
        fed_by=at.fed_by,
        container=at.container,
        after_failure=at.after_failure,
        may_fail=at.may_fail,
        followed_by=at.followed_by,
        captured=at.captured,
    )
