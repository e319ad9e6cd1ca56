"""What a Python program deletes, overwrites and runs, by its syntax tree. Pure.

Names that are set to a text once are followed; `Path`, `/`, `os.path.join`, `expanduser` and f-strings are read as far
as their parts are texts.
"""

from __future__ import annotations

import ast
import posixpath
import re
import shlex
from collections.abc import Sequence
from typing import TypeGuard

from holdfast.commandline.inline import python_helpers, python_lists
from holdfast.commandline.inline.calls import COMPUTED
from holdfast.commandline.inline.python_names import DELETES, PROCESSES, SHELL_TEXTS, Names

CodeTarget = tuple[str, bool, bool]
"""A target, whether it is known whole, whether it is recursive."""
CodeCommand = tuple[str, bool]

_RECURSIVE = frozenset({"rmtree", "removedirs"})
_EXEC = re.compile(r"(?:exec|spawn)[vl]p?e?\Z")
_LISTS = frozenset({"glob", "iglob", "rglob", "iterdir", "listdir", "walk", "scandir"})
_ALL_ROWS = re.compile(r"\.objects\.all\(\)\.delete\Z|\.query\.delete\Z|\.objects\.delete\Z")
_OF_PATHS = frozenset(
    {
        "Path",
        "PosixPath",
        "PurePath",
        "join",
        "expanduser",
        "expandvars",
        "abspath",
        "realpath",
        "str",
        "fspath",
        "normpath",
    }
)
_PERCENT = re.compile(r"%(?:\(\w+\))?[-#0 +]*\d*[sdr]")
_BRACES = re.compile(r"\{[^{}]*\}")
_NAMELESS = {"duckdb.connect": ":memory:"}
_IN_MEMORY = re.compile(r"sqlite(?:\+\w+)?://(?:/:memory:)?\Z")
_ENGINES = ("create_engine", "create_async_engine")
_OF_INTEREST = frozenset(
    {
        *(
            ast.Import,
            ast.ImportFrom,
            ast.Assign,
            ast.NamedExpr,
            ast.For,
            ast.AsyncFor,
            ast.comprehension,
            ast.withitem,
        ),
        *(ast.Call, ast.FunctionDef, ast.AsyncFunctionDef),
    }
)
_DEEPEST = 4
_MOST_ASKED = 20_000
"""Expressions that are read of one program. One that has more is not known from there on."""
_LONGEST_TEXT = 20_000
"""Characters of a text that a program puts together: `x = x + x` doubles it in every line."""
_MOST_CHOICES = 32
_OPENS = frozenset(
    {
        "open",
        "io.open",
        "codecs.open",
        "os.open",
        "gzip.open",
        "bz2.open",
        "lzma.open",
        "tarfile.open",
        "zipfile.ZipFile",
    }
)
_WRAPS = frozenset({"map", "sorted", "list", "reversed", "set"})
_MOVES = frozenset({"os.rename", "os.replace", "os.renames", "shutil.move"})
_PERMITS = frozenset({"os.chmod", "os.chown", "os.lchmod", "os.lchown", "shutil.chown"})
_COPIES = frozenset({"shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree"})
_DESTROYING = re.compile(r"(?i)\s*(?:drop|truncate|delete\s+from|alter\s+table)\b")
_NO_PYTHON = re.compile(
    r"\b(?:(rmtree)|os\.(?:remove|unlink|rmdir)|(system|popen))\s*\(\s*(?:'([^'\n]*)'|\"([^\"\n]*)\")"
)


def python_calls(
    text: str, depth: int = 0, argv: Sequence[str] = ()
) -> tuple[list[CodeTarget], list[CodeTarget], list[CodeCommand]]:
    """(deletes, writes, shell texts) of a program; of one that cannot be parsed, what its words show. `argv` are the
    words behind it."""
    try:
        tree = ast.parse(text.strip("\n") if not text.startswith((" ", "\t")) else f"if 1:\n{text}")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _by_words(text)
    reader = _Program(depth, argv, python_lists.endings(text))
    try:
        reader.read(tree)
    except RecursionError:
        return _by_words(text)
    return [(_once(text), *rest) for text, *rest in reader.deletes], reader.writes, reader.shell  # type: ignore[misc]


