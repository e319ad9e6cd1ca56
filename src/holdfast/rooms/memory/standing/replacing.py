"""Marks older work as replaced: when newer work of equal rank says so ("instead of being skipped"), and when the user
rejected a turn and the next one did it otherwise (MEM-12, MEM-31, SEC-8)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from holdfast.events.correction import correction_in
from holdfast.ids import ItemId
from holdfast.items import tables as items
from holdfast.items.model import Superseded
from holdfast.patterns import lazy_pattern
from holdfast.prose.closing import classify, says_how_it_is
from holdfast.prose.one_line import one_line
from holdfast.prose.prompts.faults import reports_a_fault
from holdfast.prose.prompts.replies import offers, takes_back, takes_one
from holdfast.prose.updates.contradictions import given_up, gives_up
from holdfast.prose.updates.refuted import admits, denied, refuted, refutes
from holdfast.prose.updates.states import SINCE_A_CHANGE
from holdfast.prose.updates.values import may_say_a_value, revalued
from holdfast.recall.tokens import general_terms, terms
from holdfast.rooms.memory import tables
from holdfast.rooms.memory.model import Summary, SummaryContent
from holdfast.rooms.memory.rules import files_named
from holdfast.rooms.memory.standing.decided import chooses, decided_anew, may_replace
from holdfast.rooms.memory.standing.newest import matter
from holdfast.rooms.memory.standing.threads import telling, threads_of
from holdfast.rooms.memory.standing.worth import is_agents, looks_back, only_answers
from holdfast.store.interface import Tx
from holdfast.times import DAY_US

_LOOKED_AT = 200
_SAME_VALUE = 0.6
"""The share of words that two results have in common when the newer one has another number."""
_OLD_VALUE = lazy_pattern(
    r"\b(?:(?P<outright>instead of|rather than|no longer)|not|was|from) (?:the |an? |for |on |in "
    r"|at )?(?P<value>[\w.%-]{1,40}(?: [\w.%-]{1,40})?)",
    re.IGNORECASE,
)
"""What held before, where newer work names it. A word must be named outright: "a map from page to position" changes
nothing."""
_LONG_NAME = lazy_pattern(r"`[^`\n]{1,80}`|[\w-]{1,40}(?:[/.][\w-]{1,40}){1,8}")
_SET_BACK = lazy_pattern(
    r"\b(?:again|back (?:to|at|on)|wieder|zurück auf|de nuevo|otra vez|à nouveau|de nouveau|di nuovo|weer)\b",
    re.IGNORECASE,
)
_NUMBER = lazy_pattern(r"\d+(?:[.,]\d+)*")
_SENTENCE = lazy_pattern(r"(?<=[.!?:])\s+|\n+")
_FIRST_WORDS = lazy_pattern(r"[,;.:!\n]| (?:—|–|-) | (?:and|but|because|und|aber|weil|et|mais|y|pero)\b")
"""They end before what is said beside a choice: "2, and make it 10 EUR"."""
_BY_NUMBER = lazy_pattern(
    r"(?:the |option |number |variante? |die |den |das |la |el )?(?:first|second|third|fourth|former|latter|last"
    r"|erste[nrs]?"
    r"|zweite[nrs]?|dritte[nrs]?|primera|segunda|première|deuxième|[a-d1-9])(?: one| option| please)?",
    re.IGNORECASE,
)
_RECENT_US = 180 * DAY_US
_LONGEST_SAID = 200
_LONGEST_READ = 400
_LONGEST_REQUEST = 2_000
_NO = lazy_pattern(
    r"(?:no+|nope|wrong|nein|nee+|non|não|nie|nej|nei)[,.!:]+ (?!thanks|thank|problem|worries|need|rush"
    r"|leave)\S+ \S+ \S+",
    re.IGNORECASE,
)
_ADDS = lazy_pattern(
    r"(?:(?:ok(?:ay)?|good|great|nice|thanks|thx|top|cool)[,.! ]+)*(?:but|and|also|plus|btw|by the way|oh|ps|aber"
    r"|und|auch|pero|y|mais|et|ma|e|maar|en|ook|trouwens)\b",
    re.IGNORECASE,
)
"""A rule that begins so is said in addition."""
_OUTRIGHT = lazy_pattern(r"(?:no[,.! ]+)?(?:that(?:'s| is) (?:not|wrong)|not what|wrong\b|undo|revert)", re.IGNORECASE)
_REJECTS = lazy_pattern(
    r"(?:no+|nope|nein|nee+|non|não|nie|nej|nei|wrong|stop|undo|revert)\b|that(?:'s| is) (?:not|wrong)\b"
    r"|not (?:what|like)\b"
    r"|(?:as )?i (?:said|told|meant|did(?: not|n't) (?:ask|say|want|mean))\b",
    re.IGNORECASE,
)
"""It says that what was done is not what was wanted; "you forgot the tests" does not."""


def replace_older(tx: Tx, new: Summary | None, owner: str) -> None:
    """What a summary says no longer holds is ranked down, and said as such. A person's words stay."""
    if new is None:
        return
    if new.level == "turn" and new.prompt_number > 1:
        _withdraw(tx, new, owner)
    if not may_say_otherwise(new.content):
        return
    for old in tables.summaries_before(tx, new, new.happened_at - _RECENT_US, _LOOKED_AT):
        if old.written_by == "user" or old.content.title == new.content.title:
            continue
        if words := said_otherwise(new.content, old.content):
            _supersede(tx, old, new, f"newer work says “{words}”", owner)


