"""Other processes of this machine."""

from __future__ import annotations

import os


def is_running(pid: int) -> bool:
    """Does this process run? One that we may not ask does, and so does 0: nobody knows which one is meant."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass
    return True
