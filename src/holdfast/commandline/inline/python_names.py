"""What a name in a Python program stands for: `s.run` after `import subprocess as s` is `subprocess.run`. Pure.

Followed are imports in every form, functions that are put into variables, `getattr`, `__import__`, `importlib`,
`sys.modules` and `__dict__`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from holdfast.shell.tools import listed

DELETES = listed(
    "os.remove os.unlink os.rmdir os.removedirs os.truncate shutil.rmtree pathlib.Path.unlink pathlib.Path.rmdir "
    "send2trash.send2trash posix.unlink posix.remove posix.rmdir distutils.dir_util.remove_tree aiofiles.os.remove "
    "setuptools.distutils.dir_util.remove_tree anyio.Path.unlink"
)
SHELL_TEXTS = listed(
    "os.system os.popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput commands.getstatusoutput "
    "asyncio.create_subprocess_shell asyncio.subprocess.create_subprocess_shell posix.system pexpect.run pexpect.spawn "
    "invoke.run fabric.local"
)
PROCESSES = listed(
    "subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen pty.spawn"
)
_MODULES = listed(
    "os shutil subprocess pathlib glob asyncio pty posix sh send2trash duckdb io codecs commands shlex requests httpx "
    "gzip bz2 lzma tarfile zipfile"
)
_STAR = {
    "os": "remove unlink rmdir removedirs truncate system popen rename replace walk execvp execv execl execlp spawnvp",
    "shutil": "rmtree move copy copy2 copyfile copytree",
    "subprocess": "run call check_call check_output Popen getoutput getstatusoutput",
    "glob": "glob iglob", "pathlib": "Path",
}  # fmt: skip
"""What `from MODULE import *` brings that is of interest."""


class Names:
    """The names of one program."""

    def __init__(self, text_of: Callable[[ast.expr], str]) -> None:
        """`text_of` tells the text of an expression, '' when it is not known."""
        self._text = text_of
        self._meaning: dict[str, str] = {}

    def imported(self, node: ast.Import | ast.ImportFrom) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.name if alias.asname else alias.name.partition(".")[0]
                self._meaning[alias.asname or name] = name
            return
        for alias in node.names:
            if alias.name == "*":
                self._meaning |= {each: f"{node.module}.{each}" for each in _STAR.get(node.module or "", "").split()}
            else:
                self._meaning[alias.asname or alias.name] = f"{node.module}.{alias.name}"

    def set(self, name: str, meaning: str) -> None:
        self._meaning[name] = meaning

    def of(self, node: ast.expr) -> str:
        """The full name of what an expression stands for; '' when it is nothing of a module."""
        match node:
            case ast.Name(id=name):
                return self._meaning.get(name, name if name in _MODULES or name in _BUILT_IN else "")
            case ast.Attribute(value=value, attr=attr):
                base = self.of(value)
                return f"{base}.{attr}" if base else ""
            case ast.Call(func=func, args=args):
                return self._made(func, args)
            case ast.Subscript(value=value, slice=key):
                return self._member(value, key)
            case _:
                return ""

    def _made(self, func: ast.expr, args: list[ast.expr]) -> str:
        name = self.of(func)
        if name in ("getattr", "builtins.getattr") and len(args) > 1:
            base, attribute = self.of(args[0]), self._text(args[1])
            return f"{base}.{attribute}" if base and attribute else ""
        if name in ("__import__", "builtins.__import__", "importlib.import_module", "importlib.__import__") and args:
            return self._text(args[0])
        if name in ("functools.partial", "partial") and args:
            return self.of(args[0])
        return ""

    def _member(self, value: ast.expr, key: ast.expr) -> str:
        """`sys.modules['os']`, `os.__dict__['remove']`, `vars(os)['remove']`."""
        text = self._text(key)
        name = self.of(value)
        if not text:
            return ""
        if name == "sys.modules":
            return text
        if name.endswith(".__dict__"):
            return f"{name.removesuffix('.__dict__')}.{text}"
        if isinstance(value, ast.Call) and self.of(value.func) == "vars" and value.args:
            base = self.of(value.args[0])
            return f"{base}.{text}" if base else ""
        return ""


_BUILT_IN = listed("open exec eval compile getattr __import__ vars map filter")
