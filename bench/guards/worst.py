"""Shows that judging a command line is linear: processor time of lines made to be slow, by their size.

    python -m bench.guards.worst [--seconds N] [--most N] [--seed N]

The lines are generated: short pieces of shell, calls and programs repeated; each program of a rule with many operands;
each rule's own words, repeated as operands and as calls. Linear work takes twice as long for twice the line; what is
too long to be read takes next to nothing. No line may take over 0.3 s.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator

from holdfast.commandline.effects import plans
from holdfast.commandline.model import Where
from holdfast.commandline.reading.line import read
from holdfast.judging import git_calls, paths, rules
from holdfast.judging.packs import built_in
from holdfast.patterns import compile_waiting

SIZES = (400, 8_000, 16_000, 32_000, 1_000_000)
WHERE = Where("/home/u/p", "/home/u/p", "/home/u")
Seed = tuple[str, str, str]
"""What stands before, what is repeated, what stands behind."""
PIECES = (
    *"\\'\"`$(){}[]<>|&;~*?!=%,./ \n\0é",
    *(
        "$(",
        "${",
        "$((",
        "<(",
        "<<",
        "((",
        "[[",
        "&&",
        "||",
        ";;",
        "'\"",
        "\\\n",
        "$'",
        "=(",
        "! ",
        "if ",
        "for x in ",
        "{ ",
    ),
    *(
        "a() { ",
        "{a,",
        "${a:-",
        "@(",
        "*(a|",
        "a;",
        "a|",
        "x=`",
        '"$(',
        "sudo ",
        "eval ",
        "bash -c ",
        "xargs ",
        ">a ",
        "| sh ",
    ),
    *("!(", "((a) ", ")$", "|!", ")<", "A=$A; ", "f() { f; }; f; ", "rm -rf a; ", "rm $(ls); ", "git checkout -- f; "),
    *(
        "git stash drop; ",
        "git push -f; ",
        "git branch -D a; ",
        "cd a; ",
        "mv a b; ",
        "ln -s a b; ",
        "mkdir a; rm -r a; ",
    ),
    *(
        "bash -c 'rm a'; ",
        "eval 'rm a'; ",
        "alias a='rm b'; ",
        "trap 'rm a' EXIT; ",
        "docker exec a rm b; ",
        "ssh h 'rm a'; ",
    ),
    *("python3 -c 'import os; os.remove(\"a\")'; ", "node -e 'fs.unlinkSync(\"a\")'; ", "psql -c 'drop table a'; "),
    *(
        "while read a; do rm $a; done; ",
        "find . | xargs rm; ",
        "createdb a && dropdb a; ",
        "A=$(mktemp -d); rm -rf $A; ",
    ),
)
PROGRAMS = {
    "python3": ("import os\n", "os.remove('a')\n", "x=x+x\n", "(", "open('a','w')\n", "os.system('rm a')\n"),
    "node": ("fs.unlinkSync('a');", "\n", "`", "${", "/*", "child_process.execSync('rm a');"),
    "ruby": ("File.delete('a')\n", "`rm a`\n", "#{", "system 'rm a'\n"),
    "perl": ("unlink 'a';", "`rm a`;", "q{", "rename a,b;", "\n"),
    "php": ("unlink('a');", "exec('rm a');", "/*"),
    "bash": ("rm a\n", "a\n", "(", "A=b\n"),
    "psql": ("drop table a;\n", "--", "/*", "(", "begin;\n"),
    "cat > f": ("a\n", "<<E\n"),
}
OPERANDS = ("a ", "-a ", "--a=b ", "-- ", "$A ", "a,", "a/", "- ", "@")


def seeds() -> Iterator[Seed]:
    for piece in PIECES:
        yield "", piece, ""
    for program, pieces in PROGRAMS.items():
        for piece in pieces:
            yield f"{program} <<'E'\n", piece, "\nE\n"
            yield f"{program} <<E\n", piece, "\nE\n"
    for rule in built_in().rules:
        for program in rule.programs:
            yield from ((f"{program} ", operand, "") for operand in OPERANDS)
            for way in rule.words:
                words = " ".join(choice[0].replace("*", "a") for choice in way)
                yield f"{program} ", f"{words} ", ""
                yield f"{program} {words} ", "a ", ""
                yield "", f"{program} {words} a; ", ""
            yield from ((f"{program} ", f"{option} ", "") for option in (*rule.any, *rule.all, *rule.none))


def line_of(seed: Seed, size: int) -> str:
    before, piece, behind = seed
    return before + piece * max(1, (size - len(before) - len(behind)) // len(piece)) + behind


def took(line: str) -> float:
    """Processor milliseconds for all that is decided without facts."""
    began = time.thread_time()
    git_calls.may_use_alias(line)
    reading = read(line)
    rules.findings(reading, built_in(), WHERE)
    paths.of_line(reading.runs, WHERE, ("/home/u/.holdfast",))
    plans.of_reading(reading, WHERE)
    return (time.thread_time() - began) * 1e3


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.guards.worst", description=__doc__)
    parser.add_argument("--seconds", type=float, default=120.0, help="How long lines are tried, in random order.")
    parser.add_argument("--most", type=int, default=12, help="How many of the slowest are shown for each size.")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    compile_waiting()
    took("rm -rf a; git status")
    chosen = list(dict.fromkeys(seeds()))
    random.Random(options.seed).shuffle(chosen)
    until = time.monotonic() + options.seconds
    found: dict[int, list[tuple[float, Seed]]] = {size: [] for size in SIZES}
    tried = 0
    for seed in chosen:
        if time.monotonic() > until:
            break
        tried += 1
        for size in SIZES:
            found[size].append((took(line_of(seed, size)), seed))
    print(f"{tried} of {len(chosen)} lines at each size; the slowest, in milliseconds of a processor:")
    for size, rows in found.items():
        rows.sort(reverse=True)
        print(f"{size:9,} letters: most {rows[0][0]:.1f}, median {rows[len(rows) // 2][0]:.1f}")
        for value, (before, piece, _) in rows[: options.most]:
            print(f"    {value:8.1f}  {before[:30]!r} {piece[:40]!r}")


if __name__ == "__main__":
    main()
