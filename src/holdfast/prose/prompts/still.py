"""What the user says to be open still: "the restart is still on his list, he waits for the new host". Pure.

It is the newest word on a matter: what else was done that day is something else. A prompt that gives an order says
what is to be done, and not what waits.
"""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern
from holdfast.prose.prompts.before import with_subject
from holdfast.prose.prompts.pasted import own_words

_LONGEST_READ, _LONGEST_PROMPT, _LONGEST, _LEAST_WORDS = 1_000, 4_000, 220, 5
_SENTENCE = lazy_pattern(r"(?<=[.!?;])\s+|\n+")
_NO_MATTER = (
    r"(?! (?:(?:some|enough|plenty|lots|much|a|an|one|of|lot|bit|little|more) )*(?:time|room|space|chance|hope|worth"
    r"|fine|good|ok|okay|green|valid|true|possible|useful|passing|working|supported|allowed|the same)\b)"
)
"""What is still fine, or still possible, waits for nobody."""
_WAITS = (
    r"(?:on (?:his|her|their|my|our|hold|the list|[\w'’]+['’]s)|open|with|waits?|waiting|pending|missing"
    r"|outstanding|paused"
    r"|to (?:come|be|do)|(?:has|have|needs?) to|needs? (?:an? (?:ok|approval|signature|answer|review)|approval)"
    r"|(?:(?:has|have|is|are|was|were) )?(?:not|hasn['’]t|haven['’]t|isn['’]t|aren['’]t) (?:(?:yet|been|\w+ly) )?"
    r"(?:\w{2,20}ed|sent|done|paid|there|back|out|here|sure|through|begun|given|written|chosen|bought|met|told|come)"
    r"|(?!getting|showing|happening|crashing|failing|hanging|leaking|throwing|passing|missing|working|being|using)\w{3,20}ing)"
)
"""What stands behind "still" where somebody, or some deed, is waited for: no state of the code does."""
_STILL = lazy_pattern(
    rf"\b(?:still {_WAITS}\b{_NO_MATTER}|waits? still\b"
    r"|(?:immer noch|noch immer|noch nicht|(?:ist|sind|fehlt|fehlen|wartet|warten) weiterhin"
    r"|siguen? (?:sin|pendientes?|abiert[oa]s?|esperando)|todavía (?:no|está|están|falta|faltan|sin)"
    r"|(?:toujours|encore) (?:pas|en attente|ouverte?s?)|pas encore|(?:est|sont|attend|attendent) (?:toujours|encore)"
    r"|ainda (?:não|está|estão|falta|faltam|espera)|ancora (?:non|apert[oaie]|in attesa)|non (?:è|sono|ha|hanno) ancora"
    r"|nog (?:steeds|altijd|niet|open))\b)",
    re.IGNORECASE,
)
_FAULT = lazy_pattern(
    r"\bstill (?:(?:an?|the|some|very|too|so) ){0,2}(?:flak(?:y|es)|red|fail\w*|broken|wrong|slow\w*|crash\w*|hang\w*"
    r"|leak\w*|throw\w*|bugs?|buggy|errors?|off|down|getting|show\w*|happen\w*)\b",
    re.IGNORECASE,
)
"""Who says so to an agent wants it mended."""
_ORDERS = lazy_pattern(
    r"\b(?:fix|repair|why|how come|should|(?:can|could|would|will) (?:you|we)|please|pls|let['’]?s|let us|make sure"
    r"|(?:you|we) (?:still |also |now )?(?:need|have to|must|ought)"
    r"|i (?:still |also |now )?(?:want|need|would like)|i['’]d like|go ahead|warum|bitte|lass uns"
    r"|(?:kannst|könntest|sollst) du|ich (?:will|möchte)|por qué|por favor|puedes|podrías|quiero|pourquoi|peux-tu"
    r"|pourrais-tu|s['’]il te plaît|je veux|waarom|kun je|kan je|alsjeblieft|graag|perché|puoi|per favore|você pode)\b",
    re.IGNORECASE,
)
"""Who wants it mended reports a fault."""
_CLAUSE = lazy_pattern(r"(?<=[.!?;:,])\s+|\n+|\s[–—-]\s|\s(?:and|then|so|but|und|y|et|en|e)\s", re.IGNORECASE)
_BIDS = lazy_pattern(
    r"[^\w]{0,6}(?:(?:ok|okay|great|good|thanks|yes|no|first|then|now|next|just|simply|always|never|also|so|and|but|again"
    r"|do not|don['’]t|jetzt|dann|ahora|maintenant|nu),? ){0,4}"
    r"(?:(?:re-?)?(?:add|adjust|allow|analy[sz]e|apply|avoid|build|bring|bump|change|check|clean|close|commit|convert|copy"
    r"|create|cover|debug|delete|deploy|describe|disable|document|do|drop|edit|enable|ensure|explain|extend|extract|find"
    r"|finish|fix|get|give|go|handle|implement|improve|include|install|introduce|investigate|keep|let|list|log|look|make"
    r"|mark|mend|merge|migrate|mock|move|note|open|pin|port|print|push|put|read|refactor|release|remember|remind|remove"
    r"|rename|render|repair|replace|report|reset|restart|restore|retry|return|revert|review|rewrite|run|save|search|see"
    r"|send|set|ship|show|simplify|skip|solve|sort|split|start|stop|store|support|switch|take|tell|test|treat|try|turn"
    r"|update|upgrade|use|validate|verify|wire|work|wrap|write)"
    r"(?!\s(?:is|are|was|were|has|have|had|still|isn|hasn|of|needs?|waits?|stays?|stands?)\b|[’'-])"
    r"|voeg|maak|zet|schrijf|los|verwijder|pas|gebruik|controleer|füge|mach|mache|behebe|schreib|schreibe|ändere|entferne"
    r"|prüfe|nutze|verwende|setze|baue|bau|erstelle|ajoute[rz]?|corrige[rz]?|fais|faites|écris|supprime[rz]?|vérifie[rz]?"
    r"|añade|agrega|arregla|haz|escribe|quita|revisa|cambia|usa|aggiungi|correggi|scrivi|rimuovi|adicion[ae]|corrija"
    r"|escreva|remova)\b",
    re.IGNORECASE,
)
"""A clause that begins with what the agent is to do."""


def _orders(prompt: str) -> bool:
    """Does a prompt want anything done? Then what is open in it is the task, and over when the agent has done that."""
    if len(prompt) > _LONGEST_PROMPT or _ORDERS.search(prompt):
        return True
    return any(_BIDS.match(each) for each in _CLAUSE.split(prompt))


def still_open_in(prompt: str) -> list[str]:
    """The sentences that say so, in the user's words; with the one before, where only that names what it is about."""
    text = own_words(prompt)[:_LONGEST_READ]
    if not _STILL.search(text) or _orders(prompt):
        return []
    found = (each.strip() for each in _SENTENCE.split(text))
    return [
        with_subject(text, each).rstrip(".")
        for each in found
        if len(each.split()) >= _LEAST_WORDS
        and len(each) <= _LONGEST
        and not each.endswith(("?", "？"))
        and _STILL.search(each)
        and not _FAULT.search(each)
    ]
