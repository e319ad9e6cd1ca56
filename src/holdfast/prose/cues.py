"""The words by which a sentence is known: a cause, a decision, a change, something open, or mere courtesy. Data only.

Mostly English; of other languages only the words that cannot be missed. Every pattern is linear in its text.
"""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern


def _any(*words: str) -> re.Pattern[str]:
    return lazy_pattern("|".join(words), re.IGNORECASE)


_FAULT = (
    r"(?:flak(?:e|es|iness)|crash(?:es)?|hangs?|freezes?|leaks?|slowness|slowdown|failures?|errors?|bugs?|problems?"
    r"|issues?|faults?|timeouts?|delays?|lag|mismatch(?:es)?|drift|panics?|exceptions?|deadlocks?|races?|regressions?"
    r"|duplicates?|warnings?|loss|spikes?|corruption|outage|segfaults?|gap|symptoms?|behaviou?r|[45]\d\d(?:s|\b)"
    r"|(?:slow|double|stale|wrong|missing|broken|flaky|failing|duplicate|empty|odd|strange) \w+)"
)
"""Something that went wrong: where it "comes from" is its cause. Where data comes from is not."""
FINDING = _any(
    rf"\b{_FAULT}\b(?: [\w`./()'-]{{1,40}}){{0,5}}? (?:c[ao]mes?|stem(?:s|med)|results?|resulted"
    r"|originat\w+|ar(?:ises?|ose)|derives?) (?:from|out of|when|because|if|as soon as)\b",
    r"\b(?:this|it|that) (?:only )?(?:happen(?:s|ed)|occur(?:s|red)) (?:only )?(?:when|whenever|if|because|since|once"
    r"|as soon as)\b",
    rf"\bbehind (?:the |this |that )?{_FAULT}\b[^.;:]{{0,30}} (?:is|was|are|were)\b",
    rf"\b{_FAULT}(?: [\w`./()'-]{{1,40}}){{0,4}}? (?:happen(?:s|ed)|occur(?:s|red)|appear(?:s|ed)"
    r"|show(?:s|ed) up) (?:only )?(?:when|whenever|if|because|since|once|as soon as|after|only)\b",
    rf"\b{_FAULT}(?: [\w`./()'-]{{1,40}}){{0,5}}? (?:is|are|was|were|gets?|got) (?:\w+ )?(?:triggered|explained"
    r"|produced|provoked|introduced|created|a consequence|the result|a result) (?:by|of|in|with|when)\b",
    r"\bstems? from\b|\b(?:trace[sd]?|goes|went|go|dates?) (?:\S{1,60} ){0,5}?back to\b"
    r"|\b(?:traced|tracked|narrowed|pinned|bisected) (?:\S{1,60} ){0,6}?(?:down )?to\b"
    r"|\b(?:boils?|comes?) down to\b"
    r"|\b(?:is|are|was|were) to blame\b|\bas a (?:result|consequence) of\b|\bculprit\b"
    rf"|\bresponsible for (?:the |this |that |an? )?(?:\w+ )?{_FAULT}"
    r"|\bwhat (?:broke|caused|triggered|made|breaks|causes) (?:\S{1,60} ){1,6}?(?:is|was|were|are)\b"
    r"|(?<!that )(?<!which )\b(?:fails?|failed|breaks?|broke|crash(?:es|ed)?|hangs?|hung|leaks?|stalls?|stalled"
    r"|loops?|flakes?) "
    r"(?:\w+ ){0,2}?(?:since|as|because|when|whenever|once)\b"
    r"|^it (?:was|is) (?:just |simply |really |actually )?(?:an? |the )?(?:missing|stale|wrong|outdated|broken|leftover"
    r"|typo|race|off.by.one|circular|misspelt|expired|duplicate|unquoted|corrupt)\b|^it (?:was|is) the [\w`./-]+:",
    r"^[^.;:]{0,40}\b(?:problems?|bugs?|issues?|faults?|vulnerabilit\w{1,4}|mistakes?)\b[^.;:]{0,40}: ",
    r"\b(?:fehler|absturz|abstürze|problem|hänger|verzögerung|ausfall|ausfälle|flake|timeout|lücke|warnung|abbruch)\b"
    r"[^.;:]{0,40}\b(?:kam(?:en)?|kommt|kommen|stammt|rührt|entsteht|entstand|tritt|trat|lag|liegt)\b[^.;:]{0,20}"
    r"\b(?:von|aus|daher|durch|an|daran|wenn|auf,? wenn|beim?)\b",
    r"\b(?:das|es) (?:lag|liegt) (?:an|daran|am)\b|\bschuld(?: daran)? (?:war|waren|ist|sind|trägt)\b"
    r"|\bauslöser (?:war|ist)\b|\b(?:grund|ursache) (?:dafür |hierfür )?(?:war|ist|sind|waren)\b|\bherausgestellt\b"
    r"|\bherausstellte\b|\b(?:das|ein) (?:eigentliche )?(?:problem|fehler) (?:war|ist|sind|waren)\b|\bhervorgerufen\b"
    r"|\b(?:durch|von) [^.;:]{1,60}\b(?:ausgelöst|verursacht)\b|\b(?:verursacht|ausgelöst) (?:durch|von)\b"
    r"|\bverantwortlich (?:dafür|hierfür|war|ist)\b|\b(?:fehl|ab|hängen|stehen), (?:da|weil)\b",
    r",? so (?:that )?(?:the|it|its|an?|every|each|all|no|we|they|both|nothing|only|most|some)\b",
    r"\b(?:is|are|was|were|comes? out|came out) (?:by far |clearly )?(?:the )?(?:fastest|slowest|best|worst|cheapest"
    r"|smallest|largest|biggest|lightest|heaviest|quickest)\b[^.;]{0,40}\d",
    r"\b(?:because|root cause|caused by|causes? (?:was|is|were)|due to|owing to|thanks to the fact|turns? out|turned"
    r" out"
    r"|the (?:\w+ ){0,2}(?:problem|issue|bug|reason|culprit|trick|catch|failure|leak|error|cause) (?:was|is|were|lay"
    r"|lies|came|comes"
    r"|stems|stemmed)|found (?:that|out|the)|discovered|reali[sz]ed|learned|the fix (?:was|is)|it (?:fails|failed"
    r"|broke)"
    r" (?:when|if|since|after)|only (?:works?|fails?|happens?|occurs?)|which (?:made|meant|caused|broke|led|is why)"
    r"|that's why"
    r"|that is why|was (?:never|not|missing|being|too|hard-?coded|swallowed|ignored)|were (?:never|not|missing)"
    r"|didn't|did not"
    r"|does(?: not|n't) exist|by default|means that|note that|important|does(?: not|n't) support|is deprecated"
    r"|not thread.?safe|requires?"
    r"|must (?:be|not|have)|needs? to be|rejected|refused|timed out|crashed|race condition|deadlock|off.by.one"
    r"|overflow|regression|leak(?:s|ed)?)\b",
    r"\b(?:weil|ursache|lag an|liegt an|grund (?:war|ist)|stellte sich heraus|parce que|à cause d|la cause|le"
    r" problème (?:était|est)"
    r"|porque|la causa|el problema (?:era|es|fue)|debido a|por causa|o problema (?:era|é)|perché|il problema (?:era"
    r"|è)|omdat"
    r"|oorzaak|потому что|причин\w+|из-за)\b",
    r"因为|原因|由于|問題は|ため[、。]",
)
DECISION = _any(
    r"\b(?:decided|decision|chose|chosen|opted|settled on|agreed|confirmed|we(?:'ll| will)? (?:now )?(?:use|keep"
    r"|stick|go with"
    r"|standardi[sz]e)|going with|went with|from now on|going forward|instead of|rather than|in favou?r of|no longer"
    r"|(?:not|n't) any ?more|(?:switched|moved|migrated|changed) (?:\w+ ){0,4}(?:from|to)|replaced (?:\w+"
    r" ){1,6}(?:with|by)"
    r"|deliberately|on purpose|by design|policy|trade-?off|always|never again|out of scope|won't (?:support|fix|do)"
    r"|will not)\b",
    r"\b(?:entschieden|beschlossen|statt|stattdessen|ab jetzt|nicht mehr|décidé|au lieu d|désormais|décision"
    r"|decid\w+|en lugar de"
    r"|en vez de|a partir de ahora|em vez de|invece di|deciso|besloten|in plaats van|voortaan|решил\w*|вместо|больше"
    r" не)\b",
    r"决定|改为|改用|不再|決定|ことにし|代わりに",
)
ASIDE = _any(
    r"^(?:[^.;:]{1,80} )?(?:un(?:changed|touched|affected|modified)|as (?:it|they) (?:is|was|are|were)"
    r"|not (?:been )?(?:touched|changed|affected|modified)|unverändert|unberührt|nicht (?:angefasst|geändert|berührt)"
    r"|so gelassen)(?: \w{1,20})?[.!]*$",
    r"(?:^|[;,] )(?:and |but )?(?:nothing|nichts) (?:was|is|has been|wurde) (?:changed|touched|edited|modified"
    r"|geändert)[.!]*$",
    r"^(?:i|we) (?:did not|didn't|have not|haven't) (?:change|touch|alter|modify|rename|break|remove|edit)(?:d|ed)?\b"
    r"(?![^.]{0,200}\b(?:because|since|so that)\b)",
    r"^(?:about |some |a few |still )?(?:\d{1,6}|one|two|three|four|five|six|some|several|no|a few|einige|zwei|drei) "
    r"(?:[\w-]{1,30} ){0,3}?(?:warnings?|notices?|lints?|deprecations?|hints?|advisories|skips?|warnungen|hinweise)"
    r"(?: (?:in|from|of|about|aus|in|von) [\w`./-]{1,40}){0,2} "
    r"(?:remain(?:s|ing)?|(?:are|is) (?:still )?(?:left|shown|reported|open)|left|bleib(?:t|en)"
    r"|sind (?:noch )?übrig)\b",
    r"^(?:there (?:is|are) )?(?:nothing|no) (?:else|more|further|need|other|behaviou?r|functional|api|schema|restart"
    r"|migration|action|follow.?ups?|code)\b[^.;:]{0,60}$",
    r"^(?:coverage|lint|linter|build|ci|the build)\b[^.;]{0,60}\b(?:is|at|stays|warnings?|errors?|succeeded|%)\b"
    r"[^.;]{0,20}$",
    r"^(?:es (?:ist|sind|bleibt) )?(?:nichts|keine? weitere[nr]?)\b[^.;:]{0,60}$",
)
"""What was left as it was, and what a tool still counts: neither is the outcome of the work."""
CHANGE = _any(
    r"\b(?:fixe[ds]|added|implemented|removed|renamed|replaced|rewr(?:ote|itten)|refactored|introduced|extracted"
    r"|moved|migrated"
    r"|bumped|upgraded|downgraded|reverted|disabled|enabled|split|merged|cached|increased|reduced|lowered|raised|cut"
    r"|wired|made"
    r"|changed|updated|created|wrote|handles?|now|returns?|rejects?|accepts?|rounds?|validates?|retries|released"
    r"|deployed|filled|backfilled|loaded|repaired|restored|renewed|rotated|imported|installed|corrected|ported"
    r"|converted|dropped|deleted|applied|switched|extended|simplified|unified|exposed|pinned|vendored|registered"
    r"|generated|seeded|configured|published|shipped|promoted|rolled (?:[\w-]{1,30} ){0,3}?out|sped up"
    r"|inlined|deduplicated)\b",
    r"\b(?:jetzt|nun|behoben|hinzugefügt|geändert|entfernt|ersetzt|ausgerollt|eingespielt|umgestellt|ergänzt|angepasst"
    r"|umbenannt|verschoben|eingebaut|gelöscht|aktualisiert|portiert|eingeführt|veröffentlicht|migriert"
    r"|corrigé|ajouté|supprimé|remplacé|corregid\w+|añadid\w+"
    r"|agregad\w+"
    r"|eliminad\w+|corrigid\w+|adicion\w+|corretto|aggiunto|opgelost|toegevoegd|исправ\w+|добав\w+|удал\w+)\b",
    r"修复|添加|删除|修正|追加|削除",
)
ACTED = lazy_pattern(
    r"(?:(?:i|we)(?:'ve| have)? (?:now |also )?)?(?:fixed|added|implemented|removed|renamed|replaced|rewrote|refactored"
    r"|introduced|extracted|moved|migrated|ported|converted|dropped|deleted|split|merged|reverted|disabled|enabled"
    r"|deployed|released|rolled out|created|built|wired|rotated|restored|upgraded|switched|changed)\b",
    re.IGNORECASE,
)
"""A sentence that begins with what was done."""
DEED = lazy_pattern(r"[A-Z][a-z]{1,20}ed(?: (?:out|up|back|down|in|on|off|again|now)){0,2}[.!]", re.IGNORECASE)
"""A lead that says what was done ("Deployed.", "Rolled out."): it answers no question."""
LIMITED = lazy_pattern(
    r"\b(?:this|my|the) (?:account|role|machine|sandbox|token|environment|user|shell|key|runner|container)\b"
    r"[^.]{0,30}\b(?:cannot|can't|could not|couldn't|has no|have no|may not|is not allowed|does not)\b"
    r"|^(?:i|we) (?:cannot|can't|could not|couldn't|have no|had no)\b[^.]{0,200}, so\b",
    re.IGNORECASE,
)
"""It says what could not be seen or done from here: no outcome where something was changed."""
ABOUT_THE_REPORT = lazy_pattern(
    r"(?:(?:sorry|warning|fair warning)[,:]? )?(?:(?:this is )?(?:a )?(?:rather )?(?:long|short|longer|detailed)"
    r" (?:answer|story|version|one|report)\b"
    r"|(?:this|it|that) (?:took|cost) (?:me (?:an?|some|several|longer|most|quite|much)"
    r"|(?:a few|some|several) (?:detours|tries|attempts|wrong turns)|longer than (?:it|i|expected|planned))\b"
    r"|i (?:spent|lost|needed) (?:most|much|a lot|some|half|too|quite|an hour|hours|a while)\b|bear with me"
    r"|(?:das|es) hat (?:\w+ )?(?:länger|lange|eine weile) gedauert(?:,| als (?:gedacht|erwartet|geplant))|ça m'a pris"
    r"|me llevó)"
    r"|[^`]*\b(?:here(?:'s| is| comes)|below is|hier(?: ist| kommt)?|voici|aquí (?:está|va))"
    r" (?:the|my|der|die|tout le|todo el)"
    r" (?:whole|full|long|complete|entire|ganze\w*|chemin|camino) ?\w*[.:!]*\Z"
    r"|[^`]*\b(?:so (?:that )?you can (?:check|follow|see|retrace)|writing (?:it|this|all|everything) down"
    r"|able to (?:check|follow|retrace) it)[^`.]{0,60}[.:!]*\Z",
    re.IGNORECASE,
)
"""A sentence about the report itself."""
_LOOKED = (
    r"look\w*|check\w*|test\w*|verif\w*|measur\w*|tri\w*|investigat\w*|analy\w*|search\w*|notic\w*|suspect\w*|wonder\w*"
    r"|confirm\w*|compar\w*|profil\w*|review\w*|inspect\w*|trac\w*|benchmark\w*|reproduc\w*|need\w*|want\w*|assum\w*"
    r"|expect\w*|stopp\w*|fail\w*|attempt\w*|debug\w*|explor\w*|examin\w*|scann\w*|watch\w*|ask\w*|us(?:e|ed|ing)"
    r"|ran|dug|found|saw|read|went through|identified|discover\w*|reali[sz]ed|believ\w*|finish\w*|complet\w*|agreed"
    r"|geprüft|getestet|gefunden|gesehen|nachgesehen|untersucht|gemessen|revisado|probado|encontrado|visto|vérifié"
    r"|testé|trouvé|regardé|analysé"
)
DID = lazy_pattern(
    rf"(?:(?:so|therefore|to fix (?:this|that|it),?) )?(?:(?:i(?:'ve| have)?|we(?:'ve| have| now| also| then| just))"
    rf" (?:(?:now|also|then|just|therefore|simply|instead) )?(?!(?:{_LOOKED})\b)"
    r"(?:[a-z-]+ed|wrote|put|made|cut|set|split|took|gave|let|built|sent|got rid|threw|went (?:with|for|back|ahead))\b"
    rf"|(?!(?:{_LOOKED})\b)(?:[a-z]{{3,20}}ed|set|put|made|cut|split|wrote|built|took) "
    r"(?:it|them|the|this|these|that|to|an?|all|both|its|in|from|with|up|`\S)"
    rf"|(?:ich habe?|wir haben|habe)\b(?![^.]*\b(?:nicht|noch|{_LOOKED})\b)[^.]{{2,200}}\b\w+(?:t|en)\b"
    rf"|(?:j'ai|nous avons|on a) (?!(?:{_LOOKED})\b)\w+(?:é|i|u|s|t)e?s?\b"
    rf"|(?:he|hemos) (?!(?:{_LOOKED})\b)\w+(?:ado|ido|to|cho)\b)",
    re.IGNORECASE,
)
"""The agent tells what it did, and not what it looked at: "I capped the cache at 256 entries.". "We accepted every
request" tells how the program was, not what the agent did."""
LOOKED_AT = lazy_pattern(rf"(?:first,? |then )?(?:i|we)(?:'ve| have)? (?:\w+ )?(?:{_LOOKED})\b", re.IGNORECASE)
"""The agent tells what it looked at."""
BESIDES = lazy_pattern(
    r"(?:(?:while|when|during|beim|mentre|tijdens|en|al)\b[^.;:]{1,80}?[ ,])?(?:i|we|ich|wir)(?:'ve| have| habe[n]?)? "
    r"(?:also|auch) (?:saw|seen|notic\w+|found|spotted|discover\w+|came across|gesehen|gefunden|bemerkt)\b"
    r"|(?:i|we|my first version|the first version) had (?:an? )?(?:\w+ )?(?:bug|mistake|error|typo|slip)\b"
    r"(?: in (?:the|my) (?:first|initial|earlier)\b|, )"
    r"|(?:unrelated|separately|by the way|btw|side note|as an aside|nebenbei|übrigens)\b",
    re.IGNORECASE,
)
"""The agent names something that it met beside the work."""
COURTESY = lazy_pattern(
    r"\b(?:anything else(?= (?:i can|you(?:'d)? (?:want|need|like|would))|[?.!]"
    r"|\Z)|how can i help|how may i help|what would you like|what can i do for|let me know|happy to"
    r"|feel free|hope (?:this|that)|you're welcome|glad (?:to|it|that)|my"
    r" pleasure"
    r"|no problem|good luck|enjoy|cheers|thanks|thank you|thx|well done|nice work|good catch|great question|good"
    r" question"
    r"|you're (?:absolutely )?right|sounds good|gern geschehen|de rien|de nada|prego|graag gedaan|пожалуйста)\b",
    re.IGNORECASE,
)
EMPTY = lazy_pattern(
    r"(?:done|all done|all set|all good|ok(?:ay)?|yes|no|yep|sure|of course|certainly|absolutely|got it|understood|i"
    r" see|noted"
    r"|perfect|great|excellent|awesome|finished|fixed|committed|pushed|updated|works now|it works|that's it|here"
    r" (?:it is|you go)"
    r"|(?:it is|it's|everything is) (?:done|in place|fixed)|hi|hello|hey|sorry|apologies|fertig|erledigt|voilà|listo"
    r"|hecho"
    r"|(?:i(?:'ve| have)? )?(?:have )?(?:changed|touched|edited) nothing(?: yet| so far| else)?"
    r"|i left (?:it|them|that|everything) (?:there|alone|as (?:it|they) (?:is|was|are|were))"
    r"|(?:so far,? )?(?:nothing (?:is|was|has been)|(?:i|we) (?:have not|haven['’]t|did not|didn['’]t))(?: yet)?"
    r" (?:changed?|touch(?:ed)?|edit(?:ed)?|modif(?:y|ied)|fix(?:ed)?|done?)(?: (?:anything|something))?(?: here)?"
    r"(?: yet| so far)?"
    r"|nothing (?:changed|touched|edited) (?:yet|so far)|no (?:files|changes|code)(?: \w+){0,4}"
    r"|(?:ich habe|wir haben|es (?:ist|wurde)|bisher (?:ist|wurde|habe ich)) (?:bisher |bislang )?(?:noch )?nichts"
    r" (?:geändert|angefasst|gemacht|verändert)(?: worden)?|noch nichts geändert"
    r"|(?:je n['’]ai|on n['’]a|nous n['’]avons) (?:encore )?rien (?:changé|modifié|touché|fait)(?: pour l['’]instant)?"
    r"|rien n['’](?:a(?: encore)? (?:été )?|est encore )(?:changé|modifié|touché)"
    r"|(?:todavía |aún )?no (?:he|hemos|se ha) (?:cambiado|modificado|tocado|hecho) (?:nada|todavía nada)"
    r"(?: todavía| aún| por ahora)?|(?:ainda )?não (?:mudei|alterei|mexi em) nada(?: ainda)?"
    r"|non ho (?:ancora )?(?:cambiato|modificato|toccato) nulla|ik heb (?:nog )?niets (?:gewijzigd|veranderd|aangepast)"
    r"|(?:まだ)?(?:何も|コードは(?:まだ)?)(?:変更|修正)?(?:して|変えて)い(?:ません|ない)|(?:我)?(?:还没有?|尚未)(?:修改|改动?)?(?:任何)?(?:内容|代码|东西|文件)?"
    r"|i (?:could not|couldn't|did not) (?:finish|complete) (?:this|it|that|everything)"
    r"|(?:i|we)(?:'ve| have)? (?:now |just |successfully )?(?:updated|changed|implemented|made|done|finished|completed"
    r"|applied|adjusted|fixed|addressed) (?:all |your |the (?:requested )?)?(?:code|changes?|it|that|this|everything"
    r"|work|task|ticket|feature|request)(?: as (?:you )?(?:requested|asked|wanted|described|discussed))?"
    r"|(?:(?:perfect|great|ok(?:ay)?|so|gut|super|perfekt|bien|parfait|genial|perfecto)[,.!]? )?"
    r"(?:(?:that(?:'s| is)|it(?:'s| is)|this is|all|everything is|das (?:ist|wäre)|es ist|ist|alles|c'est|tout est"
    r"|ya está|eso está|todo) )?(?:now |jetzt |schon |maintenant )?(?:fixed|done|solved|resolved|sorted|behoben"
    r"|erledigt|gefixt|gelöst|korrigiert|fertig|gemacht|fait|corrigée?|réglée?|résolue?|terminée?|hecho|arreglad[oa]"
    r"|corregid[oa]|solucionad[oa]|resuelt[oa]|list[oa])(?: (?:it|that|now|jetzt|maintenant|ya))?"
    r"|fine|right|ready|sent|read|renamed|as i said|ok done)[\s.!,…。！]*",
    re.IGNORECASE,
)
OFFER = lazy_pattern(
    r"\b(?:if you(?:'d| would)? (?:like|want|prefer|need)|want me to|would you like|shall i|should i|do you want|i"
    r" can (?:also"
    r"|now|then)|i could(?! not\b)(?: also)?|just (?:say|tell)|say the word|whenever you|möchtest du|soll ich"
    r"|wenn du (?:willst|magst|möchtest)|veux-tu|quieres"
    r" que)\b",
    re.IGNORECASE,
)
ANNOUNCED = lazy_pattern(
    r"(?:(?:ok(?:ay)?|great|good news|there it is|aha|so)[,.!:]* )?(?:i(?:'ve| have)? )?(?:found|identified|see|got"
    r"|spotted) "
    r"(?:the |it|what|a |an )?(?:\w+ )?(?:issue|problem|bug|cause|culprit|reason|error|it|wrong|why)?"
    r"(?:,? and (?:(?:i )?(?:have )?)?(?:fixed|solved|repaired|resolved) (?:it|this|that))?[.!:]*",
    re.IGNORECASE,
)
"""Says that something was found; the next sentence says what."""
STATE_ONLY = lazy_pattern(
    r"(?:(?:ok(?:ay)?|so|well)[,:] )?(?:(?:i|we)(?:'ve| have)? (?:found|know|see|understand|tracked down|located) "
    r"(?:it|why|what it is|what happens|the (?:cause|reason|problem|bug|culprit))(?: now)?"
    r"|found(?: it)?|(?:the )?(?:cause|reason|bug|problem)(?: is)? (?:found|known|clear)|diagnosed|half[- ]done"
    r"|partly done|gefunden|ursache gefunden|halb fertig|trouvé|encontrado|trovato|gevonden)"
    r"(?:(?:,| —| –|;|\.)? ?(?:and|but|though|aber|mais|pero|ma|maar)?,? (?:[\w'’]{1,12} ){0,6}?"
    r"(?:not|n't|isn't|hasn't|nothing|red|half|partly|unfixed|nicht|noch nicht|halb|pas|no|non|niet)\b[\w'’ ]{0,40})"
    r"{1,3}[.!:]?",
    re.IGNORECASE,
)
"""It opens an answer and only says that something was found, and not mended."""
ADMITTED = lazy_pattern(
    r"(?:(?:yes|yep|ja|right|correct|indeed|you're (?:absolutely )?right|good catch)[,.!:–— ]+)*(?:that|this|it|das)"
    r"(?:'s| is| was| ist| war) (?:indeed |really |in fact )?(?:an?|our|my|ein) (?:\w+ )?"
    r"(?:bug|regression|fault|mistake|error|fehler)[.!:]*",
    re.IGNORECASE,
)
"""Says that there was a fault; the next sentence says which."""
NARRATION = lazy_pattern(
    r"(?:(?:sure|ok|okay|done|great|alright|all set|perfect|yes)[,.!:]* )?(?:let me|let's|i'll (?:now |first |start"
    r"|check|look|run|read|open|search|take|see|go|begin|try|verify|update"
    r"|fix|make|add)"
    r"|i will (?:now|first|start|check|look|run)|i'm (?:going to|now|about)|i am (?:going to|now)|now (?:i|let|to)\b"
    r"|next,? i"
    r"|first,? i|looking at|checking|running|reading|searching|here(?:'s| is| are)\b|below|the following|summary of"
    r"|as requested"
    r"|to summari[sz]e|in summary"
    r"|i (?:ran out of|had to stop|stopped here|gave up|paused)|(?:that is|that's) as far as i)\b",
    re.IGNORECASE,
)
ABOUT_THE_USER = lazy_pattern(
    r"(?:as )?(?:the user|you|der (?:nutzer|benutzer)|el usuario|l'utilisateur) (?:\w+ )?(?:said|says|asked|asks|wants?"
    r"|wanted|told|mentioned|requested|reported|wondered|wrote|pointed out|would like|sagte|möchte|wollte|fragte|dijo"
    r"|quiere|pidió|a dit|veut|demande)\b(?!.{0,300}, (?:so|and) (?:i|we)\b)",
    re.IGNORECASE,
)
"""Tells what the user said, and not what was done for it: the user's own words are kept elsewhere."""
HEDGE = lazy_pattern(
    r"\b(?:might|maybe|perhaps|probably|possibly|could|would|suggest|recommend|consider|option|alternatively)\b",
    re.IGNORECASE,
)
CHECKED = lazy_pattern(
    r"\b(?:tests?|suite|specs?|build|lint|checks?|types?|mypy|pytest|ci)\b(?:[^.]|\.(?=\S)){0,40}\b"
    r"(?:pass(?:es|ed|ing)?|green"
    r"|clean|succeed\w*|ok)\b"
    r"|\b(?:all|\d+) (?:tests? )?(?:pass(?:es|ed|ing)?|green)\b|\bpassed?\b[^.]{0,20}\btests?\b",
    re.IGNORECASE,
)
REPLY = lazy_pattern(
    r"(?:yes|no|yep|nope|right|correct|exactly|both|neither|none|nothing|better not|ja|nein|keine[rs]?"
    r"|because|weil|the (?:first|second|former|latter))\b",
    re.IGNORECASE,
)
"""A sentence that begins so needs the question."""
IDENTIFIER = lazy_pattern(
    r"`[^`]+`|\b\w+_\w+\b|\b[a-z]+[A-Z]\w*\b|\b[A-Z]\w*[a-z]\w*[A-Z]\w*\b|\b[\w.-]+/[\w./-]+|\b\w+\.\w{1,4}\b"
    r"|\b[A-Z]{2,}\b"
    r"|\w\(\)"
)
NUMBER = lazy_pattern(r"\b\d+(?:[.,]\d+)*\s?(?:%|ms|s|min|h|kB|MB|GB|KiB|MiB|x)?\b")
PATH = lazy_pattern(r"`?(?<![\w./-])[\w./-]+\.\w{1,5}(?::\d+(?:-\d+)?)?(?![\w/-])`?")

