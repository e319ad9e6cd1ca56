"""What goes from one command of a line to the next: through pipes, groups, loops, substitutions and files. Pure.

A group prints what its members print, and each of its members may read what the group is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from holdfast.shell.script import Command, Compound, Redirection

LONGEST = 100_000
"""Characters of a text that are kept."""
_MOST = 50


@dataclass(frozen=True, slots=True)
class Stream:
    """What a command reads or prints, as far as the line tells."""

    text: str | None = None
    """At least this; None: nothing of it is known. An expansion that stays unknown stands in it as written."""
    whole: bool = False
    """`text` is all of it."""
    programs: tuple[str, ...] = ()
    """The programs that it came from or through."""
    found: tuple[str, ...] = ()
    """The words of the `find` that lists it."""
    files: tuple[str, ...] = ()
    """The files that it was read from, and the words of those that read them."""

    @property
    def is_told(self) -> bool:
        """Does it come from somewhere that the line names?"""
        return self.text is not None or bool(self.programs or self.files or self.found)

    def and_input(self, own: Stream | None) -> Stream:
        """What a command reads that has a `<` of its own."""
        if own is None:
            return self
        return replace(own, programs=(*self.programs, *own.programs), files=(*self.files, *own.files))


NOTHING = Stream()
EMPTY = Stream("", whole=True)


def joined(parts: Sequence[Stream]) -> Stream:
    """One behind the other."""
    if len(parts) == 1:
        return parts[0]
    texts = [part.text for part in parts if part.text is not None]
    return Stream(
        "\n".join(text.removesuffix("\n") for text in texts if text)[:LONGEST] if texts else None,
        all(part.whole for part in parts),
        _some(name for part in parts for name in part.programs),
        next((part.found for part in parts if part.found), ()),
        _some(name for part in parts for name in part.files),
    )


def _some(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))[:_MOST]


def goes_away(redirections: Sequence[Redirection]) -> bool:
    """Does what is printed go into a file?"""
    return any(entry.mode in ("write", "append") and entry.descriptor in ("", "1") for entry in redirections)


@dataclass(slots=True)
class _Level:
    """One compound that is open, or the line itself."""

    compound: Compound | None
    given: Stream
    before: Stream = NOTHING
    """What the stage before printed, in the pipeline that is being read."""
    printed: list[Stream] = field(default_factory=list)
    """What its pipelines printed so far."""

    def ended(self, position: int, length: int, stream: Stream) -> None:
        """A stage of a pipeline has printed this."""
        self.before = stream
        if position >= length - 1:
            self.printed.append(stream)


class Streams:
    """Follows the pipelines of a line while its commands are read in their order."""

    def __init__(self, given: Stream, redirected: Callable[[Compound], Stream | None]) -> None:
        """`given` is what the line reads. `redirected` tells what stands behind the `<` of a compound."""
        self._levels = [_Level(None, given)]
        self._redirected = redirected
        self._of_compounds: dict[int, Stream] = {}

    def read_by(self, command: Command) -> Stream:
        """What a command reads, its own `<` aside."""
        self._go_to(command.inside)
        level = self._levels[-1]
        return level.before if command.position else level.given

    def printed(self, command: Command, stream: Stream) -> None:
        """A command has printed this into the pipe, or for who reads the whole."""
        self._levels[-1].ended(command.position, command.length, stream)

    def of_compound(self, compound: Compound) -> Stream:
        """All that the commands of a compound printed, behind which we stand."""
        return self._of_compounds.get(compound.number, NOTHING)

    def all_printed(self) -> Stream:
        """What the whole line printed."""
        self._go_to(())
        return joined(self._levels[0].printed) if self._levels[0].printed else EMPTY

    def _go_to(self, inside: tuple[Compound, ...]) -> None:
        same = 0
        for level, compound in zip(self._levels[1:], inside, strict=False):
            if level.compound is None or level.compound.number != compound.number:
                break
            same += 1
        while len(self._levels) > same + 1:
            self._close(self._levels.pop())
        for compound in inside[same:]:
            above = self._levels[-1]
            given = above.before if compound.position else above.given
            self._levels.append(_Level(compound, given.and_input(self._redirected(compound))))

    def _close(self, level: _Level) -> None:
        compound = level.compound
        if compound is None or compound.apart:
            return
        stream = joined(level.printed) if level.printed else EMPTY
        self._of_compounds[compound.number] = stream
        seen = replace(EMPTY, programs=stream.programs) if goes_away(compound.redirections) else stream
        self._levels[-1].ended(compound.position, compound.length, seen)
