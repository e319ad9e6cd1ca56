"""The code index in a conversation: a repository is indexed by itself, a Read brings tests and users of the file, and
what is gone is never named. On both stores, though the index is in neither."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from holdfast.doors.tools import call
from holdfast.errors import NothingFound, UsageError
from holdfast.events.going import Going
from holdfast.items.sources import ContextQuery
from holdfast.rooms.code import forget_hooks
from holdfast.rooms.code.service import Code
from holdfast.rooms.code.tools import lines_for
from holdfast.rooms.code.verbs import searched
from holdfast.source.index_file import IndexFile
from tests.contract.site import Site
from tests.conversations.session import Session
from tests.conversations.talk import Talk
from tests.support.repositories import git, make_shop, write

TESTS = "Tests of tax.py: tests/test_tax.py (test_half_up)"
USERS = "tax.py is used in: src/shop/invoice.py (round_vat)"


async def tool(talk: Talk, name: str, folder: Path, **arguments: Any) -> Any:
    """A person asks by the command line, in a folder."""
    found = talk.composed.declared.tools[name]
    result = await call(found, json.dumps(arguments).encode(), talk.caller(folder=str(folder)))
    return msgspec.to_builtins(result)


def lines(given: str) -> list[str]:
    """What the code room gave."""
    return [line for line in given.splitlines() if " of tax.py: " in line or " is used in: " in line]


async def read(session: Session, path: str = "src/shop/tax.py", **more: Any) -> list[str]:
    given = lines(await session.use("Read", {"file_path": f"{session.cwd}/{path}"} | more, {}))
    await session.talk.services.get(Code).settled()
    return given


def tell(site: Site, home: Path, *stories: Any) -> None:
    """Each story with a daemon of its own, in one home."""

    async def told(store: Any) -> None:
        home.mkdir(exist_ok=True)
        for story in stories:
            talk = Talk(store, home=home)
            try:
                await story(talk)
            finally:
                await talk.services.get(Code).settled()
                await talk.services.get(Code).worker.close()

    site.tell(told)


@pytest.mark.requirement("CTX-3")
def test_a_read_brings_the_tests_and_the_users_of_a_file_once_and_never_what_is_gone(
    site: Site, tmp_path: Path
) -> None:
    shop = make_shop(tmp_path / "shop")

    async def first(talk: Talk) -> None:
        one = Session(talk, "s1", str(shop))
        assert await read(one) == [], "not indexed yet"
        assert [name for name, _ in talk.asked.values() if name.startswith("code.")] == ["code.index"]
        await talk.settle()
        assert await read(one) == [TESTS, USERS]
        assert await read(one) == [], "it is no news any more"
        assert await read(one.helper("a1")) == [TESTS, USERS], "a subagent has a context of its own"
        assert await read(one, "src/shop/cart.py") == []
        assert await read(one, "README.md") == []
        assert await read(Session(talk, "s2", str(shop)), offset=1, limit=2) == [], "no function is in these lines"
        (tmp_path / "link").symlink_to(shop)
        assert await read(Session(talk, "s2b", str(tmp_path / "link"))) == [TESTS, USERS], "by another spelling"

        # An edit and a command that wrote a file: the user of the file is another one now.
        write(shop, {"src/shop/invoice.py": "def make_invoice(items):\n    return 0\n"})
        write(shop, {"src/shop/till.py": "from shop import tax\n\n\ndef pay():\n    return tax.round_vat(1)\n"})
        invoice = {"file_path": str(shop / "src/shop/invoice.py"), "old_string": "a", "new_string": "b"}
        await one.use("Edit", invoice, {})
        made = {"files": [{"filePath": str(shop / "src/shop/till.py"), "hunks": [], "created": True}]}
        told = {"stdout": "", "stderr": "", "bashEditDiff": made | {"moreFiles": 0, "changedFiles": 1}}
        await one.use("Bash", {"command": "make till"}, told)
        await talk.services.get(Code).settled()
        assert await read(Session(talk, "s3", str(shop))) == [TESTS, "tax.py is used in: src/shop/till.py (round_vat)"]

        # Nothing stale: deleted by a command that tells nothing, renamed, on another branch.
        (shop / "tests/test_tax.py").unlink()
        assert TESTS not in await read(Session(talk, "s4", str(shop)))
        git(shop, "checkout", "-q", "--", ".")
        await one.bash("git checkout -- .")
        await read(Session(talk, "s5", str(shop)))
        git(shop, "mv", "src/shop/invoice.py", "src/shop/billing.py")
        (shop / "src/shop/till.py").unlink()
        await one.bash("git mv src/shop/invoice.py src/shop/billing.py")
        assert USERS not in await read(Session(talk, "s6", str(shop)))
        talk.services.get(Code).trees[str(shop)].compared_at = 0  # type: ignore[union-attr]
        await one.bash("true")
        await read(Session(talk, "s7", str(shop)))
        assert await read(Session(talk, "s8", str(shop))) == [
            TESTS,
            "tax.py is used in: src/shop/billing.py (round_vat)",
        ]

        # Switched off by the project; switched off while recording is paused is the road's business.
        (shop / ".holdfast.toml").write_text("[code]\nat_read = false\n")
        assert await read(Session(talk, "s9", str(shop))) == []
        (shop / ".holdfast.toml").unlink()

    async def after_a_restart(talk: Talk) -> None:
        assert await read(Session(talk, "s8", str(shop))) == [], "this session was told before the restart"
        assert len(await read(Session(talk, "s10", str(shop)))) == 2

    tell(site, tmp_path / "home", first, after_a_restart)


@pytest.mark.requirement("CTX-3", "CTX-4")
def test_a_read_brings_three_lines_at_most_from_code_and_commits_together(site: Site, tmp_path: Path) -> None:
    shop = make_shop(tmp_path / "shop")
    use = "from shop.tax import round_vat\n\n\ndef {}():\n    round_vat({})\n"
    for step in range(4):
        write(shop, {f"src/shop/user_{n}.py": use.format(f"use_{n}", step) for n in range(9)})
        write(shop, {f"tests/test_tax_{n}.py": use.format(f"test_{n}", step) for n in range(9)})
        with (shop / "src/shop/tax.py").open("a") as file:
            file.write(f"# {step}\n")
        git(shop, "add", ".")
        git(shop, "commit", "-qm", f"step {step}")

    async def story(talk: Talk) -> None:
        one = Session(talk, "s1", str(shop))
        await one.start()
        await read(one)
        await talk.settle()
        given = await Session(talk, "s2", str(shop)).use("Read", {"file_path": f"{shop}/src/shop/tax.py"}, {})
        said = [line for line in given.splitlines() if line.strip() and "holdfast-context" not in line]
        begins = ["Tests of tax.py", "Usually changes together with src/shop/tax.py", "tax.py is used in"]
        assert [line.split(":")[0] for line in sorted(said)] == begins
        assert [line for line in said if "test_tax_0.py" in line and line.startswith("Usually")] == [], "named once"

    tell(site, tmp_path / "home", story)


@pytest.mark.requirement("CTX-3")
def test_code_is_searched_compared_and_outlined_as_it_stands_on_the_disk(site: Site, tmp_path: Path) -> None:
    shop = make_shop(tmp_path / "shop")

    async def story(talk: Talk) -> None:
        with pytest.raises(NothingFound, match="not indexed yet"):
            await tool(talk, "search_code", shop, query="round")
        with pytest.raises(UsageError, match="no project"):
            await tool(talk, "index_code", Path("/"))
        done = await tool(talk, "index_code", shop / "src")
        assert (done["done"], done["total"], done["next"]) == (5, 5, None)
        assert done["index"]["units"] == 5

        found = (await tool(talk, "search_code", shop, query="rounding the VAT amount"))["found"]
        assert found[0]["name"] == "round_vat"
        assert (found[0]["path"], found[0]["line"]) == ("src/shop/tax.py", 4)
        assert found[0]["signature"] == "def round_vat(amount):"
        assert (await tool(talk, "search_code", shop, query="hidden_function"))["found"] == []
        classes = (await tool(talk, "search_code", shop, query="cart add item", kind="class"))["found"]
        assert [each["name"] for each in classes] == ["Cart"]

        # Changed on the disk, without any event: the answer is of this moment all the same.
        write(shop, {"src/shop/tax.py": "\n\ndef vat_rounded(amount):\n    return amount\n"})
        talk.services.get(Code).trees[str(shop)].is_behind = True  # type: ignore[union-attr]
        found = (await tool(talk, "search_code", shop, query="rounding the VAT amount"))["found"]
        assert ("src/shop/tax.py", "vat_rounded", 3) in [(each["path"], each["name"], each["line"]) for each in found]
        assert "round_vat" not in [each["name"] for each in found]

        copy = "def add_thing(self, thing):\n    self.things.append(thing)\n"
        similar = (await tool(talk, "find_similar_code", shop, code=copy))["found"]
        assert similar[0]["name"] == "Cart.add_item"
        named = (await tool(talk, "find_similar_code", shop, code="src/shop/cart.py:2"))["found"]
        assert "Cart.add_item" not in [each["name"] for each in named], "not itself"
        with pytest.raises(NothingFound):
            await tool(talk, "find_similar_code", shop, code="nothing.py:3")

        outline = await tool(talk, "outline_file", shop, file="src/shop/cart.py")
        assert [(part["kind"], part["name"], part["line"]) for part in outline["parts"]] == [
            ("class", "Cart", 1),
            ("method", "Cart.add_item", 2),
        ]
        with pytest.raises(NothingFound):
            await tool(talk, "outline_file", shop, file="missing.py")

        # For an assembled context: a name that is written as code surely fits; unasked, nothing else is looked for.
        async def context(text: str, *, unasked: bool = False) -> list[tuple[str, float]]:
            query = ContextQuery(text, "me", "", str(shop), 0, 5, unasked)
            return [(line.text, line.fit) for line in await lines_for(query, talk.services)]

        sure = ("file: def vat_rounded(amount): (src/shop/tax.py:3)", 1.0)
        assert (await context("Why is `vat_rounded` wrong?"))[0] == sure
        assert await context("Why is vat_rounded() wrong?", unasked=True) == [sure]
        assert [fit for _, fit in await context("rounding the vat amount")][:1] == [0.0]
        assert await context("rounding the vat amount", unasked=True) == []

        # From elsewhere, the project may be named by its folder.
        await Session(talk, "s1", str(shop)).start()
        made = await tool(talk, "assemble_context", tmp_path, query="rounding the vat amount", project=str(shop))
        assert sure[0] in made["markdown"]

        # A worktree that is removed is forgotten at the daily tidying, also when nobody reads the project again.
        git(shop, "worktree", "add", "-q", str(tmp_path / "second"))
        await tool(talk, "index_code", tmp_path / "second")
        git(shop, "worktree", "remove", "--force", str(tmp_path / "second"))
        code = talk.services.get(Code)
        await code.tidy()
        with closing(IndexFile(code.index_of(str(shop)))) as index:
            assert list(index.trees()) == [str(shop)]

        # A file is shown by its name.
        listed = await tool(talk, "search_code", shop, query="shop tax import")
        [named] = [each for each in listed["found"] if each["kind"] == "file" and each["path"] == "tests/test_tax.py"]
        assert next(searched({"found": [named], "note": ""}, 80)).endswith("  file test_tax.py")

        # Forget: an index that holds the words goes, and is made anew from what is on the disk.
        folder = tmp_path / "home" / "code"
        assert forget_hooks.forget_files(folder, Going(text="never written anywhere")) == 0
        assert list(folder.glob("*.db"))
        assert forget_hooks.forget_files(folder, Going(text="make_invoice")) == 0, "what is made anew is not forgotten"
        assert list(folder.glob("*.db*")) == []
        forget_hooks.forgotten(talk.services)
        with pytest.raises(NothingFound):
            await tool(talk, "search_code", shop, query="round")

    tell(site, tmp_path / "home", story)