def _once(text: str) -> str:
    """`os.path.join('notes', x)` for each `x` that `os.listdir('notes')` names: the folder stands in it twice."""
    folder, sign, rest = text.partition("/<found")
    half = len(folder) // 2
    if sign and folder[half : half + 1] == "/" and folder[:half] == folder[half + 1 :].removeprefix("./"):
        return f"{folder[:half]}{sign}{rest}"
    return text


def _by_words(text: str) -> tuple[list[CodeTarget], list[CodeTarget], list[CodeCommand]]:
    deletes: list[CodeTarget] = []
    shell: list[CodeCommand] = []
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


def _argument(node: ast.Call, place: int, *names: str) -> ast.expr | None:
    """An argument by its place or its name."""
    if len(node.args) > place:
        return node.args[place]
    return next((each.value for each in node.keywords if each.arg in names), None)


class _Program:
    def __init__(self, depth: int = 0, argv: Sequence[str] = (), endings: Sequence[str] = ()) -> None:
        self.deletes: list[CodeTarget] = []
        self.writes: list[CodeTarget] = []
        self.shell: list[CodeCommand] = []
        self._depth = depth
        self._argv = argv
        self._endings = endings
        self._choices: dict[str, list[tuple[str, bool]]] = {}
        """What the parameters of its functions, and the variables of its loops, can be."""
        self._texts: dict[str, tuple[str, bool]] = {}
        self._names = Names(self._known_text)
        self._statements: list[str] = []
        self._databases: list[str] = []
        self._lists: dict[str, ast.List | ast.Tuple | ast.Dict] = {}
        self._engines: dict[str, bool] = {}
        self._asked = 0
        self._loops: set[str] = set()

    def read(self, tree: ast.AST) -> None:
        nodes = [node for node in ast.walk(tree) if node.__class__ in _OF_INTEREST]
        for node in nodes:
            if isinstance(node, ast.Import | ast.ImportFrom):
                self._names.imported(node)
        for node in nodes:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                self._assigned(node.targets[0].id, node.value)
            elif isinstance(node, ast.NamedExpr):
                self._assigned(node.target.id, node.value)
            elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
                self._looped(node.target, node.iter)
            elif isinstance(node, ast.withitem) and isinstance(node.optional_vars, ast.Name):
                self._texts[node.optional_vars.id] = self._text(node.context_expr)
        for name, values in python_lists.handed(nodes, self._handed):
            self._choices.setdefault(name, []).extend(values)
        for node in nodes:
            if isinstance(node, ast.Call):
                self._call(node)
        for made in python_helpers.Helpers(self._starts).made(nodes, self._lists):
            self._call(made)
        went = next((self._text(node.args[0]) for node in nodes if self._goes(node)), None)
        if went is not None:
            self.deletes = [(self._from(went[0], text), known and went[1], tree) for text, known, tree in self.deletes]
            self.shell = [(f"cd {_shell_word(went[0])} && {text}", known) for text, known in self.shell]
        if self._statements:
            database = max(self._databases, key=lambda name: name != ":memory:", default="db")
            statements = [";".join(self._statements)]  # in one text, so that what was begun can be taken back
            self.shell += [(f"sqlite3 {shlex.quote(database)} {shlex.quote(text)}", True) for text in statements]

    def _starts(self, node: ast.expr) -> bool:
        """Is it a function that starts a process?"""
        name = self._names.of(node)
        return name in SHELL_TEXTS or name in PROCESSES or name.endswith(".create_subprocess_exec")

    def _goes(self, node: ast.AST) -> TypeGuard[ast.Call]:
        return isinstance(node, ast.Call) and self._names.of(node.func) in ("os.chdir", "chdir") and bool(node.args)

    @staticmethod
    def _from(folder: str, target: str) -> str:
        return target if target.startswith(("/", "~", "$")) else f"{folder.rstrip('/')}/{target.removeprefix('./')}"

    def _assigned(self, name: str, value: ast.expr) -> None:
        if (function := self._names.of(value)) and not isinstance(value, ast.Name):
            self._names.set(name, function)
        self._texts[name] = self._text(value)
        if isinstance(value, ast.List | ast.Tuple | ast.Dict):
            self._lists[name] = value
        is_engine = isinstance(value, ast.Call) and self._last(value.func) in _ENGINES
        self._engines[name] = is_engine and self._engines.get(name, True)

    def _looped(self, target: ast.expr, over: ast.expr) -> None:
        self._loops.update(each.id for each in ast.walk(target) if isinstance(each, ast.Name))
        wraps = isinstance(over, ast.Call) and over.args and self._last(over.func) in _WRAPS
        if wraps and isinstance(self._list(over.args[-1]), ast.List | ast.Tuple | ast.Set):  # type: ignore[attr-defined]
            over = over.args[-1]  # type: ignore[attr-defined]  # `map(Path, ['a', 'b'])`
        if isinstance(target, ast.Name):
            self._texts[target.id] = self._each(over)
            if words := python_lists.split(over):
                self._choices[target.id] = [(each, True) for each in words]
            elif isinstance(listed := self._list(over), ast.List | ast.Tuple | ast.Set):
                self._choices[target.id] = [self._text(each) for each in listed.elts]
            elif python_lists.is_argv(over):
                self._choices[target.id] = [(each, True) for each in self._argv[1:]]
        elif isinstance(target, ast.Tuple) and isinstance(over, ast.Call) and self._names.of(over.func) == "os.walk":
            base = self._text(over.args[0]) if over.args else ("?", False)
            for place, each in enumerate(target.elts):
                if isinstance(each, ast.Name):
                    self._texts[each.id] = base if place == 0 else (self._found(), True)
        elif isinstance(target, ast.Tuple):
            rows = python_lists.rows(over, self._list)
            for place, each in enumerate(target.elts):
                if isinstance(each, ast.Name):
                    self._texts[each.id] = ("?", False)
                    self._choices[each.id] = [self._text(row[place]) for row in rows if place < len(row)]

    def _move(self, source: tuple[str, bool], target: tuple[str, bool], by: str = "mv") -> None:
        if source[1] and target[1] and "<found" not in source[0] + target[0]:
            self.shell.append((f"{by} {_shell_word(source[0])} {_shell_word(target[0])}", True))
        else:
            self.writes.append((*target, False))

    def _link(self, to: ast.expr | None, link: ast.expr | None) -> None:
        """A link that later parts of the line may go through."""
        if to is not None and link is not None and (source := self._text(to))[1] and (target := self._text(link))[1]:
            self._move(source, target, by="ln -s")

    def _moved(self, node: ast.Call, by: str) -> None:
        """A file that is moved or copied onto another: each pair that a loop goes through."""
        source, target = _argument(node, 0, "src", "old"), _argument(node, 1, "dst", "new")
        if source is None or target is None:
            return
        froms, tos = self._each_text(source), self._each_text(target)
        if not tos[0][1] and self._text(source)[1] and not self._is_of_loop(target):
            self.writes.append((COMPUTED, False, False))
            return
        pairs = zip(froms, tos, strict=True) if len(froms) == len(tos) else ((froms[0], each) for each in tos)
        for one, other in pairs:
            self._move(one, other, by)

    def _is_of_loop(self, node: ast.expr) -> bool:
        """Is it made of what a loop or a listing of the program goes through?"""
        return any(isinstance(each, ast.Name) and each.id in self._loops for each in ast.walk(node))

    def _each(self, node: ast.expr) -> tuple[str, bool]:
        """What a loop's variable can be: something below the folder that is listed, or the farthest of a list."""
        if isinstance(node, ast.List | ast.Tuple | ast.Set) and node.elts:
            found = [self._text(each) for each in node.elts]
            return max(found, key=lambda each: (each[0].startswith(("~", "/", "$HOME")), not each[1]))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            if node.func.id in ("sorted", "list", "reversed", "set", "tuple", "tqdm", "enumerate", "iter"):
                return self._each(node.args[0])
            if self._names.of(node.func) in ("glob.glob", "glob.iglob"):
                return self._globbed(*self._text(node.args[0]))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _LISTS:
            base = node.func.value
            if node.args and self._names.of(base) in ("glob", "os"):
                text, known = self._text(node.args[0])
                if node.func.attr in ("glob", "iglob"):
                    return self._globbed(text, known)
                return f"{text}/{self._found()}", known
            text, known = self._text(base)
            pattern = self._text(node.args[0]) if node.args and node.func.attr in ("glob", "rglob") else ("", False)
            if pattern[1] and node.func.attr == "rglob":
                return f"{text}/<found {pattern[0].rpartition('/')[2]}>", known
            return self._globbed(f"{text}/{pattern[0]}", known) if pattern[1] else (f"{text}/{self._found()}", known)
        if isinstance(node, ast.Name):
            return self._texts.get(node.id, ("?", False))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):  # `for name in folders + files`
            return max(self._each(node.left), self._each(node.right), key=lambda each: each[1])
        return "?", False

    def _globbed(self, pattern: str, known: bool) -> tuple[str, bool]:
        """`src/**/*.py` stands for what is found below `src`; `src/*.py` is what a shell would make of it."""
        folder, sign, _ = pattern.partition("/**")
        if sign or pattern.startswith("**"):
            return f"{folder if sign else '.'}/<found {pattern.rpartition('/')[2].replace('**', '*')}>", known
        return pattern, known

    def _found(self) -> str:
        """What a loop over a folder finds. Where the program looks at the ends of names, these choose."""
        return f"<found {self._endings[0]}>" if self._endings else "<found>"

    def _call(self, node: ast.Call) -> None:
        name = self._names.of(node.func)
        last = name.rpartition(".")[2]
        if last in ("truncate", "ftruncate") and name.startswith("os.") and (target := _argument(node, 0, "path")):
            self.writes.append((*self._text(target), False))  # in place: a link to the bytes would not keep them
        elif name in DELETES and (target := _argument(node, 0, "path", "name", "top", "src")):
            self.deletes += [(text, known, last in _RECURSIVE) for text, known in self._each_text(target)]
        elif not name and isinstance(node.func, ast.Attribute) and node.func.attr in ("unlink", "rmdir", "rmtree"):
            tree = node.func.attr == "rmtree"
            self.deletes += [(text, known, tree) for text, known in self._each_text(node.func.value)]
        elif name in SHELL_TEXTS | PROCESSES and (target := _argument(node, 0, "cmd", "command", "args", "argv")):
            self.shell.append(self._command(target))
        elif name in ("asyncio.create_subprocess_exec", "asyncio.subprocess.create_subprocess_exec") or (
            name.startswith("sh.") and name.count(".") == 1
        ):
            words = [ast.Constant(last)] if name.startswith("sh.") else []
            self.shell.append(self._command(ast.List(elts=[*words, *node.args], ctx=ast.Load())))
        elif name.startswith("os.") and (_EXEC.match(last) or last.startswith("posix_spawn")):
            self.shell.append(self._command(ast.List(elts=_arguments_of(last, list(node.args)), ctx=ast.Load())))
        elif name in ("exec", "eval", "builtins.exec", "builtins.eval") and node.args:
            self._evaluated(node.args[0])
        elif any(self._names.of(each) in DELETES for each in node.args):
            self._handed_on(node)
        elif name in ("requests.delete", "httpx.delete", "requests.request", "httpx.request") and node.args:
            self._request(name, node.args)
        elif name in _PERMITS and len(node.args) > 1:
            self._permitted(node, last)
        elif not name and isinstance(node.func, ast.Attribute) and _is_git(node.func.value):
            self._git(node.func.attr, node)
        elif name == "os.symlink":
            self._link(_argument(node, 0, "src"), _argument(node, 1, "dst"))
        elif not name and isinstance(node.func, ast.Attribute) and node.func.attr == "symlink_to":
            self._link(_argument(node, 0, "target"), node.func.value)
        elif name in _COPIES or name in _MOVES:
            self._moved(node, by="mv" if name in _MOVES else "cp -r" if last == "copytree" else "cp")
        elif not name and isinstance(node.func, ast.Attribute) and (to := self._moves(node)) is not None:
            self._move(self._text(node.func.value), self._text(to))
        elif not name and last == "" and isinstance(node.func, ast.Attribute) and node.func.attr == "truncate":
            text, known = self._text(node.func.value)
            if known:
                self.writes.append((text, known, False))
        else:
            self._data(node, name, node.func.attr if isinstance(node.func, ast.Attribute) else last)

    def _git(self, word: str, node: ast.Call) -> None:
        """`Repo('.').git.reset('--hard')`: each method of GitPython's is a word of git."""
        words = [word.replace("_", "-"), *(self._text(each)[0] for each in node.args)]
        words += [f"--{each.arg.replace('_', '-')}" for each in node.keywords if each.arg]
        self.shell.append((f"git {shlex.join(words)}", True))

    def _permitted(self, node: ast.Call, by: str) -> None:
        """Modes and owners that are changed: of what a loop finds below a folder, the whole of it."""
        text, known = self._text(node.args[0])
        folder, sign, _ = _once(text).partition("/<found")
        given = node.args[1]
        told = given.value if isinstance(given, ast.Constant) and isinstance(given.value, int) else None
        mode = "$computed" if told is None else f"{told:o}" if by.endswith("chmod") else str(told)
        words = f"{by.removeprefix('l')} {'-R ' if sign else ''}{mode} {_shell_word(folder)}"
        if known:
            self.shell.append((words, True))

    def _moves(self, node: ast.Call) -> ast.expr | None:
        """`Path('a').rename('b')`: where to; a text has a `replace` with two arguments."""
        of = node.func
        if not isinstance(of, ast.Attribute) or of.attr not in ("rename", "replace") or not self._text(of.value)[1]:
            return None
        return _argument(node, 0, "target") if len(node.args) + len(node.keywords) == 1 else None

    def _handed(self, node: ast.expr) -> tuple[str, bool]:
        text, known = self._text(node)
        return (text, known) if known else self._each(node) if isinstance(node, ast.Call) else (text, known)

    def _each_text(self, node: ast.expr) -> list[tuple[str, bool]]:
        """All that an expression can stand for: the words that a function is called with, the items of a loop."""
        if node.__class__ is ast.Constant:
            return [self._text(node)]
        if isinstance(node, ast.Call) and self._last(node.func) in ("Path", "str", "fspath") and len(node.args) == 1:
            node = node.args[0]
        if isinstance(node, ast.Name) and self._choices.get(node.id):
            return self._choices[node.id][:_MOST_CHOICES]
        text, known = self._text(node)
        return [(text, known) if known or not python_lists.reads_input(node) else ("$(input)", False)]

    def _request(self, name: str, args: list[ast.expr]) -> None:
        method = "DELETE" if name.endswith(".delete") else self._text(args[0])[0].upper()
        text, known = self._text(args[-1 if name.endswith(".delete") else min(1, len(args) - 1)])
        if method == "DELETE" and known:
            self.shell.append((f"curl -X DELETE {shlex.quote(text)}", True))

    def _handed_on(self, node: ast.Call) -> None:
        """A function that deletes is given to another: `map(os.remove, files)`, `pool.submit(shutil.rmtree, x)`."""
        place = next(n for n, each in enumerate(node.args) if self._names.of(each) in DELETES)
        recursive = self._names.of(node.args[place]).rpartition(".")[2] in _RECURSIVE
        for each in node.args[place + 1 : place + 2]:
            if isinstance(listed := self._list(each), ast.List | ast.Tuple | ast.Set):
                self.deletes += [(*self._text(item), recursive) for item in listed.elts[:_MOST_CHOICES]]
                continue
            text, known = self._text(each)
            if not known:
                text, known = self._each(each)
            self.deletes.append((text, known, recursive))

    def _evaluated(self, node: ast.expr) -> None:
        """A text that is run as a program."""
        if isinstance(node, ast.Call) and self._names.of(node.func) in ("compile", "builtins.compile") and node.args:
            node = node.args[0]
        text, known = self._text(node)
        if known and self._depth < _DEEPEST:
            deletes, writes, shell = python_calls(text, self._depth + 1)
            self.deletes += deletes
            self.writes += writes
            self.shell += shell

    def _data(self, node: ast.Call, name: str, last: str) -> None:
        """Statements to a database, and files that are written over."""
        if last in ("execute", "executescript", "executemany", "exec_driver_sql", "sql", "query") and node.args:
            said = node.args[0]
            said = python_lists.statement(said)
            text, known = self._text(said)
            if known or _DESTROYING.match(text):
                self._statements.append(text if known else _PERCENT.sub("computed", text).replace("?", "computed"))
            if name.startswith("duckdb."):
                self._databases.append(":memory:")
        elif last in _ENGINES:
            url, known = self._text(node.args[0]) if node.args else ("", False)
            known = known and all(each.arg not in (None, "creator", "async_creator") for each in node.keywords)
            self._databases.append(":memory:" if known and _IN_MEMORY.match(url) else url if known else "db")
        elif last == "connect" and not self._is_of_engine(node):
            self._databases.append(self._text(node.args[0])[0] if node.args else _NAMELESS.get(name, "db"))
        elif last == "delete" and _ALL_ROWS.search(ast.unparse(node.func)):
            self.shell.append(("dropdb all-rows", True))
        elif (
            last in ("open", "ZipFile")
            and (name in _OPENS or not name)
            and (
                target := (node.args[0] if name and node.args else None)
                or (node.func.value if isinstance(node.func, ast.Attribute) and not name else None)
            )
        ):
            at = 1 if name else 0
            mode = self._text(node.args[at])[0] if len(node.args) > at else ""
            mode = next((self._text(each.value)[0] for each in node.keywords if each.arg == "mode"), mode)
            if name == "os.open" and len(node.args) > 1:
                mode = ast.unparse(node.args[1])
            text, known = self._text(target)
            is_device = text.startswith("/dev/") and ("+" in mode or "O_WRONLY" in mode or "O_RDWR" in mode)
            if mode.startswith("w") or "O_TRUNC" in mode or is_device:
                self.writes.append((text, known, False))
        elif last in ("write_text", "write_bytes") and isinstance(node.func, ast.Attribute):
            text, known = self._text(node.func.value)
            self.writes.append((text, known, False))

    def _is_of_engine(self, node: ast.Call) -> bool:
        """`engine.connect()`: where to was said when the engine was made."""
        of = node.func.value if isinstance(node.func, ast.Attribute) else None
        if node.args or node.keywords or of is None:
            return False
        if isinstance(of, ast.Call):
            return self._last(of.func) in _ENGINES
        return isinstance(of, ast.Name) and self._engines.get(of.id, False)

    def _list(self, node: ast.expr) -> ast.expr:
        """The list that a name was set to, or the expression itself."""
        return self._lists.get(node.id, node) if isinstance(node, ast.Name) else node

    def _last(self, func: ast.expr) -> str:
        """The last part of a function's name."""
        return func.attr if isinstance(func, ast.Attribute) else self._names.of(func).rpartition(".")[2]

    def _command(self, node: ast.expr) -> tuple[str, bool]:
        if isinstance(node, ast.Call) and self._names.of(node.func) == "shlex.split" and node.args:
            return self._text(node.args[0])
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not (node.args or node.keywords):
            node = node.func.value if node.func.attr == "split" else node  # `run("rm -rf x".split())`
        node = self._list(node)
        if isinstance(node, ast.List | ast.Tuple):
            parts = [self._text(each) for each in node.elts]
            quoted = [text if re.fullmatch(r"[\w@%+=:,./~*-]+", text) else f"'{text}'" for text, _ in parts]
            return " ".join(quoted), all(known for _, known in parts)
        return self._text(node)

    def _known_text(self, node: ast.expr) -> str:
        text, known = self._text(node)
        return text if known else ""

    def _text(self, node: ast.expr) -> tuple[str, bool]:
        """The text of an expression, and whether it is known whole."""
        self._asked += 1
        if self._asked > _MOST_ASKED:
            return "?", False
        text, known = self._read_text(node)
        return (text, known) if len(text) <= _LONGEST_TEXT else (text[:_LONGEST_TEXT], False)

    def _read_text(self, node: ast.expr) -> tuple[str, bool]:
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
            case ast.BinOp(left=left, op=ast.Mod(), right=right):
                return self._filled(left, right.elts if isinstance(right, ast.Tuple) else [right], _PERCENT)
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return self._joined([left, right])
            case ast.Attribute(value=value, attr="name" | "parent" as attr):
                return self._of_moment(value, attr)
            case ast.Call(func=func, args=args):
                return self._made(func, args)
            case ast.Subscript(
                value=ast.Attribute(value=ast.Name(id="sys"), attr="argv"), slice=ast.Constant(value=int() as n)
            ):
                return (self._argv[n], True) if 0 <= n < len(self._argv) else ("$(input)", False)
            case ast.Subscript(value=ast.Attribute(attr="environ"), slice=ast.Constant(value=str() as value)):
                return f"${value}", value in ("HOME", "TMPDIR")
            case _:
                return "?", False

    def _filled(self, shape: ast.expr, given: list[ast.expr], marks: re.Pattern[str]) -> tuple[str, bool]:
        """A text with what is put in: `'rm -rf %s' % x`, `'rm -rf {}'.format(x)`."""
        text, known = self._text(shape)
        for each in given:
            part, is_known = self._text(each)
            text, known = marks.sub(lambda _, to=part: to, text, count=1), known and is_known  # type: ignore[misc]
        return text, known

    def _made(self, func: ast.expr, args: list[ast.expr]) -> tuple[str, bool]:
        if isinstance(func, ast.Attribute) and func.attr == "format":
            return self._filled(func.value, args, _BRACES)
        if isinstance(func, ast.Attribute) and func.attr == "join" and isinstance(func.value, ast.Constant):
            parts = [self._text(each) for each in getattr(self._list(args[0]), "elts", args)] if args else []
            return str(func.value.value).join(text for text, _ in parts), all(known for _, known in parts)
        name = self._last(func)
        if name == "home" or (name == "expanduser" and not args and isinstance(func, ast.Attribute)):
            return ("~", True) if name == "home" else self._text(func.value)  # type: ignore[attr-defined]
        if name in _OF_PATHS and args:
            return self._joined(args)
        if name in ("getcwd", "cwd") or (name in ("Path", "PosixPath") and not args):
            return ".", True
        if name == "gettempdir":
            return "$TMPDIR", True
        if name in ("mkdtemp", "mkstemp", "TemporaryDirectory", "NamedTemporaryFile", "mktemp"):
            return _OF_MOMENT, True
        if name == "open" and args:
            return self._text(args[0])
        if name in ("get", "getenv", "environ") and args:
            variable = self._text(args[0])[0]
            return f"${variable}", variable in ("HOME", "TMPDIR")
        if name in ("resolve", "absolute") and isinstance(func, ast.Attribute):
            return self._text(func.value)
        return "?", False

    def _joined(self, nodes: list[ast.expr]) -> tuple[str, bool]:
        """Parts of a path: one from the root leaves out what stands before it."""
        parts = [self._text(each) for each in nodes]
        first = max((n for n, (text, known) in enumerate(parts) if known and text.startswith("/")), default=0)
        return "/".join(text for text, _ in parts[first:]), all(known for _, known in parts[first:])

    def _of_moment(self, node: ast.expr, attr: str) -> tuple[str, bool]:
        """`TemporaryDirectory().name`, and the folder around what is in one."""
        text, known = self._text(node)
        if known and attr == "name" and text == _OF_MOMENT:
            return text, True
        if known and attr == "parent" and text.startswith(f"{_OF_MOMENT}/") and ".." not in text:
            return posixpath.dirname(posixpath.normpath(text)), True
        return "?", False


_OF_MOMENT = "$TMPDIR/x"
"""A folder that `tempfile` makes."""


def _is_git(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "git"
