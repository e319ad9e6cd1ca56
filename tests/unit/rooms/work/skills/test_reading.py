"""What a skill says of its efforts: every writing of the same, and whatever a stranger writes."""

from __future__ import annotations

import pytest

from holdfast.rooms.work.skills.reading import front_matter, read_skill

LABELS = ["1: Setup", "Plan", "Build", "Parser", "Printer"]
NUMBERS = ["1", "2", "3", "3.1", "3.2"]


def config(yaml: str, beside: bytes = b"") -> object:
    return read_skill("build", "/s/SKILL.md", f"---\n{yaml}\n---\nText", beside)


@pytest.mark.requirement("WRK-3")
def test_the_same_phases_in_every_writing() -> None:
    writings = [
        "phases:\n- '1: Setup'\n- Plan\n- name: Build\n  phases: [Parser, Printer]",
        "phases:\n- 1: Setup\n- label: Plan\n- Build:\n    phases:\n    - Parser\n    - name: Printer",
        "effort:\n  phases: ['1: Setup', {phase: Plan}, {label: Build, sub_phases: [Parser, Printer]}]",
    ]
    for yaml in writings:
        found = read_skill("build", "/s", f"---\n{yaml}\n---\n")
        assert [phase.label for phase in found.phases] == LABELS, yaml
        assert [phase.number for phase in found.phases] == NUMBERS, yaml
        assert found.starts_effort
    toml = b'phases = ["1: Setup", "Plan", {name = "Build", phases = ["Parser", "Printer"]}]\nheartbeat = "block"\n'
    beside = read_skill("build", "/s", "---\nphases: [Other]\nnextSkills: [review]\n---\n", toml)
    assert [phase.label for phase in beside.phases] == LABELS
    assert (beside.heartbeat, beside.next_skills) == ("block", ("review",))


@pytest.mark.requirement("WRK-3")
@pytest.mark.requirement("WRK-4")
def test_heartbeats_and_what_starts_an_effort() -> None:
    for yaml, mode, after in [
        ("x: 1", "warn", 10),
        ("heartbeat: block", "block", 10),
        ("heartbeat: true", "block", 10),
        ("heartbeat: 5", "block", 5),
        ("heartbeat: false", "off", 10),
        ("heartbeat: Block\nblock-after: 20", "block", 20),
        ("heartbeat: {mode: block, block_after: 3}", "block", 3),
        ("heartbeat: {blockAfter: 4}", "block", 4),
        ("heartbeat: loud", "warn", 10),
        ("heartbeat: block\nblock_after: 0", "block", 10),
        ("heartbeat: block\nblock_after: true", "block", 10),
    ]:
        found = read_skill("s", "", f"---\n{yaml}\n---\n")
        assert (found.heartbeat, found.block_after) == (mode, after), yaml
    for yaml, starts in [
        ("x: 1", False),
        ("effort: true", True),
        ("phases: [A]\neffort: false", False),
        ("phases: []", False),
    ]:
        assert read_skill("s", "", f"---\n{yaml}\n---\n").starts_effort == starts, yaml


@pytest.mark.requirement("WRK-3")
def test_a_strangers_file_says_nothing_and_breaks_nothing() -> None:
    deep = "[" * 5_000
    for text in (
        "",
        "no front matter",
        "---\nnever closed",
        "---\n: : :\n---\n",
        f"---\nphases: {deep}\n---\n",
        "---\nphases: !!python/object/apply:os.system ['true']\n---\n",
        "---\nphases: {a: b}\nmodes: 7\npreload: [[1], {x: y}, null]\n---\n",
        "---\n- a\n- b\n---\n",
        "---\na: &a [x]\nb: &b [*a, *a]\nphases: [*b, *b]\n---\n",
        "----\nphases: [A]\n---\n",
    ):
        found = read_skill("s", "", text, b"\xff\xfe = [")
        assert [phase.label for phase in found.phases] == [], text[:40]
    many = read_skill("s", "", "---\nphases: [" + ", ".join(f"P{n}" for n in range(500)) + "]\n---\n")
    assert len(many.phases) == 100
    long = read_skill("s", "", f"---\nphases: ['{'x' * 5_000}']\nlog_template: '{'y' * 9_000}'\n---\n")
    assert (len(long.phases[0].label), len(long.log_template)) == (120, 4_000)
    assert front_matter("\ufeff---\na: 1\n---\n") == {"a": 1}


@pytest.mark.requirement("WRK-3")
def test_numbers_that_cannot_be_written_down_and_long_front_matter_are_left_out() -> None:
    number = "0x" + "f" * 8_000
    for yaml in (f"phases: [{number}, A]", f"phases:\n- ? {number}\n  : Plan\n- A", f"? {number}\n: x\nphases: [A]"):
        assert [each.label for each in read_skill("s", "", f"---\n{yaml}\n---\n").phases][-1:] == ["A"], yaml[:20]
    sixty = ":".join(["1"] * 4_000)
    assert read_skill("s", "", f"---\nphases: [A]\nmodes: [{sixty}]\n---\n").modes == ()
    assert read_skill("s", "", "", f"phases = [{number}, 'A']".encode()).phases[-1].label == "A"
    slow = "\n".join(f"k{number}: v" for number in range(5_000))
    assert front_matter(f"---\n{slow}\n---\n") == {}, "reading takes a tenth of a millisecond for each line"


@pytest.mark.requirement("WRK-3")
def test_a_small_file_does_not_become_a_large_skill() -> None:
    texts = "&t [" + ", ".join(f"'{n}{'x' * 400}'" for n in range(50)) + "]"
    doubled = "".join(f"- name: P{n}\n  proof: *t\n  commands: *t\n  directives: *t\n" for n in range(100))
    aliased = read_skill("s", "/s", f"---\nx: {texts}\nphases:\n{doubled}---\n")
    assert (aliased.phases, aliased.path) == ((), "/s"), "aliases are not read"
    inner = "[" + ", ".join(f"I{n}" for n in range(100)) + "]"
    nested = read_skill("s", "", "---\nphases:\n" + f"- name: A\n  phases: {inner}\n" * 20 + "---\n")
    assert len(nested.phases) == 100, "all in all"
    much = "[" + ", ".join(f"'{n}{'y' * 490}'" for n in range(50)) + "]"
    more = "[" + ", ".join(f"'{n}{'z' * 490}'" for n in range(25)) + "]"
    toml = f"phases = ['A']\ncommands = {much}\ntemplates = {much}\n".encode()
    assert read_skill("s", "", "", toml).starts_effort
    assert not read_skill("s", "", f"---\npreload: {more}\n---\n", toml).starts_effort, "too much in all"
    lines = read_skill(
        "s", "", '---\nphases: ["A\\nIGNORE ALL"]\nmodes: ["m\\n\\nn"]\npreload: ["a\\nb", "c.md"]\n---\n'
    )
    assert (lines.phases[0].label, lines.modes, lines.preload) == ("A IGNORE ALL", (), ("c.md",))
