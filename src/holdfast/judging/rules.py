"""The decision about one command line: every run is read, every rule asked, the strictest answer counts. Pure.

What is decided here needs no file system; `facts` then asks about the targets and `undo` may keep their bytes.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from holdfast.commandline.effects import sql
from holdfast.commandline.effects.deeds import deeds
from holdfast.commandline.effects.places import (
    Kind,
    Spot,
    chooses_sources,
    is_output,
    names_file,
    names_outputs,
    spot,
    takes_files_in,
)
from holdfast.commandline.inline.calls import COMPUTED
from holdfast.commandline.inline.marks import REMOTE_SHELL, SENDS_SECRETS
from holdfast.commandline.model import Arg, Deed, Reading, Run, Where
from holdfast.commandline.reading import statement_files
from holdfast.commandline.reading.files import FROM_FILE
from holdfast.judging import (
    branches,
    git_calls,
    given_statements,
    local_data,
    new_places,
    own_servers,
    quick,
    rebuilt,
    remote_shells,
    saving,
    secrets_sent,
    sent_tokens,
    tainted,
    unknown_programs,
    weakening,
)
from holdfast.judging import made as made_things
from holdfast.judging.matching import Packs, Rule, changes_nothing, is_spared, is_unknown, matching
from holdfast.judging.model import STRICTNESS, Decision, Finding
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

_DELETE: dict[Kind, tuple[Decision, Decision]] = {
    # one file, a whole tree
    "system": ("deny", "deny"),
    "home": ("deny", "deny"),
    "device": ("deny", "deny"),
    "outside": ("ask", "deny"),
    "project": ("ask", "ask"),
    "inside": ("allow", "ask"),
    "artefact": ("allow", "allow"),
    "temporary": ("allow", "allow"),
    "nothing": ("allow", "allow"),
    "unknown": ("allow", "ask"),
}
_OVERWRITE: dict[Kind, Decision] = {
    "system": "deny", "home": "ask", "device": "deny", "outside": "ask", "project": "allow", "inside": "allow",
    "artefact": "allow", "temporary": "allow", "nothing": "allow", "unknown": "allow",
}  # fmt: skip
_WHERE: dict[Kind, str] = {
    "system": "is part of the system",
    "home": "is the home directory, or the settings in it",
    "device": "is a device",
    "outside": "is outside the project",
    "project": "is the whole project",
    "inside": "is in the project, and git may not have it",
    "unknown": "is computed at run time",
    "artefact": "is made again by the build",
    "temporary": "is temporary",
    "nothing": "is nothing",
}


def findings(
    reading: Reading,
    packs: Packs,
    where: Where,
    unknown: Decision = "allow",
    holds: Callable[[Rule], bool] = lambda rule: True,
) -> list[Finding]:
    """All rules that match, one entry per run and rule. `unknown` is decided about what is computed at run time;
    `holds` tells whether the circumstances that a rule names are given."""
    found: list[Finding] = []
    if reading.cut:
        found.append(
            Finding("guards.too-long", "ask", "the command is too long to be read whole", "run it in smaller parts")
        )
    if reading.unread and unknown != "allow":
        found.append(
            Finding("guards.unknown", unknown, reading.unread[0], "write the command out, so that it can be read")
        )
    if _ends_holdfast(reading):
        found.append(
            Finding(
                "holdfast.override", "ask", "guards are off while the daemon is away", "`holdfast restart` renews it"
            )
        )
    earlier: list[tuple[str, ...]] = []
    """What git, or jj, was called with before, in this line."""
    sends = tainted.sends_what_it_gathered(reading.runs)
    shells = remote_shells.given_away(reading.runs)
    made: made_things.Made | None = None
    started: own_servers.Started | None = None
    moved = _moved_before(reading, where)
    destroys_by_plan = stashed = False
    for number, run in enumerate(reading.runs):
        if run.program in _PLANNERS:
            destroys_by_plan = destroys_by_plan or "-destroy" in run.texts
            if destroys_by_plan and "apply" in run.texts:  # `terraform plan -destroy -out=p && terraform apply p`
                run = replace(run, args=(*run.args, Arg("-destroy")))
        if earlier and run.program in ("git", "jj"):
            run = branches.with_branch(run, earlier)
        matched = [(rule, reason) for rule, reason in _of_packs(packs, run) if holds(rule)]
        if number in sends:
            told = matching(packs, replace(run, program=SENDS_SECRETS))
            matched += [(rule, "it sends secrets or a whole database that this line gathered") for rule in told]
        before_it = reading.runs[number - 1] if number else None
        if sent_tokens.are_sent(run) or secrets_sent.are_sent(run, before_it):
            matched += [(rule, rule.said) for rule in matching(packs, replace(run, program=SENDS_SECRETS))]
        if number in shells:
            matched += [(rule, rule.said) for rule in matching(packs, replace(run, program=REMOTE_SHELL))]
        if matched and run.program == "git" and git_calls.is_temporary(run, where):
            own = git_calls.pushes_to_own(run, reading.runs[:number], where)
            matched = [
                (rule, reason)
                for rule, reason in matched
                if rule.scope != "built-in"
                or not (rule.act or rule.id in _OF_REPOSITORY or (own and rule.id.startswith("git.push-")))
            ]
        if run.program == "git":
            matched = [
                each
                for each in matched
                if not (each[0].id == "git.abort" and git_calls.is_own_try(run, earlier[-git_calls.NEAR :]))
            ]
            if matched:
                here = bool(where.cwd)
                matched = [each for each in matched if not saving.brings_back(each[0], run, number, reading.runs, here)]
        if run.program in ("git", "jj"):
            earlier.append(run.texts)
            stashed = stashed or (run.program == "git" and git_calls.stashes(run))
        if matched and not where.cwd and run.program == "git" and git_calls.only_rebuilt(run, where):
            matched = [each for each in matched if each[0].id not in _OF_NAMED_FILES]
        if matched and run.remote in _CONTAINERS:
            matched = [(rule, reason) for rule, reason in matched if not rule.id.startswith(_OF_MACHINE)]
        of_run = [_of_rule(rule, run, reason) for rule, reason in matched if rule.action != "allow" or rule.act]
        allowed = any(rule.action == "allow" and rule.scope == "user" for rule, _ in matched)
        if stashed and run.program == "git":
            # The stash that the line drops is made by the line: there is nothing yet that could be kept.
            of_run = [replace(each, act=None) if each.rule == "git.stash-drop" else each for each in of_run]
        for deed in deeds(run):
            if deed.asks and not any(each.captured or each.program in _ANSWERS for each in reading.runs):
                continue  # nothing in the line could answer
            of_run += _of_deed(deed, run, where, every=bool(moved))
        if FROM_FILE in run.via:
            # A script sets what it removes in ways that are not followed here.
            of_run = [each for each in of_run if each.deed is None or each.place != "unknown"]
        if moved and of_run:
            of_run = [_after_move(each, number, moved) for each in of_run]
            of_run = [each for each in of_run if each.deed is None or _is_told(each)]
        if of_run and not where.cwd:
            of_run = [each for each in of_run if not rebuilt.is_made_again(each, run, number, reading.runs)]
        if of_run:
            made = made_things.by_line(reading, facts=bool(where.cwd)) if made is None else made
            of_run = [each for each in of_run if not made_things.is_of_line(each, run, number, made)]
        if of_run:
            started = own_servers.by_line(reading.runs) if started is None else started
            of_run = [each for each in of_run if not own_servers.talks_to_own(each.rule, run, number, started)]
        if of_run:
            before = reading.runs[max(0, number - _MOST_BEFORE) : number]
            of_run = [
                each
                for each in of_run
                if not (local_data.is_for_tests(each.rule, run, before) or local_data.is_spare_thing(each.rule, run))
            ]
        # What the user's own rule allows, built-in rules do not refuse; a project's rule still may.
        strict = {"holdfast.override", *(rule.id for rule, _ in matched if rule.scope == "project")}
        found += [each for each in of_run if each.rule in strict] if allowed else of_run
    return found


def _moved_before(reading: Reading, where: Where) -> list[tuple[int, str, str, bool]]:
    """What the line moves or links elsewhere: the place of the run, from where, to where. Where no fact can be had."""
    found = []
    for number, run in enumerate(reading.runs):
        if run.remote or run.program not in (("ln",) if where.cwd else ("mv", "ln")):
            continue  # with a folder the facts tell what is moved
        words = [arg for arg in run.args if not arg.text.startswith("-")]
        if len(words) < 2:
            continue
        source, target = spot(words[0], run.directory, where), spot(words[-1], run.directory, where)
        if source.kind not in ("temporary", "artefact", "nothing", "unknown") and target.path:
            found.append((number, source.said, target.path, run.program == "ln"))
    return found


def _after_move(finding: Finding, number: int, moved: Sequence[tuple[int, str, str, bool]]) -> Finding:
    """`mv ~/Music /tmp/m; rm -r /tmp/m`: what was moved there is removed with it."""
    if finding.act != "delete" or finding.decision != "allow" or (finding.deed and finding.deed.named_by == "mv"):
        return finding
    if finding.run and "-empty" in finding.run.texts:
        return finding
    for at, source, target, linked in moved:
        follows = finding.through or bool(finding.run and "-L" in finding.run.texts)
        below = finding.path.startswith(f"{target}/") or (finding.path == target and (follows or not linked))
        if at < number and below:
            return replace(
                finding,
                decision="ask",
                act=None,
                reason=f"{source} is moved or linked there by this line, then removed",
            )
    return finding


_MOST_BEFORE = 40
_ANSWERS = listed("yes echo printf cat expect head seq")
_PLANNERS = frozenset({"terraform", "tofu", "terragrunt"})
_OF_NAMED_FILES = frozenset({"git.checkout-discard", "git.restore", "git.clean"})


_OF_MACHINE = ("package.", "process.", "system.", "permissions.", "network.")
"""Rules about what a machine's other users need: a container has none."""


