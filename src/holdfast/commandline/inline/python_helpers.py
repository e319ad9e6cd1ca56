"""Functions of a Python program that hand their arguments on to a process: `def sh(*a): subprocess.run(a)`. Pure.

For each call of such a function the call inside of it is made anew, with the arguments in the place of the parameters.
What is copied is counted: a program whose functions call each other often is followed up to a limit.
"""

from __future__ import annotations

import ast
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

Bound = dict[str, ast.expr]
"""What stands in the place of each parameter. That of `*a` is a tuple."""

_DEEPEST = 4
_MOST_CALLS = 200
_MOST_COPIED = 20_000
"""Expressions that are copied."""
_MOST_WALKED = 200_000
_MOST_CHOICES = 16
_MOST_ITEMS = 200
_LISTS = frozenset({"list", "tuple", "iter"})


@dataclass(slots=True)
class _Function:
    names: list[str]
    rest: str
    """The name behind the star."""
    defaults: Bound
    calls: list[ast.Call]
    """The calls in its body that start a process, or that may be of another such function."""
    is_method: bool = False
    loops: Bound = field(default_factory=dict)
    """The variables of its loops, with what each goes through."""


@dataclass(slots=True)
class Helpers:
    """The functions of one program, and what is left of the work that following them may cost."""

    starts: Callable[[ast.expr], bool]
    """Is it a function of the standard library that starts a process?"""
    functions: dict[str, _Function] = field(default_factory=dict)
    choices: dict[str, Sequence[ast.expr]] = field(default_factory=dict)
    """What the variables of its loops go through."""
    left: int = _MOST_COPIED
    walked: int = 0

    def made(self, nodes: Sequence[ast.AST], lists: Mapping[str, ast.expr]) -> Iterator[ast.Call]:
        """The calls of processes that calls of the program's own functions come to."""
        if not any(isinstance(node, ast.Call) and self.starts(node.func) for node in nodes):
            return
        self._learn(nodes)
        if not self.functions:
            return
        for node in nodes:
            if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension) and isinstance(node.target, ast.Name):
                over = lists.get(node.iter.id, node.iter) if isinstance(node.iter, ast.Name) else node.iter
                if isinstance(over, ast.List | ast.Tuple | ast.Set):
                    self.choices[node.target.id] = over.elts[:_MOST_CHOICES]
        made = 0
        for call in (node for node in nodes if isinstance(node, ast.Call)):
            for each in self._followed(call, ()):
                made += 1
                if made > _MOST_CALLS:
                    return
                yield each

    def _learn(self, nodes: Sequence[ast.AST]) -> None:
        for node in nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                self._function(node.name, node.args, node)
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        self._function(target.id, node.value.args, node.value)
        # One that starts nothing, neither by itself nor by another one, is no helper.
        for _ in range(_DEEPEST):
            idle = [name for name, each in self.functions.items() if not any(map(self._leads_on, each.calls))]
            for name in idle:
                del self.functions[name]

    def _leads_on(self, call: ast.Call) -> bool:
        return self.starts(call.func) or self._name(call) in self.functions

    def _function(self, name: str, given: ast.arguments, node: ast.AST) -> None:
        names = [arg.arg for arg in (*given.posonlyargs, *given.args)]
        is_method = names[:1] in (["self"], ["cls"])
        names = names[1:] if is_method else names
        defaults: Bound = dict(zip(reversed(names), reversed(given.defaults), strict=False))
        defaults |= {
            arg.arg: value for arg, value in zip(given.kwonlyargs, given.kw_defaults, strict=True) if value is not None
        }
        names += [arg.arg for arg in given.kwonlyargs]
        rest = given.vararg.arg if given.vararg else ""
        if not names and not rest:
            return
        calls: list[ast.Call] = []
        loops: Bound = {}
        for each in ast.walk(node):
            self.walked += 1  # a function within a function is walked again
            if self.walked > _MOST_WALKED:
                break
            if isinstance(each, ast.Call):
                calls.append(each)
            elif isinstance(each, ast.For | ast.comprehension) and isinstance(each.target, ast.Name):
                loops[each.target.id] = each.iter
        self.functions[name] = _Function(names, rest, defaults, calls, is_method, loops)

    def _name(self, call: ast.Call) -> str:
        """The name of the program's own function that is called; '' when it is none."""
        match call.func:
            case ast.Name(id=name):
                found = self.functions.get(name)
                return name if found is not None and not found.is_method else ""
            case ast.Attribute(attr=name) if not self.starts(call.func):
                found = self.functions.get(name)
                return name if found is not None and found.is_method else ""
            case _:
                return ""

    def _followed(self, call: ast.Call, around: tuple[str, ...]) -> Iterator[ast.Call]:
        name = self._name(call)
        if not name or name in around or len(around) >= _DEEPEST:
            return
        function = self.functions[name]
        for bound in self._bound(function, call):
            for inner in function.calls:
                self.left -= 1
                if self.left <= 0:
                    return
                if not self._leads_on(inner):
                    continue
                made = ast.Call(
                    func=inner.func,
                    args=_items([self._put(each, bound) for each in inner.args]),
                    keywords=[ast.keyword(arg=each.arg, value=self._put(each.value, bound)) for each in inner.keywords],
                )
                if self.starts(inner.func):
                    yield made
                else:
                    yield from self._followed(made, (*around, name))

    def _bound(self, function: _Function, call: ast.Call) -> Iterator[Bound]:
        """Each way in which the parameters are given: a variable of a loop is one after the other."""
        looped = next((name for name in map(_variable, call.args) if name in self.choices), "")
        for choice in self.choices[looped] if looped else (None,):
            given = [_of_loop(each, looped, choice) if choice is not None else each for each in call.args]
            args = _items(given)
            bound = dict(function.defaults)
            bound |= dict(zip(function.names, args, strict=False))
            bound |= {each.arg: each.value for each in call.keywords if each.arg in function.names}
            if function.rest:
                bound[function.rest] = ast.Tuple(elts=args[len(function.names) :], ctx=ast.Load())
            yield from self._looped(function, bound)

    def _looped(self, function: _Function, bound: Bound) -> Iterator[Bound]:
        """The same, once for each item of a list that is given and that the function goes through."""
        for name, over in function.loops.items():
            given = bound.get(over.id) if isinstance(over, ast.Name) else None
            each = items(given) if given is not None else None
            if each:
                yield from ({**bound, name: item} for item in each[:_MOST_CHOICES])
                return
        yield bound

    def _put(self, node: ast.expr, bound: Bound) -> ast.expr:
        """A copy of an expression with what is given in the place of the parameters."""
        self.left -= 1
        if self.left <= 0:
            return node
        match node:
            case ast.Name(id=name):
                return bound.get(name, node)
            case ast.Starred(value=value):
                return ast.Starred(value=self._put(value, bound), ctx=ast.Load())
            case ast.List(elts=elts) | ast.Tuple(elts=elts):
                return ast.List(elts=_items([self._put(each, bound) for each in elts]), ctx=ast.Load())
            case ast.BinOp(left=left, op=op, right=right):
                both = ast.BinOp(left=self._put(left, bound), op=op, right=self._put(right, bound))
                words = items(both)
                return both if words is None else ast.List(elts=words, ctx=ast.Load())
            case ast.JoinedStr(values=values):
                return ast.JoinedStr(values=[self._put(each, bound) for each in values])
            case ast.FormattedValue(value=value):
                return ast.FormattedValue(value=self._put(value, bound), conversion=-1)
            case ast.Call(func=ast.Attribute(value=value, attr=attr) as func, args=args, keywords=keywords):
                of = ast.Attribute(value=self._put(value, bound), attr=func.attr, ctx=ast.Load())
                made = ast.Call(func=of, args=[self._put(each, bound) for each in args], keywords=keywords)
                words = items(made) if attr == "split" else None
                return made if words is None else ast.List(elts=words, ctx=ast.Load())
            case ast.Call(func=func, args=args, keywords=keywords):
                made = ast.Call(func=func, args=[self._put(each, bound) for each in args], keywords=keywords)
                words = items(made)
                return made if words is None else ast.List(elts=words, ctx=ast.Load())
            case _:
                return node


