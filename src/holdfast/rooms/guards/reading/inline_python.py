"""What a Python program deletes, overwrites and runs, by its syntax tree. Pure.

Names that are set to a text once are followed; `Path`, `/`, `os.path.join`, `expanduser` and f-strings are read as far
as their parts are texts.
"""

from __future__ import annotations

import ast
import re
import shlex

Found = tuple[str, bool, bool]
"""A target, whether it is known whole, whether it is recursive."""
Ran = tuple[str, bool]

_RECURSIVE = frozenset({"rmtree", "removedirs", "rmdirs"})
_SINGLE = frozenset({"remove", "unlink", "rmdir", "truncate"})
_SHELL = frozenset({"system", "popen", "getoutput", "getstatusoutput"})
_PROCESS = frozenset({"run", "call", "check_call", "check_output", "Popen"})
_EXEC = re.compile(r"(?:exec|spawn)[vl]p?e?\Z")
_LISTS = frozenset({"glob", "iglob", "rglob", "iterdir", "listdir", "walk", "scandir"})
_ALL_ROWS = re.compile(r"\.objects\.all\(\)\.delete\Z|\.query\.delete\Z|\.objects\.delete\Z")
_OF_FILES = frozenset({"os", "shutil", "path", "Path", "send2trash"})
_NO_PYTHON = re.compile(
    r"\b(?:(rmtree)|os\.(?:remove|unlink|rmdir)|(system|popen))\s*\(\s*(?:'([^'\n]*)'|\"([^\"\n]*)\")"
)


def python_calls(text: str) -> tuple[list[Found], list[Found], list[Ran]]:
    """(deletes, writes, shell texts) of a program; of one that cannot be parsed, what its words show."""
    try:
        tree = ast.parse(text.strip("\n") if not text.startswith((" ", "\t")) else f"if 1:\n{text}")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _by_words(text)
    reader = _Program()
    try:
        reader.read(tree)
    except RecursionError:
        return _by_words(text)
    return reader.deletes, reader.writes, reader.shell


def _by_words(text: str) -> tuple[list[Found], list[Found], list[Ran]]:
    deletes: list[Found] = []
    shell: list[Ran] = []
    for match in _NO_PYTHON.finditer(text):
        said = match[3] if match[3] is not None else match[4]
        if match[2]:
            shell.append((said, True))
        else:
            deletes.append((said, True, bool(match[1])))
    return deletes, [], shell


def _arguments_of(name: str, args: list[ast.expr]) -> list[ast.expr]:
    """The program and its arguments in a call of the `exec` and `spawn` families, without the name it is told."""
    given = args[1:] if name.startswith("spawn") else args
    if len(given) > 1 and isinstance(given[1], ast.List | ast.Tuple):
        return [given[0], *given[1].elts[1:]]
    return [*given[:1], *given[2:]]


def _shell_word(text: str) -> str:
    """A word for a shell that still fills in `~` and `$HOME` at its beginning."""
    found = re.match(r"(~|\$HOME|\$TMPDIR)(/.*)?\Z", text, re.DOTALL)
    return f"{found[1]}{shlex.quote(found[2]) if found[2] else ''}" if found else shlex.quote(text)


