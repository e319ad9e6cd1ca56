"""Which file an import leads to, and which files are tests."""

from __future__ import annotations

import pytest

from holdfast.source.imports import read_import
from holdfast.source.links import LinkKind, are_neighbours, is_test, is_test_file, keys_of, link, module_of

LEADS: list[tuple[str, str, str, str, LinkKind | None]] = [
    # importer, language, statement, target, where it leads
    ("tests/test_tax.py", "python", "from shop.tax import round_vat", "src/shop/tax.py", "names"),
    ("a/b.py", "python", "from shop import tax", "src/shop/tax.py", "module"),
    ("a/b.py", "python", "import shop.tax as t", "src/shop/tax.py", "module"),
    ("a/b.py", "python", "from shop import Cart", "src/shop/cart.py", "package"),
    ("src/shop/till.py", "python", "from . import tax", "src/shop/tax.py", "module"),
    ("src/shop/till.py", "python", "from .tax import (\n    vat,  #\n    zero as no,\n)", "src/shop/tax.py", "names"),
    ("src/shop/deep/a.py", "python", "from ..tax import x", "src/shop/tax.py", "names"),
    ("a/b.py", "python", "from memory.rules import x", "src/learning/rules.py", None),
    ("a/b.py", "python", "import json", "tools/json.py", None),
    ("tools/run.py", "python", "import json", "tools/json.py", None),
    ("tools/run.py", "python", "import shared", "tools/shared.py", "module"),
    ("a/b.py", "python", "from shop.tax import x", "src/shop/tax.ts", None),
    ("web/app.tsx", "tsx", "import { Till } from './parts/Till.js'", "web/parts/Till.tsx", "names"),
    ("web/app.ts", "typescript", "import * as till from './parts/till'", "web/parts/till.ts", "module"),
    ("web/app.ts", "typescript", "import { Till } from './parts'", "web/parts/index.ts", "names"),
    ("web/app.ts", "typescript", "import { Till } from './parts'", "web/parts/Till.ts", "package"),
    ("web/app.js", "javascript", "const x = require('../lib/x')", "lib/x.js", "names"),
    ("cmd/main.go", "go", '"example.org/mall/internal/tax"', "internal/tax/round.go", "package"),
    ("cmd/main.go", "go", '"fmt"', "internal/fmt/x.go", None),
    ("src/main.rs", "rust", "use crate::tax::round;", "src/tax.rs", "names"),
    ("src/shop/mod.rs", "rust", "mod till;", "src/shop/till.rs", "module"),
    ("app/src/main/java/a/Shop.java", "java", "import a.tax.Rates;", "app/src/main/java/a/tax/Rates.java", "module"),
    ("src/shop.c", "c", '#include "tax/round.h"', "src/tax/round.h", "module"),
    ("lib/shop.rb", "ruby", "require_relative 'tax'", "lib/tax.rb", "module"),
    ("app/Shop.php", "php", "App\\Tax\\Rates as R", "app/Tax/Rates.php", None),
    ("src/Shop.php", "php", "Mall\\Tax\\Rates", "src/Mall/Tax/Rates.php", "module"),
]  # fmt: skip


@pytest.mark.requirement("CTX-3")
def test_an_import_leads_to_its_file_and_to_no_other_of_that_name() -> None:
    wrong = []
    for importer, language, statement, target, expected in LEADS:
        found = [link(importer, each.path, each.names, target) for each in read_import(statement, language)]
        if next((each for each in found if each), None) != expected:
            wrong.append((statement, target, found, expected))
    assert wrong == []


def test_a_file_is_looked_up_by_the_last_words_of_imports() -> None:
    assert keys_of("src/shop/tax.py") == ("tax", "shop")
    assert keys_of("src/shop/__init__.py") == ("shop",)
    assert module_of("web/parts/index.ts") == "web/parts"
    assert module_of("index.js") == "index"


def test_tests_and_what_helps_them() -> None:
    tests = (
        "tests/unit/test_a.py",
        "a/b_test.go",
        "a.spec.ts",
        "web/__tests__/a.js",
        "x/ShopTest.java",
        "spec/a_spec.rb",
    )
    helpers = ("tests/support/daemon.py", "test/fixtures.js", "src/test/java/a/Fixture.java")
    neither = ("src/contest.py", "src/latest.go", "attestation/a.py", "src/testimony.ts", "src/protest/a.rb")
    assert [path for path in (*tests, *helpers) if not is_test(path)] == []
    assert [path for path in (*helpers, *neither) if is_test_file(path)] == []
    assert [path for path in neither if is_test(path)] == []


def test_some_languages_need_no_import_in_one_folder() -> None:
    assert are_neighbours("tax/a.go", "tax/b.go")
    assert not are_neighbours("tax/a.py", "tax/b.py")
    assert not are_neighbours("tax/a.go", "shop/b.go")
