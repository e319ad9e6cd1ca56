"""What a line throws away after it saved it, or brings back itself: a patch, a stash, a submodule. Pure.

For lines that are judged without a folder. With one, the facts and the kept bytes decide.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from holdfast.commandline.model import Run
from holdfast.judging.matching import Rule
from holdfast.judging.things import words_of
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

_OF_TRACKED = frozenset({"git.reset-hard", "git.checkout-discard", "git.checkout-force", "git.restore", "git.plumbing"})
_NEAR = 60
"""So many runs around one are looked at. A line of more has no honest reason, and is judged without this."""
_VALUES = listed("-C -c --git-dir --work-tree -m --message -o --output")


def brings_back(
    rule: Rule, run: Run, number: int, runs: Sequence[Run], saves_at: Callable[[int], bool], facts: bool
) -> bool:
    """Has the line saved before what this rule is about, or does it bring it back afterwards?

    Where facts can be had (`facts`), those about files of the work tree decide. `saves_at` is `saves` of a run by its
    place, which is asked again and again."""
    by_facts = facts and (rule.act or rule.id == "git.submodule-deinit")
    return rule.scope == "built-in" and not by_facts and _brings_back(rule.id, run, number, runs, saves_at)


def _brings_back(rule: str, run: Run, number: int, runs: Sequence[Run], saves_at: Callable[[int], bool]) -> bool:
    first = max(0, number - _NEAR)
    near = runs[first:number]
    if rule in _OF_TRACKED:
        saved = any(saves_at(at) and runs[at].directory == run.directory for at in range(first, number))
        return saved or (rule in _OF_FILES and _takes_back(run, near))
    before = [each for each in near if each.program == "git" and each.directory == run.directory]
    if rule == "git.clean":
        return any(_words(each)[:1] == ["stash"] and _takes_unknown(each) for each in before)
    if rule == "git.submodule-deinit":
        after = (_words(each) for each in runs[number + 1 : number + 1 + _NEAR] if each.program == "git")
        return any(words[:2] in (["submodule", "update"], ["submodule", "init"]) for words in after)
    return False


def saves(run: Run) -> bool:
    """`git diff > x.patch`, `git stash`: are the changes of the work tree somewhere else now?"""
    if run.program != "git":
        return False
    words = _words(run)
    if words[:1] == ["stash"]:
        return words[1:2] in ([], ["push"], ["save"], ["create"])
    if words[:1] == ["commit"]:  # the reflog has it
        return any(re.match(r"-\w*a|--all\b", text) for text in run.texts)
    to_file = any(mode == "write" for mode, _ in run.writes) or any(
        text.startswith(("--output", "-o")) for text in run.texts
    )
    return words[:1] == ["diff"] and to_file and not _NOT_CONTENT & set(run.texts)


_OF_FILES = frozenset({"git.checkout-discard", "git.restore"})
_MANIFESTS = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun", "ncu", "npx", "pnpx", "bunx"), "package.json"),
    **dict.fromkeys(("poetry", "uv", "pdm", "hatch", "rye"), "pyproject.toml"),
    "cargo": "Cargo.toml", "go": "go.mod", "bundle": "Gemfile", "composer": "composer.json", "mix": "mix.exs",
    "dart": "pubspec.yaml", "flutter": "pubspec.yaml", "pod": "Podfile", "pipenv": "Pipfile",
}  # fmt: skip
_LOCKS = lazy_pattern(r"(?:.*[-.]lock(?:b|\.json|\.yaml)?|npm-shrinkwrap\.json|go\.sum|bun\.lockb?)\Z")
_CHANGE = listed(
    "install i add remove rm uninstall update up upgrade version bump pkg set set-version get mod require edit link "
    "lock"
)


def _takes_back(run: Run, before: Sequence[Run]) -> bool:
    """`npm install x && npm test || git checkout -- package.json`: did the line itself change all that it names?"""
    files = [word for word in _words(run)[1:] if word not in ("--", "HEAD")]
    changed: set[str] = set()
    manifests: set[str] = set()
    for each in before[-30:]:
        if each.program in _MANIFESTS and (_CHANGE & set(each.texts[:3]) or each.program == "ncu"):
            manifests.add(_MANIFESTS[each.program])
        elif each.program in ("sed", "perl", "gsed") and any(
            re.match(r"-\w*i|--in-place", text) for text in each.texts
        ):
            changed |= set(each.texts)
        changed |= {arg.text for _, arg in each.writes}
    return bool(files) and all(
        file in changed or file.rsplit("/", 1)[-1] in manifests or (manifests and _LOCKS.match(file)) for file in files
    )


_NOT_CONTENT = listed("--stat --name-only --name-status --shortstat --numstat --summary --check --cached --staged")


def _takes_unknown(run: Run) -> bool:
    return any(text in ("-u", "--include-untracked", "-a", "--all") for text in run.texts)


def _words(run: Run) -> list[str]:
    return words_of(run, _VALUES)


_MOST_BETWEEN = 30


def moved_and_back(runs: Sequence[Run]) -> set[int]:
    """The places of moves that the line takes back: `mv .git/hooks off && git commit -m x && mv off .git/hooks`."""
    seen: dict[tuple[str | None, str, str], int] = {}
    back: set[int] = set()
    for number, run in enumerate(runs):
        if run.program != "mv" or len(run.args) < 2:
            continue
        source, target = run.args[-2].text.rstrip("/"), run.args[-1].text.rstrip("/")
        first = seen.get((run.directory, target, source), number - _MOST_BETWEEN - 1)
        if number - first <= _MOST_BETWEEN and not any(_may_touch(each, source) for each in runs[first + 1 : number]):
            back |= {first, number}
        seen[(run.directory, source, target)] = number
    return back


def _may_touch(run: Run, path: str) -> bool:
    """May a run change what lies at this path, or below? It names it, or something that is not known."""
    name = path.rsplit("/", 1)[-1]
    named = (*run.args, *(arg for _, arg in run.writes))
    return (
        not run.program
        or name in (run.stdin or "")
        or any(name in arg.text or not arg.known or (not arg.quoted and set(arg.text) & set("*?[")) for arg in named)
    )
