"""Does a rule of a pack match a run? Pure.

A rule names programs, the words that follow them (`words`, read as a beginning), options that must or must not be
there, how many words there are, and texts. Abbreviated long options count: `git reset --har` is `--hard`.
"""

from __future__ import annotations

import fnmatch
import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from holdfast.commandline.effects import disposable, own_databases
from holdfast.commandline.effects.dry_runs import given, is_local_cloud, only_tries
from holdfast.commandline.model import Act, Arg, Run
from holdfast.commandline.options import flags_and_words
from holdfast.judging import own_consoles
from holdfast.judging.model import RuleDecision
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule as its file says. Empty fields match everything."""

    id: str
    action: RuleDecision
    reason: str
    instead: str = ""
    programs: tuple[str, ...] = ()
    words: tuple[tuple[tuple[str, ...], ...], ...] = ()
    """Ways to begin: each a sequence of places, each place a choice of words (`*` is any)."""
    any: tuple[str, ...] = ()
    all: tuple[str, ...] = ()
    none: tuple[str, ...] = ()
    least: int = 0
    """At least so many words, the named ones included."""
    dashes: bool | None = None
    """Whether `--` must be there."""
    text: re.Pattern[str] | None = None
    """Must be found in the words and options, joined by blanks."""
    not_text: re.Pattern[str] | None = None
    fed_text: re.Pattern[str] | None = None
    """Must be found in the names of the files that are piped or redirected into it, or in the text that is."""
    unsafe_sql: bool = False
    """Only where the words hold a statement that destroys data."""
    spares_tests: bool = False
    """Not where the call names a database that is there to be thrown away: `shop_test`, `RAILS_ENV=test`."""
    piped_from: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    act: Act | None = None
    """What it does to files, so that facts and undo can be asked."""
    unknown: RuleDecision | None = None
    """What is decided when the words that it looks at are computed at run time."""
    tools: tuple[str, ...] = ()
    """Names of tools, `*` in them: `mcp__github__*`. A rule with `programs` is about command lines only."""
    arguments: tuple[tuple[str, str], ...] = ()
    """Arguments of the tool by name, each with a pattern."""
    paths: tuple[str, ...] = ()
    """Patterns of files that the call names, relative to the project, absolute, or from `~`."""
    events: tuple[str, ...] = ("PreToolUse",)
    efforts: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    """Types or ids of subagents; `main` is the main agent."""
    context_use: int = 0
    """Percent of the context window, at least."""
    heartbeat: int = 0
    """Calls since the last entry in the log, at least."""
    once: bool = False
    """Said once in a context window, then it is silent."""
    where: str = ""
    """File and line, for people."""
    scope: str = "built-in"

    @property
    def said(self) -> str:
        """The reason. Words that came with a repository are marked as such: they are not holdfast's."""
        if self.scope != "project":
            return self.reason
        return f"rule of this repository ({self.where}): “{self.reason}”"

    @property
    def offered(self) -> str:
        """The safe alternative, '' without one. That of a repository is marked as its words, too."""
        if self.scope != "project" or not self.instead:
            return self.instead
        return f"this repository says: “{self.instead}”"


LEAVES = "secrets.leave"
"""The built-in rules about secrets that are sent: a key with which a program only proves who it is, stays here."""
SHOWN = "secrets.shown"
"""The built-in rule about showing a private key: it names `cat` and its kind, which are in most lines."""
FirstWordsRule = tuple[frozenset[str] | None, Rule]
"""A rule with the words that a call must begin with to match it; None: any."""


@dataclass(frozen=True, slots=True)
class Packs:
    """All rules in force, by program."""

    rules: tuple[Rule, ...]
    values: Mapping[str, frozenset[str]]
    """Options that take a value, by program."""
    by_program: Mapping[str, tuple[FirstWordsRule, ...]] = field(default_factory=dict)
    calls: tuple[Rule, ...] = ()
    """Rules without programs: about any call, or about an event."""
    names: frozenset[str] = frozenset()
    """All programs that a rule names, but for those that only may not show a key."""
    settled: frozenset[str] = frozenset()
    """Those about whose destroying words a built-in rule decides. What only publishes is not among them."""
    beginnings: tuple[str, ...] = ()
    """Beginnings of names that a rule has with a `*`: `mkfs.`."""
    added: tuple[str, ...] = ()
    """How the programs begin that the user's and the project's own rules name."""


