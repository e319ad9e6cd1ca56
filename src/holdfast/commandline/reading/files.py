"""Files that tell what a line runs: scripts, tasks of the project, statements. Pure.

What the line itself writes into a file is known. Who gives `ReadsFile` decides what may be
read of other files.
"""

from __future__ import annotations

import fnmatch
import posixpath
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from holdfast.commandline.inline import other_languages, programs
from holdfast.commandline.model import Run
from holdfast.commandline.reading import names, only_checking, statement_files
from holdfast.commandline.reading.streams import Stream, joined
from holdfast.commandline.running import tasks

FileKind = Literal["tasks", "script", "statements"]
"""A project's own tasks; a script or program that is started; statements for a database."""
ReadsFile = Callable[[FileKind, str], str | None]
"""The text of a file, by what it is for and its path from where the line begins; None when it is not read."""
FROM_FILE = "a file"
"""How a run was reached that a file names and not the line."""


def no_files(kind: FileKind, path: str) -> str | None:
    """Nothing is read."""
    return None


_PATTERN = re.compile(r"[*?\[]|/<found>")
_MOST_FILES = 20


@dataclass(slots=True)
class Scripts:
    """What is in files that are run."""

    files: ReadsFile
    written: dict[str, Stream] = field(default_factory=dict)
    """Files that the line writes, with what it tells about their text."""
    added_tasks: list[str] = field(default_factory=list)
    """What the line adds to the package.json that is there."""
    links: dict[str, str] = field(default_factory=dict)
    """Programs that the line gives another name: `ln -s /bin/rm /tmp/x`."""

    def wrote(self, name: str, stream: Stream, *, behind: bool = False) -> None:
        """The line writes this into a file, or `behind` what it wrote into it before."""
        name = names.script_name(name)
        before = self.written.get(name) if behind else None
        self.written[name] = stream if before is None else joined((before, stream))

    def copied(self, sources: Iterable[str], target: str) -> None:
        """The line copies, moves or links files: each has the name of the target, or lies in it."""
        for source in sources:
            if (stream := self.wrote_into(source)) is not None:
                self.wrote(target, stream)
                self.wrote(posixpath.join(target, posixpath.basename(source)), stream)

    def wrote_into(self, name: str) -> Stream | None:
        """What the line wrote into a file, or into those that a pattern stands for; None: it did not write them."""
        name = names.script_name(name)
        if (stream := self.written.get(name)) is not None or not self.written or _PATTERN.search(name) is None:
            return stream
        name = name.replace("/<found>", "/*")
        found = [each for other, each in self.written.items() if fnmatch.fnmatchcase(other, name)]
        return joined(found[:_MOST_FILES]) if found else None

    def _told(self, name: str) -> str | None:
        stream = self.wrote_into(name)
        return None if stream is None else stream.text

    def text_of(self, name: str, directory: str | None, remote: str) -> str | None:
        """What is in a script that is started."""
        text = self._told(name)
        return text if text is not None or remote else self._read("script", name, directory)

    def program_of(self, run: Run, directory: str | None, remote: str) -> str | None:
        """The program in a file that an interpreter is given: `printf … > t.py; python t.py`."""
        words = [arg for arg in run.args if not arg.text.startswith("-")]
        if sign := other_languages.COMPILED.get(run.program):
            files = [arg for arg in words if arg.text.endswith((".go", ".java", ".zig", ".rs"))]
            told = sign.startswith(".") or (bool(words) and words[0].text == sign)
            return self.text_of(files[0].text, directory, remote) if told and files else None
        if programs.language(run.program) is None:
            return None
        named = next(iter(words), None)
        if named is None or any(arg.text in ("-c", "-e", "-m", "-r") for arg in run.args[: run.args.index(named)]):
            return None
        text = self.text_of(named.text, directory, remote) if named.known else None
        return text if text is None or not only_checking.only_checks(run, frozenset(), text) else None

    def tasks(self, run: Run, directory: str | None) -> list[str]:
        """The command lines that a file of the project has for `npm run x`, `make x`."""
        files, wanted = tasks.wanted(run)
        if not files or run.remote:
            return []
        texts = [run.stdin] if files in (("-",), ("/dev/stdin",)) else [self._told(file) for file in files]
        usual = tasks.are_usual(run.program, wanted)
        is_told = any(text and not tasks.are_words(run.program, text) for text in texts)
        for file in files:
            if usual or not is_told:
                texts.append(self._read("script" if usual else "tasks", file, directory))
        texts += self.added_tasks if run.program in tasks.PACKAGES else []
        return [line for text in texts if text for line in tasks.commands(run.program, text, wanted)]

    def with_statements(self, run: Run, directory: str | None) -> Run:
        """A call of a database's client with the statements of the files that it is given."""
        texts = [(name, self._statements(name, run, directory)) for name in statement_files.named(run) if name]
        said = "\n".join(text for _, text in texts if text is not None)
        unread = tuple(name for name, text in texts if text is None)
        return replace(run, stdin=f"{run.stdin or ''}\n{said}" if said else run.stdin, unread_files=unread)

    def _statements(self, name: str, run: Run, directory: str | None) -> str | None:
        text = self._told(name)
        return text if text is not None or run.remote else self._read("statements", name, directory)

    def _read(self, kind: FileKind, name: str, directory: str | None) -> str | None:
        path = names.joined(directory, name)
        return self.files(kind, path) if path else None
