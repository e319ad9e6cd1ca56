"""The program in the home, on which PATH and hooks rely: it starts the installed holdfast.

When the installation behind it was moved or deleted, it still takes the hooks out of the settings (`leave.py`).
"""

from __future__ import annotations

import shlex
from pathlib import Path

from holdfast import leave
from holdfast.install import files
from holdfast.install.service_files import WORD
from holdfast.paths import Home, make_private_folder

_MARK = "# Written by `holdfast up`. It stays when the installation is moved or deleted."
_OTHERS = f"""\
# The plugin finds this program first, so a holdfast that was installed since then is looked for on PATH.
case "$1 $2" in
  "hook plugin"|mcp*) ;;
  *) set -- "" "$@" ;;
esac
if [ -n "$1" ]; then
  before=$IFS
  IFS=:
  set -f
  for folder in $PATH; do
    [ -f "$folder/holdfast" ] && [ -x "$folder/holdfast" ] || continue
    second=
    {{ read -r _ && read -r second; }} <"$folder/holdfast" 2>/dev/null
    case "$second" in "{_MARK.replace("`", chr(92) + "`")}"|"# The holdfast of this machine, "*) continue ;; esac
    IFS=$before
    exec "$folder/holdfast" "$@"
  done
  IFS=$before
else
  shift
fi
"""
"""Neither this program nor that of another home nor the plugin's own: they would lead back here."""


def command_script(python: Path, home: Home) -> str:
    """The program in the home. It serves this home, unless HOLDFAST_HOME says otherwise."""
    package = Path(leave.__file__).parent
    parts = (
        python,
        package / "doors" / "cli" / "__main__.py",
        package / "hook.py",
        home.root,
        home.leaver,
        home.stopped,
    )
    program, entry, client, root, leaver, stopped = (shlex.quote(str(part)) for part in parts)
    return (
        "#!/bin/sh\n"
        f"{_MARK}\n"
        f"if [ -x {program} ] && [ -e {entry} ]; then\n"
        "  # A hook of the plugin, or of an earlier installation: this one takes its event.\n"
        f'  [ "$1" = hook ] && shift && exec {program} -I -S -E {client} {root} "$@"\n'
        "  # The user service: the daemon itself, which stays; after `holdfast stop` it stays down, also at login.\n"
        f'  [ "$1" = {WORD} ] && [ -e {stopped} ] && exit 0\n'
        f'  [ "$1" = {WORD} ] && exec {program} -I -m holdfast.daemon.supervisor {root}\n'
        f'  [ -n "$HOLDFAST_HOME" ] || HOLDFAST_HOME={root}\n'
        "  export HOLDFAST_HOME\n"
        f'  exec {program} -I -m holdfast.doors.cli "$@"\n'
        "fi\n"
        f"{_OTHERS}"
        f'command -v python3 >/dev/null && exec python3 -I {leaver} {root} "$@"\n'
        'echo "holdfast: its installation is gone, and no python3 was found to take its hooks out." >&2\n'
        "exit 1\n"
    )


def write_program(home: Home, script: str) -> None:
    if not is_current(home, script):
        make_private_folder(home.bin)
        files.write(home.leaver, Path(leave.__file__).read_bytes(), 0o600)
        files.write(home.command, script.encode("utf-8"), 0o700)


def is_current(home: Home, script: str) -> bool:
    try:
        leaver = Path(leave.__file__).read_bytes()
        return home.command.read_text("utf-8") == script and home.leaver.read_bytes() == leaver
    except (OSError, UnicodeDecodeError):
        return False
