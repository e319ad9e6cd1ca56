"""What commands print, as far as the line tells: `echo`, `printf`, `cat`, filters, functions, `bash -c`. Pure.

Nothing is run or kept here: the same commands are read by `line` on their own. What it costs is counted there, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from holdfast.commandline.model import Arg
from holdfast.commandline.reading import decoding, names, pipes
from holdfast.commandline.reading.reader import Reader
from holdfast.commandline.reading.streams import EMPTY, NOTHING, Stream, Streams, goes_away, joined
from holdfast.shell.parse import parse
from holdfast.shell.script import Command, Redirection, Word
from holdfast.shell.tools import listed
from holdfast.shell.wrappers import SHELLS

_SUBSTITUTION = re.compile(r"\s*(?:[$<]\((.*)\)|`([^`]*)`)\s*\Z", re.DOTALL)
_ONLY_READS = re.compile(r"<\s*([^\s<>&|;()]+)\Z")
_PASS_ON = listed(
    "cat tee head tail grep egrep fgrep rg sort uniq tac shuf nl column pv envsubst sponge less more bat unexpand "
    "expand fold fmt iconv dos2unix"
)
"""Programs that print what they read, or some of it."""
_PATTERN_FIRST = listed("grep egrep fgrep rg")
_SILENT = listed(
    "cd pushd popd true false : set unset export local declare readonly typeset shift sleep wait test [ [[ read "
    "mapfile readarray mkdir touch cp mv ln rm chmod shopt trap exit return break continue eval exec source . alias"
)
_SAYS = frozenset({"echo", "printf"})
_DEEPEST = 5
_BRACKET = re.compile(r"\$\(|\)")
_MOST_READINGS = 16
_MOST_LETTERS = 4_000
_MAY_PRINT = re.compile(r"\b(?:echo|printf|cat|tee|head|tail|grep|sort|bash|sh|eval)\b|<")


def inside(text: str) -> str | None:
    """The commands in a substitution; None when the text is none."""
    found = _SUBSTITUTION.match(text)
    return None if found is None else found[1] if found[1] is not None else found[2]


def substituted(reader: Reader, text: str, nesting: tuple[str, ...]) -> Stream:
    """What `$(…)`, backquotes or `<(…)` stand for."""
    line = inside(text)
    if line is None or reader.printing >= _DEEPEST or _is_deep(text):
        return NOTHING
    if (told := reader.substituted.get(text)) is not None:
        return told
    if only := _ONLY_READS.match(line.strip()):  # `$(< f)`
        return _of_file(reader, only[1])
    script = parse(line, deep=False)
    if not reader.work.script(script):
        return NOTHING
    bodies = pipes.bodies(script.commands)
    commands = [pipes.with_bodies(command, bodies) for command in script.commands]
    stream = said(reader, commands, NOTHING, (*nesting, "substitution"))
    reader.substituted[text] = stream
    return stream


def _is_deep(text: str) -> bool:
    """Do so many substitutions stand in each other that following them from each level would take too long?"""
    depth = deepest = 0
    for bracket in _BRACKET.finditer(text) if text.count("$(") > _DEEPEST else ():
        depth = depth + 1 if bracket[0] == "$(" else max(0, depth - 1)
        deepest = max(deepest, depth)
    return deepest > _DEEPEST + 1


def printed(reader: Reader, text: str, nesting: tuple[str, ...]) -> str | None:
    """The text that a substitution becomes, as far as it is known."""
    return substituted(reader, text, nesting).text


def known(reader: Reader, text: str, nesting: tuple[str, ...]) -> str | None:
    """The text that a substitution becomes, where all of it is known."""
    if not _MAY_PRINT.search(text) and not reader.functions.known:
        return None
    stream = substituted(reader, text, nesting)
    return stream.text.rstrip("\n") if stream.whole and stream.text else None


def said(reader: Reader, commands: Sequence[Command], given: Stream, nesting: tuple[str, ...]) -> Stream:
    """All that commands print."""
    if reader.printing >= _DEEPEST:
        return NOTHING
    reader.printing += 1
    streams = Streams(given, lambda compound: taken_in(reader, compound.redirections, nesting))
    for command in commands:
        if command.function and command.function not in reader.calling:
            continue
        if not reader.work.said(command):
            break
        here = (*nesting, *command.nesting)
        reads = streams.read_by(command)
        if command.ends is not None:
            continue
        if not command.path:
            for entry in command.assignments:
                values = [
                    arg for reading in reader.variables.follow(names.unsplit(entry.value), here) for arg in reading
                ]
                reader.variables.set(entry.name, values, here)
        stream = output(reader, command, reads.and_input(taken_in(reader, command.redirections, here)), here)
        streams.printed(command, beside_files(command.redirections, stream))
    reader.printing -= 1
    return streams.all_printed()


def beside_files(redirections: Sequence[Redirection], prints: Stream) -> Stream:
    """What goes on through the pipe of what a command prints: nothing where it all goes into a file."""
    return replace(EMPTY, programs=prints.programs) if goes_away(redirections) else prints


def taken_in(reader: Reader, redirections: Sequence[Redirection], nesting: tuple[str, ...]) -> Stream | None:
    """What stands behind the last `<`, `<<` or `<<<` of a command or a compound; None: there is none."""
    for entry in reversed(redirections):
        if entry.mode == "duplicate":
            entry = reader.descriptors.get(entry.target.text, entry)
        elif entry.descriptor not in ("", "0"):
            continue
        if entry.mode == "heredoc" and entry.heredoc:
            return Stream(entry.heredoc.body, whole=True)
        if entry.mode == "herestring":
            made = of_words(reader, "", (names.unsplit(entry.target),), nesting)
            variables = tuple(part.text for part in entry.target.parts if part.text.startswith("$") and not part.known)
            return made if made.whole else replace(made, files=(*made.files, *variables))
        if entry.mode == "read":
            return _of_file(reader, named(reader, entry.target, nesting))
    return None


def named(reader: Reader, word: Word, nesting: tuple[str, ...]) -> str:
    """The file that a word names, with the line's own variables filled in."""
    if word.known or word.text.startswith("<("):
        return word.text
    reading = reader.variables.follow(word, nesting)[0]
    return reading[0].text if len(reading) == 1 and reading[0].known else word.text


