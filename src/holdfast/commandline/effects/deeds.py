"""What one run does to files: removes, discards, writes over, changes modes. Pure. A table of programs.

Programs whose meaning is not about files on this machine (clouds, databases, services) are rules (`judging/built_in/`).
"""

from __future__ import annotations

import itertools
import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from holdfast.commandline.effects import new_files, unpacking
from holdfast.commandline.effects.disposable import is_for_tests
from holdfast.commandline.effects.outputs import is_kept_only, outputs
from holdfast.commandline.model import Arg, Deed, Run
from holdfast.commandline.options import options
from holdfast.commandline.reading import find_words
from holdfast.patterns import lazy_pattern


def deeds(run: Run) -> Iterator[Deed]:
    """All that this run does to files."""
    reader = PROGRAMS.get(run.program)
    if reader is not None:
        yield from reader(run)
    for target, named_by in outputs(run):
        fresh = run.program in ("curl", "wget") and new_files.is_report(replace(run, args=()), target)
        filtered = named_by == "awk -i inplace"
        only = is_kept_only(run)
        yield Deed("overwrite", (target,), named_by=named_by, filtered=filtered, fresh=fresh, kept_only=only)
    for mode, target in run.writes:
        if mode == "write" and not target.text.endswith("/"):  # a folder cannot be written: `clone <user>/<repo>`
            name = posixpath.basename(target.text)
            is_data = _DATA_FILE.search(name) is not None and not is_for_tests(name)
            is_shell = bool(run.program) or not run.via  # what a program of another language writes is not told
            many = is_shell and "*" in target.text and not _MADE_ANYWAY.search(name)
            emptied = _prints_nothing(run) and (is_data or many or "$(input)" in target.text or is_listed(target.text))
            fresh = new_files.is_report(run, target)
            yield Deed("overwrite", (target,), named_by="truncate" if emptied else f"> {target.text}", fresh=fresh)


def _prints_nothing(run: Run) -> bool:
    """`> f`, `: > f`, `cat /dev/null > f`, `echo -n > f`, `printf '' > f`: is the file only emptied?"""
    if run.program in ("cat", "cp"):
        return run.texts == ("/dev/null",)
    words = [text for text in run.texts if text not in ("-n", "-e", "-ne", "")]
    return run.program in ("", ":", "true") or (run.program in ("echo", "printf") and bool(run.texts) and not words)


_DATA_FILE = lazy_pattern(
    r"\.(?:db|sqlite3?|mdb|kdbx|duckdb|dump|tfstate|pem|key|p12|pfx|jks|keystore)\Z|"
    r"\A\.env(?:\.(?:local|prod\w*|staging|live))?\Z|\A(?:credentials|id_(?:rsa|ed25519|ecdsa))\Z"
)
"""Files that are only emptied by mistake."""
_LISTED = lazy_pattern(
    r"\A(?:\$\(|`)\s*(?:git ls-files|git grep -l|find|fd|fdfind|ls|rg --files)\b"
    r"(?![^\n]{0,400}(?i:logs?\b|te?mp\b|cache|\.(?:out|err|trace|pid)\b))"
)


def is_listed(text: str) -> bool:
    """Is this every file of a list that the line makes: `$(git ls-files src)`, and not of logs and the like?"""
    return _LISTED.match(text) is not None


_MADE_ANYWAY = lazy_pattern(r"(?i)\.(?:log|out|err|trace|tmp|pid|cov|prof|jtl)[*\d.]*\Z|\A(?:log|\.\w*history)")
"""Files that programs write as they run: to empty all of them is no loss."""


MAY_TOUCH = "may-touch"
"""The program of a run that stands for files which an inline program names while it computes what it removes."""


def _touched(run: Run) -> Iterator[Deed]:
    yield Deed("overwrite", run.args, named_by=run.via[-1] if run.via else "a program", kept_only=True)


def _has(flags: Sequence[str], *wanted: str) -> bool:
    for flag in flags:
        name = flag.partition("=")[0]
        for each in wanted:
            if name == each or (each.startswith("--") and len(name) > 3 and each.startswith(name)):
                return True
    return False


def _rm(run: Run) -> Iterator[Deed]:
    flags, operands = options(run.args)
    if _has(flags, "--help", "--version") or not operands:
        return
    recursive = _has(flags, "-r", "-R", "--recursive", "-d")
    forced = _has(flags, "-f", "-F", "--force")
    named_by = f"rm{' -r' if recursive else ''}"
    yield Deed("delete", tuple(operands), recursive, forced, named_by, asks=new_files.asks_itself(run, flags))


