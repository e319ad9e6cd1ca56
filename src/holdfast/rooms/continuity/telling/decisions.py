"""Does a sentence mention a choice that was made? Pure.

Words for choosing say it alone. So do words that say how something is arranged from now on: it stays, lives there, gets
one of its own, on purpose. What the speaker did is a choice when a reason or a contrast stands beside it. Linear in the
sentence.
"""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern

_CHOICE = (
    r"decid(?:ed|ing)|decision|chose|chosen|choos(?:e|ing)|opt(?:ed|ing)? for|settl(?:ed|ing)(?: on|:)|agreed",
    r"by design|go(?:ing)? with|went with|trade-?off|in favou?r of|instead of|rather than|stick(?:ing)? (?:with|to)",
    r"(?:the|our|here is the|my) (?:plan|design|convention|rule|approach|preference|policy)|rule of thumb|as a rule",
    r"from (?:now|here) on|from today|switch(?:ed|ing)? to|i'd rather|prefer(?:red)?|on purpose|deliberate(?:ly)?",
    r"let's(?! see| look| check| run| try| go on)|intentional(?:ly)?|for now|until further",
    r"out of (?:the )?(?:two|three|four|five|\d) options|^(?:simplest|cleanest|safest)",
    r"we(?:'ll| will| must| should)? (?:use|keep|store|have|put|treat|stay)|we(?:'re| are) on",
    r"i(?:'ll| will) (?:use|keep|store|put|treat|go with)|i(?:'m| am) (?:using|keeping|treating|going with)",
    r"(?:will|must|should|shall|may) (?:stay|remain|be kept|be stored|be used|live|not be|never|only)",
    r"replac(?:ed|ing) .{2,120} (?:with|by)|pick(?:ed|ing)? .{2,120} (?:because|over|since|so)|took the \w+,",
    r"it is(?=$|,|;|:| and| then)|that(?:'s| is) (?:what|how|the one|where|why) (?:i|we|it)|wins|the only one that",
    r"^(?:do not|don't|never|always) \w+",
)
_ARRANGED = (
    r"stays?|(?:lives?|sits?|belongs?) (?:in|on|beside|next|with|at|inside|under)",
    r"(?:moves?|moved|goes|go) (?:in|on|under)to",
    r"gets? (?:its|their|his|one of its|a|an|one) own|owns?|defaults? to|by default|(?:is|are) gone|as an alias",
    r"go(?:es)? through one|(?:is|are) (?:fixed|final|frozen|the default|opt-in|opt-out|hard-?coded|capped|soft)",
    r"means? \w+ and .{1,30} mean|nowhere else|and nothing else|over (?:a |the )?\w+$",
)
_ACT = (
    r"^(?:kept|made|put|took|picked|moved|dropped|used|built|left|set|named|split|stored|renam(?:ed|ing)|capped|limited"
    r"|pinned|merged|switched|replaced|inlined|extracted|wrapped|turned)",
    r"(?:i|we|i've|we've) (?:also |now |then |have |simply )*"
    r"(?!fix|found|find|saw|see|think|know|need|want|look|ran|run|check)"
    r"(?:kept|made|put|took|left|set|built|wrote|version|split|cap|name|store|treat|[a-z]{3,}ed)",
    r"(?:is|are) (?:now |only |always |all )*(?:kept|stored|capped|shared|split|made|read|written|refreshed|loaded"
    r"|limited|checked|done|handled|cached|sent|plain|one|a|an|\d+)",
    r"every \w+|each \w+|one \w+ per|happens?|(?:go|goes|talk|talks|come|comes)",
)
_REASON = (
    r"because|since|so (?:that|nobody|no one|the|it|we|old|chunks|each)|otherwise|that way|anything else",
    r"to (?:keep|avoid|save|spare|prevent)|(?:which|that) (?:keeps|saves|spares|avoids|lets)",
    r"as (?:\w+ ){1,2}would|would (?:have|need|leak|mean|lose)|not (?:in|by|on|a|an|the) \w+|nobody|worth it",
    r"(?:longer|larger|smaller|older) ones|keeps? working|in one piece",
)
_STATED = lazy_pattern(r"^(?:the )?[\w `'-]{3,40} (?:is|are) [^,.;:]{1,40}[:;] \S", re.IGNORECASE)


def _any(*cues: str) -> re.Pattern[str]:
    return lazy_pattern(rf"(?<!\w)(?:{'|'.join(cues)})(?!\w)", re.IGNORECASE)


_IS_CHOICE, _IS_ACT, _IS_REASON = _any(*_CHOICE, *_ARRANGED), _any(*_ACT), _any(*_REASON)


def is_decision(sentence: str) -> bool:
    said = sentence.strip(" .!*_\"'()")
    return bool(_IS_CHOICE.search(said)) or bool(_IS_REASON.search(said) and _IS_ACT.search(said))


def states_a_value(sentence: str) -> bool:
    """The value of something and why: "Batch size is 500: larger ones lock too long". A weak sign of a decision."""
    return bool(_STATED.match(sentence))
