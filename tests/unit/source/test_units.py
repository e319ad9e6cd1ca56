"""One small file of every language that is parsed: its units, what they use, what the file imports."""

from __future__ import annotations

import pytest

from holdfast.source.languages import GRAMMARS, language_of
from holdfast.source.model import FileContent
from holdfast.source.units import grammar, read_source

SOURCES: dict[str, tuple[str, set[str], set[str], set[str]]] = {
    "shop.py": (
        '"""About shops."""\nfrom tax.rules import round_vat\n\nclass Shop(Base):\n    """Sells."""\n'
        "    def sell(self, item: Item):\n        return round_vat(item.price())\n\ndef helper():\n    def inner():\n"
        "        pass\n    return Shop()\n",
        {"class Shop", "method Shop.sell", "function helper", "function helper.inner"},
        {"Base", "Item", "round_vat", "price", "Shop"},
        {"tax/rules:round_vat"},
    ),
    "shop.js": (
        "import { roundVat } from './tax';\nconst fs = require('node:fs');\nexport class Shop extends Base {\n"
        "  sell(item) { return roundVat(item); }\n}\nexport const total = (items) => items.map(sum);\n"
        "function main() { new Shop().sell(1); }\n",
        {"class Shop", "method Shop.sell", "function total", "function main"},
        {"roundVat", "Shop", "sell", "Base"},
        {"./tax:roundVat", "node:fs"},
    ),
    "shop.ts": (
        "import type { Item } from '../model/item';\ninterface Priced { price: number }\n"
        "export class Shop implements Priced {\n  private sell(item: Item): number { return vat(item); }\n}\n"
        "export function open(): Shop { return new Shop(); }\n",
        {"class Priced", "class Shop", "method Shop.sell", "function open"},
        {"Item", "vat", "Shop", "Priced"},
        {"../model/item:Item"},
    ),
    "Shop.tsx": (
        "import Button from './Button';\nexport const Shop = (props: Props) => <Button onClick={buy} />;\n",
        {"function Shop"},
        {"Props", "Button"},
        {"./Button:Button"},
    ),
    "shop.go": (
        'package shop\nimport "example.org/mall/tax"\ntype Shop struct { name string }\n'
        "func (s *Shop) Sell(item Item) int { return tax.Round(item.Price) }\nfunc Open() *Shop { return &Shop{} }\n",
        {"class Shop", "method Shop.Sell", "function Open"},
        {"Round", "Item", "Shop"},
        {"example.org/mall/tax"},
    ),
    "shop.rs": (
        "use crate::tax::{round, Rate};\nmod till;\npub struct Shop { name: String }\nimpl Shop {\n"
        "    pub fn sell(&self, rate: Rate) -> u32 { round(rate) }\n}\nfn open() -> Shop { Shop { name: x() } }\n",
        {"class Shop", "method Shop.sell", "function open"},
        {"round", "Rate", "Shop"},
        {"tax:round", "tax:Rate", "./till"},
    ),
    "Shop.java": (
        "package a;\nimport a.tax.Rates;\npublic class Shop extends Base {\n  public Shop() {}\n"
        "  int sell(Item item) { return Rates.round(item); }\n}\n",
        {"class Shop", "method Shop.Shop", "method Shop.sell"},
        {"Base", "Item", "Rates", "round"},
        {"a/tax:Rates"},
    ),
    "shop.c": (
        '#include "tax/round.h"\nstruct shop { int name; };\nstatic int sell(struct shop *s) { return round_vat(s); }\n'
        "char *name_of(void) { return 0; }\n",
        {"class shop", "function sell", "function name_of"},
        {"round_vat"},
        {"tax/round"},
    ),
    "shop.cpp": (
        '#include "shop.hpp"\nnamespace mall {\nclass Shop : public Base {\n  int name() { return 1; }\n};\n'
        "int Shop::sell(Item item) { return roundVat(item); }\n}\n",
        {"class mall.Shop", "method mall.Shop.name", "method mall.Shop.sell"},
        {"Base", "Item", "roundVat"},
        {"shop"},
    ),
    "Shop.cs": (
        "using Mall.Tax;\nnamespace Mall;\npublic class Shop : Base {\n"
        "  public int Sell(Item item) { return Rates.Round(item); }\n}\n",
        {"class Shop", "method Shop.Sell"},
        {"Base", "Item", "Rates", "Round"},
        {"Mall/Tax"},
    ),
    "shop.rb": (
        "require_relative 'tax'\nclass Shop < Base\n  def sell(item)\n    Rates.round(item)\n  end\nend\n",
        {"class Shop", "method Shop.sell"},
        {"Base", "Rates", "round"},
        {"./tax"},
    ),
    "shop.php": (
        "<?php\nuse Mall\\Tax\\Rates;\nclass Shop extends Base {\n"
        "  public function sell(Item $item) { return Rates::round($item); }\n}\n"
        "function open_shop() { return new Shop(); }\n",
        {"class Shop", "method Shop.sell", "function open_shop"},
        {"Base", "Item", "Rates", "round", "Shop"},
        {"Mall/Tax:Rates"},
    ),
    "Shop.kt": (
        "import mall.tax.round\nclass Shop {\n  fun sell(item: Item): Int { return round(item) }\n}\n"
        "fun open() = Shop()\n",
        {"class Shop", "method Shop.sell", "function open"},
        {"Item", "round", "Shop"},
        {"mall/tax:round"},
    ),
    "Shop.swift": (
        "import Tax\nclass Shop {\n  func sell(item: Item) -> Int { return roundVat(item) }\n}\n"
        "func open() -> Shop { Shop() }\n",
        {"class Shop", "method Shop.sell", "function open"},
        {"Item", "roundVat", "Shop"},
        {"Tax"},
    ),
    "Shop.scala": (
        "import mall.tax.{Rates, Vat}\nclass Shop extends Base {\n  def sell(item: Item): Int = Rates.round(item)\n}\n",
        {"class Shop", "method Shop.sell"},
        {"Base", "Item", "Rates", "round"},
        {"mall/tax:Rates", "mall/tax:Vat"},
    ),
    "shop.sh": (
        'source "$DIR/lib/tax.sh"\nsell() {\n  round_vat "$1"\n}\nfunction open_shop { sell 1; }\n',
        {"function sell", "function open_shop"},
        {"round_vat", "sell"},
        {"lib/tax"},
    ),
    "shop.sql": (
        "CREATE TABLE shop (id INT);\nCREATE VIEW open_shop AS SELECT id FROM shop;\n",
        {"class shop", "class open_shop"},
        {"shop"},
        set(),
    ),
    "shop.lua": (
        "local tax = require('mall.tax')\nlocal function sell(item)\n  return tax.round(item)\nend\n"
        "function Shop:open() return sell(1) end\n",
        {"function sell", "method Shop.open"},
        {"round", "sell"},
        {"mall/tax"},
    ),
}


