"""Data of others that a call writes over: a dump that is read into production, an import that replaces. Pure; linear.

Nothing in such a line says delete. `pg_dump -c staging | psql "$PROD_DATABASE_URL"`, `acme dataset import x --replace`:
what was there is gone afterwards. Verbs and options of this kind are called alike in most tools.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from holdfast.commandline.effects import disposable
from holdfast.commandline.model import Run
from holdfast.commandline.reading.statement_files import CLIENTS
from holdfast.commandline.running import hidden
from holdfast.judging import unknown_programs, weakening
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

OVERWRITES = "overwrites-data"
"""The program of the rule that is about these calls."""

_DUMPS = listed("pg_dump pg_dumpall mysqldump mariadb-dump mydumper mongodump redis-dump")
_UNPACKS = listed("zcat gunzip gzip zstdcat zstd xzcat xz bzcat bunzip2 lz4 pv cat")
_DUMP = lazy_pattern(r"(?i)(?:dump|backup|snapshot|staging)[\w.-]*\Z|\.(?:sql\.\w{2,4}|resp|rdb|dump|bak)\Z")
_NEAR_HOST = lazy_pattern(r"(?i)(?:\A|[@/])(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|\Z)")
_ELSEWHERE = listed("ssh docker podman kubectl oc")
_NAMES_PLACE = listed("-h --host -H --uri -u --url -n --namespace --context -d --dbname -S --server")

_BRINGS = listed("import restore load transfer copy cp promote")
_REPLACES = lazy_pattern(
    r"--(?:force-)?(?:overwrite|replace)(?:-(?:all|existing|data|destination|database|tables?))?(?:=true)?\Z|"
    r"--action=replace(?:-all)?\Z|--(?:drop|delete|wipe|truncate|clear)-(?:existing|first|target|destination|tables?)\Z"
)
_FORCES = listed("-f --force -force")
_MOST = 40
_PIECES = re.compile(r"[a-z]+")


_TABLE = lazy_pattern(
    r"(?i)\b(?:create\s+or\s+replace\s+(?:transient\s+)?(?:table|schema|database)|insert\s+overwrite)\b(.{0,80})",
    re.DOTALL,
)
_LONGEST = 4_000


def may_overwrite(word: str) -> bool:
    """A first look at one word: without one of these no call is about data that is replaced."""
    if word == "--full-refresh" or (" " in word and _TABLE.search(word[:_LONGEST]) is not None):
        return True
    return word in _FORCES or _REPLACES.match(word) is not None


def overwrites(run: Run) -> bool:
    """Does a call write over data that others have?"""
    return _reads_dump_into_production(run) or _replaces(run) or _makes_table_anew(run)


def _makes_table_anew(run: Run) -> bool:
    """`dbt run --full-refresh --target prod`, `create or replace table` in a database that is called production."""
    if run.program in hidden.ONLY_SAY or not run.args:
        return False
    told = (*run.texts[:_MOST], run.stdin or "")
    tables = [match[1] for text in told if len(text) > _SHORTEST for match in _TABLE.finditer(text[:_LONGEST])]
    if not tables and "--full-refresh" not in run.texts:
        return False
    return any(map(disposable.is_of_production, (*tables, *_says_where(run))))


def _says_where(run: Run) -> list[str]:
    """Where tables are made: the target that is told, or else all words but those that name what is read."""
    if run.program not in _KNOWS_TARGETS:
        return [text for text in run.texts[:_MOST] if " " not in text]
    pairs = list(itertools.pairwise(("", *run.texts[:_MOST])))
    told = [text for before, text in pairs if before in _TARGETS]
    told += [value for _, text in pairs for name, _, value in (text.partition("="),) if value and name in _TARGETS]
    told += [value.text for name, value in run.environment if name in ("DBT_TARGET", "DBT_PROFILE", "DBT_PROFILES_DIR")]
    if told:
        return told
    return [text for before, text in pairs if " " not in text and before not in _READS]


_KNOWS_TARGETS = listed("dbt sqlmesh")
"""For a client of a database `-t` is something else."""
_TARGETS = listed("--target -t --profile --profiles-dir")
_READS = listed("--state --defer-state --select -s --exclude --models -m --vars")


_SHORTEST = 20


def _reads_dump_into_production(run: Run) -> bool:
    if run.program in _ELSEWHERE:
        if not any(text in CLIENTS for text in _words(run)):
            return False
    elif run.program not in CLIENTS or (run.remote and not run.container):
        return False
    if _DUMPS.isdisjoint(run.piped_from):
        fed = any(map(_DUMP.search, run.fed_by))
        if not fed or not _UNPACKS.issuperset(run.piped_from):
            return False
    places = list(_places(run))
    return any(map(disposable.is_of_production, places)) and not any(map(_NEAR_HOST.search, places))


def _words(run: Run) -> Iterator[str]:
    for text in run.texts[:_MOST]:
        yield from text.split(" ")[:_MOST]


def _places(run: Run) -> Iterator[str]:
    """What a call says of the machine and the database that it talks to: a host, an address, a variable."""
    place = run.program == "ssh"
    for before, text in itertools.pairwise(("", *run.texts[:_MOST])):
        name, sign, value = text.partition("=")
        if before in _NAMES_PLACE or text[:1] == "$" or "://" in text:
            yield text
        elif sign and name in _NAMES_PLACE:
            yield value
        elif text[:2] == "-h" and text[2:]:
            yield text[2:]
        elif place and not text.startswith("-"):
            yield text
            place = False
    yield from (value.text for name, value in run.environment if name in ("PGHOST", "DATABASE_URL"))


def _replaces(run: Run) -> bool:
    if not run.args or run.program in unknown_programs.KNOWN or not run.program[:1].isalnum():
        return False
    texts = run.texts[:_MOST]
    replaces = any(map(_REPLACES.match, texts))
    if not replaces and not (
        not _FORCES.isdisjoint(texts)
        and any(disposable.is_of_production(text) for text in texts if not text.startswith(("/", "./")))
    ):
        return False
    words = [text for text in texts[:6] if not text.startswith("-") and len(text) < _MOST][:4]
    if not any(piece in _BRINGS for word in words for piece in _PIECES.findall(word.partition(".")[0])):
        return False
    if run.program in _OF_FILES or (run.program == "az" and "storage" in words):
        return False
    return any(map(disposable.is_of_production, texts)) or not weakening.is_spare(run)


_OF_FILES = listed("rsync rclone aws gsutil gcloud-storage azcopy scp unzip tar cpio 7z hf huggingface-cli dvc kaggle")
"""Programs that bring files, which are written again all day."""
