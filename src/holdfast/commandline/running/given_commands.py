"""Commands that a program is given by an option, by its own script or on standard input: `scp -S`, `sed '1e cmd'`,
`psql -c '\\! cmd'`, `crontab -`, `ansible -a`. Pure."""

from __future__ import annotations

import itertools
import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from holdfast.commandline.model import Arg, Run
from holdfast.commandline.running import hidden
from holdfast.commandline.running.inner import Inner
from holdfast.patterns import lazy_pattern


def _editor(run: Run) -> Iterator[Inner]:
    """`vim -c '!cmd'`, `vim '+!cmd'`, `sed '1e cmd'`, `ed <<< '!cmd'`."""
    if run.program in ("ed", "red", "ex") and run.stdin:
        for line in run.stdin[:20_000].splitlines():
            if line.startswith("!"):
                yield Inner(text=line[1:])
    for arg in run.args:
        is_sed = run.program in ("sed", "gsed")
        found = _SED_RUNS.search(sed_commands(arg.text)) if is_sed else _EDITOR_RUNS.match(arg.text)
        if found:
            yield Inner(text=found[1], known=arg.known)
        if is_sed:  # `s/x/cmd/e` runs what it has put in
            for replaced in _SED_REPLACES.finditer(arg.text[:20_000]):
                if replaced[3]:
                    yield Inner(text=replaced[2], known=arg.known)


_EDITOR_RUNS = lazy_pattern(r"\+?\s*:?\s*(?:sil\w*!?\s+)?(?:exe\w*\s+[\"'])?!(.+)", re.DOTALL)
_SED_RUNS = lazy_pattern(r"(?:\A|[\n;{}\d$¤])[ \t]*e[ \t]+([^\n]+)")
_SED_REPLACES = lazy_pattern(
    r"(?<![\w/])[sy]([/|,#!@%:_])(?:\\.|(?!\1)[^\\\n])*\1((?:\\.|(?!\1)[^\\])*)\1([gpIiMm\d]*e)?", re.DOTALL
)
_SED_ADDRESS = lazy_pattern(r"(\A|[;{},\n!])[ \t]*/(?:\\.|[^/\\\n])+/")


def sed_commands(script: str) -> str:
    """A script of sed with ¤ for what it looks for and puts in, so that the letters that are left are its commands."""
    return _SED_ADDRESS.sub(r"\1¤", _SED_REPLACES.sub("¤", script[:20_000]))


_OPTIONS_THAT_RUN: dict[str, tuple[str, ...]] = {
    "scp": ("-S",), "sftp": ("-S",), "rsync": ("-e", "--rsh", "--rsync-path"), "sort": ("--compress-program",),
    "tar": ("--to-command", "--use-compress-program", "-I", "-F", "--info-script", "--checkpoint-action"),
    "zip": ("-TT", "--unzip-command"), "split": ("--filter",), "tcpdump": ("-z",),
    "man": ("-P", "--pager", "-H", "--html"),
    "mapfile": ("-C",), "readarray": ("-C",), "complete": ("-C",), "gdb": ("-ex", "--eval-command", "-iex"),
    "lldb": ("-o", "--one-line"), "xterm": ("-e",), "gnome-terminal": ("-e", "--command"), "less": ("-k",),
    "npm": ("--script-shell",), "yarn": ("--script-shell",), "make": ("--eval",), "socat": (),
    "wget": ("--use-askpass",), "expect": ("-c",), "mutt": ("-e",), "ssh": ("-o",), "apt": ("-o",), "apt-get": ("-o",),
    "dpkg": ("--pre-invoke", "--post-invoke"),
}  # fmt: skip
"""Programs that run the value of an option."""
_RUNS_AFTER = lazy_pattern(
    r"(?i)(?:exec=|(?:Proxy|Local|Remote)Command=|KnownHostsCommand=|(?:Pre|Post)-Invoke(?:::)?=|shell\s+|!|\+!|"
    r"\$\(shell\s+|(?:EXEC|SYSTEM):)(.*)",
    re.DOTALL,
)


