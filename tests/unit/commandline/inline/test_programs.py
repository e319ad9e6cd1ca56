"""Programs inside a command line are read for what they destroy; what is only data is not."""

from __future__ import annotations

import pytest

from holdfast.commandline.inline.normal import plain
from tests.unit.judging.test_rules import is_caught

DESTROYS = (
    "python3 -c \"import shutil; shutil.rmtree('/etc')\"",
    "python3 -c \"from shutil import rmtree as gone; gone('/etc')\"",
    "python3 -c \"import os; os.remove('/etc/passwd')\"",
    "python3 -c \"from pathlib import Path; (Path.home() / 'x').unlink()\"",
    "python3 -c \"p = '/usr/lib'; import shutil; shutil.rmtree(p)\"",
    "python3 -c \"open('/etc/hosts', 'w').write('')\"",
    "python3 -c \"import subprocess; subprocess.run('rm -rf /', shell=True)\"",
    "python3 -c \"__import__('os').system('rm -rf ~')\"",
    "python3 - <<'EOF'\nimport os\nfor name in ['/etc', '/usr']:\n    os.system(f'rm -rf {name}')\nEOF",
    "python3 -c 'import os; os.system(\"rm -rf / \" '",
    "node -e \"require('fs').rmSync('/etc', {recursive: true})\"",
    "node -e \"require('child_process').spawnSync('rm', ['-rf', '/'])\"",
    "node <<'EOF'\nconst fs = require('fs'); fs.unlinkSync('/etc/passwd')\nEOF",
    "ruby -e \"require 'fileutils'; FileUtils.rm_rf('/etc')\"",
    'ruby -e \'system("rm", "-rf", "/")\'',
    "perl -e 'system(\"rm -rf /\")'",
    "perl -MFile::Path -e 'remove_tree(\"/etc\")'",
    "php -r 'exec(\"rm -rf /\");'",
    "awk 'BEGIN { system(\"rm -rf /\") }'",
    "awk 'BEGIN { \"rm -rf /\" | getline }'",
)
HARMLESS = (
    "python3 -c \"print('rm -rf /')\"",
    'python3 -c "x = [1]; x.remove(1)"',
    "python3 -c \"import os; os.remove('build/out.o')\"",
    "python3 - <<'EOF'\ntext = 'shutil.rmtree(\"/etc\")'\nprint(text)\nEOF",
    "node -e \"console.log('fs.rmSync')\"",
    'node -e "list.remove(item)"',
    "ruby -e \"puts 'FileUtils.rm_rf'\"",
    "awk '{ print $1 }' /etc/passwd",
    "cat <<'EOF' > script.py\nimport shutil\nshutil.rmtree('/etc')\nEOF",
)


@pytest.mark.requirement("WRK-14")
def test_a_program_that_destroys_is_caught_and_one_that_only_mentions_it_passes() -> None:
    assert [command for command in DESTROYS if not is_caught(command)] == []
    assert [command for command in HARMLESS if is_caught(command)] == []


@pytest.mark.requirement("WRK-15")
def test_a_long_list_of_patterns_is_read_to_its_end() -> None:
    listed = '"a"' + '         "a"' * 40  # with an exponential pattern this never ends
    assert plain("ruby", f'Dir[{listed}x; FileUtils.rm_rf("src")').endswith('FileUtils.rm_rf("src")')
    assert plain("ruby", 'Dir["a/*", "b/*"]') == 'Dir["a/*"], Dir["b/*"]'
