"""Whether later words settle a thread: by a deed that it waits for, done to the same thing, or by a refusal."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.model import SummaryContent
from holdfast.rooms.memory.standing.threads import open_lines
from tests.support.table import each_of
from tests.unit.rooms.memory.made import bash, edit, failed
from tests.unit.rooms.memory.standing.test_threads import lines, ran, session

SETTLED = (
    ("The PO for the new sensors has not been approved yet.", "finance said ok to the PO", "Great.", False),
    (
        "I haven't tested the label printer under Windows.",
        "label printer works fine on windows, tried it",
        "Nice.",
        False,
    ),
    ("Somebody must restart the scheduler after the deploy.", "scheduler is restarted", "Thanks.", False),
    ("The invoices of March still need to be re-sent.", "die Rechnungen vom März sind raus", "Gut.", False),
    ("The supplier must confirm the pinout of J4.", "the supplier confirmed J4", "Noted.", False),
    ("Should I also add a retry to the webhook sender?", "leave the webhook sender alone for now", "Okay.", False),
    (
        "Do you want me to convert the other three notebooks as well?",
        "nah, the other notebooks are fine as they are",
        "Alright.",
        False,
    ),
    (
        "The docs for `sync --all` are still missing.",
        "never mind the docs for sync --all, we remove that flag next month",
        "Understood.",
        False,
    ),
    ("The old dashboard still has to be switched off.", "der alte Dashboard ist abgeschaltet", "Gut.", False),
    (
        "The S3 bucket policy must be changed by the platform team.",
        "platform team updated the bucket policy",
        "Good.",
        False,
    ),
    (
        "The tablets in the warehouse still run version 3.1.",
        "all tablets in the warehouse are on 3.2 since monday",
        "Great.",
        False,
    ),
    ("The backup of the wiki has not been restored yet.", "le backup du wiki est restauré", "Parfait.", False),
    (
        "I could not reach the staging database, so the migration is untested there.",
        "migration ran on staging without problems",
        "Good.",
        False,
    ),
    (
        "The domain sourdough.example must be transferred before the launch.",
        "the domain is ours now, transfer went through",
        "Great!",
        False,
    ),
    ("Die Übersetzungen für Polnisch fehlen noch.", "polnisch ist jetzt übersetzt", "Danke.", False),
    ("Falta subir el certificado al balanceador.", "ya subí el certificado", "Perfecto.", False),
    (
        "Keyboard navigation in the date picker is untested.",
        "check keyboard navigation of the date picker",
        "Arrow keys, Home and End all work in the date picker.",
        False,
    ),
    (
        "Two e2e specs are still red: `checkout` and `coupon`.",
        "make the two specs green",
        "`checkout` and `coupon` pass again; they waited for a removed spinner.",
        True,
    ),
    ("The changelog entry for 4.2 is still missing.", "write it", "CHANGELOG.md has an entry for 4.2 now.", True),
    (
        "I have not measured the effect on cold starts.",
        "measure cold starts",
        "Cold starts went from 2.1 s to 0.9 s.",
        False,
    ),
    (
        "The PDF export still uses the old logo.",
        "use the new logo there too",
        "The PDF export shows the new logo.",
        True,
    ),
    (
        "Next step: wire the tax service into checkout.",
        "go on with the next step",
        "Checkout calls the tax service for every cart.",
        True,
    ),
    (
        "The nightly job is still paused.",
        "turn the nightly job on again",
        "The nightly job is enabled again and ran at 02:00.",
        False,
    ),
    (
        "Error messages are not translated yet.",
        "translate them",
        "All 48 error messages have French and German texts now.",
        True,
    ),
    (
        "The DNS record for api.example.com still has to be changed by ops.",
        "ops changed the DNS record this morning",
        "Great, thanks for telling me.",
        False,
    ),
    ("Should I also add an index on created_at?", "not now", "OK.", False),
    ("The load test has not been run yet.", "forget the load test", "Okay.", False),
    ("Safari is untested.", "check safari", "Works in Safari 17 as well.", True),
    (
        "Two instrumented tests still fail: `dark_mode` and `locale` look up the old view ids.",
        "fix those two tests",
        "Both instrumented tests pass; they find nodes by text now.",
        True,
    ),
    ("The certificate expires on Friday and must be renewed.", "cert is renewed", "Noted.", False),
    (
        "The translations for French are missing.",
        "skip the French translations, we dropped that market",
        "Understood.",
        False,
    ),
    (
        "The hydraulics team has to sign off the new torque limits.",
        "hydraulics gave their ok for the torque limits",
        "Noted.",
        False,
    ),
    (
        "The seed vault export still fails for accessions without a genus.",
        "fix it",
        "Accessions without a genus are exported with an empty column.",
        True,
    ),
    (
        "Nobody has reviewed the Terraform plan yet.",
        "I went through the terraform plan, looks good, approved",
        "Thanks.",
        False,
    ),
    (
        "The Kafka topic `orders.v2` must be created by the platform team before the release.",
        "topic orders.v2 exists since this morning",
        "Good.",
        False,
    ),
    (
        "Das Firmware-Update auf den Türschlössern steht noch aus.",
        "firmware update ist auf allen türschlössern drauf",
        "Super.",
        False,
    ),
    ("Die Lizenz für den PDF-Renderer muss noch verlängert werden.", "Lizenz ist verlängert bis 2028", "Gut.", False),
    ("Der Lasttest ist noch nicht gelaufen.", "lasttest brauchen wir nicht mehr", "Alles klar.", False),
    ("Il reste à traduire les messages d'erreur.", "les messages d'erreur sont traduits", "Parfait.", False),
    ("Queda pendiente migrar los usuarios antiguos.", "los usuarios antiguos ya están migrados", "Perfecto.", False),
    ("I could not verify the fix on an iPad.", "just tried it on my iPad, all fine", "Great.", False),
    (
        "The staging bucket still has the old CORS policy.",
        "CORS policy on the staging bucket is updated",
        "Good.",
        False,
    ),
    ("Somebody has to replace the fan in rack 4.", "the fan in rack 4 has been swapped", "Good.", False),
    ("Want me to clean up the unused feature flags?", "no thanks", "Okay.", False),
    ("Shall I move the cron jobs to systemd timers as well?", "the cron jobs can stay", "Okay.", False),
    ("The 14 duplicate labels have to be reprinted by hand.", "labels are reprinted", "Good.", False),
    (
        "The accessibility audit is still open.",
        "run the accessibility audit",
        "The accessibility audit found three contrast errors, all fixed now.",
        True,
    ),
    (
        "The glossary is not linked from the sidebar yet.",
        "add it to the sidebar",
        "The sidebar links to the glossary.",
        True,
    ),
    (
        "The GPS drift on tunnels is still unexplained.",
        "look into the gps drift in tunnels",
        "The GPS drift in tunnels came from a stale almanac; it is refreshed hourly now.",
        True,
    ),
    ("I did not add a test for the leap second case.", "please do", "`test_leap_second` covers 2016-12-31.", True),
    ("The radio tower in Brno still runs firmware 2.0.", "brno tower got 2.1 last night", "Good.", False),
    ("Kenji has to review the schema change.", "Kenji reviewed the schema, no complaints", "Good.", False),
    ("The bank has not confirmed the test account yet.", "test account is confirmed by the bank", "Great.", False),
    ("We are waiting for the cooling loop parts.", "the parts for the cooling loop arrived", "Great.", False),
    (
        "The export for the tax office is untested with real data.",
        "I ran the tax office export with real data, looks right",
        "Good.",
        False,
    ),
    ("Somebody must delete the old snapshots on node 3.", "old snapshots on node 3 are deleted", "Good.", False),
    (
        "The Spanish voice prompts have to be re-recorded.",
        "spanish prompts are re-recorded and uploaded",
        "Good.",
        False,
    ),
    ("Should I also rename the enum in the mobile app?", "no, the mobile app keeps its name", "Okay.", False),
    ("The pager rotation must be updated before Monday.", "pager rotation done", "Good.", False),
    (
        "Der Vertrag mit dem Hoster muss noch unterschrieben werden.",
        "vertrag mit dem hoster ist unterschrieben",
        "Gut.",
        False,
    ),
    ("Die Kamera in Halle 2 ist noch nicht kalibriert.", "kamera in halle 2 kalibriert", "Gut.", False),
    ("Das Backup vom NAS muss noch getestet werden.", "vergiss das NAS backup, das gerät kommt weg", "Gut.", False),
    ("Il faut encore que Sophie signe le devis.", "Sophie a signé le devis", "Parfait.", False),
    (
        "Todavía falta desplegar el servicio de pagos en producción.",
        "el servicio de pagos ya está desplegado en producción",
        "Bien.",
        False,
    ),
    (
        "The rate limiter is not enabled in production yet.",
        "enable it",
        "The rate limiter is enabled in production since 10:15.",
        False,
    ),
    ("The map tiles for Iceland are still missing.", "add them", "Map tiles for Iceland are in the bundle.", True),
    (
        "I have not benchmarked the new codec on ARM.",
        "do that",
        "On ARM the new codec takes 12 ms per frame, the old one 31 ms.",
        False,
    ),
    (
        "The `fx_rates` job still fails on weekends.",
        "fix it please",
        "`fx_rates` uses Friday's rates on weekends, so the job passes.",
        True,
    ),
    (
        "The onboarding mail has not been proofread.",
        "proofread it",
        "I proofread the onboarding mail and corrected four typos.",
        True,
    ),
    (
        "The heat pump driver was not tested against the v2 protocol.",
        "the v2 protocol works with the heat pump driver, we tried it on site",
        "Good.",
        False,
    ),
    ("Nobody has access to the Grafana of the plant.", "I have access to the plant grafana now", "Good.", False),
    ("Soll ich auch die Exportfunktion anpassen?", "nein, den export nicht", "Gut.", False),
    (
        "Still to do: the limiter forgets its counters on restart, they should go to Redis.",
        "make the counters survive a restart",
        "Counters are kept in Redis under `rl:<key>`, so a restart resets nothing.",
        True,
    ),
    (
        "Still to do: the search field looks at the current page only.",
        "search must look at everything",
        "Searching goes to the server and finds rows of all pages.",
        True,
    ),
    (
        "Not done: the dashboards in Grafana say `booker`.",
        "fix grafana too",
        "All four dashboards say `ledger`.",
        True,
    ),
    (
        "It is not in cron yet, because I don't know which user should run it.",
        "user is `ops`, 3am",
        "Cron runs it as `ops` at 03:00.",
        True,
    ),
    (
        "Offen: Stornos bekommen noch keine eigene Nummer.",
        "stornos brauchen eigene nummern, präfix S",
        "Stornos zählen in einem eigenen Kreis mit dem Präfix S.",
        True,
    ),
    (
        "Not done yet: errors of the importer are not logged.",
        "log them",
        "The importer writes a line for each error, with the row.",
        True,
    ),
    (
        "Left for later: avatars are stretched on phones.",
        "crop the avatars there",
        "Phones show a square part of each avatar, nothing is stretched.",
        True,
    ),
)
"""What was left open; what the user says later, what the agent answers, and whether it writes a file."""


def is_open_after(left: str, asked: str, said: str, *, writes: bool) -> bool:
    done = "Orders are written in one transaction now."
    made = session(1, "Write orders at once", f"{done} {left}", edit("a.py"), ran(bash("pytest -q", "5 passed"), 2))
    [told] = lines(made)
    return told in lines(made, session(2, asked, said, *([edit("b.py", number=3)] if writes else [])))


@pytest.mark.requirement("MEM-18")
@each_of(("left", "asked", "said", "writes"), SETTLED)
def test_a_thread_is_over_when_anybody_did_it_or_the_user_does_not_want_it(
    left: str, asked: str, said: str, writes: bool
) -> None:
    assert not is_open_after(left, asked, said, writes=writes)


@pytest.mark.requirement("MEM-18")
def test_a_point_under_next_steps_is_settled_alone_and_a_not_now_settles_what_was_asked_once() -> None:
    steps = (
        "The navmesh has one layer per size class now.\n\n### Next steps\n"
        "- Re-bake the `crypt` level by hand; the tool can't open the old format\n- Profile memory on the Switch build"
    )
    made = session(1, "Enemies get stuck in doorways", steps, edit("path.cpp"))
    assert len(lines(made)) == 2
    [left] = lines(made, session(2, "crypt is re-baked by hand now, all good", "Good."))
    assert "Switch" in left
    first = session(1, "Add orders", "Orders are kept. Should I also add an index on created_at?", edit("a.py"))
    second = session(2, "Add carts", "Carts are kept. Should the cart expire after an hour?", edit("b.py"))
    assert lines(first, session(3, "not now", "OK.")) == []
    assert len(lines(first, second, session(3, "not now", "OK."))) == 2, "nobody knows which"
    assert lines(first, session(3, "yes please", "The index is there.", edit("a.py"))) == []


FOUND = (
    "With Steam Input on, a press comes as a pad button and as a key in the same frame. `Pad.Poll()` adds up all"
    " devices, so the dash goes off twice.\n\nIt is not fixed yet: `Pad.Poll()` is unchanged, only the test is there."
)
MENDED = "A press counts once now: `Pad.Poll()` drops the emulated key if the pad reported the same press."


@pytest.mark.requirement("MEM-18")
@pytest.mark.parametrize(
    ("asked", "said", "file", "is_over"),
    [
        ("finish the double dash with the controller", MENDED, "src/Input/Pad.cs", True),
        ("the menu flickers", "The menu is drawn once per frame now.", "src/Ui/Menu.cs", False),
        ("a new sprite for the dash", "The dash has a new sprite, `dash_2.png`.", "src/Art/Sprites.cs", False),
    ],
)
def test_what_was_found_and_not_fixed_is_over_when_that_code_is_mended(
    asked: str, said: str, file: str, is_over: bool
) -> None:
    found = session(1, "dash fires twice with a controller, look for ten minutes", FOUND, edit("tests/PadTests.cs"))
    assert lines(found)
    later = session(2, asked, said, edit(file, number=2), ran(bash("pytest -q", "5 passed"), 3))
    assert (lines(found, later) == []) is is_over


@pytest.mark.requirement("MEM-18")
@pytest.mark.parametrize(
    ("asked", "is_over"),
    [
        ("from now on we don't retry bookings: the carrier bills every attempt. set retries to 0", False),
        ("add a retry to the booking client", False),
        ("protection is off, retry", True),
    ],
)
def test_who_speaks_of_retries_has_not_asked_to_try_again(asked: str, is_over: bool) -> None:
    refused = "Exit code 1\nremote: error: GH006: Protected branch update failed"
    pushed = ran(failed("Bash", {"command": "git commit -qam x && git push"}, refused))
    left = session(1, "bump to 1.3.0 and push", "1.3.0 is committed, but the push was rejected.", edit("V"), pushed)
    assert lines(left)
    later = session(2, asked, "`RETRIES` is 0 now.", edit("client.py", number=3), ran(bash("pytest", "3 passed"), 4))
    assert (lines(left, later) == []) is is_over


@pytest.mark.requirement("MEM-18")
@each_of(
    ("target", "is_over"),
    [("prod", True), ("production", True), ("staging", False), ("preview", False)],
)
def test_what_waits_for_production_does_not_end_on_staging(target: str, is_over: bool) -> None:
    left = session(
        1, "tag the menu service", "2.4 is tagged. Production still has 2.3, the night shift deploys.", edit("V")
    )
    assert lines(left)
    later = session(2, "deploy it", "2.4 is there.", ran(bash(f"./deploy.sh {target}", "ok"), 3))
    assert (lines(left, later) == []) is is_over


@pytest.mark.requirement("MEM-18")
@each_of(
    ("said", "file", "is_over"),
    [
        ("The page on the kiln has a part about the cooling curve, with a picture.", "docs/kiln.md", True),
        ("The page on clay says where it is bought.", "docs/clay.md", False),
        ("The cooling curve of the kiln is smoother.", "kiln.py", False),
    ],
)
def test_what_nobody_had_described_is_over_when_a_text_tells_it(said: str, file: str, is_over: bool) -> None:
    told = "The kiln follows a cooling curve. The manual does not mention it yet."
    left = session(1, "a cooling curve for the kiln", told, edit("kiln.py"))
    assert lines(left)
    assert (lines(left, session(2, "write on", said, edit(file, number=2))) == []) is is_over


@pytest.mark.requirement("MEM-17")
@each_of(
    ("said", "is_over"),
    [
        ("The oven test builds again.", False),
        ("The site of the bakery builds again.", True),
        ("CI is green on all three systems.", True),
        ("CI is not green yet.", False),
        ("The recipe page has a picture.", False),
    ],
)
def test_a_failure_is_over_when_it_is_told_to_work_whatever_command_showed_it(said: str, is_over: bool) -> None:
    broken = ran(failed("Bash", {"command": "pytest tests/test_site.py"}, "Exit code 1\n1 failed in 1s"))
    left = session(1, "why is it red", "The site of the bakery does not build: a picture is missing.", broken)
    assert any(line.startswith("Still fails") for line in lines(left))
    later = session(2, "go on", said, edit("site.toml", number=3))
    assert (not any(line.startswith("Still fails") for line in lines(left, later))) is is_over


@pytest.mark.requirement("MEM-17")
@each_of(
    ("command", "printed", "is_over"),
    [
        ("npx vitest run", "Test Files  2 passed (2)\n     Tests  18 passed (18)", False),
        ("pytest tests/bread", "18 passed in 4.1s", True),
        ("", "", True),
    ],
)
def test_who_ran_another_suite_speaks_of_that_one(command: str, printed: str, is_over: bool) -> None:
    broken = ran(failed("Bash", {"command": "pytest tests/test_site.py"}, "Exit code 1\n1 failed in 1s"))
    left = session(1, "round the prices", "Prices are rounded to cents in `price.py` now.", edit("price.py"), broken)
    said = "Orders without a price keep null now in `orders.ts`. The whole test suite passes in 4 s on both machines."
    run = (ran(bash(command, printed), 3),) if command else ()
    later = session(2, "orders get lost", said, edit("orders.ts", number=2), *run)
    assert (not any(line.startswith("Still fails") for line in lines(left, later))) is is_over


@pytest.mark.requirement("MEM-18")
@each_of(
    ("said", "is_over"),
    [
        ("Counts are kept on disk now under `gate/`, so a restart no longer clears them.", True),
        ("The gate shows its counts on the door.", False),
    ],
)
def test_a_weak_verb_is_done_in_other_words(said: str, is_over: bool) -> None:
    told = "Badges move the gate. Still to do: the gate forgets its counts on a restart, they should go to disk."
    left = session(1, "move the gate by badge", told, edit("gate.go"))
    assert lines(left)
    assert (lines(left, session(2, "go on", said, edit("gate.go", number=2))) == []) is is_over


@pytest.mark.requirement("MEM-18")
@each_of(
    ("asked", "is_over"),
    [
        ("the icon is exchanged and the release of the app is out", True),
        ("the icon is exchanged and the release of the app is not out", False),
        ("the icon is exchanged", False),
    ],
)
def test_a_report_of_two_deeds_tells_both(asked: str, is_over: bool) -> None:
    left = session(1, "release", "The release of the app still has to be published by Mira.", edit("V"))
    assert lines(left)
    assert (lines(left, session(2, asked, "Good.", edit("notes.txt", number=2))) == []) is is_over


@pytest.mark.requirement("MEM-18")
@each_of(
    ("line", "later", "settled"),
    [
        ("It isn't merged and waits for his sign-off.", "`entrapment` is merged and pushed.", True),
        ("Sin merge: espera al contrato.", "`entrapment` está mezclada en `main` y subida.", True),
        ("Not merged yet: the audit comes first.", "`entrapment` is not merged, the audit took a week more.", False),
        ("It isn't merged and waits for his sign-off.", "`invoices` is merged and pushed.", False),
        ("The merge job still needs a second worker.", "`entrapment` is merged and pushed.", False),
        ("It isn't merged and waits for his sign-off.", "I merged main into entrapment.", False),
        ("It isn't merged and waits for his sign-off.", "`entrapment` needs to be merged by Ana.", False),
        ("It isn't merged and waits for his sign-off.", "The merge of entrapment failed.", False),
        ("It isn't merged and waits for his sign-off.", "entrapment will be merged on Friday.", False),
    ],
)
def test_a_branch_that_was_merged_waits_no_longer_to_be_merged(line: str, later: str, settled: bool) -> None:
    before = SummaryContent(request="a screen", title="The screen is there.", left_open=line, branch="entrapment")
    after = SummaryContent(request="all good, go ahead", title=later, said=later, files=("a.kt",))
    assert (open_lines(before, (), [after]) == []) is settled


@pytest.mark.requirement("MEM-18")
def test_who_is_named_at_the_end_of_a_sentence_may_report() -> None:
    before = SummaryContent(title="Arreglado.", left_open="Pendiente: el recálculo desde marzo, que lanza Iker.")
    after = SummaryContent(request="iker: release pasado y desde marzo está todo rehecho", title="Estupendo.")
    assert open_lines(before, (), [after]) == []


@pytest.mark.requirement("MEM-18")
@each_of(
    ("done", "file", "same_talk", "settled"),
    [
        ("Committed: Redeem a token once", "", True, True),
        ("Pushed", "", True, True),
        ("Committed: Redeem a token once", "src/refresh.go", False, True),
        ("Committed: The manual", "docs/manual.md", False, False),
        ("Edited src/refresh.go", "src/refresh.go", True, False),
    ],
)
def test_what_is_not_committed_is_over_when_it_is(done: str, file: str, same_talk: bool, settled: bool) -> None:
    line = "Not committed yet, since it adds a module."
    before = SummaryContent(request="a fault", title="Found.", left_open=line, files=("src/refresh.go",))
    after = SummaryContent(request="no modules", title="Redone.", done=done, files=(file,) if file else ())
    talk, later = ([after], []) if same_talk else ([], [after])
    assert (open_lines(before, talk, later) == []) is settled