_OF_REPOSITORY = frozenset({"git.runs-programs", "git.history", "git.plumbing", "git.gc", "git.prune"})
"""Rules about the repository itself: one that is thrown away has nothing to lose."""


def _ends_holdfast(reading: Reading) -> bool:
    """`pgrep -f holdfast | xargs kill`: one run looks for the daemon, another ends what was found."""
    looks = any(run.program in _LOOKS and "holdfast" in " ".join(run.texts) for run in reading.runs)
    return looks and any(run.program in ("kill", "pkill") and "-0" not in run.texts for run in reading.runs)


_LOOKS = listed("pgrep pidof ps grep egrep rg awk lsof fuser ss")


def _of_packs(packs: Packs, run: Run) -> Iterator[tuple[Rule, str]]:
    matched = matching(packs, run)
    for rule in matched:
        if not rule.unsafe_sql:
            yield rule, rule.said
            continue
        takes_back = run.program not in _COMMITS_ALONE
        goes_on = bool(run.stdin and run.args) and run.program in _GO_ON and not _STOPS.search(" ".join(run.texts))
        what = sql.destroys(_statements(run), takes_back=takes_back, goes_on=goes_on) or sql.destroys([_typed(run)])
        unread = next((name for name in run.unread_files if statement_files.reads_as_destroying(name)), "")
        if what:
            yield rule, f"the statement {what}"
        elif unread:
            yield rule, f"it runs the statements of {unread}, which cannot be read here"
    for _, rule in packs.by_program.get(run.program, ()):
        if rule.unknown is not None and rule not in matched and is_unknown(packs, rule, run):
            yield replace(rule, action=rule.unknown), f"what `{run.program}` shall do is computed at run time"
    excusing = [rule for rule in matched if rule.scope != "project"]  # a project's rule excuses nothing
    asks = (
        all(rule.unsafe_sql for rule in excusing)
        and not _is_known(packs, run.program)
        and unknown_programs.destroys(run)
    )
    decided = any(rule.action in ("ask", "deny") and not rule.unsafe_sql for rule in excusing)
    weakens = not decided and weakening.weakens(run)
    reads_sql = bool(excusing) or _reads_sql(packs, run)
    if asks and not is_spared(packs, run):
        yield from ((rule, rule.said) for rule in matching(packs, replace(run, program=unknown_programs.STRANGER)))
    elif not reads_sql and given_statements.destroys(run) and not changes_nothing(packs, run):
        yield from ((rule, rule.said) for rule in matching(packs, replace(run, program=given_statements.DESTROYS)))
    elif weakens and not changes_nothing(packs, run):
        yield from ((rule, rule.said) for rule in matching(packs, replace(run, program=weakening.WEAKENS)))


