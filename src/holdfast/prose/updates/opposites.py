"""The words by which a thing is said to be in one state or in the opposite one: gone and back, off and on, down and up,
missing and there. Data only; `states` compares them. Every pattern is linear in its text.
"""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern
from holdfast.recall.tokens import terms


def _any(*words: str) -> re.Pattern[str]:
    return lazy_pattern("|".join(words), re.IGNORECASE)


OPPOSITES: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    (
        _any(r"\b(?:(?:is|are|was|were) (?:now |all |both )?(?:gone|removed|deleted|dropped|lost|wiped|missing)"
             r"|(?:i|we)(?:'ve| have)? (?:removed|deleted|dropped|wiped)"
             r"|(?:ist|sind|wurden?) (?:weg|gelöscht|entfernt)|supprimée?s?|borrad[oa]s?|eliminad[oa]s?)(?!\w)"),
        _any(r"\b(?:(?:is|are|was|were) (?:now |all )?(?:back|restored|there again|recovered|re-?created)"
             r"|(?:i|we|undo|it)(?:'ve| have| has)? (?:just )?(?:restored|recovered|brought back|re-?created"
             r"|re-?added)"
             r"|(?:got|put|brought|came) (?:[\w./`-]{1,40} ){0,4}?back"
             r"|(?:ist|sind) wieder da|wiederhergestellt|restaurée?s?|restaurad[oa]s?|recuperad[oa]s?)(?!\w)"),
    ),
    (
        _any(r"\b(?:is|are|stays?) (?:still |now )?(?:off|disabled|switched off|turned off|inactive|paused|suspended"
             r"|on hold)\b|\A(?:still )?(?:switched |turned )?off (?=(?:for|by|until|in|on)\b)"
             r"|\b(?:ist|sind) (?:noch )?(?:aus|abgeschaltet|deaktiviert|pausiert)\b"),
        _any(r"\b(?:is|are|was|were) (?:now |all )?(?:on|enabled|switched on|turned on|active|live|resumed|running)"
             r"(?= (?:again|now|for|in|since|on|at)\b|[.,;]|\Z)|\b(?:i|we|they|ops)(?:'ve| have)? (?:enabled"
             r"|resumed|activated"
             r"|switched (?:[\w`-]{1,30} ){0,3}?on|turned (?:[\w`-]{1,30} ){0,3}?on)\b"
             r"|\b(?:ist|sind) (?:jetzt )?(?:an|aktiv|eingeschaltet)\b"),
    ),
    (
        _any(r"\b(?:is|are) (?:now )?(?:on|enabled|switched on|turned on|active)(?= (?:for|in|since|by|again)\b"
             r"|[.,;]|\Z)"),
        _any(r"\b(?:is|are|was|were) (?:now |all )?(?:off|disabled|switched off|turned off|inactive|paused"
             r"|suspended)\b"
             r"|\b(?:i|we|they|ops)(?:'ve| have)? (?:disabled|paused|deactivated|switched (?:[\w`-]{1,30} ){0,3}?off"
             r"|turned (?:[\w`-]{1,30} ){0,3}?off)\b"),
    ),
    (
        _any(r"\b(?:is|are) (?:still )?missing\b|\b(?:lacks?|ha(?:s|ve) no)\b|\b(?:fehlt|fehlen)\b|\bfaltan?\b"
             r"|\bmanque"),
        _any(r"\b(?:has|have|(?:is|are) (?:now |all )?(?:set|there|in place|in|added|complete|entered)|arrived"
             r"|(?:was|were) "
             r"added|(?:i|we)(?:'ve| have)? (?:added|set|entered)|got|hat|haben|ist da|sind da|tiene|está|a"
             r"|est là)(?!\w)"),
    ),
    (
        _any(r"\b(?:does|do|can)(?: not|n't|n’t) \w+|\bcannot \w+|\b(?:is|are) (?:still )?(?:down|broken|dead|offline"
             r"|unreachable|stuck|locked|blocked|red|out of order)\b|\b(?:fails|fail|hangs|hang|crashes|crash"
             r"|refuses|rejects)\b"
             r"|\b(?:geht|läuft|startet|funktioniert) nicht\b|\bno (?:funciona|arranca|va)\b|\bne (?:marche"
             r"|démarre) pas\b"),
        _any(r"\b(?:works?(?: again| now| fine| well)?(?=[.,;!]|\Z| (?:again|now|fine|well|as|in|on|since|with)\b)"
             r"|(?:is|are) (?:now |all )?(?:up|online|reachable|fixed|repaired|unlocked|green|back|in order|fine"
             r"|ok(?:ay)?)"
             r"|(?:runs?|starts?|connects?|loads?|answers?|prints?|boots?|arrives?|arrived|responds?|builds?"
             r"|compiles?|pass"
             r"|passes) (?:again|now)"
             r"|arrived|went out|came through|got through|(?:is|are) (?:shown|served|displayed)|(?:funktioniert"
             r"|läuft|geht) (?:wieder|jetzt)"
             r"|(?:funciona|va) (?:otra vez|de nuevo|ya|ahora)|(?:marche|fonctionne) (?:à nouveau"
             r"|de nouveau))(?!\w)"),
    ),
    (
        _any(r"\bstill (?:has|have|runs?|serves?|shows?|uses?|on|at|is on|is at)\b|\b(?:is|are|bleibt) still (?:on"
             r"|at)\b"),
        _any(r"\b(?:is|are|runs?|has|have|serves?|shows?|uses?)\b"),
    ),
)  # fmt: skip
"""Of each pair: how it was, and what ends that."""
DOWN = 4
"""It does not work; and it works."""
MISSING = 3
"""Whoever says that it is there names all of what was missing."""
STILL = 5
"""It stayed as it was; and it is so."""
STATE_WORDS = frozenset(
    terms(
        "missing lacks no yet gone removed deleted dropped lost back restored there again off on disabled enabled"
        " switched turned paused active"
        " live works work runs run fixed fine up down broken dead online offline does not cannot can still has"
        " have is are"
    )
)
