"""Do two sentences, or the two sides of a colon, state one dead end together? Pure. Linear in the sentences.

The first has the name: something was tried ("Gave X a try."), or is not the cause ("It is not X:"). The second has the
outcome and at most a pronoun: "The mailer refuses to start with it." Alone, neither tells enough. What went well, and
what is only called not urgent, is no dead end.
"""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern

_BEFORE = (
    r"^\W*(?:(?:so|and|but|then|next|also|first|ok|okay|no|well|now|hmm|nope|alas|i|we|i've|we've|i'd|have|had|just"
    r"|even|quickly|briefly|finally|at first|for a moment|to be sure|out of curiosity|as an experiment)[, ]+)*"
)
_TRIED = (
    r"(?:gave|given|giving) .{2,120} (?:a|another|one more) (?:\w+ )?(?:try|go|shot|whirl|spin|chance|run|attempt)",
    r"(?:took|taking) .{2,120} for a (?:\w+ )?(?:spin|ride|walk|run|test)|.{0,40}\b(?:i|we) (?:tried|attempted) \S",
    r"(?:went with|used|started with|began with|relied on) .{2,80} (?:at first|first|initially|originally)",
    r"(?:had|took|having|taking) (?:a|another) (?:go|stab|shot|crack|run) (?:at|with)",
    r"(?:tried|trying|attempted|attempting|experimented|experimenting|toyed|played|tinkered) \S",
    r"(?:test-drove|prototyped|trialled|trialed) \S",
    r"(?:my|our|the) (?:first|second|next|other|last) (?:attempt|try|idea|shot|thought|bet|candidate) (?:was|is|:)",
    r"(?:hoped|bet|expected|counted on|pinned my hopes on|reached for|went for) \S",
)
_CHANGED = (
    r"swapp?ed|switched|upgraded|downgraded|replaced|pinned|bumped|raised|lowered|doubled|halved|increased|reduced",
    r"disabled|enabled|turned|bypassed|wrapped|dropped in|plugged in|put|set|forced|patched|stubbed|commented out",
    r"installed|cleared|rebuilt|reinstalled|restarted",
)
_NOT_CAUSE = (
    r"(?:not (?=[`\w./-]*[_`/(])|(?:i |we )?(?:suspected|blamed|accused) "
    r"|(?:it|this|that|the (?:cause|culprit|reason|problem|bug|issue|fault|leak|delay))"
    r"(?:(?:['’]s| is| was)(?: definitely| clearly| certainly| surely| probably| apparently)? not"
    r"| (?:is|was)n['’]t| (?:can|could)(?:not|n['’]t|['’]t| not) be| has nothing to do with)"
    r" )(?:because of |caused by |due to |down to |in |about )?"
)
_THING = lazy_pattern(
    r"(?:the|an?|our|my|your|its|their|some|any|either|how|what|which) \S"
    r"|[`'\"“]|\S*[_/()\d]|\S*[a-z][A-Z]|[A-Z]{2,}|[a-z]+ing\b|[A-Z][a-z]+|\S+-\S+"
)
"""What could be a cause: a name of code, or words that begin as a noun does. "Urgent" and "that simple" could not."""
_QUALITY = lazy_pattern(
    r"(?:an? (?:big|real|huge|hard|good|bad)|the (?:final|full|whole|first|last|only)) ", re.IGNORECASE
)
_CHECKED = (
    r"(?:i|we|i['’]ve|we['’]ve)(?: have| also| even| just)* (?!think|guess|believe|will|can\b|need|want)\w+",
    r"(?:disabl|remov|bypass|swapp|replac|switch|turn|stubb|revert|delet|unplug|patch|clear)(?:ed|ing)",
    r"with(?:out)? \w+|(?:\w+ed|took|pulled|put|ran) (?:it|that|them)",
    r"off|gone|empty|happens?|reproduces?|same|even|also|too",
)
_BAD = (
    r"still (?!works?|working|fine|ok|okay|pass\w*|green|good|valid|holds?|fast|supported|needed|available)\w+",
    r"same(?: (?:with|after|without|there|here|again)|\W*$)|same (?:\w+ ){0,2}(?:error|failures?|crash|results?"
    r"|way|symptoms?|problem|outcome|trace|time-?outs?|behaviou?r|bug|message|exception|hang|thing|story|numbers?)",
    r"as \w+ as (?:ever|before)|does(?:n['’]t| not) like|garbage|any ?more|turn(?:s|ed) out",
    r"(?:do|does)(?:n['’]t| not) have",
    r"no longer (?:starts?|boots?|builds?|compiles?|works?|loads?|links?|comes?|connects?|runs?|parses?)",
    r"identical|unchanged|nothing (?:changed|changes|happened|happens|improved)|persist(?:s|ed)",
    r"no (?:luck|dice|joy|good|use|difference|change|effect|improvement|better|go)|(?:kept|keeps) \w+ing|as before",
    r"remain(?:s|ed) (?!green|valid|fast|stable)\w+|all the same|anyway|regardless|either way|none ?the ?less",
    r"(?:refuse|fail|crash|hang|break|choke|deadlock|stall|leak|complain|object|explode|panic|segfault|balk|freeze|die"
    r"|lose|reject|throw|corrupt|mangle|garble|drop)(?:e?s)?|hung|broke|broken|froze|lost|threw|dropped",
    r"(?:refus|fail|crash|chok|stall|leak|complain|explod|panick|segfault|di|reject|corrupt|mangl|garbl)ed",
    r"(?:wo|do|does|did|could|would|ca|is|was|are|were|has|have)(?:n['’]t| not) (?:even |really |quite )?"
    r"(?:start|boot|work|help|load|run|build|compile|link|install|connect|fit|support|get|go|change|move|budge|come"
    r"|finish|return|respond|see|read|find|handle|keep|make|do|cope|let|enough|any|parse|resolve|understand|pass)\w*",
    r"cannot (?:start|boot|work|load|run|build|handle|see|read|find|cope|keep|parse|be)\w*|will not \w+|never \w+",
    r"times? out|timed out|too (?:slow|late|much|many|large|big|fragile|brittle|heavy|strict)|worse|slower|flakier",
    r"unusable|useless|wrong|incompatible|unsupported|out of memory|dead end|in vain|to no avail|not it|disaster",
)
_WELL = (
    r"no longer (?!starts?|boots?|builds?|compiles?|works?|loads?|links?|comes?|connects?|runs?|parses?)\w+",
    r"turn(?:s|ed) out (?:great|fine|well|nice\w*|to (?:work|help|be (?:fast|good|fine|enough)))|fails? fast",
    r"(?:all|everything) (?:green|passes|passed)",
    r"(?:it|that|this|they|which|and|both|everything)(?: now| just| even)? (?:works?|worked|fixe[sd]|solve[sd]|helps?"
    r"|helped|passe[sd]|holds?|does the (?:trick|job)|did (?:it|the trick))",
    r"never (?:fails?|failed|breaks?|broke|crash\w*|hangs?|loses?|lost|drops?)",
    r"as (?:it should|expected|intended|wanted)",
)
_UNMOVED = (
    r"^\W*(?:but |and |yet |sadly,? )*(?:(?:the |exactly the )?same|identical|no|nothing|not)|with (?:it|that)",
    r"(?:refuses? to|refused to|wo(?:n['’]t)|would(?:n['’]t| not)|does(?:n['’]t| not)|no longer|cannot)"
    r" (?:start|boot|build|compile|link|load|come|connect)s?",
)
_AGAIN = (r"(?:happens?|reproduces?|occurs?|appears?|shows? up|comes? back|is there|fails?)(?! only)",)
"""What goes on although the suspect is gone: said of a suspect only."""
_COLON = lazy_pattern(r"[:;] |,? [-–—] |, (?=since |because |as |for )")
_MIDDLE = lazy_pattern(
    rf"{_BEFORE}(?:\w+ed|took|put|ran|built|set|cut) (?:it|that|them|this)(?: \w+){{0,3}}\W*$", re.IGNORECASE
)