def may_say_otherwise(new: SummaryContent) -> bool:
    """Can it replace anything? Most summaries cannot, and nothing is read for them."""
    if bool(new.files) or gives_up(new.title) or chooses(new) or refutes(_told(new)):
        return True
    return may_say_a_value(f"{new.title} {new.request}")


def _told(new: SummaryContent) -> str:
    """What the user and the agent said, where somebody says of an older explanation that it was wrong."""
    return f"{new.request}\n{new.title}\n{new.said}"


def said_otherwise(new: SummaryContent, old: SummaryContent) -> str:
    """The words by which newer work, or a newer answer, replaces older; '' when it does not."""
    if words := refuted(_told(new), old.title) or _found_otherwise(new, old):
        return words
    found = given_up(new.title, old.title) if may_replace(new) else ""
    found = found or ("" if only_answers(new) else restated(new, old)) or decided_anew(new, old)
    return found or (says_another_value(new, old) if may_replace(new) else "")


_SAME_FAULT = 2
"""Words that two reports of one fault share."""


def _found_otherwise(new: SummaryContent, old: SummaryContent) -> str:
    """The words by which the agent took back what it had found of the same fault; '' when it did not."""
    if not reports_a_fault(old.request) or looks_back(new):
        return ""
    said = f"{new.title}\n{new.said}"
    if words := denied(said, old.title):
        return words
    if not (words := admits(said)):
        return ""
    shared = telling(new.request) & telling(f"{old.request} {old.title}")
    return words if len(shared - general_terms()) >= _SAME_FAULT else ""


def says_another_value(new: SummaryContent, old: SummaryContent) -> str:
    """The words by which newer work, or the user, says another value of what older work is about: another limit, time,
    day or name; '' when they do not. What was found stays found."""
    is_change = bool(set(new.files) & set(old.files))
    told = _WHY.sub("", old.title) if is_change else old.title  # with its reason a value reads as a finding
    if classify(told).kind not in ("change", "decision", "answer"):
        return ""
    said = [new.title, *(each for each in new.learned.splitlines() if is_agents(each)), *new.said.splitlines()]
    asked = [_as_written(each, said) for each in _SENTENCE.split(new.request[:_LONGEST_REQUEST])]
    for line in dict.fromkeys((*said, *asked)):
        if classify(line).kind not in ("open", "question", "tried") and (
            words := revalued(line, old.title, is_change=is_change)
        ):
            return one_line(words, _LONGEST_SAID)
    return ""


