"""Scripts that a line gets from the network and runs at once: `curl -o x.sh URL && bash x.sh` is `curl URL | bash`.

Nobody has read them. A check of what was fetched (`sha256sum -c`, `gpg --verify`) between the two excuses it. Pure.
"""

from __future__ import annotations

import itertools
import posixpath
import re
from collections.abc import Iterator, Sequence

from holdfast.commandline.model import Run
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed
from holdfast.shell.wrappers import SHELLS

_FETCH = listed("curl wget")
_INTERPRETERS = SHELLS | listed("python python3 perl ruby node php source .")
_SCRIPT = lazy_pattern(r"\.(?:sh|bash|zsh|py|pl|rb|js|php|run)\Z")
_CHECKS = lazy_pattern(
    r"(?:sha\d*sum|shasum|md5sum|b2sum|cksum)\b.*(?:\s-\w*c|--check)|gpgv?\b.*--verify|gpgv\s|minisign\b.*\s-V|cosign\s+verify"
)
_LOCAL = lazy_pattern(r"(?:https?://)?(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|\Z)")
_MOST = 50


def run_unread(runs: Sequence[Run]) -> dict[int, Run]:
    """The places of runs that run what the line has fetched before, each as the pipe that it stands for."""
    files: dict[str, str] = {}
    found: dict[int, Run] = {}
    for number, run in enumerate(runs):
        if run.program in _FETCH:
            if len(files) < _MOST:
                files.update((posixpath.normpath(name), run.program) for name in _written(run))
        elif not files or run.remote:
            continue
        elif _CHECKS.match(" ".join((run.program, *run.texts[:10]))):
            files.clear()
        elif (name := _script(run, files)) is not None:
            program = run.program if run.program in _INTERPRETERS - {"source", "."} else "sh"
            found[number] = Run(program, piped_from=(files[name],), via=run.via, directory=run.directory)
    return found


def _script(run: Run, files: dict[str, str]) -> str | None:
    """The file of these that a run runs."""
    if run.program in _INTERPRETERS:
        first = next((text for text in run.texts if not text.startswith("-")), "")
        return posixpath.normpath(first) if posixpath.normpath(first) in files else None
    if not _SCRIPT.search(run.program):
        return None
    return next((name for name in files if posixpath.basename(name).lower() == run.program), None)


def _written(run: Run) -> Iterator[str]:
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
