"""Writes the summary of a turn, a session or a subagent, and corrects it after an edit or a forget. Runs in one
transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from holdfast.events import tombstone
from holdfast.events.light import is_light
from holdfast.ids import ConversationId, ItemId, WindowId, new_item_id
from holdfast.items.tables import superseded
from holdfast.prose.prompts.pasted import own_words
from holdfast.rooms.memory import tables
from holdfast.rooms.memory.model import MemoryItem, Observation, Prompt, Summary, SummaryContent, SummaryLevel
from holdfast.rooms.memory.standing.replacing import replace_older
from holdfast.rooms.memory.standing.worth import claims_the_user
from holdfast.rooms.memory.summaries import after_forget, answers, marks
from holdfast.rooms.memory.summaries.after_forget import Gone
from holdfast.rooms.memory.summaries.answers import END_OF_TIME, TURN
from holdfast.rooms.memory.summaries.by_rules.titles import names_a_subject
from holdfast.rooms.memory.summaries.by_rules.work import Work
from holdfast.rooms.memory.summaries.by_rules.writing import sum_up
from holdfast.store.interface import Reader, Row, Tx

_MOST_PROMPTS = 1_000
LOOKED_BACK = 6
"""Prompts before a reply among which its subject is looked for."""
_MOST_OBSERVATIONS = 2_000


@dataclass(frozen=True, slots=True)
class Subject:
    """What a summary is of: the turn of a prompt, a conversation, or the work of one subagent."""

    level: SummaryLevel
    conversation: ConversationId
    window_id: WindowId
    project_id: str
    agent_id: str = ""
    number: int = 0

    @classmethod
    def of(cls, arguments: dict[str, Any]) -> Subject:
        """From the arguments of a job. A job of an older version names the window `session_id`."""
        older = {"window_id": arguments["session_id"]} if "session_id" in arguments else {}
        return cls(**{name: value for name, value in arguments.items() if name != "session_id"}, **older)

    @property
    def name(self) -> str:
        return f"{self.level}:{self.conversation}:{self.agent_id or self.number or ''}"


@dataclass(frozen=True, slots=True)
class _Gathered:
    """The stored material about a subject."""

    key: str
    """Of what the summary is: a prompt, a conversation or a subagent's window; '' when it is not there."""
    work: Work
    parts: tuple[Summary, ...] = ()
    last_at: int = 0


def rebuild(tx: Tx, subject: Subject, owner: str) -> None:
    """Write the summary of this subject again, or remove it when nothing is left of the subject."""
    gathered = _gather(tx, subject)
    if not gathered.key:
        return
    name = f"{subject.level}:{gathered.key}"
    content = _content(gathered)
    if content is None:
        tables.drop_summary(tx, name)
        return
    summary = Summary(
        id=new_item_id(),
        subject=name,
        level=subject.level,
        conversation=subject.conversation,
        window_id=subject.window_id,
        project_id=subject.project_id,
        prompt_number=_number(tx, subject, gathered),
        content=content,
        written_by="rules",
        happened_at=gathered.last_at,
    )
    replace_older(tx, tables.keep_summary(tx, summary, owner), owner)


def is_settled(reader: Reader, subject: Subject) -> bool:
    """Is there a summary of this subject, was it forgotten, or is there nothing to say?"""
    gathered = _gather(reader, subject)
    name = f"{subject.level}:{gathered.key}"
    if not gathered.key or tables.summary_of(reader, name) is not None:
        return True
    return tombstone.lies_on(reader, 0, marks.of_subject(name)) or _content(gathered) is None


def _content(gathered: _Gathered) -> SummaryContent | None:
    work = gathered.work
    content = sum_up(work, [part.content for part in gathered.parts]) if work.requests or work.observations else None
    return replace(content, said="") if content and gathered.parts else content


def _number(tx: Tx, subject: Subject, gathered: _Gathered) -> int:
    """The prompt that the work was for: a subagent's is the prompt it began under; a session's is its last."""
    if subject.level == "turn":
        return subject.number
    if subject.level == "agent" and gathered.work.observations:
        return min(each.prompt_number for each in gathered.work.observations)
    at = gathered.last_at if subject.level == "agent" else END_OF_TIME
    return tables.prompt_number_at(tx, subject.conversation, at)


