"""The decision about one command line: every run is read, every rule asked, the strictest answer counts. Pure.

For each run: what the line told before is added to its words, the rules that match are found, and what it does to files
(`file_findings`). Then each finding is asked for an excuse (`excuses`). What is left, the facts and undo may settle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from holdfast.commandline.effects import sql
from holdfast.commandline.effects.deeds import deeds
from holdfast.commandline.inline.marks import REMOTE_SHELL, SENDS_SECRETS
from holdfast.commandline.model import Arg, Reading, Run, Where
from holdfast.commandline.reading import statement_files
from holdfast.judging import (
    branches,
    carried,
    cut_short,
    file_findings,
    git_calls,
    given_statements,
    links,
    overwriting,
    own_guard,
    own_servers,
    quick,
    remote_shells,
    rights,
    secrets_sent,
    sent_tokens,
    unknown_programs,
    weakening,
)
from holdfast.judging.excuses import Case, LineContext, excuse
from holdfast.judging.file_findings import brief
from holdfast.judging.matching import Packs, Rule, changes_nothing, is_spared, is_unknown, matches, matching
from holdfast.judging.model import STRICTNESS, Excused, Finding, RuleDecision
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

Holds = Callable[[Rule], bool]
"""Are the circumstances given that a rule names?"""


@dataclass(slots=True)
class Judgement:
    """What the rules say to a line, and what was let pass with which excuse."""

    findings: list[Finding] = field(default_factory=list)
    excused: list[Excused] = field(default_factory=list)

    def excuse(self, name: str, says: str, finding: Finding) -> None:
        """Let it pass. What would have been allowed anyway needs no excuse."""
        if finding.decision != "allow":
            self.excused.append(Excused(name, says, finding))


def findings(
    reading: Reading, packs: Packs, where: Where, unknown: RuleDecision = "allow", holds: Holds = lambda rule: True
) -> list[Finding]:
    """All rules that match and have no excuse."""
    return judged(reading, packs, where, unknown, holds).findings


def judged(
    reading: Reading, packs: Packs, where: Where, unknown: RuleDecision = "allow", holds: Holds = lambda rule: True
) -> Judgement:
    """All rules that match, one entry per run and rule. `unknown` is decided about what is computed at run time."""
    made = Judgement(list(_of_reading(reading, unknown)))
    line = LineContext(reading, where)
    told = _Told(reading, where)
    for number, run in enumerate(reading.runs):
        run = told.as_meant(run)
        by_words = [each for each in matches(packs, run) if holds(each[0])]
        counted = [rule for rule, spared in by_words if spared is None]
        for rule, spared in by_words:
            if spared is not None and (reason := _reason(rule, run)):
                made.excuse(spared.name, spared.says, _of_rule(rule, run, reason))
        matched = [each for each in _matched(packs, counted, run, number, told) if holds(each[0])]
        allowed = any(rule.action == "allow" and rule.scope == "user" for rule, _ in matched)
        # What the user's own rule allows, built-in rules do not refuse; a project's rule still may.
        strict = {"holdfast.override", *(rule.id for rule, _ in matched if rule.scope == "project")}
        for finding, by_rule in (*_of_rules(matched, run, number, told), *_of_files(run, number, told, where)):
            if found := excuse(Case(finding, run, number, line, by_rule)):
                made.excuse(found.name, found.says, finding)
            elif allowed and finding.rule not in strict:
                made.excuse("allowed-by-user", "a rule of the user allows it", finding)
            else:
                made.findings.append(finding)
    return made


# --- the whole line


def _of_reading(reading: Reading, unknown: RuleDecision) -> Iterator[Finding]:
    """What is said about the line as a whole."""
    if reading.cut:
        yield Finding("guards.too-long", "ask", "the command is too long to be read whole", "run it in smaller parts")
    if reading.unread and unknown != "allow":
        yield Finding("guards.unknown", unknown, reading.unread[0], "write the command out, so that it can be read")
    yield from own_guard.findings(reading.runs)


class _Told:
    """What other runs of the line tell about one."""

    def __init__(self, reading: Reading, where: Where) -> None:
        self.runs = reading.runs
        self.carried = carried.followed(reading.runs)
        """What the line puts into files, and does with them."""
        self.cut_short = cut_short.moved_over(reading.runs)
        self.shells = remote_shells.given_away(reading.runs)
        self.moved = file_findings.moved_before(reading, where)
        self.links = links.Links(reading.runs, where)
        self._version_control: list[tuple[str, ...]] = []
        """What git, or jj, was called with so far."""
        self._plans_to_destroy = False
        self._context = ""
        """The cluster of this machine that the line has chosen."""
        self.stashed = False
        """Has the line made a stash?"""

    def as_meant(self, run: Run) -> Run:
        """The run, with what earlier runs of the line say about it. Asked once for each run, in their order."""
        if run.program in _PLANNERS:
            # `TF_CLI_ARGS_apply=-destroy` is read before the words.
            given = (value.text for name, value in run.environment if name.startswith("TF_CLI_ARGS"))
            words = tuple(Arg(word) for text in given for word in text.split())
            run = replace(run, args=(*run.args, *words)) if words else run
            self._plans_to_destroy = self._plans_to_destroy or "-destroy" in run.texts
            if self._plans_to_destroy and "apply" in run.texts:
                # `terraform plan -destroy -out=p && terraform apply p`
                run = replace(run, args=(*run.args, Arg("-destroy")))
        if run.program in _CLUSTER_CLIENTS:
            run = self._with_context(run)
        if run.program in ("git", "jj"):
            if self._version_control:
                run = branches.with_branch(run, self._version_control)
            self._version_control.append(run.texts)
            self.stashed = self.stashed or (run.program == "git" and git_calls.stashes(run))
        return run

    def _with_context(self, run: Run) -> Run:
        """`kubectl config use-context minikube && kubectl delete ns test`: a cluster of this machine."""
        if run.program == "kubectx" or run.texts[:2] == ("config", "use-context"):
            chosen = run.texts[-1] if run.args else ""
            self._context = chosen if _LOCAL_CLUSTER.match(chosen) else ""
        elif self._context and not any("context" in text or "kubeconfig" in text for text in run.texts):
            named = Arg(f"--{'kube-' if run.program == 'helm' else ''}context={self._context}")
            return replace(run, args=(named, *run.args))
        return run


_CLUSTER_CLIENTS = frozenset({"kubectl", "k", "kubectx", "helm"})
_LOCAL_CLUSTER = lazy_pattern(
    r"(?:kind|k3d)-[\w-]+\Z|(?:minikube|docker-desktop|rancher-desktop|colima|orbstack|microk8s)\Z"
)
_PLANNERS = frozenset({"terraform", "tofu", "terragrunt"})


# --- one run


def _matched(packs: Packs, matched: Sequence[Rule], run: Run, number: int, told: _Told) -> Iterator[tuple[Rule, str]]:
    """The rules that are about a run, each with what is said. `matched` are those whose words match."""
    yield from _of_packs(packs, run, matched)
    if number in told.carried.sends:
        for rule in matching(packs, replace(run, program=SENDS_SECRETS)):
            yield rule, "it sends secrets or a whole database that this line gathered"
    before = told.runs[number - 1] if number else None
    if sent_tokens.are_sent(run) or secrets_sent.are_sent(run, before) or secrets_sent.in_pipeline(run):
        yield from ((rule, rule.said) for rule in matching(packs, replace(run, program=SENDS_SECRETS)))
    if (pipe := told.carried.runs_unread.get(number)) is not None:
        yield from ((rule, rule.said) for rule in matching(packs, pipe))
    if number in told.cut_short:
        yield from ((rule, rule.said) for rule in matching(packs, replace(run, program=cut_short.CUTS_SHORT)))
    if number in told.shells:
        yield from ((rule, rule.said) for rule in matching(packs, replace(run, program=REMOTE_SHELL)))


def _of_rules(
    matched: Iterable[tuple[Rule, str]], run: Run, number: int, told: _Told
) -> Iterator[tuple[Finding, Rule | None]]:
    for rule, reason in matched:
        if rule.action == "allow" and not rule.act:
            continue
        finding = _of_rule(rule, run, reason)
        if rule.id == "git.stash-drop" and told.stashed:
            # The stash that the line drops is made by the line: there is nothing yet that could be kept.
            finding = replace(finding, act=None)
        yield file_findings.after_move(finding, number, told.moved), rule


def _of_files(run: Run, number: int, told: _Told, where: Where) -> Iterator[tuple[Finding, Rule | None]]:
    """What a run does to files, as far as there is something to decide."""
    for deed in deeds(run):
        for finding in file_findings.of_deed(deed, run, where):
            finding = told.links.through(file_findings.after_move(finding, number, told.moved), number)
            if file_findings.is_told(finding):
                yield finding, None


def _of_packs(packs: Packs, run: Run, matched: Sequence[Rule]) -> Iterator[tuple[Rule, str]]:
    """The rules that match a run by their own words, and those about programs that no rule knows."""
    for rule in matched:
        if reason := _reason(rule, run):
            yield rule, reason
    for _, rule in packs.by_program.get(run.program, ()):
        if rule.unknown is not None and rule not in matched and is_unknown(packs, rule, run):
            yield replace(rule, action=rule.unknown), f"what `{run.program}` shall do is computed at run time"
    tool = unknown_programs.started(run)
    is_known = _is_known(packs, tool.program)
    excusing = [rule for rule in matched if rule.scope != "project"]  # a project's rule excuses nothing
    asks = all(rule.unsafe_sql for rule in excusing) and (
        (not is_known and unknown_programs.destroys(tool))
        or unknown_programs.typed_at_device(run, is_known=is_known)
        or unknown_programs.wipes(run)
    )
    decided = any(rule.action in ("ask", "deny") and not rule.unsafe_sql for rule in excusing)
    weakens = not decided and weakening.weakens(run)
    reads_sql = bool(excusing) or _reads_sql(packs, run)
    if asks and not is_spared(packs, tool) and not any(spared for _, spared in matches(packs, run)):
        yield from ((rule, rule.said) for rule in matching(packs, replace(run, program=unknown_programs.STRANGER)))
    elif not reads_sql and given_statements.destroys(run) and not changes_nothing(packs, run):
        yield from ((rule, rule.said) for rule in matching(packs, replace(run, program=given_statements.DESTROYS)))
    elif not decided and overwriting.overwrites(run) and not changes_nothing(packs, run):
        yield from ((rule, rule.said) for rule in matching(packs, replace(run, program=overwriting.OVERWRITES)))
    elif weakens and not changes_nothing(packs, run):
        yield from ((rule, rule.said) for rule in matching(packs, replace(run, program=weakening.WEAKENS)))
    elif not decided and rights.gives_administration(run) and not changes_nothing(packs, run):
        yield from ((rule, rule.said) for rule in matching(packs, replace(run, program=rights.GIVES)))


def _reason(rule: Rule, run: Run) -> str:
    """What a rule says that matches by its words; '' when the statements that it reads destroy nothing."""
    if not rule.unsafe_sql:
        return rule.said
    takes_back = run.program not in _COMMITS_ALONE
    goes_on = bool(run.stdin and run.args) and run.program in _GO_ON and not _STOPS.search(" ".join(run.texts))
    spares = not own_servers.is_far(run)
    what = sql.destroys(_statements(run), takes_back=takes_back, goes_on=goes_on, spares_tests=spares)
    what = what or sql.destroys([_typed(run)], spares_tests=spares)
    if what:
        return f"the statement {what}"
    unread = next((name for name in run.unread_files if statement_files.reads_as_destroying(name)), "")
    return f"it runs the statements of {unread}, which cannot be read here" if unread else ""


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
    if run.program in _KEYS_AND_VALUES:
        return [line for line in (run.stdin or "").splitlines() if _COMMAND.match(line)]
    words = [_OPTION.sub("", text) for text in run.texts if not text.startswith("--") or "=" in text or " " in text]
    return [*words, *([run.stdin] if run.stdin else [])]


def _typed(run: Run) -> str:
    """A statement that was typed without quotation marks."""
    if run.program in _KEYS_AND_VALUES:
        return ""
    return " ".join([run.program, *(text for text in run.texts if " " not in text and not text.startswith("-"))])


_KEYS_AND_VALUES = listed("redis-cli valkey-cli")
"""Clients whose words are keys and texts, but for the first: `get flushall`. A rule of their own reads that one."""
_COMMAND = lazy_pattern(r"(?i)\s{0,20}(?:flush|eval|fcall|script)")


def _of_rule(rule: Rule, run: Run, reason: str) -> Finding:
    return Finding(rule.id, rule.action, reason, rule.offered, brief(run), rule.act, run=run)


def strictest(found: Iterable[Finding]) -> Finding | None:
    return max(found, key=lambda each: STRICTNESS[each.decision], default=None)
