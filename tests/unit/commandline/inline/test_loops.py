"""Inline programs that go through a listing, a list or their own words: what they delete is known."""

from __future__ import annotations

import pytest

from holdfast.commandline.reading.line import read
from tests.support.table import each_of


def removed(command: str) -> list[tuple[str, tuple[str, ...]]]:
    """What the programs of a line remove, each with the words of `find` that list it."""
    return [
        (arg.text, arg.found_by)
        for run in read(command).runs
        if run.program == "rm"
        for arg in run.args
        if not arg.text.startswith("-")
    ]


FILES = ("-mindepth", "1", "-type", "f")


@pytest.mark.requirement("WRK-14")
@each_of(
    ("command", "told"),
    [
        (
            "python3 -c \"import os\nfor f in os.listdir('a'): os.remove('a/' + f)\"",
            [("a/<found>", ("a", *FILES, "-true"))],
        ),
        (
            "python3 -c \"from pathlib import Path\n[p.unlink() for p in Path('a').rglob('*.rb')]\"",
            [("a/<found>", ("a", *FILES, "-name", "*.rb"))],
        ),
        (
            "python3 -c \"import os\nfor r, d, fs in os.walk('a'):\n for f in fs:"
            "\n  f.endswith('.md') and os.remove(r + '/' + f)\"",
            [("a/<found>", ("a", *FILES, "-name", "*.md"))],
        ),
        (
            "python3 -c \"import os\ndef gone(p): os.remove(p)\ngone('x.md')\ngone('y.md')\"",
            [("x.md", ()), ("y.md", ())],
        ),
        ('python3 -c "import os, sys\nos.remove(sys.argv[1])" x.md', [("x.md", ())]),
        ('python3 -c "import os, sys\nfor f in sys.argv[1:]: os.remove(f)" x.md y.md', [("x.md", ()), ("y.md", ())]),
        ("python3 -c \"import os\nfor f in ['x', 'y']: os.remove(f)\"", [("x", ()), ("y", ())]),
        (
            "node -e \"fs.readdirSync('a').filter(f => f.endsWith('.md')).forEach(f => fs.unlinkSync(f))\"",
            [("a/<found>", ("a", *FILES, "-name", "*.md"))],
        ),
        ("node -e \"for (const f of ['x', 'y']) fs.rmSync(f)\"", [("x", ()), ("y", ())]),
        ("node -e \"const gone = p => fs.rmSync(p); gone('x')\"", [("x", ())]),
        ("node -e 'fs.unlinkSync(process.argv[1])' x.md", [("x.md", ())]),
        ("ruby -e 'Dir.glob(\"a/*.md\").each { |f| File.delete(f) }'", [("a/*.md", ())]),
        ("ruby -e '%w[x y].each { |f| File.delete(f) }'", [("x", ()), ("y", ())]),
        ('php -r \'array_map("unlink", glob("a/*.md"));\'', [("a/*.md", ())]),
    ],
)
def test_what_a_loop_goes_through_is_what_it_removes(command: str, told: list[tuple[str, tuple[str, ...]]]) -> None:
    assert removed(command) == told


@pytest.mark.requirement("WRK-14")
@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("python3 -c \"import shutil; shutil.copy('a', 'b')\"", "cp a b"),
        ("python3 -c \"from pathlib import Path; Path('a').rename('b')\"", "mv a b"),
        ("node -e \"fs.renameSync('a', 'b')\"", "mv a b"),
        ('ruby -e \'File.rename("a", "b")\'', "mv a b"),
        ('php -r \'copy("a", "b");\'', "cp a b"),
        ('perl -e \'rename("a", "b")\'', "mv a b"),
    ],
)
def test_a_copy_or_a_move_onto_a_file_is_one(command: str, line: str) -> None:
    assert line in [" ".join((run.program, *run.texts)) for run in read(command).runs]


@pytest.mark.requirement("WRK-14")
def test_texts_and_methods_of_the_same_name_move_and_remove_nothing() -> None:
    for command in (
        "python3 -c \"print('a'.replace('a', 'b'))\"",
        'python3 -c "d = {}; d.copy(); l = [1]; l.remove(1)"',
        'node -e "new Map().delete(1); [1].filter(x => x)"',
        "ruby -e 'h = {}; h.delete(:a); [1].each { |x| p x }'",
    ):
        assert [run.program for run in read(command).runs if run.program in ("rm", "mv", "cp")] == []


@pytest.mark.requirement("WRK-14")
@each_of(
    ("program", "removes"),
    [
        ('unlink glob("src/*.c src/*.h")', ["src/*.c", "src/*.h"]),
        ('unlink glob "lib/*.pm t/*.t"', ["lib/*.pm", "t/*.t"]),
        ('unlink $_ for glob("src/*.c src/*.h")', ["src/*.c", "src/*.h"]),
        ('unlink glob("src/*.c")', ["src/*.c"]),
    ],
)
def test_blanks_part_the_patterns_of_perl(program: str, removes: list[str]) -> None:
    told = [text for text, _ in removed(f"perl -e '{program}'")]
    assert [text for text in told if "*" in text] == removes