def _reads_sql(packs: Packs, run: Run) -> bool:
    """Does a rule read the statements that this program is given?"""
    return any(rule.unsafe_sql and rule.scope != "project" for _, rule in packs.by_program.get(run.program, ()))


def _is_known(packs: Packs, program: str) -> bool:
    """Does a rule, or a part of the reader, know the words of this program with which it destroys?"""
    return program in quick.watched(packs.settled) and program not in unknown_programs.TELLS_MORE


_COMMITS_ALONE = listed("mysql mariadb mycli sqlplus cqlsh clickhouse-client clickhouse snowsql bq")
"""Clients of databases where a transaction does not hold `DROP` back."""

_GO_ON = listed("psql pgcli sqlite3 usql sqlcmd sqlplus")
"""Clients that run the statements they read to the end, also where one fails."""
_STOPS = lazy_pattern(r"ON_ERROR_STOP|(?:^|\s)(?:-bail|-b|-1|--single-transaction)(?:\s|$)")


_OPTION = lazy_pattern(r"\A--[\w-]{1,40}=")
"""The name of an option: two dashes would begin a comment."""


def _statements(run: Run) -> list[str]:
    """The texts in which a client of a database may be given statements."""
    words = [_OPTION.sub("", text) for text in run.texts if not text.startswith("--") or "=" in text or " " in text]
    return [*words, *([run.stdin] if run.stdin else [])]