def _unlink(run: Run) -> Iterator[Deed]:
    _, operands = options(run.args)
    if operands:
        yield Deed("delete", tuple(operands), named_by=run.program)


def _gio(run: Run) -> Iterator[Deed]:
    _, operands = options(run.args)
    if operands and operands[0].text == "remove":
        yield Deed("delete", tuple(operands[1:]), forced=True, named_by="gio remove")
    if operands and operands[0].text == "trash" and operands[1:]:
        yield Deed("delete", tuple(operands[1:]), recursive=True, named_by="gio trash")


def _rmdir(run: Run) -> Iterator[Deed]:
    """It removes empty folders only; that of Windows, with `/s`, whole ones."""
    if any(arg.text.lower() == "/s" for arg in run.args):
        targets = tuple(arg for arg in run.args if not re.fullmatch(r"/[a-zA-Z]", arg.text))
        yield Deed("delete", targets, recursive=True, forced=True, named_by=f"{run.program} /s")


TO_BIN = frozenset(
    {"trash", "trash-put", "rmtrash", "gvfs-trash", "gio trash", "gomi", "rip", "trashy", "recycle", "kioclient",
     "kioclient5", "send2trash", "gtrash"}
)  # fmt: skip
"""What moves files into the bin, from which they can be taken out again."""
_OF_BIN = frozenset({"put", "move", "list", "ls", "empty", "restore", "trash:/"})


def _trash(run: Run) -> Iterator[Deed]:
    flags, operands = options(run.args)
    moved = tuple(arg for arg in operands if arg.text not in _OF_BIN)
    if moved and not _has(flags, "-l", "-u", "-s", "-e", "--list", "--restore", "--unbury", "--seance", "--help"):
        yield Deed("delete", moved, recursive=True, named_by=run.program)


def _remove_item(run: Run) -> Iterator[Deed]:
    """PowerShell: `Remove-Item -Recurse -Force PATH`, `ri -r PATH`; `del /s PATH` of its older kin."""
    if any(re.match(r"(?i)-whatif(?::\$?true)?\Z", arg.text) for arg in run.args):
        return
    tree = any(re.match(r"(?i)-r|/s\Z", arg.text) for arg in run.args)
    targets = tuple(arg for arg in run.args if not re.match(r"-|/[a-zA-Z]\Z", arg.text))
    if targets:
        yield Deed("delete", targets, recursive=tree, forced=True, named_by=run.program)


def _shred(run: Run) -> Iterator[Deed]:
    _, operands = options(run.args, frozenset({"-n", "-s", "--iterations", "--size", "--random-source"}))
    if operands:
        yield Deed("delete", tuple(operands), recursive=True, forced=True, named_by=run.program, for_good=True)


def _truncate(run: Run) -> Iterator[Deed]:
    _, operands = options(run.args, frozenset({"-s", "-r", "--size", "--reference"}))
    asked = [arg.text for arg in run.args if arg not in operands]
    if not any(map(_GIVES_SIZE.match, asked)) or any(_GROWS.match(text) for text in asked):
        return
    if any(_MAKES_SIZE.match(text) for text in asked):
        operands = [arg for arg in operands if not _DISK_IMAGE.search(arg.text)]
    if operands:
        yield Deed("overwrite", tuple(operands), forced=True, named_by="truncate")


_GIVES_SIZE = lazy_pattern(r"-[a-z]*[sr]|--[sr]")
"""Without a size it is no call, and often no program: `gen --class truncate line-through`."""
_GROWS = lazy_pattern(r"(?:-s|--size=)?\+")
_MAKES_SIZE = lazy_pattern(r"(?:-s|--size=)?[1-9]\d*[MGTP]")
_DISK_IMAGE = lazy_pattern(
    r"(?i)\.(?:img|raw|qcow2|vmdk|vdi|vhdx?|iso|ext[234]|squashfs|loop|swap)\Z|(?:\A|/)swap\w*\Z"
)
"""Files that are made with a size: `truncate -s 1G disk.img`. Any other file may be cut off at it."""


def _dd(run: Run) -> Iterator[Deed]:
    empties = "if=/dev/null" in run.texts
    for arg in run.args:
        if arg.text.startswith("of="):
            yield Deed(
                "overwrite",
                (Arg(arg.text[3:], arg.known, True),),
                forced=True,
                named_by="truncate" if empties else "dd",
            )


