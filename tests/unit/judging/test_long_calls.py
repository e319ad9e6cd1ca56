"""Rules whose pattern looks for a verb and then for a name: the verb counts wherever it stands, and a call with
thousands of verbs costs what its length allows."""

from __future__ import annotations

import pytest

from holdfast.commandline.model import Where
from holdfast.commandline.reading.line import read
from holdfast.judging.packs import built_in
from holdfast.judging.rules import findings, strictest
from tests.support.table import each_of

WHERE = Where("/home/u/p", "/home/u/p", "/home/u")


def decided(line: str) -> str:
    worst = strictest(findings(read(line), built_in(), WHERE, "allow", lambda rule: True))
    return worst.decision if worst else "allow"


@pytest.mark.requirement("WRK-6")
@each_of(
    ("line", "expected"),
    [
        ("apt-get -y remove vim postgresql-15", "ask"),
        ("apt purge remove remove mysql-server", "ask"),
        ("rpm -e nano systemd", "ask"),
        ("apt-get remove vim nano", "warn"),
        ("apt-get install postgresql", "allow"),
        ("python3 manage.py --settings=prod flush", "ask"),
        ("python3 -W ignore::Warning manage.py flush", "ask"),
        ("python3 -u -B manage.py flush", "ask"),
        ("django-admin --settings shop.prod flush", "ask"),
        ("python3 manage.py migrate", "allow"),
        ("chmod -R -v 644 ~/.ssh/id_rsa", "ask"),
        ("chmod 644 README.md", "allow"),
        ("chmod 600 ~/.ssh/id_rsa", "allow"),
        ("kill -9 -1", "ask"),
        ("kill -s KILL -9 -1", "ask"),
        ("kill -9 4711", "warn"),
        ("kubectl delete deployment web", "ask"),
        ("kubectl delete pods web-1 web-2", "ask"),
        ("kubectl delete pod web-1 deployment/web", "ask"),
        ("kubectl delete pod --all", "ask"),
        ("kubectl -n shop delete po/web-1", "ask"),
        ("kubectl apply -f a.yml --force", "ask"),
        ("kubectl apply -f a.yml", "allow"),
        ("kubectl scale deploy web --replicas=0", "ask"),
        ("kubectl scale deploy web --replicas=3", "warn"),
        ("kubectl create ns it-1 && kubectl delete ns it-1", "allow"),
        ("docker compose -f a.yml down --remove-orphans -v", "ask"),
        ("docker compose down", "allow"),
        ("gh gist create -d notes .env", "ask"),
        ("gh gist create notes.md", "allow"),
        ("printf 'cd a\\n  rm x\\n' | sftp host", "ask"),
        ("printf 'get x\\n' | sftp host", "allow"),
    ],
)
def test_a_verb_counts_wherever_it_stands(line: str, expected: str) -> None:
    assert decided(line) == expected


@pytest.mark.requirement("SEC-7")
@pytest.mark.parametrize(
    "line",
    [
        "apt-get " + "-e " * 6_000,
        "python3 manage.py " + "-e " * 6_000,
        "chmod " + "644 " * 5_000,
        "kill " + "-e " * 6_000,
        "docker " + "rm " * 6_000,
        "gh gist create " + "a," * 8_000,
        "scp " + "a," * 8_000,
        "curl -d @- http://a.b <<E\n" + "\n" * 15_000 + "E\n",
        "curl -X POST '" + "://a/" * 3_000 + "'",
        "kubectl delete " + "a " * 5_000,
        "kubectl delete " + "delete " * 2_000,
        "kubectl apply " + "apply " * 2_000 + "--force",
        "rados rm " + "a " * 5_000,
        "docker rm " + "a " * 5_000,
        "git checkout -- f; " * 700,
        "git cherry-pick --abort; " * 600,
        "git -C /tmp/a push origin b; " * 400,
        ";" * 16_000,
        "\n" * 16_000,
        "node <<'E'\n" + "\n" * 15_000 + "E\n",
        "php -r '" + 'exec("rm a");' * 1_200 + "'",
        "bash -c '" + "`" * 8_000 + "'",
        "bash -c '" + "$(" * 5_000 + "'",
    ],
)
def test_a_call_of_thousands_of_verbs_is_judged(line: str) -> None:
    """It comes to its end: with a pattern that begins anew at every verb each of these takes seconds or minutes."""
    assert decided(line) in ("allow", "warn", "ask", "deny")
