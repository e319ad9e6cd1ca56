"""What a heading or a label says of the words below it."""

from __future__ import annotations

import pytest

from holdfast.prose.roles import Role, role_of
from holdfast.rooms.memory.summaries.by_rules.work import Work
from holdfast.rooms.memory.summaries.by_rules.writing import sum_up
from tests.support.table import each_of
from tests.unit.rooms.memory.made import edit

_LABELS: tuple[tuple[str, Role], ...] = (
    ("What I found", "finding"),
    ("What we saw", "finding"),
    ("What's wrong", "finding"),
    ("Before", "finding"),
    ("Vorher", "finding"),
    ("What I changed", "change"),
    ("What we did", "change"),
    ("After", "change"),
    ("Jetzt", "change"),
    ("What I tried first", "tried"),
    ("What it was", "finding"),
    ("What it was not", "tried"),
    ("Pendente", "open"),
    ("Pendiente", "open"),
    ("Queda por hacer", "open"),
    ("Correção", "change"),
    ("Corrección", "change"),
    ("Solution", "change"),
    ("Motivo", "finding"),
)


@pytest.mark.requirement("MEM-16")
@each_of(("label", "role"), _LABELS)
def test_a_label_says_whether_the_cause_or_the_change_follows(label: str, role: Role) -> None:
    assert role_of(label) == role


@pytest.mark.requirement("MEM-17")
@pytest.mark.parametrize(
    ("found", "changed"), [("What I found", "What I changed"), ("Diagnosis", "Fix"), ("Before", "After")]
)
def test_the_state_before_the_fix_is_never_told_without_the_fix(found: str, changed: str) -> None:
    said = (
        f"## {found}\nThe gateway restarts at 18:00. Our client gives up after 3 s and never retries.\n\n"
        f"## {changed}\n- TIMEOUT 3 → 10\n- RETRIES 0 → 2 for idempotent calls\n"
    )
    made = sum_up(Work(("bookings fail in the evening",), (edit("src/carrier.py"),), said))
    assert made is not None
    assert "never retries" in made.title
    assert "TIMEOUT 3 → 10" in made.title


@pytest.mark.requirement("MEM-18")
def test_who_must_act_is_told_with_what_is_open_under_a_label_of_another_language() -> None:
    said = (
        "**Causa:** o leitor para quando uma linha passa de 64 KB.\n\n**Correção:** `recon.Read` usa"
        " `bufio.Reader` e devolve o erro.\n\n**Pendente:** as 312 transações ainda não foram lançadas. A Bruna precisa"
        " confirmar antes, porque o mês já fechou."
    )
    made = sum_up(Work(("faltam 312 transações, dá uma olhada",), (edit("recon.go"),), said))
    assert made is not None
    assert "A Bruna precisa confirmar" in made.left_open
    assert "devolve o erro" in made.title
