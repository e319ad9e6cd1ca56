"""The words by which a deed is known: those that ask for it, and those that say that it was done, in the languages in
which people type. Data only; `settled` compares them. Every pattern is linear in its text.
"""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern
from holdfast.recall.tokens import terms


def _any(*words: str) -> re.Pattern[str]:
    return lazy_pattern("|".join(words), re.IGNORECASE)


DEEDS: dict[str, tuple[re.Pattern[str], re.Pattern[str]]] = {
    "merge": (
        _any(r"\b(?:merg\w*|push\w*|pull requests?|prs?|mrs?|review\w*)\b"),
        _any(r"\b(?:merged|landed|ge-?merge?[dt]|zusammengeführt|ist drin|fusionad[oa]s?|merg?ead[oa]s?|fusionnée?s?"
             r"|mergée?s?)(?!\w)"),
    ),
    "renew": (
        _any(r"\b(?:re-?new\w*|expir\w*|revok\w*|rotat\w*|re-?issu\w*|issue a|new (?:\w+ )?(?:certificates?|certs?"
             r"|tokens?|keys?|licen[cs]es?|secrets?|passwords?|credentials)|certificates?|tokens?|licen[cs]es?"
             r"|erneuer\w*|verlänger\w*|renouvel\w*|renov\w*)\b"),
        _any(r"\b(?:re-?newed|re-?issued|rotated|extended|(?:tokens?|cert\w{0,9}|keys?|licen[cs]es?|secrets?"
             r"|passwords?"
             r"|credentials) (?:is|are) (?:new|valid|back|there|here|in|set)|(?:got|have|has|set) (?:a |the |us )?new"
             r"|erneuert|verlängert|ausgestellt|rotiert|renovad[oa]s?|renouvelée?s?)(?!\w)"),
    ),
    "ship": (
        _any(r"\b(?:deploy\w*|roll(?:ed|ing)?[ -]?out|rollouts?|releas\w+|publish\w*|upload\w*|ship(?:ped)?|push\w*"
             r"|live|in production|still (?:runs?|serves?|has|have|shows?|on|running)|ausroll\w*|veröffentlich\w*"
             r"|hochlad\w*|subir|desplegar|publi(?:er|car)|mettre en ligne)\b"),
        _any(r"\b(?:deployed|rolled out|rollout (?:is|went)|released|published|uploaded|shipped|pushed|flashed"
             r"|got v?\d[\d.]*|(?:is"
             r"|are|went)"
             r" (?:live|out|through)|(?:is|are|sind|ist) (?:all |now |jetzt |alle )?(?:on|at|auf) v?\d[\w.]*"
             r"|ausgerollt|veröffentlicht|deployt|hochgeladen|eingespielt|ist live"
             r"|desplegad[oa]s?"
             r"|publicad[oa]s?|subid[oa]s?|subí|subimos|déployée?s?|publiée?s?|mise? en ligne|livrée?s?)(?!\w)"),
    ),
    "approve": (
        _any(r"\b(?:approv\w*|sign\w{0,3}|sign-?off|confirm\w*|review\w*|decid\w*|decision|answer\w*|repl(?:y"
             r"|ies)|legal"
             r"|permission|consent|aprob\w*|aprueb\w*|approuv\w*|valid\w*|freig\w+|genehmig\w*|bestätig\w*"
             r"|unterschr\w*|entscheid\w*)\b"),
        _any(r"\b(?:approved|accepted|signed|(?:is|are|was|were) (?:fine|ok|okay|happy|good|cool) with|(?:has|have"
             r"|had) no"
             r" objections?|einverstanden|aprobó|aprobaron|firmó|confirmó|respondió|confirmed|reviewed|decided"
             r"|answered|replied|(?:said|says) (?:yes|no|ok)"
             r"|gave (?:us )?"
             r"(?:the |an |an? |their )?(?:ok|go|green light)|agreed|freigegeben|genehmigt|unterschrieben|bestätigt"
             r"|entschieden|geantwortet"
             r"|aprobad[oa]s?|firmad[oa]s?|confirmad[oa]s?|respondid[oa]s?|approuvée?s?|signée?s?|confirmée?s?"
             r"|validée?s?"
             r"|répondu)(?!\w)"),
    ),
    "fix": (
        _any(r"\b(?:fix\w*|repair\w*|correct\w*|broken|wrong|fail\w*|crash\w*|red|refus\w*|reject\w*|denied"
             r"|block\w*|down|flaky"
             r"|reparier\w*|beheb\w*|rot)\b"),
        _any(r"\b(?:fixed|repaired|solved|resolved|corrected|sorted(?= out|[.!,]|$)|mended|works? (?:again|now)"
             r"|(?:is|are) (?:green"
             r"|fine|back|ok|gone) ?(?:again|now)?|went away|(?:all |both |now )?pass(?:es)?(?= again| now|[.;,]|$"
             r"| in\b)"
             r"|green (?:again|now)|behoben|repariert|gelöst|korrigiert"
             r"|(?:geht|läuft|laufen|gehen) (?:jetzt|wieder)|(?:ist|sind) (?:jetzt |wieder )*(?:grün|heil)"
             r"|arreglad[oa]s?|resuelt[oa]s?|corregid[oa]s?|solucionad[oa]s?|réparée?s?|corrigée?s?|résolue?s?"
             r"|réglée?s?)(?!\w)"),
    ),
    "run": (
        _any(r"\b(?:re-?run\w*|re-?play\w*|(?:re-?)?import(?:s|ed|ing)?|backfill\w*|migrat\w*|load(?:s|ed|ing)?|process(?:ed|es|ing)?"
             r"|re-?sen[dt]\w*"
             r"|sen[dt]\w*|re-?submit\w*|re-?process\w*|rejected|quarantine|by hand|run|wait\w*|laufen|schicken"
             r"|ausführen|importier\w*)\b"),
        _any(r"\b(?:re-?ran|(?:was|were|been|is|are) re-?run|went (?:fine|well|ok|okay|smoothly)"
             r"|ran|re-?played|re-?imported|imported|backfilled"
             r"|migrated|re-?loaded"
             r"|loaded|re-?processed|processed|re-?sent|sent|re-?submitted|nachgeholt|importiert|verschickt"
             r"|verarbeitet|gesendet|(?:ist|sind) (?:jetzt |schon |alle )*raus|gelaufen|durchgelaufen|reenviad[oa]s?"
             r"|reprocesad[oa]s?|importad[oa]s?|enviad[oa]s?|ejecutad[oa]s?|relancée?s?|importée?s?"
             r"|envoyée?s?)(?!\w)"),
    ),
    "open": (
        _any(r"(?<!\bon )(?<!\bon a )(?<!\bafter )(?<!\bafter a )(?<!\beach )(?<!\bevery )"
             r"\b(?:un-?lock\w*|lock\w*|restart\w*|reboot\w*|reset\w*|(?<!still )(?<!is )(?<!are )open\w*|clear\w*"
             r"|purg\w*|free\w*|enabl\w*"
             r"|block\w*|paus\w*|on hold|resum\w*|switched off"
             r"|grant\w*|access|neustart\w*|sperr\w*)\b"),
        _any(r"\b(?:unlocked|released the lock|lock (?:is|was) (?:gone|free|released)|restarted|rebooted"
             r"|(?:was|were|been|is|are|i|we) reset|opened|cleared|purged|freed|enabled|granted|resumed|unpaused"
             r"|(?:is|are) (?:on|running|active) (?:again|now)|entsperrt"
             r"|freigeschaltet|neu gestartet|neugestartet|geöffnet"
             r"|geleert|desbloquead[oa]s?|reiniciad[oa]s?|abiert[oa]s?|vaciad[oa]s?|débloquée?s?|redémarrée?s?"
             r"|ouverte?s?"
             r"|vidée?s?)(?!\w)"),
    ),
    "test": (
        _any(r"\b(?:(?:un|re-?)?test(?:s|ed|ing)?|(?:un)?verif\w*|(?:un)?check(?:ed)?|try|(?:un)?tried|(?:un)?getestet"
             r"|testen|prüf\w*|(?:un)?geprüft|reproduce|prob(?:ar|ad[oa]s?)|tester|testée?s?)\b"),
        _any(r"\b(?:tested|verified|checked|tried|ran|works?(?= (?:in|on|with|under|there|here|fine|too|well|now|again"
             r"|as)\b"
             r"|[.,;!]|$)|all work|no (?:problems?|issues?) (?:in|on|with|under|there)|(?:looks?|is|are|runs?"
             r"|renders?) "
             r"(?:fine|good|ok|okay|well|correctly) (?:in|on|under|there|too)|getestet|geprüft|ausprobiert"
             r"|(?:geht|gehen|läuft|laufen|funktioniert|funktionieren) (?:auch |dort |da |jetzt )?(?:in|im|auf|mit"
             r"|unter"
             r"|dort|auch|gut|einwandfrei)|probad[oa]s?|funciona(?:n)? (?:en|con|bien|también)|testée?s?"
             r"|(?:marche|fonctionne)(?:nt)? (?:aussi|sur|sous|avec|dans|bien))(?!\w)"),
    ),
    "measure": (
        _any(r"\b(?:measur\w*|benchmark\w*|profil(?:e|ed|ing)|gemessen|messen)\b"),
        _any(r"\b(?:measured|benchmarked|profiled|gemessen|mesurée?s?|medid[oa]s?)(?!\w)"),
    ),
    "translate": (
        _any(r"\b(?:(?:un)?translat\w*|übersetz\w*|traduc\w*|traduire|tradui\w*)\b"),
        _any(r"\b(?:translated|übersetzt|traducid[oa]s?|traduite?s?|translations? (?:is|are) (?:in|there|done|here)"
             r"|(?:has|have) (?:an? |its |their |the )?(?:[\w-]{1,20} ){0,4}(?:texts?|translations?|strings?))(?!\w)"),
    ),
    "write": (
        _any(r"\b(?:wr(?:ite|itten)|add(?:ed)?|cover\w*|document\w*|docs?|readme|changelog|(?:still|are|is) missing"
             r"|dokumentier\w*"
             r"|schreiben|escribir|écrire)\b"),
        _any(r"\b(?:wrote|written|documented|geschrieben|dokumentiert|beschrieben|escrit[oa]s?"
             r"|écrite?s?|documentad[oa]s?|documentée?s?)(?!\w)"),
    ),
    "change": (
        _any(r"\b(?:chang(?:e|ed|ing)|updat\w*|adjust\w*|adapt\w*|switch\w*|mov(?:e|ed)|set|point(?:s|ed)?|still uses?"
             r"|still (?:has|have|on|runs?)|replac\w*|swap\w*|upgrad\w*|ändern|geändert|umstell\w*|anpass\w*)\b"),
        _any(r"\b(?:changed|updated|adjusted|adapted|switched|moved|replaced|swapped|upgraded|(?:was|is|has been|i"
             r"|we|they"
             r"|ops|['’]ve|have|has) (?:now |just |already )?set|now points?|points? (?:to|at)|geändert"
             r"|umgestellt|angepasst|aktualisiert|umgezogen"
             r"|actualizad[oa]s?|cambiad[oa]s?|modifiée?s?|mise?s? à jour|changée?s?)(?!\w)"),
    ),
    "remove": (
        _any(r"\b(?:remov\w*|delet\w*|switch(?:ed)? off|turn(?:ed)? off|shut (?:down|off)|disabl\w*|drop(?:ped)?"
             r"|retir\w*|decommission\w*|abschalt\w*|abgeschaltet|lösch\w*|entfern\w*|clean(?:ed)? up"
             r"|(?:get|getting) rid of|(?:throw|take|rip|strip|kick) (?:[\w.`-]{1,40} ){0,4}?out|kill|prune"
             r"|raus(?:werfen"
             r"|nehmen|schmeißen)?|schmeiß\w*|wirf|wegwerfen|supprim\w*|enlève\w*|enlever|vire[rz]?|elimin\w*"
             r"|borr(?:ar|a|o|e)|quita\w*|elimina)\b"),
        _any(r"\b(?:removed|deleted|switched off|turned off|shut (?:down|off)|disabled|dropped|retired|decommissioned"
             r"|(?:is|are) (?:gone|off)|cleaned up|abgeschaltet|ausgeschaltet|gelöscht|entfernt|eliminad[oa]s?"
             r"|borrad[oa]s?|quitad[oa]s?|got rid of|thrown out|taken out|ripped out|(?:ist|sind) (?:weg|raus)"
             r"|rausgeworfen|rausgenommen|enlevée?s?|retirée?s?"
             r"|apagad[oa]s?|supprimée?s?|éteinte?s?|désactivée?s?)(?!\w)"),
    ),
    "create": (
        _any(r"\b(?:creat\w*|set up|provision\w*|does(?: not|n't) exist|anleg\w*|einricht\w*|crear|créer)\b"),
        _any(r"\b(?:created|set up|provisioned|exists?|angelegt|eingerichtet|existiert|cread[oa]s?|créée?s?)(?!\w)"),
    ),
    "restore": (
        _any(r"\b(?:restor\w*|recover\w*|roll(?:ed)? back|wiederherstell\w*|wiederhergestellt)\b"),
        _any(r"\b(?:restored|recovered|wiederhergestellt|restaurad[oa]s?|recuperad[oa]s?|restaurée?s?"
             r"|récupérée?s?)(?!\w)"),
    ),
    "get": (
        _any(r"\b(?:wait\w*|arriv\w*|deliver\w*|order\w*|buy|pay|install\w*|replac\w*|swap\w*|plug\w*|flash\w*"
             r"|cop(?:y|ies)|transfer\w*"
             r"|missing|needs? a|still needs?|send|provide|get|credentials"
             r"|zugangsdaten|fehl(?:t|en)|anleg\w*|eintrag\w*|falta\w*|manque\w*)\b"),
        _any(r"\b(?:arrived|came|delivered|received|got (?:it|them)"
             r"|got (?:the|our|your) (?:[\w-]{1,30} )?(?:keys?|tokens?|cert\w{0,9}"
             r"|licen[cs]es?|passwords?|credentials|access|files?|data|answer|reply|approval|ok|permission|contract"
             r"|invoices?|parts?|boards?|cards?|devices?|export)|(?:is|are) here|bought|paid|ordered|installed"
             r"|replaced|swapped|plugged|flashed|copied|entered|provided|transferred|transfer (?:is|was|went) \w+"
             r"|added|(?:is|are|['’]s) (?:now |all )?in(?=[.,;!]|$)|(?:is|are) (?:now )?in place|(?:is"
             r"|are) there(?! an?\b)|angekommen|eingetragen"
             r"|angelegt|hinterlegt|ist da|sind da|geliefert|bezahlt|installiert"
             r"|ersetzt"
             r"|llegad[oa]s?|recibid[oa]s?|pagad[oa]s?|instalad[oa]s?|arrivée?s?|reçue?s?|payée?s?"
             r"|installée?s?)(?!\w)"),
    ),
}  # fmt: skip
"""By deed: the words that ask for it, and those that say that it was done."""
BY_OTHERS = frozenset(
    {"merge", "renew", "ship", "approve", "run", "open", "test", "measure", "translate", "restore", "get"}
)
"""Deeds that a change of code does not do: work that speaks of the same thing leaves them to do."""
FIGURE = lazy_pattern(
    r"\b(?:from|to|takes?|took|uses?|needs?|is|are|at|was|were|only|about) \d[\d.,]* ?(?:ms|s|seconds?|minutes?|min"
    r"|%|kb|mb"
    r"|gb|x)(?!\w)",
    re.IGNORECASE,
)
"""An agent that names one has measured it."""
ALL_PASS = lazy_pattern(
    r"\b(?:both|all|these|those|the (?:two|three|four|five|\d+))\b[^.;,]{0,60}\b(?:tests?|specs?|checks?|suites?)\b"
    r"[^.;,]{0,20}\b(?:pass(?:es)?|(?:are|is) green|succeed)\b",
    re.IGNORECASE,
)
"""No test of those that failed does any more."""
DONE = _any(
    r"\b(?:(?:is|are|was|all|it's|that's) (?:done|over|settled|finished|gone|taken care of|sorted)|did (?:it|that|so)"
    r"|done by|all good"
    r"|nothing (?:waits|is waiting|is left|remains|is open)|no longer (?:waits?|waiting|open|pending|blocked|needed)"
    r"|erledigt|fertig|gemacht|(?:ist|sind)(?= (?:[\wäöüß]{1,30} ){0,4}?(?:durch|drauf|drin|online|aktiv)\b)"
    r"|hech[oa]s?|list[oa]s?|ya está|c'est (?:fait|bon|réglé)|faite?s?|terminée?s?"
    r"|terminad[oa]s?|feito|fatto)(?!\w)",
    r"^done\b|\bdone[.!]*$",
)
NOT_YET = lazy_pattern(
    r"\b(?:not|never|nobody|nicht|kein\w*|pas|jamais|nunca|todavía|aún|ainda|yet|to be|must be|should be|has to"
    r"|have to"
    r"|needs? to|will be|going to|once|when|if|until|unless|after|before|wenn|sobald|falls|quand|cuando|si"
    r"|get it|get the|why|who|how|did (?:we|you|they|he|she)|has (?:he|she|it|anyone)|is it|wurde\w* noch)\b|n't\b",
    re.IGNORECASE,
)
CAME_TO_NOTHING = lazy_pattern(
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
NOTHING_ELSE = frozenset(
    terms(
        "it this that is are was all now everything morning today yesterday just i we you they he she has have had been"
        " be by from with for the a an of in on at to and so fine good ok okay done done yes again es ist das hat habe"
        " wir ich heute gestern jetzt schon der die den dem la el los las de un una esta mañana ha hoy ayer ya c'est"
        " est ce le les des une matin hier déjà cette open btw also thx thanks thank ty cheers danke merci gracias"
        " myself yourself ourselves himself herself selbst"
        " last night week monday friday gestern abend well too also auch aussi también hand für vom von zum zur bei im"
        " nach aus über unter alle alles al del para con por sur dans pour avec du au aux alte alter alten altes neue"
        " neuen neuer neues sur sous es sind wurde wurden son bis seit until till since allen jetzt both sont"
        " laptop machine computer manually locally hand"
        " ont été était estan están fue fueron han hemos haben hatte drauf drin durch online"
    )
)
OF_WORK = frozenset(terms("pr prs mr pull request merge branch ticket issue task work thing things"))
"""Every second thread has them: they do not say which one is meant."""
THINGS = frozenset(
    terms(
        "token tokens cert certs certificate certificates key keys license licenses licence licences secret secrets"
        " password passwords credentials lock rollout"
    )
)
"""They say what a deed was done to, also where they are part of how it is told: "the token is new"."""
_IN_ENGLISH = {
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
    "märz": "march", "lieferant": "supplier", "recht": "legal", "kunde": "customer", "cliente": "customer",
}  # fmt: skip
"""Things that are often waited for, in other languages."""
MEANING = {foreign: own for word, meant in _IN_ENGLISH.items() for foreign in terms(word) for own in terms(meant)}
"""The same, by the terms of `recall.tokens`."""