_TWO_VALUES = frozenset({"-t", "--target-directory", "-S", "--suffix", "-m", "-o", "-g"})


def _from_and_to(run: Run) -> tuple[list[str], list[Arg], Arg | None]:
    """Options, what is moved or copied, and where to."""
    flags, operands = options(run.args, _TWO_VALUES)
    for place, arg in enumerate(run.args):
        if arg.text in ("-t", "--target-directory") and place + 1 < len(run.args):
            return flags, operands, run.args[place + 1]
        if arg.text.startswith("--target-directory="):
            return flags, operands, Arg(arg.text.partition("=")[2], arg.known, arg.quoted)
    return (flags, operands[:-1], operands[-1]) if len(operands) > 1 else (flags, operands, None)


def _put(run: Run, sources: Sequence[Arg], target: Arg) -> Deed:
    """What is moved or copied, and where to; in the home directory itself, the files that it makes there."""
    if arriving := new_files.in_home(target, sources):
        return Deed("overwrite", arriving, named_by=run.program, fresh=True)
    return Deed("overwrite", (target,), named_by=run.program, sources=tuple(sources))


def _mv(run: Run) -> Iterator[Deed]:
    flags, sources, target = _from_and_to(run)
    if target is None:
        return
    if posixpath.normpath(target.text).replace("//", "/") == "/dev/null":
        yield Deed("delete", tuple(sources), recursive=True, forced=True, named_by="mv to /dev/null", for_good=True)
        return
    if _has(flags, "-b", "--backup"):
        yield from unpacking.copied_backups(run, flags, sources, target)
    elif not _has(flags, "-n", "--no-clobber"):
        yield replace(_put(run, sources, target), asks=new_files.asks_itself(run, flags))
    # Told last: what it writes over is the loss.
    lost = _TEMPORARY.match(target.text) is not None
    yield Deed("delete", tuple(sources), named_by="mv", filtered=True, for_good=lost)


_TEMPORARY = lazy_pattern(r"(?:/private)?/(?:tmp|var/tmp|dev/shm)(?:/|\Z)|\$\{?TMPDIR\b")
"""What lies there is gone at the next start."""


def _cp(run: Run) -> Iterator[Deed]:
    flags, sources, target = _from_and_to(run)
    if target is not None and _has(flags, "-b", "--backup"):
        yield from unpacking.copied_backups(run, flags, sources, target)
    elif target is not None and not _has(flags, "-n", "--no-clobber", "-d" if run.program == "install" else "-n"):
        empty = [arg.text for arg in sources] == ["/dev/null"]
        if empty:
            yield Deed("overwrite", (target,), named_by="truncate", sources=tuple(sources))
        else:
            yield replace(_put(run, sources, target), asks=new_files.asks_itself(run, flags))


def _ln(run: Run) -> Iterator[Deed]:
    flags, sources, target = _from_and_to(run)
    if target is not None and _has(flags, "-f", "--force"):
        yield Deed("overwrite", (target,), named_by="ln -f", sources=tuple(sources))


def _tee(run: Run) -> Iterator[Deed]:
    flags, operands = options(run.args)
    if operands and not _has(flags, "-a", "--append"):
        yield Deed("overwrite", tuple(operands), named_by="tee")


def _find(run: Run) -> Iterator[Deed]:
    words = run.texts
    if not find_words.has_delete(words):
        return
    first, last = find_words.starts(words)
    known = all(arg.known for arg in run.args)
    empty_folders = "-empty" in words and ("-type", "d") in itertools.pairwise(words)
    yield Deed(
        "delete",
        tuple(run.args[first:last]) or (Arg("."),),
        recursive=True,
        forced=True,
        named_by="find -delete",
        filtered=find_words.is_narrow(words) or empty_folders,
        found_by=find_words.listing(words) if known else (),
    )


