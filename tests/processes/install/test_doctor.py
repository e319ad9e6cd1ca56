"""The doctor on home and daemon: every fault made for real, found, explained, and repaired where that is safe."""

from __future__ import annotations

import fcntl
import json
import os
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from holdfast import __version__
from holdfast.install import CheckResult, DoctorContext, InstallScope, manifest, repair, run_checks
from holdfast.install.doctor import CHECKS
from holdfast.paths import Home
from tests.support.absent import absent
from tests.support.place import TOKEN, Place

pytestmark = [pytest.mark.requirement("OPS-4"), pytest.mark.requirement("OPS-5")]


def running(place: Place, **events: int) -> dict[str, Any]:
    counts = {event: {"fired": fired} for event, fired in events.items()}
    return {"running": True, "version": __version__, "url": f"http://127.0.0.1:{place.port}", "events": counts}


def finding(context: DoctorContext, name: str) -> CheckResult:
    (check,) = [check for check in run_checks(context) if check.name == name]
    assert check.state == "ok" or check.fix, "a fault without a fix"
    assert TOKEN not in check.sentence + (check.fix or "")
    return check


@contextmanager
def held_lock(home: Home) -> Iterator[None]:
    home.lock.write_text('{"pid": 4242}')
    home.lock.chmod(0o600)
    descriptor = os.open(home.lock, os.O_RDWR)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    yield
    os.close(descriptor)


def test_a_healthy_machine_is_all_green(place: Place) -> None:
    place.settle()
    place.install()
    manifest.save(place.home, manifest.load(place.home).with_server(str(place.home.command), "/opt/claude"))
    with held_lock(place.home):
        checks = run_checks(place.context(running(place, SessionStart=1, Stop=2)))
    assert [(check.name, check.sentence) for check in checks if check.state != "ok"] == []
    assert len(checks) == len(CHECKS) == len({check.name for check in checks})


FILL = "mount -t tmpfs -o size=64k tmpfs {0} && cat /dev/zero > {0}/x 2>/dev/null || true"


@pytest.mark.requirement("OPS-5")
@pytest.mark.parametrize(("gone", "state"), [(0, "ok"), (1, "warn"), (250, "warn")])
def test_events_that_were_not_kept_are_told(place: Place, gone: int, state: str) -> None:
    check = finding(place.context({"queue": {"lost": gone}}), "lost")
    assert check.state == state
    assert (f"{gone} events were not kept" in check.sentence) == bool(gone)


def test_no_home_yet(place: Place) -> None:
    check = finding(place.context(), "home")
    assert (check.state, check.fix) == ("fail", "Run `holdfast up`.")
    repair([check])
    assert finding(place.context(), "home").state == "ok"


def test_a_home_open_to_others_is_closed(place: Place) -> None:
    place.settle()
    place.home.root.chmod(0o755)
    check = finding(place.context(), "home")
    assert "mode 0755" in check.sentence
    assert repair([check]) == [("home", None)]
    assert stat.S_IMODE(place.home.root.stat().st_mode) == 0o700


def test_a_home_that_cannot_be_written(place: Place) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o555)
        me = os.geteuid()
        try:
            if me == 0:
                os.seteuid(65534)
            check = finding(place.context(home=Home(Path(folder))), "writable")
        finally:
            os.seteuid(me)
    assert check.state == "fail"
    assert "cannot be written (Permission denied)" in check.sentence


@pytest.mark.parametrize(
    ("prepare", "queue", "said"),
    [
        (FILL, None, "is full. The daemon does not run, so events of this time are not kept."),
        (
            FILL,
            {"memory": 7, "lost": 0},
            "7 events wait in the daemon's memory, which holds 32 MiB of them and none after a crash.",
        ),
        (FILL, {"memory": 7, "lost": 5}, "and none after a crash; 5 were not kept."),
        ("mount -t tmpfs -o ro tmpfs {0}", None, "is on a read-only file system."),
    ],
)
def test_a_full_disk_and_a_read_only_home(
    tmp_path: Path, prepare: str, queue: dict[str, int] | None, said: str
) -> None:
    """On a file system of its own, in a namespace that goes away with the process."""
    if subprocess.run(["unshare", "-rm", "true"], check=False, capture_output=True).returncode:
        absent("mount", "this machine allows no mount namespaces")
    code = (
        "import sys; from pathlib import Path; from holdfast.paths import Home; from types import SimpleNamespace\n"
        "from holdfast.install.checks_home import writable\n"
        "import json; status = json.loads(sys.argv[2])\n"
        "print(writable(SimpleNamespace(home=Home(Path(sys.argv[1])), status=status)).sentence)"
    )
    status = json.dumps({"queue": queue} if queue else None)
    line = f"{prepare.format(tmp_path)}; exec {sys.executable} -c '{code}' {tmp_path} '{status}'"
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(sys.path)}
    answer = subprocess.run(["unshare", "-rm", "sh", "-c", line], env=environment, capture_output=True, check=True)
    assert answer.stdout.decode().strip().endswith(said)


