"""How a correction is said in German, Spanish and French (MEM-31): the words of each language, and how they are read.

As in English, a correction is an order with "never", "always" or "not", what "we" do or never do, "X instead"
    " of Y", and
a "no" with what was meant. The languages show an order each in its way: German puts its verb first, or an infinitive
last; Spanish has forms of its own behind "no"; French leaves the subject out before "ne". What is asked, told of
somebody else or told as a story is none. Every pattern is linear in its text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

_W = r"[^\W\d_]"


def _any(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE)


def _words(text: str) -> str:
    return "|".join(text.split())


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


@dataclass(frozen=True, slots=True)
class Language:
    """Patterns for the beginning of a sentence, or of what stands behind a "no"."""

    lead: re.Pattern[str]
    """Words before what is ordered: "please", "and", "note:"."""
    reminds: re.Pattern[str]
    """Words before how things are: "remember:"."""
    no: re.Pattern[str]
    """A "no" that rejects what was done."""
    rule: re.Pattern[str]
    """How things are done here."""
    repair: re.Pattern[str]
    """What was said, or meant, or forgotten."""
    stands: re.Pattern[str]
    """Behind a "no": how things are, not only this time."""
    asks: re.Pattern[str]
    """It asks, looks for something, or sets a condition."""
    is_none: re.Pattern[str]
    """Courtesy, a state of mind, or a story."""


_DE_VERBS = _words(
    "mach tu lass lasst fass änder veränder lösch schreib benutz nutz verwend nimm nehmt rühr installier commit"
    " committ push"
    " merg füg leg setz start mock benenn verschieb entfern überschreib formatier rat geh ruf gib frag test"
    " prüf führ halt"
    " behalt bau kopier log druck speicher öffne schließ importier exportier deploy rebas squash dokumentier"
    " kommentier"
    " antwort pass vermeid hör stell trag zieh generier refaktorier refactor aktualisier vertrau wart bleib"
    " erstell pin cach"
    " erfind sprich denk arbeit verlass lad wirf fang bring schick nenn duplizier erweiter"
)
_DE_ORDER = rf"(?:{_DE_VERBS})(?:e|t|en sie)?"
_DE_NEVER = "nie|niemals|nicht|nichts|kein|keine|keinen|keinem|keiner|keinesfalls|immer|stets|nur noch|ausschließlich"
_DE_ASKS = _words(
    "warum wieso weshalb was wann wo wer welche welcher welches kann kannst können könnten könntest soll sollen"
    " sollten ist"
    " sind hat haben wird wurde würde würdest darf dürfen wenn falls ob gibt weißt willst wollen zeig zeige"
    " erklär erkläre"
    " schau such suche finde"
)
_DE_OTHERS = r"(?:dem|der|den|ihm|ihr|ihnen|meine[rm]|unsere[rm]|allen)\b"
_GERMAN = Language(
    lead=_any(
        r"(?:bitte|und|aber|also|ok(?:ay)?|gut|danke|super|prima|übrigens|hinweis|wichtig|merk dir"
        r"|denk dran|noch was"
        r"|außerdem|hey)[,.:!]* +"
    ),
    reminds=_any(r"(?:merk dir|denk dran|wichtig|hinweis|zur erinnerung|nochmal)\b"),
    no=_any(
        r"(?:(?:nein|nee|nö|falsch|stopp?|halt|nicht so|so nicht|das ist falsch|das stimmt nicht)[,.!:]+"
        r"|doch nicht) +(?:nein[,.!:]+ +)?"
    ),
    rule=_any(
        rf"{_DE_ORDER} (?:[^?;.,]{{0,80}} )?(?:{_DE_NEVER}|auf keinen fall)\b",
        rf"(?:nie|niemals|immer|stets|nicht|keine?n?"
        rf"|auf keinen fall) (?:[^?;.,]{{1,60}} )?{_W}{{2,24}}e[nr]n?(?=\s*(?:[,;.!:(]|$))",
        rf"(?:hier |bei uns |in diesem (?:projekt|repo|team) )?(?:wir|man) (?!(?:hab|hatt|war|sind|konnt|wusst"
        rf"|wollt|wurd)\w*)"
        rf"{_W}{{2,24}}n?t? (?:[^?;.,]{{1,40}} )?(?:{_DE_NEVER})\b",
        rf"(?:hier|bei uns|in diesem (?:projekt|repo|team)) {_W}{{2,24}} (?:[^?;.,]{{1,60}} )?(?:{_DE_NEVER})\b",
        rf"du (?:sollst|darfst|musst) (?:[^?;.,]{{1,60}} )?(?:{_DE_NEVER})\b",
        r"lass(?:t|e)? (?:[^?;.,]{1,60} )?(?:die finger von|in ruhe|unverändert|so,? wie)\b",
        r"(?:ab jetzt|ab sofort|von jetzt an|von nun an|künftig|zukünftig|in zukunft),? \S+ \S+",
        rf"{_DE_ORDER} [^?]{{2,80}}(?:\bstatt\b|\banstatt\b|\banstelle\b|\bund nicht\b|, nicht\b|\bstattdessen\b)",
        rf"hör(?:e|t)? auf\b|vermeide?\b|{_DE_ORDER} lieber\b",
    ),
    repair=_any(
        r"(?:das )?(?:haben|hatten) wir (?:[^?;.,:]{1,40} )?(?:besprochen|geklärt|entschieden|ausgemacht"
        r"|vereinbart)\b",
        rf"(?:wie )?ich (?:sagte|meinte|schrieb|bat)\b(?! {_DE_OTHERS})|wie (?:schon |bereits )?gesagt\b"
        rf"|wie ich (?:schon )?sagte",
        r"(?:das )?(?:ich )?hab(?:e|t)? (?:ich )?(?:doch |dir |nicht |das |so )*(?!dem |der |ihm |ihr |ihnen "
        r"|meine)(?:[^?;.]{0,60} )?"
        r"(?:gesagt|geschrieben|gemeint|gebeten|verlangt|gewollt)\b",
        r"ich hatte (?:[^?;.]{0,60} )?(?:gesagt|geschrieben|gemeint|gebeten|verlangt)\b"
        r"|ich wollte (?:doch )?(?:nicht|nur|kein\w*|das)\b",
        r"das (?:war|ist) nicht (?:das,? )?(?:was ich|gemeint|mein)|so (?:war|hab|meint)\w* (?:ich )?das nicht",
        r"du hast (?:[^?;.]{0,60} )?(?:vergessen|ignoriert|übersehen|missverstanden|verwechselt|falsch"
        r"|schon wieder)\b",
    ),
    stands=_any(
        r"\b(?:nie|niemals|immer|nur noch|nicht mehr|grundsätzlich|statt|stattdessen)\b|\b(?:darf"
        r"|dürfen|soll(?:en)?|muss|müssen)\b",
        r"\b(?:ist|sind) (?:nicht|nie|kein\w*|immer)\b",
    ),
    asks=_any(rf"(?:{_DE_ASKS}|wie(?! (?:ich|schon|bereits|gesagt)\b))\b"),
    is_none=_any(
        r"\bkeine (?:ahnung|sorge|eile|lust|zeit|frage|panik)\b|\bkein (?:problem|thema|stress|ding)\b"
        r"|\bimmer (?:noch|wieder|mehr)\b",
        r"\bnoch nie\b|\bwie immer\b|\bnicht (?:schlimm|schlecht|nötig|sicher|wahr|so wichtig"
        r"|vergessen)\b|\bmach dir\b|\bdu hast recht\b",
        r"\balles (?:gut|klar|bestens)\b|\bpasst (?:so|schon)\b|\b(?:sonst nichts|nichts weiter"
        r"|das war(?:'s| alles)|das reicht)\b",
        r"\bich (?:weiß|verstehe?|glaube?|denke?|sehe?|finde?|kenne?|habe?|hatte|wollte immer"
        r"|konnte) (?:\S+ )?(?:nicht|nie|kein\w*|immer)\b",
    ),
)
_ES_STATE = _words(
    "es está están son hay puedo puede pueden entiendo creo veo tengo tiene tienen funciona funcionan pasa era"
    " fue recuerdo"
    " importa sirve encuentro va van quiero sé se quedan quedas sabes tienes puedes ves olvides dudes más menos"
    " las los des"
    " eres estás ibas estaban eran tests pruebas tres dos mas antes"
)
_SPANISH = Language(
    lead=_any(
        r"(?:por favor|y|pero|así que|además|también|bueno|oye|vale|ok|bien|gracias|perfecto|recuerda|ojo"
        r"|nota|importante"
        r"|una cosa más|otra cosa)[,.:!]* +(?:que +)?"
    ),
    reminds=_any(r"(?:recuerda|recuerde|ojo|nota|importante|recordatorio)\b"),
    no=_any(
        r"(?:no|mal|incorrecto|falso|alto|para|así no|eso no|(?:eso )?está mal"
        r"|no es así)[,.!:]+ +(?:no[,.!:]+ +)?"
    ),
    rule=_any(
        rf"no (?:(?:me|lo|la|los|las|le|nos|se) )*(?!(?:{_ES_STATE})\b){_W}{{2,24}}(?:as|es|áis|éis)\b",
        rf"no {_W}{{2,24}}(?:ar|er|ir)\b(?= \S)",
        rf"(?:nunca|jamás) (?:(?:se|lo|la|los|las|me|nos|le) )*(?!(?:{_ES_STATE}|he|ha|hemos|han|había|vi|supe"
        rf"|pensé)\b)"
        rf"{_W}{{2,24}}(?:as|es|a|e|amos|emos|imos|ar|er|ir|an|en)\b",
        rf"siempre (?:(?:se|lo|la|los|las) )*(?!(?:{_ES_STATE}|he|ha|hemos|han|había|quise|pensé|falla|tarda|da"
        rf"|sale|devuelve)\b)"
        rf"{_W}{{2,24}}(?:a|e|as|es|amos|emos|imos|ar|er|ir|an|en|on|z|n)\b",
        rf"(?:(?:aquí|nosotros|en este (?:proyecto|repo|repositorio|equipo)),? )*(?:nunca|jamás|siempre|no|solo"
        rf"|sólo) (?:se )?"
        rf"{_W}{{2,24}}(?:amos|emos|imos)\b",
        r"(?:aquí|nosotros|en este (?:proyecto|repo|repositorio|equipo)),? (?:nunca|jamás|siempre|no|solo|sólo) \S+",
        r"(?:usa|use|usad|utiliza|pon|ponga|escribe|ejecuta|haz|pregunta|mantén|deja"
        r"|comprueba) (?:(?!que\b)[^\s?;.,]+ ){0,8}(?:siempre|nunca)\b",
        r"(?:a partir de ahora|de ahora en adelante|desde ahora|en el futuro|en adelante),? \S+ \S+",
        rf"(?:deja|dejad|para|parad) de {_W}+r\b|evita \S+|no (?:debes|deberías|tienes que)\b",
        r"(?:deja|dejad) (?:(?!que\b)[^\s?;.,]+ ){1,8}(?:como está|como están|en paz|sin tocar|tranquil\w+)\b",
        r"(?:usa|use|usad|utiliza|emplea|prefiere|escribe|llama|ejecuta|pon|toma|coge|mejor) [^?]{2,80}"
        r"(?:\ben (?:vez|lugar) de\b|\by no\b|, no\b)",
    ),
    repair=_any(
        r"(?:eso )?ya (?:lo )?(?:hablamos|habíamos (?:hablado|dicho|decidido|quedado)|hemos (?:hablado|dicho)"
        r"|decidimos|quedamos)\b",
        r"(?:como )?(?:ya )?(?:te )?(?:dije|pedí|decía|había (?:dicho|pedido)|he (?:dicho|pedido))\b(?! (?:a|al"
        r"|a la)\b)|(?:yo )?(?:me refería|quería decir)\b",
        r"(?:eso )?no (?:es|era) (?:eso )?lo que\b|no (?:te )?(?:dije|pedí|quería|me refería)\b",
        r"(?:te )?(?:has |te has )?(?:olvidaste|olvidado|ignoraste|ignorado|confundiste|confundido"
        r"|entendiste mal|entendido mal)\b",
    ),
    stands=_any(
        r"\b(?:nunca|jamás|siempre|ya no|en (?:vez|lugar) de)\b|\b(?:debe|deben|tiene que|tienen que"
        r"|hay que|no (?:se )?puede)\b",
        r"\bno (?:es|son|se)\b",
    ),
    asks=_any(
        r"¿",
        rf"(?:{_words('qué cuándo dónde quién cómo cuál cuáles puedes podrías puede podemos deberíamos')}"
        rf"|{_words('debo debería si explica')}"
        rf"|{_words('explícame muestra muéstrame mira busca encuentra averigua dime')}|por qué)\b",
    ),
    is_none=_any(
        r"\bno (?:te preocupes|pasa nada|hay (?:problema|prisa)|lo sé|sé|entiendo|creo|recuerdo"
        r"|importa|hace falta|tengo|estoy)\b",
        r"\b(?:nada más|todo bien|está bien|así está bien|eso es todo)\b",
        r"\b(?:ni idea|como siempre"
        r"|da igual|tienes razón|culpa mía|no gracias)\b|\b(?:nunca|siempre) (?:he|hemos|ha|había|me"
        r"|lo mismo)\b",
    ),
)
_FR_STATE = _words(
    "sais suis est sont peux peut comprends vois pense crois marche fonctionne charge trouve connais reste"
    " était avait ai avons"
    " ont inquiète inquiétez fais faites hésite hésitez oublie oubliez souviens"
)
_FRENCH = Language(
    lead=_any(
        r"(?:s'il te plaît|s'il vous plaît|stp|svp|et|mais|alors|donc|aussi|bon|ok|d'accord|bien|merci"
        r"|super|parfait|rappel"
        r"|attention|note|important|au fait|encore une chose|rappelle-toi|de plus) ?[,.:!]* +(?:que +)?"
    ),
    reminds=_any(r"(?:rappel|attention|note|important|rappelle-toi|souviens-toi|n'oublie pas)\b"),
    no=_any(
        r"(?:non|faux|stop|arrête|pas comme ça|pas ça|c'est faux|ce n'est pas ça"
        r"|c'est pas ça) ?[,.!:]+ +(?:non ?[,.!:]+ +)?"
    ),
    rule=_any(
        rf"(?:ne |n')(?:(?:me|le|la|les|lui|nous|y|en|te|t'"
        rf"|l')[ ]?)*(?!(?:{_FR_STATE})\b){_W}[\w-]{{1,24}} (?:surtout |donc )?"
        r"(?:pas|jamais|plus|rien|aucune?|que)\b",
        rf"(?:ne|n') ?(?:jamais|pas|plus) (?:(?:le|la|les|l'|y|en|se|s') ?)*{_W}{{2,24}}(?:er|ir|re)\b",
        rf"(?!(?:{_FR_STATE}|je|tu|il|elle|ça|c'est|le|la|les|un|une|ce|cette|des|mon|ma|notre"
        rf"|qui)\b){_W}{{2,24}}(?:e|s|ez)(?:-\w+)?"
        r" (?:bien |d'abord )?(?:toujours|systématiquement|jamais|pas)\b",
        rf"toujours (?:(?:le|la|les|l'|y|en|se|s') ?)*{_W}{{2,24}}(?:er|ir|re)\b|jamais (?:de |d'|sur |dans "
        rf"|sans |en )\S+",
        r"il (?:ne )?faut (?:toujours|jamais|pas|plus)\b|il ne faut (?:jamais|pas|plus)\b",
        rf"(?:(?:ici|chez nous|dans ce (?:projet|dépôt|repo)),? )?(?:nous|on) (?:ne |n')(?:(?:le|la|les|l'|y|en) ?)*"
        rf"(?!(?:sait|savons|a|avons|avait|était|peut|pouvait|voit|comprend)\b){_W}{{2,24}} (?:jamais|pas|plus"
        rf"|que|rien)\b",
        rf"(?:(?:ici|chez nous|dans ce (?:projet|dépôt|repo)),? )?(?:nous|on) (?!(?:a|avons|avait|était|est"
        rf"|sommes)\b){_W}{{2,24}}"
        r" (?:toujours|systématiquement|uniquement|jamais)\b",
        r"(?:à partir de maintenant|dorénavant|désormais|à l'avenir|dès maintenant),? \S+ \S+",
        r"(?:arrête|arrêtez|cesse|cessez|évite|évitez) (?:de |d'|les |le |la |l')\S*|tu (?:ne |n')(?:dois"
        r"|devrais) (?:pas|jamais|plus)\b",
        r"laissez? (?:[^\s?;.,]+ ){1,8}(?:tranquilles?|telle? quelle?|tels? quels?|comme (?:ça|il est"
        r"|elle est))(?!\w)",
        r"(?:utilise|utilisez|prends|prenez|préfère|écris|écrivez|appelle|lance|mets|mettez|emploie"
        r"|plutôt) [^?]{2,80}"
        r"(?:\bau lieu d|\bplutôt qu|\bà la place d|\bet (?:pas|non)\b|, (?:pas|non)\b)",
    ),
    repair=_any(
        r"(?:comme )?j(?:e (?:t'|vous |te )?|')(?:l')?(?:ai|avais) (?:bien |pourtant |déjà |toujours )*(?:dit"
        r"|demandé|écrit)\b(?! (?:à|au|aux)\b)",
        r"(?:on|nous) (?:en |l')?(?:a|avait|avons|avions) (?:en )?(?:déjà )(?:dit|parlé|discuté|décidé|convenu)\b",
        r"(?:comme )?je (?:te |vous |l')?(?:disais|demandais|voulais dire|parlais d)|je n'(?:ai"
        r"|avais) pas (?:demandé|dit|voulu)\b",
        r"(?:ce n'(?:est|était) pas|c'(?:est|était) pas) (?:ça|ce que)\b|je ne (?:voulais|parlais) pas\b"
        r"|je voulais\b",
        r"tu (?:as|l'as|m'as) (?:encore |de nouveau |mal |complètement )*(?:oublié|ignoré|compris|raté|confondu"
        r"|recommencé)\b",
    ),
    stands=_any(
        r"\b(?:jamais|toujours|au lieu d\w*|plutôt que|ne plus)\b|\b(?:doit|doivent|faut)\b"
        r"|\bn'est pas\b|\bne sont pas\b"
    ),
    asks=_any(
        rf"(?:{_words('pourquoi quoi quand où qui comment quel quelle quels quelles est-ce peux-tu pourrais-tu')}"
        rf"|{_words('pouvez-vous peut-on doit-on dois-je faut-il explique expliquez montre montrez regarde')}"
        rf"|{_words('cherche trouve vérifie dis-moi si')}|y a-t-il"
        r"|qu'est|que)\b|s'il (?!te|vous)"
    ),
    is_none=_any(
        r"\bsais (?:pas|plus)\b|\b(?:ne )?(?:comprends|vois|pense|crois|souviens|connais) pas\b"
        r"|\bpas (?:de (?:souci|problème|panique)|grave|besoin|sûr|mal)",
        r"\brien d'autre\b|\bc'est (?:tout|bon)\b|\bça (?:ira|marche|va)\b|\btout va bien\b",
        r"\baucune idée\b|\bt'inquiète\b|\b(?:n'oublie|n'hésite|oublie) pas\b|\b(?:toujours pas"
        r"|comme toujours|toujours le même|tu as raison|peu importe|non merci)\b",
        r"\b(?:marche|fonctionne|a|ai|avons) (?:toujours|jamais)\b|\bn'(?:ai|avons|a) jamais\b",
    ),
)
_LANGUAGES = (_GERMAN, _SPANISH, _FRENCH)
_FUNCTION = tuple(
    frozenset(words.split())
    for words in (
        "der die das den dem des ein eine einen und oder ist sind nicht kein keine wir ich du mir mich bitte"
        " auf für mit von zu"
        " im am bei nein nie niemals immer auch nur noch schon doch statt sondern hier aus wie als es dir uns"
        " dass werden wird"
        " ab jetzt zukunft vorher frag nichts sagte meinte hast habe hab falsch künftig so man vor nach ohne"
        " über lieber",
        "el la los las un una unos unas y o es son no nunca siempre nosotros yo tú te me se lo por favor para"
        " con de del en al que"
        " ya aquí este esta esto eso dije pedí sin sobre vez lugar ahora jamás solo sólo ni más pero hay usa deja",
        "le la les un une des et ou est sont ne pas jamais toujours nous je tu te me se il elle on s'il plaît"
        " pour avec de du en"
        " au aux que qui ce cette ces non j'ai n'utilise dit sans sur dans plus ici c'est à partir lieu plutôt"
        " mais rien tes mes déjà tout cela ça",
    )
)
_SHARED = _set("no me son sin on plus so man am as a un do non or is it in")
"""Words that English has, too: they do not tell the language."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ENGLISH = _set(
    "the a an and or is are not don't never always i you we it to of for in on with please instead use that"
)
_ELIDED = re.compile(r"\b(?:n|j|l|d|c|qu|s|t|m)['’]\w", re.IGNORECASE)

