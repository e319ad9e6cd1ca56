"""Which words of a command are what it works on: neither options nor the values that options take. A table."""

from __future__ import annotations

from holdfast.shell.script import Command, Word
from holdfast.shell.tools import listed

_SEARCH = listed("-e -f -A -B -C -m -d -g -t -T -j --regexp --file --type --glob --max-count --context --max-depth")
VALUES: dict[str, frozenset[str]] = {
    "git": listed("-C -c --git-dir --work-tree --namespace"),
    "grep": _SEARCH, "egrep": _SEARCH, "fgrep": _SEARCH, "rg": _SEARCH, "ag": _SEARCH, "ack": _SEARCH,
    "fd": listed("-e -t -d -E --extension --type --max-depth --exclude"),
    "head": listed("-n -c --lines --bytes"), "tail": listed("-n -c -s --lines --bytes --pid"),
    "sed": listed("-e -f --expression --file"), "awk": listed("-F -v -f"),
    "touch": listed("-d -t -r"), "mkdir": listed("-m --mode"), "truncate": listed("-s -r --size --reference"),
    "jq": listed("--arg --argjson --slurpfile --rawfile --indent"), "install": listed("-m -o -g"),
    "shred": listed("-n -s"), "stat": listed("-c -f --format"), "diff": listed("-U -C --label"),
    "cp": listed("-t --target-directory"), "mv": listed("-t --target-directory"), "ls": listed("-I -w --ignore"),
    "tree": listed("-L -I -P -o"), "kill": listed("-s -n"), "rsync": listed("-e --exclude --include --rsh --filter"),
    "curl": listed("-H -d -X -o -u -F -A -b -c -e -m -T -w -x --header --data --request --output --user --max-time"),
    "wget": listed("-O -o -P -U --header --output-document"), "chmod": listed("--reference"),
    "docker": listed("-H --host --context -f --file -p --project-name"), "kubectl": listed("-n --namespace --context"),
}  # fmt: skip


def operands(command: Command) -> list[Word]:
    values = VALUES.get(command.program, frozenset())
    found: list[Word] = []
    skip = literal = False
    for word in command.arguments:
        if skip:
            skip = False
        elif word.text == "--" and not literal:
            literal = True
        elif not literal and word.text.startswith("-") and word.text != "-":
            skip = word.text in values
        else:
            found.append(word)
    return found