TRIED = _any(
    r"\b(?:tried|attempted|experimented)\b[^!?]{0,160}?\b(?:did(?: not|n't) (?:help|work|change)|no (?:effect"
    r"|difference|help)|made (?:it|things|this) (?:\w+ )?worse|in vain|without (?:success|effect))\b",
    r"\b(?:did(?: not|n't) help|made (?:it|things) worse|had no effect|made no difference|did not fix it"
    r"|half nicht|ohne (?:erfolg|wirkung)|hat nichts (?:gebracht|geändert)|brachte nichts)\b",
)
"""Something was tried and did not help."""
NOTHING = lazy_pattern(
    r"(?:none|nothing|nichts|nope|n/a|no (?:\w+ )?(?:further|more|other|open|next|outstanding|remaining|pending|known"
    r"|steps?|actions?|work|changes?|issues?|todos?|follow.?ups?)\b|keine? |there (?:is|are) (?:nothing|no)\b)"
    r"(?!.{0,200}\b(?:yet|until|before|noch)\b)"
    r"|.{0,80}\bnothing (?:is |else is |more is )?(?:left|open|missing|remains)\b"
    r"|.{0,80}\b(?:nichts|keine?) (?:mehr |weiteres? )?(?:offen|zu tun|übrig)",
    re.IGNORECASE,
)
"""Nothing is open."""
COMMITTED = lazy_pattern(
    r"(?:i |and |all |everything |it(?:'s| is) |the |changes? |is |are |were ){0,4}(?:committed|pushed|commit(?: as|:)"
    r"|eingecheckt)(?!\w)(?! (?:yet|by))",
    re.IGNORECASE,
)
CONFIRMS = lazy_pattern(
    r"(?:got it|understood|noted|ok(?:ay)?|verstanden|alles klar|notiert|makes sense|will do|sure|right|agreed"
    r"|i'll (?:keep|remember|stick|use|follow|do that))\b"
    r"[,.:!–— -]*",
    re.IGNORECASE,
)
"""The agent confirms what it was told: the user's own words are kept elsewhere."""
TAKES_NOTE = lazy_pattern(
    r"(?:great|good|perfect|excellent|nice|super|prima|gut|parfait|perfecto|genial|vale)[,.!]? "
    r"(?:then|so|in that case|that means|dann|damit|alors|donc|entonces|pues)\b",
    re.IGNORECASE,
)
"""The agent takes note of what the user reports: "Great, then the import is done."."""
OFFERS = lazy_pattern(
    r"(?:(?:and|so|also|or|if you like,?) )*(?:would you like(?: me)?(?: to)?|want me to|shall i"
    r"|möchtest du(?:,? dass ich)?"
    r"|let me know (?:if|whether)(?: you(?:'d| would)? (?:like|want))?(?: me to)?"
    r"|i can (?:also|now|then)?|i could(?: also)?)\b\s*",
    re.IGNORECASE,
)
ASKS_LEAVE = lazy_pattern(
    r"¿?(?:should i|do you want me to|do you want|soll(?:en)? (?:ich|wir)|dois-je|debo|devo|zal ik|moet ik)\b\s*",
    re.IGNORECASE,
)
CEREMONY = lazy_pattern(
    r"(?:(?:and|all|the|now) ){0,6}+(?:[\w./`'’-]{1,60} ){0,4}?(?:pass(?:es|ed)?|(?:is|are|all|stays?) (?:green|clean"
    r"|fine|ok)|green|clean)"
    r"|(?:and |all |it is |is ){0,6}(?:committed|pushed|done|merged|formatted|tested)(?: (?:it|all|and pushed|too))?",
    re.IGNORECASE,
)
"""A part of a sentence that says no more than that it passes, or was committed."""
SAYS_FIXED = lazy_pattern(
    r"(?:(?:it|that|this)(?:'s| is) |(?:both|all) (?:are )?|is |and )?(?:now )?(?:fixed|solved|repaired|resolved"
    r"|corrected|behoben|repariert|arreglado|corrigé)(?: (?:it|that|this|both|them|now))?"
    r"(?=[.,;!]|\Z| (?:and|und|y|et)\b)",
    re.IGNORECASE,
)
"""Says that a fault no longer exists."""
LEFT_ALONE = lazy_pattern(
    r"(?:i|we) (?:did not|didn't|have not|haven't|left)\b|\b(?:untouched|left alone)\b", re.IGNORECASE
)
"""Something was not done: nobody waits for it when the user said so."""
LEFT_AS_ASKED = lazy_pattern(
    r"(?:i|we) (?:did not|didn't|have not|haven't|left)\b[^.;]{1,200}\bas (?:you )?(?:asked|requested|wanted|agreed)\b",
    re.IGNORECASE,
)
"""And so the agent says: it is neither open nor a result."""
BOOKKEEPING = lazy_pattern(
    r"\b(?:committed|pushed|merged|read ?me|changelog|release notes|wrote (?:it|that|this)|noted|documented)\b"
    r"|\b(?:added|wrote|updated|extended) (?:\w+ ){0,3}?(?:tests?|docs|comments?)\b"
    r"|(?:^|: )(?:(?:an?|one|two|three|some|\d+) )?(?:new|regression|additional) (?:\w+ )?tests?\b"
    r"(?! [a-z]+(?:er|work)\b)",
    re.IGNORECASE,
)
"""What was done beside the change: it was tested, written down, committed."""
UNSHIPPED = lazy_pattern(
    r"(?<!when a )(?<!when the )(?<!whenever a )(?<!if a )(?<!if the )\b(?:push(?:ing)?|deploy\w*|releas\w+|publish\w*"
    r"|rollout|migrations?|upload|import|load|sync|backfill)\b(?:(?!\b(?:when(?:ever)?|if)\b)[^.]){0,50}"
    r"\b(?:failed|fails|was rejected|were rejected|rejected|refused|aborted|denied|timed out)\b"
    r"|\b(?:could not|couldn't|unable to|failed to) (?:push|deploy|publish|release|migrate|upload)\b",
    re.IGNORECASE,
)
"""Something did not reach those it was for."""
UNDEPLOYED = lazy_pattern(
    r"\bstill (?:runs?|running|serves?|shows?|has|have|gets?|sees?|sends?|reads?|points? (?:to|at)|on) (?:\w+ ){0,3}?"
    r"(?:old|previous|outdated|former)\b|\bstill (?:on|at) (?:version |release )?v?\d"
    r"|\bnot (?:yet )?(?:\w+ )?(?:deployed|released|live|published|rolled out|in production)\b"
    r"|\bnothing (?:\w{1,20} ){0,3}?(?:is|has been|was) (?:\w{1,12} )?(?:deployed|released|published|rolled out)\b"
    r"|\b(?:has|have|is|was)(?: not|n't) (?:yet )?(?:been )?(?:run|ran|applied|executed|migrated)\b[^.;]{0,20}"
    r"\b(?:on|in) (?:the )?(?:production|prod|live|staging)\b"
    r"|\b(?:production|prod|staging|live|the (?:live )?servers?) (?:still (?:has|runs?|serves?|shows?|uses?|gets?)"
    r"|is (?:still )?(?:unchanged|untouched|on))\b",
    re.IGNORECASE,
)
"""A change has not arrived where it is used: a deploy settles that, and a push alone does not."""
SHIPPED = lazy_pattern(
    r"\b(?:pushed|deployed|released|published|shipped|uploaded|migrated|merged|is (?:out|live|up|released|deployed)"
    r"|went (?:out|live|through))\b",
    re.IGNORECASE,
)
"""It did reach them."""
DENIED = lazy_pattern(
    r"\b(?:not|never|nobody|no one|nothing|cannot|unchanged|untouched|left (?:alone|out|as))\b|n't\b|n’t\b",
    re.IGNORECASE,
)
"""Something was not done."""
NOT_MENDED = lazy_pattern(
    r"\b(?:is|are|was|were|been|stays?)(?: still)?(?:n't| not| never)(?: yet)? (?:changed|touched|fixed|mended|repaired"
    r"|edited)\b|\b(?:is|are|stays?|still) (?:unchanged|untouched|unfixed)\b",
    re.IGNORECASE,
)
"""Something stayed as it was."""
FAILS = lazy_pattern(r"\b(?:still |now )?(?:fails?|failing|failed|red|broken|crash(?:es|ed)?)\b", re.IGNORECASE)
STILL_RED = lazy_pattern(
    r"\b(?:tests?|specs?|checks?|suite|ci)\b.*\b(?:still|keep|continue to)\b.*\bfail", re.IGNORECASE
)
SETTLED = lazy_pattern(
    r"\b(?:merged|landed|went (?:in|through)|is (?:in|done|out|live|solved|settled|resolved|sorted|gone)"
    r"|was (?:done|solved|merged)|are (?:gone|done|in|live|settled|solved)"
    r"|nothing (?:is )?left|no longer (?:needed|open)|works (?:again|now)|(?:has|have) (?:been )?\w+(?:ed|ne"
    r"|nt|ten|en)|sorted|settled"
    r"|arrived|came|loaded|that(?:'s| is) (?:settled|done|solved|fixed))\b",
    re.IGNORECASE,
)
"""The user tells that something is over."""
AGREED = lazy_pattern(r"(?:yes|yep|ok(?:ay)?|sure|do it|please do|go ahead|agreed|right)\b", re.IGNORECASE)
STATED = lazy_pattern(
    r"\b(?:have|has|had|is|are|was|were|did|done|works?|now|hab|habe|haben|hat|ist|sind|wurden?|war|waren|jetzt)\b"
    r"|\b(?:i|we|ops|they|somebody|someone) (?:\w+ )?\w{3,}ed\b",
    re.IGNORECASE,
)
"""A request that reports something that happened, and asks for nothing."""
HOLDS = lazy_pattern(
    r"\b(?:now|no longer|not any ?more|any ?more|instead|fixed|since then|from now on|jetzt|nun|nicht mehr|stattdessen"
    rf"|behoben|désormais|maintenant|ahora|ya no)\b|(?:^|[.!?…] )fix: |(?:^|: )(?:i(?:'ve)?|we(?:'ve| have))"
    rf" (?!(?:(?:also|then|just|first) )?(?:see|got|know|think|guess|can|could|would|will|hope|{_LOOKED})\b)\w+",
    re.IGNORECASE,
)
"""It says how things are since the change, or what was done; "I found that it is sent twice" does neither."""
WAS = lazy_pattern(
    r"\b(?:was|were|had|did|didn't|wasn't|weren't|could|couldn't|got|went|came|ran|kept|lost|sent|read|took|gave|made"
    r"|[a-z]{2,}ed|war|waren|hatte|hatten|wurde|wurden|fehlte|fehlten|lag)\b",
    re.IGNORECASE,
)
"""It tells how things were."""
