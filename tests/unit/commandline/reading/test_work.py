"""Reading a line costs what its length allows, however it is written. Counted in calls of functions, not in time."""

from __future__ import annotations

from collections.abc import Callable
from cProfile import Profile
from functools import partial
from typing import Any

import pytest

from holdfast.commandline.model import Where
from holdfast.commandline.reading.line import read
from holdfast.commandline.reading.work import ReadingBudget
from holdfast.judging.packs import built_in
from holdfast.judging.rules import findings
from tests.support.table import each_of

WORDS = "x " * 9_000
HOSTILE = {
    "a text of 18,000 letters is read again and again": f"B='{WORDS}'; " + 'eval "$B"; ' * 500,
    "a variable becomes 9,000 words again and again": f"B='{WORDS}'; " + "git push $B; " * 500,
    "every call is given 18,000 letters": f"B='{WORDS}'; " + 'aws s3 rm "$B"; ' * 500,
    "functions call functions": "f(){ g;g;g;g;g;g; };g(){ h;h;h;h;h;h; };h(){ i;i;i;i;i;i; };i(){ rm -rf $x; };f",
    "a value doubles itself": "a=xxxxxxxxxx; " + "a=$a$a; " * 30 + "rm -rf $a; " * 50,
    "3,000 files are removed": "echo " + " ".join(map(str, range(3_000))) + " | xargs rm -rf",
    "a program has 20,000 calls": "python3 <<E\nimport shutil\n" + "shutil.rmtree('x')\n" * 20_000 + "E\n",
    "2,000 commands": "; ".join(f"rm -rf d{number}/x" for number in range(2_000)),
}
MOST = 700_000
"""Calls: some 100 ms of a processor. Without a bound the first of these makes 300 million."""


@pytest.mark.requirement("WRK-15", "SEC-7")
def test_a_hostile_line_is_cut_before_it_costs_too_much_and_is_asked_about() -> None:
    for name, line in HOSTILE.items():
        found: list[str] = []
        calls = counted(lambda line=line, found=found: found.extend(rules_of(line)))  # type: ignore[misc]
        assert "guards.too-long" in found, name
        assert calls < MOST + 3 * len(line), name


NESTED = {
    "shells in shells": "bash -c $(" * 35 + "rm a" + ")" * 35,
    "evals in evals": "eval $(" * 49 + "rm a" + ")" * 49,
    "evals in quotes": 'eval "eval $(' * 30,
    "echoes in quotes": '"$(echo ' * 48,
    "files in files": "source <(" * 40,
    "groups in groups": "{ " * 195 + "rm a }",
    "functions that print twice": "".join(f"f{n + 1}() {{ echo $(f{n}) $(f{n}); }}; " for n in range(12)) + "f12",
    "a value that is doubled inside of itself": 'alias a=b;echo "$(a=$a$a; ' * 12 + "alias a=b;echo" + ')"' * 12,
}
MOST_AT_ONCE = 600
"""Words: a call is read on the event loop up to these."""


@pytest.mark.requirement("SEC-7", "WRK-15")
def test_what_stands_in_itself_costs_little_on_the_event_loop_and_is_bounded_beside_it() -> None:
    dear = {}
    for name, line in NESTED.items():
        assert len(line) <= 400, name
        rules_of(line)  # what is only made once
        at_once = ReadingBudget.for_line(line, MOST_AT_ONCE)
        dear[name] = (counted(partial(read, line, work=at_once)), counted(partial(rules_of, line)))
    assert {name: calls for name, calls in dear.items() if calls[0] > 120_000 or calls[1] > 400_000} == {}


