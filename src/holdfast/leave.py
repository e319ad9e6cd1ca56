"""Takes holdfast's hooks out of the settings when its installation was moved or deleted. Needs only Python.

`holdfast up` copies this file into the home. The command on PATH runs it when the installed program is gone. A person
runs `python3 leave.py HOME uninstall`. A hook of a session runs `python3 leave.py HOME hook`: when the installation has
been gone for a while, that takes the hooks out, says so once to the person, and always ends with 0.
"""

import base64
import hashlib
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from typing import Any

GONE = "The installation of holdfast was moved or deleted"
AGAIN = "To install it again, run `make up` in a clone, or install the package and run `holdfast up`."
PATIENCE = 600.0
"""Seconds. An upgrade replaces the installation, and a disk may be mounted late: hooks wait that long."""
FRESH = 86_400.0
"""An absence that was noted longer ago was another one."""


def leave(home: str) -> "tuple[list[str], list[str]]":
    """The files that are free of our hooks now, and sentences about those that are not."""
    record = _record(home)
    done, left = [], []
    entries = record.get("files") or []
    for entry in list(entries):
        path = os.path.realpath(str(entry.get("path")))
        try:
            if _free(path, entry):
                done.append(path)
            entries.remove(entry)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            left.append(f"{path} still has our hooks ({error}). Correct the file and run `holdfast uninstall` again.")
    for touched in record.get("touched") or []:
        path = os.path.realpath(str(touched.get("path")))
        try:
            if _free_of_line(path, touched, home):
                done.append(path)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            left.append(f"{path} still has our status line ({error}). Take it out by hand.")
    link = record.get("link")
    if link and not left and _is_ours(link, home):
        os.unlink(link)
        done.append(link)
    client = record.get("server_client")
    if client and not left:
        try:
            words = [client, "mcp", "remove", "--scope", "user", "holdfast"]
            ended = subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL, timeout=20, check=False)
            if ended.returncode and b"No MCP server" not in ended.stderr:
                raise OSError(ended.stderr.decode("utf-8", "replace"))
        except (OSError, subprocess.TimeoutExpired):
            left.append("Claude Code still knows our tools. By hand: claude mcp remove --scope user holdfast")
    service = record.get("service")
    if service and not left:
        _end_service(str(service))
        done.append(str(service))
    if entries or left:
        _write(os.path.join(home, "install.json"), json.dumps(record, indent=1).encode(), 0o600)
    elif done:
        os.unlink(os.path.join(home, "install.json"))
    return done, left


def _end_service(path: str) -> None:
    """Stop the user service and remove its file. A manager that is gone has stopped it already."""
    name = os.path.basename(path)
    words = ["systemctl", "--user", "disable", "--now", name]
    if name.endswith(".plist"):
        words = ["launchctl", "bootout", f"gui/{os.getuid()}/{name[:-6]}"]
    try:
        subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        pass
    if os.path.exists(path):
        os.unlink(path)


