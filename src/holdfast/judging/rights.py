"""Calls that make somebody an administrator, by any program: nothing is lost yet, and whoever it is may lose all. Pure;
linear.

`aws iam attach-user-policy … AdministratorAccess`, `gcloud projects add-iam-policy-binding … --role=roles/owner`: a
verb that gives, a noun of rights, and a value that names an administrator. Tools call these alike, so they are read
without knowing the tool. A statement counts where it goes to a server of the network, or to production.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from holdfast.commandline.effects import disposable
from holdfast.commandline.model import Run
from holdfast.judging import own_servers, weakening
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

GIVES = "gives-administration"
"""The program of the rule that is about these calls."""

_VERB = lazy_pattern(
    r"(?i)(?:[\w-]{1,40}[-_:])?(?:attach|add|grant|assign|create|put|associate|bind|promote|invite|set)(?:[-_:][\w-]{1,60})?\Z"
)
_NOUN = lazy_pattern(
    r"(?i)[\w:.-]{0,60}(?:policy|policies|iam|roles?|rolebinding|clusterrolebinding|binding|assignment|members?|memberships?|"
    r"collaborators?|access|access-entry|iamidentitymapping|iamserviceaccount|permissions?|rbac|users?|groups?)(?:[-_:][\w-]{1,60})?\Z"
)
_PATH = lazy_pattern(
    r"/?(?:[\w.{}-]{1,80}/){1,8}(?:members|memberships|collaborators|invitations|roles?)(?:/[^\s/]{1,80})?\Z"
)
"""A path of an API under which members and their roles stand."""
_METHODS = listed("PUT POST PATCH -XPUT -XPOST -XPATCH --method=PUT --method=POST --method=PATCH")
_ADMIN = (
    r"(?:arn:aws[\w-]{0,10}:iam::aws:policy/(?:AdministratorAccess|IAMFullAccess)|"
    r"arn:aws[\w-]{0,10}:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy|"
    r"roles/(?:owner|iam\.(?:securityAdmin|organizationRoleAdmin)|resourcemanager\.\w{0,20}Admin|"
    r"(?!(?:run|cloudfunctions|artifactregistry|cloudbuild|workflows|cloudscheduler|eventarc)\.)\w{1,40}\.(?:admin|owner))|cluster-admin|"
    r"system:masters|super-?(?:user|admin)|accountadmin|orgadmin|securityadmin)"
)
_BY_NAME = r"(?:(?:[\w -]{1,30}[-_ ])?(?:admin(?:istrator)?s?|owner)|root)"
_ROLE_OPTION = r"(?:--(?:roles?|policy-arn|policy|cluster-?role|group-name|group|permissions?|access-level|access)|-r)"
_GIVEN = lazy_pattern(
    rf"(?i)(?:{_ROLE_OPTION}=)?{_ADMIN}\Z|{_ROLE_OPTION}={_BY_NAME}\Z|(?:role|permission|access_level)=(?:{_BY_NAME}|50)\Z"
)
_NAMES_NEW = lazy_pattern(r"create-group\Z")
"""Makes a group: what it is called gives nobody a right yet."""
_NAMED = lazy_pattern(rf"{_ROLE_OPTION}\Z")
"""The name of such an option, whatever its value."""
_ALL_ACTIONS = lazy_pattern(r"\"(?i:action)\"\s{0,5}:\s{0,5}\[?\s{0,5}\"\*(?::\*)?\"")
_STATEMENT = lazy_pattern(
    r"(?i)\b(?:alter|create)\s+(?:role|user)\s[^;]{1,200}?\bsuperuser\b|"
    r"\bgrant\s+all(?:\s+privileges)?\s+on\s+\*\s?\.\s?\*\s+to\b|"
    r"\bgrant\s+(?:role\s+)?[\"'`]?(?:accountadmin|orgadmin|securityadmin|sysadmin|dba|rds_superuser|rdsadmin|cloudsqlsuperuser|"
    r"azure_pg_admin)\b[\"'`]?\s+to\b|\balter\s+server\s+role\s+\[?sysadmin\]?\s+add\b|"
    r"\b(?:grantRolesToUser|createUser)\([^;]{0,200}[\"'](?:root|userAdminAnyDatabase|dbAdminAnyDatabase|__system)[\"']"
)
_STORES = listed(
    "psql mysql mariadb mongosh mongo sqlcmd usql pgcli mycli sqlplus cockroach snowsql snow bq heroku pscale"
)
_FAR_STORES = listed("snowsql snow bq heroku pscale")
"""Clients of databases that are never on this machine."""
_NO_CLOUDS = listed("wp drush rails php artisan rabbitmqctl createuser docker podman nerdctl sudo useradd usermod")
"""Programs whose administrators are those of one application, most often on this machine; or which have rules."""
_MOST = 60
_FIRST = 6
_LONGEST = 4_000
_CLUSTERS = listed("kubectl k oc")
_HERE = lazy_pattern(r"(?i)(?:\A|[=/@])(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|\Z)")
"""The address of this machine. A name that says what it is for spares nobody: `ci` is an administrator as well."""


_SUPERUSER = lazy_pattern(r"-[a-zA-Z]{0,10}s[a-zA-Z]{0,10}\Z|--superuser\Z")


def may_give(word: str) -> bool:
    """A first look at one word: without one of these no call makes an administrator."""
    return (
        _GIVEN.match(word) is not None
        or _NAMED.match(word) is not None
        or _ALL_ACTIONS.search(word[:_LONGEST]) is not None
    )


def gives_administration(run: Run) -> bool:
    """Does this call give the rights of an administrator to somebody?"""
    if run.program == "createuser":
        return not run.remote and any(map(_SUPERUSER.match, run.texts)) and own_servers.is_far(run)
    if not run.args or run.program in _NO_CLOUDS or weakening.only_says(run.program):
        return run.program in _STORES and _by_statement(run)
    if run.program in _STORES and _by_statement(run):
        return True
    words = [text for text in run.texts[:_MOST] if not text.startswith("-")][:_FIRST]
    if not _is_about_rights(words, run.texts[:_MOST]) or any(map(_NAMES_NEW.match, words)):
        return False
    if any(map(_HERE.search, run.texts[:_MOST])) or (
        run.program in _CLUSTERS and disposable.is_thrown_away(run.program, run.texts, ())
    ):
        return False
    return any(map(_GIVEN.match, _joined(run.texts[:_MOST]))) or any(
        _ALL_ACTIONS.search(text[:_LONGEST]) for text in (*run.texts[:_MOST], run.stdin or "")
    )


def _is_about_rights(words: Sequence[str], texts: Sequence[str]) -> bool:
    if any(map(_PATH.match, words)) and not _METHODS.isdisjoint(texts):
        return True
    return any(map(_VERB.match, words)) and any(map(_NOUN.match, words))


def _by_statement(run: Run) -> bool:
    said = (*run.texts[:_MOST], run.stdin or "")
    if not any(_STATEMENT.search(text[:_LONGEST]) for text in said):
        return False
    if run.remote:
        return False
    return run.program in _FAR_STORES or own_servers.is_far(run) or any(map(disposable.is_of_production, run.texts))


def _joined(texts: Sequence[str]) -> Iterator[str]:
    """Every word, and every option with the word behind it."""
    for text, behind in itertools.pairwise((*texts, "")):
        yield text
        if text.startswith("-") and "=" not in text and behind and not behind.startswith("-"):
            yield f"{text}={behind}"
