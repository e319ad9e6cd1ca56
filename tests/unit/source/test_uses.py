"""Who uses a file: only what an import and a telling name make sure."""

from __future__ import annotations

import pytest

from holdfast.source.model import Importer, UnitRow, Use
from holdfast.source.uses import linked_files, relations, telling_names

TARGET = "src/shop/tax.py"
UNITS = [
    UnitRow("", "file", "", "", 1, 40),
    UnitRow("", "function", "round_vat", "", 1, 4),
    UnitRow("", "class", "Rates", "", 5, 20),
    UnitRow("", "method", "get", "Rates", 6, 8),
    UnitRow("", "method", "reduced_rate", "Rates", 9, 12),
    UnitRow("", "method", "render_all", "Rates", 13, 15),
    UnitRow("", "method", "__init__", "Rates", 5, 6),
]


def told(
    importers: list[Importer],
    uses: list[Use],
    elsewhere: frozenset[str] = frozenset(),
    own: frozenset[tuple[int, str]] = frozenset(),
) -> dict[str, dict[str, list[str]]]:
    wanted = telling_names(UNITS, elsewhere)
    linked = linked_files(TARGET, importers, ())
    found = relations(UNITS, linked, [use for use in uses if use.name in wanted], elsewhere, own)
    return {each.path: each.names for each in found}


@pytest.mark.requirement("CTX-3")
def test_a_use_counts_only_where_it_is_sure() -> None:
    by_name = Importer("a.py", 1, "shop/tax", ("round_vat",))
    whole = Importer("b.py", 2, "shop", ("tax",))
    exported = Importer("c.py", 3, "shop", ("Rates",))
    stranger = Importer("d.py", 4, "other/tax", ("round_vat",))
    names = ("round_vat", "Rates", "get", "reduced_rate", "__init__")
    uses = [Use(name, content, "user") for content in (1, 2, 3, 4) for name in names]
    assert told([by_name, whole, exported, stranger], uses) == {
        "a.py": {"round_vat": ["user"], "reduced_rate": ["user"]},  # Rates was not imported: it is another one
        "b.py": {"round_vat": ["user"], "Rates": ["user"], "reduced_rate": ["user"]},
        "c.py": {"Rates": ["user"], "reduced_rate": ["user"]},  # the package gives Rates on
    }
    assert told([by_name], uses, frozenset({"round_vat"}), frozenset({(1, "round_vat")})) == {
        "a.py": {"reduced_rate": ["user"]}
    }, "it has one of its own"
    assert told([exported], uses, frozenset({"Rates", "reduced_rate"})) == {}


def test_a_method_counts_by_a_name_that_nothing_else_has() -> None:
    importer = Importer("a.py", 1, "shop/tax", ("Rates",))
    uses = [Use(name, 1, "") for name in ("get", "reduced_rate", "render_all")]
    assert told([importer], uses, frozenset({"render_all"})) == {"a.py": {"reduced_rate": [""]}}
