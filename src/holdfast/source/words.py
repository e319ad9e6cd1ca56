"""The words by which a unit is found: identifiers whole and in parts, stemmed, as recall does it. Pure."""

from __future__ import annotations

import posixpath

from holdfast.recall.tokens import terms
from holdfast.source.model import CodeUnit

_MOST_DOC = 120
_MOST_BODY = 400
_MOST_ASKED = 40


def unit_words(unit: CodeUnit) -> tuple[str, str, str]:
    """The words of its name, of its documentation and of its text."""
    name = terms(f"{unit.container.replace('.', ' ')} {unit.name}")
    return " ".join(name), " ".join(terms(unit.doc)[:_MOST_DOC]), " ".join(terms(unit.body)[:_MOST_BODY])


def asked_words(text: str) -> list[str]:
    """The words of a question, each once."""
    return list(dict.fromkeys(terms(text)))[:_MOST_ASKED]


def path_words(path: str) -> frozenset[str]:
    """The words of a file's path, without its ending."""
    return frozenset(terms(posixpath.splitext(path)[0].replace("/", " ")))
