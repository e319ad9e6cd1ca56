"""Files that a line or a conversation wrote and that a program then runs: `pytest t.py`, `go run .`, `npx tsx x.ts`.

There is no table of programs that start a file. Any program may run the file that it is given, but for those that only
look at it, change it or send it. A builder or a runner of tests finds the files of its language itself. Pure.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from holdfast.commandline.inline import programs
from holdfast.commandline.model import Run
from holdfast.commandline.reading import names, only_checking
from holdfast.commandline.reading.files import Scripts
from holdfast.commandline.running import tasks
from holdfast.shell.tools import listed
from holdfast.shell.wrappers import SHELLS

ONLY_LOOK = listed(
    ". [ [[ ack ag alias apropos autopep8 aws bandit basename bat biome black bzip2 cat cd checkov chgrp chmod "
    "chown clang-format clang-tidy cloc cmp code column comm compileall conftest cp cppcheck curl cut dasel dd "
    "declare df diff difft dirname docker dos2unix du echo ed egrep emacs eslint eval exit export expr fd fgrep "
    "file find flake8 fmt gcloud gh git glab gofmt goimports golangci-lint golint grep gsutil gunzip gzip "
    "hadolint head helm hexdump hg idea install isort jj jq json.tool kill kube-score kubeconform kubectl kubesec "
    "kubeval less ln local ls mail markdownlint md5sum mkdir more mv mypy nano nerdctl nl nvim od open oxlint "
    "patch pbcopy plutil pluto podman prettier printf promtool py_compile pyflakes pylint pyright read readlink "
    "realpath rg rm rmdir rsync rubocop ruff rustfmt scc scp sed semgrep set sha1sum sha256sum shasum shellcheck "
    "shfmt shred sort source split sqlfluff stat strings stylelint subl svn systemd-analyze tac tail tar tee test "
    "tfsec tidy tokei touch tr trap trash tree trivy truncate tsc type uniq unlink unset unzip vi vim wc wget "
    "which xclip xdg-open xxd xz yamllint yapf zip zstd"
)
"""Programs that do not run the file that they are given here, or for which another part tells what they do with it."""
_LOOKS = listed("fmt format lint vet clippy validate schema --check --syntax-check --noEmit --dry-run --lint")
"""Words with which a program that may run files only looks at them, or lays them out."""
_CHECKERS = listed("pre-commit prek lefthook lint-staged")
"""Programs that hand the files they are given to checkers; their own settings may say what else they run."""
_LANGUAGES = {
    "python3": "py pyw", "node": "js mjs cjs jsx ts tsx mts cts", "ruby": "rb rake", "perl": "pl pm t", "php": "php",
    "bash": "sh bash zsh ksh envrc bats command", "awk": "awk", "pwsh": "ps1", "sed": "sed",
    "go": "go rs java zig",
    "lua": "lua tcl r jl swift kt kts groovy gradle scala ex exs exp c cc cpp cxx cs m d nim dart hs ml clj cr rkt f90 "
    "pas odin v applescript",
}  # fmt: skip
"""By the reader that understands them, the endings of files with programs."""
_READER_OF = {ending: reader for reader, endings in _LANGUAGES.items() for ending in endings.split()}
_SETTINGS = listed("yml yaml toml json jsonc json5 ini conf cfg tf hcl service timer")
"""Endings of files that tell a tool what to run, among much else."""
_TEXTS = listed("md rst txt adoc csv tsv jsonl ndjson log html htm css scss svg xml sql lock patch diff out tex ipynb")
"""Endings of files that tell no tool what to run."""
_OWN_SETTINGS = {
    "earthly": r"(?:\A|/)earthfile\Z", "act": r"\.github/workflows/", "poe": r"pyproject\.toml\Z",
    "prek": r"\.pre-commit-config\.yaml\Z",
    **dict.fromkeys(("foreman", "honcho", "overmind", "hivemind", "goreman"), r"(?:\A|/)procfile"),
    **dict.fromkeys(("terraform", "tofu", "terragrunt"), r"\.tf\Z"), "systemctl": r"\.(?:service|timer)\Z",
}  # fmt: skip
"""Programs whose file of settings has another name than their own."""
_SHEBANG = re.compile(r"#!\s*(?:\S*/)?(?:env\s+(?:-\S+\s+)?)?([\w.+-]+)")
_PYTHON = "python python3 pypy ipython pytest py.test tox nox fab inv invoke unittest coverage uvicorn gunicorn flask"
_NODE = (
    "node npm yarn pnpm bun deno jest vitest mocha ava gulp grunt webpack vite rollup cypress playwright ts-node tsx"
)
_JVM = "mvn mvnw gradle gradlew java sbt kotlinc kotlin scala groovy"
_FINDS: dict[str, frozenset[str]] = {
    **dict.fromkeys(_PYTHON.split(), listed("py")),
    **dict.fromkeys(_NODE.split(), listed("js mjs cjs jsx ts tsx mts cts")),
    **dict.fromkeys(_JVM.split(), listed("java kt kts gradle groovy scala")),
    **dict.fromkeys(("rake", "rspec", "bundle", "rails"), listed("rb rake")),
    "go": listed("go"), "cargo": listed("rs"), "zig": listed("zig"), "dotnet": listed("cs"), "swift": listed("swift"),
    "mix": listed("ex exs"), "prove": listed("t pm pl"), "phpunit": listed("php"), "bats": listed("bats"),
    "direnv": listed("envrc"),
}  # fmt: skip
"""Programs that find the files of their language by themselves, with the endings of these."""
_MOST = 8


def reader_of(name: str, text: str) -> str:
    """The program that understands a file, by its first line or its ending; '' when it is no program."""
    if (first := _SHEBANG.match(text)) is not None:
        told = first[1].rstrip("0123456789.") or first[1]
        return {"python": "python3", "nodejs": "node"}.get(told, told if told in _LANGUAGES else _other(told))
    return _READER_OF.get(posixpath.basename(name).rpartition(".")[2].lower(), "")


def _other(name: str) -> str:
    return "bash" if name.endswith("sh") else "lua"


def run_by(scripts: Scripts, run: Run, path: str) -> Iterator[tuple[str, str]]:
    """Name and text of the files that a program runs because it is given them, or finds them; `path` is its own."""
    if run.remote or run.program in ONLY_LOOK or run.program in _CHECKERS or not _LOOKS.isdisjoint(run.texts):
        return
    given = [path if run.via else "", *(text for arg in run.args if arg.known for text in _names(arg.text))]
    module = names.module(run.args) if _is_python(run.program) else ()
    if module:  # what it does with its words is told by the run of the module
        place = module[0].text.replace(".", "/")
        given = [f"{place}.py", f"{place}/__main__.py"]
    found: dict[str, str] = {}
    for name in given[:200]:
        if reader_of(name, "") and (text := scripts.text_of(name, run.directory, run.remote)) is not None:
            found[name] = text
        elif name and (wrote := scripts.wrote_into(name)) is not None and (wrote.text or "").startswith("#!"):
            found[name] = wrote.text or ""
    inline = run.texts[1] if run.texts[:1] == ("-c",) and len(run.texts) > 1 and _is_python(run.program) else ""
    if not found and not module and (endings := _FINDS.get(run.program.rstrip("0123456789.") or run.program)):
        found = {
            name: stream.text
            for name, stream in scripts.written.items()
            if stream.text
            and name.rpartition(".")[2] in endings
            and (not inline or only_checking.imports(inline, name))
        }
    for name, text in list(found.items())[:_MOST]:
        if not only_checking.only_checks(run, ONLY_LOOK, text):
            yield name, text


def _is_python(program: str) -> bool:
    return programs.language(program) == "python"


def settings_of(scripts: Scripts, run: Run) -> Iterator[tuple[str, str]]:
    """Name and text of the files of settings that a program is given or finds itself: `ansible-playbook p.yml`,
    `act`, `mise run x`. For a program in a language, and for a runner of tests, such a file is data."""
    if run.remote or run.program in ONLY_LOOK or run.program in _READ_ELSEWHERE or not _LOOKS.isdisjoint(run.texts):
        return
    if _LINTS.search(run.program) or _only_checks_settings(run):
        return
    is_data = run.program in _FINDS or programs.language(run.program) is not None
    found: dict[str, str] = {}
    for name in [text for arg in run.args if arg.known and not is_data for text in _names(arg.text)][:200]:
        ending = posixpath.basename(name).rpartition(".")[2].lower()
        if ending in _SETTINGS and (told := scripts.text_of(name, run.directory, run.remote)) is not None:
            found[name] = told
        elif not reader_of(name, "") and ending not in _TEXTS and (wrote := scripts.wrote_into(name)) is not None:
            found[name] = wrote.text or ""
    for name, stream in scripts.written.items() if run.program else ():
        if stream.text and not reader_of(name, "") and _finds(run.program, name.lower()):
            found[name] = stream.text
    yield from list(found.items())[:_MOST]


def _only_checks_settings(run: Run) -> bool:
    """`pre-commit validate-config`, `foreman check`, `logrotate -d`: does it look at its own file, and run nothing?"""
    if (options := _TRIES.get(run.program)) is not None and not options.isdisjoint(run.texts):
        return True
    first = next((text for text in run.texts if not text.startswith("-")), "")
    return first in _CHECKS


_CHECKS = listed("validate-config validate-manifest verify-config check-config configtest config-test lint-config")
_TRIES = {
    "logrotate": listed("-d --debug"), "crontab": listed("-T"), "supervisord": listed("-t"), "monit": listed("-t"),
    **dict.fromkeys(("foreman", "honcho", "overmind", "goreman"), listed("check")),
}  # fmt: skip
"""Programs, with the words by which they only look at their file."""


def are_settings(name: str) -> bool:
    """Does the ending of a file say that it holds settings, and no program?"""
    return posixpath.basename(name).rpartition(".")[2].lower() in _SETTINGS


def _finds(program: str, name: str) -> bool:
    """Is it the file that a program looks for: `lefthook.yml`, `.gitlab-ci.yml` for `gitlab-runner`, `Vagrantfile`?"""
    if (own := _OWN_SETTINGS.get(program)) is not None:
        return re.search(own, name) is not None
    first = program.partition("-")[0]
    return len(first) > _SHORTEST and any(
        piece in (first, f"{first}file") for piece in re.findall(r"[a-z0-9]{1,60}", name[-200:])
    )


_SHORTEST = 2
_LINTS = re.compile(r"lint|check|fmt|format|valid|verify")
"""In the name of a program that only looks: `actionlint`, `ansible-lint`."""
_READ_ELSEWHERE = SHELLS | tasks.PROGRAMS


def _names(text: str) -> Iterator[str]:
    """The file in a word: `x.py`, `--config=x.js`, `t.py::test_a`, `-fx`, `@x`."""
    yield text
    if "=" in text:
        yield text.rpartition("=")[2]
    if "::" in text:
        yield text.partition("::")[0]
    if text[:1] == "@":
        yield text[1:]