class _Program:
    def __init__(self) -> None:
        self.deletes: list[Found] = []
        self.writes: list[Found] = []
        self.shell: list[Ran] = []
        self._texts: dict[str, tuple[str, bool]] = {}
        self._functions: dict[str, str] = {}
        self._statements: list[str] = []
        self._databases: list[str] = []

    def read(self, tree: ast.AST) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                self._functions |= {alias.asname or alias.name: alias.name for alias in node.names}
            elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                self._texts[node.targets[0].id] = self._text(node.value)
            elif isinstance(node, ast.For | ast.comprehension) and isinstance(node.target, ast.Name):
                self._texts[node.target.id] = self._each(node.iter)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                self._call(node)
        if self._statements:
            database = max(self._databases, key=lambda name: name != ":memory:", default="db")
            statements = [";".join(self._statements)]  # in one text, so that what was begun can be taken back
            self.shell += [(f"sqlite3 {shlex.quote(database)} {shlex.quote(text)}", True) for text in statements]

    def _move(self, source: tuple[str, bool], target: tuple[str, bool]) -> None:
        if source[1] and target[1]:
            self.shell.append((f"mv {_shell_word(source[0])} {_shell_word(target[0])}", True))
        else:
            self.writes.append((*target, False))

    def _each(self, node: ast.expr) -> tuple[str, bool]:
        """What a loop's variable can be: something below the folder that is listed."""
        if isinstance(node, ast.List | ast.Tuple) and node.elts:
            return self._text(node.elts[0])
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _LISTS:
            base = node.func.value
            if node.args and isinstance(base, ast.Name) and base.id in ("glob", "os"):
                return self._text(node.args[0])
            text, known = self._text(base)
            return f"{text}/<found>", known
        return "?", False

    def _call(self, node: ast.Call) -> None:
        owner, name = self._name(node.func)
        removes = name in _RECURSIVE or (name in _SINGLE and (owner in _OF_FILES or owner == ""))
        if removes and node.args and (owner or name in self._functions.values()):
            text, known = self._text(node.args[0])
            self.deletes.append((text, known, name in _RECURSIVE))
        elif name in ("unlink", "rmdir") and isinstance(node.func, ast.Attribute):
            text, known = self._text(node.func.value)
            self.deletes.append((text, known, False))
        elif name in _SHELL and (owner in ("os", "subprocess", "commands") or name in self._functions.values()):
            if node.args:
                self.shell.append(self._text(node.args[0]))
        elif name in _PROCESS and (owner in ("subprocess", "sp") or name in self._functions.values()):
            if node.args:
                self.shell.append(self._command(node.args[0]))
        elif owner == "os" and (_EXEC.match(name) or name.startswith("posix_spawn")):
            self.shell.append(self._command(ast.List(elts=_arguments_of(name, list(node.args)), ctx=ast.Load())))
        elif name in ("map", "filter") and owner == "" and len(node.args) > 1:
            owner, name = self._name(node.args[0])
            if name in _RECURSIVE | _SINGLE and owner in _OF_FILES | {""}:
                text, known = self._each(node.args[1])
                self.deletes.append((text, known, name in _RECURSIVE))
        elif name in ("execute", "executescript", "executemany", "exec_driver_sql") and node.args:
            text, known = self._text(node.args[0])
            if known:
                self._statements.append(text)
        elif name in ("move", "rename", "replace", "renames") and owner in ("os", "shutil") and len(node.args) > 1:
            self._move(*(self._text(each) for each in node.args[:2]))
        elif name == "connect" and node.args:
            self._databases.append(self._text(node.args[0])[0])
        elif name == "delete" and _ALL_ROWS.search(ast.unparse(node.func)):
            self.shell.append(("dropdb all-rows", True))
        elif name == "open" and owner in ("", "io", "codecs") and node.args:
            mode = self._text(node.args[1])[0] if len(node.args) > 1 else ""
            mode = next((self._text(each.value)[0] for each in node.keywords if each.arg == "mode"), mode)
            if mode.startswith("w"):
                text, known = self._text(node.args[0])
                self.writes.append((text, known, False))
        elif name in ("write_text", "write_bytes") and isinstance(node.func, ast.Attribute):
            text, known = self._text(node.func.value)
            self.writes.append((text, known, False))

    def _name(self, node: ast.expr) -> tuple[str, str]:
        """The last two names of what is called: `shutil.rmtree`, or what `from shutil import rmtree` named."""
        if isinstance(node, ast.Attribute):
            base = node.value
            if isinstance(base, ast.Name):
                return base.id, node.attr
            if isinstance(base, ast.Attribute):
                return base.attr, node.attr
            if isinstance(base, ast.Call):
                return self._import(base) or self._name(base.func)[1], node.attr
            return "", node.attr
        if isinstance(node, ast.Name):
            return "", self._functions.get(node.id, node.id)
        return "", ""

    def _import(self, node: ast.Call) -> str:
        """`__import__("os").system(…)`"""
        if isinstance(node.func, ast.Name) and node.func.id == "__import__" and node.args:
            return self._text(node.args[0])[0]
        return ""

    def _command(self, node: ast.expr) -> tuple[str, bool]:
        if isinstance(node, ast.List | ast.Tuple):
            parts = [self._text(each) for each in node.elts]
            quoted = [text if re.fullmatch(r"[\w@%+=:,./~*-]+", text) else f"'{text}'" for text, _ in parts]
            return " ".join(quoted), all(known for _, known in parts)
        return self._text(node)

    def _text(self, node: ast.expr) -> tuple[str, bool]:
        """The text of an expression, and whether it is known whole."""
        match node:
            case ast.Constant(value=str() as value):
                return value, True
            case ast.Constant(value=bytes() as value):
                return value.decode("utf-8", "replace"), True
            case ast.Name(id=name):
                return self._texts.get(name, (name, False))
            case ast.JoinedStr(values=values):
                parts = [
                    self._text(each.value) if isinstance(each, ast.FormattedValue) else self._text(each)
                    for each in values
                ]
                return "".join(text for text, _ in parts), all(known for _, known in parts)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                (a, known_a), (b, known_b) = self._text(left), self._text(right)
                return a + b, known_a and known_b
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                (a, known_a), (b, known_b) = self._text(left), self._text(right)
                return f"{a}/{b}", known_a and known_b
            case ast.Call(func=func, args=args):
                return self._made(func, args)
            case ast.Subscript(value=ast.Attribute(attr="environ"), slice=ast.Constant(value=str() as value)):
                return f"${value}", value in ("HOME", "TMPDIR")
            case _:
                return "?", False

    def _made(self, func: ast.expr, args: list[ast.expr]) -> tuple[str, bool]:
        _, name = self._name(func)
        if name == "home" or (name == "expanduser" and not args and isinstance(func, ast.Attribute)):
            return ("~", True) if name == "home" else self._text(func.value)  # type: ignore[attr-defined]
        if (
            name in ("Path", "PurePath", "join", "expanduser", "abspath", "realpath", "str", "fspath", "normpath")
            and args
        ):
            parts = [self._text(each) for each in args]
            return "/".join(text for text, _ in parts), all(known for _, known in parts)
        if name in ("getcwd", "cwd"):
            return ".", True
        if name in ("mkdtemp", "gettempdir", "mkstemp", "TemporaryDirectory"):
            return "$TMPDIR/x", True
        if name in ("get", "getenv", "environ") and args:
            return f"${self._text(args[0])[0]}", self._text(args[0])[0] in ("HOME", "TMPDIR")
        if name in ("resolve", "absolute") and isinstance(func, ast.Attribute):
            return self._text(func.value)
        return "?", False
