"""Files that Write, Edit and redirections may not touch, or only after a question. Pure.

What is refused here would let an agent switch its own guard off, or leave a door open for later.
"""

from __future__ import annotations

import posixpath
import re

from holdfast.rooms.guards.model import Finding, Where

_STARTUP = re.compile(
    r"\.(?:bashrc|bash_profile|bash_login|profile|zshrc|zshenv|zprofile|zlogin|kshrc|cshrc|tcshrc|inputrc)\Z"
)
_SECRET = re.compile(
    r"(?:\A|/)(?:\.ssh/(?!known_hosts\Z)[^/]+|\.aws/(?:credentials|config)|\.gnupg/.*|\.kube/config|\.docker/config\.json|"
    r"\.netrc|\.pgpass|\.npmrc|\.pypirc|\.config/gcloud/.*|\.azure/.*|\.git-credentials|\.config/gh/hosts\.yml)\Z"
)
_GIT = re.compile(r"(?:\A|/)\.git/(?!COMMIT_EDITMSG\Z|MERGE_MSG\Z|info/exclude\Z).*")
_CLIENT = re.compile(
    r"(?:\A|/)\.claude/(?:settings(?:\.local)?\.json|managed-settings\.json)\Z|(?:\A|/)\.claude\.json\Z"
)
_SCHEDULE = re.compile(r"\A/(?:etc|var/spool/cron)/")


def of_write(path: str, where: Where, private: tuple[str, ...]) -> Finding | None:
    """What a rule says about writing to this path; `private` are holdfast's own folders and rule files."""
    full = path if path.startswith("/") else posixpath.join(where.cwd or "/", path)
    full = posixpath.normpath(full)
    below = full[len(where.home) + 1 :] if where.home and full.startswith(f"{where.home}/") else full
    if any(full == each or full.startswith(f"{each.rstrip('/')}/") for each in private if each):
        return Finding(
            "files.holdfast", "deny", f"{path} belongs to holdfast: its rules, its records or what it keeps for undo",
            "ask the user to change it", f"write {path}",
        )  # fmt: skip
    if _GIT.search(full):
        return Finding(
            "files.git-internals", "ask", f"{path} is inside `.git`: hooks and settings there run programs",
            "use a git command", f"write {path}",
        )  # fmt: skip
    if _CLIENT.search(full):
        return Finding(
            "files.client-settings", "ask", f"{path} decides what the client may do, and which hooks run",
            "tell the user what to change", f"write {path}",
        )  # fmt: skip
    if _STARTUP.search(full) and not full.startswith(f"{where.root}/" if where.root else "\0"):
        return Finding(
            "files.startup", "ask", f"{path} runs at every login", "tell the user which line to add", f"write {path}"
        )
    if _SECRET.search(below):
        return Finding(
            "files.credentials", "deny", f"{path} holds credentials", "ask the user to change it", f"write {path}"
        )
    if _SCHEDULE.search(full):
        return Finding(
            "files.system", "deny", f"{path} is part of the system", "ask the user to change it", f"write {path}"
        )
    return None