def _rsync(run: Run) -> Iterator[Deed]:
    flags, operands = options(run.args, frozenset({"-e", "--rsh", "--exclude", "--include", "--filter"}))
    if len(operands) < 2 or _has(flags, "-n", "--dry-run"):
        return
    if not _has(flags, "--ignore-existing", "-u", "--update") and not re.match(
        r"[\w.-]+(?:@[\w.-]+)?::?", operands[-1].text
    ):
        yield Deed("overwrite", (operands[-1],), named_by="rsync", sources=tuple(operands[:-1]), kept_only=True)
    if any(flag.startswith("--remove-source") for flag in flags):
        yield Deed("delete", tuple(operands[:-1]), recursive=True, forced=True, named_by="rsync --remove-source-files")
    if any(flag.startswith("--del") for flag in flags):
        target = operands[-1]
        if re.match(r"[\w.-]+(?:@[\w.-]+)?::?", target.text) and not target.text.startswith(("./", "/")):
            if target.text.rpartition(":")[2].startswith(("/tmp/", "/var/tmp/")):
                return
            target = Arg(target.text, False)
        yield Deed("delete", (target,), recursive=True, forced=True, named_by="rsync --delete")


def _scp(run: Run) -> Iterator[Deed]:
    """`scp host:x FILE`: the file is written over."""
    _, operands = options(run.args, frozenset("-" + letter for letter in "cDFiJloPSX"))
    if len(operands) > 1 and not _ELSEWHERE.match(operands[-1].text):
        sources = tuple(replace(each, text=each.text.rpartition(":")[2]) for each in operands[:-1])
        yield Deed("overwrite", (operands[-1],), named_by=KEPT_ANYWHERE, sources=sources, kept_only=True)


_ELSEWHERE = lazy_pattern(r"(?:[\w.-]+@)?[\w.-]+:|\w+://")
KEPT_ANYWHERE = "scp"
"""A copy from elsewhere: what it writes over is kept beyond the project, too."""


def _container_copy(run: Run) -> Iterator[Deed]:
    """`docker cp box:/a FILE`: the file is written over."""
    _, operands = options(run.args)
    words = [arg for arg in operands if arg.text not in ("container", "compose")]
    if len(words) != 3 or words[0].text != "cp" or ":" not in words[1].text or ":" in words[2].text:
        return
    if words[2].text != "-":
        source = Arg(words[1].text.partition(":")[2])
        yield Deed("overwrite", (words[2],), named_by=f"{run.program} cp", sources=(source,))


def _computed(run: Run) -> Iterator[Deed]:
    """A program whose name is computed, with the options of a delete: it may be `rm`."""
    flags, operands = options(run.args)
    far = tuple(arg for arg in operands if arg.text.startswith(("~", "/", "$HOME")))
    if far and _has(flags, "-r", "-R", "--recursive", "-delete") and not run.writes:
        yield Deed("delete", far, recursive=True, forced=True, named_by="a computed program")


def _line_editor(run: Run) -> Iterator[Deed]:
    """`ed FILE`, fed by a pipe, and `ex -c '%d|x' FILE`: the file is written anew."""
    _, operands = options(run.args, frozenset({"-p", "-c", "--cmd", "-S", "-sc", "-esc"}))
    told = any(_WRITES_FILE.search(text) for option, text in itertools.pairwise(run.texts) if _GIVES_LINE.match(option))
    told = told or any(_WRITES_FILE.search(text) for text in run.texts if text.startswith("+"))
    operands = [arg for arg in operands if not arg.text.startswith("+")]
    fed = run.program in ("ed", "red", "ex") and (run.stdin is not None or bool(run.piped_from))
    if operands and (told or fed):
        yield Deed("overwrite", tuple(operands), named_by=run.program, filtered=True)


_GIVES_LINE = lazy_pattern(r"-[a-zA-Z]*c\Z")
_WRITES_FILE = lazy_pattern(r"(?:^\+?|[|:\s])\s*:?(?:w|wq|x|xit|wall|xa|update|up)!?\s*(?:$|\|)")


def _fallocate(run: Run) -> Iterator[Deed]:
    """With these options it throws away what a file holds; without, it only makes room."""
    flags, operands = options(run.args, frozenset({"-o", "--offset", "-l", "--length"}))
    if operands and _has(flags, "-p", "--punch-hole", "-z", "--zero-range", "-c", "--collapse-range"):
        yield Deed("overwrite", tuple(operands), forced=True, named_by="fallocate")


