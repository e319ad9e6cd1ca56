"""The words by which a unit is found."""

from __future__ import annotations

from holdfast.source.model import CodeUnit
from holdfast.source.words import asked_words, path_words, unit_words


def test_identifiers_are_found_whole_and_in_parts_however_they_are_written() -> None:
    unit = CodeUnit("method", "roundVatHalfUp", "InvoiceTotals", 1, 2, "Rounds the tax.", "return half_up(self.rate)")
    name, doc, body = (text.split() for text in unit_words(unit))
    assert {"round", "vat", "half", "invoic", "total", "roundvathalfup", "invoicetot"} <= set(name)
    assert {"round", "tax"} <= set(doc)
    assert {"halfup", "rate"} <= set(body)
    assert set(asked_words("rounding of VAT")) <= {*name, *doc, *body}
    assert {"tax", "shop"} <= path_words("src/shop/tax_rules.py")
