"""A cheap look at a call that could not be judged: may it destroy something? Pure; one search in the text.

It finds far more than destroys. It is asked only where reading the call failed or took too long, and then decides
between a question and letting it pass (our own faults are in nobody's way where the call is plain).
"""

from __future__ import annotations

from typing import Any

from holdfast.patterns import lazy_pattern

_DESTROYS = lazy_pattern(
    r"(?i)(?<![\w.-])(?:rm|rmdir|unlink|shred|srm|truncate|dd|mkfs\S*|wipefs|fdisk|parted|mv|tee|chmod|chown|chattr|kill|"
    r"pkill|killall|sudo|doas|su|eval|crontab|reboot|shutdown|systemctl|mount|umount|git|hg|jj|svn|rsync|docker|podman|"
    r"kubectl|helm|terraform|tofu|aws|gcloud|az|gh|npm|psql|mysql|sqlite3|redis-cli|mongosh?|curl|wget|(?:ba|z|da|k)?sh|"
    r"python[\d.]*|node|ruby|perl|php)(?![\w-])|\b(?:drop|truncate|delete|destroy|purge|wipe|erase|remove|unlink|rmtree|"
    r"overwrite)|\b(?:sed|perl)\b[^\n|;&]{0,80}\s-\w*i|[^-=>]>[^&=>]"
)
_OF_HOME = lazy_pattern(r"(?i)(?:\A|/)\.\w|(?:\A|/)(?:etc|holdfast)(?:/|\Z)|holdfast")


def is_suspicious(arguments: dict[str, Any]) -> bool:
    """May this call destroy something, or write what decides about later calls?"""
    said = [str(value) for name, value in arguments.items() if str(name).lower() in _COMMANDS and value]
    if said:
        return any(map(_DESTROYS.search, said))
    paths = (arguments.get(name) for name in ("file_path", "notebook_path", "path"))
    return any(isinstance(path, str) and _OF_HOME.search(path) is not None for path in paths)


_COMMANDS = frozenset({"command", "cmd", "commandline", "command_line", "script", "shell", "sql", "statement"})
"""How a shell and servers of MCP call what they run; some take a list of words."""
