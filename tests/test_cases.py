"""The runner of short memory cases tells what was met, missed and forbidden; a bad file is refused."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from bench.cases import __main__ as runner
from bench.cases.judge import Told, judge
from bench.cases.model import BadCase, load

from tests.support.patience import PATIENCE

ROOT = Path(__file__).parents[1]
SAID = "The root cause was that the expired cookie was never cleared. The docs still need an update."


def case(name: str, *expected: dict[str, Any], said: str = SAID) -> dict[str, Any]:
    steps = [
        ["ask", "The login loops, please repair it"],
        ["fail", "pytest -q", "1 failed, 41 passed in 1s"],
        ["edit", "src/auth.py", "    clear_cookie()"],
        ["bash", "pytest -q", "42 passed in 1s"],
        ["say", said],
    ]
    return {
        "id": name,
        "class": "made",
        "sessions": [{"day": 0, "do": steps}],
        "asked": {"day": 2},
        "expect": [{"why": "said", **each} for each in expected],
    }


GOOD = case(
    "good",
    {"at": "brief", "must": ["expired cookie"], "must_not": ["Still fails"]},
    {"at": "prompt", "prompt": "why did the login loop last time?", "must": ["/cookie .* cleared/"]},
    {"at": "prompt", "prompt": "write a haiku about ducks", "must_not": ["/./"]},
    {"at": "file", "file": "src/auth.py", "must": ["cookie"]},
)
BAD = case("bad", {"at": "brief", "must": ["the moon"], "must_not": ["docs still need"]})
TRIVIAL = case("trivial", {"at": "brief", "must_not": ["welcome"]}, said="You're welcome!")


def written(folder: Path, *lines: Any) -> Path:
    file = folder / "some.jsonl"
    file.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), "utf-8")
    return file


@pytest.mark.requirement("PRF-6")
def test_what_must_be_told_is_found_and_what_is_wrong_is_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, "// made for this test", GOOD, BAD, TRIVIAL)
    assert runner.main([str(file), "--jobs", "1", "--json"]) == 1
    out, progress = capfd.readouterr()
    found = json.loads(out)
    assert [each["case"] for each in found["missed"]] == ["bad"]
    [told] = found["forbidden"]
    assert told["case"] == "bad"
    assert "The docs still need an update." in told["line"]
    made = found["classes"]["all"]
    assert (made["cases"], made["expected"], made["met"], made["forbidden"]) == (3, 8, 6, 1)
    assert made["brief_tokens"] > 0
    assert "3 of 3 cases" in progress

    assert runner.main([str(file), "--jobs", "1", "--case", "good", "--verbose"]) == 0
    shown = capfd.readouterr().out
    assert "good (made): 5 of 5" in shown
    assert "    brief    agent: The root cause was that the expired cookie was never cleared." in shown
    assert "missed" not in shown


@pytest.mark.requirement("PRF-6")
def test_one_place_may_not_answer_for_another_nor_what_was_replaced_for_what_holds(tmp_path: Path) -> None:
    [asked] = load(
        written(
            tmp_path,
            case(
                "one",
                {"at": "brief", "must": ["later"]},
                {"at": "prompt", "prompt": "first?", "must": ["early"]},
                {"at": "prompt", "prompt": "second?", "must": ["early"], "must_not": ["old"]},
                {"at": "brief", "must_not": ["old"]},
            ),
        )
    )
    told = Told(
        ("said early", "new — replaces: old"), {("prompt", "first?"): ("later",), ("prompt", "second?"): ("old",)}
    )
    found = judge(asked, told)
    assert [str(each) for each in found.missed] == ["brief: must say later (said)"]
    assert [line for _, line in found.forbidden] == ["old"]
    assert found.met == 3


@pytest.mark.requirement("PRF-6")
@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"expects": []}, "`expects`: is no key of a case"),
        ({"asked": None}, "`asked`: must be an object"),
        ({"asked": {"day": -1}}, "`asked.day`: must be a number"),
        ({"id": ""}, "`id`: must be a text"),
        ({"sessions": []}, "`sessions`: must be a list that is not empty"),
        ({"sessions": [{"day": 0, "do": [["dance"]]}]}, "`sessions[1].do[1]`: 'dance' is none of"),
        ({"sessions": [{"day": 0, "do": [["ask"]]}]}, "`sessions[1].do[1]`: 'ask' takes 1 to 1 texts, not 0"),
        (
            {"sessions": [{"day": 0, "do": [["ask", "a"], ["say", "b"], ["edit", "c"]]}]},
            "`sessions[1].do[3]`: the turn has ended with 'say'",
        ),
        ({"sessions": [{"day": 0, "do": [["say", "b"]]}]}, "`sessions[1].do[1]`: a prompt must come first"),
        ({"sessions": [{"day": 0, "do": [["ask", "a"], ["read", "src"]]}]}, "`sessions`: 'src' must be a file"),
        ({"sessions": [{"day": 0, "do": [["ask", "a"], ["read", "../x"]]}]}, "`sessions`: '../x' must be a file"),
        ({"sessions": [{"day": 2}, {"day": 1}]}, "`sessions`: must stand in the order"),
        ({"sessions": [{"day": 0, "resume": 1}]}, "`sessions[1].resume`: must be the number of an earlier"),
        ({"expect": [{"at": "brief", "must": ["x"]}]}, "`expect[1].why`: is missing"),
        ({"expect": [{"at": "moon", "why": "x", "must": ["x"]}]}, "`expect[1].at`: 'moon' is none of"),
        ({"expect": [{"at": "file", "why": "x", "must": ["x"]}]}, "`expect[1].file`: must be a text"),
        ({"expect": [{"at": "brief", "why": "x"}]}, "`expect[1]`: has neither"),
        ({"expect": [{"at": "brief", "why": "x", "must": ["/(/"]}]}, "`expect[1].must`: /(/ is no regular"),
    ],
)
def test_a_bad_case_is_refused_with_its_file_line_and_key(tmp_path: Path, change: dict[str, Any], key: str) -> None:
    file = written(tmp_path, GOOD, "", GOOD | {"id": "other"} | change)
    with pytest.raises(BadCase) as refused:
        load(file)
    assert str(refused.value).startswith(f"{file}, line 3, {key}")


@pytest.mark.requirement("PRF-6")
def test_a_bad_file_ends_the_runner_with_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert runner.main([str(written(tmp_path, "{"))]) == 2
    assert "some.jsonl, line 1, `line`: is no JSON" in capsys.readouterr().err
    assert runner.main([str(written(tmp_path, GOOD, GOOD))]) == 2
    assert "line 2, `id`: 'good' is the id of an earlier case" in capsys.readouterr().err
    assert runner.main([str(written(tmp_path, ""))]) == 2
    assert "holds no case" in capsys.readouterr().err
    assert runner.main([str(tmp_path / "none")]) == 2
    assert "cannot be read" in capsys.readouterr().err
    assert runner.main([str(written(tmp_path, GOOD)), "--src", str(tmp_path)]) == 2
    assert "holds no product" in capsys.readouterr().err


@pytest.mark.requirement("PRF-6")
def test_what_is_known_is_told_when_somebody_interrupts(tmp_path: Path) -> None:
    file = written(tmp_path, *(TRIVIAL | {"id": f"c{number}"} for number in range(400)))
    command = [sys.executable, "-m", "bench.cases", str(file), "--src", str(ROOT / "src")]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as running:
        assert running.stderr is not None
        assert "10 of 400 cases" in running.stderr.readline()
        os.killpg(running.pid, signal.SIGINT)
        end = time.monotonic() + PATIENCE
        out, err = running.communicate(timeout=max(1.0, end - time.monotonic()))
    assert running.returncode == 130
    assert "of 400 cases were played." in out
    assert "| all " in out
    assert "Traceback" not in err


@pytest.mark.requirement("PRF-6")
def test_the_cases_of_the_bench_are_whole() -> None:
    files = sorted((ROOT / "bench" / "cases").glob("*.jsonl"))
    sets = [load(file) for file in files]
    assert [len(each) for each in sets] == [60] * len(files)
    names = [case.name for cases in sets for case in cases]
    assert len(set(names)) == len(names)
    for cases in sets:
        assert all(len(case.expected) >= 2 for case in cases if case.kind != "recall")