def _doubles(run: Run) -> Iterator[Deed]:
    """`fdupes -rdN DIR`, `rdfind -deleteduplicates true DIR`: of files that are there twice one is removed."""
    words = run.texts
    told = any(re.match(r"-[a-zA-Z]*d[a-zA-Z]*\Z|--delete\Z", text) for text in words)
    sure = any(re.match(r"-[a-zA-Z]*N[a-zA-Z]*\Z|--no-?pro\w+\Z", text) for text in words)
    if run.program == "rdfind":
        told = sure = ("-deleteduplicates", "true") in itertools.pairwise(words)
    folders = tuple(arg for arg in run.args if not arg.text.startswith("-") and arg.text not in ("true", "false"))
    if told and sure and folders:
        yield Deed("delete", folders, recursive=True, forced=True, named_by=run.program, filtered=True)


def _images(run: Run) -> Iterator[Deed]:
    """`mogrify -resize 50% ~/Pictures/*.jpg`, `exiftool -all= -overwrite_original DIR`: each file is written anew."""
    if run.program == "exiftool" and not any(text.startswith("-overwrite_original") for text in run.texts):
        return  # it leaves a copy beside each
    if run.program == "mogrify" and any(text in ("-path", "-format") for text in run.texts):
        return  # it writes elsewhere
    files = tuple(arg for arg in run.args if arg.text[:1] in ("~", "/", "$") or arg.text.startswith(".."))
    if files:
        yield Deed("overwrite", files, named_by=run.program, filtered=True)


def _rimraf(run: Run) -> Iterator[Deed]:
    _, operands = options(run.args)
    operands = [arg for arg in operands if not arg.text.startswith("!")]  # what it leaves
    if operands:
        yield Deed("delete", tuple(operands), recursive=True, forced=True, named_by=run.program)


_OWN_NAME = (
    r"(?:\$\{?(?:USER|UID|LOGNAME|GID|GROUPS|SUDO_USER)\}?|\$\(\s*(?:whoami|id ?-\w+)\s*\)|`\s*(?:whoami|id ?-\w+)\s*`)"
)
_OWN = lazy_pattern(rf"{_OWN_NAME}(?::(?:{_OWN_NAME}|\w*))?\Z|:{_OWN_NAME}\Z")
_GIVES_LITTLE = lazy_pattern(r"(?:(?:u\+[rwxX]+|[ugoa]*\+[rX]+|go?-[rwx]+|o-[rwx]+|u=rwX?|go=rX?|o=)(?:,|\Z))+\Z")
"""Modes that give the owner something, let others read, or take something from others."""


def _keeps_access(program: str, given: str) -> bool:
    """Does everything stay the user's own: `chown -R $USER .`, `chmod -R u+w .`?"""
    if program == "chmod":
        return _GIVES_LITTLE.match(given) is not None
    return _OWN.match(given) is not None


_OF_SYSTEM = lazy_pattern(
    r"/(?:\*?\Z|(?:etc|usr(?!/local/\w)|bin|sbin|lib(?:32|64)?|boot|root|sys|proc|dev)(?:/|\Z)|"
    r"(?:var|home|opt|srv|Users|Library|System|var/lib|usr/local)/?\*?\Z)"
)
"""Folders whose owner the system needs, whoever it is given to."""
_TAKES_AWAY = r"(?:[ugoa]*-[rwxst]+,?)+|0?[0-7]?[0-3][0-3][0-3]"
"""Modes that take reading or running away."""


_SHUTS = lazy_pattern(r"0?[0-3][0-7][0-7]|[ago]*[au][ugo]*(?:-[wx]*r[rwx]*|=)")
"""Modes with which the owner cannot read any more."""
_USUAL_MODE = lazy_pattern(r"0?(?:644|664|640|600|755|775|750|700)")


_CLOSED = lazy_pattern(r"0?[67]00|go?-rwx|u=rwX?,go=")
_KEYS = lazy_pattern(r"(?:~|\$HOME|/home/[^/]+|/Users/[^/]+|/root)/\.(?:ssh|gnupg)(?:/|\Z)")


def _are_keys(targets: Sequence[Arg]) -> bool:
    """`chmod -R go-rwx ~/.ssh`: what ssh and gpg ask for."""
    return bool(targets) and all(_KEYS.match(arg.text) for arg in targets)


def _are_near(targets: Sequence[Arg]) -> bool:
    """`find . -type f -exec chmod 644 {} +`: files as files, folders as folders, below this folder."""
    return all("-type" in arg.found_by and not arg.text.startswith(("/", "~", "$", "..")) for arg in targets)


