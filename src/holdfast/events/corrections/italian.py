"""How Italian corrects. Folded: no accents, small letters. Pure."""

from __future__ import annotations

from holdfast.events.corrections.language import WORD, Language, pattern

_IT_VERB = r"[a-z]{2,}(?:are|ere|ire|rre|ar|er|ir)(?:lo|la|li|le|ne|ci|mi)?"
"""An infinitive: orders not to do something are given with it."""
_IT_ORDER = (
    r"(?:usa|usate|metti|scrivi|tieni|lascia|fai|lancia|esegui|chiama|aggiungi|togli|salva|chiedi|crea|importa|prova"
    r"|controlla|rispondi|commenta|documenta|valida|ordina|installa|formatta|cancella|cambia|torna|arrotonda|firma)"
)
_SEEN = r"(?:visto|stat[oaie]|successo|sentito|saputo|avuto|capitato|provato|fatto|detto|pensato|capito|riuscit[oaie])"
_HINTS = """
no non mai sempre usa usate evita evitate smetti smettila d'ora da in il lo la i gli le un una per e che di del della
con qui noi niente solo invece sbagliato detto chiesto vietato ricorda nota importante
"""
ITALIAN = Language(
    hints=frozenset(_HINTS.split()),
    reminds=pattern(r"(?:ricorda(?:ti)?|promemoria|nota|importante|attenzione)\b[:,]?\ "),
    lead=pattern(
        r"(?:(?:no|ok|okay|va\ bene|bene|bravo|grazie|perfetto|ottimo|top|senti|ehi|e|ma|pero|inoltre|anche|per\ favore"
        r"|un'altra\ cosa|ricorda|nota|importante|allora|meglio|comunque|ps)\b[,.!:]*\ +)"
    ),
    no=pattern(r"(?:(?:no+|sbagliato|errato)\b[,.!: ]+)+(?<=[,.!:]\ )"),
    rule=pattern(
        rf"""
        mai\ (?:piu\ )?(?!{_SEEN}\b|che\b|cosi\b)\S+\ \S
      | non\ (?:mi\ |lo\ |la\ |li\ |le\ )?{_IT_VERB}\b(?:\ mai)?\ \S
      | non\ (?:si\ )?(?:deve|devono|devi|va|vanno)\ (?:mai\ )?[a-z]+\b.*\bmai\b
      | sempre\ (?!lo\ stess|la\ stess|gli\ stess|le\ stess|uguale|piu\b|meno\b|ross|rott|in\ errore|un\ errore|err
            |fallisc|va\b|da\b|e\b|ha\b|c'e\b|che\b|pensato|voluto|creduto)\S+\ \S
      | (?:d'ora\ in\ (?:poi|avanti)|da\ (?:ora|adesso|oggi)(?:\ in\ (?:poi|avanti))?|in\ futuro|la\ prossima\ volta)\b
            ,?\ \S+\ \S
      | {_IT_ORDER}\ (?:{WORD}\ ){{0,3}}?sempre\b
      | {_IT_ORDER}\ (?:{WORD}\ ){{1,8}}?(?:invece\ d|al\ posto\ d|e\ non\b)
            |{_IT_ORDER}\ (?:{WORD}\ ){{0,6}}?{WORD},\ non\b
      | (?:evita(?:re|te)?|smetti(?:la)?|vietato)\ (?:di\ )?\S+\ \S
      | lascia(?:te)?\ (?:{WORD}\ ){{1,8}}?(?:com'e\b|come\ (?:e|sono|sta)\b|in\ pace|stare\b)
        """
    ),
    inside=pattern(
        r"""
        \b(?:qui|noi|in\ questo\ (?:progetto|repo|repository|team)),?\ (?:non\ )?\S+\ (?:mai|sempre|solo)\ \S
      | (?:^|,\ |:\ )(?:non\ )?(?!abbiamo\b|siamo\b|sappiamo\b|vediamo\b|possiamo\b)[a-z]+iamo\ (?:mai|sempre|solo)\ \S
        """
    ),
    ruled=pattern(
        r"\b(?:mai|sempre|invece\ d|al\ posto\ d|solo|deve|devono|non\ si\ (?:usa|usano|deve)|non\ usiamo)\b"
    ),
    repair=pattern(
        r"""
        (?:non\ cosi|cosi\ no)[,:]\ \S+\ \S
      | (?:e|questo\ e|quello\ e)\ (?:sbagliato|errato|falso)[,:]\ \S+\ \S
      | (?:no,?\ )?(?:come\ )?(?:ti\ |vi\ )?(?:ho|avevo)\ (?:gia\ )?(?:detto|chiesto|scritto)\ (?:che\b|di\b|non\b|\S+)
      | non\ (?:e|era)\ (?:quello|questo|cio)\ che\b
      | (?:ti\ sei|hai)\ (?:dimenticato|ignorato|capito\ male|sbagliato)\b
      | (?:intendevo|volevo\ dire)\b
        """
    ),
    wrong=pattern(
        r"(?:il|lo|la|i|gli|le|quello|quella|questo|questa|e|sono|io|tu|non|usa|lascia|solo|torna|togli|metti|cambia"
        r"|meglio|qui|noi|deve)\b(?=(?:\ \S+){2})"
    ),
    asks=pattern(
        r"(?:perche|che\b|cosa|quando|dove|chi|come\b(?!\ (?:ti\ )?ho\ (?:gia\ )?detto)|qual|quali|quanto|puoi|potresti"
        r"|puo|possiamo|dovremmo|dobbiamo|c'e\b|ci\ sono|se\b|spiega\w*|hai\b(?!\ (?:dimenticato|ignorato|sbagliato))"
        r"|abbiamo|credi)"
    ),
    neither=pattern(
        r"""\b(?:non\ (?:lo\ )?so\b|non\ (?:importa|capisco|ricordo|credo|serve|ho\b|c'e\b|preoccuparti|e\ necessario
            |funziona|vedo|trovo|dimenticare|esitare|parte\b)|no,?\ (?:grazie|va\ bene|tutto\ bene|niente)
        |hai\ ragione|colpa\ mia|mio\ errore|non\ ho\ mai|dice\ che|ha\ detto\ che|dicono\ che)\b"""
    ),
)
