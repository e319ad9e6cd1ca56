"""Inline programs of languages that are not read call by call: Lua, Tcl, Groovy, Swift, R, Julia, PowerShell and more.

What counts is a word that deletes or runs, beside a path beyond the project or a text. Pure; linear.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

INTERPRETERS = listed(
    "lua luajit tclsh wish expect groovy groovysh scala scala-cli kotlin kotlinc jshell swift rscript r julia "
    "osascript pwsh powershell guile racket raku perl6 elixir iex erl escript sbcl clisp ecl gosh ghc runghc "
    "chibi-scheme runhaskell ocaml utop crystal nim dart janet fennel octave matlab nu elvish xonsh tcsh csh rc es "
    "emacs emacsclient clojure clj bb babashka rust-script evcxr yaegi "
    "coffee livescript ts-node esno zx qjs rhino jjs moon terra wolframscript maxima gp sage hy"
)
_INLINE = listed(
    "-e -c -E -x -g --eval --execute --expression --command -command -Command --evaluate -eval --exec --run -C"
)
_DELETES = lazy_pattern(
    r"(?i)\b(?:delete\w*|remove(?!At\b|First\b|Last\b|If\b|\(at)\w*|rm(?:_?r?f?|dir|tree|_all)?|unlink\w*|erase\w*|destroy\w*|purge\w*|"
    r"wipe\w*|truncate\w*|"
    r"removeitem|remove-item|ri|del|rd|clear-content|trash\w*|file\s+delete)\b"
)
_RUNS = lazy_pattern(
    r"(?i)\b(?:os\.execute|io\.popen|execute|system\w*|shell\w*|popen|spawn\w*|exec\w*|run\w*|process\w*|"
    r"do\s+shell\s+script|do\s+script|doShellScript|write\s+text|"
    r"call-process|sh|bash|cmd|invoke-expression|iex|start-process|launch\w*)\b|"
    r"[a-z]\w{0,30}(?:system|shell|popen|spawn|exec|command|process|script)(?:_?\w{1,12})?[ ]?[(\"'!]"
)
_TEXT = lazy_pattern(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'|\{((?:[^{}\\]|\\.)*)\}")
_QUOTED = lazy_pattern(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'")
_PATH = lazy_pattern(r"(?<![\w.:/\"'~$])(?:~|[A-Za-z]:\\|\$(?:env:)?HOME\b|/)[\w./\\*~-]*")
_FAR = lazy_pattern(r"(?:~|[A-Za-z]:[\\/]|\$HOME|\$env:HOME|\$env:USERPROFILE|/(?!tmp/|var/tmp/|dev/null)[\w.])")
_HOME = lazy_pattern(
    r"(?i)\b(?:homedir|UserHomeDir|home_dir|user_home|user\.home|Dir\.home|os\.getenv\(\s*[\"']HOME|"
    r"expanduser|NSHomeDirectory|getHomeDir\w*|getProperty\(\s*[\"']user\.home)|\$(?:::)?env\(HOME\)"
)


COMPILERS = lazy_pattern(
    r"(?:[\w-]{1,40}-)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|tcc|rustc|ghc|gfortran|gdc|ldc2|dmd|fpc|nim|v)(?:-\d+)?\Z"
)
"""Programs that build what they read on standard input, or run it."""
COMPILED = {"go": "run", "java": ".java", "zig": "run", "cargo": "script", "rustc": ".rs"}
"""Programs that build and run a file of their language; the word, or the end of the name, by which they are told to."""
_CALLS = lazy_pattern(
    r"\b(?:os\.Remove(?:All)?|(?:fs::)?remove_(?:dir_all|file|dir)|Files\.delete(?:IfExists)?|FileUtils\.delete\w*|"
    r"deleteTree(?:Absolute)?)\s*\(([^\n;]{1,300})"
)
_COMMANDS = lazy_pattern(r"\b(?:exec\.Command|Command::new|ProcessBuilder|getRuntime\(\)\.exec)\s*\(([^\n;]{1,300})")
_IS_HOME = lazy_pattern(
    r"(?<!\w)(\w{1,60})\s?(?:,\s?\w{1,60}\s?)?:?=[^\n;]{0,60}(?:UserHomeDir|home_dir|user\.home|\"HOME\")"
)


def in_calls(text: str) -> tuple[list[str], list[str]]:
    """Paths beyond the project that calls of a compiled language delete, and the commands that it runs."""
    homes = set(_IS_HOME.findall(text))
    deletes: list[str] = []
    for given in _CALLS.findall(text):
        said = [next(filter(None, each), "") for each in _TEXT.findall(given)]
        if homes.intersection(re.findall(r"\w+", given)) or _HOME.search(given):
            deletes.append("/".join(("~", *said)))
        elif said and _FAR.match(said[0]):
            deletes.append("/".join(said))
    words = [[next(filter(None, each), "") for each in _TEXT.findall(given)] for given in _COMMANDS.findall(text)]
    return deletes, [" ".join(said) for said in words]


_SCRIPTED = lazy_pattern(
    r"(?i)\bdelete\s+\(?\s*(?:every|all|items?|contents)\b|\bempty\s+(?:the\s+)?trash\b|\bdelete\s+\(?\s*(?:messages|notes|albums)\b"
)


def empties_application(program: str, text: str) -> bool:
    """Does a script for an application of the desktop delete all that it has: `delete every note`?"""
    return program == "osascript" and _SCRIPTED.search(text) is not None


def program_of(words: Sequence[str], stdin: str | None) -> str:
    """The text of the program: behind an option, or on standard input; '' when it runs a file."""
    if words.count("-e") > 1:  # lines of one program
        return "\n".join(after for word, after in itertools.pairwise(words) if word == "-e")
    if words[:1] in (("-l",), ["-l"]):  # `osascript -l JavaScript -e …`
        words = words[2:]
    for place, word in enumerate(words):
        name, sign, value = word.partition("=")
        if word in _INLINE and place + 1 < len(words):
            return words[place + 1] if words[place + 1] != "-" else stdin or ""
        if sign and name in _INLINE:
            return value
        if not word.startswith("-") and " " not in word:
            return "" if word != "-" else stdin or ""
        if " " in word:
            return word
    return stdin or ""


SHELLS = listed("pwsh powershell tclsh wish expect nu elvish xonsh tcsh csh rc es osascript")
"""Languages in which a path stands without quotation marks; in R `~` is a formula."""
_NEAR_CALLS = lazy_pattern(
    r"\b(?:(unlink|file\.remove|file_delete|os\.remove|os\.rmdir|File\.rm!?|delete-file|removeFile|"
    r"Sys\.remove|fs\.delete|rm)|"
    r"(dir_delete|rm_rf!?|File\.rm_rf!?|delete-directory|removeDir|remove_tree|rmtree|deleteRecursively|"
    r"removeItem|dir\.remove|rmdir))"
    r"\s{0,3}\(?\s{0,3}(?:atPath:\s?)?\"([^\"\n]{1,300})\"([^)\n]{0,80})"
)
_ON_FILE = lazy_pattern(
    r"\b(?:new\s)?File\(\s?\"([^\"\n]{1,300})\"\s?\)\.(?:(delete)\(|deleteDir\(|deleteRecursively\()"
)
_WHOLE = lazy_pattern(r"(?i)\b(?:recursive\s?=\s?T(?:RUE)?\b|recursive\s?=\s?true|-r\b|\bt\b)|,\s?[\"']s[\"']")


def called(text: str) -> Iterator[tuple[str, bool]]:
    """Paths that a call of its language deletes, each with whether all below goes: `unlink("x", recursive = TRUE)`."""
    for one, _, path, behind in _NEAR_CALLS.findall(text):
        yield path, not one or _WHOLE.search(behind) is not None
    for path, one in _ON_FILE.findall(text):
        yield path, not one


def deleted(text: str, *, is_shell: bool) -> Iterator[str]:
    """Paths beyond the project that stand beside a word that deletes."""
    if not _DELETES.search(text):
        return
    quoted = _TEXT if is_shell else _QUOTED
    temporary = set(_IS_TEMPORARY.findall(text)) if "mp" in text else set()
    found = [
        path
        for match in quoted.finditer(text)
        for path in match.groups()
        if path and _FAR.match(path) and not _is_added_to(text, match.start(), temporary)
    ]
    found += [path for path in _PATH.findall(_TEXT.sub(" ", text)) if _FAR.match(path)] if is_shell else []
    if not found and _HOME.search(text):
        found = ["~/<computed>"]
    yield from dict.fromkeys(path.partition("\n")[0][:200] for path in found)


_IS_TEMPORARY = lazy_pattern(
    r"(?<!\w)(\w{1,60})\s?(?:,\s?\w{1,60}\s?)?:?=\s?(?:try\s)?[\w.:!]{0,40}(?:TempDir|MkdirTemp|tempdir|tempfile|mktempdir|tmp_dir|"
    r"createTempDirectory|createTempDir)\b!?\("
)
"""`d := t.TempDir()`: a name of a folder that the language makes."""
_ADDED = lazy_pattern(r"(\w{1,60})\s?(?:\+|<>|\.\.|\*)\s?\Z")


def _is_added_to(text: str, place: int, names: set[str]) -> bool:
    """`d+"/a"`: does it stand behind one of these names?"""
    before = _ADDED.search(text[max(0, place - 70) : place]) if names else None
    return before is not None and before[1] in names


_STATEMENT = lazy_pattern(r"(?:'[^'\n]*'|\"[^\"\n]*\"|[^;|\n'\"{}])+")
_CALL = lazy_pattern(
    r"\s{0,40}\^?(git|docker|podman|kubectl|helm|terraform|tofu|aws|gcloud|az|gh|npm|psql|mysql|dd|sudo|curl)\s"
)


def others(text: str) -> Iterator[str]:
    """Calls of programs in a shell with a grammar of its own: `^git push --force`."""
    yield from (each.strip().lstrip("^") for each in _STATEMENT.findall(text) if _CALL.match(each))


def run(text: str) -> Iterator[str]:
    """Texts that stand beside a word that runs a command."""
    if not _RUNS.search(text):
        return
    for match in _TEXT.finditer(text):
        said = next((group for group in match.groups() if group), "")
        if " " in said.strip():
            yield re.sub(r"\\(.)", r"\1", said)
