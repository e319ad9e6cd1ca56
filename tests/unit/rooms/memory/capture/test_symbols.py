"""Names of functions and classes from changed lines."""

from __future__ import annotations

import pytest

from holdfast.rooms.memory.capture.symbols import declared, enclosing, touched_by_patch, touched_by_strings
from tests.support.table import each_of

ORIGINAL = (
    "import x\n\n\nclass Shop:\n    def sell(self):\n        a = 1\n        return a\n\n\ndef other():\n    pass\n"
)


@pytest.mark.requirement("MEM-4")
@each_of(
    ("line", "ending", "name"),
    [
        ("def login(request):", ".py", "login()"),
        ("    async def login(self) -> None:", ".py", "login()"),
        ("class Cart(Base):", ".py", "Cart"),
        ("x = define(y)", ".py", ""),
        ("export async function load(a) {", ".ts", "load()"),
        ("const save = async (a, b) => {", ".js", "save()"),
        ("export default class App extends X {", ".tsx", "App"),
        ("  render(props) {", ".jsx", "render()"),
        ("  if (ready) {", ".js", ""),
        ("interface Props {", ".ts", "Props"),
        ("pub async fn serve(port: u16) -> Result<()> {", ".rs", "serve()"),
        ("impl<T> Display for Matrix<T> {", ".rs", "Matrix"),
        ("func (s *Server) Close() error {", ".go", "Close()"),
        ("type Server struct {", ".go", "Server"),
        ("    public static void main(String[] args) {", ".java", "main()"),
        ("public final class Main {", ".java", "Main"),
        ("    return foo(bar) {", ".java", ""),
        ("int add(int a, int b) {", ".c", "add()"),
        ("fun total(items: List<Int>): Int {", ".kt", "total()"),
        ("  def save!", ".rb", "save!()"),
        ("deploy() {", ".sh", "deploy()"),
        ("## Install", ".md", "“Install”"),
        ("[tool.ruff]", ".toml", "[tool.ruff]"),
        ("def login(request):", ".xyz", ""),
    ],
)
def test_declarations(line: str, ending: str, name: str) -> None:
    assert declared(line, ending) == name


def test_a_changed_line_is_named_by_what_stands_above_it() -> None:
    lines = [" def one():", "     a = 1", "-    b = 2", "+    b = 3", " ", " def two():", "     c = 3"]
    assert touched_by_patch([{"lines": lines}], "a.py") == ("one()",)


def test_a_patch_without_a_declaration_gives_none() -> None:
    assert touched_by_patch([{"lines": ["     a = 1", "-    b = 2"]}], "a.py") == ()
    assert touched_by_patch("nonsense", "a.py") == ()


def test_at_most_three_names() -> None:
    lines = [f"+def f{number}():" for number in range(9)]
    assert touched_by_patch([{"lines": lines}], "a.py") == ("f0()", "f1()", "f2()")


def test_the_file_before_tells_where_an_edit_was() -> None:
    assert enclosing(ORIGINAL, 6, "a.py") == "sell()"
    assert enclosing(ORIGINAL, 99, "a.py") == ""
    assert touched_by_strings("        a = 1", "        a = 2", ORIGINAL, "a.py") == ("sell()",)
    assert touched_by_strings("x", "def made():\n    pass", "", "a.py") == ("made()",)
