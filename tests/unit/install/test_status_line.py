"""Our status line in the settings, around the one that was there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holdfast.errors import Refused
from holdfast.install.status_line import around_of, with_ours, without_ours

PATH = Path("/h/.claude/settings.json")
OURS = (Path("/usr/bin/python3"), Path("/opt/holdfast/statusline.py"), Path("/home/da ta/holdfast"))


@pytest.mark.requirement("OPS-7")
def test_a_status_line_that_is_there_is_kept_inside_ours_and_left_alone_again() -> None:
    texts = (
        '{\n  "statusLine": {"type": "command", "command": "~/l.sh \'a b\' | cat", "padding": 0},\n  "model": "x"\n}\n',
        '{"model": "x"}',
        "{}\n",
        '{\n\t"statusLine": {\n\t\t"type": "command",\n\t\t"command": "echo hi"\n\t}\n}',
    )
    for text in texts:
        ours = with_ours(text, *OURS, PATH)
        assert around_of(json.loads(ours)["statusLine"]["command"]) is not None
        again = with_ours(ours, *OURS, PATH)
        assert again == ours, "put there twice it stands once"
        back = without_ours(ours, PATH)
        assert json.loads(back) == json.loads(text)
        if "statusLine" in text:
            assert back == text
            assert json.loads(ours)["statusLine"].keys() == json.loads(text)["statusLine"].keys()
    assert json.loads(with_ours(None, *OURS, PATH))["statusLine"]["type"] == "command"
    assert without_ours('{"statusLine": {"command": "mine"}}', PATH) == '{"statusLine": {"command": "mine"}}'
    with pytest.raises(Refused, match="is no command"):
        with_ours('{"statusLine": 5}', *OURS, PATH)