def _mode(run: Run) -> Iterator[Deed]:
    flags, operands = options(run.args, frozenset({"--reference", "--from"}))
    if not _has(flags, "-R", "--recursive") and not any(arg.found_by for arg in run.args):
        takes = [arg.text for arg in run.args if re.fullmatch(_TAKES_AWAY, arg.text)]
        system = tuple(arg for arg in operands if re.match(r"/(?:usr/(?!local)|bin|sbin|lib|etc|boot)", arg.text))
        if takes and system and run.program == "chmod":
            yield Deed("permissions", system, named_by="chmod")
        return
    if _keeps_access(run.program, operands[0].text if operands else "") and not any(
        _OF_SYSTEM.match(arg.text) for arg in operands[1:]
    ):
        return
    if run.program == "chmod" and operands and _USUAL_MODE.fullmatch(operands[0].text) and _are_near(operands[1:]):
        return
    if run.program == "chmod" and operands and _CLOSED.fullmatch(operands[0].text) and _are_keys(operands[1:]):
        return
    reference = any(flag.startswith("--reference") for flag in flags)
    targets = operands if reference or len(operands) < 2 else operands[1:]
    if targets:
        shut = run.program == "chmod" and _SHUTS.fullmatch(operands[0].text if operands else "") is not None
        closes = shut or (run.program == "chmod" and any(_SHUTS.fullmatch(flag) for flag in flags))
        yield Deed("permissions", tuple(targets), recursive=True, forced=closes, named_by=f"{run.program} -R")


def _sed(run: Run) -> Iterator[Deed]:
    flags, operands = options(run.args, frozenset({"-e", "-f", "--expression", "--file"}))
    in_place = any(flag.startswith("--in-place") or flag == "-i" for flag in flags)
    backed_up = any(re.match(r"-\w*i\.\w|-i\.|--in-place=", arg.text) for arg in run.args)
    scripted = _has(flags, "-e", "-f", "--expression", "--file")
    files = tuple(operands if scripted else operands[1:])
    if in_place and operands and not backed_up:
        yield Deed("overwrite", files, named_by="sed -i", filtered=True)
    if in_place and files:
        yield from unpacking.backups(run, files)


def _edits(run: Run) -> Iterator[Deed]:
    """`perl -i`, `ruby -i`: each file is written anew."""
    flags, operands = options(run.args, frozenset({"-e", "-E", "-I", "-M", "-r"}))
    if "-i" in flags and "-e" in flags and operands:
        files = tuple(operands)
        yield Deed("overwrite", files, named_by=f"{run.program} -i", filtered=True)
        yield from unpacking.backups(run, files)


PROGRAMS: dict[str, Callable[[Run], Iterator[Deed]]] = {
    MAY_TOUCH: _touched,
    **dict.fromkeys(TO_BIN, _trash),
    "rm": _rm, "unlink": _unlink, "srm": _shred, "rmdir": _rmdir, "rd": _rmdir, "shred": _shred,
    "wipe": _shred, "scrub": _shred, "gio": _gio,
    "truncate": _truncate, "dd": _dd, "dcfldd": _dd, "mv": _mv, "cp": _cp, "install": _cp, "tee": _tee, "find": _find,
    "gfind": _find, "rsync": _rsync, "chmod": _mode, "chown": _mode, "chgrp": _mode, "sed": _sed, "gsed": _sed,
    "docker": _container_copy, "podman": _container_copy, "nerdctl": _container_copy, "kubectl": _container_copy,
    "tar": unpacking.unpack, "bsdtar": unpacking.unpack, "unzip": unpacking.unpack, "rimraf": _rimraf,
    "del-cli": _rimraf, "del": _remove_item,
    **dict.fromkeys(("premove", "rmrf", "rm-cli", "rimraf-cli"), _rimraf),
    **dict.fromkeys(("remove-item", "ri", "erase"), _remove_item),
    "ln": _ln, "scp": _scp, "patch": unpacking.patch, "split": unpacking.split, "csplit": unpacking.split,
    **dict.fromkeys(unpacking.COMPRESSORS, unpacking.compress),
    **dict.fromkeys(("python", "python3"), unpacking.python_module),
    **dict.fromkeys(("fdupes", "jdupes", "rdfind"), _doubles), "mogrify": _images, "exiftool": _images,
    "": _computed, "fallocate": _fallocate,
    **dict.fromkeys(("ed", "red", "ex", "vi", "vim", "nvim"), _line_editor), "perl": _edits, "ruby": _edits,
}  # fmt: skip
