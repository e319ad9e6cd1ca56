"""Does a prompt ask how things stand: what was done last, or what is still open? Pure.

"Where did we leave off?", "was ist noch offen?" and "on a fait quoi ?" name no subject, so no words can find an answer.
Words around the question must not name one either: "what is still open in the importer?" asks of the importer.
"""

from __future__ import annotations

import re
from typing import Literal

from holdfast.patterns import lazy_pattern
from holdfast.recall.tokens import terms, time_terms

AskedState = Literal["", "last", "open"]

_LONGEST = 160


def _one_of(*forms: str) -> re.Pattern[str]:
    return lazy_pattern(r"(?<!\w)(?:" + "|".join(forms).replace(" ", r"\s+") + r")(?!\w)", re.IGNORECASE)


_WE = "(?:we|i|you|u)"
_DID = (
    "(?:do|did|done|work(?:ed)?(?: on)?|chang(?:e|ed)|finish(?:ed)?|make|made|achieved?|g[eo]t done|build|built"
    "|accomplish(?:ed)?)"
)
_DOING = "(?:doing|working on|up to|busy with|at|in the middle of)"
_THREADS = "(?:threads?|points?|items?|ends?|tasks?|to-?dos?|questions?|things?|stuff|work|matters?)"
_UNDONE = (
    "(?:open|left|outstanding|pending|unfinished|undone|remaining|unresolved|missing|blocked|to (?:be done|do|finish))"
)
_OPEN = _one_of(
    rf"what(?:'?s| is| are)? (?:there )?(?:(?:still|yet|currently|all) ){{0,2}}{_UNDONE}"
    r"(?: (?:open|over|to (?:do|finish)))?",
    r"what (?:still )?(?:remains|needs)(?: (?:still )?(?:open|doing|finishing|to be (?:done|finished)|to do))?",
    rf"what (?:else )?(?:do|must|should) {_WE} (?:still )?(?:have|need)(?: left)? to (?:do|finish)",
    rf"what (?:did {_WE} leave|(?:have|had) {_WE} left) (?:open|unfinished|undone|to do)",
    rf"what (?:have|did|had)(?:n't {_WE}| {_WE} not) {_DID}(?: yet)?",
    rf"(?:open|loose|outstanding|pending|unfinished|remaining) {_THREADS}",
    rf"(?:any|some)thing (?:(?:still|else) ){{0,2}}{_UNDONE}(?: to do)?",
    rf"what(?:'?s| is| comes| should {_WE} do) next",
    r"what(?:'?s| is) on (?:the|our|my) (?:to-?do(?: list)?|list)",
    # German
    r"was (?:ist|war|wäre|bleibt|steht|liegt) (?:(?:uns|noch|denn|alles|weiterhin|jetzt) ){0,3}"
    r"(?:offen|zu tun|übrig|unerledigt|liegen\s?geblieben|aus|zu erledigen)",
    r"was fehlt (?:(?:uns|denn|jetzt) )?noch(?: alles)?",
    r"was (?:müssen|sollten|haben|hätten) wir noch (?:alles )?(?:zu )?(?:machen|tun|erledigen)",
    r"(?:offene|unerledigte|ausstehende)n? (?:punkte|fragen|aufgaben|themen|sachen|todos?|dinge|enden)",
    # French
    r"qu'est-ce qu(?:i|'il) (?:nous )?(?:reste|manque)(?: (?:encore )?(?:à (?:faire|finir)|ouvert|en suspens))?",
    r"qu'est-ce qui (?:est (?:encore|toujours) (?:ouvert|en suspens)|n'est pas (?:encore )?(?:fait|fini|terminé))",
    r"que (?:nous )?reste-t-il(?: (?:encore )?(?:à (?:faire|finir)|ouvert))?",
    r"reste (?:encore )?quoi(?: à faire)?",
    r"(?:points?|sujets?|tâches?|questions?) (?:encore )?(?:ouverte?s?|en suspens|restante?s?)",
    # Spanish
    r"qu[eé] (?:nos )?(?:queda|falta|sigue|est[aá]|hay|qued[oó])(?: (?:a[uú]n|todav[ií]a))? "
    r"(?:pendientes?|por (?:hacer|terminar)|abierto|sin terminar)",
    r"(?:algo|cosas|tareas|temas|puntos) (?:pendientes?|abiert[oa]s?|por hacer)",
)
_LAST = _one_of(
    rf"where (?:(?:did|had|have|were|was|are) {_WE}|{_WE} (?:were|was|had|are))"
    r"(?: (?:leave|left) (?:(?:things? )?off|it|things)| stop(?:ped)?| end(?:ed)?(?: up)?| g[eo]t to| at)?",
    rf"where {_WE} (?:left (?:(?:things? )?off|it|things)|stopped|ended)",
    rf"what (?:were|was|are|am|have|had) {_WE} (?:been )?(?:{_DOING}|{_DID})",
    rf"what {_WE} (?:were|was|had been|have been) {_DOING}",
    rf"what {_WE} (?:have |had )?(?:last |just )?{_DID}",
    rf"what (?:all )?(?:did|have|had) {_WE} (?:(?:last|just|recently) )?{_DID}",
    r"(?:the|our|my|your) (?:last|latest|most recent|previous) (?:thing|task|change|work|session|step|stuff)s?"
    rf"(?: (?:that )?{_WE}(?: have|'ve)? {_DID}| about| here)?",
    r"(?:catch|bring|get) me up(?: to (?:speed|date))?",
    r"recap",
    r"what(?:'?s| is) the (?:current )?(?:status|state)(?: of (?:things|play|the work|affairs))?",
    r"what happened (?:last|recently|lately|in the (?:last|previous) session)",
    # German
    r"wo (?:waren|sind|standen|stehen) wir(?: (?:nochmal|gerade|zuletzt))?(?: stehen\s?geblieben)?",
    r"wo (?:haben|hatten) wir(?: \w+)? (?:aufgehört|angehalten)",
    r"wo wir(?: \w+)? (?:aufgehört (?:haben|hatten)|stehen\s?geblieben (?:sind|waren)|waren)",
    r"(?:was|woran) (?:haben|hatten|habe?) (?:wir|ich)(?P<between>(?: \w+){0,4}) "
    r"(?:gemacht|getan|geändert|erledigt|gearbeitet|geschafft|umgesetzt|gebaut)",
    r"was war (?:das|die) letzte(?: \w+)?(?:,? (?:was|das|die|woran) wir (?:gemacht|getan|gearbeitet|geändert) haben)?",
    r"(?:wie|was) ist der (?:aktuelle )?stand",
    # French
    r"où (?:en )?(?:étions-nous|étais-je|était-on|est-on|sommes-nous|on en (?:était|est))",
    r"où (?:est-ce qu')?(?:on|nous) (?:s'est|s'était|nous (?:sommes|étions)) arrêtée?s?",
    r"où nous (?:sommes|étions)-nous arrêtée?s?",
    r"qu'est-ce qu(?:'on|e nous) (?:a|avait|avons|avions) (?:fait|changé|terminé|fini)",
    r"(?:qu'avons-nous|qu'a-t-on|on a) (?:fait|changé|terminé|fini)(?: quoi)?",
    r"(?:sur )?quoi (?:travaillait-on|travaillions-nous|on travaillait|avons-nous travaillé|a-t-on travaillé)",
    r"dernière chose(?: qu(?:'on|e nous) (?:a|avons|ait|ayons) faite?)?",
    # Spanish
    r"d[oó]nde (?:lo )?(?:dejamos|quedamos|nos quedamos|est[aá]bamos|[ií]bamos|paramos)",
    r"en qu[eé] (?:est[aá]bamos|quedamos|and[aá]bamos|trabajamos|trabaj[aá]bamos)(?: trabajando)?",
    r"qu[eé] (?:fue|es) lo [uú]ltimo que (?:hicimos|cambiamos|hemos hecho)",
    r"qu[eé] (?:hicimos|hemos hecho|estuvimos haciendo|cambiamos)",
)
_FILLERS = frozenset(
    terms(
        "again exactly please tell remind show list give quick quickly summary summarise summarize short brief continue"
        " resume pick carry on up from here there this project repo repository session sessions morning hello hi hey"
        " today now far so really actually still yet all any everything stuff thing things going work status state"
        " point can could would you me us do know remember recall last time previous let go ahead just ok okay well and"
        " noch mal nochmal bitte heute morgen guten zeig sag mir hier projekt sitzung alles denn eigentlich und weiter"
        " mach machen gestern vorgestern letzte letzten woche montag dienstag mittwoch donnerstag freitag zuletzt"
        " bisher wir uns haben hatten es gibt welche welchen im in dem der die das da dort als erstes kurz"
        " encore hier bonjour projet dernier derniere semaine lundi mardi mercredi jeudi vendredi aujourd hui nous"
        " avant quels quelles sont les y a t il des dans ce la le de moi dis rappelle reprends reprenons ensemble deja"
        " ayer anteayer hola buenos dias proyecto sesion semana pasada lunes martes miercoles jueves viernes hoy por"
        " favor nos aqui en el la que hay lo ultima ultimo vez sigue seguimos dime recuerdame"
    )
)
"""What may stand around the question without naming a subject."""


def state_asked(sentence: str) -> AskedState:
    """What of the state of things a sentence asks for; '' when it asks for none, or names what it is about."""
    text = sentence.strip().replace("’", "'")
    if not text or len(text) > _LONGEST:
        return ""
    if (found := _OPEN.search(text)) and not _names_a_subject(text, found):
        return "open"
    if (found := _LAST.search(text)) and not _names_a_subject(text, found):
        return "last"
    return ""


def _names_a_subject(text: str, found: re.Match[str]) -> bool:
    between = found.groupdict().get("between") or ""
    rest = f"{text[: found.start()]} {between} {text[found.end() :]}"
    return not set(terms(rest)) <= _FILLERS | time_terms()
