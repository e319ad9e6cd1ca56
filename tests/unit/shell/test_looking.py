"""Lines that only look around, ask a server or try a few words of a program."""

from __future__ import annotations

import pytest

from holdfast.shell.looking import only_tries
from holdfast.shell.parse import parse

TRIES = (
    "ls logs/edge/",
    "cat missing.txt | head -3",
    "python -c 'import shop; shop.report()'",
    "node -e 'require(\"./a\").run()'",
    "python3 - <<'EOF'\nimport shop\nshop.report()\nEOF",
    "curl -sf http://localhost:8080/health",
    "cd api && grep -rn TODO src",
    "git log --oneline -3",
    "exit 1",
    "which jq && command -v rg",
)
WORKS = (
    "./deploy.sh staging",
    "python manage.py migrate",
    "psql -f schema.sql",
    "cd api && ./rollout.sh",
    "node scripts/import.js",
    "git push origin main",
    "ls out && rm -r out",
)


@pytest.mark.requirement("MEM-17")
@pytest.mark.parametrize("command", TRIES)
def test_a_look_a_reproduction_and_a_health_check_leave_nothing_open(command: str) -> None:
    assert only_tries(parse(command))


@pytest.mark.requirement("MEM-17")
@pytest.mark.parametrize("command", WORKS)
def test_what_does_something_is_no_look(command: str) -> None:
    assert not only_tries(parse(command))
