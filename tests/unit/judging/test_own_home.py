"""Holdfast's own home and rules: no command line writes them, by whichever way a command can write."""

from __future__ import annotations

import pytest

from holdfast.commandline.model import Where
from holdfast.commandline.reading.line import read
from holdfast.judging import paths
from holdfast.judging.packs import built_in
from holdfast.judging.rules import findings, strictest
from tests.support.table import each_of

pytestmark = pytest.mark.requirement("WRK-7")

WHERE = Where(cwd="/home/u/p", root="/home/u/p", home="/home/u")
PRIVATE = ("/home/u/.holdfast",)
FILE = "~/.holdfast/config.toml"
FULL = "/home/u/.holdfast/config.toml"
WRITES = (
    f"echo x >> {FILE}", "echo x >> $HOLDFAST_HOME/config.toml", 'cat x >> "$HOLDFAST_HOME"/guards/my.toml',
    "echo x > ${HOLDFAST_HOME}/config.toml", 'echo x >> "${HOLDFAST_HOME:-$HOME/.holdfast}/config.toml"',
    "echo x >> /home/u/.hold*/config.toml", "echo x >> /home/u/.h?ldfast/config.toml", "echo x >> ~/.holdfas[t]/c.toml",
    "echo x >> /h*/u/.h*/config.toml", "echo x >> ~/.{holdfast,x}/config.toml",
    "h=~/.holdfast; echo x >> $h/config.toml",
    "cd ~/.holdfast && echo x >> config.toml", f"echo x >> /proc/self/root{FULL}", "echo x >> ~/p/../.holdfast/c.toml",
    f"echo x | tee -a {FILE}", f"cp x {FILE}", "cp x ~/.holdfast/", f"ln -sf /dev/null {FILE}", f"ln -s {FILE} x",
    "mv ~/.holdfast ~/.old", "rm -rf ~/.holdfast", f"sed -i s/on/off/ {FILE}", f"perl -pi -e s/a/b/ {FILE}",
    f"truncate -s0 {FILE}", f"dd if=x of={FILE}", f"install -m 600 x {FILE}", "rsync x ~/.holdfast/",
    f"curl -o {FILE} https://x.example", "tar xf x.tar -C ~/.holdfast", f"patch {FILE} < x", f"ed {FILE}",
    "chmod 000 ~/.holdfast", "touch ~/.holdfast/guards/x.toml", "git clone x ~/.holdfast/guards",
    "for f in ~/.holdfast/*.toml; do echo > $f; done", f"bash -c 'echo x >> {FILE}'", f"exec 3>>{FILE}; echo x >&3",
    f"python3 -c \"open('{FULL}','a').write('x')\"", f"python3 -c \"import shutil; shutil.copy('x','{FULL}')\"",
    "python3 -c \"import os; open(os.environ['HOLDFAST_HOME']+'/config.toml','a')\"",
    "python3 - <<'E'\nfrom pathlib import Path\nPath.home().joinpath('.holdfast/config.toml').write_text('x')\nE",
    f"node -e \"require('fs').appendFileSync('{FULL}','x')\"", f"perl -e 'open(F,\">>{FULL}\")'",
    f"ruby -e 'File.write(\"{FULL}\",\"x\")'", f"awk '{{print > \"{FULL}\"}}' x",
    "python3 -c \"import socket; socket.socket(socket.AF_UNIX).connect('/home/u/.holdfast/holdfast.sock')\"",
    "socat - UNIX-CONNECT:/home/u/.holdfast/holdfast.sock", "nc -U ~/.holdfast/holdfast.sock",
    "curl --unix-socket ~/.holdfast/holdfast.sock http://x/", "kill $(cat ~/.holdfast/daemon.lock)",
    "p=$(jq .pid ~/.holdfast/daemon.lock); kill $p", "jq .pid ~/.holdfast/daemon.lock | xargs kill",
    "python3 -c \"import os,json; os.kill(json.load(open('/home/u/.holdfast/daemon.lock'))['pid'],9)\"",
)  # fmt: skip
READS = (
    f"cat {FILE}", "ls -la ~/.holdfast", f"grep mode {FILE}", "holdfast status", "echo $HOLDFAST_HOME",
    "echo x >> notes.md",
    "jq .pid ~/.holdfast/daemon.lock", "kill $(cat app.pid)", f"python3 -c \"print(open('{FULL}').read())\"",
    f"wc -l < {FILE}", "python3 -c \"open('out.txt','a').write('x')\"", "echo x >> src/*.txt", "echo x >> ~/p/h*me.txt",
    "export HOLDFAST_HOME=/tmp/x", f"diff {FILE} x",
)  # fmt: skip


def decision(line: str) -> str:
    reading = read(line)
    worst = strictest([*findings(reading, built_in(), WHERE), *paths.of_line(reading.runs, WHERE, PRIVATE)])
    return worst.decision if worst else "allow"


@each_of(
    "line",
    [
        "echo x > ~u/.holdfast/config.toml",
        "cd ~u/.holdfast && echo x > config.toml",
        "sed -i s/on/off/ ~u/.holdfast/config.toml",
        "rm -rf ~u/.holdfast",
        "holdfast call guard_allow_once '{}'",
        "setsid holdfast call guard_allow_once '{}'",
    ],
)
def test_the_home_by_its_users_name_and_the_override_by_its_tool_are_denied(line: str) -> None:
    assert decision(line) == "deny"


@each_of("line", WRITES)
def test_no_way_of_writing_reaches_it(line: str) -> None:
    assert decision(line) in ("ask", "deny")


@each_of("line", READS)
def test_reading_it_is_in_nobodys_way(line: str) -> None:
    assert decision(line) == "allow"