def _typed(run: Run) -> str:
    """A statement that was typed without quotation marks."""
    return " ".join([run.program, *(text for text in run.texts if " " not in text and not text.startswith("-"))])


def _of_rule(rule: Rule, run: Run, reason: str) -> Finding:
    instead = rule.instead if rule.scope != "project" else ""
    return Finding(rule.id, rule.action, reason, instead, brief(run), rule.act, run=run)


_FACTS_TELL: frozenset[Kind] = frozenset({"inside", "artefact", "temporary"})
"""Of what lies there the facts may still tell that it is worth keeping."""


def _of_deed(deed: Deed, run: Run, where: Where, *, every: bool = False) -> Iterator[Finding]:
    """What a deed does to each of its targets; `every` also where nothing is to be decided."""
    for target in deed.targets:
        if run.mounts is not None:
            yield from _in_container(deed, target, run, where)
            continue
        place = spot(target, None if run.remote else run.directory, where)
        if run.remote and place.kind == "unknown" and target.known:
            place = spot(target, "", Where(home=where.home))
        finding = _found(replace(deed, found_by=target.found_by or deed.found_by), run, place, where)
        if every or _is_told(finding):
            yield finding


def _is_told(finding: Finding) -> bool:
    """Is there something to decide, now or by the facts?"""
    if finding.decision != "allow":
        return True
    if finding.run is None or finding.run.remote:
        return False
    listed = bool(finding.deed and finding.deed.found_by)
    told = finding.place in _FACTS_TELL or (finding.act == "overwrite" and finding.place == "project")
    return listed or (finding.path.startswith("/") and told)


def _in_container(deed: Deed, target: Arg, run: Run, where: Where) -> Iterator[Finding]:
    """A container that is made for this run: only what it sees of this machine counts."""
    inside = target.text if target.text.startswith("/") else posixpath.join(run.directory or "/", target.text)
    inside = posixpath.normpath(inside)
    for mount in run.mounts or ():
        below = inside[len(mount.target) :] if mount.target != "/" else inside
        reaches = inside == mount.target or inside.startswith(f"{mount.target.rstrip('/')}/")
        holds = deed.recursive and mount.target.startswith(inside.rstrip("/*") + "/")
        if mount.read_only or not (reaches or holds):
            continue
        if mount.is_volume:
            if deed.act == "delete" and deed.recursive:
                yield Finding(
                    "container.remove", "ask", f"`{deed.named_by}` on {target.text}, which is the volume "
                    f"{mount.source.text}", "`docker volume ls` shows the volumes", brief(run), run=run,
                )  # fmt: skip
            continue
        here = Arg(mount.source.text.rstrip("/") + (below if reaches else ""), mount.source.known, target.quoted)
        # What `find` lists, it lists in there: here the words would mean other folders.
        yield from _of_deed(
            replace(deed, targets=(here,), found_by=()), replace(run, remote="", mounts=None, directory=""), where
        )