def test_little_space_left(place: Place) -> None:
    place.settle()
    check = finding(place.context(low_disk=2**62), "disk")
    assert (check.state, check.sentence.split()[0]) == ("warn", "Only")


def test_files_open_to_others_are_closed(place: Place) -> None:
    place.settle()
    place.home.token.chmod(0o644)
    check = finding(place.context(), "private files")
    assert (check.state, "token" in check.sentence) == ("fail", True)
    repair([check])
    assert stat.S_IMODE(place.home.token.stat().st_mode) == 0o600


def test_no_token(place: Place) -> None:
    place.settle()
    place.home.token.write_text("")
    assert finding(place.context(), "token").state == "fail"


def test_configuration_faults_are_named(place: Place) -> None:
    place.settle()
    place.home.config.write_text("[daemon]\nprot = 1\n")
    check = finding(place.context(), "configuration")
    assert (check.state, "daemon.prot" in check.sentence) == ("warn", True)
    place.home.config.write_text("[daemon\n")
    assert finding(place.context(), "configuration").state == "fail"
    place.home.config.write_text("[daemon]\nport = 'many'\n")
    assert "daemon.port" in finding(place.context(), "configuration").sentence


def test_a_stale_lock_is_told_from_a_held_one(place: Place) -> None:
    place.settle()
    with held_lock(place.home):
        check = finding(place.context(), "lock")
        assert (check.state, "pid 4242" in check.sentence) == ("fail", True)
        assert finding(place.context(running(place)), "lock").state == "ok"
    check = finding(place.context(), "lock")
    assert (check.state, "no longer runs" in check.sentence) == ("warn", True)
    repair([check])
    assert not place.home.lock.exists()


def test_a_lock_taken_in_between_is_not_removed(place: Place) -> None:
    place.settle()
    place.home.lock.write_text("{}")
    check = finding(place.context(), "lock")
    with held_lock(place.home):
        repair([check])
        assert place.home.lock.exists()


def test_a_port_taken_by_another_program(place: Place) -> None:
    place.settle()
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        place.port = other.getsockname()[1]
        check = finding(place.context(), "port")
        assert check.sentence == f"Port {place.port} is taken by another program."
        assert finding(place.context(running(place)), "port").state == "ok"
    assert finding(place.context(), "port").state == "ok"
    assert finding(place.context(port=0), "port").state == "warn"


def test_a_daemon_away_or_of_another_version(place: Place) -> None:
    place.settle()
    assert finding(place.context(), "daemon").sentence == "The daemon does not answer."
    told = finding(place.context(without={"bells": "off: none rings"}), "daemon").sentence
    assert told == "The daemon does not answer. Meanwhile: [bells] off: none rings."
    place.home.logs.mkdir(parents=True, exist_ok=True)
    (place.home.logs / "last-error").write_text("The port is taken.")
    told = finding(place.context(without={"bells": "off: none rings"}), "daemon").sentence
    assert told == "The daemon does not work: The port is taken. Meanwhile: [bells] off: none rings."
    check = finding(place.context({**running(place), "version": "0.0.1"}), "daemon")
    assert (check.state, "holdfast restart" in str(check.fix)) == ("warn", True)


def test_the_spool(place: Place) -> None:
    place.settle()
    event = place.home.spool / "0001.json"
    event.write_text("{}")
    assert finding(place.context(), "spool").state == "warn"
    os.utime(event, (1, 1))
    assert finding(place.context(running(place)), "spool").state == "fail"
    event.unlink()
    (place.home.spool / "bad").mkdir()
    (place.home.spool / "bad" / "0001.json").write_text("?")
    assert "could not be read" in finding(place.context(running(place)), "spool").sentence


def test_silence_is_heard(place: Place) -> None:
    place.settle()
    place.install()
    transcript = place.house / ".claude" / "projects" / "x" / "s.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.write_text("{}\n")
    later = place.home.manifest.stat().st_mtime + 3600
    assert finding(place.context(running(place)), "silence").state == "ok"
    os.utime(transcript, (later, later))
    assert "no event has arrived" in finding(place.context(running(place)), "silence").sentence
    assert finding(place.context(running(place, Stop=5)), "silence").state == "ok"
    assert "never a SessionStart" in finding(place.context(running(place, Stop=50)), "silence").sentence


def test_a_check_that_fails_is_a_finding(place: Place) -> None:
    place.settle()
    place.home.lock.mkdir()
    states = {check.name: check.state for check in run_checks(place.context())}
    assert states["lock"] == "fail"
    assert len(states) == len(CHECKS)


def test_a_repair_that_fails_says_so(place: Place) -> None:
    def broken() -> None:
        raise OSError("no")

    assert repair([CheckResult("x", "fail", "s", "f", broken), CheckResult("y", "ok", "s")]) == [("x", "no")]


def test_settings_scope_is_not_needed_for_home_checks(place: Place) -> None:
    place.write(InstallScope.USER, "{ broken")
    assert len(run_checks(place.context())) == len(CHECKS)
