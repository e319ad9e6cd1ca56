"""May a program of a line write into files before another one removes them? Then a hard link does not keep them."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.commandline.effects.places import path_of
from holdfast.commandline.model import Run, Where
from holdfast.rooms.guards.targets.ledger import real
from holdfast.shell.tools import listed

_WRITES_NOTHING = listed(
    "rm rmdir unlink mv mkdir touch chmod chown cd pushd popd pwd ls echo printf test [ [[ true false : cat head tail "
    "wc grep egrep fgrep rg find fd stat du df file which type basename dirname realpath readlink date sleep cut tr "
    "uniq export set unset local declare read diff cmp comm xargs sudo env ps pgrep kill pkill seq"
)
"""Programs that leave the bytes of a file as they are. What `xargs` or `find` run is a run of its own."""
_GIT = listed("status log diff show clean rm ls-files rev-parse branch stash add reset remote config fetch grep blame")
"""Words of git that write no file in place and run no hook of the repository."""
_WRITE_BY_OPTION = {"find": "-f", "fd": "--exec"}


def may_write(run: Run, paths: Sequence[str], where: Where) -> bool:
    """May this run write into one of these files or folders?"""
    if run.remote:
        return False
    for _, arg in run.writes:
        path = path_of(arg, run.directory, where)
        if not arg.known or not path.startswith("/") or _is_in(path, paths):
            return True
    if not run.program:
        return bool(run.args)  # a program that is computed when the line runs
    if run.program == "git":
        word = next((text for text in run.texts if not text.startswith("-")), "")
        return word not in _GIT
    sign = _WRITE_BY_OPTION.get(run.program)
    if run.program not in _WRITES_NOTHING:
        return True
    return sign is not None and any(text.startswith(sign) for text in run.texts)


def _is_in(path: str, folders: Sequence[str]) -> bool:
    aimed = real(path)
    return any(aimed == each or aimed.startswith(f"{each.rstrip('/')}/") for each in map(real, folders))