def packed(rules: Sequence[Rule], values: Mapping[str, frozenset[str]]) -> Packs:
    by_program: dict[str, list[FirstWordsRule]] = {}
    for rule in rules:
        for program in rule.programs:
            by_program.setdefault(program if "*" not in program else "*", []).append((_first_words(rule), rule))
    named = {
        program for rule in rules if not (rule.id == SHOWN and rule.scope == "built-in") for program in rule.programs
    }
    return Packs(
        tuple(rules),
        values,
        {name: tuple(found) for name, found in by_program.items()},
        tuple(rule for rule in rules if not rule.programs),
        frozenset(name for name in named if "*" not in name),
        frozenset(
            name
            for rule in rules
            if rule.scope == "built-in" and not rule.id.startswith(_SAY_NOTHING_OF_DELETING)
            for name in rule.programs
        ),
        tuple(name.partition("*")[0] for name in named if "*" in name),
        tuple({name.partition("*")[0] for rule in rules if rule.scope != "built-in" for name in rule.programs}),
    )


_SAY_NOTHING_OF_DELETING = (
    "publish.",
    "secrets.",
    "remote.",
    "database.reset",
    "cloud.platform",
    "cloud.objects",
    "ci.",
    "broker.",
    "backup.",
    "machine.",
    "github.",
    "requests.mail",
    "requests.money",
    "database.overwrite",
)


def _first_words(rule: Rule) -> frozenset[str] | None:
    """The words with which a call begins that this rule matches; None when they are not told, or are patterns."""
    first = [choice for way in rule.words for choice in way[0]]
    return frozenset(first) if first and not any(sign in word for word in first for sign in "*?[") else None


def matching(packs: Packs, run: Run) -> list[Rule]:
    """The rules that match and count, in the order of their files."""
    return [rule for rule, spared in matches(packs, run) if spared is None]


def matches(packs: Packs, run: Run) -> list[tuple[Rule, Spared | None]]:
    """The rules that match, each with the reason for which it does not count."""
    told = packs.by_program.get(run.program, ())
    if not told and not (packs.beginnings and run.program.startswith(packs.beginnings)):
        return []
    values = packs.values.get(run.program, frozenset())
    flags, words = flags_and_words(_plain_args(run), values)
    first = words[0].lower() if words else ""
    if more := packs.values.get(f"{run.program} {first}"):  # options whose value only this word knows
        flags, words = flags_and_words(_plain_args(run), values | more)
    candidates = [rule for firsts, rule in (*told, *packs.by_program.get("*", ())) if firsts is None or first in firsts]
    if not candidates:
        return []
    joined = _joined(run.texts)
    found = [rule for rule in candidates if _matches(rule, run, flags, words, joined)]
    if not found:
        return []
    of_call = ONLY_TRIES if _changes_nothing(run, flags, words) else None
    return [(rule, (of_call if rule.scope == "built-in" else None) or _spared(rule, run)) for rule in found]


@dataclass(frozen=True, slots=True)
class Spared:
    """Why a rule does not count for a call, as `excuses.Excuse` does for a finding."""

    name: str
    says: str


ONLY_TRIES = Spared("only-tries", "it only tries, asks for help, or talks to a cloud on this machine")
OWN_REGISTRY = Spared("own-registry", "it is published on this machine only")
TEST_NAMES = Spared("test-names", "it names a database, a volume or a namespace that is there to be thrown away")


_OF_ADDRESS = frozenset({"database.reset", "data.collect"})
"""Rules about tools that go to the database whose address they are told."""


def _spared(rule: Rule, run: Run) -> Spared | None:
    if rule.scope == "built-in" and _is_own_registry(rule, run):
        return OWN_REGISTRY
    environment = [(name, value.text) for name, value in run.environment]
    of_address = rule.scope == "built-in" and rule.id in _OF_ADDRESS and not run.remote
    if of_address and own_databases.only_of_moment(run.texts, environment):
        return TEST_NAMES
    if rule.id == "database.orm" and rule.scope == "built-in" and own_consoles.leaves(run):
        return None
    if rule.spares_tests and disposable.is_thrown_away(run.program, run.texts, environment, run.container, run.stdin):
        return TEST_NAMES
    return None


def is_spared(packs: Packs, run: Run) -> bool:
    """Does a call only try, ask for help, talk to a cloud on this machine, or does a rule of its program spare it?"""
    joined = _joined(run.texts)
    if any(
        rule.not_text is not None and rule.scope != "project" and rule.not_text.search(joined)
        for _, rule in packs.by_program.get(run.program, ())
    ):
        return True
    return changes_nothing(packs, run)


