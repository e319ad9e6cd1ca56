"""What the client's settings run: `python -I -S -E hook.py HOME`. Always exits 0.

Python compiles a script anew at every run, and keeps what it compiled of a module. So the command client is a module,
`command_client.py`, and here is only the way to it.
"""

import sys

if __name__ == "__main__":
    sys.path.insert(0, __file__.rsplit("/", 2)[0])
    try:
        from holdfast.command_client import run

        run(sys.argv[1:3])
    except Exception as error:  # an installation that is half there; the session goes on
        sys.stderr.write(f"holdfast: {error}\n")
