"""Our hooks into a text and out again: bytes of others stay, whatever the layout, whatever happened in between."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from holdfast.errors import Refused
from holdfast.install.hooks import PROJECT_COMMAND, hook_command, wanted_hooks
from holdfast.install.model import Hook, InstallScope
from holdfast.install.settings import Ours
from holdfast.install.surgery import merge, strip
from tests.support.odd_json import OddJson
from tests.support.place import PORT, TOKEN
from tests.support.table import each_of

FILE = Path("settings.json")
HOME = Path("/data/my home")
EVENTS = ("PreToolUse", "Stop", "SessionStart", "SessionEnd", "FileChanged")
OURS = Ours(frozenset({str(HOME)}), frozenset({PORT}), frozenset({TOKEN}))


def wanted(
    *events: str, port: int = PORT, http: bool = True, scope: InstallScope = InstallScope.USER
) -> dict[str, Hook]:
    command = hook_command(Path("/usr/bin/python3"), Path("/lib/hook.py"), HOME)
    return wanted_hooks(events or EVENTS, scope=scope, http=http, command=command, port=port, token=TOKEN)


def batches(count: int) -> list[range]:
    """Seeds in tens: a test of its own for each would cost more than what it tests."""
    return [range(start, start + 10) for start in range(0, count, 10)]


@pytest.mark.requirement("OPS-2")
@each_of("seeds", batches(400))
def test_in_and_out_gives_the_same_bytes(seeds: range) -> None:
    for seed in seeds:
        in_and_out(seed)


def in_and_out(seed: int) -> None:
    before = OddJson(seed).document().decode("utf-8")
    after = merge(before, wanted(), OURS, FILE).text
    assert strip(after, OURS, before, FILE) == before
    assert merge(after, wanted(), OURS, FILE).text == after
    # The command client reads bytes: nothing may have become unencodable.
    assert after.encode("utf-8").decode("utf-8") == after


@pytest.mark.requirement("OPS-2")
@each_of("seeds", batches(200))
def test_an_edit_of_others_survives(seeds: range) -> None:
    for seed in seeds:
        edited_by_others(seed)


def edited_by_others(seed: int) -> None:
    """Someone adds a key at the front and a hook behind ours; out we go, and both stay, character for character."""
    before = OddJson(seed).document().decode("utf-8")
    if not before.lstrip("\ufeff").strip():
        return
    after = merge(before, wanted(), OURS, FILE).text
    opening = after.index("{") + 1
    front = '"theirs": [1,  2], '
    edited = after[:opening] + front + after[opening:]
    expected = before[:opening] + front + before[opening:]
    bare = strip(edited, OURS, before, FILE)
    assert bare is not None
    if json.loads(before.lstrip("\ufeff")):
        assert bare == expected
    else:
        assert json.loads(bare.lstrip("\ufeff")) == {"theirs": [1, 2]}


@pytest.mark.requirement("OPS-2")
@pytest.mark.parametrize("seeds", batches(100))
def test_a_rewritten_file_loses_only_ours(seeds: range) -> None:
    for seed in seeds:
        rewritten(seed)


def rewritten(seed: int) -> None:
    """Claude Code writes settings anew when the user changes one: layout gone, meaning kept."""
    before = OddJson(seed).document().decode("utf-8")
    after = merge(before, wanted(), OURS, FILE).text
    value: dict[str, Any] = json.loads(after.lstrip("\ufeff"))
    value["model"] = "opus"
    bare = strip(json.dumps(value, indent=2), OURS, before, FILE)
    assert bare is not None
    expected = json.loads(before.lstrip("\ufeff")) if before.lstrip("\ufeff").strip() else {}
    assert json.loads(bare) == {**expected, "model": "opus"}


LAYOUTS = {
    "two spaces": ('{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "hooks": {\n    "Stop": [G]\n  }\n}\n'),
    "four spaces": ('{\n    "a": 1\n}', '{\n    "a": 1,\n    "hooks": {\n        "Stop": [G]\n    }\n}'),
    "tabs, CRLF": ('{\r\n\t"a": 1\r\n}\r\n', '{\r\n\t"a": 1,\r\n\t"hooks": {\r\n\t\t"Stop": [G]\r\n\t}\r\n}\r\n'),
    "byte order mark": ('\ufeff{\n  "a": 1\n}', '\ufeff{\n  "a": 1,\n  "hooks": {\n    "Stop": [G]\n  }\n}'),
    "inline": ('{"a": 1}', '{"a": 1, "hooks": {"Stop": [G]}}'),
    "compact": ('{"a":1}', '{"a":1,"hooks":{"Stop":[G]}}'),
    "empty": ("{}\n", '{\n  "hooks": {\n    "Stop": [G]\n  }\n}\n'),
    "nothing at all": ("", '{\n  "hooks": {\n    "Stop": [G]\n  }\n}\n'),
    "empty hooks": ('{\n  "hooks": {}\n}', '{\n  "hooks": {\n    "Stop": [G]\n  }\n}'),
    "others' hooks": (
        '{\n  "hooks": {\n    "Stop": [\n      {"hooks": []}\n    ]\n  }\n}',
        '{\n  "hooks": {\n    "Stop": [\n      {"hooks": []},\n      G\n    ]\n  }\n}',
    ),
}


@pytest.mark.requirement("OPS-2")
@pytest.mark.parametrize("name", LAYOUTS)
def test_follows_the_author_s_layout(name: str) -> None:
    before, after = LAYOUTS[name]
    gaps = (",", ":") if name == "compact" else (", ", ": ")
    group = json.dumps({"hooks": [wanted("Stop")["Stop"]]}, separators=gaps)
    assert merge(before, wanted("Stop"), OURS, FILE).text == after.replace("G", group)


@pytest.mark.requirement("OPS-2")
def test_a_new_port_is_replaced_in_place() -> None:
    before = merge('{\n  "hooks": {}\n}', wanted(), OURS, FILE).text.replace(
        '"Stop": [', '"Stop": [{"hooks": [{"type": "command", "command": "theirs"}]}, '
    )
    both = Ours(OURS.homes, frozenset({PORT, PORT + 1}))
    merged = merge(before, wanted(port=PORT + 1), both, FILE)
    assert merged.text == before.replace(f":{PORT}/", f":{PORT + 1}/")
    assert set(merged.replaced) == {"PreToolUse", "Stop", "SessionEnd", "FileChanged"}
    assert (merged.added, merged.removed) == ((), ())


@pytest.mark.requirement("OPS-2")
def test_an_event_no_longer_wanted_goes() -> None:
    before = merge('{"x": 1}', wanted(), OURS, FILE).text
    merged = merge(before, wanted("Stop"), OURS, FILE)
    assert merged.text == merge('{"x": 1}', wanted("Stop"), OURS, FILE).text
    assert set(merged.removed) == set(EVENTS) - {"Stop"}


@pytest.mark.requirement("OPS-2")
def test_doubled_hooks_of_ours_become_one() -> None:
    text = json.dumps({"hooks": {"Stop": [{"hooks": [wanted("Stop")["Stop"]] * 2}]}})
    value = json.loads(merge(text, wanted("Stop"), OURS, FILE).text)
    assert value["hooks"]["Stop"] == [{"hooks": [wanted("Stop")["Stop"]]}]


def test_a_group_shared_with_others_keeps_theirs() -> None:
    theirs = {"type": "command", "command": "theirs"}
    text = json.dumps({"hooks": {"Stop": [{"matcher": "x", "hooks": [theirs, wanted("Stop")["Stop"]]}]}})
    bare = strip(text, OURS, None, FILE)
    assert bare == json.dumps({"hooks": {"Stop": [{"matcher": "x", "hooks": [theirs]}]}})


@each_of(
    ("hook", "ours"),
    [
        ({"type": "http", "url": f"http://127.0.0.1:{PORT}/hooks/Stop"}, True),
        (
            {"type": "http", "url": "http://127.0.0.1:9/hooks/Stop", "headers": {"Authorization": f"Bearer {TOKEN}"}},
            True,
        ),
        ({"type": "http", "url": "http://127.0.0.1:9/hooks/Stop", "headers": {"Authorization": "Bearer x"}}, False),
        ({"type": "http", "url": f"http://127.0.0.1:{PORT}/other"}, False),
        ({"type": "http", "url": f"https://example.com:{PORT}/hooks/Stop"}, False),
        ({"type": "command", "command": "python3 -I -S -E /lib/hook.py '/data/my home'"}, True),
        ({"type": "command", "command": "python3 -I -S -E /lib/hook.py /data/another"}, False),
        ({"type": "command", "command": "python3 hook.py '/data/my home'"}, False),
        ({"type": "command", "command": PROJECT_COMMAND}, True),
        ({"type": "command", "command": "it's unclosed"}, False),
        ({"type": "prompt", "prompt": "x"}, False),
        ("text", False),
    ],
)
def test_knows_its_own(hook: object, ours: bool) -> None:
    assert (hook in OURS) is ours


@pytest.mark.requirement("OPS-2")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{\n  "a": 1,\n}', "settings.json is not valid JSON at line 2, column 9"),
        ("[]", "holds JSON that is not an object"),
        ('{"hooks": []}', '"hooks" is not an object'),
        ('{"hooks": {"Stop": {}}}', '"hooks.Stop" is not an array'),
    ],
)
def test_refuses_what_it_cannot_edit(text: str, said: str) -> None:
    with pytest.raises(Refused, match="Nothing was changed") as caught:
        merge(text, wanted(), OURS, FILE)
    assert said in str(caught.value)
