"""How the client spells a worktree's root."""

from __future__ import annotations

import functools
import os


@functools.lru_cache(maxsize=1_024)
def root_of(cwd: str, worktree: str) -> str:
    """The worktree's root as the client spells it. The client's paths may go through a symbolic link; the road's do
    not.
    """
    real = os.path.realpath(cwd) if cwd else ""
    if not real or real == cwd or not (real + "/").startswith(worktree + "/"):
        return worktree
    below = real[len(worktree) :]
    return cwd.removesuffix(below) if cwd.endswith(below) else worktree
