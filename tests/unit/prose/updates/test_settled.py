"""What was done is known by the kind of deed and by what it was done to, in several languages."""

from __future__ import annotations

import pytest

from holdfast.prose.updates.settled import ANY, deeds_needed, deeds_told


@pytest.mark.requirement("MEM-18")
def test_a_deed_is_read_in_the_languages_that_people_type_and_orders_and_questions_are_none() -> None:
    for text, kind in (
        ("Paula ha fusionado la PR esta mañana", "merge"),
        ("c'est mergé", "merge"),
        ("der PR ist gemergt", "merge"),
        ("das Zertifikat hat Jonas erneuert", "renew"),
        ("token is new, publish", "renew"),
        ("la licencia está renovada", "renew"),
        ("rolled out to eu, thanks. what about us?", "ship"),
        ("la version est déployée", "ship"),
        ("legal signed the contract", "approve"),
        ("Tom released the lock", "open"),
        ("el servidor está reiniciado", "open"),
        ("I re-sent the 40 mails by hand", "run"),
        ("the import went fine last night", "run"),
        ("Karin hat das Passwort eingetragen", "get"),
        ("erledigt", ANY),
        ("ya está", ANY),
        ("merge the PR", ""),
        ("is it merged?", ""),
        ("when it is merged, ship it", ""),
        ("it is not deployed", ""),
        ("rerun the import", ""),
        ("I ran the backfill of orders on prod and it crashed after 5 minutes.", ""),
        ("Legal reviewed the terms page and rejected it.", ""),
        ("The invoices migration was deployed but rolled back, disk still full.", ""),
        ("I tested it against the real SMTP server and it hangs.", ""),
        ("I got the same timeout in the payments export again.", ""),
        ("Ich habe den Import getestet, aber er hängt.", ""),
        ("Die Migration ist ausgerollt und wieder zurückgerollt.", ""),
        ("Recht hat den Text geprüft und abgelehnt.", ""),
        ("I got the keys from ops", "get"),
        ("I re-ran the 212 rejected invoices", "run"),
        ("it is deployed and works again", "ship"),
    ):
        kinds = {each for deed in deeds_told(text) for each in deed.kinds}
        assert (kind in kinds) if kind else not kinds, text
    assert [deed.words for deed in deeds_told("pr is open and merged, thx. now the footer")] == [frozenset()]
    assert [deed.kinds for deed in deeds_told("the PR is merged but not deployed")] == [{"merge"}]
    assert deeds_needed("Jonas has to renew the certificate.") == {"renew"}
    assert {"open", "ship"} <= deeds_needed("Not rolled out: Tom holds the deploy lock.")
