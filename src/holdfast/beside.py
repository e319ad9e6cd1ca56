"""Does a hook in the settings serve this event already? Then the plugin's hook for it answers nothing.

Decided at every event, because settings change while a session is open. Standard library only, and little of it: the
command client asks this on a session's time. Only a file that may hold hooks of ours is parsed.
"""

from posix import O_RDONLY, access, close, environ, read
from posix import open as open_file

_MANAGED = ("/etc/claude-code/managed-settings.json", "/Library/Application Support/ClaudeCode/managed-settings.json")
_SIGNS = (b"/hooks/", b"hook.py", b'$h/hook\\"')
"""One of these is in every file with a hook of ours: the path of an http hook, the command client, the launcher."""
_LAUNCHER = '[ -x "$h/hook" ] && exec "$h/hook"'
_LONGEST = 4 << 20


def is_served(home: str, event: str) -> bool:
    """Is a hook for this event, of this home, in a settings file that the session obeys?"""
    for path in settings_files():
        text = _text_of(path)
        if any(sign in text for sign in _SIGNS) and _serves(text, home, event):
            return True
    return False


def settings_files() -> "list[str]":
    """The user's, the project's, the user's for the project, the administrator's: from what the client tells its
    hooks."""
    config = _variable(b"CLAUDE_CONFIG_DIR") or _variable(b"HOME") + "/.claude"
    found = [config + "/settings.json"]
    if project := _variable(b"CLAUDE_PROJECT_DIR"):
        found += [project + "/.claude/settings.json", project + "/.claude/settings.local.json"]
    return [*found, *_MANAGED]


def _serves(text: bytes, home: str, event: str) -> bool:
    import json

    try:
        groups = json.loads(text.decode("utf-8-sig"))["hooks"][event]
        return any(_is_ours(hook, home) for group in groups for hook in group["hooks"])
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return False


def _is_ours(hook: "dict[str, object]", home: str) -> bool:
    if hook.get("type") == "http":
        headers, url = hook.get("headers"), str(hook.get("url"))
        token = _text_of(home + "/token").decode("ascii", "replace").strip()
        known = isinstance(headers, dict) and bool(token) and headers.get("Authorization") == f"Bearer {token}"
        return known and url.startswith(f"http://127.0.0.1:{_port(home)}/hooks/")
    command = str(hook.get("command", "")).rstrip()
    if _LAUNCHER in command:
        return access(home + "/hook", 1)
    return "hook.py" in command and command.endswith((f" {home}", f" '{home}'"))


def _port(home: str) -> str:
    """The port that the daemon of this home listens on, as it wrote it down; what was written last, if it is away."""
    rest = _text_of(home + "/daemon.lock").partition(b'"port":')[2]
    return rest.split(b",")[0].strip(b" }\r\n").decode("ascii", "replace")


def _variable(name: bytes) -> str:
    return environ.get(name, b"").decode("utf-8", "surrogateescape")


def _text_of(path: str) -> bytes:
    try:
        descriptor = open_file(path, O_RDONLY)
    except OSError:
        return b""
    try:
        parts: list[bytes] = []
        while (part := read(descriptor, 1 << 16)) and len(parts) < _LONGEST >> 16:
            parts.append(part)
        return b"".join(parts)
    except OSError:
        return b""
    finally:
        close(descriptor)
