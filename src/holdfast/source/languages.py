"""Which language a file is written in, by its name; and where its grammar is. Pure."""

from __future__ import annotations

import posixpath
from typing import NamedTuple


class Grammar(NamedTuple):
    """A grammar as its wheel offers it."""

    module: str
    function: str = "language"


GRAMMARS: dict[str, Grammar] = {
    "bash": Grammar("tree_sitter_bash"),
    "c": Grammar("tree_sitter_c"),
    "cpp": Grammar("tree_sitter_cpp"),
    "csharp": Grammar("tree_sitter_c_sharp"),
    "go": Grammar("tree_sitter_go"),
    "java": Grammar("tree_sitter_java"),
    "javascript": Grammar("tree_sitter_javascript"),
    "kotlin": Grammar("tree_sitter_kotlin"),
    "lua": Grammar("tree_sitter_lua"),
    "php": Grammar("tree_sitter_php", "language_php"),
    "python": Grammar("tree_sitter_python"),
    "ruby": Grammar("tree_sitter_ruby"),
    "rust": Grammar("tree_sitter_rust"),
    "scala": Grammar("tree_sitter_scala"),
    "sql": Grammar("tree_sitter_sql"),
    "swift": Grammar("tree_sitter_swift"),
    "tsx": Grammar("tree_sitter_typescript", "language_tsx"),
    "typescript": Grammar("tree_sitter_typescript", "language_typescript"),
}
"""Languages that are parsed, when the wheel is installed. `queries/NAME.scm` says what is taken from the tree."""

QUERY_OF: dict[str, str] = {"tsx": "typescript"}
"""Languages that share the query of another one."""

_ENDINGS = """
bash: sh bash zsh ksh
c: c
cpp: cc cpp cxx c++ h hh hpp hxx ipp inl cu cuh ino
csharp: cs
go: go
java: java
javascript: js jsx mjs cjs
kotlin: kt kts
lua: lua
php: php phtml
python: py pyi pyw
ruby: rb rake gemspec
rust: rs
scala: scala sc
sql: sql
swift: swift
tsx: tsx
typescript: ts mts cts
ada: adb ads
clojure: clj cljs cljc edn
crystal: cr
d: d
dart: dart
elixir: ex exs
elm: elm
erlang: erl hrl
fortran: f90 f95 f03 f08
fsharp: fs fsx
gleam: gleam
graphql: graphql gql
groovy: groovy gradle
haskell: hs
hcl: tf hcl
julia: jl
lisp: lisp el scm rkt
nim: nim
nix: nix
objectivec: m mm
ocaml: ml mli
pascal: pas
perl: pl pm
powershell: ps1 psm1
proto: proto
r: r
solidity: sol
svelte: svelte
tcl: tcl
verilog: v sv
vhdl: vhd vhdl
vue: vue
zig: zig
"""
_BY_ENDING = {
    ending: language
    for line in _ENDINGS.strip().splitlines()
    for language, _, endings in [line.partition(": ")]
    for ending in endings.split()
}
_BY_NAME = {"Rakefile": "ruby", "Gemfile": "ruby", "Vagrantfile": "ruby", "Jenkinsfile": "groovy"}

SAME_FOLDER = frozenset({"go", "java", "kotlin", "scala", "csharp", "swift"})
"""Languages in which a file uses its neighbours in the folder without an import."""

_PYTHON = """
abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins
bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent
configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis
distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib
functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib
imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap
marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers
opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix
posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline
reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr
socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct
subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading
time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata
unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile
zipimport zlib zoneinfo
"""
PYTHON_STANDARD = frozenset(_PYTHON.split())
"""Modules of Python's own library (3.11): `import json` never means a file of the project that is named so."""


def language_of(path: str) -> str:
    """The language of a file; '' when it is no source code."""
    name = posixpath.basename(path)
    _, dot, ending = name.rpartition(".")
    return (_BY_ENDING.get(ending.lower(), "") if dot else "") or _BY_NAME.get(name, "")
