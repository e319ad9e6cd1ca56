"""Does a sentence ask for memory, in German, French, Spanish, Italian, Dutch or Portuguese? Pure.

It does where it says "last time" or "back then", or asks with a question word what "we" did. What we do now ("qué
hacemos") and what somebody tells ("wir haben es gestern geändert") asks for nothing.
"""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern

_BETWEEN = r"\b[^.?!]{0,40}\b"
_FORMS = (
    # German
    r"(?:beim )?letzte[nsr]? mal|damals|(?:hatten|haben) wir|wir (?:hatten|haben)\b[^.?!]{0,60}\b(?:schon|damals|mal)",
    r"was war (?:nochmal |noch mal |denn )?(?:die|der|das)|wie war das|woran (?:lag|hat)",
    # French
    r"la derni[eè]re fois|(?:on|nous) (?:avait|avions|avons)|avait-on|avons-nous|a-t-on|c'[eé]tait quoi",
    r"d[eé]j[aà] (?:vu|eu|corrig[eé])|on en [eé]tait|o[uù] en [eé]t(?:ait|ions)",
    rf"(?:qu'est-ce|quoi|pourquoi|comment|quand|quel\w{{0,3}}){_BETWEEN}on (?:a|s'est)|on a \w+ quoi",
    # Spanish: "-amos" and "-imos" are the past (and, of some verbs, the present, too)
    r"la [uú]ltima vez|cu[aá]l (?:era|fue)|ya (?:lo )?(?:hab[ií]amos|hicimos|vimos|arreglamos)|qu[eé] fue",
    rf"(?:qu[eé]|c[oó]mo|d[oó]nde|cu[aá]ndo|cu[aá]l(?:es)?){_BETWEEN}(?!vamos\b|estamos\b)\w{{2,20}}(?:amos|imos)",
    rf"(?:qu[eé]|c[oó]mo|d[oó]nde|cu[aá]ndo){_BETWEEN}(?:hemos|hab[ií]amos)",
    # Italian
    r"l'ultima volta|(?:avevamo|abbiamo) gi[aà]|(?:cosa|perch[eé]|come|quando|dove|qual[ei]?|che)"
    r"\b[^.?!]{0,40}\b(?:abbiamo|avevamo|eravamo|facemmo)",
    # Dutch
    r"(?:de )?(?:vorige|laatste) keer|destijds|(?:wat|waarom|hoe|wanneer|waar|waaraan|welke?)"
    r"\b[^.?!]{0,40}\b(?:(?:hebben|hadden|waren|deden|besloten|werkten|maakten) (?:we|wij))",
    # Portuguese
    r"d?a [uú]ltima vez|j[aá] (?:t[ií]nhamos|fizemos|vimos)|(?:(?:o|por) qu[eê]|quando|onde|qual|quais)"
    r"\b[^.?!]{0,40}\b(?!vamos\b|estamos\b)\w{2,20}(?:amos|emos|imos)",
)
ASKS_ABROAD = lazy_pattern(r"(?<!\w)(?:" + "|".join(_FORMS).replace(" ", r"\s+") + r")(?!\w)", re.IGNORECASE)