def _found(deed: Deed, run: Run, place: Spot, where: Where) -> Finding:
    known = place.path.startswith("/") and not run.remote
    return Finding(
        rule=f"files.{deed.act}",
        decision=_decision(deed, place, run.remote, where),
        reason=f"`{deed.named_by}` on {_said(place)}, which {_WHERE[place.kind]}",
        instead=_instead(deed, place),
        command=brief(run),
        act=None if run.remote else deed.act,
        targets=(place.path,) if known else (),
        place=place.kind,
        path=place.path,
        through=place.said.endswith(("/", "/.")),
        deed=deed,
        run=run,
    )


def at_place(finding: Finding, path: str, where: Where) -> Finding | None:
    """The finding as it would be if the command had named this path: a link leads there."""
    if finding.deed is None or finding.run is None:
        return None
    judged = _found(finding.deed, finding.run, spot(Arg(path, quoted=True), "", where), where)
    return replace(judged, reason=f"{judged.reason} ({finding.targets[0]} leads there)") if finding.targets else judged


def folder_of(run: Run | None, where: Where) -> str:
    """The folder that a run runs in; '' when it is not known."""
    return path_of(Arg("."), run, where)


def path_of(arg: Arg, run: Run | None, where: Where) -> str:
    """The full path of an argument of a run; '' when it is not known."""
    place = spot(arg, run.directory if run is not None else "", where)
    return place.path if place.path.startswith("/") else ""


_CONTAINERS = frozenset({"docker", "podman", "nerdctl", "docker-compose", "adb"})
"""What has files of its own: a container, a device for tests."""
_PRECIOUS_ELSEWHERE = lazy_pattern(
    r"\A/etc/(?:passwd|shadow|group|gshadow|sudoers|fstab|crypttab|crontab|ssh/sshd_config)\Z|/\.ssh/authorized_keys\Z|"
    r"\A/var/log/(?:audit(?:/.*)?|auth\.log|secure|wtmp|btmp|lastlog|faillog|syslog|messages)\Z"
)
"""Files of another machine with which nobody can sign in any more, or that tell who did."""
_DATA = lazy_pattern(
    r"/var/lib/(?:postgresql|mysql|mongo(?:db)?|redis|elasticsearch|rabbitmq|clickhouse|cassandra)\b|/bitnami/|"
    r"/(?:sdcard|storage/emulated/\d+)(?:/(?:DCIM|Pictures)\b|(?:/(?:Documents|Music|Movies|Downloads?))?/?\*?\Z)"
)
"""Where containers of databases have their volumes, and telephones what their user made."""


