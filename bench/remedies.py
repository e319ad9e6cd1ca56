"""Remedies: is a failure that was repaired once known when it shows up again, and is another one left alone?

    python -m bench.remedies [--bugs 40] [--seed word]

Bugs are seeded into public packages by changing one place of their source; real pytest runs on the copy. Every second
bug is "repaired": what its failure is known by is kept. Then it shows up again: elsewhere on the disk with lines moved,
and among other tests. A repeated failure should find its own remedy; a bug that nobody repaired should find none.
Another seed makes other bugs: take one that the rules have not seen.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import importlib.util
import os
import random
import resource
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from bench.figures import Report, Row, Sample, main

from holdfast.rooms.learning.remedies.signature import keys_of, signature_of
from holdfast.shell import main_run, parse, read_outcome

_LEAST_RIGHT, _MOST_WRONG = 0.8, 0.03
_LONGEST_RUN = 10
"""Seconds of processor time of one run."""
_EVERYWHERE = 3
"""The least weight of a key that holds in every project."""
CALLS: dict[str, tuple[str, ...]] = {
    "packaging.version": (
        "str(Version('1.0.post1'))", "Version('1.0') < Version('1.1')", "Version('1.0a1').is_prerelease",
        "Version('2!1.0').epoch", "parse('1.0.dev3').dev", "Version('1.0+ubuntu.1').local",
        "Version('1.0.0') == Version('1.0')", "sorted(map(Version, ['1.10', '1.9', '1.0rc1']))",
        "Version('1.2.3').base_version", "hash(Version('1.0')) == hash(Version('1.0.0'))",
    ),
    "packaging.specifiers": (
        "'1.5' in SpecifierSet('>=1.0,<2')", "str(SpecifierSet('~=1.4'))", "Specifier('==1.*').contains('1.3')",
        "list(SpecifierSet('>=1').filter(['0.9', '1.0', '2.0']))", "Specifier('!=1.0').contains('1.0')",
        "Specifier('~=2.2').contains('2.9')", "len(SpecifierSet('>=1,<3,!=2'))",
    ),
    "packaging.utils": (
        "canonicalize_name('Foo.Bar_baz')", "parse_wheel_filename('foo-1.0-py3-none-any.whl')[:2]",
        "canonicalize_version('1.0.0')", "is_normalized_name('a-b')", "parse_sdist_filename('foo-1.0.tar.gz')",
    ),
    "packaging.requirements": (
        "str(Requirement('a[b]>=1; os_name==\"posix\"'))", "Requirement('x @ https://example.org/x.zip').url",
        "sorted(Requirement('a[b,c]').extras)", "Requirement('a>=1').specifier.contains('2')",
    ),
    "packaging.markers": (
        "Marker('python_version>=\"3\"').evaluate()", "str(Marker('os_name==\"nt\" and extra==\"x\"'))",
        "Marker('extra==\"x\"').evaluate({'extra': 'x'})",
    ),
    "click.formatting": (
        "wrap_text('one two three four ' * 5, 30)", "wrap_text('a\\n\\nb', 20, preserve_paragraphs=True)",
        "list(iter_rows([('a', 'b')], 3))", "measure_table([('a', 'bcd'), ('ef', 'g')])",
        "join_options(['-a', '--all'])",
    ),
    "click.types": (
        "INT.convert('5', None, None)", "Choice(['a', 'b']).convert('a', None, None)",
        "STRING.convert(b'x', None, None)",
        "IntRange(1, 5).convert('3', None, None)", "BOOL.convert('yes', None, None)", "repr(Choice(['a']))",
        "FLOAT.convert('1.5', None, None)", "Tuple([int, str]).convert(('1', 'b'), None, None)",
    ),
    "iniconfig": (
        "IniConfig('x.ini', data='[a]\\nb=1\\n')['a']['b']", "'a' in IniConfig('x.ini', data='[a]\\nb=1\\n')",
        "[s.name for s in IniConfig('x.ini', data='[a]\\nb=1\\n[c]\\nd=2\\n')]",
        "IniConfig('x.ini', data='[a]\\nb = 1\\n 2\\n')['a'].get('b')",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bug:
    module: str
    source: str
    """The changed source."""
    what: str


class _Change(ast.NodeTransformer):
    """Changes the place with this number, counted over all places that can be changed."""

    def __init__(self, wanted: int, mark: str = "") -> None:
        self.wanted = wanted
        self.mark = mark
        """Ends the wrong names: two bugs do not read the same by chance."""
        self.seen = 0
        self.what = ""

    def _is_it(self, what: str) -> bool:
        self.seen += 1
        if self.seen - 1 != self.wanted:
            return False
        self.what = what
        return True

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        swaps = {
            ast.Lt: ast.GtE,
            ast.Gt: ast.LtE,
            ast.Eq: ast.NotEq,
            ast.NotEq: ast.Eq,
            ast.In: ast.NotIn,
            ast.Is: ast.IsNot,
        }
        kind = type(node.ops[0])
        if kind in swaps and self._is_it("comparison"):
            node.ops[0] = swaps[kind]()
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load) and self._is_it(f"attribute {node.attr}"):
            node.attr += f"_{self.mark}"
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if isinstance(node.ctx, ast.Load) and not node.id[0].isupper() and self._is_it(f"name {node.id}"):
            node.id += f"_{self.mark}"
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, int) and not isinstance(node.value, bool) and self._is_it("number"):
            return ast.copy_location(ast.Constant(node.value + 1), node)
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        self.generic_visit(node)
        if node.value is not None and self._is_it("return"):
            node.value = ast.Constant(None)
        return node


def bugs(count: int, seed: str) -> Iterator[Bug]:
    """Changes of one place each, of functions only: one for a module after the other."""
    dice = random.Random(seed)
    modules = list(CALLS)
    for number in range(count):
        name = modules[number % len(modules)]
        spec = importlib.util.find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        source = Path(spec.origin).read_text("utf-8")
        counting = _Change(-1)
        counting.visit(ast.parse(source))
        change = _Change(dice.randrange(counting.seen), "".join(dice.choices("bcdfghklmnprst", k=5)))
        tree = change.visit(ast.parse(source))
        yield Bug(name, ast.unparse(ast.fix_missing_locations(tree)), change.what)


class Project:
    """A folder with a copy of a package and tests of what it does."""

    def __init__(self, root: Path, name: str) -> None:
        self.root = root / name
        self.root.mkdir(parents=True)

    def write(self, bug: Bug, moved: int, names: str) -> None:
        """The package with the bug, `moved` lines further down, and the tests under names of their own."""
        package = bug.module.split(".")[0]
        spec = importlib.util.find_spec(package)
        assert spec is not None
        assert spec.origin is not None
        shutil.copytree(
            Path(spec.origin).parent, self.root / "vendored" / package, ignore=shutil.ignore_patterns("__pycache__")
        )
        (self.root / "vendored" / "__init__.py").touch()
        inside = bug.module.split(".")[1:] or ["__init__"]
        target = self.root / "vendored" / package / f"{inside[-1]}.py"
        target.write_text(
            "# moved\n" * moved + bug.source if not bug.source.startswith("from __future__") else bug.source
        )
        lines = [f"from vendored.{bug.module} import *", f"import vendored.{bug.module} as m", ""]
        lines += ["globals().update({name: value for name, value in vars(m).items() if not name.startswith('__')})", ""]
        for number, call in enumerate(CALLS[bug.module]):
            lines += [f"def test_{names}_{number}():", f"    assert repr({call}) == {expected(bug.module, call)!r}", ""]
        (self.root / f"test_{names}.py").write_text("\n".join(lines))

    def run(self) -> tuple[str, bool]:
        """What pytest prints, and whether it failed. In a child of this process, where pytest is loaded already. A bug
        that never ends is no failure that could show up again: it is left out."""
        printed = self.root / "printed"
        child = os.fork()
        if not child:
            status = 70
            try:
                resource.setrlimit(resource.RLIMIT_CPU, (_LONGEST_RUN, _LONGEST_RUN))
                out = os.open(printed, os.O_WRONLY | os.O_CREAT)
                os.dup2(out, 1)
                os.dup2(out, 2)
                os.chdir(self.root)
                sys.path.insert(0, str(self.root))
                words = ["-q", "-p", "no:cacheprovider", "-x", "--rootdir", str(self.root), "-c", os.devnull]
                status = int(pytest.main(words))
                sys.stdout.flush()
            finally:
                os._exit(status)
        _, status = os.waitpid(child, 0)
        return printed.read_text("utf-8", "replace"), os.waitstatus_to_exitcode(status) > 0


_EXPECTED: dict[tuple[str, str], str] = {}


def expected(module: str, call: str) -> str:
    """What a call gives in the package as it is."""
    if (module, call) not in _EXPECTED:
        names = dict(vars(importlib.import_module(module)))
        _EXPECTED[module, call] = repr(eval(call, names))
    return _EXPECTED[module, call]


def keys_in(output: str, project: str) -> list[str]:
    """What the failure is known by, the surest first. Keys that are not sure enough hold in one project."""
    run = main_run(parse("pytest -q"))
    assert run is not None
    outcome = read_outcome(run, f"Exit code 1\n{output}", failed=True, exit_code=1)
    found = keys_of(signature_of(run.tool, output[-10_000:], outcome.first_failures))
    return [key.text if key.weight >= _EVERYWHERE else f"{project} {key.text}" for key in found]


@dataclass(frozen=True, slots=True)
class Failure:
    bug: int
    again: str
    """'': the first time. `same`: the same test elsewhere on the disk. `other`: other tests."""
    keys: list[str]
    what: str
    shown: str = ""


def failures(count: int, seed: str) -> Iterator[Failure]:
    """The failures of bugs that fail at all: the first time, and both ways again."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    kept = 0
    with tempfile.TemporaryDirectory(prefix="bugs") as folder:
        for number, bug in enumerate(bugs(count * 4, seed)):
            if kept == count:
                return
            ways = (("", 0, "cart"), ("same", 7, "cart"), ("other", 3, "basket"))
            found: list[Failure] = []
            for again, moved, names in ways:
                project = Project(Path(folder), f"p{number}{again}")
                project.write(bug, moved, names)
                output, failed = project.run()
                shutil.rmtree(project.root)
                if not failed:
                    break
                found.append(
                    Failure(
                        number,
                        again,
                        keys_in(output, f"{bug.module.split('.')[0]} {names}"),
                        f"{bug.module}, {bug.what}",
                        output[-400:],
                    )
                )
            if len(found) == len(ways):
                kept += 1
                yield from found