_WHY = lazy_pattern(r",? (?:because|since|weil|denn|parce que|car|porque) .*", re.IGNORECASE | re.DOTALL)
_WORD = lazy_pattern(r"\b[a-z][a-z-]{2,30}\b")
_NAME_OF = lazy_pattern(r"\b[A-Z][\w-]{2,30}\b")


def _as_written(asked: str, said: Sequence[str]) -> str:
    """What a user asked, with names as the agent writes them: "in vault" is in Vault."""
    names = {each.lower(): each for line in said for each in _NAME_OF.findall(line[1:])}
    return _WORD.sub(lambda found: names.get(found[0], found[0]), asked)


def restated(new: SummaryContent, old: SummaryContent) -> str:
    """The words by which newer work makes the same thing of the same file otherwise: another number, or "instead of",
    "no longer"; '' when it does not. What was found stays found."""
    if not set(new.files) & set(old.files):
        return ""
    lines = [new.title, *(each for each in new.learned.splitlines() if is_agents(each))]
    if gone := _names_as_gone([*lines, *new.said.splitlines()], old):
        return one_line(gone, _LONGEST_SAID)
    # A title and a request speak of much: what is said of a value stands in one sentence, in both.
    told = _SENTENCE.split(old.title)
    for line in (*lines, new.request[:_LONGEST_REQUEST]):
        for sentence in _SENTENCE.split(line):
            values = [(bool(each["outright"]), each["value"]) for each in _OLD_VALUE.finditer(sentence)]
            if values and any(_had(sentence, values, each) for each in told):
                return one_line(sentence, _LONGEST_SAID)
    sentences = list(dict.fromkeys(each for line in lines for each in (line, *_SENTENCE.split(line))))
    if classify(old.title).kind not in ("change", "decision", "answer"):
        # A value that was told with its reason reads as a finding: it holds until somebody sets it back.
        sentences = [each for each in sentences if _SET_BACK.search(each)]
    return next((one_line(each, _LONGEST_SAID) for each in sentences if _says_otherwise(each, old.title)), "")


def _had(line: str, values: Sequence[tuple[bool, str]], old: str) -> bool:
    """Does an older sentence say one of these values (is it named outright, the value) of the same matter?

    A number is a value as a whole ("0.2" is not 2). A word needs two others beside it: two sentences share one by
    chance. It is a word of the sentence, or a whole name: `load-carriers.sh` does not say that anything was loaded."""
    both = {each for each in matter(line) & matter(old) if not each.isdigit()} - set(terms("instead rather longer"))
    names = _LONG_NAME.findall(old)
    told, numbers = set(terms(_LONG_NAME.sub(" ", old))), _numbers(old)
    for outright, value in values:
        words = set(terms(value))
        shared = len(both - words)
        is_said = words <= told or any(words == set(terms(name)) for name in names)
        is_word = outright and bool(words) and is_said and not _NUMBER.search(value)
        if shared > (1 if is_word else 0) and (is_word or _numbers(value) & numbers):
            return True
    return False


_GONE = lazy_pattern(
    r"(?P<what>`?[\w./-]{3,40}(?:\(\))?`?) (?:is|are) (?:gone|no longer \w+|not \w+ any ?more|removed|dropped"
    r"|ignored|unused|deprecated|obsolete|retired|(?:switched|turned) off)\b"
    r"|\b(?:dropped|removed|deleted) (?:the )?(?P<which>`?[\w./-]{3,40}(?:\(\))?`?)(?=[.,;]|$)",
    re.IGNORECASE,
)
_NAME = lazy_pattern(r"[`_./()-]|\w[A-Z]")
_TIME_OF = lazy_pattern(r" (?:again|altogether|for good|now|there|entirely)?\s*(?:[.,;:!]|\Z| and | —)")