def _of_file(reader: Reader, name: str) -> Stream:
    """What is in a file: what the line wrote into it, or what `<(…)` prints."""
    if name.startswith("<("):
        made = substituted(reader, name, ())
        return replace(made, files=(*made.files, name))
    wrote = reader.scripts.wrote_into(name)
    return Stream(files=(name,)) if wrote is None else replace(wrote, files=(*wrote.files, name))


def of_words(reader: Reader, program: str, words: Sequence[Word], nesting: tuple[str, ...]) -> Stream:
    """What `echo`, `printf` or `<<<` makes of words."""
    readings: list[list[Arg]] = [[]]
    for word in words:
        options = reader.variables.follow(word, nesting)
        readings = [[*reading, *option] for reading in readings for option in options][:_MOST_READINGS]
    texts = []
    whole = True
    for reading in readings:
        known = all(arg.known for arg in reading)
        whole = whole and known
        if known or any(_says_something(arg) for arg in reading):
            pieces = [arg.text for arg in reading]
            texts.append(pipes.printed(program, pieces) if program else " ".join(pieces))
    if whole:
        return Stream("\n".join(texts), whole)
    computed = [part.text for word in words for part in word.parts if not part.known]
    computed += [arg.text for reading in readings for arg in reading if not arg.known]
    inner = [substituted(reader, text, nesting) for text in dict.fromkeys(computed) if text.startswith(("$(", "`"))]
    origin = joined(inner) if inner else NOTHING
    texts += [origin.text] if origin.text else []
    return Stream("\n".join(texts) if texts else None, whole, origin.programs, (), origin.files)


def _says_something(arg: Arg) -> bool:
    """Is there more in it than an expansion that stays unknown?"""
    return arg.known or (" " in arg.text and not arg.text.startswith(("$(", "`")))


def output(reader: Reader, command: Command, given: Stream, nesting: tuple[str, ...]) -> Stream:
    """What a command prints, wherever that goes."""
    command = _under_its_own_name(reader, command, nesting)
    program = names.plain_name(command.program)
    made = _made(reader, program, command, given, nesting)
    listing = pipes.listing(command) if not command.position else ()
    is_read = program in _SILENT or (made.whole and program in decoding.DECODERS)
    return Stream(
        made.text,
        made.whole,
        (*given.programs, *made.programs, *([] if is_read else [command.program])),
        listing or pipes.passed_on(given.found, command),
        (*given.files, *made.files, *pipes.read_files(command)),
    )