AWKWARD = [
    *"\\'\"`$(){}[]<>|&;~*?!=+-%^,.:@/ \t\n\r\0a0é\u200b\ue000\ud800",
    *(
        "$(",
        "${",
        "$((",
        "<(",
        "<<",
        "<<<",
        "((",
        "[[",
        "&&",
        "||",
        ";;",
        "'\"",
        "\\\n",
        "\\'",
        "$'",
        "=(",
        "! ",
        "if ",
    ),
    *(
        "for x in ",
        "{ ",
        "a() { ",
        "{a,",
        "${a:-",
        "@(",
        "*(a|",
        "a;",
        "a|",
        "x=`",
        '"$(',
        "a\\ ",
        "${IFS",
        "sudo ",
        "eval ",
    ),
    *(
        "bash -c ",
        "xargs ",
        "rm ",
        "==\n",
        "[ ",
        ">a ",
        "| sh ",
        "!(",
        "((a) ",
        ")$",
        "|!",
        ")<",
        "`>then ",
        "[[=(a(($",
    ),
]


@pytest.mark.requirement("WRK-15", "SEC-7")
@each_of("sign", AWKWARD, ids=ascii)
def test_no_sign_makes_a_line_cost_more_than_its_length_allows(sign: str) -> None:
    found: list[str] = []
    line = sign * (1_600 // len(sign)) + "; rm -rf ~"
    assert counted(lambda: found.extend(rules_of(line))) < MOST
    assert found


@pytest.mark.requirement("WRK-15", "SEC-7")
@pytest.mark.parametrize("sign", ["\\", "'", ")", "$(", "<", "<<", "@(", "\0", "é", "a;", "'a' "], ids=ascii)
def test_a_line_of_a_quarter_of_a_megabyte_is_asked_about(sign: str) -> None:
    assert rules_of(sign * (250_000 // len(sign)) + "; rm -rf ~")


GROWING = [
    ("kubectl delete ", "a "),
    ("istioctl uninstall ", "a "),
    ("rados rm ", "a "),
    ("docker rm ", "a "),
    ("rm -rf ", "a "),
    ("chmod -R 777 ", "a "),
    ("", "git checkout -- f; "),
    ("", "git stash drop; "),
    ("", "git cherry-pick --abort; "),
    ("", "git -C /tmp/a push -f origin b; "),
    ("", "git submodule deinit -f a; "),
    ("", "kubectl delete pod a; "),
    ("", "mkdir a; rm -r a; "),
    ("", "createdb a && dropdb a; "),
    ("", "A=$A; "),
    ("", "ln -s a b; rm -r b; "),
    ("node <<'E'\n", "fs.unlinkSync('a');\n"),
    ("python3 <<'E'\n", "os.remove('a')\n"),
    ("bash <<'E'\n", "rm a\n"),
]


@pytest.mark.requirement("SEC-7")
@pytest.mark.parametrize(("before", "part"), GROWING)
def test_twice_the_line_costs_about_twice_the_work(before: str, part: str) -> None:
    def work(size: int) -> int:
        line = before + part * (size // len(part)) + ("\nE\n" if "<<" in before else "")
        return counted(lambda: rules_of(line))

    work(200)  # what is only made once
    assert work(4_000) < 3 * work(2_000)


@pytest.mark.requirement("WRK-15")
def test_an_honest_script_is_read_whole() -> None:
    script = "set -e\n" + "".join(f"mkdir -p out/{n}\ncp src/{n}.txt out/{n}/\necho done {n}\n" for n in range(120))
    assert rules_of(f"bash <<'EOF'\n{script}EOF\n") == []
    assert rules_of(f"bash <<'EOF'\n{script}rm -rf ~\nEOF\n") == ["files.delete"]


def rules_of(line: str) -> list[str]:
    return [each.rule for each in findings(read(line), built_in(), Where(home="/home/u"))]


def counted(work: Callable[[], Any]) -> int:
    """How many calls of functions the work makes."""
    profile = Profile()  # it counts in C: a function of ours for each call would take longer than the work
    profile.enable()
    try:
        work()
    finally:
        profile.disable()
    return sum(each.callcount for each in profile.getstats())
