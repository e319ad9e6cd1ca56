"""Files that a tool may not write, or only after a question. Pure.

What is refused here would let an agent switch its own guard off, or leave a door open for later.
"""

from __future__ import annotations

import fnmatch
import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from urllib.parse import unquote

from holdfast.commandline.effects.deeds import deeds
from holdfast.commandline.effects.outputs import additions, landed
from holdfast.commandline.effects.places import is_setting, path_of, spot, takes_files_in
from holdfast.commandline.inline import programs
from holdfast.commandline.model import Arg, Deed, Run, Where
from holdfast.judging.listed_paths import NamedByLists
from holdfast.judging.model import Finding, RuleDecision
from holdfast.judging.saving import moved_and_back
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

_STARTUP = lazy_pattern(
    r"(?i)\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|cshrc|tcshrc|"
    r"login|logout|xprofile|xinitrc|xsession|xsessionrc|xserverrc|pam_environment)\Z|"
    r"\.config/(?:fish/(?:config\.fish|(?:conf\.d|functions)/.*)|autostart/.*|systemd/user/.*|environment\.d/.*|"
    r"nushell/(?:config|env|login)\.nu|powershell/.*profile\.ps1|plasma-workspace/env/.*)\Z|Library/Launch(?:Agents|Daemons)/.*"
)
_SECRET = lazy_pattern(
    r"(?i)(?:\.ssh/(?!known_hosts|config\Z)[^/]+|\.aws/(?:credentials|config)|\.gnupg/.*|\.kube/config|\.docker/config\.json|"
    r"\.netrc|\.pgpass|\.npmrc|\.pypirc|\.config/gcloud/.*|\.azure/.*|\.git-credentials|\.config/gh/hosts\.yml|"
    r"\.cargo/credentials(?:\.toml)?|\.terraform\.d/credentials\.tfrc\.json|\.terraformrc|\.oci/.*|\.vault-token|\.gem/credentials|"
    r"\.config/(?:containers/auth\.json|rclone/rclone\.conf|op/.*|doctl/config\.yaml|glab-cli/config\.yml|hub)|\.boto|\.s3cfg|"
    r"\.pulumi/credentials\.json|\.password-store/.*|\.my\.cnf|\.databrickscfg|\.snowflake/.*|\.kaggle/kaggle\.json|"
    r"\.(?:cache/)?huggingface/(?:token|stored_tokens)|\.local/share/keyrings/.*|\.config/solana/id\.json)\Z"
)
_OTHERS_HOME = lazy_pattern(r"(?i)/(?:(?:home|Users)/[^/]+|root)/(.+)")
_GIT = lazy_pattern(r"(?i)(?:\A|/)\.git/(?:hooks|config|objects|refs|HEAD|index|packed-refs|info/attributes)(?:/.*)?\Z")
_IN_GIT = lazy_pattern(
    r"(?i)(?:\A|/)\.git(?:/(?!info/(?:exclude|sparse-checkout)\Z|[A-Z_]+_?(?:EDITMSG|MSG|HEAD)\Z|gc\.log\Z|.*\.lock\Z|rebase-\w+/|"
    r"description\Z|logs/).*)?\Z"
)
"""Anything else of a repository; a text that git asks for is written by hand, too."""
_RUNS_PROGRAMS = lazy_pattern(r"(?i)(?:\.ssh/config|\.ssh/config\.d/.*|\.gitconfig|\.config/git/(?:config|hooks/.*))\Z")
_SERVERS = lazy_pattern(r"(?i)(?:\A|/)\.mcp\.json\Z")
_CLIENT = lazy_pattern(
    r"(?i)(?:\A|/)\.claude/(?:settings(?:\.local)?\.json|managed-settings\.json|hooks/.+|plugins|"
    r"plugins/(?:(?:installed_plugins|known_marketplaces)\.json|(?:cache|marketplaces)|.*holdfast.*))\Z|"
    r"(?:\A|/)\.claude\.json\Z"
)
_SCHEDULE = lazy_pattern(r"\A/(?:etc|var/spool/cron)/")
_SYSTEM = lazy_pattern(
    r"(?i)\A/(?:(?:usr/)?(?:local/)?(?:s?bin|lib(?:32|64|exec|x32)?)|boot|efi|sys|proc|System|opt/homebrew/s?bin)/.+"
)
"""Programs and libraries that others run, and the kernel's own files."""
_OUR_FILES = lazy_pattern(r"(?i)/\.holdfast(?:-guards)?\.toml\Z")
_OUR_LINK = lazy_pattern(r"(?i)(?:\.local/bin|bin)/holdfast\Z")
_CLIENT_FOLDER = lazy_pattern(r"(?i)(?:\A|/)\.claude\Z")
_IN_PROJECT = lazy_pattern(r"(?:[\w.-]+/)*\.(?:git|claude)/")
"""Where it is not known which project it is, these still are what they are."""
_READS = listed(
    "ls cat head tail less more grep rg egrep fgrep stat file wc du df find fd tree jq diff cmp sha256sum md5sum "
    "shasum echo printf test [ cd pushd readlink realpath basename dirname which type holdfast hexdump xxd od strings "
    "sort uniq cut awk bat date true false export pwd"
)
"""Programs that only read the files they are given; their redirections are looked at all the same."""


