"""A protected file is reached by a list as little as by its name: every list, every way to hand it on, every deed."""

from __future__ import annotations

import itertools

import pytest

from holdfast.commandline.model import Where
from holdfast.commandline.reading.line import read
from holdfast.judging import paths
from holdfast.judging.packs import built_in
from holdfast.judging.rules import findings, strictest
from tests.support.table import each_of

pytestmark = pytest.mark.requirement("WRK-6", "WRK-7", "SEC-6")

WHERE = Where(cwd="/home/u/p", root="/home/u/p", home="/home/u")
PRIVATE = ("/home/u/.holdfast",)
PLACES = (
    ("~/.holdfast", "*.toml"),
    ("~/.claude", "settings*.json"),
    (".claude", "*.json"),
    ("~/.ssh", "id_*"),
    ("~/.aws", "*"),
    ("~", ".bash*"),
    ("$HOME", ".z*"),
    (".git/hooks", "*"),
    (".git/refs/heads", "*"),
)
LISTS = (
    "ls {d}/{g}",
    "ls -1td {d}/{g}",
    "find {d} -name '{g}'",
    "find {d} -name '{g}' -printf '%p\\n'",
    "echo {d}/{g}",
    "printf '%s\\n' {d}/{g}",
    "fd -H '{g}' {d}",
    "grep -l mode {d}/{g}",
    "rg -l mode {d}/{g}",
    "stat -c %n {d}/{g}",
    "realpath {d}/{g}",
    "readlink -f {d}/{g}",
    "compgen -G '{d}/{g}'",
    "ls {d}/{g} | head -1",
    "ls -1 {d}/{g} | grep o | sort",
    "bash -c 'ls {d}/{g}'",
    "l() {{ ls {d}/{g}; }}; l",
)
WAYS = (
    "{l} | xargs {c}",
    "{l} | xargs -I% {c} %",
    "{l} | xargs -n1 -r {c} --",
    '{l} | while read f; do {c} "$f"; done',
    '{l} | while IFS= read -r f; do {c} "$f"; done',
    "{l} | parallel {c}",
    "{l} | parallel {c} {{}}",
    "{c} $({l})",
    'for f in $({l}); do {c} "$f"; done',
    "for f in `{l}`; do {c} $f; done",
    'mapfile -t a < <({l}); {c} "${{a[@]}}"',
    "x=$({l}); {c} $x",
    "{c} `{l}`",
    'while read f; do {c} "$f"; done < <({l})',
    "{l} > /tmp/l; xargs {c} < /tmp/l",
    "xargs -a <({l}) {c}",
    "{l} | xargs sh -c '{c} \"$@\"' _",
    'readarray -t a <<< "$({l})"; {c} "${{a[@]}}"',
)
DEEDS = ("rm", "rm -f", "unlink", "shred -u", "truncate -s 0", "sed -i s/on/off/", "cp /dev/null", "tee", "mv -t /tmp")
_DEFINES = ("l() {{",)


def lines() -> list[str]:
    """Each place with each list, each way with each deed; the others in turn."""
    found = []
    ways, deeds = itertools.cycle(WAYS), itertools.cycle(DEEDS)
    for (folder, pattern), lister in itertools.product(PLACES, LISTS):
        way = next(ways)
        while not way.startswith("{l}") and lister.startswith(_DEFINES):
            way = next(ways)
        found.append(way.format(l=lister.format(d=folder, g=pattern), c=next(deeds)))
    places, lists = itertools.cycle(PLACES), itertools.cycle(LISTS[:-2])
    for way, deed in itertools.product(WAYS, DEEDS):
        folder, pattern = next(places)
        found.append(way.format(l=next(lists).format(d=folder, g=pattern), c=deed))
    return found


MORE = (
    "find ~/.ssh -type f | xargs truncate -s 0",
    "rg --files ~/.aws | xargs sed -i s/a/b/",
    "git ls-files .claude | xargs sed -i s/a/b/",
    "grep -rl mode ~/.claude | xargs sed -i s/on/off/",
    "tree -fi .git/hooks | xargs tee",
    "cd .git/hooks && ls | xargs truncate -s0",
    "find ~ -maxdepth 1 -name '.bash*' | xargs sed -i /alias/d",
    "find / -path '*/.ssh/*' | xargs truncate -s 0",
    "rm ~/.ssh/$f",
    'truncate -s 0 ~/.holdfast/"$x"',
    'for f in $(ls ~/.ssh); do : > ~/.ssh/"$f"; done',
    "rm .claude/*.json",
    "python3 -c \"import glob; print(*glob.glob('/home/u/.ssh/*'))\" | xargs truncate -s 0",
    "ls ~/.holdfast/*.toml | xargs chmod 000",
)
INNOCENT = (
    "ls ~/.ssh/*.pub | xargs cat",
    "ls ~/.ssh/*.pub | xargs -n1 ssh-keygen -lf",
    "ls ~/.holdfast/*.toml | xargs cat",
    "find ~/.claude -name '*.jsonl' | xargs wc -l",
    'find ~/.holdfast -type f | while read f; do echo "$f"; done',
    'ls -la ~/.ssh | grep id; rm -f "$TMPFILE"',
    "x=$(grep -c alias ~/.bashrc); echo $x > /tmp/count",
    "find . -name '*.py' | xargs sed -i 's/a/b/'",
    "grep -rl foo src | xargs sed -i 's/foo/bar/g'",
    "grep -rl foo . | xargs sed -i s/foo/bar/",
    "git ls-files '*.ts' | xargs sed -i s/a/b/",
    "find .git -name index.lock | xargs rm -f",
    "ls .git/hooks/*.sample | xargs head -1",
    "ls ~/.ssh/*.pub | xargs -I{} cp {} /tmp/",
    "grep -rl foo .claude/skills | xargs sed -i s/foo/bar/",
    'for f in .claude/commands/*.md; do sed -i s/a/b/ "$f"; done',
    "find .github -name '*.yml' | xargs sed -i 's/v3/v4/'",
    'KEY=$(ls ~/.ssh/id_*.pub | head -1); cat "$KEY" >> /tmp/keys',
    "ls ~/.ssh/id_* | xargs chmod 600",
    "chmod -R go-rwx ~/.ssh",
    "ls -t ~/.claude/projects/*/*.jsonl | head -1 | xargs -I{} cp {} /tmp/s.jsonl",
    'echo "$(ls ~/.ssh | wc -l)" > /tmp/keys.txt',
)


def decision(line: str) -> str:
    reading = read(line)
    worst = strictest([*findings(reading, built_in(), WHERE), *paths.of_line(reading.runs, WHERE, PRIVATE)])
    return worst.decision if worst else "allow"


@each_of("line", [*lines(), *MORE])
def test_a_list_of_protected_files_is_asked_about_or_denied(line: str) -> None:
    assert decision(line) in ("ask", "deny")


@each_of("line", INNOCENT)
def test_lists_that_are_only_read_or_name_other_files_are_in_nobodys_way(line: str) -> None:
    assert decision(line) == "allow"
