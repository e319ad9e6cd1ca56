"""The files a command line touches, as observations keep them (MEM-4)."""

import pytest

from holdfast.shell import files_touched, parse
from tests.support.table import each_of

pytestmark = pytest.mark.requirement("MEM-4")


@each_of(
    ("command", "expected"),
    [
        ("cat a.py b.py", [("a.py", "read"), ("b.py", "read")]),
        ("head -n 5 a.py", [("a.py", "read")]),
        ("echo x > a", [("a", "write")]),
        ("echo x >> a 2>/dev/null", [("a", "write")]),
        ("sort < a > b", [("a", "read"), ("b", "write")]),
        ("cat > f <<'E'\nx\nE", [("f", "write")]),
        ("cp a b", [("a", "read"), ("b", "write")]),
        ("mv a b c/", [("a", "delete"), ("b", "delete"), ("c/", "write")]),
        ("rm -rf build/ x", [("build/", "delete"), ("x", "delete")]),
        ("rm -- -x", [("-x", "delete")]),
        ("touch -d yesterday a", [("a", "write")]),
        ("mkdir -p a/b", [("a/b", "write")]),
        ("pytest | tee log.txt", [("log.txt", "write")]),
        ("sed -i s/a/b/ f.py", [("f.py", "write")]),
        ("sed -i '' s/a/b/ f.py", [("f.py", "write")]),
        ("sed -i.bak -e s/a/b/ f.py", [("f.py", "write")]),
        ("sed -n 1,5p f.py", [("f.py", "read")]),
        ("perl -pi -e s/a/b/ f.py", [("f.py", "write")]),
        ("git checkout -- a.py", [("a.py", "write")]),
        ("git checkout main", []),
        ("git restore a.py", [("a.py", "write")]),
        ("git restore --staged a.py", []),
        ("git rm a.py", [("a.py", "delete")]),
        ("git mv a b", [("a", "delete"), ("b", "write")]),
        ("dd if=a of=b", [("a", "read"), ("b", "write")]),
        ("truncate -s 0 a", [("a", "write")]),
        ("grep -n x src/a.py", [("src/a.py", "read")]),
        ("cd sub && cat a.py", [("sub/a.py", "read")]),
        ("cd sub && cat ../a.py /etc/x", [("a.py", "read"), ("/etc/x", "read")]),
        ("(cd sub; touch a); touch b", [("sub/a", "write"), ("b", "write")]),
        ("cd $X && cat a.py", []),
        ("cat $X *.py", []),
        ("cat '*.py'", [("*.py", "read")]),
        ("bash -c 'rm a'", [("a", "delete")]),
        ("echo $(cat a)", [("a", "read")]),
        ("sudo rm a", [("a", "delete")]),
        ("f() { rm a; }", []),
        ("echo rm a", []),
        ("cat a; cat a", [("a", "read")]),
        ("while read l; do :; done < a", [("a", "read")]),
        ("ls", []),
    ],
)
def test_files_touched(command: str, expected: list[tuple[str, str]]) -> None:
    assert [tuple(touch) for touch in files_touched(parse(command))] == expected