def changes_nothing(packs: Packs, run: Run) -> bool:
    """Does a call only try, ask for help, or talk to a cloud on this machine?"""
    flags, words = flags_and_words(_plain_args(run), packs.values.get(run.program, frozenset()))
    return _changes_nothing(run, flags, words)


def _changes_nothing(run: Run, flags: Sequence[str], words: Sequence[str]) -> bool:
    if only_tries(run.program, flags, words, run.texts):
        return True
    environment = ((name, each.text) for name, each in run.environment)
    return bool(run.environment) and is_local_cloud(run.program, words, run.texts, environment)


def _is_own_registry(rule: Rule, run: Run) -> bool:
    """`npm_config_registry=http://localhost:4873 npm publish`: is it published on this machine only?"""
    if not run.environment or not rule.id.startswith("publish."):
        return False
    if any(_NAMES_REGISTRY.match(text) for text in run.texts):
        return False  # an option counts before a variable
    wanted = _REGISTRIES.get(run.program)
    told = [value.text for name, value in run.environment if wanted is not None and wanted.match(name)]
    return bool(told) and all(_LOCAL_URL.match(text) for text in told)


_NAMES_REGISTRY = lazy_pattern(
    r"--(?:\S*:)?(?:registry|repo\w*|repository-url|publish-url|host|index|index-url|source|config-file|key|userconfig|config)(?:=|\Z)|-[rup]"
)
_NPM = lazy_pattern(r"(?i)npm_config_(?:\S*:)?registry\Z")
_REGISTRIES = {
    "npm": _NPM,
    "pnpm": _NPM,
    "bun": _NPM,
    "yarn": lazy_pattern(r"(?i)(?:npm_config_(?:\S*:)?registry|yarn_npm_(?:registry_server|publish_registry))\Z"),
    "twine": lazy_pattern(r"(?i)twine_repository_url\Z"),
    "uv": lazy_pattern(r"(?i)uv_publish_url\Z"),
    "gem": lazy_pattern(r"(?i)(?:gem|rubygems)_host\Z"),
    "mix": lazy_pattern(r"(?i)hex_api_url\Z"),
}
"""The variables of each program that say where it publishes."""
_LOCAL_URL = lazy_pattern(r"(?:sparse\+)?https?://(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|\Z)")


def _plain_args(run: Run) -> Sequence[Arg]:
    """The words of a call without values that look as an option or a command does: `git clean -fdx -e -n`,
    `zypper -D /folder remove x`."""
    if run.program == "git" and run.texts[:1] == ("--",):
        return run.args[1:]
    if run.program == "git" and "clean" in run.texts:
        return [arg for before, arg in itertools.pairwise((Arg(""), *run.args)) if not _EXCLUDES.match(before.text)]
    if run.program == "zypper" and run.args and run.args[0].text in ("-D", "--reposd-dir", "-R", "--root"):
        return run.args[2:]
    return _from_command(run.program, run.args)


def _from_command(program: str, args: Sequence[Arg]) -> Sequence[Arg]:
    """The words of a call without the settings before its command: `pnpm --filter core publish`, `cargo +beta yank`."""
    place = 0
    left: list[Arg] = []
    while place < len(args):
        text = args[place].text
        if text in _SETTINGS and place + 2 < len(args) and not args[place + 1].text.startswith("-"):
            place += 2
        elif place == 0 and program == "cargo" and text.startswith("+"):
            place += 1
        elif place == 0 and program == "yarn" and text == "workspace" and len(args) > 2:
            place += 2
        elif text.startswith("-") and text != "--":
            left.append(args[place])
            place += 1
        else:
            break
    return [*left, *args[place:]] if place else args


_SETTINGS = listed(
    "--filter -F -C --cwd --dir --directory --prefix --workspace --manifest-path --context --kube-context --kubeconfig "
    "--profile --region --project --namespace --cluster --config --config-file --scope --subscription --endpoint "
    "--endpoints --address --host --org --organization --account --stack --server --token --token-file --log-level "
    "--loglevel --log-format --color --timeout --workdir --working-dir --chdir --cache-dir --repo --repository "
    "--tenant --environment --env-file --output --format --api-key --api-token --access-token --team --app"
)
"""Settings that tools take with a value before their command, whichever tool it is."""


_EXCLUDES = lazy_pattern(r"--exclude\Z|-[a-zA-Z]*e\Z")


_SPOKEN = listed(
    "-t -k -g -m --grep --testNamePattern --test-name-pattern --filter --message --title --body --description "
    "--notes --name"
)
"""Options whose value is a text for people, or the name of a test, where it has blanks."""