def _names_as_gone(lines: Sequence[str], old: SummaryContent) -> str:
    """The line that says of the one thing that older work is about that it is gone; '' for none.

    A common word is a thing only where a sentence begins with it and says no more of it: "Tombstones are gone." speaks
    of all of them, "a key is removed when somebody asks" and "before their lines are removed" of how something works.
    """
    told = set(terms(old.title))
    for line in lines:
        for found in _GONE.finditer(line[:_LONGEST_READ]):
            thing = found["what"] or found["which"]
            named = set(terms(thing))
            if not named or not named <= told:
                continue
            begins = found.start() == 0 or line[: found.start()].rstrip()[-1:] in (".", "!", ":", ";")
            if _NAME.search(thing) or (begins and _TIME_OF.match(f" {line[found.end() :].lstrip()}")):
                return line
    return ""


def _says_otherwise(line: str, old: str) -> bool:
    """Are both about the same, and has the newer one a number that the older has not, or one that was set back?"""
    now, was = ({each for each in matter(text) if not each.isdigit()} for text in (line, old))
    ours, theirs = _numbers(line), _numbers(old)
    is_other = ours - theirs or (ours != theirs and _SET_BACK.search(line))
    return bool(ours and theirs and is_other) and len(now & was) >= max(2.0, _SAME_VALUE * min(len(now), len(was)))


def _numbers(text: str) -> set[str]:
    return set(_NUMBER.findall(text))


def _withdraw(tx: Tx, new: Summary, owner: str) -> None:
    """The turn before is withdrawn when the user rejected it."""
    asked = tables.prompt_numbered(tx, new.conversation, new.prompt_number)
    before = tables.prompt_numbered(tx, new.conversation, new.prompt_number - 1) if asked else None
    old = tables.turn_summary(tx, before) if before else None
    if asked is None or old is None or old.written_by == "user":
        return
    told = old.content
    first = _FIRST_WORDS.split(asked.text.strip(), maxsplit=1)[0]
    by_number = _BY_NUMBER.fullmatch(first.strip()) is not None  # who says "2" was offered a list
    words = "\n".join((told.request, told.title, told.learned, told.said, told.left_open))
    # What was found beside an offer is true whatever is chosen.
    offered = not told.files and (by_number or offers(words)) and classify(told.title).kind != "finding"
    is_about = by_number or bool(matter(told.title) & matter(new.content.title))
    if offered and (takes_one(asked.text) or takes_one(first)) and is_about:
        _supersede(tx, old, new, f"the user chose: “{one_line(asked.text, 160)}”", owner)
    elif said := rejected(asked.text, old.content, new.content):
        _supersede(tx, old, new, f"the user said “{one_line(said, 160)}”", owner)
    elif said := (taken_back(old.content, new.content) or admitted(old.content, new.content)):
        _supersede(tx, old, new, f"the agent said “{one_line(said, 160)}”", owner)


