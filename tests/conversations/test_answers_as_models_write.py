"""A session whose agent answers as models do: headings, labels, lists, tables, quotes, an offer at the end. Hook JSON
in, the brief of the next session out, on both stores."""

from __future__ import annotations

import pytest

from tests.contract.site import Site
from tests.conversations.days import DaySession, chat, lines, work
from tests.conversations.talk import Talk, converse

ANSWER = """I found the problem and fixed it. ✅

**Tried first, did not help:** I raised the timeout of `fetch()` to 30 s. It had no effect.

## Root cause

`points()` read the attributes only. The elevation is a child element, so it was dropped.

## What I changed

1. `points()` reads the `<ele>` child now
2. Points without one are skipped

| File | Change |
|---|---|
| `test/gpx.test.ts` | new test |

## Not done

340 tracks that were imported before today still have no elevation. They have not been re-imported.

Would you like me to write a script for that?"""


@pytest.mark.requirement("MEM-16")
@pytest.mark.requirement("MEM-18")
@pytest.mark.requirement("MEM-19")
@pytest.mark.requirement("MEM-20")
def test_cause_change_and_what_is_open_are_told_in_a_line_each_until_it_is_done(site: Site) -> None:
    async def story(talk: Talk) -> None:
        await work(talk, 0, "imported tracks have no elevation profile, pls fix", ANSWER, "src/gpx.ts")
        [found] = lines(await DaySession(talk, 1).start())
        assert (
            "`points()` read the attributes only. The elevation is a child element, so it was dropped."
            " `points()` reads the `<ele>` child now. Points without one are skipped." in found
        )
        left = "340 tracks that were imported before today still have no elevation. They have not been re-imported."
        assert f" — open: {left} (" in found
        asked = await DaySession(talk, 2).ask("should we raise the timeout of fetch for the imported tracks?")
        assert "It had no effect." in asked
        done = "Done! 🎉\n\nAll 340 tracks were re-imported and have their elevation now.\n\nAnything else?"
        await work(talk, 3, "please import those old tracks again", done, "scripts/reimport.ts")
        brief = await DaySession(talk, 4).start()
        assert "All 340 tracks were re-imported and have their elevation now." in brief
        assert "Open threads" not in brief

    converse(site, story)


@pytest.mark.requirement("MEM-16")
@pytest.mark.requirement("MEM-31")
def test_a_decision_is_told_with_its_reasons_and_a_rule_stays_whole(site: Site) -> None:
    async def story(talk: Talk) -> None:
        decided = (
            "**Decision: MapLibre.**\n\nThe reasons:\n\n* Print needs 300 dpi.\n* It draws vector tiles.\n\nShall I?"
        )
        await work(talk, 0, "should we build the print view with leaflet or maplibre?", decided, "docs/print.md")
        rules = "distances are always metres here, never kilometres. and dont use default exports"
        await chat(talk, 1, rules, "You're absolutely right! Got it:\n- ✅ Distances are metres")
        for day in (2, 3, 4, 20):
            brief = await DaySession(talk, day).start()
            assert "Decision: MapLibre. Print needs 300 dpi. It draws vector tiles." in brief
            assert "“distances are always metres here, never kilometres.”, “and dont use default exports”" in brief
            assert "absolutely right" not in brief
            assert "Shall I" not in brief

    converse(site, story)


@pytest.mark.requirement("MEM-31")
def test_both_rules_of_the_user_are_told_where_the_agent_says_the_same(site: Site) -> None:
    async def story(talk: Talk) -> None:
        rules = "no, distances are always integer metres here, never floats. and dont use golden files for it"
        echo = (
            "`length()` returns distances in integer metres now, and its test compares numbers instead of golden files."
        )
        await work(talk, 0, rules, echo, "src/length.ts")
        await work(
            talk, 1, "tiles are blurred", "Tiles were blurred because `zoom()` was rounded twice.", "src/zoom.ts"
        )
        brief = await DaySession(talk, 2).start()
        assert (
            "“no, distances are always integer metres here, never floats.”, “and dont use golden files for it”" in brief
        )
        assert "length()" not in brief, "of the two, the agent's line goes"
        assert "zoom()" in brief

    converse(site, story)


@pytest.mark.requirement("MEM-20")
@pytest.mark.requirement("MEM-22")
def test_a_prompt_is_answered_by_the_decision_the_dead_end_and_the_words_it_means(site: Site) -> None:
    async def story(talk: Talk) -> None:
        decided = "**Decision: Parquet.** Releases are read by columns, and Parquet stays smallest on disk."
        await chat(talk, 0, "should the new releases be arrow, parquet or csv? just decide", decided)
        hung = (
            "**Tried first, did not help:** I added a retry around `fetch()`. Retrying made it worse.\n\n"
            "**Cause:** `fetch()` has no deadline, so the importer waits forever."
        )
        await work(talk, 1, "the importer freezes", hung, "importer/fetch.py")
        data = (
            "I looked at the ramp of program 7; nothing was changed.\n\n1. **Finding:** it cools with 220 K per hour."
            "\n2. The glaze allows 100 K per hour at the most, so the pots crack.\n3. You want to ask first, so program"
            " 7 is unchanged."
        )
        await chat(talk, 2, "pots crack in program 7. look at the ramp?", data)
        for number in range(8):
            await work(talk, 3, f"page {number} of the atlas", f"Atlas page {number} is drawn now.", f"a/{number}.py")
        for asked, told in (
            ("what did we decide about the file format for releases", "Decision: Parquet."),
            ("the importer hung again last night, should we retry the fetch?", "Retrying made it worse."),
            ("what was that cooling limit of the glaze for program 7?", "The glaze allows 100 K per hour"),
        ):
            assert told in await DaySession(talk, 9).ask(asked), asked
        assert "Parquet" not in await DaySession(talk, 9).ask("what did we decide about the new login page?")

    converse(site, story)
