"""Files that archives, patches, backups and packers write over: what they replace in the project is kept. Pure."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from holdfast.commandline.model import Arg, Deed, Run
from holdfast.commandline.options import options

_TAR_VALUES = frozenset("fCbTXKNgV")
_IN_PLACE = re.compile(r"-[nEsruzplaw0]*i([^=].*)\Z")


def unpack(run: Run) -> Iterator[Deed]:
    """`tar -xC DIR`, `unzip -o -d DIR`: files of the archive replace what is there. `tar -cf FILE`: the file."""
    if run.program in ("tar", "bsdtar"):
        letters, given = _tar(run.args)
        archive = given.get("f")
        if "x" in letters:
            if "k" not in letters:
                yield from _into(given.get("C"), archive or Arg(""), "tar")
        elif "c" in letters and archive is not None and archive.text != "-":
            yield Deed("overwrite", (archive,), named_by="tar -c", kept_only=True)
        return
    flags, operands = options(run.args, frozenset({"-d", "-x"}))
    folder = next((value for name, value in zip(run.args, run.args[1:], strict=False) if name.text == "-d"), None)
    if operands and "-l" not in flags and "-t" not in flags and "-p" not in flags and "-n" not in flags:
        if "-o" in flags:
            yield from _into(folder, operands[0], "unzip")
        elif folder is not None:
            yield Deed("overwrite", (folder,), named_by="unzip")


def _into(folder: Arg | None, archive: Arg, name: str) -> Iterator[Deed]:
    yield Deed("overwrite", (folder or Arg("."),), named_by=name, unpacks=archive, kept_only=folder is None)


def _tar(args: Sequence[Arg]) -> tuple[str, dict[str, Arg]]:
    """The letters of its options, however they are written, and the values of those that have one."""
    letters = ""
    given: dict[str, Arg] = {}
    waiting: list[str] = []
    for place, arg in enumerate(args):
        text = arg.text
        if waiting:
            given[waiting.pop(0)] = arg
        elif text.startswith("--"):
            name, sign, value = text[2:].partition("=")
            letter = _TAR_LONG.get(name, "")
            letters += letter
            if letter in _TAR_VALUES and letter:
                if sign:
                    given[letter] = Arg(value, arg.known, arg.quoted)
                else:
                    waiting.append(letter)
        elif text.startswith("-") and len(text) > 1:
            for at, letter in enumerate(text[1:], 1):
                letters += letter
                if letter in _TAR_VALUES:
                    if rest := text[at + 1 :]:
                        given[letter] = Arg(rest, arg.known, arg.quoted)
                    else:
                        waiting.append(letter)
                    break
        elif place == 0:  # `tar xzf FILE`
            letters += text
            waiting += [letter for letter in text if letter in _TAR_VALUES]
    return letters, given


_TAR_LONG = {
    "extract": "x", "get": "x", "create": "c", "file": "f", "directory": "C", "keep-old-files": "k",
    "skip-old-files": "k", "list": "t", "update": "u", "append": "r",
}  # fmt: skip


def patch(run: Run) -> Iterator[Deed]:
    """`patch -d DIR < FILE`, `patch FILE < PATCH`: files of that folder, or the one it names, are written over."""
    flags, operands = options(run.args, _PATCH_VALUES)
    if any(flag in ("--dry-run", "-C", "--check") for flag in flags):
        return
    folder, source = None, None
    for place, arg in enumerate(run.args):
        name, sign, value = arg.text.partition("=")
        following = run.args[place + 1] if place + 1 < len(run.args) else None
        if arg.text in ("-d", "--directory"):
            folder = following
        elif arg.text in ("-i", "--input"):
            source = following
        elif sign and name in ("--directory", "--input"):
            found = Arg(value, arg.known, arg.quoted)
            folder, source = (found, source) if name == "--directory" else (folder, found)
        elif re.match(r"-d[^-]", arg.text):
            folder = Arg(arg.text[2:], arg.known, arg.quoted)
        elif re.match(r"-i[^-]", arg.text):
            source = Arg(arg.text[2:], arg.known, arg.quoted)
    if operands:
        yield Deed("overwrite", (operands[0],), named_by="patch", kept_only=True)
        return
    if source is None and run.stdin is None and run.fed_by:
        source = Arg(run.fed_by[0])
    yield Deed(
        "overwrite", (folder or Arg("."),), named_by="patch", unpacks=source or Arg(""), kept_only=folder is None
    )


_PATCH_VALUES = frozenset({"-p", "-d", "-i", "-o", "-r", "-F", "-B", "-z", "-Y", "-D", "-g", "--strip", "--input"})


def backups(run: Run, files: Sequence[Arg]) -> Iterator[Deed]:
    """`sed -i.bak`, `perl -pi.bak`: an older backup of the same name is written over."""
    for arg in run.args:
        match = _IN_PLACE.match(arg.text)
        suffix = arg.text.partition("=")[2] if arg.text.startswith("--in-place=") else match[1] if match else ""
        if suffix:
            targets = tuple(Arg(_backup(file.text, suffix), file.known, file.quoted) for file in files)
            yield Deed("overwrite", targets, named_by="backup", also=tuple(files), kept_only=True)
            return


def _backup(path: str, suffix: str) -> str:
    folder, name = posixpath.split(path)
    if "*" not in suffix:
        return path + suffix
    made = suffix.replace("*", name)
    return made if "/" in made else posixpath.join(folder, made)


def copied_backups(run: Run, flags: Sequence[str], sources: Sequence[Arg], target: Arg) -> Iterator[Deed]:
    """`cp -b`, `mv --backup -S .old`: the same."""
    if any(flag in ("--backup=numbered", "--backup=t", "--backup=none", "--backup=off") for flag in flags):
        return
    suffix = "~"
    for place, arg in enumerate(run.args):
        if arg.text in ("-S", "--suffix") and place + 1 < len(run.args):
            suffix = run.args[place + 1].text
        elif arg.text.startswith(("--suffix=", "-S")):
            suffix = arg.text.partition("=")[2] or arg.text[2:]
    inside = tuple(Arg(source.text.rstrip("/") + suffix, source.known, source.quoted) for source in sources)
    itself = Arg(target.text.rstrip("/") + suffix, target.known, target.quoted)
    yield Deed("overwrite", (itself,), named_by="backup", also=(target,), kept_only=True)
    yield Deed("overwrite", (target,), named_by="backup", sources=inside, kept_only=True)


def compress(run: Run) -> Iterator[Deed]:
    """`gzip -f FILE` writes over FILE.gz, `gunzip -f FILE.gz` over FILE."""
    flags, operands = options(run.args, frozenset({"-S", "--suffix", "-T", "-o"}))
    forced = any(flag in ("-f", "--force") for flag in flags)
    if not forced or any(flag in ("-c", "--stdout", "-l", "--list", "-t", "--test") for flag in flags):
        return
    ending = _ENDINGS[run.program]
    for arg in operands:
        other = arg.text.removesuffix(ending) if arg.text.endswith(ending) else arg.text + ending
        yield Deed("overwrite", (arg, Arg(other, arg.known, arg.quoted)), named_by=run.program, kept_only=True)


_ENDINGS = {"gzip": ".gz", "gunzip": ".gz", "bzip2": ".bz2", "bunzip2": ".bz2", "xz": ".xz", "unxz": ".xz",
            "zstd": ".zst", "unzstd": ".zst", "lz4": ".lz4"}  # fmt: skip
COMPRESSORS = tuple(_ENDINGS)


def split(run: Run) -> Iterator[Deed]:
    """`split FILE PREFIX`: PREFIXaa and so on."""
    prefix = "x"
    _, operands = options(run.args, frozenset({"-b", "-l", "-n", "-C", "-a", "--bytes", "--lines", "-t"}))
    if run.program == "csplit":
        prefix = next((b.text for a, b in zip(run.args, run.args[1:], strict=False) if a.text == "-f"), "xx")
    elif len(operands) > 1:
        prefix = operands[1].text
    yield Deed("overwrite", (Arg(f"{prefix}*"),), named_by=run.program, kept_only=True)


def python_module(run: Run) -> Iterator[Deed]:
    """`python -m zipfile -e A DIR`, `python -m tarfile -e A DIR`."""
    words = run.texts
    if words[:1] == ("-m",) and words[1:2] in (("zipfile",), ("tarfile",)) and words[2:3] in (("-e",), ("--extract",)):
        rest = run.args[3:]
        if rest:
            yield from _into(rest[1] if len(rest) > 1 else None, rest[0], "unzip")
