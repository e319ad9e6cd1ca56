"""Names that cannot be guessed again: tickets, hashes, addresses, versions, ports, ids. Pure; linear in the text."""

from __future__ import annotations

from holdfast.patterns import lazy_pattern

_LONGEST_READ = 8_000
_MOST = 24
# No form reaches over a line, and each has a digit, an `@` or a `/`. To look for that first takes a tenth of the time
# that the forms take on a line that holds none: most lines.
_TELLING = lazy_pattern(r"[\d@/]")
_MAIL = r"|[\w.-]{1,64}@[\w-]{1,64}\.[\w.-]{2,64}\b"
_FORMS = (
    r"https?://[^\s<>\"')\]}]{4,200}"
    r"|\b(?:"  # once, so that nothing behind it is tried inside a word
    r"[A-Z][A-Z0-9]{1,9}-\d{1,7}\b"
    r"|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
    r"|(?=[0-9a-f]{0,39}\d)(?=[0-9a-f]{0,39}[a-f])[0-9a-f]{7,40}\b"
    r"MAIL"
    r"|v?\d{1,5}\.\d{1,5}\.\d{1,6}(?:\.\d{1,6})?(?:[-+][\w.]{1,30})?\b"
    r"|(?:port|pid|PR|MR|issue|ticket|build|job|run|release|account|order|customer|tenant|bucket|queue|topic|branch|tag|region)"
    r" (?:number |id |named |called )?[`'\"]?[\w./:-]{0,60}\d[\w./:-]{0,60}"
    r"|[a-z][a-z0-9]{1,20}(?:_[a-z0-9]{1,20})*_[A-Za-z0-9]{0,40}\d[A-Za-z0-9]{5,40}\b"
    r"|(?:feature|feat|fix|bugfix|hotfix|release|chore)/[\w./-]{2,80}\b"
    r")|(?<![\w/])#\d{1,7}\b"
)
_WITH_MAIL, _WITHOUT_MAIL = (lazy_pattern(_FORMS.replace("MAIL", mail)) for mail in (_MAIL, ""))
"""An address is tried at each word; where there is no `@`, it is not."""


def identifiers(text: str) -> list[str]:
    """The names in a text, each once, in its order."""
    lines = "\n".join([line for line in text[:_LONGEST_READ].split("\n") if _TELLING.search(line)])
    forms = _WITH_MAIL if "@" in lines else _WITHOUT_MAIL
    found = (each.rstrip(".,;:'\"`") for each in forms.findall(lines))
    return list(dict.fromkeys(each for each in found if len(each) > 2))[:_MOST]
