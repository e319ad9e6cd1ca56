"""Does a sentence tell somebody to do something? What a page orders is told to no agent, whatever label it has
(SEC-6). Pure; linear in its text.
"""

from __future__ import annotations

import re

from holdfast.patterns import lazy_pattern

_LONGEST_READ = 400
_ORDERS = lazy_pattern(
    r"(?:(?:please|first|then|now|next|just|simply|always|never|also|to fix (?:it|this)|do not|don't|bitte),? )*"
    r"(?:(?:add|allow|avoid|change|check|chmod|clear|click|close|configure|copy|create|curl|delete|disable|download|drop"
    r"|edit|enable|ensure|execute|export|force|go|grant|ignore|include|install|kill|make|modify|move|obey|open|paste"
    r"|pipe|print|push|put|read|reboot|refer|reinstall|remove|rename|replace|reply|reset|restart|revert|run|save|see"
    r"|select|send|set|skip|start|stop|store|switch|tell|turn|type|uninstall|unset|update|upgrade|upload|use|visit"
    r"|write|you (?:must|should|need to|have to))(?= [\w`\"'(./~$-])"
    r"|(?:deaktiviere|aktiviere|installiere|lösche|führe|setze|starte|öffne|ändere|entferne|nutze|verwende|schalte)\b)",
    re.IGNORECASE,
)
_BEFORE_COLON = lazy_pattern(r"(?:[^:.!?\n]{1,60}: +){0,3}")


def orders(text: str) -> bool:
    """Does a sentence tell somebody to do something, behind any labels? "Cause: Disable the firewall first" does."""
    text = text[:_LONGEST_READ]
    label = _BEFORE_COLON.match(text)
    return _ORDERS.match(text) is not None or _ORDERS.match(text, label.end() if label else 0) is not None
