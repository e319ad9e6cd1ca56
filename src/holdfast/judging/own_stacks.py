"""Infrastructure of a folder that the line made for a moment: what is destroyed there, the line itself has made. Pure;
linear.

`cd "$(mktemp -d)" && cat > main.tf … && terraform apply && terraform destroy`: the state of such a folder is empty
before. Whatever may bring another state (a backend, a copy, a clone, an import) ends it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from holdfast.commandline.model import Run
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

_PROGRAMS = listed("terraform tofu")
_MADE_NOW = "$TMPDIR/made-now"
_FILLS = listed("git cp mv rsync curl wget tar unzip ln gh aws gsutil scp install dd tee 7z hg svn")
_FAR = lazy_pattern(r"\bbackend\s{0,5}\"(?!local\")|\bcloud\s{0,5}\{|\bimport\s{0,5}\{|\bpath\s{0,5}=\s{0,5}\"[/~]")
_ELSEWHERE = lazy_pattern(r"-{1,2}(?:state|backend-config|var-file|state-out|from-module)\b|import\Z")
_MOST = 40
_LONGEST = 20_000


def destroys_own(rule: str, run: Run, before: Sequence[Run]) -> bool:
    """Does it destroy only what was made from files that the line wrote into a folder of the moment?"""
    if rule != "infrastructure.destroy" or run.program not in _PROGRAMS or len(before) > _MOST:
        return False
    folder = _folder(run)
    if not folder.startswith(_MADE_NOW) or ".." in folder or _goes_elsewhere(run):
        return False
    wrote = False
    for each in before:
        if each.program in _PROGRAMS and _goes_elsewhere(each):
            return False
        here = (each.directory or "").startswith(_MADE_NOW)
        if each.program in _FILLS and (here or any(_MADE_NOW in text for text in each.texts)):
            return False
        for _, target in each.writes:
            path = posixpath.join(each.directory or "", target.text)
            if not path.startswith(_MADE_NOW):
                continue
            told = (*each.texts[:_MOST], each.stdin or "")
            if not path.endswith(".tf") or any(_FAR.search(text[:_LONGEST]) for text in told):
                return False
            wrote = True
    return wrote


def _folder(run: Run) -> str:
    chosen = next((text.partition("=")[2] for text in run.texts if text.startswith("-chdir=")), "")
    return posixpath.join(run.directory or "", chosen) if run.directory is not None else chosen


def _goes_elsewhere(run: Run) -> bool:
    return any(map(_ELSEWHERE.match, run.texts[:_MOST])) or any(name.startswith("TF_") for name, _ in run.environment)
