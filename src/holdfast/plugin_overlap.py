"""Does a hook in the settings serve this event already? Then the plugin's hook for it answers nothing.

Decided at every event, because settings change while a session is open. Standard library only, and little of it: the
command client asks this on a session's time. Only a file that may hold hooks of ours is parsed.
"""

from posix import O_RDONLY, access, close, environ, read
from posix import open as open_file

_MANAGED = ("/etc/claude-code/managed-settings.json", "/Library/Application Support/ClaudeCode/managed-settings.json")
_SIGNS = (b"/hooks/", b"hook.py", b'$h/hook\\"')
"""One of these is in every file with a hook of ours: the path of an http hook, the command client, the launcher."""
_PROJECT_COMMAND = (
    'for h in "${HOLDFAST_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/holdfast}"'
    ' "${HOLDFAST_HOME:-$HOME/Library/Application Support/holdfast}";'
    ' do [ -x "$h/hook" ] && exec "$h/hook"; done; exit 0'
)
"""As `install.hooks` writes it. Any other command that holds these words may do nothing else with them."""
_KEYS = frozenset(("type", "command", "url", "headers", "allowedEnvVars", "timeout", "async"))
"""What `install` writes into a hook. Anything else may be a condition, with which it does not always run."""
_GUARDED = "PreToolUse"
_LONGEST = 4 << 20


def is_served(home: str, event: str) -> bool:
    """Is a hook for this event, of this home, in a settings file that the session obeys?"""
    for path in settings_files():
        text = _text_of(path)
        if any(sign in text for sign in _SIGNS) and _serves(text, home, event) and _is_trusted(path, home, event):
            return True
    return False


def _is_trusted(path: str, home: str, event: str) -> bool:
    """May this file switch the plugin's hook off? A file that comes with a project may not switch the guards off, only
    one that `holdfast install` wrote."""
    if event != _GUARDED or "/.claude/settings" not in path or path == settings_files()[0]:
        return True
    import json

    try:
        recorded = [entry["path"] for entry in json.loads(_text_of(home + "/install.json"))["files"]]
    except (ValueError, LookupError, TypeError, RecursionError):
        return False
    from os.path import realpath

    return path in recorded or realpath(path) in map(realpath, recorded)


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
        return any(
            _is_ours(hook, home, event)
            for group in groups
            if group.get("matcher") in (None, "", "*")  # with another it runs for some tools only
            for hook in group["hooks"]
        )
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return False


def _is_ours(hook: "dict[str, object]", home: str, event: str) -> bool:
    if not _KEYS.issuperset(hook) or (event == _GUARDED and hook.get("async")):
        return False
    if hook.get("type") == "http":
        headers, url = hook.get("headers"), str(hook.get("url"))
        token = _text_of(home + "/token").decode("ascii", "replace").strip()
        known = isinstance(headers, dict) and bool(token) and headers.get("Authorization") == f"Bearer {token}"
        return known and url == f"http://127.0.0.1:{_port(home)}/hooks/{event}"
    command = str(hook.get("command", "")).strip()
    if command == _PROJECT_COMMAND:
        return access(home + "/hook", 1)
    return _is_client_of(command, home)


def _is_client_of(command: str, home: str) -> bool:
    """Is it, word for word, what `install.hooks.hook_command` writes for this home?"""
    from re import fullmatch
    from shlex import quote

    word = r"[\w@%+=:,./-]+|'[^']*'"
    parts = fullmatch(rf"\[ -x ({word}) \] && \[ -e ({word}) \] \|\| .*", command)
    if parts is None or not parts[2].endswith(("/hook.py", "/hook.py'")):
        return False
    return command == (
        f"[ -x {parts[1]} ] && [ -e {parts[2]} ] || exec {quote(home + '/bin/holdfast')} hook; "
        f"exec {parts[1]} -I -S -E {parts[2]} {quote(home)}"
    )


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
