"""Input that is broken, deep, long or plain garbage: read as far as it goes, said to be incomplete, never an error."""

import random

import pytest

from holdfast.shell.parse import parse
from holdfast.shell.script import Script
from tests.support.table import each_of

pytestmark = pytest.mark.requirement("LRN-5")


def lines(script: Script) -> list[str]:
    return [" ".join((command.program, *command.texts)).strip() for command in script.commands]


@pytest.mark.parametrize(
    "text",
    ["echo 'abc", 'echo "abc', "if true; then", "a; ; b )", "cat <<EOF\nno end", "echo $(", "case x in", "a && ( b"],
)
def test_what_cannot_be_read_is_said_to_be_incomplete(text: str) -> None:
    script = parse(text)
    assert not script.complete
    assert script.text == text


def test_the_readable_part_of_a_broken_line_is_kept() -> None:
    assert lines(parse("rm a; ; rm b )"))[:2] == ["rm a", "rm b"]


@each_of(
    "text",
    [
        "(" * 3_000 + "ls" + ")" * 3_000,
        "$(" * 3_000,
        '"$(' * 2_000,
        "{ " * 3_000,
        "if " * 3_000,
        "a && " * 3_000 + "a",
        "a | " * 3_000 + "a",
        "a; " * 3_000,
        "cat <<A\n" * 2_000,
        "cat " + "<<A " * 2_000,
        "bash -c " * 2_000 + "ls",
        "eval " * 3_000 + "ls",
        "sudo " * 5_000 + "ls",
        "xargs " * 3_000 + "ls",
        "`" * 3_000,
        "${a:-" * 2_000,
        "x" * 1_000_000,
        "'" * 300_000,
        "\\" * 300_000,
        "\x00\ud800\ue000 <<\ue000\n",
    ],
    ids=lambda text: text[:12].encode("unicode_escape").decode(),
)
def test_no_input_is_too_odd(text: str) -> None:
    script = parse(text)
    assert len(script.commands) <= 2_000
    assert isinstance(script.complete, bool)


def test_a_megabyte_of_garbage_is_read_without_raising() -> None:
    draw = random.Random(7)
    signs = "ab $(){}[]<>|&;'\"`\\\n#=-*~!\u00e9\U0001f389"
    script = parse("".join(draw.choices(signs, k=1_000_000)))
    assert not script.complete


def test_small_garbage_never_raises() -> None:
    draw = random.Random(8)
    pieces = ["a", " ", "$(", ")", "<<E", "\nE\n", "'", '"', "`", "|", "&&", ";", "{", "}", "((", "<(", "bash -c ", "#"]
    broken = 0
    for _ in range(1_500):
        broken += not parse("".join(draw.choices(pieces, k=draw.randrange(1, 20)))).complete
    assert broken > 300


def test_a_heredoc_of_a_megabyte_costs_nothing_but_its_body() -> None:
    body = "some line of text\n" * 60_000
    script = parse(f"cat > f <<'EOF'\n{body}EOF\nrm x")
    assert script.complete
    assert lines(script) == ["cat", "rm x"]
    assert script.commands[0].heredocs[0].body == body