def measure(chosen: argparse.Namespace) -> Report:
    count = 6 if chosen.quick else int(chosen.bugs)
    made = list(failures(count, chosen.seed))
    numbers = list(dict.fromkeys(each.bug for each in made))
    repaired = set(numbers[::2])
    remedies: dict[str, set[int]] = defaultdict(set)
    for each in made:
        if each.bug in repaired and not each.again:
            for key in each.keys:
                remedies[key].add(each.bug)
    counted = Counter[str]()
    for each in made:
        if each.bug in repaired and not each.again:
            continue
        found = next((remedies[key] for key in each.keys if remedies.get(key)), set())
        kind = (each.again or "first") if each.bug in repaired else "unrepaired"
        counted[kind] += 1
        # Of several remedies the newest is told.
        counted[f"{kind} right"] += bool(found) and max(found) == each.bug
        counted[f"{kind} wrong"] += bool(found) and max(found) != each.bug
        if chosen.wrong and (bool(found) != (kind != "unrepaired") or (found and max(found) != each.bug)):
            print(f"  {kind}: {each.what}: {sorted(found)}, not {each.bug}\n{each.shown}")

    def share(kind: str, of: str) -> Sample:
        return Sample.one(counted[f"{kind} {of}"] / counted[kind] if counted[kind] else 0.0)

    rows = [
        Row("again, the same test: its own remedy", "share", share("same", "right"), None, _LEAST_RIGHT, at_least=True),
        Row("again, the same test: another's", "share", share("same", "wrong"), None, _MOST_WRONG),
        Row("again, in other tests: its own remedy", "share", share("other", "right")),
        Row("again, in other tests: another's", "share", share("other", "wrong"), None, _MOST_WRONG),
        Row("never repaired: some remedy", "share", share("unrepaired", "wrong"), None, _MOST_WRONG),
    ]
    notes = [
        f"{len(numbers)} bugs in {len(CALLS)} modules of public packages, {len(repaired)} of them repaired; "
        f"{counted['same']} + {counted['other']} repeated failures, {counted['unrepaired']} others; "
        f"seed {chosen.seed!r}."
    ]
    return Report("Remedies", "LRN-17", "none", rows, notes)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", default="first", help="any word: other bugs")
    parser.add_argument("--wrong", action="store_true", help="list what was not told right")


if __name__ == "__main__":
    main(measure, __doc__ or "", "python -m bench.remedies --seed rye", arguments, bugs=(40, "bugs that fail"))
