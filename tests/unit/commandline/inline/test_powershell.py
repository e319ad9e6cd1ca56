"""PowerShell: what `Remove-Item` is about, in all its spellings."""

from __future__ import annotations

import pytest

from holdfast.commandline.inline.calls import FileCall
from holdfast.commandline.inline.powershell import deletes_at_service, read
from tests.support.table import each_of


@pytest.mark.requirement("WRK-14")
@each_of(
    ("text", "told"),
    [
        ("Remove-Item -Recurse -Force ./a, ./b -ErrorAction SilentlyContinue", [("./a", True), ("./b", True)]),
        ("Remove-Item -Path a,b -Recurse", [("a", True), ("b", True)]),
        ("ri C:\\Data -r -fo", [("C:/Data", True)]),
        ("rm $HOME -Recurse", [("~", True)]),
        ("del $env:TEMP\\x", [("$TMPDIR/x", False)]),
        ("Remove-Item -Recurse -Force C:\\Data\\* -WhatIf", []),
        ("Remove-Item Env:FOO; Remove-Item Alias:ls", []),
        (
            "gci -Path src -Include bin,obj -Recurse | Remove-Item -Recurse",
            [("src/<found bin>", True), ("src/<found obj>", True)],
        ),
        ("Get-ChildItem a | Remove-Item", [("a", True)]),
        ("Get-Process | Remove-Item", [("$(input)", False)]),
        ("Remove-Item", []),
        ("echo 'Remove-Item x'", []),
    ],
)
def test_the_targets_are_told(text: str, told: list[tuple[str, bool]]) -> None:
    found, _ = read(text)
    assert [(each.target, each.recursive) for each in found] == told
    assert all(isinstance(each, FileCall) for each in found)


@pytest.mark.requirement("WRK-14")
def test_users_and_machines_of_a_service_are_others() -> None:
    assert deletes_at_service("Get-ADUser -Filter * | Remove-ADUser -Confirm:$false")
    assert deletes_at_service("Remove-AzResourceGroup -Name x -Force")
    assert not deletes_at_service("Remove-ADUser -Identity x -WhatIf")
    assert not deletes_at_service("Remove-Variable x; Remove-Module y")
