"""Titles a person would write (MEM-4): one line, at most 100 characters."""

import pytest

from holdfast.shell import Outcome, describe, parse
from tests.support.table import each_of

pytestmark = pytest.mark.requirement("MEM-4")

BROKEN = Outcome("failed", passed=42, failed=3, summary="3 failed, 42 passed")


@each_of(
    ("command", "title"),
    [
        ("pytest", "Ran pytest"),
        ("cd a && uv run pytest -x tests/a.py 2>&1 | tail -20", "Ran pytest tests/a.py in a"),
        ("ruff check . && mypy src && pytest -q", "Ran pytest"),
        ("git add -A && git commit -m 'fix login redirect'", "Committed: fix login redirect"),
        ("git commit -m \"$(cat <<'EOF'\nfix login redirect\n\nbody\nEOF\n)\"", "Committed: fix login redirect"),
        ("git commit -F - <<'EOF'\n\nfeat: x\n\nbody\nEOF", "Committed: feat: x"),
        ("git commit --message='one\n\ntwo'", "Committed: one"),
        ("git -C sub commit -am 'hi'", "Committed: hi"),
        ("git add . && git commit -m x && git push", "Committed and pushed: x"),
        ("git commit --amend --no-edit", "Amended the commit"),
        ("pip install -U requests httpx", "Installed requests, httpx (pip)"),
        ("pip install -r requirements.txt", "Installed from requirements.txt (pip)"),
        ("npm ci", "Installed the dependencies (npm)"),
        ("npm uninstall x", "Removed x (npm)"),
        ("git checkout fix/login", "Switched to branch fix/login"),
        ("git switch fix/login", "Switched to branch fix/login"),
        ("git checkout -b new", "Created branch new"),
        ("git switch -c new", "Created branch new"),
        ("git checkout -- a.py", "Restored a.py"),
        ("git push origin main", "Pushed to origin main"),
        ("git push -f", "Force-pushed"),
        ("git add -A", "Staged everything"),
        ("git status && git diff && git log", "Looked at git status, diff, log"),
        ("rg TODO src", "Searched for 'TODO' in src (rg)"),
        ("grep -rn -e 'a b' .", "Searched for 'a b' in . (grep)"),
        ("grep -n x a.py | head", "Searched for 'x' in a.py (grep)"),
        ("ls src/", "Listed src/"),
        ("ls -la", "Listed the directory"),
        ("npm run dev &", "Started the server in the background: npm run dev"),
        ("make build && docker push x && kubectl apply -f y", "Ran 3 commands: make build, docker push, kubectl apply"),
        ("rm -rf build/", "Removed build/"),
        ("rm -f a b", "Removed a, b"),
        ("cat a.py", "Read a.py"),
        ("cat > f.py <<'E'\nrm -rf /\nE", "Wrote f.py"),
        ("sed -i s/a/b/ f.py", "Edited f.py (sed)"),
        ("sed -n 1,5p f.py", "Read f.py (sed)"),
        ("cp a b", "Copied a to b"),
        ("mv a b c/", "Moved a, b to c/"),
        ("curl -s -H 'A: b' https://x.y/z | jq .", "Fetched https://x.y/z (curl)"),
        ("find . -name '*.py' | head", "Looked for '*.py' in . (find)"),
        ("find . -name '*.pyc' -delete", "Deleted '*.pyc' in . (find)"),
        ("bash -c 'cd x && make test'", "Ran make test in x"),
        ("python script.py --x 1", "Ran python script.py --x 1"),
        ("sudo systemctl restart nginx", "Ran systemctl restart nginx"),
        ("sleep 5; curl localhost:3000", "Fetched localhost:3000 (curl)"),
        ("cd x", "Went to x"),
        ("echo hi", "Ran echo hi"),
        ("X=1", "Set X"),
        ("> a", "Wrote a"),
        ("", "Ran an empty command"),
        ("# comment", "Ran an empty command"),
        ("$CMD now", "Ran $CMD now"),
    ],
)
def test_titles(command: str, title: str) -> None:
    assert describe(parse(command)) == title


@pytest.mark.parametrize(
    ("command", "outcome", "title"),
    [
        ("pytest", BROKEN, "Ran pytest: 3 failed, 42 passed"),
        ("pytest tests/test_auth.py", Outcome("failed", summary="failed"), "Ran pytest tests/test_auth.py: failed"),
        ("make test | tail", Outcome("unknown"), "Ran make test"),
        ("mypy src && ruff check", Outcome("failed", summary="1 error"), "Ran 2 commands: mypy, ruff check: failed"),
        ("pytest " + "tests/a_long_name.py " * 9, BROKEN, None),
    ],
)
def test_titles_with_an_outcome(command: str, outcome: Outcome, title: str | None) -> None:
    found = describe(parse(command), outcome)
    if title is None:
        assert len(found) <= 100
        assert found.endswith("…: 3 failed, 42 passed")
    else:
        assert found == title


@pytest.mark.parametrize(
    ("command", "title"),
    [
        ("npm run dev", "Started the server in the background: npm run dev"),
        ("pytest tests", "Started pytest tests in the background"),
        ("sleep 100", "Started in the background: sleep 100"),
    ],
)
def test_a_call_put_into_the_background(command: str, title: str) -> None:
    assert describe(parse(command), background=True) == title


@each_of("length", range(60, 100, 3))
def test_scrubbed_marks_are_kept_whole_or_left_out(length: int) -> None:
    mark = "[scrubbed:github-token:0123abcd]"
    title = describe(parse("tool " + "x" * length + f" --token {mark} more words that make it long enough to cut"))
    assert len(title) <= 100
    assert "[scrubbed" not in title or mark in title


@pytest.mark.parametrize(
    "command",
    [
        "a" * 300,
        "\n".join(f"tool{number} sub" for number in range(60)),
        "git commit -m '" + "wörd " * 90 + "'",
        "a; " * 3000,
    ],
)
def test_never_longer_than_a_hundred(command: str) -> None:
    title = describe(parse(command))
    assert 0 < len(title) <= 100
    assert "\n" not in title
