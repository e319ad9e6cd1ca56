"""What a run does to files, as findings: where each target lies decides. Pure.

What is decided here needs no file system; the facts then ask about the targets, and undo may keep their bytes.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import replace

from holdfast.commandline.effects.deeds import KEPT_ANYWHERE, TO_BIN, is_listed
from holdfast.commandline.effects.places import (
    LocationKind,
    Spot,
    chooses_sources,
    is_output,
    is_setting,
    names_file,
    names_outputs,
    spot,
    takes_files_in,
)
from holdfast.commandline.inline.calls import COMPUTED
from holdfast.commandline.model import Arg, Deed, Reading, Run, Where
from holdfast.judging import new_places
from holdfast.judging.model import Finding, RuleDecision
from holdfast.patterns import lazy_pattern

CONTAINERS = frozenset({"docker", "podman", "nerdctl", "docker-compose", "adb"})
"""What has files of its own: a container, a device for tests."""
_DELETE: dict[LocationKind, tuple[RuleDecision, RuleDecision]] = {
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
_OVERWRITE: dict[LocationKind, RuleDecision] = {
    "system": "deny", "home": "ask", "device": "deny", "outside": "ask", "project": "allow", "inside": "allow",
    "artefact": "allow", "temporary": "allow", "nothing": "allow", "unknown": "allow",
}  # fmt: skip
_PERMISSIONS: dict[LocationKind, RuleDecision] = {
    "system": "deny", "home": "deny", "project": "ask", "outside": "ask", "device": "deny",
}  # fmt: skip
_WHERE: dict[LocationKind, str] = {
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


_FACTS_TELL: frozenset[LocationKind] = frozenset({"inside", "artefact", "temporary"})
"""Of what lies there the facts may still tell that it is worth keeping."""


def of_deed(deed: Deed, run: Run, where: Where) -> Iterator[Finding]:
    """What a deed does to each of its targets, also where nothing is to be decided."""
    for target in deed.targets:
        if run.mounts is not None:
            yield from _in_container(deed, target, run, where)
            continue
        place = spot(target, None if run.remote else run.directory, where)
        if run.remote and place.kind == "unknown" and target.known:
            place = spot(target, "", Where(home=where.home))
        yield _found(replace(deed, found_by=target.found_by or deed.found_by), run, place, where)


def is_told(finding: Finding) -> bool:
    """Is there something to decide, now or by the facts?"""
    if finding.decision != "allow":
        return True
    if finding.run is None or finding.run.remote or (finding.deed is not None and finding.deed.named_by in TO_BIN):
        return False
    listed = bool(finding.deed and finding.deed.found_by)
    told = finding.place in _FACTS_TELL or (finding.act == "overwrite" and finding.place == "project")
    told = told or (finding.place in ("home", "outside") and finding.deed is not None and _arrives(finding.deed))
    return listed or (finding.path.startswith("/") and told)


def _arrives(deed: Deed) -> bool:
    """Does it bring files from an archive or from elsewhere, by names that the line may not tell?"""
    return deed.unpacks is not None or deed.named_by == KEPT_ANYWHERE


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
        yield from of_deed(
            replace(deed, targets=(here,), found_by=()), replace(run, remote="", mounts=None, directory=""), where
        )


def _found(deed: Deed, run: Run, place: Spot, where: Where) -> Finding:
    known = place.path.startswith("/") and not run.remote
    return Finding(
        rule=f"files.{deed.act}",
        decision=_decision(deed, place, run.remote, where),
        reason=f"`{deed.named_by}` on {_said(place)}, which {_which(place)}",
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


def led_to(finding: Finding, arg: Arg, where: Where) -> Finding:
    """The finding as it is about what a link of the line itself leads to."""
    if finding.deed is None or finding.run is None:
        return finding
    deed = replace(finding.deed, targets=(arg,))
    judged = _found(deed, finding.run, spot(arg, "", where), where)
    return replace(judged, reason=f"{judged.reason} (a link that the line makes leads there)")


def folder_of(run: Run | None, where: Where) -> str:
    """The folder that a run runs in; '' when it is not known."""
    return path_of(Arg("."), run, where)


def path_of(arg: Arg, run: Run | None, where: Where) -> str:
    """The full path of an argument of a run; '' when it is not known."""
    place = spot(arg, run.directory if run is not None else "", where)
    return place.path if place.path.startswith("/") else ""


_PRECIOUS_ELSEWHERE = lazy_pattern(
    r"\A/etc/(?:passwd|shadow|group|gshadow|sudoers|fstab|crypttab|crontab|ssh/sshd_config)\Z|/\.ssh/authorized_keys\Z|"
    r"\A/var/log/(?:audit(?:/.*)?|auth\.log|secure|wtmp|btmp|lastlog|faillog|syslog|messages)\Z"
)
"""Files of another machine with which nobody can sign in any more, or that tell who did."""
_PATTERN = lazy_pattern(r"[*?\[{]|<found>")
_BACKUP = lazy_pattern(
    r"(?:\A|/)(?:backups?|dumps?|snapshots?)/[^/]|\.(?:dump|rdb|wal|sqlite3?|db|ibd)\Z|\.sql(?:\.(?:gz|xz|zst))?\Z"
)
_OF_NO_WORTH_ELSEWHERE = lazy_pattern(
    r"\.(?:log|tmp|temp|pid|lock|sock|py[co]|o|swp|cache)(?:\.\d+|\.\*)?(?:\.gz)?\*?\Z|\A/var/(?:log|cache|tmp)/[^*]"
)
"""Of another machine nothing can be kept: several files at once and backups are asked about, unless it is what programs
make again."""
_DATA = lazy_pattern(
    r"/var/lib/(?:postgresql|mysql|mongo(?:db)?|redis|elasticsearch|rabbitmq|clickhouse|cassandra)\b|/bitnami/|"
    r"/(?:sdcard|storage/emulated/\d+)(?:/(?:DCIM|Pictures)\b|(?:/(?:Documents|Music|Movies|Downloads?))?/?\*?\Z)"
)
"""Where containers of databases have their volumes, and telephones what their user made."""


def _decision(deed: Deed, place: Spot, remote: str, where: Where) -> RuleDecision:
    match deed.act:
        case "delete":
            return _of_delete(deed, place, remote, where)
        case "overwrite":
            return _of_overwrite(deed, place, remote, where)
        case "permissions":
            shut = deed.forced and place.kind in ("inside", "unknown")
            return "ask" if shut else _PERMISSIONS.get(place.kind, "allow")
        case "discard":
            return "ask"


def _into_bin(place: Spot, where: Where) -> RuleDecision:
    """What the bin holds can be taken out again; without a home, or the system, nobody gets as far as that."""
    home, path = where.home or "~", place.path.rstrip("/*.")
    whole = path in (home, "~") or home.startswith(f"{path}/")
    if place.kind in ("system", "device") or (place.kind == "home" and whole):
        return "deny"
    return "ask" if place.kind in ("home", "project") else "allow"


def _of_delete(deed: Deed, place: Spot, remote: str, where: Where) -> RuleDecision:
    if deed.named_by in TO_BIN:
        return _into_bin(place, where)
    if deed.named_by == "mv" and deed.for_good and place.kind == "outside" and not remote:
        return "allow" if names_file(place.path) or is_output(place.path) or place.path in where.temporary else "ask"
    if deed.named_by == "mv" and place.kind not in ("system", "home", "device"):
        return "ask" if _is_history(place.path) and place.kind != "temporary" else "allow"
    if deed.filtered and place.kind in ("project", "inside", "unknown"):
        return "ask" if remote else _of_list(deed, where)  # elsewhere no fact tells, and nothing is kept
    if deed.filtered and place.kind == "outside" and place.path in where.temporary:
        return "allow"
    if place.kind == "outside" and deed.found_by and names_outputs(deed.found_by):
        return "allow"
    if place.kind == "inside" and place.path.endswith("<found>") and not remote:
        return _of_list(deed, where)
    if place.kind == "unknown" and _IS_LIST.search(place.said):
        return "ask"
    if remote in CONTAINERS:
        # Its own files go with it; only the whole of it, or a folder of the system, is asked about.
        whole = place.path.count("/") < 2 and place.kind == "system"
        return "ask" if deed.recursive and (whole or _DATA.match(place.path)) else "allow"
    if remote and place.kind in ("outside", "inside", "project"):
        several = deed.recursive or bool(deed.found_by) or _PATTERN.search(place.path) is not None
        dear = several or _BACKUP.search(place.path) is not None
        spared = is_output(place.path) or _OF_NO_WORTH_ELSEWHERE.search(place.path) is not None
        return "ask" if dear and not spared else "allow"
    if not where.cwd and place.kind == "inside" and _ONLY_COPY.search(place.path):
        return "ask"
    one = not deed.recursive or (place.kind == "inside" and names_file(place.path) and not deed.for_good)
    if one and place.kind == "system" and is_setting(place.path):
        return "ask"
    single, tree = _DELETE[place.kind]
    return single if one else tree


def _of_overwrite(deed: Deed, place: Spot, remote: str, where: Where) -> RuleDecision:
    if deed.kept_only:
        return "allow"
    if not where.cwd and not remote and place.kind == "inside" and deed.sources and _SIGNS.search(place.path):
        return "ask"  # with a folder the facts tell whether there was one
    if deed.named_by == "truncate" and (
        place.kind in ("inside", "project") or "$(input)" in place.said or is_listed(place.said)
    ):
        return "ask"
    if deed.named_by in ("tar", "unzip", "cpio"):
        return "deny" if place.kind in ("system", "device") or place.path == "/" else "allow"
    if remote:
        precious = remote not in CONTAINERS and _PRECIOUS_ELSEWHERE.search(place.path) is not None
        return "deny" if place.kind == "device" else "ask" if precious else "allow"
    if not where.cwd and place.kind == "outside" and (deed.fresh or new_places.is_likely_new(deed, place)):
        return "allow"
    if new_places.OF_RUNNING_KERNEL.match(place.path) or _IS_TALKED_TO.match(place.path):
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
    if place.kind == "system" and is_setting(place.path):
        return "ask"
    return _OVERWRITE[place.kind]


_SIGNS = lazy_pattern(
    r"(?i)(?:\A|/)(?!debug)(?:[^/]*\.(?:keystore|jks|p12|pfx|p8|mobileprovision)|"
    r"(?:[^/]*[-_.])?(?:release|upload|root|signing|codesign|prod|production)(?:[-_.][^/]*)?\.(?:pem|key))\Z"
)
"""Keys that sign what users have: with another one no update is taken."""
_IS_TALKED_TO = lazy_pattern(
    r"/dev/(?:tty\w*|pts/\d+|cu\.[\w.-]+|tty\.[\w.-]+|serial/\S+|rfcomm\d+|i2c-\d+|spidev[\d.]+|gpiochip\d+|hidraw\d+|"
    r"lp\d+|usb/lp\d+|snd/\S+|dsp|audio|input/\S+|uinput|kmsg|video\d+|fb\d+|midi\d*|usbtmc\d+|xdma\S*)\Z"
)
"""Devices that take what is written as a message and keep nothing: a serial line, a printer, a screen."""


def _of_list(deed: Deed, where: Where) -> RuleDecision:
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
    if place.said == _READ:
        return "what it reads from its input"
    said = place.said.replace(_READ, "…")
    return said if len(said) <= 80 else f"{said[:77]}…"


_READ = "$(input)"
"""Stands for words that `xargs`, `read` and the like take from their input."""


def _is_emptied(place: Spot) -> bool:
    """`rm -rf "$BUILD/"`: a variable that the line does not set."""
    return place.kind == "system" and place.path == "/" and "$" in place.said


def _which(place: Spot) -> str:
    if _is_emptied(place):
        return "is `/`, the whole system, where the variable is empty"
    return _WHERE[place.kind]


def _instead(deed: Deed, place: Spot) -> str:
    if _is_emptied(place):
        return "write the path out, or `${NAME:?}`, which stops where it is empty"
    match place.kind:
        case "unknown":
            return "write the path out, so that it can be checked"
        case "project" | "inside":
            return _instead_in_project(deed, place)
        case "outside" | "home" | "system" | "device":
            return "ask the user to do it"
        case _:
            return ""


def _instead_in_project(deed: Deed, place: Spot) -> str:
    """What can be done about a file of the project that may be the only copy."""
    if deed.act == "permissions":
        return "name the files, and give them the mode that they need"
    if deed.act == "overwrite":
        return "copy it first, or write to a new file"
    if deed.for_good:
        return "use `rm`: what that removes can be brought back"
    if deed.recursive and not names_file(place.path):
        return "name the files one by one, or commit or stash them first"
    return "move it aside, or commit it first"


# --- what the line itself moves there


def moved_before(reading: Reading, where: Where) -> list[tuple[int, str, str]]:
    """What the line moves elsewhere: the place of the run, from where, to where. Where no fact can be had."""
    found = []
    for number, run in enumerate(reading.runs):
        if run.remote or run.program != "mv" or where.cwd:
            continue  # with a folder the facts tell what is moved
        words = [arg for arg in run.args if not arg.text.startswith("-")]
        if len(words) < 2:
            continue
        source, target = spot(words[0], run.directory, where), spot(words[-1], run.directory, where)
        if source.kind not in ("temporary", "artefact", "nothing", "unknown") and target.path:
            found.append((number, source.said, target.path))
    return found


def after_move(finding: Finding, number: int, moved: Sequence[tuple[int, str, str]]) -> Finding:
    """`mv ~/Music /tmp/m; rm -r /tmp/m`: what was moved there is removed with it."""
    if finding.act != "delete" or finding.decision != "allow" or (finding.deed and finding.deed.named_by == "mv"):
        return finding
    if finding.run and "-empty" in finding.run.texts:
        return finding
    for at, source, target in moved:
        if at < number and (finding.path == target or finding.path.startswith(f"{target}/")):
            return replace(
                finding,
                decision="ask",
                act=None,
                reason=f"{source} is moved there by this line, then removed",
            )
    return finding


def brief(run: Run) -> str:
    """A run in a few words, for people."""
    if not run.program and not run.args and run.writes:
        return f"> {run.writes[0][1].text}"[:120]
    words = " ".join([run.program or "(computed at run time)", *run.texts])
    return words if len(words) <= 120 else f"{words[:117]}…"
