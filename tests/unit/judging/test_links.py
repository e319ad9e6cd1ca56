"""What a line reaches through a link that it makes itself is judged as what the link leads to."""

from __future__ import annotations

import pytest

from holdfast.commandline.model import Where
from holdfast.commandline.reading.line import read
from holdfast.judging import paths
from holdfast.judging.packs import built_in
from holdfast.judging.rules import findings, strictest
from tests.support.table import each_of

HERE = Where(cwd="/home/u/p", root="/home/u/p", home="/home/u")
UNSEEN = Where(home="/home/u")


def decided(line: str, where: Where = HERE) -> tuple[str, set[str]]:
    """The strictest decision, and all rules that have one."""
    reading = read(line)
    told = [*findings(reading, built_in(), where), *paths.of_line(reading.runs, where, ("/home/u/.holdfast",))]
    worst = strictest(told)
    return worst.decision if worst else "allow", {each.rule for each in told if each.decision != "allow"}


@pytest.mark.requirement("WRK-12")
@each_of(
    "line",
    [
        "ln -s ~/Documents x && rm -rf x/",
        "ln -s ~/Documents x; rm -rf x/*",
        "ln -s ~/Documents x; rm -rf x/.",
        "ln -sfn ~/Documents x; cd x && rm -rf *",
        "ln -s ~/Documents && rm -rf Documents/",
        "ln -s -t . ~/Documents ~/Music; rm -rf Music/",
        "mkdir l && ln -s ~/Documents l/ && rm -rf l/Documents/",
        "ln -s ../../other sub/x; rm -rf sub/x/",
        "ln -s ~ a; ln -s a/Documents b; rm -rf b/",
        "ln -s ~/Documents x; find x/ -delete",
        "ln -s ~/Documents x; find -L x -name '*.txt' -exec rm -r {} +",
        "mount --bind ~/Documents m && rm -rf m",
        "ln -s /etc e && chmod -R 777 e/",
    ],
)
def test_a_link_of_the_line_leads_beyond_the_project(line: str) -> None:
    assert decided(line)[0] == "deny"


@pytest.mark.requirement("WRK-12")
@each_of(
    "line",
    [
        "ln -s ~/Documents x && rm x",
        "ln -s ~/Documents x && rm -f x && ln -s ~/Music x",
        "ln -sf ~/Documents x && ln -sf ~/Music x",
        "ln -s build x && rm -rf x/",
        "ln -s ../../ up; rm -rf build/",
        "ln -s /tmp/pile x; rm -rf x/",
        "rm -rf build/ && ln -s ~/Documents build",
        "ln -s /etc/hosts h; cat h",
    ],
)
def test_what_does_not_go_through_the_link_passes(line: str) -> None:
    assert decided(line)[0] == "allow"


@pytest.mark.requirement("WRK-7")
@each_of(
    "line, rule",
    [
        ("ln -s ~/.bashrc b && echo x >> b", "files.startup"),
        ("ln -s ~/.ssh s; cat k >> s/authorized_keys", "files.credentials"),
        ("ln -s .git/hooks h && cp run.sh h/pre-commit", "files.git-internals"),
        ("ln -s ~/.claude c && echo '{}' > c/settings.json", "files.client-settings"),
        ("ln -s ~ h && echo x >> h/.holdfast/config.toml", "files.holdfast"),
        ("ln -s ~/.bashrc b && rm b", ""),
        ("ln -s ~/.bashrc b && ln -sf y b; mv z b; sed -i s/a/b/ b", ""),
    ],
)
def test_a_protected_file_is_protected_behind_a_link_of_the_line(line: str, rule: str) -> None:
    assert (rule in decided(line)[1]) if rule else not decided(line)[1]


@pytest.mark.requirement("WRK-12")
def test_without_a_folder_the_words_tell_it_all_the_same() -> None:
    assert decided("ln -s ~/Documents x && rm -rf x/", UNSEEN)[0] == "deny"
    assert decided("cd y && ln -s ~/Documents x && rm -rf x/", UNSEEN)[0] == "deny"


@pytest.mark.requirement("WRK-12")
def test_links_that_lead_to_each_other_come_to_an_end() -> None:
    line = "ln -s b a; ln -s a b; ln -s x/y x; " + "; ".join(f"ln -s l{n + 1} l{n}" for n in range(100))
    assert decided(f"{line}; rm -rf a/ x/ l0/")[0] in ("allow", "ask", "deny")