def _under_its_own_name(reader: Reader, command: Command, nesting: tuple[str, ...]) -> Command:
    """The command as the program that a link, an alias or a variable of the line stands for: `b=base64; $b -d`."""
    if link := reader.scripts.links.get(names.script_name(command.path)):
        words = [Arg(link)]
    elif command.program in reader.aliases:
        words = [Arg(text) for text in reader.aliases[command.program].split()]
    elif command.path.startswith("$") and not command.program:
        words = reader.variables.follow(names.as_word(command.path, command), nesting)[0]
    else:
        return command
    if not words or not all(arg.known for arg in words) or words[0].text == command.path:
        return command
    name = names.plain_name(words[0].text)
    arguments = (*map(names.word, words[1:]), *command.arguments)
    return replace(command, program=name, path=words[0].text, arguments=arguments)


def _made(reader: Reader, program: str, command: Command, given: Stream, nesting: tuple[str, ...]) -> Stream:
    """The text of it, and where that comes from besides what the command reads."""
    if program in _SAYS:
        return of_words(reader, program, command.arguments, nesting)
    if program in _PASS_ON:
        return _passed_on(reader, program, command, given, nesting)
    if (made := _decoded(reader, program, command, given, nesting)) is not None:
        return Stream(made, whole=True)
    if program in ("xargs", "parallel", "find") and not _SAYS.isdisjoint(command.texts):
        return Stream(_said_of_each(program, command.texts, given))
    if program in SHELLS or program == "eval":
        return _of_shell(reader, program, command, given, nesting)
    if (
        body := reader.functions.body(program, command.wrappers, nesting)
    ) is not None and program not in reader.calling:
        args = [arg for word in command.arguments for arg in reader.variables.follow(word, nesting)[0]]
        before, reader.calling = reader.calling, (*reader.calling, program)
        reader.variables.positional(args, nesting)
        stream = said(reader, body, given, nesting)
        reader.calling = before
        return stream
    return EMPTY if program in _SILENT or not command.path else NOTHING


def _decoded(reader: Reader, program: str, command: Command, given: Stream, nesting: tuple[str, ...]) -> str | None:
    """What a decoder prints, where the line holds all that it reads."""
    if program not in decoding.DECODERS:
        return None
    words = command.texts
    files = decoding.operands(words) if program != "openssl" else []
    reads = joined([_of_file(reader, name) for name in files if name != "-"]) if files not in ([], ["-"]) else given
    if not reads.whole or reads.text is None:
        return None
    return decoding.decoded(program, words, reads.text)


def _said_of_each(program: str, words: Sequence[str], given: Stream) -> str:
    """What `xargs echo rm` or `find … -exec echo rm {} \\;` prints: a line for each item, known or not."""
    start = next(place for place, word in enumerate(words) if word in _SAYS)
    stop = next((place for place in range(start, len(words)) if words[place] in (";", "+", ":::")), len(words))
    mark = words[words.index("-I") + 1] if "-I" in words[:start] else "{}"
    items = (given.text or "").splitlines()[:_MOST_READINGS] or ["$(input)"]
    if program == "find":
        items = [f"{words[0].rstrip('/')}/*"]
    line = " ".join(words[start + 1 : stop])
    return "\n".join(line.replace(mark, item) if mark in line else f"{line} {item}" for item in items)


def _passed_on(reader: Reader, program: str, command: Command, given: Stream, nesting: tuple[str, ...]) -> Stream:
    """A filter prints what it reads: the files that it names, or what comes by the pipe."""
    words = [word for word in command.arguments if word.text == "-" or not word.text.startswith("-")]
    if program in _PATTERN_FIRST:
        words = words[1:]
    if program == "tee" or not words:
        return Stream(given.text, given.whole)
    parts = [given if word.text == "-" else _of_file(reader, named(reader, word, nesting)) for word in words]
    if all(part.text is None for part in parts) and given.text is not None and program != "cat":
        return Stream(given.text)  # the words may be values of its options
    return joined(parts)


def _of_shell(reader: Reader, program: str, command: Command, given: Stream, nesting: tuple[str, ...]) -> Stream:
    args = [arg for word in command.arguments for arg in reader.variables.follow(word, nesting)[0]]
    texts = [arg.text for arg in args]
    if program == "eval":
        text = " ".join(texts)
    elif "-c" in texts[:-1]:
        text = texts[texts.index("-c") + 1]
    elif not args and given.text is not None:
        text = given.text
    else:
        return NOTHING
    if len(text) > _MOST_LETTERS or reader.printing >= _DEEPEST:
        return NOTHING
    script = parse(text, deep=False)
    return said(reader, script.commands, NOTHING, nesting) if reader.work.script(script) else NOTHING