def of_write(path: str, where: Where, private: tuple[str, ...], *, tool: bool = False) -> Finding | None:
    """What a rule says about writing to this path; `private` are holdfast's own folders. `tool`: a tool for files is
    told to, not a program of a line, about which other rules are asked as well."""
    full = posixpath.normpath(path if path.startswith("/") else posixpath.join(where.cwd or "/", path))
    below_home = where.home and full.lower().startswith(f"{where.home.lower()}/")  # a disk may know no case
    others = _OTHERS_HOME.match(full)
    at_home = full[len(where.home) + 1 :] if below_home else others[1] if others else ""
    in_project = bool(where.root) and full.startswith(f"{where.root}/")

    def found(rule: str, decision: RuleDecision, said: str, instead: str) -> Finding:
        return Finding(f"files.{rule}", decision, f"{path} {said}", instead, f"write {path}")

    if is_private(full, private):
        return found(
            "holdfast", "deny", "belongs to holdfast: its rules, its records or what it keeps for undo",
            "ask the user to change it",
        )  # fmt: skip
    if _OUR_FILES.search(full):
        return found("holdfast", "ask", "holds rules and settings of holdfast", "tell the user what to change")
    if _OUR_LINK.match(at_home) or (full.endswith("/bin/holdfast") and not in_project):
        return found("holdfast", "ask", "is the program of holdfast", "tell the user what to change")
    if _GIT.search(full) and not full.endswith(".lock"):
        return found(
            "git-internals", "ask", "is inside `.git`: hooks and settings there run programs", "use a git command"
        )
    if tool and _IN_GIT.search(full):
        return found("git-internals", "ask", "is a part of the repository itself", "use a git command")
    if at_home and not in_project and _RUNS_PROGRAMS.match(at_home):
        return found(
            "startup", "ask", "names programs that ssh or git runs at every call", "tell the user which line to add"
        )
    if tool and _SERVERS.search(full):
        return found(
            "client-settings", "ask", "names programs that the client starts as servers", "tell the user what to change"
        )
    if _CLIENT.search(full):
        return found(
            "client-settings", "ask", "decides what the client may do, and which hooks run",
            "tell the user what to change",
        )  # fmt: skip
    if at_home and not in_project and _STARTUP.match(at_home):
        return found("startup", "ask", "runs at every login", "tell the user which line to add")
    if at_home and not in_project and _SECRET.match(at_home):
        return found("credentials", "deny", "holds credentials", "ask the user to change it")
    if _SCHEDULE.search(full) and not takes_files_in(full):
        decision: RuleDecision = "ask" if is_setting(full) else "deny"
        return found("system", decision, "is part of the system", "ask the user to change it")
    if tool and full.startswith("/dev/") and spot(Arg(full, quoted=True), "", where).kind == "device":
        return found("system", "deny", "is a device", "ask the user to do it")
    if tool and _SYSTEM.match(full) and not in_project and not takes_files_in(full):
        return found("system", "ask", "is part of the system", "ask the user to change it")
    return None


def meant(path: str, where: Where) -> str:
    """The full path of a file that a tool is given: `~/x`, `$HOME/x` and `file:///x` mean what they say elsewhere."""
    text = local_path(path)
    return posixpath.normpath(posixpath.join(where.cwd or "/", path_of(Arg(text, quoted=True), "", where) or text))


def local_path(text: str) -> str:
    """The path in an address of a file on this machine; any other text as it is."""
    found = _ADDRESS.match(text)
    return unquote(text[found.end() :]) if found is not None else text


_ADDRESS = lazy_pattern(r"(?i)\Afile:(?://(?:localhost)?)?(?=/)")


