"""A folder that a line removes and puts there again: by a copy, a link, a clone, an archive. Pure; linear.

`rm -rf www/pkg && cp -r pkg www/`, `rm -rf third_party/zlib && git clone … third_party/zlib`. What was removed was such
a copy before, unless its name says that people keep their data in it. Where a build made what is copied, or it comes
from a temporary folder, the name says less.
"""

from __future__ import annotations

import itertools
import posixpath
import re
from collections.abc import Callable, Iterator, Sequence

from holdfast.commandline.effects.places import reads_as_output
from holdfast.commandline.model import Run
from holdfast.judging import told_outputs
from holdfast.judging.things import value_of, words_of
from holdfast.judging.told_outputs import holds_sources
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

_MOST = 12
"""Runs behind the one that removes."""
_DATA = lazy_pattern(
    r"(?i)(?:\A|[-_. ])(?:data\w*|dbs?|databases?|postgres\w*|pgdata|mysql\w*|mongo\w*|redis\w*|uploads?|media|storage|"
    r"photos?|videos?|notes?|drafts?|archives?|backups?|dumps?|customers?|users?|orders?|invoices?|records|secrets?|keys?|"
    r"certs?|credentials|state|volumes?|git|env|content|posts|journal|library|recordings?|footage)(?:\Z|[-_. ])"
)
"""Names of what people collect: a copy of something else does not bring it back."""
_VENDORED = listed("third_party third-party thirdparty vendor vendored external extern deps addons submodules Plugins")
"""Folders into which the code of others is put as it comes."""
_TEMPORARY = ("/tmp/", "/var/tmp/", "$TMPDIR/", "$(mktemp")
_COPIERS = listed("cp mv rsync ditto cpy cpx copyfiles robocopy scp ln")
_BUNDLED_O = re.compile(r"-[a-zA-Z]{1,6}o\Z")
_FETCHED = ""
"""Stands for what is not on this machine, or in an archive."""
Put = tuple[str, str]
"""Where something arrives, and what it comes from."""


def is_put_again(path: str, run: Run, after: Sequence[Run], is_of_worth: Callable[[str], bool]) -> bool:
    """Does a run behind this one put a folder there again that cannot be the removed one?"""
    parts = path.split("/")
    if holds_data(path) or run.directory is None:
        return False
    made = False
    for each in after[:_MOST]:
        if each.remote or each.after_failure or each.directory is None or not told_outputs.mentions(each, path):
            continue
        made = made or (each.program == "mkdir" and any(_at(each, word) == path for word in _top(each, path)))
        for target, source in _puts(each):
            of_line = len(parts) == 1 or (source == _FETCHED and not holds_sources(parts[0]))
            unpacked = len(parts) == 1 and each.program == "unzip"
            whole = reads_as_output(source) or parts[-1] == "AppDir" or (_copies_folders(each) and not unpacked)
            if made and whole and of_line and not is_of_worth(parts[-1]) and f"{target}/".startswith(f"{path}/"):
                return True
            if target != path or source == path or source.startswith(f"{path}/"):
                continue
            if len(parts) > 1 and (reads_as_output(source) or source.startswith(_TEMPORARY)):
                return True
            if source == _FETCHED and not _VENDORED.isdisjoint(parts[:-1]):
                return True
            if (
                source != _FETCHED
                and _copies_folders(each)
                and not is_of_worth(parts[-1])
                and not holds_sources("/".join(parts[:-1]))
            ):
                return True
    return False


def holds_data(path: str) -> bool:
    """Does a part of the path say that people collect something in it?"""
    return any(map(_DATA.search, path.split("/")))


def _top(run: Run, path: str) -> Iterator[str]:
    """What `mkdir` makes, with the folders above it as far as `path`."""
    for word in words_of(run, listed("-m --mode")):
        yield word
        if word.startswith(f"{path}/"):
            yield path


def _at(run: Run, word: str) -> str:
    if word.startswith(("/", "~", "$")):
        return word
    return posixpath.normpath(posixpath.join(run.directory or "", word))


def _puts(run: Run) -> Iterator[Put]:
    """What a run puts where, as paths from where the line began."""
    if run.program in _COPIERS:
        yield from _copied(run)
    elif run.program == "git" and run.texts[:1] == ("clone",):
        words = words_of(run, listed("-b --branch --depth -o --origin -c --config --filter -j --jobs"))[1:]
        if words:
            name = words[1] if len(words) > 1 else re.sub(r"\.git\Z", "", posixpath.basename(words[0].rstrip("/")))
            yield _at(run, name), _FETCHED
    elif run.program == "unzip":
        folder = value_of(run, "-d")
        archive = next(iter(words_of(run, listed("-d"))), "")
        yield _at(run, folder or "."), archive if archive.startswith(_TEMPORARY) else _FETCHED
        yield from ((_at(run, word.removesuffix("/*")), _FETCHED) for word in words_of(run, listed("-d"))[1:])
    elif run.program in ("curl", "wget"):
        file = value_of(run, "-o", "--output", "-O", "--output-document") or next(
            (after for text, after in itertools.pairwise(run.texts) if _BUNDLED_O.match(text)), ""
        )
        if "/" in file:
            yield _at(run, posixpath.dirname(file)), _FETCHED
    elif run.program in ("tar", "bsdtar", "7z"):
        folder = value_of(run, "-C", "--directory", "-o")
        if folder:
            yield _at(run, folder), _FETCHED


def _copies_folders(run: Run) -> bool:
    """One file that is copied into a folder does not bring the folder back."""
    return run.program not in ("cp", "scp", "rsync") or any(_RECURSIVE.match(text) for text in run.texts[:6])


_RECURSIVE = re.compile(r"-[a-zA-Z]{0,6}[rRa]|--recursive\Z|--archive\Z")


def _copied(run: Run) -> Iterator[Put]:
    words = words_of(run, listed("-t -S -m -o -g -e --exclude --include --filter"))
    if run.program == "robocopy":
        words = words[:2]
    if len(words) < 2:
        return
    target = _at(run, words[-1])
    for source in words[:-1]:
        plain = _at(run, source)
        yield target, plain
        yield posixpath.join(target, posixpath.basename(plain)), plain