def _gather(reader: Reader, subject: Subject) -> _Gathered:
    match subject.level:
        case "agent":
            return _of_agent(reader, subject)
        case "session":
            return _of_session(reader, subject.conversation)
        case "turn":
            return _of_turn(reader, subject)


def _of_agent(reader: Reader, subject: Subject) -> _Gathered:
    observations = tuple(tables.observations_of_window(reader, subject.window_id, _MOST_OBSERVATIONS))
    message, at = answers.last_words(reader, subject.conversation, subject.agent_id, 0, END_OF_TIME, lambda _: True)
    pages = answers.pages_read(reader, subject.conversation) if message else ()
    return _Gathered(subject.window_id, Work((), observations, message, pages=pages), (), _last(observations, at))


def _of_session(reader: Reader, conversation: ConversationId) -> _Gathered:
    prompts = tables.prompts_of_conversation(reader, conversation, _MOST_PROMPTS)
    observations = tuple(tables.observations_of_conversation(reader, conversation, _MOST_OBSERVATIONS))
    message, at = answers.last_words(
        reader, conversation, "", 0, END_OF_TIME, lambda asked: tables.prompt(reader, asked) is not None
    )
    summaries = tables.summaries_of_conversation(reader, conversation)
    turns = tuple(each for each in summaries if each.level == "turn" and not superseded(reader, ItemId(each.id)))
    last = _last(observations, max([at, *(prompt.happened_at for prompt in prompts)]))
    pages = answers.pages_read(reader, conversation) if message else ()
    asked = answers.answers_of_user(
        reader, conversation, 0, END_OF_TIME, lambda told: tables.prompt(reader, told) is not None
    )
    work = Work(tuple(prompt.text for prompt in prompts), observations, message, pages=pages, answers=asked)
    return _Gathered(conversation, work, turns, last)


def _of_turn(reader: Reader, subject: Subject) -> _Gathered:
    conversation, number = subject.conversation, subject.number
    asked = tables.prompt_numbered(reader, conversation, number)
    if asked is None:
        return _Gathered("", Work((), ()))
    since, until = answers.turn_span(reader, conversation, asked.happened_at)
    observations = tuple(tables.observations_of_turn(reader, conversation, number, _MOST_OBSERVATIONS))
    message, at = answers.last_words(reader, conversation, "", since, until, lambda answered: answered == asked.id)
    pages = answers.pages_read(reader, conversation) if message else ()
    before, _ = answers.last_words(
        reader, conversation, "", 0, since - 1, lambda answered: tables.prompt(reader, answered) is not None
    )
    work = Work(
        (asked.text,),
        observations,
        message,
        subject_before(reader, conversation, number),
        pages,
        _question_before(reader, conversation, number),
        before,
        not observations and _had_helpers(reader, conversation, number),
        answers.answers_of_user(reader, conversation, since, until, lambda answered: answered == asked.id),
    )
    return _Gathered(asked.id, work, (), _last(observations, max(at, since)))


def subject_before(reader: Reader, conversation: ConversationId, number: int) -> str:
    """The last request before a prompt that names a subject: what "yes please" is an answer to."""
    for before in range(number - 1, max(0, number - LOOKED_BACK), -1):
        prompt = tables.prompt_numbered(reader, conversation, before)
        words = own_words(prompt.text) if prompt is not None else ""
        if names_a_subject(words):
            return words
    return ""


def _question_before(reader: Reader, conversation: ConversationId, number: int) -> str:
    """The last question before a prompt: what "no, drop it" decides."""
    for before in range(number - 1, max(0, number - LOOKED_BACK), -1):
        prompt = tables.prompt_numbered(reader, conversation, before)
        words = own_words(prompt.text) if prompt is not None else ""
        if words.endswith(("?", "？")):
            return words
    return ""