def is_private(full: str, private: tuple[str, ...]) -> bool:
    """Does this path lie in one of these folders? A pattern does when it may."""
    full = _ROOT_AGAIN.sub("", full).lower()  # on a disk without case each spelling is the same folder
    private = tuple(each.lower() for each in private)
    if any(full == each or full.startswith(f"{each.rstrip('/')}/") for each in private if each):
        return True
    if not any(sign in full for sign in "*?["):
        return False
    return any(_may_be(full, each) for each in private if each)


_ROOT_AGAIN = lazy_pattern(r"\A/proc/(?:self|thread-self|\d+)/(?:root|cwd)(?=/)")
"""The file system once more, below a process."""


def _may_be(pattern: str, folder: str) -> bool:
    """May a pattern such as `/home/*/.hold*/x` name something in this folder?"""
    wanted, given = folder.strip("/").split("/"), pattern.strip("/").split("/")
    if len(given) < len(wanted):
        return False
    return all(fnmatch.fnmatchcase(name, each) for name, each in zip(wanted, given, strict=False))


def _of_program(run: Run, where: Where, private: tuple[str, ...]) -> Iterator[Finding]:
    """A program written in the line, or a client of a socket, that names holdfast's folder and does not only read."""
    if run.remote or (programs.language(run.program) is None and run.program not in _CONNECTS):
        return
    text = "\n".join([*run.texts[:50], run.stdin or ""])[:_LONGEST]
    named = next((each for each in _names(where, private) if each in text), "")
    if named and (run.program in _CONNECTS or _ACTS.search(text)):
        yield _of_holdfast(named, run.program)


_LONGEST = 100_000
_CONNECTS = frozenset({"socat", "nc", "ncat", "netcat", "websocat"})
_ACTS = lazy_pattern(
    r"(?i)['\"](?:[awx]|r\+)[bt]?\+?['\"]|>\s*['\"/~$]|write|append|copy|move|rename|replace|unlink|remove|rmtree|link|"
    r"truncate|touch|mkdir|socket|connect|kill|chmod|chown|system|exec|spawn|subprocess|popen"
)


def _names(where: Where, private: tuple[str, ...]) -> Iterator[str]:
    """How a program may write holdfast's folder."""
    yield "HOLDFAST_HOME"
    for each in private:
        if each:
            yield each
            if where.home and each.startswith(f"{where.home}/"):
                yield each[len(where.home) + 1 :]


def _ends_daemon(runs: Sequence[Run], where: Where, private: tuple[str, ...]) -> Finding | None:
    """`jq .pid ~/.holdfast/daemon.lock | xargs kill`: one run reads who the daemon is, another ends a process."""
    if not any(run.program in ("kill", "pkill", "killall") and "-0" not in run.texts for run in runs):
        return None
    for run in runs:
        for arg in run.args[:200]:
            path = _full(arg, run, where)
            if path and is_private(path, private) and path.endswith((".lock", ".pid")):
                return Finding(
                    "holdfast.override",
                    "ask",
                    "guards are off while the daemon is away",
                    "`holdfast restart` renews it",
                )
    return None


def _of_holdfast(named: str, program: str) -> Finding:
    return Finding(
        "files.holdfast", "deny", f"{named} belongs to holdfast: its rules, its records or what it keeps for undo",
        "ask the user to do it", program,
    )  # fmt: skip


def of_line(runs: Sequence[Run], where: Where, private: tuple[str, ...]) -> Iterator[Finding]:
    """What a rule says about the files of all programs of a line, but for those that it moves away and back.

    What decides about the guards themselves is asked about all the same."""
    back = moved_and_back(runs)
    lists = _lists(runs, where, private)
    if (ends := _ends_daemon(runs, where, private)) is not None:
        yield ends
    for number, run in enumerate(runs):
        yield from _of_program(run, where, private)
        for finding in of_run(run, where, private, lists):
            if finding.rule == "files.startup" and _is_only_started(finding, runs):
                continue
            if number not in back or finding.rule in _OF_GUARDS:
                yield finding


def _lists(runs: Sequence[Run], where: Where, private: tuple[str, ...]) -> NamedByLists:
    return NamedByLists(runs, where, private, lambda path: of_write(path, where, private))


def _is_only_started(finding: Finding, runs: Sequence[Run]) -> bool:
    """A unit of systemd that the line writes and does not enable does not run at login."""
    path = finding.command.removeprefix("write ")
    enables = any(run.program == "systemctl" and _ENABLES & set(run.texts) for run in runs)
    return takes_files_in(path) and not enables


_ENABLES = listed("enable link reenable preset add-wants add-requires")
_OF_GUARDS = frozenset({"files.holdfast", "files.client-settings"})


