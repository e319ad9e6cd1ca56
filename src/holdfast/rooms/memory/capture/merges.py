"""Which branch a command merged into the one that others start from: its work is not elsewhere any more. Pure.

Only what is sure: the merge itself was the end of the command, and passed. A merge of `main` into a branch moves no
work, and a squash that is not committed yet moves none either.
"""

from __future__ import annotations

import shlex

from holdfast.patterns import lazy_pattern
from holdfast.rooms.memory.model import Draft

TRUNKS = frozenset({"main", "master", "trunk", "develop", "dev", "default"})
_LONGEST_READ = 1_000
_MERGE = lazy_pattern(r"(?:\A|&&|;|\n)\s*git (?:-C \S{1,200} )?merge (?P<rest>[^\n;|]*)\Z")
_AFTER = lazy_pattern(r"&&\s*(?:git (?:push|branch -d|log|status|diff|tag)\b|(?!git\b|hub\b|gh\b|cd\b)\w)")
"""What may follow: it leaves the branch that is checked out as it is."""
_WITH_VALUE = frozenset({"-m", "-F", "-s", "-X", "--strategy", "--strategy-option", "--file", "--into-name"})
_NO_MERGE = frozenset({"--squash", "--no-commit", "--abort", "--continue", "--quit"})
_CONFLICT = "CONFLICT ("


def merged(draft: Draft, branch: str) -> str:
    """The branch whose work a command brought into this one; '' when none did, or nobody can be sure."""
    if branch not in TRUNKS or draft.outcome == "failed" or _CONFLICT in draft.excerpt:
        return ""
    found = _MERGE.search(draft.command[:_LONGEST_READ].strip())
    if found is None:
        return ""
    command, *after = found["rest"].split("&&")
    if any(not _AFTER.match(f"&&{each}") for each in after):
        return ""
    try:
        words = shlex.split(command)
    except ValueError:
        return ""
    if not _NO_MERGE.isdisjoint(words):
        return ""
    names = [
        word for at, word in enumerate(words) if not word.startswith("-") and not (at and words[at - 1] in _WITH_VALUE)
    ]
    name = names[0].removeprefix("refs/heads/").removeprefix("origin/") if len(names) == 1 else ""
    return "" if name in TRUNKS or name == "HEAD" else name