_TOOK_BACK = lazy_pattern(
    r"\b(?:i|we)(?:'ve|’ve| have)? (?:\w{1,12} )?(?:(?:taken|took|put|changed|set) [^;\n]{1,80}? back\b"
    r"|(?:reverted|undone|undid|rolled back|backed out|removed|dropped)\b)"
    r"|\b(?:my|the|that|this) (?:\w{1,20} )?(?:change|changes|fix|patch|edit|commit|attempt)\b[^.;]{0,60}"
    r"\b(?:is|are|was|were|has been|have been) (?:\w{1,12} )?(?:reverted|undone|rolled back|backed out|taken back"
    r"|out again|gone again)\b"
    r"|\b(?:habe ich|ich habe)\b[^.;]{1,80}\b(?:zurückgenommen|rückgängig gemacht|zurückgesetzt)\b"
    r"|\b(?:ho|abbiamo) (?:annullato|ripristinato)\b|\bj'ai (?:annulé|retiré)\b|\bhe (?:revertido|deshecho|quitado)\b"
    r"|\bik heb\b[^.;]{1,80}\b(?:teruggedraaid|ongedaan gemaakt)\b",
    re.IGNORECASE,
)
_OUTRIGHT_BACK = lazy_pattern(
    r"(?:(?:ok(?:ay)?|done|right|sorry|you(?:'re| are) right)[,.!:;] )?(?:taken back|took (?:it|that) back|reverted"
    r"|undone|rolled back|backed out|zurückgenommen|zurückgesetzt|rückgängig gemacht|annulé|revertido|deshecho"
    r"|annullato|teruggedraaid)\b",
    re.IGNORECASE,
)
"""It begins an answer: what the turn before did is what was taken back."""
_OWN_CHANGE = lazy_pattern(
    r"\b(?:(?:my|that|this|the) (?:(?:last|first|earlier|previous) )?(?:changes?|fix|patch|edit|commit|attempt)|it"
    r"|that|this|das|die änderung|lo|il cambiamento|la modifica)\b",
    re.IGNORECASE,
)
_LONGEST_OBJECT = 40
_MOST_ADMITTED = 4
"""Sentences at the beginning of an answer in which an agent says what it took back."""


def taken_back(before: SummaryContent, after: SummaryContent) -> str:
    """The agent's words by which it took back the change of the turn before: a first explanation was wrong, and does
    not stand beside the true one; '' when it did not."""
    if not before.files:
        return ""
    first = after.said.partition("\n")[0]
    if _OUTRIGHT_BACK.match(first):
        return first
    names = {posixpath.basename(path) for path in before.files}
    for sentence in after.said.splitlines()[:_MOST_ADMITTED]:
        found = _TOOK_BACK.search(sentence[:_LONGEST_READ])
        told = sentence[found.start() : found.end() + _LONGEST_OBJECT] if found else ""
        if told and (any(name in sentence for name in names) or _OWN_CHANGE.search(told)):
            return sentence
    return ""


_OWN_FAULT = (
    r"(?:i (?:was (?:wrong|mistaken)|mis(?!sed your)\w+|mixed|confused|counted|read|looked|took|assumed|forgot"
    r"|overlooked|got (?:that|it|them)|had (?:that|it))|(?:that|this|it) (?:was|is) (?:wrong|not\b)|my "
    r"|the \w+ (?:was|were|is|are) (?:wrong|not\b)|[^.;:\n]{2,80}, not\b)"
)
_BEGINS = r"(?:(?:ok(?:ay)?|hm+|oh|ah|yes|no|indeed)[,.!:] )?"
_ADMITS = lazy_pattern(
    rf"{_BEGINS}(?:(?:that's |that is |it was )?my (?:mistake|error|fault|bad)|i was (?:wrong|mistaken)"
    rf"|(?:that|this|my \w+|the \w+) was wrong|correction:|i (?:mis(?!sed your)\w+|mixed up|confused"
    r"|got (?:that|it) wrong)"
    rf"|(?:you(?:'re|’re| are| were) right|sorry)[\s,.:;!–—-]{{1,4}}(?:and |but |indeed )?{_OWN_FAULT}"
    r"|das war (?:falsch|mein fehler)|je me suis trompée?|me equivoqué|mi sono sbagliat[oa])",
    re.IGNORECASE,
)
"""It begins an answer: what was answered before was wrong."""
_AGREES = lazy_pattern(
    rf"{_BEGINS}(?:you(?:'re|’re| are| were) right|du hast recht|stimmt, |tu as raison|vous avez raison|tienes razón"
    r"|hai ragione)",
    re.IGNORECASE,
)
"""The same, where the user had said that it was; else it only agrees with what the user wants."""