def _had_helpers(reader: Reader, conversation: ConversationId, number: int) -> bool:
    """Did subagents look at anything in this turn?"""
    seen = tables.observations_of_conversation(reader, conversation, _MOST_OBSERVATIONS)
    return any(each.prompt_number == number for each in seen)


def _last(observations: Iterable[Observation], at: int) -> int:
    return max([at, *(each.happened_at for each in observations)])


# --- after a correction


def update_request(tx: Tx, prompt: Prompt, owner: str) -> None:
    """After a prompt was corrected: write its new words into the summaries of its turn and session. The rest stays,
    because its sources may have aged out.
    """
    about = (f"{TURN}{prompt.id}", f"session:{prompt.conversation}")
    summaries = tables.summaries_of_conversation(tx, prompt.conversation)
    found = [each for each in summaries if each.subject in about and each.written_by != "user"]
    for old in sorted(found, key=lambda each: each.level == "session"):
        fresh = _content(_gather(tx, _subject(tx, old)))
        if old.written_by != "rules":
            rebuild(tx, _subject(tx, old), owner)  # a model may have put the old words anywhere
        elif fresh:
            said = [line for line in fresh.learned.splitlines() if claims_the_user(line)]
            rest = [line for line in old.content.learned.splitlines() if not claims_the_user(line)]
            learned = "\n".join([*rest, *said])
            content = replace(old.content, title=fresh.title, request=fresh.request, learned=learned)
            tables.rewrite_summary(tx, replace(old, content=content), owner)


# --- after forgetting


def rebuild_after_forget(tx: Tx, removed: Iterable[MemoryItem], owner: str, now: int) -> None:
    """Write the summaries again that may hold words of removed items."""
    by_conversation: dict[ConversationId, list[MemoryItem]] = {}
    for item in removed:
        if conversation := tables.conversation_of(tx, item):
            by_conversation.setdefault(conversation, []).append(item)
    for conversation, items in by_conversation.items():
        gone = Gone(
            tuple(item for item in items if isinstance(item, Prompt)),
            tuple(item for item in items if isinstance(item, Observation)),
        )
        if gone.prompts or gone.observations:
            _part(tx, conversation, gone, [item for item in items if isinstance(item, Summary)], owner, now)


def _part(tx: Tx, conversation: ConversationId, gone: Gone, others: list[Summary], owner: str, now: int) -> None:
    """First the turns whose prompts were removed, then the other summaries, then the session made from them."""
    summaries = tables.summaries_of_conversation(tx, conversation)
    went = [each for each in summaries if _goes(each, gone)]
    for summary in went:
        _drop(tx, summary, now)
    turns = [each for each in (*went, *others) if each.level == "turn" and each.written_by == "rules"]
    gone = replace(gone, turns=tuple(each.content for each in turns))
    # Only a summary by the rules shows which lines the agent said after a prompt.
    known = {each.subject for each in turns}
    sure = all(f"{TURN}{prompt.id}" in known for prompt in gone.prompts)
    stay = [each for each in summaries if each not in went and _is_about(each, gone)]
    for summary in sorted(stay, key=lambda each: each.level == "session"):
        _rewrite(tx, summary, gone, owner, sure=sure)


def _goes(summary: Summary, gone: Gone) -> bool:
    """Is this the summary of a turn whose prompt was removed? Or was it imported, so that nobody knows what it was made
    from?
    """
    if summary.level != "turn":
        return False
    if summary.subject.startswith(TURN):
        return summary.subject.removeprefix(TURN) in {prompt.id for prompt in gone.prompts}
    return not summary.prompt_number or summary.prompt_number in _numbers(gone)


def _drop(tx: Tx, summary: Summary, now: int) -> None:
    """Remove a summary, whoever wrote it; no import brings it back."""
    tombstone.bury(tx, [marks.of_subject(summary.subject)], now)
    tables.drop_summary(tx, summary.subject, even_a_users=True)


def _numbers(gone: Gone) -> set[int]:
    return {each.number for each in gone.prompts} | {each.prompt_number for each in gone.observations}


