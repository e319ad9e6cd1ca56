"""What a command line runs: programs behind wrappers, quoting, nesting, heredocs, redirections, directories."""

import pytest

from holdfast.shell.parse import parse
from holdfast.shell.script import Command, Script
from tests.support.table import each_of

pytestmark = pytest.mark.requirement("LRN-5")


def lines(script: Script) -> list[str]:
    return [" ".join((command.program, *command.texts)).strip() for command in script.commands]


def one(text: str, program: str) -> Command:
    return next(command for command in parse(text).commands if command.program == program)


@each_of(
    ("text", "expected"),
    [
        ("ls", ["ls"]),
        ("X=1 rm -rf a", ["rm -rf a"]),
        ("env rm -rf a", ["rm -rf a"]),
        ("env -i A=b -u C rm a", ["rm a"]),
        ("env -S 'rm -rf a'", ["rm -rf a"]),
        ("command rm -rf a", ["rm -rf a"]),
        ("command -v rm", ["command -v rm"]),
        ("builtin cd x", ["cd x"]),
        ("exec -a name rm a", ["rm a"]),
        ("nohup rm a &", ["rm a"]),
        ("time -p make", ["make"]),
        ("sudo -u bob -E rm a", ["rm a"]),
        ("sudo X=1 nice -n 10 timeout -k 5 60 rm a", ["rm a"]),
        ("\\rm -rf a", ["rm -rf a"]),
        ("'r'm -rf a", ["rm -rf a"]),
        ("/bin/rm -rf a", ["rm -rf a"]),
        ("$HOME/bin/tool a", ["tool a"]),
        ("2>/dev/null rm a", ["rm a"]),
        ("echo > f a b", ["echo a b"]),
        ("a && b || c; d | e |& f & g", ["a", "b", "c", "d", "e", "f", "g"]),
        ("a\nb\n\n# rm c\nd # rm e", ["a", "b", "d"]),
        ("a \\\n  -l", ["a -l"]),
        ("(cd x; ls)", ["cd x", "ls"]),
        ("{ a; b; }", ["a", "b"]),
        ("f() { rm x; }; f", ["rm x", "f"]),
        ("function g { rm x; }", ["rm x"]),
        ("if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]),
        ("while a; do b; done; until c; do d; done", ["a", "b", "c", "d"]),
        ("for i in $(ls); do echo $i; done", ["ls", "echo $i"]),
        ("case $(a) in x|y) b;; *) c;; esac", ["a", "b", "c"]),
        ("echo $(rm -rf a)", ["echo $(rm -rf a)", "rm -rf a"]),
        ('echo "it is $(date) now"', ["echo it is $(date) now", "date"]),
        ("echo `rm a`", ["echo `rm a`", "rm a"]),
        ("echo ${x:-$(rm a)}", ["echo ${x:-$(rm a)}", "rm a"]),
        ("x=$(rm a)", ["", "rm a"]),
        ("diff <(a) >(b)", ["diff <(a) >(b)", "a", "b"]),
        ("bash -c 'rm -rf a'", ["bash -c rm -rf a", "rm -rf a"]),
        ("sh -lc 'cd / && rm -rf *'", ["sh -lc cd / && rm -rf *", "cd /", "rm -rf *"]),
        ("bash -o pipefail -c 'a | b'", ["bash -o pipefail -c a | b", "a", "b"]),
        ("bash -c 'bash -c \"rm a\"'", ['bash -c bash -c "rm a"', "bash -c rm a", "rm a"]),
        ("eval rm -rf a", ["eval rm -rf a", "rm -rf a"]),
        ("trap 'rm -f x' EXIT", ["trap rm -f x EXIT", "rm -f x"]),
        ("ls | xargs -0 -n 1 rm -rf", ["ls", "xargs -0 -n 1 rm -rf", "rm -rf"]),
        ("ls | xargs -I{} sh -c 'rm {}'", ["ls", "xargs -I{} sh -c rm {}", "sh -c rm {}", "rm {}"]),
        ("find / -exec rm -rf {} + -o -exec a \\;", ["find / -exec rm -rf {} + -o -exec a ;", "rm -rf {}", "a"]),
        ("bash <<< 'rm a'", ["bash", "rm a"]),
        ("! grep x f", ["grep x f"]),
        ("(( i++ ))", []),
        ("", []),
        ("# only a comment", []),
    ],
)
def test_commands_in_order(text: str, expected: list[str]) -> None:
    script = parse(text)
    assert lines(script) == expected
    assert script.complete


@each_of(
    ("text", "expected"),
    [
        ("bash <<'EOF'\ngit reset --hard\nEOF", ["bash", "git reset --hard"]),
        ("cat <<EOF; rm -rf a\nprose rm -rf /\nEOF", ["cat", "rm -rf a"]),
        ("cat <<EOF > /etc/passwd\nx\nEOF", ["cat"]),
        ("cat > notes.md <<'EOF'\nrm -rf / $(rm b)\nEOF", ["cat"]),
        ("cat <<EOF\nnow $(rm b) and `rm c`\nEOF", ["cat", "rm b", "rm c"]),
        ('cat <<EOF\n"it\'s $(rm "b c")" \\$(rm d) $((1<<2))\nEOF', ["cat", "rm b c"]),
        ("cat <<-'A' <<B | sort && c\n\tx\n\tA\ny\nB\nd", ["cat", "sort", "c", "d"]),
        ("git commit -m \"$(cat <<'EOF'\nfix rm -rf /\nEOF\n)\" && d", ["git commit -m $(cat <<0\n)", "cat", "d"]),
        ("git commit -F - <<'EOF'\nrm -rf /\nEOF", ["git commit -F -"]),
        ("true <<'EOF'\ngit restore .\nEOF", ["true"]),
        ("echo $((1 << 2)); a", ["echo $((1 << 2))", "a"]),
        ("echo '<<EOF'; a\nb", ["echo <<EOF", "a", "b"]),
        ("echo x # <<EOF\na", ["echo x", "a"]),
        ("cat <<\\EOF\n$(rm b)\nEOF\na", ["cat", "a"]),
        # a comment ends with its line, also behind a backslash
        ("a # b\\\nrm c", ["a", "rm c"]),
        ("a '# b\\\nc'", ["a # b\\\nc"]),
        # bash ends the body at the bracket, with a warning
        ("x=$(cat <<'EOF'\nhi\nEOF)\nrm b", ["", "cat", "rm b"]),
        ("x=$(cat <<'EOF'\nhi\nEOF )\nrm b", ["", "cat", "rm b"]),
        # the body stands behind the line on which the substitution ends
        ("cat <<'EOF' <(\nrm b\n)\nrm c\nEOF", ["cat <(\nrm b\n)", "rm b"]),
        ("(cat <<'EOF'\nrm b\nEOF\n)", ["cat"]),
        ("cat <<'EOF' ${x:-\n}; a\nrm b\nEOF", ["cat ${x:-\n}", "a"]),
        ('echo \\" <<E\nrm x\nE\na', ['echo "', "a"]),
    ],
)
def test_a_heredoc_is_data_unless_a_shell_reads_it(text: str, expected: list[str]) -> None:
    script = parse(text)
    assert lines(script) == expected
    assert script.complete


def test_a_heredoc_keeps_its_tag_body_and_quoting() -> None:
    command = one("cat <<-'END' > out\n\ta\n\tb\n\tEND\n", "cat")
    (doc,) = command.heredocs
    assert (doc.tag, doc.body, doc.quoted) == ("END", "a\nb\n", True)
    assert [(entry.mode, entry.target.text) for entry in command.redirections] == [("heredoc", "END"), ("write", "out")]
    assert one("cat <<END\n$x\nEND", "cat").heredocs[0].quoted is False


@pytest.mark.parametrize(
    ("text", "words", "known"),
    [
        ("p a\"b\"'c'$'d\\n\\x41'", ["abcd\nA"], [True]),
        ('p "${UNSET}/" $HOME', ["${UNSET}/", "$HOME"], [False, False]),
        ('p "a \\"b\\" \\$c" d\\ e', ['a "b" $c', "d e"], [True, True]),
        ('p "$a $b"', ["$a $b"], [False]),
        ("p ~ *.py {1,2}", ["~", "*.py", "{1,2}"], [True, True, True]),
        ("p '' \"\"", ["", ""], [True, True]),
        ("p 'größe' \"日本\" 🎉", ["größe", "日本", "🎉"], [True, True, True]),
        ("p -- -x --y=z", ["--", "-x", "--y=z"], [True, True, True]),
    ],
)
def test_words_lose_their_quotes_and_expansions_are_marked(text: str, words: list[str], known: list[bool]) -> None:
    command = one(text, "p")
    assert list(command.texts) == words
    assert [word.known for word in command.arguments] == known


def test_a_quoted_pattern_is_told_from_a_live_one() -> None:
    assert [word.quoted for word in one("p '*' * ~ \\~ \"a\"b", "p").arguments] == [True, False, False, True, True]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p > a", [("write", "a", "")]),
        ("p >> a 2>b", [("append", "a", ""), ("write", "b", "2")]),
        ("p &> a < b", [("write", "a", ""), ("read", "b", "")]),
        ("p 2>&1 >| a", [("duplicate", "1", "2"), ("write", "a", "")]),
        ("p <<< word", [("herestring", "word", "")]),
        ('p > a <<< "x $y" 2>b', [("write", "a", ""), ("herestring", "x $y", ""), ("write", "b", "2")]),
        ("p 2>&- x", [("duplicate", "-", "2")]),
        ("> a", [("write", "a", "")]),
        ("while p; do q; done < a", [("read", "a", "")]),
        ("(p) > a", [("write", "a", "")]),
    ],
)
def test_redirections(text: str, expected: list[tuple[str, str, str]]) -> None:
    found = [entry for command in parse(text).commands for entry in command.redirections]
    assert [(entry.mode, entry.target.text, entry.descriptor) for entry in found] == expected