_ONLY_AFTER = ("ssh", "apt", "apt-get", "gdb", "lldb", "make", "less", "socat")
"""Their options take much else: only what stands behind a sign is a command."""


def _by_option(run: Run) -> Iterator[Inner]:
    """`scp -S 'cmd'`, `sort --compress-program=cmd`, `tar --checkpoint-action=exec=cmd`, `make SHELL='cmd'`."""
    wanted = _OPTIONS_THAT_RUN[run.program]
    for place, arg in enumerate(run.args):
        name, sign, value = arg.text.partition("=")
        given = None
        if arg.text in wanted and place + 1 < len(run.args):
            given = run.args[place + 1]
        elif sign and (name in wanted or (run.program == "make" and name in ("SHELL", ".SHELLFLAGS"))):
            given = Arg(value, arg.known, arg.quoted)
        elif run.program in ("less", "socat") and _RUNS_AFTER.search(arg.text):
            given = arg
        if given is None:
            continue
        found = _RUNS_AFTER.search(given.text)
        text = found[1] if found else given.text
        if (found or run.program not in _ONLY_AFTER or name == "SHELL") and " " in text.strip():
            yield Inner(text=text.rstrip(")") if "$(shell" in given.text else text, known=given.known)


def _database(run: Run) -> Iterator[Inner]:
    """A client's way out to the shell: `\\! cmd`, `.shell cmd`, `COPY … TO PROGRAM 'cmd'`, `system cmd`."""
    for text in (*run.texts, run.stdin or ""):
        for found in _TO_SHELL.finditer(text):
            yield Inner(text=next(filter(None, found.groups()), ""))


_TO_SHELL = lazy_pattern(
    r"(?im)(?:^|[;\s'\"])\\!\s*([^\n]+)|^\s*\.(?:shell|system|sh)\s+([^\n]+)|\bprogram\s+'((?:[^']|'')*)'|"
    r"^\s*(?:system|host|shell)\s+([^\n;]+)|^\s*!\s*([^\n]+)|\bxp_cmdshell\s+N?'((?:[^']|'')*)'"
)


def _many_machines(run: Run) -> Iterator[Inner]:
    """`salt '*' cmd.run 'cmd'`, `ansible all -m shell -a 'cmd'`, `pssh -h hosts 'cmd'`."""
    for place, arg in enumerate(run.args):
        if place and " " in arg.text.strip() and not arg.text.startswith("-"):
            yield Inner(text=arg.text, known=arg.known, remote="ssh")
        elif arg.text == "--" and run.args[place + 1 :]:
            yield Inner(run.args[place + 1 :], remote="ssh")
            return
    if run.program not in ("salt", "salt-ssh", "ansible", "fab"):  # `pdsh -w web1 rm -rf /srv/app`
        yield from (replace(inner, remote="ssh") for inner in hidden.command(run) if inner.words)


def _platform(run: Run) -> Iterator[Inner]:
    """`heroku run -a shop -- rails runner '…'`, `railway run CMD`: on a machine of the platform, with its data."""
    words = run.texts
    place = next((n for n, word in enumerate(words[:8]) if word in _ON_PLATFORM), None)
    if place is None:
        return
    rest = run.args[place + 1 :]
    dashes = next((n for n, arg in enumerate(rest) if arg.text == "--"), None)
    if dashes is not None:
        rest = rest[dashes + 1 :]
    else:
        left: list[Arg] = []
        skip = False
        for arg in rest:
            if not left and (skip or arg.text.startswith("-")):
                skip = not skip and arg.text in _PLATFORM_VALUES
            else:
                left.append(arg)
        rest = tuple(left)
    if len(rest) == 1:
        yield Inner(text=rest[0].text, known=rest[0].known, remote="ssh", stdin=run.stdin)
    elif rest:
        yield Inner(tuple(rest), remote="ssh", stdin=run.stdin)


