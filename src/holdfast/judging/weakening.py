"""Calls that take away what protects data, or everything that serves it, by any program. Pure; linear.

`--backup-retention-period 0`, `Status=Suspended`, `visibility=public`, `ps:scale web=0`: nothing is deleted yet, and
what comes next cannot be brought back. Options and settings of this kind are called alike in most tools, so they are
read without knowing the tool. What says by its name that it is for tests is spared.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from holdfast.commandline.effects import disposable
from holdfast.commandline.model import Run
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

WEAKENS = "weakens-protection"
"""The program of the rule that is about these calls."""

_OFF = r"(?:false|off|no|none|disabled?|suspended)"
_GUARDED = (
    r"(?:(?:deletion|termination|purge|delete)-?protection|(?:automated-|automatic-|auto-)?backups?|versioning|"
    r"soft-?delete|delete-retention|point-in-time-recovery|pitr|audit-?log(?:s|ging)?|object-lock|final-snapshot|"
    r"log-file-validation|multi-region-trail|detector|bin(?:ary)?-?log)"
)
_SWITCHES = (
    rf"(?:no|disable|skip|without)-(?:enable-)?{_GUARDED}",
    "no-enable",
    "no-disable-api-(?:termination|stop)",
    "no-include-global-service-events",
)
_VALUES = {
    rf"(?:enable-)?{_GUARDED}(?:-enabled)?": _OFF,
    "backup-retention(?:-period|-days|-in-days)?": "0",
    "retained-backups-count": "0",
    "retention-in-days": "[1-3]",
    "acl": "public-read(?:-write)?",
    "(?:public-access|allow-blob-public-access)": "(?:container|blob|true)",
    "members?": "(?:allUsers|allAuthenticatedUsers)",
    "visibility": "public",
}
"""Names of options, each with the values that weaken."""
_OPTION = lazy_pattern(
    rf"(?i)--(?:{'|'.join((*_SWITCHES, *(f'{name}={value}' for name, value in _VALUES.items())))})\Z"
)
"""An option with its value, joined by `=`."""
_NAMED = lazy_pattern(rf"(?i)--(?:{'|'.join((*_SWITCHES, *_VALUES))})(?:=|\Z)")
"""The name of such an option, whatever its value."""
_SETTING = lazy_pattern(
    r"(?i)(?:\A|[\s,;{\[(\"'])(?:status[\"']?\s?[=:]\s?[\"']?suspended|pointintimerecoveryenabled[\"']?\s?[=:]\s?false|"
    r"(?:block|ignore|restrict)public\w{1,12}[\"']?\s?[=:]\s?false|"
    r"visibility[\"']?\s?[=:]\s?[\"']?public|private[\"']?\s?[=:]\s?false|archived[\"']?\s?[=:]\s?true|"
    r"[\"']?finalizers[\"']?\s?:\s?(?:null|\[\s?\])|[\"']?persistentvolumereclaimpolicy[\"']?\s?:\s?[\"']?delete|"
    r"[\"']?(?:replicas|quantity)[\"']?\s?:\s?0\b|enforce_admins[\"']?\s?[=:]\s?false|"
    r"allow_(?:force_pushes|deletions)[\"']?\s?[=:]\s?true|"
    r"[\"']?(?:noncurrentversion)?expiration[\"']?\s?:\s?\{\s?[\"'](?:noncurrent)?days[\"']\s?:\s?[1-3]\b|"
    r"[\"']?principal[\"']?\s?:\s?(?:\{\s?[\"']aws[\"']\s?:\s?)?[\"']\*[\"'])"
)
"""A setting in a text that a call sends."""
_SETS = lazy_pattern(
    r"(?i)(?:\A|[-_:])(?:put|add|patch|post|update|modify|set|api|edit|apply|replace|config|configure)(?:[-_:]|\Z)"
)
_SCALES = lazy_pattern(
    r"(?:\w+[:.-])?(?:scale|resize)(?:-\w+)?\Z|(?:update-service|update-auto-scaling-group|set-desired-capacity|"
    r"put-function-concurrency|modify-replication-group-shard-configuration)\Z"
)
_SIZE = lazy_pattern(
    r"--(?:replicas|desired-count|desired-capacity|max-size|num-nodes|size|count|new-capacity|node-count|max-instances|"
    r"reserved-concurrent-executions|instances|machines|capacity|workers)=0\Z"
)
_TO_NOTHING = lazy_pattern(r"(?:[\w./-]{1,80}=)?0\Z")
_SPARE = lazy_pattern(
    r"(?i)(?:\A|[-_./=:])(?:staging|stage|stg|preview|demo|sandbox|qa|uat|review|pr-?\d+)(?:[-_./:\d]|\Z)"
)
"""What a developer switches off at night."""
_LOCAL = lazy_pattern(r"(?i)(?:https?://)?(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|\Z)")
_SAYS_ONLY = listed(
    "echo printf grep egrep rg ag git cat jq yq sed awk tee curlie less more head tail diff make npm pnpm yarn node "
    "python python3 ruby perl php bash sh zsh dash psql mysql docker-compose podman-compose vim code claude"
)
_READS = listed(
    "get list ls search show describe view help plan preview diff explain validate lint template test dry-run "
    "start stop up down dev serve build install run exec"
)
"""Words behind which no setting of others is changed."""
_MOST = 60
_SHORTEST, _LONGEST = 8, 4_000
"""Characters of a text in which a setting is looked for."""


def only_says(program: str) -> bool:
    """Does a program only print, search or edit what its words say, or do rules of its own tell?"""
    return program in _SAYS_ONLY or not program[:1].isalnum()


def may_weaken(word: str) -> bool:
    """A first look at one word: without one of these no call weakens anything."""
    if word.startswith("-"):
        return _NAMED.match(word) is not None or _SETTING.search(word) is not None
    return (
        _ENDS.match(word) is not None
        or _SCALES.match(word) is not None
        or (len(word) > _SHORTEST and _SETTING.search(word[:_LONGEST]) is not None)
    )


def weakens(run: Run) -> bool:
    """Do the words of this call switch off a protection, open data to everybody, or let nothing run any more?"""
    if not run.args or only_says(run.program):
        return False
    words = [text for text in run.texts[:_MOST] if not text.startswith("-")]
    if (
        not words
        or not _READS.isdisjoint(words[:2])
        or (run.program in _CONTAINERS and words[0] in ("compose", "run", "exec", "build"))
    ):
        return False
    if is_spare(run) or (run.program in _CLUSTERS and disposable.is_thrown_away(run.program, run.texts, ())):
        return False
    changes = any(map(_SETS.search, words[:5]))
    if changes and any(map(_OPTION.match, _joined(run.texts[:_MOST]))):
        return True
    if any(_PROTECTS.match(one) and _ENDS.match(two) for one, two in itertools.pairwise(words[:5])):
        return True
    if changes or any(text in _METHODS for text in run.texts[:_MOST]):
        told = (*run.texts[:_MOST], run.stdin or "")
        if any(_SETTING.search(text[:_LONGEST]) for text in told if len(text) > _SHORTEST):
            return True
    return _scales_to_nothing(run, words)


_PROTECTS = lazy_pattern(
    r"(?:backups?|protection|versioning|version|audit|retention|object-lock|legal-hold|trail|snapshots?)\Z"
)
_ENDS = lazy_pattern(r"(?:disable|suspend|off|clear|unprotect)\Z")
"""`mc version suspend`, `az backup protection disable`: what protects, and the word that ends it."""
_CLUSTERS = listed("kubectl k oc microk8s.kubectl")
"""Rules of their own tell when these let nothing run any more."""
_CONTAINERS = listed("docker podman nerdctl finch")
_METHODS = listed("PATCH PUT POST -XPATCH -XPUT -XPOST")


def _scales_to_nothing(run: Run, words: Sequence[str]) -> bool:
    if run.program in _CLUSTERS or not any(map(_SCALES.match, words[:4])):
        return False
    return any(map(_SIZE.match, _joined(run.texts[:_MOST]))) or any(map(_TO_NOTHING.match, words[1:]))


def _joined(texts: Sequence[str]) -> Iterator[str]:
    """Every option with the word behind it, and as it stands."""
    for text, behind in itertools.pairwise((*texts, "")):
        if text.startswith("--"):
            yield text
            if "=" not in text and behind and not behind.startswith("-"):
                yield f"{text}={behind}"


def is_spare(run: Run) -> bool:
    """Does something that the call names say that it is for tests, or that it is on this machine?"""
    for before, text in itertools.pairwise(("", *run.texts[:_MOST])):
        if len(text) > 200 or before in _SPOKEN:
            continue
        value = text.partition("=")[2] if text.startswith("--") else text
        if _LOCAL.match(value) or _SPARE.search(value):
            return True
        if not text.startswith("-") and disposable.is_own_test(value):
            return True
    return False


_SPOKEN = listed("-m --message --title --body --description --notes")
