"""Does a sentence say that something was done, and what kind of thing? "Paula ha fusionado la PR" says that something
was merged, "the token is new" that something was renewed. Pure.

What has to be done and what was done are compared by the kind of deed, in the languages in which people type, and by
the words that say what it was done to.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from holdfast.patterns import lazy_pattern
from holdfast.recall.tokens import terms

ANY = "any"
"""The deed of a sentence that only says "done"."""
_LONGEST_READ = 400
_LEAST_SHARED = 4
"""Letters that two words have in common when one is short for the other: "cert" and "certificate"."""


def _any(*words: str) -> re.Pattern[str]:
    return lazy_pattern("|".join(words), re.IGNORECASE)


_DEEDS: dict[str, tuple[re.Pattern[str], re.Pattern[str]]] = {
    "merge": (
        _any(r"\b(?:merg\w*|push\w*|pull requests?|prs?|mrs?|review\w*)\b"),
        _any(r"\b(?:merged|landed|ge-?merge?[dt]|zusammengeführt|ist drin|fusionad[oa]s?|merg?ead[oa]s?|fusionnée?s?"
             r"|mergée?s?)(?!\w)"),
    ),
    "renew": (
        _any(r"\b(?:re-?new\w*|expir\w*|revok\w*|rotat\w*|re-?issu\w*|issue a|new (?:\w+ )?(?:certificates?|certs?"
             r"|tokens?|keys?|licen[cs]es?|secrets?|passwords?|credentials)|certificates?|tokens?|licen[cs]es?"
             r"|erneuer\w*)\b"),
        _any(r"\b(?:re-?newed|re-?issued|rotated|extended|(?:tokens?|cert\w{0,9}|keys?|licen[cs]es?|secrets?"
             r"|passwords?"
             r"|credentials) (?:is|are) (?:new|valid|back|there|here|in|set)|(?:got|have|has|set) (?:a |the |us )?new"
             r"|erneuert|verlängert|ausgestellt|rotiert|renovad[oa]s?|renouvelée?s?)(?!\w)"),
    ),
    "ship": (
        _any(r"\b(?:deploy\w*|roll(?:ed|ing)?[ -]?out|rollouts?|releas\w+|publish\w*|upload\w*|ship(?:ped)?|push\w*"
             r"|live|in production|still (?:runs|serves|has|have|shows|on|running)|ausroll\w*|veröffentlich\w*)\b"),
        _any(r"\b(?:deployed|rolled out|rollout (?:is|went)|released|published|uploaded|shipped|pushed|(?:is"
             r"|are|went)"
             r" (?:live|out|through)|ausgerollt|veröffentlicht|deployt|hochgeladen|eingespielt|ist live"
             r"|desplegad[oa]s?"
             r"|publicad[oa]s?|subid[oa]s?|déployée?s?|publiée?s?|mise? en ligne|livrée?s?)(?!\w)"),
    ),
    "approve": (
        _any(r"\b(?:approv\w*|sign\w{0,3}|sign-?off|confirm\w*|review\w*|decid\w*|decision|answer\w*|repl(?:y"
             r"|ies)|legal"
             r"|permission|consent|freig\w+|genehmig\w*)\b"),
        _any(r"\b(?:approved|signed|confirmed|reviewed|decided|answered|replied|said (?:yes|no|ok)|gave (?:us )?"
             r"(?:the |an )?(?:ok|go)|agreed|freigegeben|genehmigt|unterschrieben|bestätigt|entschieden|geantwortet"
             r"|aprobad[oa]s?|firmad[oa]s?|confirmad[oa]s?|respondid[oa]s?|approuvée?s?|signée?s?|confirmée?s?"
             r"|validée?s?"
             r"|répondu)(?!\w)"),
    ),
    "fix": (
        _any(r"\b(?:fix\w*|repair\w*|correct\w*|broken|wrong|fail\w*|crash\w*|red|refus\w*|reject\w*|denied"
             r"|block\w*|down"
             r"|reparier\w*|beheb\w*)\b"),
        _any(r"\b(?:fixed|repaired|solved|resolved|corrected|sorted|mended|works? (?:again|now)|(?:is|are) (?:green"
             r"|fine|back|ok|gone) ?(?:again|now)?|went away|behoben|repariert|gelöst|korrigiert"
             r"|(?:geht|läuft) (?:jetzt|wieder)"
             r"|arreglad[oa]s?|resuelt[oa]s?|corregid[oa]s?|solucionad[oa]s?|réparée?s?|corrigée?s?|résolue?s?"
             r"|réglée?s?)(?!\w)"),
    ),
    "run": (
        _any(r"\b(?:re-?run\w*|re-?play\w*|re-?import\w*|import\w*|backfill\w*|migrat\w*|load\w*|process\w*"
             r"|re-?sen[dt]\w*"
             r"|sen[dt]\w*|re-?submit\w*|re-?process\w*|rejected|quarantine|by hand|run|wait\w*)\b"),
        _any(r"\b(?:re-?ran|(?:was|were|been|is|are) re-?run|went (?:fine|well|ok|okay|smoothly)"
             r"|ran|re-?played|re-?imported|imported|backfilled"
             r"|migrated|re-?loaded"
             r"|loaded|re-?processed|processed|re-?sent|sent|re-?submitted|nachgeholt|importiert|verschickt"
             r"|verarbeitet|gesendet|reenviad[oa]s?"
             r"|reprocesad[oa]s?|importad[oa]s?|enviad[oa]s?|ejecutad[oa]s?|relancée?s?|importée?s?"
             r"|envoyée?s?)(?!\w)"),
    ),
    "open": (
        _any(r"\b(?:un-?lock\w*|lock\w*|restart\w*|reboot\w*|reset\w*|open\w*|clear\w*|purg\w*|free\w*|enabl\w*"
             r"|block\w*"
             r"|grant\w*|access|neustart\w*|sperr\w*)\b"),
        _any(r"\b(?:unlocked|released the lock|lock (?:is|was) (?:gone|free|released)|restarted|rebooted"
             r"|(?:was|were|been|is|are|i|we) reset|opened|cleared|purged|freed|enabled|granted|entsperrt"
             r"|freigeschaltet|neu gestartet|neugestartet|geöffnet"
             r"|geleert|desbloquead[oa]s?|reiniciad[oa]s?|abiert[oa]s?|vaciad[oa]s?|débloquée?s?|redémarrée?s?"
             r"|ouverte?s?"
             r"|vidée?s?)(?!\w)"),
    ),
    "write": (
        _any(r"\b(?:wr(?:ite|itten)|updat\w*|document\w*|test\w*|verif\w*|check\w*|translat\w*|docs?|measur\w*"
             r"|try|tried)\b"),
        _any(r"\b(?:wrote|written|updated|documented|tested|verified|checked|translated|measured|tried|geschrieben"
             r"|aktualisiert|dokumentiert|getestet|geprüft|übersetzt|escrit[oa]s?|actualizad[oa]s?|probad[oa]s?"
             r"|écrite?s?|mise?s? à jour|testée?s?)(?!\w)"),
    ),
    "get": (
        _any(r"\b(?:wait\w*|arriv\w*|deliver\w*|order\w*|buy|pay|install\w*|replac\w*|swap\w*|plug\w*|flash\w*"
             r"|cop(?:y|ies)"
             r"|missing|needs? a|still needs?|send|provide|get|credentials"
             r"|zugangsdaten|fehl(?:t|en)|anleg\w*|eintrag\w*)\b"),
        _any(r"\b(?:arrived|came|delivered|received|got (?:it|them)"
             r"|got (?:the|our|your) (?:[\w-]{1,30} )?(?:keys?|tokens?|cert\w{0,9}"
             r"|licen[cs]es?|passwords?|credentials|access|files?|data|answer|reply|approval|ok|permission|contract"
             r"|invoices?|parts?|boards?|cards?|devices?|export)|(?:is|are) here|bought|paid|ordered|installed"
             r"|replaced|swapped|plugged|flashed|copied|entered|provided|angekommen|eingetragen"
             r"|angelegt|hinterlegt|ist da|sind da|geliefert|bezahlt|installiert"
             r"|ersetzt"
             r"|llegad[oa]s?|recibid[oa]s?|pagad[oa]s?|instalad[oa]s?|arrivée?s?|reçue?s?|payée?s?"
             r"|installée?s?)(?!\w)"),
    ),
}  # fmt: skip
"""By deed: the words that ask for it, and those that say that it was done."""
_DONE = _any(
    r"\b(?:(?:is|are|was|all|it's|that's) (?:done|over|settled|finished|gone|taken care of)|did (?:it|that|so)"
    r"|done by"
    r"|nothing (?:waits|is waiting|is left|remains|is open)|no longer (?:waits?|waiting|open|pending|blocked|needed)"
    r"|erledigt|fertig|gemacht|ist durch|hech[oa]s?|list[oa]s?|ya está|c'est (?:fait|bon|réglé)|faite?s?|terminée?s?"
    r"|terminad[oa]s?|feito|fatto)(?!\w)",
    r"^done\b",
)
_NOT_YET = lazy_pattern(
    r"\b(?:not|never|nobody|nicht|kein\w*|pas|jamais|nunca|todavía|aún|ainda|yet|to be|must be|should be|has to"
    r"|have to"
    r"|needs? to|will be|going to|once|when|if|until|unless|after|before|wenn|sobald|falls|quand|cuando|si"
    r"|get it|get the|why|who|how|did (?:we|you|they|he|she)|has (?:he|she|it|anyone)|is it|wurde\w* noch)\b|n't\b",
    re.IGNORECASE,
)
_CAME_TO_NOTHING = lazy_pattern(
    r"(?:\b(?:but|and|then|yet|though|however|aber|und|doch|jedoch|dann|pero|y|mais|et)\b|[,:—–-] )[^.;]{0,120}?"
    r"(?<!no )\b(?:fail(?:s|ed|ing|ure)?|crash(?:es|ed)?|reject(?:s|ed)|refused|denied|hangs?|hung|stuck"
    r"|rolled (?:\w+ )?back|reverted|aborted|still|broke|breaks|broken|errors?|time-?outs?|timed out|wrong|red|lost"
    r"|(?<!works )(?<!work )(?<!runs )(?<!green )(?<!fine )(?<!back )(?<!up )again"
    r"|fehlgeschlagen|schlug|schlägt|scheitert\w*|gescheitert|abgestürzt|stürzt\w*|abgelehnt|abgebrochen|hängt|hing"
    r"|zurück(?:gerollt|genommen|gewiesen)|kaputt|fehler|noch|(?<!läuft )(?<!geht )(?<!grün )wieder|falsch"
    r"|falló|falla|rechazad[oa]s?|error|échoué\w*|échoue|rejetée?s?|erreur|planté)\b"
    r"|\b(?:same|another|an?) (?:[\w-]{1,30} )?(?:errors?|time-?outs?|failures?|crash|exception)\b",
    re.IGNORECASE,
)
"""What was begun did not end well: nothing waits less for it."""
_DENIED = lazy_pattern(r"(?:\b(?:not|never|nicht|nie|kein\w*|pas|nunca)|n't)(?: \w{1,20}){0,2} \Z", re.IGNORECASE)
_SENTENCE = lazy_pattern(
    r"(?<=[.!?;\n])\s+|\n|(?<=\w),\s+(?=(?:ship|publish|deploy|go|please|now|can|then|so|und|jetzt)\b)"
)
_NOTHING_ELSE = frozenset(
    terms(
        "it this that is are was all now everything morning today yesterday just i we you they he she has have had been"
        " be by from with for the a an of in on at to and so fine good ok okay done done yes again es ist das hat habe"
        " wir ich heute gestern jetzt schon der die den dem la el los las de un una esta mañana ha hoy ayer ya c'est"
        " est ce le les des une matin hier déjà cette open btw also thx thanks thank ty cheers danke merci gracias"
        " last night week monday friday gestern abend"
    )
)
_OF_WORK = frozenset(terms("pr prs mr pull request merge branch ticket issue task work thing things"))
"""Every second thread has them: they do not say which one is meant."""
_THINGS = frozenset(
    terms(
        "token tokens cert certs certificate certificates key keys license licenses licence licences secret secrets"
        " password passwords credentials lock rollout"
    )
)
"""They say what a deed was done to, also where they are part of how it is told: "the token is new"."""
_MEANING = {
    "zertifikat": "certificate", "certificado": "certificate", "certificat": "certificate", "schlüssel": "key",
    "clave": "key", "llave": "key", "clé": "key", "rechnungen": "invoices", "rechnung": "invoice",
    "facturas": "invoices", "factura": "invoice", "factures": "invoices", "facture": "invoice",
    "datenbank": "database", "servidor": "server", "serveur": "server", "lizenz": "license", "licencia": "license",
    "licence": "license", "jeton": "token", "vertrag": "contract", "contrato": "contract", "contrat": "contract",
    "freigabe": "approval", "aprobación": "approval", "zugang": "access", "acceso": "access", "accès": "access",
    "daten": "data", "datos": "data", "données": "data", "datei": "file", "archivo": "file", "fichier": "file",
    "zeilen": "rows", "filas": "rows", "lignes": "rows", "sperre": "lock", "bloqueo": "lock", "verrou": "lock",
    "reintentos": "retries", "passwort": "password", "contraseña": "password", "puerto": "port", "tests": "tests",
    "pruebas": "tests", "übersetzung": "translation", "übersetzungen": "translations", "bericht": "report",
    "informe": "report", "rapport": "report", "gerät": "device", "karte": "card", "platine": "board",
    "lieferant": "supplier", "recht": "legal", "kunde": "customer", "cliente": "customer",
}  # fmt: skip
"""Things that are often waited for, in other languages."""


@dataclass(frozen=True, slots=True)
class Deed:
    """What a sentence says was done."""

    kinds: frozenset[str]
    words: frozenset[str]
    """What it was done to, and by whom; empty when the sentence names nothing."""
    behind: frozenset[str] = frozenset()
    """Those that stand behind the verb: not who did it."""


def deeds_needed(line: str) -> frozenset[str]:
    """The kinds of deeds that a thread waits for."""
    text = line[:_LONGEST_READ]
    return frozenset(kind for kind, (needed, _) in _DEEDS.items() if needed.search(text))


@lru_cache(maxsize=2_048)
def deeds_told(text: str) -> tuple[Deed, ...]:
    """What the sentences of a text say was done; nothing for a question, an order or what is not done yet."""
    return tuple(deed for sentence in _SENTENCE.split(text[: 4 * _LONGEST_READ])[:20] if (deed := _told(sentence)))


def _told(sentence: str) -> Deed | None:
    text = sentence.strip()[:_LONGEST_READ]
    if not text or text.endswith(("?", "？")):
        return None
    found = {
        kind: match
        for kind, (_, done) in _DEEDS.items()
        if (match := done.search(text)) and not _DENIED.search(text[: match.start()])
    }
    only_done = _DONE.search(text)
    if not found and not only_done:
        return None
    first = min(match.start() for match in (*found.values(), only_done) if match)
    if _NOT_YET.search(text[:first]) and not (only_done and only_done.start() == first):
        return None
    if _CAME_TO_NOTHING.search(text, first):
        return None
    kinds = frozenset(found) | ({ANY} if only_done else frozenset())
    said = " ".join(match.group() for match in (*found.values(), only_done) if match)
    general = _NOTHING_ELSE | _OF_WORK | (frozenset(terms(said)) - _THINGS)
    last = max(match.end() for match in (*found.values(), only_done) if match)
    return Deed(kinds, _words(text) - general, _words(text[last:]) - general)


def _words(text: str) -> frozenset[str]:
    meant = " ".join(_MEANING.get(word.strip(".,;:!()'\"").lower(), "") for word in text.split())
    return frozenset(terms(text)) | frozenset(terms(meant))


def is_done(deed: Deed, needed: frozenset[str], about: frozenset[str], least: int = 1) -> bool:
    """Does a deed settle what needs such deeds and is about these words? `least`: so many words both must name. A
    single word is enough only where the deed names nothing else it was done to: "fixed the typo in the README of the
    import" is not about the import. "c'est mergé" names nothing: see `names_nothing`."""
    same = deed.kinds & needed
    if not same and ANY not in deed.kinds:
        return False
    if not deed.words:
        return False
    others = frozenset(ours for ours in deed.words if not any(_are_one(ours, theirs) for theirs in about))
    shared = len(deed.words) - len(others)
    if same and shared == 1 and (len(others) > 1 or others & deed.behind):
        return False
    return shared >= (least if same else max(2, least)) or (not same and shared == len(deed.words) > 0 and least == 1)


def came_to_nothing(sentence: str) -> bool:
    """Does it say that what was done failed: "I tested it and it hangs"?"""
    text = sentence.strip()[:_LONGEST_READ]
    starts = [match.start() for _, done in _DEEDS.values() if (match := done.search(text))]
    return bool(starts) and _CAME_TO_NOTHING.search(text, min(starts)) is not None


def names_nothing(deed: Deed, needed: frozenset[str]) -> bool:
    """Is it of a kind that is needed, without a word of what it was done to? It settles what alone waits for it."""
    return not deed.words and bool(deed.kinds & needed)


def _are_one(one: str, other: str) -> bool:
    return one == other or (
        min(len(one), len(other)) >= _LEAST_SHARED and (one.startswith(other) or other.startswith(one))
    )
