"""A text that a line prints, stores or hands on is judged where a program runs it, whatever carries it there."""

from __future__ import annotations

import itertools

import pytest

from tests.unit.judging.test_rules import is_caught

PRINTS = (
    "echo {}",
    "printf '%s\\n' {}",
    "{{ echo {}; }}",
    " (echo {})",
    "{{ date; echo {}; }}",
    "{{ {{ echo {}; }}; }}",
    "if true; then echo {}; fi",
    "if false; then date; else echo {}; fi",
    "for i in 1 2; do echo {}; done",
    "while true; do echo {}; break; done",
    "case x in x) echo {};; esac",
    "cat <<< {}",
    "cat <(echo {})",
    "echo {} 2>/dev/null",
    "time {{ echo {}; }}",
    "xargs -I% echo % <<< {}",
)
"""Commands that print a text."""
CARRIES = (
    "{prints} | {runs}",
    "{prints} | tee log.txt | {runs}",
    "{prints} | cat - | sort | head -n 5 | {runs}",
    "{prints} | {{ {runs}; }}",
    "{prints} | (cd sub && {runs})",
    "say() {{ {prints}; }}; say | {runs}",
    "take() {{ {runs}; }}; {prints} | take",
    "{runs} < <({prints})",
    '{runs} <<< "$({prints})"',
    "{{ {runs}; }} < <({prints})",
    'x=$({prints}); {runs} <<< "$x"',
    "{prints} > a.txt; {runs} < a.txt",
    "{{ {prints}; }} > a.txt; cat a.txt | {runs}",
    "{prints} | tee a.txt > /dev/null; cp a.txt b.txt; {runs} < b.txt",
    "exec 3< <({prints}); {runs} <&3",
)
"""What lies between the one that prints and the one that runs it."""
TEXTS = {
    "bash": ("'rm -rf ~/Documents'", "'ls ~/Documents'"),
    "psql prod": ("'drop database prod'", "'select 1'"),
    "ssh prod": ("'rm -rf /srv/data'", "'uptime'"),
    "python3": ("'import shutil; shutil.rmtree(\"/home/dev/Documents\")'", "'print(1)'"),
}
"""By program, a text with which it destroys, and one with which it does not."""


@pytest.mark.requirement("WRK-14")
@pytest.mark.parametrize("runs", TEXTS)
def test_a_text_is_judged_where_it_is_run(runs: str) -> None:
    bad, good = TEXTS[runs]
    ways = [
        (carries.format(prints=prints.format(bad), runs=runs), carries.format(prints=prints.format(good), runs=runs))
        for carries, prints in itertools.product(CARRIES, PRINTS)
    ]
    assert [line for line, _ in ways if not is_caught(line)] == []
    assert [line for _, line in ways if is_caught(line)] == []


HEREDOC = "<<'EOF'\n{}\nEOF\n"
IN_WORDS = (
    'bash -c "$(cat {here})"',
    'x=$(cat {here}); eval "$x"',
    "read -r -d '' x {here}eval \"$x\"",
    'mapfile -t lines {here}for each in "${{lines[@]}}"; do $each; done',
    "while read -r line; do $line; done {here}",
    "{{ bash; }} {here}",
    "(bash) {here}",
    "exec 3{here}bash <&3",
    "cat > a.sh {here}echo done >> a.sh; sh a.sh",
    "cat > a.sh {here}mv a.sh bin/; bash bin/a.sh",
    "cat > a.sh {here}ln -s a.sh b; ./b",
    'cat > a {here}eval "$(cat a)"',
    'cat > a {here}eval "$(<a)"',
    'f=a.sh; cat > "$f" {here}sh "$f"',
    "{{ echo '#!/bin/sh'; cat {here}}} > a.sh; sh a.sh",
)


@pytest.mark.requirement("WRK-14")
def test_a_heredoc_is_judged_where_it_is_run() -> None:
    bad, good = (HEREDOC.format(text) for text in ("rm -rf ~/Documents", "make build"))
    assert [line for way in IN_WORDS if not is_caught(line := way.format(here=bad))] == []
    assert [line for way in IN_WORDS if is_caught(line := way.format(here=good))] == []


INNOCENT = (
    "{ echo hello; echo world; } | sort",
    'for f in *.py; do echo "$f"; done | xargs wc -l',
    "cat <<EOF | tee README.md\nNever run rm -rf ~/Documents.\nEOF",
    "{ cat VERSION; date; } | curl -d @- localhost:8080",
    "{ curl -s https://api.example.com/x; echo; } | jq .",
    "curl -s https://api.example.com/x | jq -r '.[]' | while read x; do echo \"$x\"; done",
    "git commit -m \"$(cat <<'EOF'\nThe page no longer says rm -rf ~/x, nor DROP TABLE users.\nEOF\n)\"",
    "exec 3>build.log; echo start >&3; make >&3 2>&1",
    'eval "$(ssh-agent -s)"',
    "printf 'a.txt\\nb.txt\\n' | grep a | xargs cat",
    "for i in 1 2 3; do curl -s localhost:8080/$i; done | sort | uniq -c",
    'curl -s https://api.example.com/ids | while read id; do python3 show.py "$id"; done',
    "curl -s https://api.example.com/ids | python3 count.py --by day",
    "git ls-files '*.md' | xargs -n 1 echo wrote",
    "{ echo a.log; find . -name '*.log'; } | xargs rm -f",
)


@pytest.mark.requirement("WRK-7")
def test_groups_and_heredocs_of_every_day_pass() -> None:
    assert [line for line in INNOCENT if is_caught(line)] == []


@pytest.mark.requirement("WRK-14")
def test_a_list_of_which_only_a_part_is_told_has_unknown_items() -> None:
    assert is_caught("{ echo notes.txt; ls ~; } | xargs rm -rf")
    assert is_caught('{ echo notes.txt; echo "$HOME"; } | xargs rm -rf')
