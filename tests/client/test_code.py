"""The code index with the real client: the lines reach the model at the Read that precedes an edit, once, and never
name what is gone."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.request import Kind
from tests.client.bed.script import Say, Use
from tests.client.held import install, settled
from tests.support.daemon import DaemonHome, until
from tests.support.repositories import SHOP, write

TESTS = "Tests of tax.py: tests/test_tax.py (test_half_up)"
USERS = "tax.py is used in: src/shop/invoice.py (round_vat)"


def given(api: Api, session: str) -> list[tuple[str, list[str]]]:
    """(hook, lines) of what the code room gave in a session, in order."""
    found: dict[str, tuple[str, list[str]]] = {}
    for request in api.of(Kind.MAIN):
        if request.session == session:
            for said in request.texts():
                for hook, text in re.findall(
                    r"(\w+)(?::\w+)? hook additional context: "
                    r".*?<holdfast-context from=\"code\"[^>]*>\n(.*?)\n</holdfast",
                    said.text,
                    re.DOTALL,
                ):
                    found.setdefault(text, (hook, text.splitlines()))
    return list(found.values())


def read(claude: Claude, path: str = "src/shop/tax.py") -> Use:
    return Use("Read", {"file_path": str(claude.project / path)})


def ask(daemon: DaemonHome, tool: str, folder: Path, **arguments: str) -> tuple[int, object]:
    body = json.dumps(arguments | {"folder": str(folder)}).encode()
    return daemon.request("POST", f"/api/tools/{tool}", body)


@pytest.mark.requirement("CTX-1", "CTX-3")
def test_a_read_before_an_edit_tells_tests_and_users_and_nothing_stale(
    claude: Claude, api: Api, daemon: DaemonHome
) -> None:
    install(claude, daemon)
    write(claude.project, SHOP)
    claude.git("add", ".")
    claude.git("commit", "--quiet", "--message", "A shop")

    # The first Read has the repository indexed, in the background.
    api.script(read(claude), Say("Read."))
    first = claude.run("Look at the tax.")
    settled(daemon, first.session, "SessionEnd")
    until(lambda: ask(daemon, "search_code", claude.project, query="round")[0] == 200, "the repository is indexed")
    assert given(api, first.session) == []

    # A later session is told at its Read, once. Its own edits count at once: the file that used it is renamed,
    # another one begins to use it, the test goes.
    till = "from shop.tax import round_vat\n\n\ndef pay():\n    return round_vat(1)\n"
    move = Use("Bash", {"command": "git mv src/shop/invoice.py src/shop/billing.py", "description": "Rename"})
    make = Use("Write", {"file_path": str(claude.project / "src/shop/till.py"), "content": till})
    drop = Use("Bash", {"command": "git rm -q tests/test_tax.py", "description": "Drop the test"})
    api.script(read(claude), read(claude), move, make, drop, Say("Done."))
    second = claude.run("Move the invoice.")
    settled(daemon, second.session, "SessionEnd")
    assert given(api, second.session) == [("PreToolUse", [TESTS, USERS])]

    # The next session is told what is there now, and nothing that is gone.
    api.script(read(claude), Say("Read."))
    third = claude.run("Look at the tax again.")
    told = [line for _, lines in given(api, third.session) for line in lines]
    assert not any("test_tax.py" in line or "invoice.py" in line for line in told), told
    found = ask(daemon, "search_code", claude.project, query="round vat")[1]
    assert {"src/shop/billing.py", "src/shop/till.py"} <= {each["path"] for each in found["found"]}  # type: ignore[index]
    api.script(read(claude), Say("Read."))
    fourth = claude.run("And once more.")
    assert given(api, fourth.session) == [
        ("PreToolUse", ["tax.py is used in: src/shop/billing.py (round_vat), src/shop/till.py (round_vat)"])
    ]

    # What is remembered of a function that is gone says so, in the words that reach the model.
    words = {
        "text": "`round_vat` rounds half up: the accounting department confirmed it.",
        "project": str(claude.project),
    }
    assert daemon.request("POST", "/api/tools/remember", json.dumps(words).encode())[0] == 200
    write(claude.project, {"src/shop/tax.py": "def vat_half_up(amount):\n    return amount\n"})
    api.script(Say("It was confirmed."))
    claude.run("Why do we round half up, what did the accounting department confirm?")
    assert api.reached("round_vat no longer exists in src/shop/tax.py")
