"""Which branch does a push write over, where the line itself chose it before? Pure.

`git switch main && … && git push --force-with-lease` names no branch; `jj bookmark delete x && jj git push -b x`
deletes one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from holdfast.commandline.model import Arg, Run
from holdfast.shell.tools import listed

_OF_EVERYONE = listed("main master trunk production prod stable")


def with_branch(run: Run, earlier: Sequence[tuple[str, ...]]) -> Run:
    """The run, with the branch that it means where it does not say so. `earlier`: what the line did before with it."""
    if "push" not in run.texts:
        return run
    if run.program == "jj":
        deleted = any(words[:2] in (("bookmark", "delete"), ("b", "delete"), ("b", "d")) for words in earlier)
        return replace(run, args=(*run.args, Arg("--deleted"))) if deleted else run
    named = [text for text in run.texts[run.texts.index("push") + 1 :] if not text.startswith("-")]
    if len(named) > 1 and named[1] != "HEAD":
        return run
    for words in reversed(earlier):
        if words[:1] in (("switch",), ("checkout",)):
            branch = words[1] if len(words) == 2 else ""
            return replace(run, args=(*run.args, Arg(branch))) if branch in _OF_EVERYONE else run
    return run