Kind = Literal["rule", "repair"]
"""`rule`: how things are done here. `repair`: what the agent got wrong just now."""


def other_kind(sentence: str) -> Kind | None:
    """What a sentence in one of these languages corrects; None when it is another language, or no correction."""
    text = sentence.replace("’", "'")
    language = _language_of(text)
    return _kind(text, language) if language else None


def _language_of(text: str) -> Language | None:
    words = [each.lower() for each in _WORD.findall(text)][:40]
    counts = [sum(word in known and word not in _SHARED for word in words) for known in _FUNCTION]
    counts[2] += 2 * len(_ELIDED.findall(text)[:3])
    english = sum(word in _ENGLISH and word not in _SHARED for word in words)
    best = max(counts)
    return _LANGUAGES[counts.index(best)] if best > english else None


def _kind(text: str, words: Language) -> Kind | None:
    if len(text.split()) < 3 or text.rstrip().endswith("?") or words.asks.match(text) or words.is_none.search(text):
        return None
    rest = text
    if words.reminds.match(rest) and words.stands.search(rest):
        return "rule"
    for _ in range(3):
        lead = words.lead.match(rest)
        if lead is None:
            break
        rest = rest[lead.end() :]
    rejected = words.no.match(rest)
    if rejected:
        rest = rest[rejected.end() :]
        for _ in range(2):
            lead = words.lead.match(rest)
            rest = rest[lead.end() :] if lead else rest
    if words.asks.match(rest):
        return None
    if words.repair.match(rest):
        return "repair"
    if words.rule.match(rest):
        return "rule"
    if rejected and len(rest.split()) >= 2:
        return "rule" if words.stands.search(rest) else "repair"
    return None