def _joined(texts: Sequence[str]) -> str:
    """The words in one line, without what is only said: `jest -t 'rake db:drop'`."""
    return " ".join(
        text for place, text in enumerate(texts) if not (" " in text and place and texts[place - 1] in _SPOKEN)
    )


def _matches(rule: Rule, run: Run, flags: Sequence[str], words: Sequence[str], joined: str) -> bool:
    named = not rule.programs or run.program in rule.programs
    if not named and not any(fnmatch.fnmatchcase(run.program, program) for program in rule.programs):
        return False
    if rule.piped_from and not any(each in rule.piped_from for each in run.piped_from):
        return False
    if rule.environment:
        set_names = {name for name, _ in run.environment}
        if not any(fnmatch.fnmatchcase(name, wanted) for name in set_names for wanted in rule.environment):
            return False
    if rule.words and not any(_begins(words, way) for way in rule.words):
        return False
    if rule.id == LEAVES and run.program == "openssl" and "s_client" not in words:
        return False  # it only reads: `openssl x509 -noout -enddate`
    if rule.id == LEAVES and run.program in ("scp", "rsync") and words and ":" not in words[-1] and ":" in words[0]:
        return False  # it comes from there: `scp web1:/srv/app/.env .env.staging`
    if len(words) < rule.least:
        return False
    if rule.dashes is not None and ("--" in flags) is not rule.dashes:
        return False
    shortest = 3 if run.program == "git" else 4  # `git reset --h` is `--hard`
    if rule.any and not any(given(flags, wanted, shortest=shortest) for wanted in rule.any):
        return False
    if not all(given(flags, wanted, shortest=shortest) for wanted in rule.all):
        return False
    if any(given(flags, unwanted) for unwanted in rule.none):
        return False
    if rule.fed_text is not None and not rule.fed_text.search("\n".join((" ".join(run.fed_by), run.stdin or ""))):
        return False
    if rule.text is not None and not rule.text.search(_sent(run.program, joined) if rule.id == LEAVES else joined):
        return False
    return rule.not_text is None or not rule.not_text.search(joined)


_KEY = r"[ =]?\S*(?:\.(?:pem|p12|pfx|crt|key|netrc)|\.ssh/\S+|id_(?:rsa|ed25519|ecdsa|dsa))(?:[:,]\S*)?(?=\s|$)"
_KEYS = {
    "curl": lazy_pattern(rf"(?:^|(?<=\s))(?:-E|--(?:proxy-)?(?:cert|key|cacert)|--netrc-file){_KEY}"),
    "wget": lazy_pattern(rf"(?:^|(?<=\s))--(?:certificate|private-key|ca-certificate){_KEY}"),
    **dict.fromkeys(
        ("scp", "sftp", "ssh", "lftp"), lazy_pattern(rf"(?:^|(?<=\s))(?:-i|-o\s?IdentityFile)(?!=\S*:){_KEY}")
    ),
    "rsync": lazy_pattern(rf"(?:^|(?<=\s))\S*ssh(?: -(?!i\b)\S+| \d+)*? -i{_KEY}"),
    **dict.fromkeys(("http", "https", "xh", "httpie"), lazy_pattern(rf"(?:^|(?<=\s))--(?:cert|cert-key|verify){_KEY}")),
    "aws": lazy_pattern(rf"(?:^|(?<=\s))--ca-bundle{_KEY}"),
}


def _sent(program: str, joined: str) -> str:
    """The words of a call without the keys with which it only proves who it is: `scp -i key.pem a host:`."""
    keys = _KEYS.get(program)
    return keys.sub(" ", joined) if keys is not None else joined


def is_unknown(packs: Packs, rule: Rule, run: Run) -> bool:
    """Does the rule's answer hang on a word that is computed at run time?"""
    if rule.unknown is None or not any(fnmatch.fnmatchcase(run.program, program) for program in rule.programs):
        return False
    deepest = max((len(way) for way in rule.words), default=1)
    _, words = flags_and_words(run.args, packs.values.get(run.program, frozenset()))
    unknown = {arg.text for arg in run.args if not arg.known}
    return any(word in unknown for word in words[:deepest])


def _begins(words: Sequence[str], way: tuple[tuple[str, ...], ...]) -> bool:
    if len(words) < len(way):
        return False
    return all(
        any(choice == "*" or fnmatch.fnmatchcase(word.lower(), choice) for choice in place)
        for word, place in zip(words, way, strict=False)
    )
