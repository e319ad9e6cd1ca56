"""Does a sentence ask for memory in another language than English? Pure.

It reads German, French, Spanish, Italian, Dutch, Portuguese, Japanese, Chinese and Korean. A sentence asks where it
says "last time" or "back then", or asks with a question word what "we" did. What we do now ("qué hacemos") and what
somebody tells ("wir haben es gestern geändert") asks for nothing.
"""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern

_BETWEEN = r"\b[^.?!]{0,40}\b"
_FORMS = (
    # German
    r"(?:beim )?letzte[nsr]? mal|damals|(?:hatten|haben) wir|wir (?:hatten|haben)\b[^.?!]{0,60}\b(?:schon|damals|mal)",
    r"was war (?:nochmal |noch mal |denn )?(?:die|der|das)|wie war das|woran (?:lag|hat)",
    rf"(?:warum|wieso|weshalb){_BETWEEN}(?:war|waren|hatten?|wurden?|gab|gingen?)|wer (?:wollte|hat) das",
    # French
    r"la derni[eè]re fois|(?:on|nous) (?:avait|avions|avons)|avait-on|avons-nous|a-t-on|c'[eé]tait quoi",
    r"d[eé]j[aà] (?:vu|eu|corrig[eé])|on en [eé]tait|o[uù] en [eé]t(?:ait|ions)",
    rf"pourquoi{_BETWEEN}\w{{2,20}}(?:ait|aient)|qui (?:a|avait|voulait) (?:demand[eé]|voulu|d[eé]cid[eé]|[cç]a)",
    rf"(?:qu'est-ce|quoi|pourquoi|comment|quand|quel\w{{0,3}}){_BETWEEN}on (?:a|s'est)|on a \w+ quoi",
    # Spanish: "-amos" and "-imos" are the past (and, of some verbs, the present, too)
    r"la [uú]ltima vez|cu[aá]l (?:era|fue)|ya (?:lo )?(?:hab[ií]amos|hicimos|vimos|arreglamos)|qu[eé] fue",
    rf"(?:qu[eé]|c[oó]mo|d[oó]nde|cu[aá]ndo|cu[aá]l(?:es)?){_BETWEEN}(?!vamos\b|estamos\b)\w{{2,20}}(?:amos|imos)",
    rf"(?:qu[eé]|c[oó]mo|d[oó]nde|cu[aá]ndo){_BETWEEN}(?:hemos|hab[ií]amos)",
    rf"por qu[eé]{_BETWEEN}\w{{1,20}}(?:[aá]ban?|[ií]an?|aron|ieron|i[oó])",
    r"qui[eé]n (?:lo )?(?:pidi[oó]|quer[ií]a|decidi[oó])",
    # Italian
    r"l'ultima volta|(?:avevamo|abbiamo) gi[aà]|(?:cosa|perch[eé]|come|quando|dove|qual[ei]?|che)"
    r"\b[^.?!]{0,40}\b(?:abbiamo|avevamo|eravamo|facemmo)",
    rf"(?:come mai|perch[eé]){_BETWEEN}(?:er[ao]n?o?|avev[ao]n?o?|\w{{2,20}}(?:avano|evano|ivano))",
    r"chi (?:l'ha|lo ha|ha) (?:voluto|chiesto|deciso)",
    # Dutch
    r"(?:de )?(?:vorige|laatste) keer|destijds|(?:wat|waarom|hoe|wanneer|waar|waaraan|welke?)"
    r"\b[^.?!]{0,40}\b(?:(?:hebben|hadden|waren|deden|besloten|werkten|maakten) (?:we|wij))",
    # Portuguese
    r"d?a [uú]ltima vez|j[aá] (?:t[ií]nhamos|fizemos|vimos)|(?:(?:o|por) qu[eê]|quando|onde|qual|quais)"
    r"\b[^.?!]{0,40}\b(?!vamos\b|estamos\b)\w{2,20}(?:amos|emos|imos)",
)
_UP_TO = r"[^。？！?!]{0,30}"
_DENSE_FORMS = (
    # Japanese: who ends with "kke" knew it once
    r"っけ(?=[か、。？?！!\s]|$)|前回|この(?:前|間)(?!の?(?:行|関数|引数))|覚えて(?:る|い|ます)",
    # Chinese: 之前 behind another word is "before", of an order
    r"上(?:次|回)|[当那]时(?!间|候|刻)|那时候|(?:还)?记得[^。！!]{0,30}[吗？?]|(?:我们|咱们|[，。？！\s]|^)(?:之前|以前)",
    rf"(?:我们|咱们){_UP_TO}[了过](?:什么|吗|没|哪|多少)|为什么{_UP_TO}(?:[改换]成|[改换选]了|决定)",
    # Korean
    rf"지난번|저번|(?<!그때)그때(?!그때|마다)|기억(?:나|해)|[했였었았렸졌]더라|[했였었았]었?[지죠](?=[?？\s]|$)|왜{_UP_TO}[했었았꿨](?:지|어|나|죠|는지)",
)
ASKS_ABROAD = lazy_pattern(
    r"(?<!\w)(?:" + "|".join(_FORMS).replace(" ", r"\s+") + r")(?!\w)|" + "|".join(_DENSE_FORMS), re.IGNORECASE
)