def _is_about(summary: Summary, gone: Gone) -> bool:
    match summary.level:
        case "turn":
            replies = {each.number + later for each in gone.prompts for later in range(1, LOOKED_BACK)}
            return summary.prompt_number in replies | {each.prompt_number for each in gone.observations}
        case "agent":
            return bool(gone.prompts) or summary.window_id in {each.window_id for each in gone.observations}
        case "session":
            return True


def _rewrite(tx: Tx, old: Summary, gone: Gone, owner: str, *, sure: bool) -> None:
    subject = _subject(tx, old)
    if old.written_by == "user":
        content = after_forget.by_user(old.content, _content(_gather(tx, subject)), gone)
        tables.rewrite_summary(tx, replace(old, content=content), owner)
    elif old.written_by == "rules" and sure and _has_aged(tx, old):
        unsaid = old.level == "agent" and old.prompt_number in {each.number for each in gone.prompts}
        _keep_aged(tx, old, after_forget.aged(old.content, _content(_gather(tx, subject)), gone, unsaid=unsaid), owner)
    else:
        rebuild(tx, subject, owner)


def _keep_aged(tx: Tx, old: Summary, left: SummaryContent | None, owner: str) -> None:
    if left is None:
        tables.drop_summary(tx, old.subject)
    else:
        tables.rewrite_summary(tx, replace(old, content=left), owner)


def _subject(reader: Reader, old: Summary) -> Subject:
    about = (old.conversation, old.window_id, old.project_id, _agent_of(reader, old), old.prompt_number)
    return Subject(old.level, *about)


def _agent_of(reader: Reader, summary: Summary) -> str:
    listener = tables.agent_of_window(reader, summary.window_id) if summary.level == "agent" else None
    return listener.agent_id if listener else ""


def _has_aged(reader: Reader, summary: Summary) -> bool:
    """Has the journal lost, or shortened, what this summary was made from?"""
    last = tables.last_payload(reader, summary.conversation, summary.happened_at)
    return last is None or is_light(last)


def drop_written(tx: Tx, subjects: Sequence[str], now: int) -> None:
    """Remove what a model wrote about these subjects, and what the rules had written; no import brings it back."""
    tombstone.bury(tx, [marks.of_written(subject) for subject in subjects], now, until=now)
    tables.drop_model_summaries(tx, subjects)


# --- after forgetting what an agent said, and not what it did


def summaries_from_words(reader: Reader, entries: Iterable[Row]) -> dict[Summary, bool]:
    """The summaries that were made from the agent's words in these journal entries; and whether their other sources
    have aged out.
    """
    found: dict[Summary, bool] = {}
    for entry in entries:
        if entry["event"] not in ("Stop", "SubagentStop"):
            continue
        conversation, agent = str(entry["conversation"]), str(entry["agent_id"])
        number = tables.prompt_number_at(reader, ConversationId(conversation), int(entry["happened_at"] or 0))
        for summary in tables.summaries_of_conversation(reader, ConversationId(conversation)):
            of_turn = summary.level == "turn" and number > 0 and summary.prompt_number == number
            of_agent = summary.level == "agent" and _agent_of(reader, summary) == agent
            if summary.level == "session" or (of_agent if agent else of_turn):
                found[summary] = _has_aged(reader, summary)
    return found


def rebuild_without_words(tx: Tx, made: Mapping[Summary, bool], owner: str) -> None:
    """Write these summaries again after the entries are gone. The session's comes last, because it is made from the
    others.
    """
    spoken = tuple(after_forget.spoken(old.content) for old in made if old.level != "session")
    for old, has_aged in sorted(made.items(), key=lambda each: each[0].level == "session"):
        subject = _subject(tx, old)
        if not old.subject.startswith(f"{old.level}:"):
            continue  # imported: it is removed if it holds a forgotten text
        if has_aged and old.written_by == "rules":
            whole = old.level != "session"
            gone = Gone(turns=() if whole else spoken)
            _keep_aged(
                tx, old, after_forget.aged(old.content, _content(_gather(tx, subject)), gone, unsaid=whole), owner
            )
        else:
            rebuild(tx, subject, owner)
