"""How French corrects. Folded: no accents, small letters. Pure."""

from __future__ import annotations

from holdfast.events.corrections.language import WORD, Language, pattern

_FR_NOT_VERB = (
    r"(?!(?:marche|fonctionne|charge|passe|compile|tourne|demarre|apparait|grave|mal|sur|certain|besoin|encore|vraiment"
    r"|tout|du|de|si|trop|forcement|faux|vrai)\b)"
)
_FR_ORDER = (
    r"(?:utilis|mets?|met|ecri[st]|fai[st]|lanc|execut|prend|prefer|appell|ajout|gard|laiss|cre|touch"
    r"|chang|modifi|supprim|commit|push|pouss|merg|mock"
    r"|import|renomm|formatt?|install|deploi|deploy|demand|verifi|test|retourn|renvoi|nomm|devin|invent"
    r"|log|copi|deplac|repond|reecri[st]|refactor|arrondi[st]?|retir|enlev|cass|sign)(?:e|es|ez|s|ds"
    r"|onn?e)?"
)
_HINTS = """
non nan ne pas jamais toujours plus on nous je tu le la les l d un une des du de et ou a au en ce c est j ai n t
desormais dorenavant arrete arretez cesse cessez evite evitez utilise faux mauvais mauvaise incorrect erreur stp
svp merci rappel interdiction defense interdit prefere preferez plutot surtout laisse laissez comme faut il
"""
FRENCH = Language(
    hints=frozenset(_HINTS.split()),
    reminds=pattern(r"(?:rappel|rappelle-toi|souviens-toi|attention|important|note)\b[:,]?\ "),
    lead=pattern(
        r"(?:(?:non|ok|okay|bien|super|merci(?!\ de)|parfait|top|d'accord|attends|stop|he|hey|et|mais|aussi"
        r"|alors|s'il\ te\ plait|s'il\ vous\ plait|stp|svp|encore\ une\ chose|autre\ chose"
        r"|rappel|rappelle-toi|note|attention|important|au\ fait|de\ nouveau|du\ coup|ah|plutot)\b[,.!:]*\ +)"
    ),
    no=pattern(r"(?:(?:non+|faux|nan)\b[,.!: ]+)+(?<=[,.!:]\ )"),
    rule=pattern(
        rf"""
        (?:merci\ de\ |veuillez\ |il\ faut\ |priere\ de\ )?(?:ne\ |n'){_FR_NOT_VERB}
            (?:(?:le|la|les|l'|me|m'|y|en|nous|lui|leur
            |te)\ ?)?(?:[a-z-]+\ ){{1,2}}?(?:pas|jamais|plus|rien|aucune?)\b\ \S
      | (?:merci\ de\ |il\ faut\ |veuillez\ |priere\ de\ )?ne\ (?:pas|jamais|plus|rien)\ (?:\S+\ )?[a-z]+(?:er|ir|re
            |oir)\b
      | {_FR_ORDER}\ (?:{WORD}\ ){{0,4}}?(?:toujours|jamais|uniquement|plus\ jamais|surtout\ pas)\b
      | {_FR_NOT_VERB}{_FR_ORDER}\ (?:surtout\ )?pas\ \S
      | {_FR_ORDER}\ (?:{WORD}\ ){{1,8}}?(?:au\ lieu\ d|plutot\ qu|a\ la\ place\ d|et\ pas\b|et\ non\b)
            |{_FR_ORDER}\ (?:{WORD}\ ){{0,6}}?{WORD},\ pas\b
      | (?:merci\ de\ |il\ faut\ )?(?:toujours|jamais)\ (?!vu\b|eu\b|le\ meme|la\ meme|les\ memes|pas\b|rien\b|en[ ]
            |rouge|cass|aussi|autant|entendu)(?:\S+\ )?(?:[a-z]+(?:er|ir|re|oir)\b|de\ \S|d'\S|sur\ \S|sans\ \S
            |avec\ \S)
      | (?:a\ partir\ (?:de\ (?:maintenant|la|ce\ jour)|d'(?:aujourd'hui|ici))|desormais|dorenavant|a\ l'avenir
            |des\ maintenant|dans\ le\ futur|la\ prochaine\ fois)\b,?\ \S+\ \S
      | {_FR_ORDER}\ (?:{WORD}\ ){{0,6}}?(?:a\ partir\ de\ maintenant|desormais|dorenavant|a\ l'avenir)\b
      | (?:il\ )?faut\ (?:pas|jamais|plus)\ \S
      | prefer(?:e|ez)\ \S|plutot\ \S+\ (?:\S+\ ){{0,3}}?qu
      | (?:arrete|arretez|cesse|cessez)\ d
      | (?:evite|evitez)\ (?:de\ |d'|les\ |le\ |la\ |l'|des\ |tout)
      | (?:surtout\ )?pas\ (?:de|d')\ ?\S+\ (?!grave)(?:\S+\ ){{0,5}}?(?:dans|sur|sans|en|ici|stp|svp|pour|avec|s'il
            |nouvelle?s?|supplementaires?)\b
      | pas\ de\ (?:nouveaux?|nouvelles?)\ \S
      | laissez?\ (?:{WORD}\ ){{1,8}}?(?:tranquilles?|tel(?:le)?s?\ quel(?:le)?s?|comme\ (?:ca|il\ est|elle\ est))\b
      | (?:interdiction|defense|interdit)\ d
      | tu\ ne\ dois\ (?:jamais|pas|plus)\b|tu\ dois\ toujours\b|il\ ne\ faut\ (?:jamais|pas|plus)\b
            |il\ faut\ toujours\b
        """
    ),
    inside=pattern(
        r"""
        \b(?:on|nous|notre\ equipe|ce\ (?:projet|depot|repo))\ (?:ne\ |n')(?!(?:a|avons|sait|savons|peut|pouvons
            |voit|voyons|arrive|comprend|comprenons|est|sommes|avait|avions|veut)\b)(?:\S+\ ){1,2}?(?:jamais|pas
            |plus|que)\b
      | \bon\ (?!a\b|est\b|voit\b|sait\b|peut\b|comprend\b|arrive\b|va\b|veut\b|trouve\b|dirait\b)[a-z]+\ pas\ (?:a
            |au|aux|de|d'|les?|la|l'|sur|dans|sans)\b
      | \b(?:on|nous)\ (?!a\b|avons\b|est\b|voit\b|voyons\b|obtient\b|recoit\b)
            [a-z]+\ (?:toujours|jamais|uniquement)\ (?!pas\b|le\ meme)\S
        """
    ),
    ruled=pattern(
        r"\b(?:jamais|toujours|ne\ .{1,30}\ plus|au\ lieu|doit|doivent|uniquement|seulement|plutot\ que|pas\ de)\b"
    ),
    repair=pattern(
        r"""
        (?:pas\ comme\ ca|comme\ ca\ non|pas\ ainsi)[,:]\ \S+\ \S
      | (?:c'est|c'etait|ca\ c'est)\ (?:faux|mauvais|incorrect|errone|pas\ bon|pas\ la\ bonne
            |pas\ le\ bon)\b[^,:]{0,30}[,:]\ \S+\ \S
      | (?:on|nous)\ (?:en\ |l'|l')?\ ?(?:a|avait|avons|avions)\ (?:deja\ )?(?:dit|parle|decide|convenu|discute)\b
      | (?:tu\ t'es|vous\ vous\ etes)\ trompe
      | (?:non,?\ )?(?:comme\ )?(?!j'ai\ (?:bien\ |deja\ )?dit\ (?:a|au|aux)\ )(?:j'ai|je\ t'ai|je\ vous\ ai
            |je\ l'ai|j'avais|je\ t'avais)\ (?:bien\ |deja\ |clairement\ )*(?:dit|demande|ecrit|precise)\b
      | (?:ce\ n'est|c'est|c'etait|ce\ n'etait|n'est)\ pas\ (?:ce\ que|ca\ que|comme\ ca\ que)\b
      | (?:non,?\ )?je\ (?:voulais\ (?:dire|seulement|juste)\b|parlais\ d|pensais\ a\b)
      | je\ (?:ne\ |n')?(?:t'ai|voulais|t'avais)\ pas\ (?:demande\b|dit\b|que\b|d)|je\ n'ai\ pas\ (?:demande|dit)\b
      | (?:tu\ as|t'as|vous\ avez)\ (?:encore\ |deja\ )?(?:oublie|ignore|mal\ (?:compris|lu)|rate|confondu|saute)\b
      | (?:faux|mauvais(?:e)?\ \S+|incorrect|erreur)[,:]\ \S+\ \S
        """
    ),
    wrong=pattern(
        r"(?:le|la|les|l'\S+|c'est|ce|cette|cet|ces|je|tu|pas|il|elle|on|utilise|garde|laisse|remets|annule"
        r"|seulement|juste|seuls?|seules?|nous|celui|celle|enleve)\b(?=(?:\ \S+){2})"
    ),
    asks=pattern(
        r"(?:pourquoi|quand|quoi|ou\b|qui\b|comment|combien|quel\w*|est-ce|qu'est-ce|qu'|peux|peux-tu|pourrais"
        r"|pourrait|peut-on|doit-on|devrait|si\b|s'il\ (?!te|vous)|explique\w*|as-tu|y\ a-t-il|faut-il|lorsque"
        r"|montre\w*|c'est\ quoi)"
    ),
    neither=pattern(
        r"""\b(?:je\ ne\ (?:sais|pense|crois|comprends|vois|me\ souviens)|je\ (?:sais|pense|crois|comprends
            |vois)\ pas|pas\ (?:de\ |d'|du\ )?(?:probleme|souci|grave|urgence|urgent|idee|besoin|presse|mal
            |sur(?=\ que|\ du\ tout|[,.!]|$))
            |(?:pas|jamais)\ de\ (?:resultats?|reponses?|donnees|sortie|connexion)|echoue\w*|plante|n'affiche\ rien
            |aucun\ (?:probleme|souci)|aucune\ idee
        |ne\ t'inquiete|t'inquiete|n'oublie|n'oubliez|n'hesite|non,?\ merci|non,?\ (?:ca|c'est)\ (?:va|bon|bien
            |parfait|ok|tout)|tu\ avais\ raison|tu\ as\ raison|ma\ faute|mon\ erreur|jamais\ (?:vu|entendu|eu)
            |peu\ importe|laisse\ tomber
        |ca\ ne\ fait\ rien|toujours\ pas|non,?\ (?:c'etait|rien)|(?:a|ont|avait)\ dit)\b
        |,\ (?:implemente|ajoute|verifie|regarde|cherche|corrige|trouve|repare)(?:-le|-la)?\b"""
    ),
)
