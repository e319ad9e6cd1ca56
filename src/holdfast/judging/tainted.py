"""Files into which a line gathers secrets, or a whole database, and which it then sends away. Pure; linear.

`{ uname -a; cat ~/.npmrc; } > report.txt && curl -T report.txt https://…`: the file is as secret as what went into it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from holdfast.commandline.model import Run
from holdfast.judging import secret_files, sent_tokens
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

_READS = listed(
    "cat tac head tail less more bat base64 base32 xxd od hexdump gzip bzip2 xz zstd openssl gpg age tar zip 7z 7za "
    "rar cp rsync dd sed awk jq yq sort tee install strings printf echo"
)
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
_ONLY_NAMES = lazy_pattern(r"\A(?:-c|-l|-q|-d=|--count|--files-with-matches|-f1)")
_MOST = 50


def sends_what_it_gathered(runs: Sequence[Run]) -> set[int]:
    """The places of the runs that send a file into which the line put secrets before."""
    if not any(run.program in _SENDS or (run.program == "git" and "push" in run.texts[:4]) for run in runs):
        return set()
    secret: set[str] = set()
    dumped: set[str] = set()
    open_secrets: list[Run] = []
    """What was printed, and may go into the file of the group or the function that it stands in."""
    found: set[int] = set()
    listing: Run | None = None
    staged = False
    for number, run in enumerate(runs):
        if run.remote:
            continue
        if run.program == "xargs":
            listing = run
        elif run.program in _SENDS and "xargs" in run.via and listing is not None and _lists_secrets(listing, run):
            found.add(number)
        if run.program in _SENDS and (secret or dumped) and _is_sent(run, secret, dumped):
            found.add(number)
        if run.program == "git" and secret:
            staged = staged or _is_staged(run, secret)
            if staged and "push" in run.texts[:4]:
                found.add(number)
        files = {arg.text for _, arg in run.writes} | _packed(run)
        if _is_secret(run):
            if files:
                secret |= files
            elif len(open_secrets) < _MOST:
                open_secrets.append(run)
        elif files and (not run.program or any(run.program in each.via for each in open_secrets)):
            secret |= files if open_secrets else set()
        elif files and (run.program in _DUMPS or _DUMPS.intersection(run.piped_from)):
            dumped |= files
    return found


def _is_staged(run: Run, secret: set[str]) -> bool:
    """`git add -f creds.txt`, where the line copied a secret into that file."""
    if "add" not in run.texts[:4]:
        return False
    wanted = {posixpath.normpath(name) for name in secret if name}
    return any(posixpath.normpath(text) in wanted for text in run.texts if text)


def _is_secret(run: Run) -> bool:
    if run.program in ("curl", "wget") and any(map(secret_files.METADATA.search, run.texts)):
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


_WEB = listed("curl wget http https httpie xh nc ncat netcat")
_TAKES_WORD = lazy_pattern(r"(?:^|\s)(?:-I|-i|--replace)")
_ONLY_METADATA = listed("cut wc md5sum sha1sum sha256sum sha512sum shasum cksum")


def _packed(run: Run) -> set[str]:
    """The file that a program makes of what it is given: an archive, a copy."""
    words = [text for text in run.texts if not text.startswith("-")]
    if run.program in ("cp", "install", "rsync") and len(words) > 1:
        return {words[-1]}
    if run.program in ("tar", "bsdtar"):
        return {text for text in words if _ARCHIVE.search(text)}
    if run.program in ("zip", "7z", "7za", "rar"):
        return {text for text in words if _ARCHIVE.search(text)}
    if run.program == "tee":
        return set(words)
    named = {"-o", "-f", "--file", "--output", "-out", "--out"}
    return {value for option, value in zip(run.texts, run.texts[1:], strict=False) if option in named}


_ARCHIVE = lazy_pattern(r"\.(?:tar(?:\.\w+)?|tgz|tbz2?|txz|zip|7z|rar)\Z")


def _is_sent(run: Run, secret: set[str], dumped: set[str]) -> bool:
    given = [*run.fed_by, *(text for word in run.texts for text in (word, _file_of(word)))]
    names = {posixpath.normpath(text) for text in given if text}
    wanted = secret if run.program in _OWN_STORES else secret | dumped
    if any(name.startswith("$") for name in run.fed_by):  # `< "$out"` is not followed; a file of `mktemp` is meant
        names |= {name for name in wanted if name.startswith("$TMPDIR/made-now")}
    if not any(posixpath.normpath(name) in names for name in wanted if name):
        return False
    return secret_files.NEAR.search(" ".join(run.texts)) is None


def _file_of(word: str) -> str:
    """The file in a word of a call: `file=@/tmp/x;type=a`, `@/tmp/x`, `--body-file=/tmp/x`, `-T/tmp/x`."""
    behind = word.rpartition("@")[2] if "@" in word else word.rpartition("=")[2] if "=" in word else word
    return behind.partition(";")[0].lstrip("<")