_ON_PLATFORM = ("run", "run:detached", "run:inside", "ps:exec", "exec", "ssh", "enter")
_PLATFORM_VALUES = frozenset(
    {"-a", "--app", "-s", "--size", "--service", "-e", "--environment", "-r", "--remote", "--env"}
)


def _machine_of_cloud(run: Run) -> Iterator[Inner]:
    """`fly ssh console -C CMD`, `gcloud compute ssh vm --command CMD`, `aws ssm send-command … commands=["CMD"]`."""
    for option, arg in itertools.pairwise(run.args):
        if option.text in ("-C", "--command", "--scripts") and " " in arg.text:
            yield Inner(text=arg.text, known=arg.known, remote="ssh")
        elif option.text == "--parameters" and "commands" in arg.text[:20]:
            for found in _QUOTED.finditer(arg.text[:4_000]):
                yield Inner(text=found[1].replace('\\"', '"'), known=arg.known, remote="ssh")
    for arg in run.args:
        name, sign, value = arg.text.partition("=")
        if sign and name in ("--command", "--scripts"):
            yield Inner(text=value, known=arg.known, remote="ssh")


_QUOTED = lazy_pattern(r"[\[,=]\s{0,5}\"((?:[^\"\\]|\\.)+)\"|[\[,=]\s{0,5}'([^']+)'")


def _crontab(run: Run) -> Iterator[Inner]:
    """Lines of a crontab: what stands behind the times."""
    for line in (run.stdin or "").splitlines():
        if found := _CRON_LINE.match(line):
            yield Inner(text=found[1])


_CRON_LINE = lazy_pattern(r"\s*(?:@\w+|(?:[\d*/,-]+\s+){4}[\d*/,\w-]+)\s+(.+)")


GIVEN: dict[str, Callable[[Run], Iterator[Inner]]] = {
    **dict.fromkeys(_OPTIONS_THAT_RUN, _by_option),
    **dict.fromkeys(("vim", "vi", "nvim", "ex", "ed", "red", "sed", "gsed"), _editor),
    **dict.fromkeys(
        ("psql", "mysql", "mariadb", "sqlite3", "duckdb", "sqlcmd", "sqlplus", "cqlsh", "mongosh", "pgcli"), _database
    ),
    **dict.fromkeys(
        (
            "salt",
            "salt-ssh",
            "ansible",
            "pssh",
            "parallel-ssh",
            "clush",
            "pdsh",
            "dsh",
            "mussh",
            "fab",
            "knife",
            "prsync",
        ),
        _many_machines,
    ),
    **dict.fromkeys(("heroku", "railway", "scalingo", "gigalixir", "render", "dokku", "eb", "cf", "clever"), _platform),
    **dict.fromkeys(("fly", "flyctl", "gcloud", "az", "aws"), _machine_of_cloud),
    "crontab": _crontab,
}


def given_program(run: Run) -> Run | None:
    """`manage.py shell -c TEXT`, `rails runner TEXT`, `artisan tinker --execute=TEXT`."""
    words = [arg.text for arg in run.args]
    framework = [run.program, *words[:1]]
    if any(word.endswith(("manage.py", "django-admin")) for word in framework) and "shell" in words[:2]:
        for option, value in itertools.pairwise(run.args):
            if option.text in ("-c", "--command"):
                return replace(run, program="python3", args=(Arg("-c"), value))
        if run.stdin:
            return replace(run, program="python3", args=())
    if any(posixpath.basename(word) == "rails" for word in framework) and {"runner", "r"} & set(words[:2]):
        if words[-1] == "-":
            return replace(run, program="ruby", args=())
        return replace(run, program="ruby", args=(Arg("-e"), run.args[-1]))
    if any(posixpath.basename(word) == "artisan" for word in framework) and "tinker" in words[:2]:
        text = next((word.partition("=")[2] for word in words if word.startswith("--execute=")), "")
        text = text or next((value for option, value in itertools.pairwise(words) if option == "--execute"), "")
        text = text or (run.stdin or "")
        return replace(run, program="php", args=(Arg("-r"), Arg(text))) if text else None
    if (options := _PYTHON_INSIDE.get(posixpath.basename(run.program))) is not None:
        return _python_inside(run, options)
    return _by_console(run, words)