def of_run(run: Run, where: Where, private: tuple[str, ...], lists: NamedByLists | None = None) -> Iterator[Finding]:
    """What a rule says about the files that one program of a line writes or is given; `lists` are those of the line."""
    if run.remote:
        return
    lists = lists or _lists((run,), where, private)
    written = [arg for _, arg in run.writes]
    done = [deed for deed in deeds(run) if deed.act in ("overwrite", "delete")]
    written += [target for deed in done for target in deed.targets]
    written += [landed(target, source) for deed in done for target in deed.targets for source in deed.sources]
    written += additions(run)
    added = {arg.text for mode, arg in run.writes if mode == "append"}
    added |= set(run.texts) if run.program == "tee" and not _ADDS.isdisjoint(run.texts) else set()
    for arg in written:
        path = _full(_at_home(arg, private), run, where)
        if path == "/etc/hosts" and arg.text in added:
            continue  # a name for this machine more; none is lost
        of_project = bool(path) and _HOOK.search(path) is not None and bool(hooks_from(run, where))
        if of_project and not where.cwd:
            continue  # with a folder git tells whether the project has them
        if path and (finding := of_write(path, where, private)) is not None:
            yield replace(finding, run=run) if of_project else finding
    computed = [*(target for deed in done for target in deed.targets), *(arg for _, arg in run.writes)]
    yield from (found for arg in computed if (found := lists.of(arg, run)) is not None)
    yield from _of_client_folder(run, done, where)
    if run.program in _READS:
        return
    for arg in run.args[:200]:
        path = _full(_at_home(arg, private), run, where)
        named = bool(path) and "/" in path and is_private(path, private)
        if named or ((found := lists.of(arg, run)) is not None and found.rule == "files.holdfast"):
            yield _of_holdfast(arg.text, run.program)


_ADDS = listed("-a --append -ai -ia")
_HOOK = lazy_pattern(r"(?:\A|/)\.git/hooks(?:/.*)?\Z")


def hooks_from(run: Run, where: Where) -> list[str]:
    """`ln -sf ../../scripts/check .git/hooks/pre-commit`: the files of the project that become hooks of git; none when
    another may."""
    if run.program not in ("ln", "cp", "install") or run.writes:
        return []
    sources = [source for deed in deeds(run) if deed.act == "overwrite" for source in deed.sources]
    found: list[str] = []
    for source in sources or [arg for arg in run.args if arg.text[:1] != "-"][:1]:
        text = source.text
        linked = run.program == "ln" and text.startswith("../../")  # from `.git/hooks`
        place = spot(replace(source, text=text[6:]) if linked else source, run.directory, where)
        if place.kind not in ("inside", "artefact") or not source.known:
            return []
        found.append(place.path)
    return found


def _of_client_folder(run: Run, done: list[Deed], where: Where) -> Iterator[Finding]:
    """A whole folder `.claude` that is removed, moved, or copied over: its settings go with it."""
    whole = any(re.match(r"-[A-Za-z]*[rRa]|--(?:recursive|archive)", text) for text in run.texts)
    for deed in done:
        named = [landed(target, source) for target in deed.targets for source in deed.sources]
        if deed.act == "delete" or whole or run.program == "mv":
            named += deed.targets
        for arg in named:
            path = _full(arg, run, where) or posixpath.normpath(arg.text)
            if _CLIENT_FOLDER.search(path):
                yield Finding(
                    "files.client-settings", "ask", f"{path} decides what the client may do, and which hooks run",
                    "tell the user what to change", run.program,
                )  # fmt: skip
                return


_HOME_VARIABLE = lazy_pattern(r"\A\$(?:HOLDFAST_HOME\b|\{HOLDFAST_HOME\b[^}]*\}?\}|\(\s*holdfast [^)]*\))")


def _at_home(arg: Arg, private: tuple[str, ...]) -> Arg:
    """`$HOLDFAST_HOME/config.toml` with the folder that the variable names."""
    home = next((each for each in private if each), "")
    if not home or not arg.text.startswith("$"):
        return arg
    text = _HOME_VARIABLE.sub(lambda match: home, arg.text)
    return replace(arg, text=text, known=True) if text != arg.text else arg


def _full(arg: Arg, run: Run, where: Where) -> str:
    text = arg.text
    for sign in ("of=", "if=", "file:"):
        text = text.removeprefix(sign)
    if text.startswith("-") and "=" in text:
        text = text.partition("=")[2]
    path = path_of(Arg(text, arg.known, arg.quoted) if text != arg.text else arg, run.directory, where)
    return path if path.startswith("/") or _IN_PROJECT.match(path) else ""