def items(node: ast.expr) -> list[ast.expr] | None:
    """The words of a list that is told: `["git"] + list(a)`, `"a b".split()`; None: it is none."""
    match node:
        case ast.List(elts=elts) | ast.Tuple(elts=elts):
            return _items(elts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            one, other = items(left), items(right)
            return None if one is None or other is None else [*one, *other]
        case ast.Call(func=ast.Name(id=name), args=[inner]) if name in _LISTS:
            return items(inner)
        case ast.Call(func=ast.Name(id="map"), args=[ast.Name(id="str"), inner]):
            return items(inner)
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str() as text), attr="split"), args=[]):
            return [ast.Constant(each) for each in text.split()]
        case ast.Call(func=ast.Attribute(attr="split"), args=[ast.Constant(value=str() as text)]):
            try:
                return [ast.Constant(each) for each in shlex.split(text)]
            except ValueError:
                return None
        case _:
            return None


def _items(given: Sequence[ast.expr]) -> list[ast.expr]:
    """Arguments or items, with what stands behind a star taken apart where it is told."""
    found: list[ast.expr] = []
    for each in given:
        words = items(each.value) if isinstance(each, ast.Starred) else None
        found += [each] if words is None else words
        if len(found) > _MOST_ITEMS:
            break  # `f(*a, *a)` doubles them
    return found[:_MOST_ITEMS]


def _variable(node: ast.expr) -> str:
    node = node.value if isinstance(node, ast.Starred) else node
    node = node.func.value if _is_split(node) else node  # type: ignore[attr-defined]
    return node.id if isinstance(node, ast.Name) else ""


def _is_split(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split"


def _of_loop(node: ast.expr, name: str, choice: ast.expr) -> ast.expr:
    if _variable(node) != name:
        return node
    inner = node.value if isinstance(node, ast.Starred) else node
    if _is_split(inner):
        choice = ast.Call(func=ast.Attribute(value=choice, attr="split", ctx=ast.Load()), args=[], keywords=[])
    return ast.Starred(value=choice, ctx=ast.Load()) if isinstance(node, ast.Starred) else choice