def imported(reading: FileContent) -> set[str]:
    return {f"{each.path}:{name}" if name else each.path for each in reading.imports for name in (each.names or ("",))}


@pytest.mark.requirement("CTX-3")
def test_every_language_gives_its_units_their_uses_and_its_imports() -> None:
    wrong: dict[str, object] = {}
    for name, (text, units, uses, imports) in SOURCES.items():
        reading = read_source(text.encode(), language_of(name))
        found = {f"{unit.kind} {unit.qualified}" for unit in reading.units if unit.kind != "file"}
        used = {call for unit in reading.units for call in unit.calls}
        problems = (units ^ found, uses - used, imports ^ imported(reading))
        if any(problems) or not reading.parsed:
            wrong[name] = problems
    assert wrong == {}
    assert {language_of(name) for name in SOURCES} == set(GRAMMARS)


def test_every_grammar_of_the_list_is_installed_and_takes_its_query() -> None:
    assert [language for language in GRAMMARS if grammar(language) is None] == []


def test_a_unit_has_its_documentation_and_its_own_text_only() -> None:
    python = b'class A:\n    """What A is."""\n    x = 1\n    # Above.\n    @wrap\n    def b(self):\n        secret()\n'
    whole, a, b = read_source(python, "python").units
    assert (whole.kind, a.doc, b.doc) == ("file", '"""What A is."""', "# Above.")
    assert "x = 1" in a.body
    assert "secret" not in a.body
    assert "secret" not in whole.body
    assert b.calls == ("secret",)
    assert "wrap" in a.calls
    go = read_source(b"package a\n// Open opens.\n// It may fail.\nfunc Open() {}\n", "go").units[1]
    assert go.doc == "// Open opens.\n// It may fail."


def test_code_that_does_not_parse_still_gives_what_is_whole() -> None:
    reading = read_source(b"def whole():\n    pass\n\ndef broken(:\n  ((((\n\nclass After:\n    pass\n", "python")
    assert "whole" in {unit.name for unit in reading.units}


def test_a_language_without_a_grammar_is_read_by_lines() -> None:
    elixir = b"defmodule Shop do\n  def sell(item) do\n    round_vat(item)\n  end\nend\n"
    reading = read_source(elixir, "elixir")
    assert not reading.parsed
    assert [(unit.kind, unit.name) for unit in reading.units] == [("file", ""), ("class", "Shop"), ("function", "sell")]
    assert reading.units[2].calls == ("round_vat",)
    pieces = read_source(b"x <- 1\n" * 100, "r").units
    assert [(unit.kind, unit.line) for unit in pieces] == [("file", 1), ("section", 41), ("section", 81)]