def admitted(before: SummaryContent, after: SummaryContent) -> str:
    """The agent's words by which its answer of the turn before was wrong; '' when they do not speak of that. What was
    done stays done."""
    if before.files or before.left_open or not after.said:
        return ""
    lines = after.said.splitlines()[:_MOST_ADMITTED]
    agrees = _AGREES.match(lines[0]) and (_REJECTS.match(after.request.lstrip()) or correction_in(after.request))
    if not agrees and not _ADMITS.match("\n".join(lines[:2])):
        return ""
    told = "\n".join(lines)
    names_figure = bool(_figures(before.title) & _figures(told))
    return lines[0] if names_figure or len(telling(before.title) & telling(told)) > 1 else ""


def _figures(text: str) -> set[str]:
    """Figures that two answers do not share by chance."""
    return {each for each in _numbers(text) if len(each) > _SHORT_FIGURE}


def rejected(prompt: str, before: SummaryContent, after: SummaryContent) -> str:
    """The user's words by which the turn before was not what was wanted; '' when it was, or when nobody can tell.

    A "no" counts when it is about what was told. It may also answer what the agent asked, or be said of something
    else: then, as with a rule ("never use floats"), it counts when the next turn changed the same files."""
    if takes_back(prompt):
        return one_line(prompt, _LONGEST_SAID)
    corrected = correction_in(prompt)
    text = corrected.text if corrected else one_line(prompt, _LONGEST_SAID)
    if corrected is None and (text.endswith("?") or not _NO.match(text)):
        return ""
    if _OUTRIGHT.match(text):
        return text
    rejects = bool(_REJECTS.match(prompt.lstrip()) or _REJECTS.match(text))
    if corrected and corrected.kind == "rule" and not rejects and _ADDS.match(prompt.lstrip()):
        return ""
    shared = len(telling(text) & telling(before.title))
    is_about = shared > 1 or (rejects and shared == 1)  # a rule may name the matter, and add to what was done
    if corrected and rejects and is_about and not any(thread.kind == "asked" for thread in threads_of(before)):
        return text
    if not _are_of_one_file(before, after):
        return ""
    if corrected and _says_anew(after.title, before.title):
        return text
    # What was found or decided stays, unless it is what the user speaks of.
    is_lasting = classify(before.title).kind in ("finding", "decision") and not _tells_a_fix(before.title)
    return text if is_about or (rejects and not is_lasting) else ""


def _says_anew(title: str, before: str) -> bool:
    """Does the turn after a correction say how the same thing is now: "0012 only creates `tags` now"?"""
    shared = {each for each in matter(title) & matter(before) if not each.isdigit() or len(each) > _SHORT_FIGURE}
    first = _SENTENCE.split(before)[0]
    says = classify(title).kind != "question" and bool(SINCE_A_CHANGE.search(title))
    return says and len(shared) > 1 and bool(shared & matter(first)) and _NARROWS_DOWN.search(title) is not None


_SHORT_FIGURE = 2
_NARROWS_DOWN = lazy_pattern(
    r"\b(?:only|no longer|not|instead|without|stays?|leaves?|any ?more|rather than|nur|nicht mehr|statt|ohne|bleibt"
    r"|ne\b.{1,40}\bplus|seulement|sans|solo|ya no|sin)\b",
    re.IGNORECASE,
)
"""It takes something back, and adds nothing."""


def _tells_a_fix(title: str) -> bool:
    """Does a title say what was found, and then what was done about it?"""
    return any(classify(each).kind == "change" or says_how_it_is(each) for each in _SENTENCE.split(title)[1:])


def _are_of_one_file(before: SummaryContent, after: SummaryContent) -> bool:
    """Did both turns change one file? A command may have changed it: then the answer names it."""
    return bool(set(before.files) & {*after.files, *files_named(after.title)})


def _supersede(tx: Tx, old: Summary, new: Summary, why: str, owner: str) -> None:
    items.supersede(tx, Superseded(ItemId(old.id), ItemId(new.id), why, "rules", new.happened_at), owner)