def test_assignments_are_kept_apart() -> None:
    command = one("A=1 env B='x y' C=$D p", "p")
    assert [(entry.name, entry.value.text, entry.value.known) for entry in command.assignments] == [
        ("A", "1", True),
        ("B", "x y", True),
        ("C", "$D", False),
    ]
    assert command.wrappers == ("env",)


@each_of(
    ("text", "directory"),
    [
        ("p", ""),
        ("cd x && p", "x"),
        ("cd x; cd ../y; p", "y"),
        ("cd /a/b && p", "/a/b"),
        ("cd && p", "~"),
        ("cd ~/x && p", "~/x"),
        ("(cd x); p", ""),
        ("(cd x; p)", "x"),
        ("cd x | p", ""),
        ("pushd x; p", "x"),
        ("cd - && p", None),
        ("cd x && cd - && p", ""),
        ("cd x; cd y; cd -; p", "x"),
        ("pushd x; popd; p", ""),
        ("cd a; pushd x; pushd /y; popd; p", "a/x"),
        ("pushd $X; popd; p", ""),
        ("pushd x; pushd +1; popd; p", None),
        ("popd; p", None),
        ("pushd x; (popd); p", "x"),
        ("cd $X && p", None),
        ("cd $X; cd y; p", None),
        ("cd x && bash -c 'cd y; p'", "x/y"),
        ("bash -c 'cd y'; p", ""),
        ("eval cd y; p", "y"),
        ("env -C x p", "x"),
        ("f() { cd x; }; p", ""),
    ],
)
def test_the_directory_follows_cd(text: str, directory: str | None) -> None:
    assert one(text, "p").directory == directory


