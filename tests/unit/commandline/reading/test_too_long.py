"""What is too long to be read whole is told so at once: work is counted, and grows with no text's square."""

from __future__ import annotations

import pytest

from holdfast.commandline.reading import line
from holdfast.commandline.reading.line import read

pytestmark = pytest.mark.requirement("SEC-7", "WRK-6")

MANY = 1_000_000
LONG = {
    "plain text": "echo " + "word " * (MANY // 5),
    "one quoted word": "echo '" + "x" * MANY + "'",
    "nested": "echo " + "$(" * (MANY // 2),
    "parts": "; ".join(f"rm f{number}" for number in range(5_000)),
    "unbalanced": "echo 'abc" * (MANY // 9),
    "NULs": "echo a\0b; rm x\0" * (MANY // 15),
    "a program": "python3 -c '" + "x = 1\n" * (MANY // 6) + "'",
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_a_line_that_cannot_be_read_whole_is_not_parsed_at_all(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("it was parsed")

    monkeypatch.setattr(line, "parse", never)
    monkeypatch.setattr(line, "parse_piecewise", never)
    assert read(text).cut


def test_a_long_text_for_a_file_is_read_all_the_same() -> None:
    reading = read("cat > notes.md <<'E'\n" + "a line of text\n" * (MANY // 15) + "E\n")
    assert not reading.cut
    assert reading.runs[0].program == "cat"


@pytest.mark.parametrize(
    ("program", "call"),
    [
        ("ruby", "FileUtils.rm_rf(x{})\n"),
        ("perl", "unlink $x{}, $y;\n"),
        ("node", "fs.copyFileSync(a{}, b)\n"),
        ("php", "unlink($a{});\n"),
    ],
)
def test_a_program_with_thousands_of_calls_is_cut_after_some_of_them(program: str, call: str) -> None:
    text = "".join(call.format(number) for number in range(4_000))[:39_000]
    reading = read(f"{program} - <<'E'\n{text}\nE\n")
    assert reading.cut
    assert len(reading.runs) < 60