def _record(home: str) -> "dict[str, Any]":
    """The manifest: only entries of the form that `install` writes."""
    try:
        with open(os.path.join(home, "install.json"), encoding="utf-8") as file:
            record = json.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(record, dict):
        return {}
    listed = record.get("files")
    touched = record.get("touched")
    record["touched"] = [one for one in touched if isinstance(one, dict)] if isinstance(touched, list) else []
    record["files"] = [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
    return record


def has_been_gone(home: str, now: float) -> bool:
    """Was the installation missed before, and long enough ago? The first time it is only noted."""
    mark = os.path.join(home, "gone-since")
    try:
        since = os.stat(mark).st_mtime
    except OSError:
        since = 0.0
    if PATIENCE <= now - since <= FRESH:
        return True
    if not 0 <= now - since < PATIENCE:
        with open(mark, "w", encoding="utf-8") as file:
            file.write("A hook did not find the installation of holdfast.\n")
    return False


def _is_ours(link: str, home: str) -> bool:
    return os.path.islink(link) and os.readlink(link) == os.path.join(home, "bin", "holdfast")


def _free(path: str, entry: "dict[str, Any]") -> bool:
    """Take our hooks out of one file; False when it is gone or holds none. Untouched since, it gets its bytes back."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return False
    mode = os.stat(path).st_mode & 0o777
    if hashlib.sha256(data).hexdigest() == entry["sha256_after"]:
        if entry["original"] is None:
            os.unlink(path)
        else:
            _write(path, base64.b64decode(entry["original"]), entry.get("original_mode") or mode)
        return True
    settings = json.loads(data.decode("utf-8-sig"))
    if not isinstance(settings, dict):
        raise ValueError("it holds JSON that is not an object")
    if not _without_ours(settings, entry) | _without_line(settings, entry["home"]):
        return False
    _write(path, (json.dumps(settings, indent=2, ensure_ascii=False) + "\n").encode(), mode)
    return True


def _without_ours(settings: "dict[str, Any]", entry: "dict[str, Any]") -> bool:
    """Remove our hooks from decoded settings: was there one?"""
    events = settings.get("hooks")
    if not isinstance(events, dict):
        return False
    found = False
    for event in list(events):
        groups = [group for group in events[event] if isinstance(group, dict)]
        for group in groups:
            hooks = group.get("hooks")
            if isinstance(hooks, list):
                group["hooks"] = [hook for hook in hooks if not _belongs(hook, entry)]
                found = found or len(group["hooks"]) < len(hooks)
        events[event] = [group for group in events[event] if not (isinstance(group, dict) and group.get("hooks") == [])]
        if not events[event]:
            del events[event]
    if found and not events:
        del settings["hooks"]
    return found


def _free_of_line(path: str, touched: "dict[str, Any]", home: str) -> bool:
    """Take our status line out of a file; False when there is none. What means the same as before gets its bytes."""
    try:
        with open(path, "rb") as file:
            settings = json.loads(file.read().decode("utf-8-sig"))
    except FileNotFoundError:
        return False
    if not isinstance(settings, dict) or not _without_line(settings, home):
        return False
    mode = os.stat(path).st_mode & 0o777
    original = None if touched["original"] is None else base64.b64decode(touched["original"])
    if original is None and not settings:
        os.unlink(path)
    elif original is not None and json.loads(original.decode("utf-8-sig")) == settings:
        _write(path, original, touched.get("original_mode") or mode)
    else:
        _write(path, (json.dumps(settings, indent=2, ensure_ascii=False) + "\n").encode(), mode)
    return True


def _without_line(settings: "dict[str, Any]", home: str) -> bool:
    """Leave the status line that ours stands around, or none: was ours there?"""
    line = settings.get("statusLine")
    try:
        words = shlex.split(str(line["command"])) if isinstance(line, dict) else []
    except (KeyError, ValueError):
        words = []
    if len(words) < 6 or os.path.basename(words[4]) != "statusline.py" or words[5] != home:
        return False
    if len(words) > 6:
        settings["statusLine"]["command"] = words[6]
    else:
        del settings["statusLine"]
    return True


def _belongs(hook: Any, entry: "dict[str, Any]") -> bool:
    if not isinstance(hook, dict):
        return False
    if hook.get("type") == "http":
        return str(hook.get("url", "")).startswith(f"http://127.0.0.1:{entry['port']}/hooks/")
    command = str(hook.get("command", ""))
    try:
        script, home = shlex.split(command)[-2:]
    except ValueError:
        script = home = ""
    ours = os.path.basename(script) in ("hook.py", "revive.py") and home == entry["home"]
    return ours or '[ -x "$h/hook" ] && exec "$h/hook"' in command


def _write(path: str, data: bytes, mode: int) -> None:
    descriptor, temporary = tempfile.mkstemp(dir=os.path.dirname(path))
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(descriptor, mode)
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def main(home: str, words: "list[str]") -> int:
    if words[:1] == ["hook"]:
        try:
            done = leave(home)[0] if has_been_gone(home, time.time()) else []
        except Exception:  # a session that goes on must not hear of it
            return 0
        if done:
            message = f"{GONE}, so its hooks were taken out of your settings. {AGAIN} What it remembers is in {home}."
            print(json.dumps({"systemMessage": message}))
        elif words[1:] == ["plugin", "SessionStart"]:
            print(json.dumps({"systemMessage": f"{GONE}, so nothing is remembered or guarded. {AGAIN}"}))
        return 0
    if words[:1] != ["uninstall"]:
        print(f"{GONE}. {AGAIN} `holdfast uninstall` takes its hooks out of your settings.", file=sys.stderr)
        return 1
    if "--purge" in words:
        print(f"holdfast: --purge needs the installation. Without it, delete {home} yourself.", file=sys.stderr)
    done, left = leave(home)
    for path in done:
        print(f"{path}: our hooks were taken out" if path.endswith(".json") else f"{path}: removed")
    for sentence in left:
        print(f"holdfast: {sentence}", file=sys.stderr)
    if not done and not left:
        print("Nothing to uninstall: no settings file is recorded as changed by holdfast.")
    print(f"What holdfast remembers stays in {home}. Delete that folder if you do not want it any more.")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
