"""How German corrects. Folded: no accents, small letters. Pure."""

from __future__ import annotations

from holdfast.events.corrections.language import WORD, Language, pattern

_DE_VERB = (
    r"(?!(?:einen|einem|eigenen|neuen|alten|anderen|ersten|letzten|diesen|allen|weiteren|meinen"
    r"|unseren)\b)[a-z]{2,}(?:en|eln|ern)"
)
"""An infinitive, as orders are given with: "bitte nie mocken"."""
_DE_ORDER = (
    r"(?:verwend|benutz|nutz|nimm|nehm|mach|schreib|fass|ander|aender|losch|loesch|push|commit|committ"
    r"|merg|mock|lass|leg"
    r"|setz|fug|fueg|bau|ruf|fuhr|fuehr|starte?|installier|import|importier|refactor|refaktorier|formatier"
    r"|umbenenn|benenn"
    r"|entfern|kopier|verschieb|teste?|deploy|logg?|gib|geh|halt|frag|rate?|ruhr|ruehr|speicher|pack"
    r"|hange?|haeng|stell|nenn"
    r"|uberschreib|ueberschreib|erfind|verander|veraender|fang|wirf|behalt)(?:e|en|st|t|ier|iere)?"
)
_HINTS = """
nein nee ne noe nie niemals nicht nichts kein keine keinen immer stets bitte ab von wir ich du der die das den
dem ein eine einen und mit ist auf fur fuer im in zu statt anstatt falsch quatsch so doch wie hor hoer vermeide
verzichte bevorzuge lieber lass lasst kunftig kuenftig zukunftig zukuenftig fortan merk denk hier regel man
verkehrt stimmt
"""
GERMAN = Language(
    hints=frozenset(_HINTS.split()),
    reminds=pattern(r"(?:merk\ dir|denk\ (?:dran|daran)|zur\ erinnerung|wichtig|achtung|ubrigens)\b[:,]?\ "),
    lead=pattern(
        r"(?:(?:nein|ne|nee|no|ok|okay|gut|super|danke|prima|passt|sehr\ gut|schon|stopp?|halt|hey|so|und|aber"
        r"|also|bitte|noch\ was"
        r"|noch\ etwas|lieber|doch|ubrigens|uebrigens|ach\ ja|wichtig|achtung|merk\ dir|denk\ dran"
        r"|zur\ erinnerung|wie\ gesagt|nochmal)\b[,.!:]*\ +)"
    ),
    no=pattern(r"(?:(?:nein|nee|ne|noe|falsch|quatsch)\b[,.!: ]+)+(?<=[,.!:]\ )"),
    rule=pattern(
        rf"""
        (?:bitte\ )?(?:nie|niemals|nie\ wieder|nie\ mehr|auf\ keinen\ fall|keinesfalls
            |unter\ keinen\ umstanden)\b(?:\ \S+){{0,12}}?\ {_DE_VERB}\b
      | (?:bitte\ )?nicht\ (?:mehr\ |immer\ |einfach\ |wieder\ )?(?:\S+\ ){{0,9}}?{_DE_VERB}\b[.!]*$
      | (?:bitte\ )?(?:keine?n?|kein)\ (?:\S+\ ){{1,8}}?(?:mehr\ )?(?:{_DE_VERB}|bitte|mehr|hier)\b[.!]*$
      | bitte\ (?:nie|niemals|nicht|keine?n?|immer|kunftig|kuenftig|stets|ausschliesslich|nur\ noch)\b
      | (?:keine?n?|kein)\ (?:\S+\ ){{1,3}}(?:in|im|auf|ohne|bei|fur|fuer|an|am|aus|vor|mit|zwischen|uber|ueber
            |unter)\ \S+
      | (?:immer|stets|grundsatzlich|grundsaetzlich|prinzipiell)\ (?!noch\b|wieder\b|mehr\b
            |wenn\b)(?:\S+\ ){{1,12}}?{_DE_VERB}\b
      | (?:immer|stets)\ (?:erst|zuerst|mit|nur|vorher|vor)\ \S+
      | (?:ab\ (?:jetzt|sofort|heute|nun)|von\ (?:jetzt|nun)\ an|in\ zukunft|kunftig|kuenftig|zukunftig|zukuenftig
            |fortan|in\ diesem\ projekt\ (?:bitte|immer|nie|gilt))\b,?\ \S+\ \S
      | (?:du\ )?(?:sollst|darfst|solltest)\ (?:du\ )?(?:\S+\ ){{0,4}}?(?:nie|niemals|nicht|keine?n?|immer|nur)\b
      | {_DE_ORDER}\ (?:bitte\ |hier\ |mir\ |uns\ |doch\ )?(?:{WORD}\ ){{0,6}}?(?:nie|niemals|nicht|keine?n?|immer
            |stets|nur\ noch)\b
      | {_DE_ORDER}\ (?:{WORD}\ ){{1,8}}?(?:statt|anstatt|anstelle|an\ stelle|und\ nicht)\b
            |{_DE_ORDER}\ (?:{WORD}\ ){{0,6}}?{WORD},\ nicht\b
      | lass(?:t|e)?\ (?:{WORD}\ ){{1,8}}?(?:in\ ruhe|unverandert|unveraendert|so,?\ wie)\b
      | (?:lass|lasst)\ (?:bitte\ |doch\ )?(?:die\ finger|das\ (?:sein|bleiben))\b
      | [a-z]{{3,}}e\ (?:bitte\ |mir\ |hier\ |dabei\ )?(?:nie|niemals|immer|stets)\b
      | bitte\ (?:{WORD}\ ){{1,6}}?(?:nie|niemals|immer|stets)\b
      | {_DE_ORDER}\ (?:{WORD}\ ){{0,6}}?(?:ab\ (?:jetzt|sofort|heute)|von\ nun\ an|in\ zukunft|kunftig|kuenftig)\b
      | (?:bevorzuge|lieber)\ \S+\ (?:\S+\ ){{0,4}}?(?:statt|als|gegenuber|gegenueber)\b
      | (?:hor|hoer)\ (?:bitte\ |endlich\ )?auf\b
      | (?:verzichte|unterlass|unterlasse)\ \S
      | (?:vermeide|meide)\ (?!(?:den|die|das|dem|diese[nrms]?|dies|es|dass|doppelte\w*|mehrfache\w*|unnotige\w*)\b
            |n\+1|abst|crash|fehler|absturz|deadlock|endlos)
            (?!.*\b(?:wenn|falls|sobald|beim|wahrend|waehrend|nachdem)\b)\S
      | (?:hier\ gilt|regel|faustregel|merke|bei\ uns\ gilt)\b:?\ \S+\ \S
        """
    ),
    inside=pattern(
        r"""
        \b(?:wir|man)\ (?!sieht\b|bekommt\b|findet\b|weiss\b|hat\b
            |haben\b|sehen\b|wissen\b|hatten\b|sind\b|waren\b|konnten\b|konnen\b|koennen\b|kennen\b
            |finden\b|bekommen\b)
            [a-z]+(?:en|t)\ (?:\S+\ ){0,6}?(?:nie|niemals|nie\ mehr|grundsatzlich|grundsaetzlich|ausschliesslich
            |prinzipiell|stets|immer|nur\ noch)\b(?!\ (?:noch|wieder)\b)
      | \bwir\ (?!haben\b|sehen\b|wissen\b|hatten\b|sind\b|waren\b|konnten\b|konnen\b|koennen\b|kennen\b|finden\b
            |bekommen\b|brauchen\b|mussen\b|muessen\b|verstehen\b)
            [a-z]+en\ (?:hier\ |in\ diesem\ projekt\ |bei\ uns\ )?(?:keine?n?|nicht)\b
      | \b(?:in\ diesem\ (?:projekt|repo|repository|team)|bei\ uns|hier)\ (?:wird|werden|verwenden\ wir
            |benutzen\ wir|nutzen\ wir|mocken\ wir|committen\ wir|machen\ wir)\ (?:\S+\ ){0,5}?(?:nie|niemals
            |immer|nicht|keine?n?|stets|nur)\b
      | \b(?:tests?|commits?|code|migration(?:en)?|funktion(?:en)?|module?|branche?s?|secrets?|geheimnisse|logs?
            |klassen?|dateien|abhangigkeiten|abhaengigkeiten)\ (?:durfen|duerfen|darf)\ (?:\S+\ ){0,5}?(?:nie
            |niemals|nicht|keine?n?)\b
        """
    ),
    ruled=pattern(
        r"\b(?:nie|niemals|immer|stets|nicht\ mehr|keine?n?|statt|anstatt|darf|durfen|duerfen|muss|mussen"
        r"|muessen|nur)\b"
    ),
    repair=pattern(
        r"""
        (?:nein,?\ |doch,?\ )?(?:wie\ )?ich\ (?!\w+\ (?:dem|der|ihm|ihr|ihnen|einem|einer|meine[mr]|unsere[mr]
            |allen)\ )(?:sagte|hab(?:e|)\ (?:doch\ |dir\ |es\ |das\ |ja\ |bereits\ |schon\ )*(?:\S+\ ){0,4}?gesagt
            |hatte\ (?:doch\ |dir\ |um\ )?(?:\S+\ ){0,5}?(?:gesagt|gebeten|geschrieben|gemeint)
            |meinte|meine\ (?:die|den|das|der|nicht)\b|wollte\ (?:doch\ |nur\ |aber\ |eigentlich\ |nicht\ |die|den
            |das|ein)|hab(?:e)?\ (?:\S+\ ){0,5}?(?:nicht|nur|keine?n?)\ (?:\S+\ ){0,4}?(?:gemeint|verlangt|gewollt
            |gebeten|gefragt))
      | wie\ (?:schon\ |bereits\ )?gesagt\b[,:]?\ \S+\ \S
      | das\ (?:hab(?:e)?\ ich\ (?:so\ )?nicht|war\ (?:so\ )?nicht|ist\ nicht,?\ was\ ich|war\ nicht,?\ was
            |meinte\ ich\ nicht|wollte\ ich\ (?:so\ )?nicht)\b
      | so\ (?:war|hab(?:e)?\ ich)\ (?:das|es)\ nicht\b
      | nicht\ (?!gut|sicher|ganz|wirklich|so\b|mehr|schlecht|jetzt|heute|dringend|wichtig|alles|alle\b
            |nur\b)\S+,\ (?:sondern\ )?\S+\ \S
      | (?:so|doch)\ nicht\b[,:]?\ \S+\ ?\S
      | das\ (?:haben\ wir|hatten\ wir)\ (?:doch\ |ja\ )?(?:schon\ |bereits\ )(?:\S+\ )?(?:besprochen|geklart
            |geklaert|gesagt|beschlossen|entschieden|vereinbart|ausgemacht)\b
      | du\ hast\ dich\ (?:vertan|geirrt|verlesen)\b
      | das\ (?:ist|war)\ (?:leider\ )?(?:falsch|verkehrt|nicht\ richtig|der\ falsche|die\ falsche
            |das\ falsche)\b[^,:]{0,30}[,:]\ \S+\ \S
      | das\ stimmt\ (?:so\ )?nicht[,:]\ \S+\ \S
      | du\ (?:hast|solltest)\ (?:schon\ wieder\ |wieder\ |doch\ |ja\ )?(?:\S+\ ){0,6}?(?:vergessen|ignoriert
            |ubersehen|uebersehen|missverstanden|falsch\ verstanden|verwechselt|ubergangen|nicht\ beachtet)\b
      | (?:falsch|falsche\ \S+|verkehrt|quatsch|stimmt\ nicht)[,:]\ \S+\ \S
      | nicht\ (?:die|das|den|der|dieses?|diesen?|so)\b[^?]{0,60},?\ (?:sondern|die|das|den|der)\b
        """
    ),
    wrong=pattern(
        r"(?:der|die|das|den|dem|ich|du|nicht|es|er|sie|wir|nimm|nur|lass|mach|nochmal|zuruck|zurueck|behalt"
        r"|erst|dies\w*|jede\w*)\b(?=(?:\ \S+){2})"
    ),
    asks=pattern(
        r"(?:warum|wieso|weshalb|was|wann|wo|wer|wie(?!\ (?:schon\ |bereits\ )?gesagt|\ ich\ (?:sagte|schon))"
        r"|welche\w*|kannst|konntest|koenntest|kann|konnen|koennen|wurdest|wuerdest|soll(?:en|te|ten)?|ist"
        r"|sind"
        r"|gibt|hast|haben|wenn|falls|ob|mussen|muessen|muss|darf\ ich|durfen\ wir|erklar\w*|erklaer\w*|wird"
        r"|werden|sobald|weisst|zeig\w*)\b"
    ),
    neither=pattern(
        r"""\b(?:weiss\ (?:ich\ )?nicht|ich\ weiss|glaub(?:e)?\ (?:ich\ )?nicht|(?:ich\ )?denke\ (?:ich\ )?nicht
            |verstehe?\ (?:ich\ |das\ |es\ )?nicht
        |kein(?:e|en)?\ (?:problem|ahnung|stress|eile|sorge|ding|thema|idee|zweifel|grund|lust|zeit|panik)
            |keine\ sorgen|kein(?:e|en)?\ (?:treffer|daten|eintr[a-z]+|ergebnis[a-z]*|antwort[a-z]*|ausgabe[a-z]*
            |reaktion|verbindung)|(?:immer|nie)\ (?:leer|rot|kaputt|null|falsch|langsam|fertig)
            |ab\ (?:jetzt|sofort|heute|nun)\ (?:fehl\w*|komm\w*|schlag\w*|geht|lauft|bricht|kracht)
            |macht\ (?:doch\ )?nichts|nicht\ (?:schlimm|notig|noetig|so\ wichtig|dringend)
        |mach\ dir\ (?:keine|nichts)|nein,?\ danke|nein,?\ (?:das\ )?passt|nein,?\ alles\ (?:gut|klar)
            |nein,?\ (?:das\ )?reicht|noch\ nie\ (?:gesehen|gehort|gehoert|gehabt)|immer\ noch|immer\ wieder
            |immer\ (?:mehr|beim|wenn|nach)
            |(?:kommt|erscheint|passiert|fliegt)\ (?:immer\ |ein\w*\ |die\ |der\ |das\ ){0,3}
            (?:fehler|exception|meldung|absturz|warnung|timeout)|meinte\ (?:\S+\ )?zu\b
            |erwartet\w*\b.{1,80}\b(?:bekommen|erhalten|bekam|war|ist|kam|kommt|aber)
            |(?:kommt|kam|zeigt|liefert|steht)\ .{1,60}\bstatt
        |vergiss\ nicht|nicht\ vergessen|du\ (?:hattest|hast)\ recht|mein\ fehler|schon\ gut|nein,?\ (?:es|das
            |der\ \S+|die\ \S+)\ war|so\ dass|sodass|egal|wollte\ (?:nur\ |mal\ |kurz\ |eigentlich\ )*(?:nachfragen
            |fragen|wissen|sagen)|(?:kunde|kundin|er|sie|chef|chefin|kollege|kollegin|support|nutzer
            |benutzer)\ (?:sagte|sagt|meinte|meint|schrieb|hat\ gesagt))\b
        |,\ (?:bitte\ )?(?:bau|implementier|pruf|pruef|erganz|ergaenz|schau|such|find|kummer|kuemmer|fix|reparier
            |beheb)\w*\b"""
    ),
)