@pytest.mark.parametrize(
    ("text", "nesting", "parent"),
    [
        ("p", (), None),
        ("(p)", ("subshell",), None),
        ("echo $(p)", ("substitution",), 0),
        ("a; diff <(p)", ("process",), 1),
        ("bash -c 'echo $(p)'", ("shell", "substitution"), 1),
        ("a | xargs p", ("xargs",), 1),
        ("find . -exec p \\;", ("find",), 0),
        ("f() { p; }", ("function", "group"), None),
        ("if p; then a; fi", ("condition",), None),
        ("cat <<E\n$(p)\nE", ("heredoc",), 0),
    ],
)
def test_nesting_and_parent(text: str, nesting: tuple[str, ...], parent: int | None) -> None:
    command = one(text, "p")
    assert (command.nesting, command.parent) == (nesting, parent)


def test_links_and_places_in_a_pipeline() -> None:
    found = parse("a && b 2>&1 | c || d |& f; e &").commands
    assert [(each.program, each.before, each.after, each.position, each.length) for each in found] == [
        ("a", "", "&&", 0, 1),
        ("b", "&&", "|", 0, 2),
        ("c", "|", "||", 1, 2),
        ("d", "||", "|&", 0, 2),
        ("f", "|&", ";", 1, 2),
        ("e", ";", "&", 0, 1),
    ]
    assert [each.background for each in found] == [False] * 5 + [True]


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("p", []),
        ("{ p; } | sh", [(0, 2, [], "")]),
        ("a | (p) < f", [(1, 2, ["f"], "")]),
        ("for i in 1; do p; done < f | sh", [(0, 2, ["f"], "")]),
        ("if a; then p; fi 2>&1 | sh", [(0, 2, ["1"], "")]),
        ("{ a; { p; } > g; } | sh", [(0, 2, [], ""), (0, 1, ["g"], "")]),
        ("echo $(p)", [(0, 1, [], "substitution")]),
        ("f() { p; }", [(0, 1, [], "function"), (0, 1, [], "")]),
    ],
)
def test_a_command_knows_the_compounds_that_hold_it(text: str, held: list[tuple[int, int, list[str], str]]) -> None:
    found = [
        (each.position, each.length, [entry.target.text for entry in each.redirections], each.apart)
        for each in one(text, "p").inside
    ]
    assert found == held


def test_the_redirections_of_a_compound_stand_behind_it() -> None:
    a, b, redirections, c = parse("{ a; b; } > f | c").commands
    assert a.inside == b.inside == (redirections.ends,)
    assert (redirections.program, [entry.target.text for entry in redirections.redirections]) == ("", ["f"])
    assert (c.inside, c.ends, c.position) == ((), None, 1)


@pytest.mark.requirement("SEC-7")
def test_of_a_pipeline_without_end_so_many_parts_are_read_and_the_rest_is_said_to_be_cut() -> None:
    """The grammar takes time by the square of a pipeline's parts: 256 KiB of them stopped the daemon for minutes."""
    for part in ("a|", "a|\n", "a |& ", "|", "a|'b|c' ", '\\"|', "x | # y\n"):
        read = parse(part * (256 * 1024 // len(part)))
        assert read.cut, part
        assert len(read.commands) <= 401, part
    long = "a|" * 30_000
    for line in (f"#'\n{long}'", f"$'\\''{long}'", f'"$({long})"', f'x "`{long}`"', f"\"'\"{long}'"):
        assert len(parse(line).commands) <= 402, line[:8]
    alternatives = "|".join(f"word{number}" for number in range(1_800))
    for line in (f"grep -E '{alternatives}' notes", f'grep -E "{alternatives}" notes', "a | b\n" * 900):
        assert not parse(line).cut, line[:40]
