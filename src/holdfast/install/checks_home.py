"""The doctor on the home and the daemon: folders, modes, disk, configuration, lock, port, spool, silence."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import socket
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

from holdfast import __version__, config
from holdfast.errors import HoldfastError
from holdfast.install.examination import CheckResult, DoctorContext
from holdfast.install.settings import user_folder
from holdfast.settings_file import keep_port

DAY = 86_400.0


def home(context: DoctorContext) -> CheckResult:
    root = context.home.root
    if not root.is_dir():
        return CheckResult("home", "fail", f"There is no home at {root}.", "Run `holdfast up`.", context.home.prepare)
    facts = root.stat()
    if facts.st_uid != os.geteuid():
        return CheckResult(
            "home", "fail", f"{root} belongs to another user.", f"Run: sudo chown -R {os.geteuid()} {root}"
        )
    mode = stat.S_IMODE(facts.st_mode)
    if mode & 0o077:
        return CheckResult(
            "home",
            "fail",
            f"Other users may look into {root} (mode {mode:04o}).",
            f"Run: chmod 700 {root}",
            lambda: root.chmod(0o700),
        )
    return CheckResult("home", "ok", f"{root} is there and yours alone.")


def writable(context: DoctorContext) -> CheckResult:
    root = context.home.root
    try:
        with tempfile.NamedTemporaryFile(dir=root, prefix=".doctor-") as file:
            file.write(b"x" * 4096)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        if error.errno == errno.ENOSPC:
            return CheckResult(
                "writable", "fail", f"The disk of {root} is full. {_in_memory(context)}", "Free some space."
            )
        if error.errno == errno.EROFS:
            return CheckResult(
                "writable",
                "fail",
                f"{root} is on a read-only file system.",
                "Mount it writable, or set HOLDFAST_HOME to a folder that is.",
            )
        return CheckResult(
            "writable",
            "fail",
            f"{root} cannot be written ({error.strerror}).",
            "Correct its owner and permissions, or set HOLDFAST_HOME to a folder of yours.",
        )
    return CheckResult("writable", "ok", "The home can be written.")


def _in_memory(context: DoctorContext) -> str:
    """What happens to events while the disk is full."""
    if context.status is None:
        return "The daemon does not run, so events of this time are not kept."
    queue = context.status.get("queue") or {}
    waiting, gone = int(queue.get("memory") or 0), int(queue.get("lost") or 0)
    told = f"{waiting} events wait in the daemon's memory, which holds 32 MiB of them and none after a crash"
    return f"{told}; {gone} were not kept." if gone else f"{told}."


def lost(context: DoctorContext) -> CheckResult:
    """Events that were answered and not kept."""
    gone = int(((context.status or {}).get("queue") or {}).get("lost") or 0)
    if not gone:
        return CheckResult("lost", "ok", "No event was lost.")
    sentence = f"{gone} events were not kept, because the disk and the memory set aside for them were full."
    return CheckResult(
        "lost", "warn", sentence, "Keep some space free. What a transcript says about them was read from there."
    )


def disk(context: DoctorContext) -> CheckResult:
    try:
        facts = os.statvfs(context.home.root)
    except OSError as error:
        return CheckResult("disk", "warn", f"Free space is unknown ({error.strerror}).", "See the check `home`.")
    free = facts.f_bavail * facts.f_frsize
    if free < context.low_disk:
        state = f"Only {free // 2**20} MiB are free on the disk of {context.home.root}."
        return CheckResult("disk", "warn", state, "Free some space, or shorten retention in config.toml.")
    return CheckResult("disk", "ok", f"{free // 2**20} MiB are free.")


def private_files(context: DoctorContext) -> CheckResult:
    place = context.home
    candidates = (place.token, place.config, place.database, place.manifest, place.lock)
    loose = [file for file in candidates if file.is_file() and not file.is_symlink() and file.stat().st_mode & 0o077]
    if not loose:
        return CheckResult("private files", "ok", "The files in the home are readable by you only.")
    names = ", ".join(file.name for file in loose)
    fix = f"Run: chmod 600 {' '.join(map(str, loose))}"
    return CheckResult("private files", "fail", f"Other users may read {names} in the home.", fix, _owner_only(loose))


def _owner_only(paths: list[Path]) -> Callable[[], None]:
    def repair() -> None:
        for path in paths:
            path.chmod(0o600)

    return repair


def token(context: DoctorContext) -> CheckResult:
    if context.token is None:
        return CheckResult(
            "token", "fail", f"{context.home.token} holds no token.", "Run `holdfast restart`: it makes one."
        )
    return CheckResult("token", "ok", "The token is there.")


def configuration(context: DoctorContext) -> CheckResult:
    try:
        project = context.root / config.PROJECT_FILE
        loaded = config.load(context.home.config, project, context.environment, rooms=context.sections)
    except HoldfastError as error:
        return CheckResult("configuration", "fail", str(error), "Correct that value, then run `holdfast restart`.")
    if loaded.unknown:
        names = "; ".join(loaded.unknown)
        fix = "Correct or remove them; `holdfast config show` lists the known keys."
        return CheckResult("configuration", "warn", f"Nobody knows these keys, so they do nothing: {names}.", fix)
    return CheckResult("configuration", "ok", "The configuration is valid.")


def lock(context: DoctorContext) -> CheckResult:
    path = context.home.lock
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return CheckResult("lock", "ok", "No lock file is left behind.")
    except OSError as error:
        return CheckResult(
            "lock", "fail", f"{path} cannot be opened ({error.strerror}).", "Correct its owner and mode."
        )
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        held = False
    except OSError:
        held = True
    who = _holder(descriptor)
    os.close(descriptor)
    if held and context.status is None:
        fix = f"Run `holdfast restart`{f'; if that fails, kill {who}' if who else ''}."
        return CheckResult("lock", "fail", f"A daemon (pid {who}) holds the lock but does not answer.", fix)
    if held:
        return CheckResult("lock", "ok", "One daemon holds the lock.")
    if context.status is not None:
        return CheckResult(
            "lock", "warn", "A daemon answers but does not hold this home's lock.", "Run `holdfast restart`."
        )
    return CheckResult(
        "lock",
        "warn",
        f"A lock file of a daemon that no longer runs is left behind{f' (pid {who})' if who else ''}.",
        "Run `holdfast start`; the file does not stop it, and `doctor --fix` removes it.",
        lambda: _remove_lock(path),
    )


def _holder(descriptor: int) -> int | None:
    try:
        facts = json.loads(os.pread(descriptor, 4096, 0) or b"{}")
    except (OSError, ValueError):
        return None
    pid = facts.get("pid") if isinstance(facts, dict) else None
    return pid if isinstance(pid, int) else None


def _remove_lock(path: Path) -> None:
    """Remove it only while holding it: a daemon that starts at this moment keeps its lock."""
    descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.unlink(missing_ok=True)
    except BlockingIOError:
        return
    finally:
        os.close(descriptor)


def daemon(context: DoctorContext) -> CheckResult:
    told = " ".join(f"[{room}] {said}." for room, said in context.without.items())
    missing = f" Meanwhile: {told}" if told else ""
    if context.status is None and context.away_sentence:
        why = context.away_sentence.rstrip(".")
        return CheckResult("daemon", "fail", f"The daemon does not work: {why}.{missing}", "See the check `store`.")
    if context.status is None:
        return CheckResult(
            "daemon", "fail", f"The daemon does not answer.{missing}", "Run `holdfast start`; `holdfast logs` says why."
        )
    running = str(context.status.get("version", __version__))
    if running != __version__:
        sentence = f"The running daemon is version {running}, installed is {__version__}."
        return CheckResult("daemon", "warn", sentence, "Run `holdfast restart`: it hands over without losing an event.")
    if context.status.get("outdated"):
        sentence = "The installed code changed since the daemon started, so the daemon runs the old code."
        return CheckResult("daemon", "warn", sentence, "Run `holdfast restart`: it hands over without losing an event.")
    return CheckResult("daemon", "ok", f"The daemon answers at {context.status.get('url', 'its socket')}.")


def port(context: DoctorContext) -> CheckResult:
    if not context.port:
        return CheckResult(
            "port", "warn", "No port is settled yet.", "Run `holdfast start`: it chooses one and keeps it."
        )
    if context.status is not None:
        url = str(context.status.get("url", ""))
        if url and f":{context.port}" not in url:
            sentence = f"The daemon listens at {url}, but the configuration says port {context.port}."
            return CheckResult("port", "fail", sentence, "Run `holdfast restart`.")
        if not context.port_is_kept:
            return _not_kept(context, f"The daemon listens on port {context.port}")
        return CheckResult("port", "ok", f"Port {context.port} is the daemon's.")
    with socket.socket() as knock:
        knock.settimeout(1)
        taken = knock.connect_ex(("127.0.0.1", context.port)) == 0
    if taken:
        return CheckResult(
            "port",
            "fail",
            f"Port {context.port} is taken by another program.",
            "Run `holdfast up`: it chooses another port and changes the hooks. Or stop that program.",
        )
    if not context.port_is_kept:
        return _not_kept(context, f"The hooks post to port {context.port}")
    return CheckResult("port", "ok", f"Port {context.port} is free for the daemon.")


def _not_kept(context: DoctorContext, fact: str) -> CheckResult:
    """config.toml was lost, or its line with the port."""
    sentence = f"{fact}, but {context.home.config} does not name it, so the next start may choose another one."
    fix = "Run `holdfast up`: it writes the port down again."
    return CheckResult("port", "warn", sentence, fix, lambda: keep_port(context.home.config, context.port))


def spool(context: DoctorContext) -> CheckResult:
    folder = context.home.spool
    waiting = sorted(file for file in folder.glob("*.json") if not file.name.startswith("."))
    bad = sorted((folder / "bad").glob("*"))
    if bad:
        sentence = f"{len(bad)} spooled events could not be read and are kept in {folder / 'bad'}."
        return CheckResult("spool", "warn", sentence, "Look at them; remove them when they are of no use.")
    old = [file for file in waiting if context.now() - file.stat().st_mtime > 60]
    if old and context.status is not None:
        sentence = f"{len(old)} events have waited in the spool for over a minute while the daemon runs."
        return CheckResult(
            "spool", "fail", sentence, "Run `holdfast logs`: the store may be full; then `holdfast restart`."
        )
    if waiting:
        return CheckResult(
            "spool", "warn", f"{len(waiting)} events wait in the spool.", "They are taken in when it runs."
        )
    return CheckResult("spool", "ok", "No event waits in the spool.")


def store(context: DoctorContext) -> CheckResult:
    """A store that is locked, slow or away: nothing is lost, but events wait and no memory is given."""
    facts = context.status.get("store") if context.status else None
    if not isinstance(facts, dict):
        return CheckResult("store", "ok", "Not asked: the daemon does not answer.")
    if facts.get("trouble"):
        sentence = f"The store takes no events at present, so they wait in the spool: {facts['trouble']}"
        return CheckResult(
            "store", "fail", sentence, "End what holds it; holdfast notices by itself and takes them in."
        )
    return CheckResult("store", "ok", "The store takes events.")


def silence(context: DoctorContext) -> CheckResult:
    """Hooks can be off without a word: sessions that left transcripts, and no event from them."""
    if context.status is None or not isinstance(context.status.get("events"), dict):
        return CheckResult("silence", "ok", "Not asked: the daemon does not answer.")
    fired = {name: int(counts.get("fired", 0)) for name, counts in context.status["events"].items()}
    total = sum(fired.values())
    record = context.home.manifest
    since = record.stat().st_mtime if record.exists() else None
    newest = _newest_transcript(context)
    if not total and since is not None and newest is not None and newest > since + 60:
        return CheckResult(
            "silence",
            "fail",
            "Claude Code has run since the hooks were installed, and no event has arrived.",
            "Restart Claude Code sessions older than the install; then see the checks on hooks below.",
        )
    if total > 20 and not fired.get("SessionStart"):
        return CheckResult(
            "silence",
            "warn",
            f"{total} events arrived, but never a SessionStart, which comes by the command client.",
            f"Run the SessionStart hook by hand; {context.python} or {context.hook} may be broken.",
        )
    return CheckResult(
        "silence", "ok", f"{total} events have arrived." if total else "No event yet, and no session either."
    )


def _newest_transcript(context: DoctorContext) -> float | None:
    folder = user_folder(context.environment) / "projects"
    times = (file.stat().st_mtime for file in folder.glob("*/*.jsonl"))
    newest = max(times, default=None)
    return newest if newest is not None and context.now() - newest < 30 * DAY else None
