"""Folders that the package manager behind them fills again."""

from __future__ import annotations

import pytest

from holdfast.commandline.model import Where
from holdfast.commandline.reading.line import read
from holdfast.judging.packs import built_in
from holdfast.judging.rules import judged

HOME = Where(home="/home/u")


def excused(line: str) -> bool:
    said = judged(read(line), built_in(), HOME)
    return not any(each.decision in ("ask", "deny") for each in said.findings)


@pytest.mark.requirement("WRK-14")
def test_what_a_package_manager_fills_again_may_go() -> None:
    for line in (
        "rm -rf Carthage && carthage update",
        "rm -rf charts Chart.lock && helm dependency update",
        "rm -rf deploy/charts && helm dep up deploy",
        "cd deploy && rm -rf ./charts/ && helm dependency build .",
        "cd /home/u/shop/ios && rm -rf Pods && pod install",
    ):
        assert excused(line), line
    for line in (
        "rm -rf charts",
        "rm -rf charts && helm list",
        "rm -rf charts || helm dependency update",
        "rm -rf charts templates && helm dependency update",
        "rm -rf charts && cd other && helm dependency update",
        "rm -rf /home/u/shop/charts && helm dependency update",
        "cd /home/u/shop && rm -rf /home/u/shop/charts && helm dependency update",
        "helm dependency update && rm -rf charts",
        "rm -rf lib && shards --version",
    ):
        assert not excused(line), line
