"""Texts that a line holds in another form: what can be read is read, all else stays unread."""

from __future__ import annotations

import base64

import pytest

from holdfast.commandline.reading.decoding import decoded, operands
from holdfast.commandline.reading.line import read
from tests.support.table import each_of

pytestmark = pytest.mark.requirement("WRK-7", "WRK-14")


@each_of(
    ("program", "words", "text", "said"),
    [
        ("base64", ["-d"], "cm0gLXJmIH4=\n", "rm -rf ~"),
        ("base64", ["--decode"], "cm0g\nLXJmIH4=", "rm -rf ~"),
        ("base64", ["-di"], "cm0gLXJmIH4=", "rm -rf ~"),
        ("base64", [], "cm0gLXJmIH4=", None),
        ("base64", ["-d"], "not base64 at all!", None),
        ("base64", ["-d"], "//79", None),
        ("base64", ["-d"], "bHM=cm0gLXJmIH4K", None),
        ("base64", ["-di"], "bHM=%cm0gLXJmIH4K", None),
        ("base32", ["-d"], base64.b32encode(b"ls -l").decode(), "ls -l"),
        ("basenc", ["--base16", "-d"], "6C73", "ls"),
        ("xxd", ["-r", "-p"], "6c73 2d6c", "ls-l"),
        ("xxd", ["-rp"], "6c73", "ls"),
        ("xxd", ["-p"], "6c73", None),
        ("xxd", ["-r", "-p", "-s", "3"], "6c73", None),
        ("xxd", ["-r"], "00000000: 6c73", None),
        ("openssl", ["base64", "-d"], "bHM=", "ls"),
        ("openssl", ["enc", "-d", "-aes-256-cbc"], "bHM=", None),
        ("rev", [], "sl\ndwp", "ls\npwd"),
        ("gunzip", ["-c"], "x", None),
        ("base64", ["-d"], "A" * 30_000, None),
    ],
)
def test_a_text_is_read_where_its_form_is_known(program: str, words: list[str], text: str, said: str | None) -> None:
    assert decoded(program, words, text) == said


def test_the_files_of_a_decoder_are_its_words_without_a_dash() -> None:
    assert operands(["-d", "a.b64"]) == ["a.b64"]
    assert operands(["-d", "-"]) == ["-"]


@each_of(
    ("line", "runs", "unread"),
    [
        ("echo bHM= | base64 -d | sh", "ls", False),
        ("x=bHM=; echo $x | base64 -d | sh", "ls", False),
        ("echo $X | base64 -d | sh", "", True),
        ("base64 -d f | sh", "", True),
        ("echo bHM= > f; base64 -d f | sh", "ls", False),
        ("echo bHM= | base64 -d | gunzip | sh", "", True),
        ('eval "$(echo bHM= | base64 -d)"', "ls", False),
        ('eval "$(echo bHM= | base64 -d; cat more)"', "", True),
        ("bash <(echo bHM= | base64 -d)", "ls", False),
    ],
)
def test_only_what_was_read_counts_as_read(line: str, runs: str, unread: bool) -> None:
    reading = read(line)
    assert not runs or runs in [run.program for run in reading.runs]
    shells = [run for run in reading.runs if run.program in ("sh", "bash")]
    assert any({"base64", "gunzip"}.intersection(run.piped_from) for run in shells) is unread