def _decision(deed: Deed, place: Spot, remote: str, where: Where) -> Decision:
    match deed.act:
        case "delete":
            if deed.named_by == "mv" and place.kind not in ("system", "home", "device"):
                return "ask" if _is_history(place.path) and place.kind != "temporary" else "allow"
            single, tree = _DELETE[place.kind]
            if deed.filtered and place.kind in ("project", "inside", "unknown"):
                return _of_list(deed, where)
            if deed.filtered and place.kind == "outside" and place.path in where.temporary:
                return "allow"
            if place.kind == "outside" and deed.found_by and names_outputs(deed.found_by):
                return "allow"
            if place.kind == "inside" and place.path.endswith("<found>"):
                return _of_list(deed, where)
            if place.kind == "unknown" and _IS_LIST.search(place.said):
                return "ask"
            if remote in _CONTAINERS:
                # Its own files go with it; only the whole of it, or a folder of the system, is asked about.
                whole = place.path.count("/") < 2 and place.kind == "system"
                return "ask" if deed.recursive and (whole or _DATA.match(place.path)) else "allow"
            if remote and place.kind in ("outside", "inside", "project"):
                return "ask" if deed.recursive and not is_output(place.path) else "allow"
            if not where.cwd and place.kind == "inside" and _ONLY_COPY.search(place.path):
                return "ask"
            one = not deed.recursive or (place.kind == "inside" and names_file(place.path) and not deed.for_good)
            return single if one else tree
        case "overwrite":
            if deed.kept_only:
                return "allow"
            if deed.named_by == "truncate" and place.kind in ("inside", "project"):
                return "ask"
            if deed.named_by in ("tar", "unzip", "cpio"):
                return "deny" if place.kind in ("system", "device") or place.path == "/" else "allow"
            if remote:
                precious = remote not in _CONTAINERS and _PRECIOUS_ELSEWHERE.search(place.path) is not None
                return "deny" if place.kind == "device" else "ask" if precious else "allow"
            if not where.cwd and place.kind == "outside" and (deed.fresh or new_places.is_likely_new(deed, place)):
                return "allow"
            if new_places.OF_RUNNING_KERNEL.match(place.path):
                return "allow"
            if deed.sources and (place.path in where.temporary or new_places.OWN_PROGRAMS.search(place.path)):
                return "allow"  # `cp -r src /tmp/`, `install app ~/.local/bin/app`, `mv app /usr/local/bin/`
            if deed.named_by.startswith(new_places.FILLS) and new_places.OWN_PROGRAM.search(place.path):
                return "allow"  # `curl -Lo ~/.local/bin/kind …`, `gh completion > ~/.zsh/completions/_gh`
            if deed.sources and place.path == "/" and "$" in place.said:
                return "allow"  # `cp a "$DIR"/`: what is copied destroys nothing even where the variable is empty
            if deed.named_by not in new_places.CHANGE_ONLY and takes_files_in(place.path):
                return "ask" if where.cwd else "allow"  # with a folder the facts tell whether the file is new
            if place.said == COMPUTED and where.cwd and not remote:
                return "ask"  # what it writes over cannot be kept
            return _OVERWRITE[place.kind]
        case "permissions":
            return {"system": "deny", "home": "deny", "project": "ask", "outside": "ask", "device": "deny"}.get(  # type: ignore[return-value]
                place.kind, "allow"
            )
        case "discard":
            return "ask"


def _of_list(deed: Deed, where: Where) -> Decision:
    """What a list chose inside the project. With a folder the facts tell what is lost by it, and it is kept."""
    return "ask" if not where.cwd and chooses_sources(deed.found_by) else "allow"


_IS_LIST = lazy_pattern(
    r"\$\(input\)|(?:\$\(|`)\s*(?:ls|cat|git|grep|egrep|rg|awk|sed|jq|comm|cut|sort|head|tail|find|fd|locate|python3?)\s"
)
"""What a list names that is only known when the command runs."""
_ONLY_COPY = lazy_pattern(
    r"(?:\A|/)(?:\.env(?:\.(?:local|prod\w*|staging))?|id_(?:rsa|ed25519|ecdsa|dsa)|terraform\.tfstate"
    r"|[^/]*\.(?:keystore|jks|p12|pfx|p8|kdbx|mobileprovision))\Z"
)
"""Files that git is told to ignore and that no tool makes again: secrets, keys that sign releases, the state of a
cloud."""


def _is_history(path: str) -> bool:
    """The repository itself: no commit has it."""
    return path == ".git" or path.endswith("/.git")


def _said(place: Spot) -> str:
    return place.said if len(place.said) <= 80 else f"{place.said[:77]}…"


def _instead(deed: Deed, place: Spot) -> str:
    match place.kind:
        case "unknown":
            return "write the path out, so that it can be checked"
        case "project" | "inside":
            return "name the files one by one, or commit or stash them first"
        case "outside" | "home" | "system" | "device":
            return "ask the user to do it"
        case _:
            return ""


def strictest(found: Iterable[Finding]) -> Finding | None:
    return max(found, key=lambda each: STRICTNESS[each.decision], default=None)


def brief(run: Run) -> str:
    """A run in a few words, for people."""
    if not run.program and not run.args and run.writes:
        return f"> {run.writes[0][1].text}"[:120]
    words = " ".join([run.program or "(computed at run time)", *run.texts])
    return words if len(words) <= 120 else f"{words[:117]}…"
