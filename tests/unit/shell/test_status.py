"""What the exit status of a line says of one command in it: nothing, when a pipe, `|| true` or `; echo` hides it."""

import pytest

from holdfast.shell.parse import parse
from holdfast.shell.script import Command
from tests.support.table import each_of

pytestmark = [pytest.mark.requirement("LRN-5"), pytest.mark.requirement("EVT-13")]


def one(text: str, program: str) -> Command:
    return next(command for command in parse(text).commands if command.program == program)


@each_of(
    ("text", "masked", "shared"),
    [
        ("p", False, False),
        ("cd x && p", False, False),
        ("X=1 && export Y=2 && p", False, False),
        ("a && p", False, True),
        ("p && a", False, True),
        ("p | tail", True, True),
        ("set -o pipefail; p | tail", False, False),
        ("set -euo pipefail\np | tail\na", False, True),
        ("a | p", False, False),
        ("p || true", True, True),
        ("p || exit 1", False, False),
        ("p || { echo no; exit 1; }", False, False),
        ("p || exit 0", True, True),
        ("a || p", True, False),
        ("p; echo done", True, True),
        ("echo start; p", False, False),
        ("set -e; p; echo done", False, True),
        ("p &", True, True),
        ("! p", True, True),
        ("(cd x && p)", False, False),
        ("(p) | tail", True, True),
        ("if p; then a; fi", True, True),
        ("for i in 1 2; do p; done", True, True),
        ("echo $(p)", True, True),
        ("bash -c 'p'", False, False),
        ("bash -c 'p' | tail", True, True),
        ("timeout 60 p", False, False),
        ("cd x && p 2>&1 | tail -5", True, True),
    ],
)
def test_what_the_exit_status_of_the_line_says_of_a_command(text: str, masked: bool, shared: bool) -> None:
    command = one(text, "p")
    assert (command.masked, command.shared) == (masked, shared)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('p; echo "exit: $?"', "exit: "),
        ("p; echo $?", ""),
        ("p | tail; echo rc=${PIPESTATUS[0]}", "rc="),
        ("p | tail; echo $?", None),
        ("p; echo done", None),
        ("p", None),
    ],
)
def test_a_printed_status_is_known_by_the_text_before_it(text: str, told: str | None) -> None:
    assert one(text, "p").told == told
