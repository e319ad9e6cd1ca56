"""A file that the line wrote is judged where a program runs it, by whatever program and in whatever language."""

from __future__ import annotations

import pytest

from tests.support.table import each_of
from tests.unit.judging.test_rules import is_caught

HOME = "/home/dev/Documents"
PYTHON = 'import shutil\nshutil.rmtree("{}")'
NODE = 'require("fs").rmSync("{}", {{recursive: true}})'
GO = 'package main\nimport "os"\nfunc main() {{ os.RemoveAll("{}") }}'
SHELL = "rm -rf {}"
FILES = (
    ("s.py", PYTHON, "python s.py|python -m s|python -W ignore s.py|uv run s.py|coverage run s.py|pytest s.py::test_a"),
    ("s.py", PYTHON, "python -c 'import s'|pytest -q|tox|nox|./s.py|cp s.py t.py; python t.py"),
    ("setup.py", PYTHON, "python setup.py build"),
    ("s.js", NODE, "node s.js|npx ts-node s.js|jest|vitest run|npx gulp|npm test"),
    ("x.ts", NODE, "bun x.ts|deno run -A x.ts|npx tsx x.ts|yarn vitest"),
    ("main.go", GO, "go run main.go|go run .|go build -o x && ./x|go test ./..."),
    ("src/main.rs", 'fn main() {{ std::fs::remove_dir_all("{}").unwrap(); }}', "cargo run|cargo test"),
    ("x.c", 'int main() {{ system("rm -rf {}"); }}', "gcc x.c -o x && ./x|clang x.c|tcc -run x.c"),
    ("x.lua", 'os.execute("rm -rf {}")', "lua x.lua|luajit x.lua"),
    ("x.R", 'unlink("{}", recursive = TRUE)', "Rscript x.R|R -f x.R"),
    ("x.exs", 'System.cmd("sh", ["-c", "rm -rf {}"])', "elixir x.exs"),
    ("x.awk", 'BEGIN {{ system("rm -rf {}") }}', "awk -f x.awk"),
    ("x.ps1", "Remove-Item -Recurse -Force {}", "pwsh x.ps1|pwsh -File x.ps1"),
    ("x.sh", SHELL, "sh x.sh|./x.sh|source x.sh|mv x.sh y; chmod +x y; ./y|bats x.sh|ln -s x.sh z; bash z"),
    (".envrc", SHELL, "direnv allow"),
    ("package.json", '{{"scripts": {{"test": "rm -rf {0}", "build": "rm -rf {0}"}}}}', "npm test|npm run build"),
    ("package.json", '{{"scripts": {{"postinstall": "rm -rf {}"}}}}', "npm install|npm ci"),
)
"""A name, a text, and how the file is run."""


@pytest.mark.requirement("WRK-14")
@each_of("name, text, ways", FILES)
def test_a_file_that_the_line_wrote_is_judged_where_it_is_run(name: str, text: str, ways: str) -> None:
    for way in ways.split("|"):
        far, near = (f"cat > {name} <<'EOF'\n{text.format(path)}\nEOF\n{way}" for path in (HOME, "build"))
        assert is_caught(far), way
        assert not is_caught(near), way


WRITTEN_BY_CODE = (
    "python3 -c \"open('x.sh', 'w').write('{}')\"",
    "python3 - <<'EOF'\nfrom pathlib import Path\nPath('x.sh').write_text('{}')\nEOF\n:",
    "node -e \"require('fs').writeFileSync('x.sh', '{}')\"",
    "ruby -e \"File.write('x.sh', '{}')\"",
    'perl -e \'open(F, ">x.sh"); print F "{}"\'',
    'awk \'BEGIN {{ print "{}" > "x.sh" }}\'',
)


@pytest.mark.requirement("WRK-14")
@each_of("writes", WRITTEN_BY_CODE)
def test_a_file_that_inline_code_wrote_is_judged_where_it_is_run(writes: str) -> None:
    assert is_caught(f"{writes.format('rm -rf ~/Documents')}; sh x.sh")
    assert not is_caught(f"{writes.format('make all')}; sh x.sh")
    assert not is_caught(f"{writes.format('rm -rf ~/Documents')}; cat x.sh")


RUN = (
    "npm pkg set scripts.x='rm -rf ~/Documents'; npm run x",
    "echo cm0gLXJmIH4vRG9jdW1lbnRz | base64 -d > x.sh; sh x.sh",
    "echo 'drop database prod;' > d.sql; docker exec -i db psql < d.sql",
    "echo 'drop table users;' > d.sql && psql prod -f d.sql",
    "echo 'rm -rf ~/Documents' > x.sh; echo exit >> x.sh; sh x.sh",
)
WROTE = "cat > s.py <<'EOF'\nimport shutil\nshutil.rmtree('/home/dev/Documents')\nEOF\n"
NOT_RUN = (
    f"{WROTE}ruff check s.py; git add s.py; wc -l s.py",
    f"{WROTE}python -m py_compile s.py && mypy s.py && chmod +x s.py",
    "cat > t.py <<'EOF'\nimport shutil\ndef test_x(tmp_path):\n    shutil.rmtree(tmp_path)\nEOF\npytest t.py",
    "cat > notes.md <<'EOF'\nNever run rm -rf ~/Documents.\nEOF\ngit add notes.md && git commit -m notes",
    'cat > x.c <<\'EOF\'\nint main() {\n  remove("out");\n  fopen("/etc/hosts", "r");\n}\nEOF\ngcc x.c -o x && ./x',
    "cat > Dockerfile <<'EOF'\nFROM debian\nRUN rm -rf /var/lib/apt/lists/*\nEOF\ndocker build -t x .",
    "cat > compose.yml <<'EOF'\nservices: {db: {image: postgres, volumes: [/var/lib/pg:/data]}}\nEOF\n"
    "docker compose up -d",
    "cat > build.sh <<'EOF'\nset -e\nrm -rf build\nmkdir build\ncc -o build/x src/x.c\nEOF\nsh build.sh",
)


@pytest.mark.requirement("WRK-7", "WRK-14")
def test_what_is_written_and_run_is_caught_and_what_is_only_written_passes() -> None:
    assert [line for line in RUN if not is_caught(line)] == []
    assert [line for line in NOT_RUN if is_caught(line)] == []
