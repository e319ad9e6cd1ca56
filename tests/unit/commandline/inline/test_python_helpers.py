"""A function of a Python program that hands its arguments on to a process is read where it is called."""

from __future__ import annotations

import ast

from holdfast.commandline.inline import python_helpers
from holdfast.commandline.inline.python import python_calls
from tests.support.table import each_of

HEAD = "import subprocess, shlex, asyncio\n"


@each_of(
    "text, said",
    [
        ("def sh(*a): subprocess.run(a)\nsh('git', 'gc')", "git gc"),
        ("def git(*a): subprocess.run(['git', *a])\ngit('gc')", "git gc"),
        ("def git(*a): subprocess.run(['git'] + list(a))\ngit('gc')", "git gc"),
        ("sh = lambda c: subprocess.run(c.split())\nsh('git gc')", "git gc"),
        ("def sh(c): subprocess.run(shlex.split(c))\nsh('git gc')", "git gc"),
        ("def sh(c): subprocess.run(f'set -e; {c}', shell=True)\nsh('git gc')", "set -e; git gc"),
        ("def run(a): subprocess.run(a)\ndef sh(*a): run(a)\nsh('git', 'gc')", "git gc"),
        ("class R:\n def git(self, *a): subprocess.run(['git', *a])\nR().git('gc')", "git gc"),
        ("async def sh(*a): await asyncio.create_subprocess_exec(*a)\nsh('git', 'gc')", "git gc"),
        ("def sh(*a): subprocess.run(a)\nfor c in [['ls'], ['git', 'gc']]:\n sh(*c)", "git gc"),
        ("def sh(c, **k): subprocess.run(c, **k)\nsh(c='git gc', shell=True)", "git gc"),
        ("def each(cs):\n for c in cs: subprocess.run(c, shell=True)\neach(['ls', 'git gc'])", "git gc"),
        ("def main():\n sh('git gc')\ndef sh(c): subprocess.run(c, shell=True)", "git gc"),
    ],
)
def test_a_call_of_such_a_function_is_the_process(text: str, said: str) -> None:
    assert (said, True) in python_calls(HEAD + text)[2]


def test_a_function_that_prints_its_arguments_starts_nothing() -> None:
    text = "def sh(*a): print(a)\ndef real(c): subprocess.run(c)\nsh('git', 'gc')"
    assert [said for said, known in python_calls(HEAD + text)[2] if known] == []


@each_of("given", ["*a, *a", "", "*a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a"])
def test_functions_that_call_each_other_often_cost_no_more_than_a_limit(given: str) -> None:
    helpers = python_helpers.Helpers(lambda node: isinstance(node, ast.Name) and node.id == "run")
    ring = "\n".join(f"def f{n}(*a): " + "; ".join(f"f{m}({given})" for m in range(40)) for n in range(40))
    tree = ast.parse(f"def f(*a): run(a)\n{ring}\ndef f9(*a): f({given}); f8({given})\nf0('x', 'y')\nf3('x')")
    made = list(helpers.made(list(ast.walk(tree)), {}))
    assert len(made) <= python_helpers._MOST_CALLS
    assert helpers.left > -python_helpers._MOST_ITEMS * 10
