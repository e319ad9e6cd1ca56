"""A function that hands its arguments on to a process is read where it is called; one that prints them is not."""

from __future__ import annotations

from holdfast.commandline.inline.calls import Calls, by_calls
from tests.support.table import each_of


@each_of(
    "kind, text, said",
    [
        ("node", "const git = (...a) => execFileSync('git', a); git('reset', '--hard')", "git reset --hard"),
        ("node", "function sh(c) { return cp.execSync(c) } sh('git clean -fdx')", "git clean -fdx"),
        ("node", "const git = c => execSync(`git ${c}`); git('clean -f')", "git clean -f"),
        ("node", "const log = c => console.log(c); const sh = c => execSync(c); log('rm x')", ""),
        ("ruby", "def sh(*a) = system(*a); sh 'git', 'gc'", "git gc"),
        ("perl", "sub sh { system(@_) } sh('git', 'gc')", "git gc"),
        ("php", "function sh($c) { passthru($c); } sh('git gc');", "git gc"),
        ("php", "function sh($c) { echo $c; } sh('git gc');", ""),
    ],
)
def test_a_call_of_such_a_function_is_the_process(kind: str, text: str, said: str) -> None:
    found = Calls()
    by_calls(kind, text, found)
    assert (said in [each.text for each in found.shell]) is bool(said)
    assert bool(said) or not [each for each in found.shell if "gc" in each.text or "rm" in each.text]