_PYTHON_INSIDE = {
    "blender": ("-P", "--python", "--python-expr"), "freecadcmd": ("-c", "--console"), "freecad": ("-c", "--console"),
    "slicer": ("--python-code", "--python-script"), "unrealeditor-cmd": ("-script",), "calibre-debug": ("-c",),
    "gdb": ("-x",), "qgis": ("--code",), "spyder": (), "odoo": (), "odoo-bin": (),
    "pyspark": (),
}  # fmt: skip
"""Programs that have a Python of their own, with the options behind which its text or its file stands."""


def _python_inside(run: Run, options: tuple[str, ...]) -> Run | None:
    """`blender -b -P -`, `blender --python-expr TEXT`, `odoo shell <<EOF`."""
    for option, value in itertools.pairwise(run.args):
        if option.text not in options:
            continue
        if value.text == "-":
            return replace(run, program="python3", args=()) if run.stdin else None
        if any(sign in value.text for sign in " (;"):
            return replace(run, program="python3", args=(Arg("-c"), value))
        if value.text.endswith(".py"):
            return replace(run, program="python3", args=(value,))
    reads = run.stdin is not None and (run.texts[:1] == ("shell",) or run.program == "pyspark")
    return replace(run, program="python3", args=()) if reads else None


def given_client(run: Run) -> Run | None:
    """`manage.py dbshell`, `rails dbconsole`, `artisan db`: a client of the project's database."""
    for place, (word, verb) in enumerate(itertools.pairwise((run.program, *run.texts[:3]))):
        if verb in _CLIENTS_OF.get(posixpath.basename(word), ()):
            dashes = next((n for n, arg in enumerate(run.args) if arg.text == "--"), len(run.args))
            return replace(run, program="psql", args=run.args[max(place, dashes) + 1 :])
    return None


_CLIENTS_OF = {
    "manage.py": ("dbshell",), "django-admin": ("dbshell",), "rails": ("dbconsole", "db"), "artisan": ("db",),
}  # fmt: skip
"""Frameworks, with the words by which they start a client."""


def _by_console(run: Run, words: list[str]) -> Run | None:
    """A console of a framework that reads a program: `flask shell <<< …`, `rails console <<< …`, `mix run -e …`."""
    name = posixpath.basename(run.program)
    if name in ("rails", "flask", "manage.py", "django-admin") and words[:1] and run.stdin:
        language = "ruby" if name == "rails" else "python3"
        if words[0] in ("console", "c", "shell", "shell_plus"):
            return replace(run, program=language, args=())
    if name == "mix" and words[:1] == ["run"]:
        for option, value in itertools.pairwise(run.args):
            if option.text in ("-e", "--eval"):
                return replace(run, program="elixir", args=(Arg("-e"), value))
    return None


RUNS_VALUE = lazy_pattern(
    r"(?:GIT_(?:SEQUENCE_EDITOR|EDITOR|PAGER|EXTERNAL_DIFF|SSH_COMMAND|PROXY_COMMAND|ASKPASS)|EDITOR|VISUAL|PAGER|MANPAGER|"
    r"BROWSER|LESSOPEN|LESSCLOSE|SSH_ASKPASS|SUDO_ASKPASS|PROMPT_COMMAND|RUSTC_WRAPPER|BASH_ENV|ENV)\Z"
)
"""Variables whose value some program runs."""
GIT_RUNS = lazy_pattern(
    r"(?i)(?:core\.(?:pager|editor|sshcommand|gitproxy|fsmonitor|askpass)|sequence\.editor|diff\.external|"
    r"(?:pager|difftool|mergetool|diff|merge|filter|credential)\.[^=]*?(?:cmd|command|textconv|driver|clean|smudge|helper)|"
    r"pager\.[\w-]+)=!?(.*)",
    re.DOTALL,
)
"""Settings of git whose value it runs."""
