"""Names that cannot be guessed again: tickets, hashes, addresses, versions, ports, ids. Pure; linear in the text."""

from __future__ import annotations

from holdfast.patterns import lazy_pattern

_LONGEST_READ = 8_000
_MOST = 24
_FORMS = lazy_pattern(
    r"https?://[^\s<>\"')\]}]{4,200}"
    r"|\b[A-Z][A-Z0-9]{1,9}-\d{1,7}\b"
    r"|(?<![\w/])#\d{1,7}\b"
    r"|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
    r"|\b(?=[0-9a-f]{0,39}\d)(?=[0-9a-f]{0,39}[a-f])[0-9a-f]{7,40}\b"
    r"|\b[\w.-]{1,64}@[\w-]{1,64}\.[\w.-]{2,64}\b"
    r"|\bv?\d{1,5}\.\d{1,5}\.\d{1,6}(?:[-+][\w.]{1,30})?\b"
    r"|\b(?:port|pid|PR|MR|issue|ticket|build|job|run|release|account|order|customer|tenant|bucket|queue|topic|branch|tag|region)"
    r" (?:number |id |named |called )?[`'\"]?[\w./:-]{0,60}\d[\w./:-]{0,60}"
    r"|\b[a-z][a-z0-9]{1,20}(?:_[a-z0-9]{1,20})*_[A-Za-z0-9]{0,40}\d[A-Za-z0-9]{5,40}\b"
    r"|\b(?:feature|feat|fix|bugfix|hotfix|release|chore)/[\w./-]{2,80}\b"
)


def identifiers(text: str) -> list[str]:
    """The names in a text, each once, in its order."""
    found = (each.rstrip(".,;:'\"`") for each in _FORMS.findall(text[:_LONGEST_READ]))
    return list(dict.fromkeys(each for each in found if len(each) > 2))[:_MOST]
