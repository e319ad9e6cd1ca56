"""Which paths a finding is about: patterns, what `find` lists, what an archive holds, where a copy lands.

Looks at the file system, within a time.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.commandline.model import Arg, Where
from holdfast.commandline.reading.find_words import at_home
from holdfast.judging import file_findings
from holdfast.judging.model import Finding
from holdfast.rooms.guards.targets import archives, facts, patterns
from holdfast.undo.git import Git, Unknown

NEAR = frozenset({"inside", "project", "artefact", "temporary", "nothing"})
"""Places that the daemon sees as the shell does."""
MOST_NAMED = 500
"""Paths that git is asked about by name; about more it is asked as a whole."""
_UNLISTED = re.compile(r"[!@+*?]\([^()]*\)|<found>")
"""What no list can be made of: extended patterns, what a program finds."""
_MOST_UNREAD = 64 * 1024 * 1024
"""Bytes of a folder that are kept when an archive, whose names cannot be read, is unpacked into it."""


@dataclass(frozen=True, slots=True)
class TargetListing:
    """Lists the paths of findings of one line."""

    where: Where
    until: float
    options: frozenset[str] = frozenset()
    """Options of the shell that change what patterns stand for."""

    def paths(self, finding: Finding) -> list[str] | None:
        """The paths it is about; None when they are not known."""
        deed = finding.deed
        if deed is not None and deed.found_by:
            folder = file_findings.folder_of(finding.run, self.where)
            words = at_home(deed.found_by, self.where.home, folder)
            listed = facts.found_by(words, folder, self.until) if folder else None
            if listed and deed.recursive and finding.place in NEAR:
                # `git ls-files -o | xargs rm -r`: git names a repository inside by its folder.
                top = os.path.realpath(self.where.root or folder)
                inner = {facts.repository_of(os.path.realpath(path), top) for path in listed[:MOST_NAMED]}
                listed += sorted(inner - {"", top})
            return listed
        targets = finding.targets
        try:
            if finding.place in NEAR and any(path.endswith("/<found>") for path in targets):
                # A program lists a folder: whichever files it means, they are among these.
                targets = tuple(each for path in targets for each in _of_folder(path))
            elif not targets or any(_UNLISTED.search(path) for path in targets):
                return None
            paths = facts.filled(targets, self.until, self.options)
            if deed is not None and deed.unpacks is not None:
                return [each for path in paths for each in self._unpacked(path, deed.unpacks, finding)]
            if finding.through:
                paths = [f"{path}/" if os.path.islink(path) else path for path in paths]
            if deed is not None and deed.sources:
                paths = [each for path in paths for each in self._landing(path, deed.sources, finding)]
        except (patterns.TooMany, Unknown):
            return None
        return paths

    def _unpacked(self, folder: str, archive: Arg, finding: Finding) -> list[str]:
        """The files in a folder that an archive, or a patch, writes over. All that are there, if it cannot be read."""
        path = file_findings.path_of(archive, finding.run, self.where) if archive.text else ""
        stdin = finding.run.stdin if finding.run is not None else None
        named = archives.written(path, stdin, folder, self.until)
        if named is not None:
            return named
        if finding.place not in NEAR:
            raise patterns.TooMany(f"{folder} is beyond the project")
        below = facts.files_below(folder)
        if sum(map(size, below)) > _MOST_UNREAD and self.where.root:
            committed = Git(self.where.root, self.until).committed(below)
            below = [path for path in below if path not in committed]
        if sum(map(size, below)) > _MOST_UNREAD:
            raise patterns.TooMany(f"{folder} is too large to be kept whole")
        return below

    def _landing(self, target: str, sources: Sequence[Arg], finding: Finding) -> list[str]:
        """The files that are written over when something is moved or copied to a target."""
        if not os.path.isdir(target):
            return [target]
        found = [target] if os.path.islink(target) else []
        for source in sources:
            contents = source.text.endswith(("/", "/.")) or source.text == "." or _is_itself(finding)
            for path in facts.filled(
                [file_findings.path_of(source, finding.run, self.where)], self.until, self.options
            ):
                landed = [os.path.join(target, os.path.basename(path.rstrip("/")))]
                landed += [target] if contents else []
                if not os.path.isdir(path) or (os.path.islink(path) and not contents):
                    found += landed
                    continue
                for folder, _, names in os.walk(path):
                    for each in landed:
                        inside = os.path.join(each, os.path.relpath(folder, path))
                        found += [os.path.normpath(os.path.join(inside, name)) for name in names]
                    if len(found) > patterns.MOST_PATHS:
                        raise patterns.TooMany
        return found


def _is_itself(finding: Finding) -> bool:
    """`cp -T`, `ln -n`: is the target itself meant, and not a place in it?"""
    run = finding.run
    return run is not None and any(
        text in ("-T", "--no-target-directory") or (text[:1] == "-" and text[1:2] != "-" and "T" in text)
        for text in run.texts
    )


def _of_folder(path: str) -> list[str]:
    folder = path.removesuffix("/<found>")
    return [path] if folder == path else facts.files_below(folder)


def size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