def _any(*cues: str) -> re.Pattern[str]:
    return lazy_pattern(rf"(?<![\w-])(?:{'|'.join(cues)})(?![\w-])", re.IGNORECASE)


_IS_TRIED = lazy_pattern(rf"{_BEFORE}(?:{'|'.join(_TRIED)})", re.IGNORECASE)
_IS_CHANGED = lazy_pattern(rf"{_BEFORE}(?:{'|'.join(_CHANGED)}) \S", re.IGNORECASE)
_DENIES = lazy_pattern(rf"{_BEFORE}{_NOT_CAUSE}", re.IGNORECASE)
_IS_BAD, _IS_WELL = _any(*_BAD), _any(*_WELL)
_IS_CHECKED, _IS_UNMOVED, _IS_AGAIN = _any(*_CHECKED), _any(*_UNMOVED), _any(*_AGAIN)
_IS_WITHOUT = _any(r"without (?:it|that|this|them)")


def is_dead_end_in_two(first: str, second: str) -> bool:
    """Does the second sentence tell that what the first names did not work, or is not the cause?"""
    if second.endswith("?") or _IS_WELL.search(second):
        return False
    is_bad = bool(_IS_BAD.search(second))
    if _rules_out(first):
        is_checked = _IS_CHECKED.search(second) or ". " in first  # what was done stands between the two: `goes_on`
        return bool((is_bad or _IS_AGAIN.search(second)) and is_checked)
    if not is_bad or _IS_BAD.search(first) or _IS_WELL.search(first) or _IS_WITHOUT.search(second):
        return False
    if _IS_TRIED.search(first):
        return True
    return bool(_IS_CHANGED.search(first) and _IS_UNMOVED.search(second))


def goes_on(sentence: str) -> bool:
    """Is it only what was done with the thing of the sentence before ("Turned it off."), and the outcome follows?"""
    return bool(_MIDDLE.match(sentence))


def is_ruled_out(sentence: str) -> bool:
    """Does one sentence say what is not the cause, and behind a colon how that was seen?"""
    sides = _COLON.split(sentence, maxsplit=1)
    return len(sides) > 1 and _rules_out(sides[0]) and is_dead_end_in_two(*sides)


def _rules_out(sentence: str) -> bool:
    """Does it say that something is not the cause? That counts only beside what was seen."""
    found = _DENIES.match(sentence)
    named = sentence[found.end() :] if found else ""
    return bool(_THING.match(named)) and not _QUALITY.match(named)
