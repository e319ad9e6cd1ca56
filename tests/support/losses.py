"""A project with every kind of thing that a command can lose, and a comparison of all of it: for tests of undo.

Names are bytes: one of the files has a name that is not UTF-8.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import stat
import subprocess
import tarfile
import zipfile
from pathlib import Path

from tests.support.guarded import Sandbox, write

Thing = tuple[str, int, bytes]
State = dict[bytes, Thing]

MADE_AGAIN = (b"build", b"node_modules")
_ASKED = (
    "rev-parse HEAD", "symbolic-ref -q HEAD", "stash list --format=%H:%gs",
    "for-each-ref --format=%(refname):%(objectname) refs/heads refs/tags refs/remotes", "diff --cached",
    "config --list --local", "worktree list --porcelain",
)  # fmt: skip
_ASKED_INSIDE = ("rev-parse HEAD", "symbolic-ref -q HEAD", "diff --cached")
_OLD_AND_NEW = "--- a/draft.txt\n+++ b/draft.txt\n@@ -1 +1 @@\n-draft\n+patched\n"


def furnish(sandbox: Sandbox) -> None:
    """Tracked, changed, staged, unknown and ignored files, links, odd names, modes, a repository inside, work trees."""
    root = sandbox.root

    def git(*words: str, cwd: Path = root) -> None:
        subprocess.run(("git", *words), cwd=cwd, env=sandbox.environment(), check=True, capture_output=True)

    write(root / "src" / "app.py", "first\n")
    write(root / "src" / "util.py", "util\n")
    write(root / "README.md", "read me\n")
    write(root / "docs" / "a.md", "a\n")
    write(root / "docs" / "b.md", "b\n").chmod(0o640)
    (root / "docs" / "tracked-link").symlink_to("b.md")
    write(root / "tools" / "run.sh", "#!/bin/sh\n").chmod(0o755)
    write(root / ".gitignore", "*.local\nbuild/\nnode_modules/\n.env\nuploads/\n")
    git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-qm", "one")
    git("branch", "side")
    git("tag", "v1")
    git("tag", "-a", "v2", "-m", "second")
    git("config", "alias.wipe", "!git add -A && git commit -qm W && git reset -q HEAD~1 --hard")
    write(root / "src" / "app.py", "second\n")
    git("commit", "-qam", "two")
    for name in ("lonely", "treed"):
        git("checkout", "-qb", name, "main")
        git("commit", "-q", "--allow-empty", "-m", f"only on {name}")
    git("checkout", "-q", "main")
    git("config", "branch.lonely.description", "what it is for")
    git("config", "branch.lonely.remote", "origin")
    git("config", "remote.origin.url", "../elsewhere")
    git("checkout", "-q", "--detach")
    git("commit", "-q", "--allow-empty", "-m", "only far")
    git("update-ref", "refs/remotes/origin/far", "HEAD")
    git("checkout", "-q", "main")
    for text in ("stash one\n", "stash two\n", "stash three\n"):
        write(root / "src" / "util.py", text)
        git("stash", "-q")
    git("worktree", "add", "-q", "--detach", "wt", "side")
    write(root / "wt" / "new.txt", "in a work tree\n")
    git("worktree", "add", "-q", str(root.parent / "tree"), "treed")
    write(root.parent / "tree" / "new.txt", "beside\n")

    write(root / "src" / "app.py", "changed, not committed\n")
    write(root / "docs" / "a.md", "staged\n")
    git("add", "docs/a.md")
    write(root / "docs" / "a.md", "staged, then changed\n")
    write(root / "draft.txt", "draft\n")
    os.link(root / "draft.txt", root / "hard.txt")
    write(root / "ro.txt", "read only\n").chmod(0o444)
    write(root / "backed.txt", "old text\n")
    for older in ("backed.txt.bak", "old-backed.txt", "backed.txt~", "backed.txt.gz", "part.aa", "gz.txt"):
        write(root / older, f"older {older}\n")
    write(root / "notes" / "plan.md", "plan\n")
    write(root / "notes" / "a.md", "a of notes\n")
    write(root / "notes" / "ideas.md", "ideas\n").chmod(0o600)
    write(root / "notes" / ".hidden", "hidden\n")
    write(root / "notes" / "draft.txt", "draft of notes\n")
    (root / "notes" / "deep").mkdir(mode=0o750)
    (root / "notes" / "deep" / "x.bin").write_bytes(b"x\0y\n")
    (root / "notes" / "deep" / "x.bin").chmod(0o755)
    (root / "notes" / "empty").mkdir(mode=0o700)
    (root / "empty").mkdir(mode=0o700)
    (root / "link.txt").symlink_to("draft.txt")
    (root / "notes" / "dangling").symlink_to("nowhere")
    (root / "dirlink").symlink_to("notes")
    write(root / "with space" / "ä b.txt", "odd\n")
    for raw in (b"caf\xe9.txt", b"odd/new\nline", b"odd/*.txt", b"odd/-rf", b"odd/\xff\xfe", b"odd/a.txt"):
        odd = os.path.join(os.fsencode(root), raw)
        os.makedirs(os.path.dirname(odd), exist_ok=True)
        with open(odd, "wb") as file:
            file.write(b"bytes of " + raw)
    write(root / ".env", "SECRET=only\n")
    write(root / "my.local", "local only\n")
    write(root / "uploads" / "pic.jpg", "pic\n")
    write(root / "build" / "out.o", "o\n")
    write(root / "node_modules" / "m" / "i.js", "m\n")
    for name in ("plan.md", "draft.txt", "README.md"):
        write(root / "src2" / name, f"{name} of src2\n")
    _archives(root)
    write(root / "p.patch", _OLD_AND_NEW.replace("a/", "").replace("b/", ""))
    write(root / "p1.patch", _OLD_AND_NEW)
    nested = root / "nested"
    write(nested / "inner.txt", "inner\n")
    git("init", "-q", cwd=nested)
    git("add", "-A", cwd=nested)
    git("commit", "-qm", "inner", cwd=nested)
    write(nested / "inner.txt", "inner, changed\n")
    write(nested / "more.txt", "unknown to git\n")


def _archives(root: Path) -> None:
    for name, mode in (("t.tar", "w"), ("t.tgz", "w:gz")):
        with tarfile.open(root / name, mode) as archive:  # type: ignore[call-overload]
            for member in ("draft.txt", "plan.md"):
                archive.add(root / "src2" / member, member)
            archive.add(root / "src2" / "plan.md", "x/plan.md")
    with zipfile.ZipFile(root / "z.zip", "w") as archive:
        archive.writestr("draft.txt", "zipped\n")
        archive.writestr("notes/plan.md", "zipped\n")
    with gzip.open(root / "gz.txt.gz", "wb") as packed:
        packed.write(b"packed\n")


def copied(model: Sandbox, sandbox: Sandbox) -> None:
    """The furnished project of another sandbox, copied here; work trees know each other by full paths."""
    sandbox.root.rmdir()
    subprocess.run(("cp", "-a", f"{model.root.parent}/.", sandbox.root.parent), check=True)
    for link in (
        *sandbox.root.glob(".git/worktrees/*/gitdir"),
        sandbox.root / "wt" / ".git",
        sandbox.root.parent / "tree" / ".git",
    ):
        link.write_text(link.read_text().replace(str(model.root.parent), str(sandbox.root.parent)))


def state(sandbox: Sandbox) -> State:
    """Every file, link and folder of the project and the work tree beside it, and what git says of its names."""
    found: State = {}
    top = os.fsencode(sandbox.root.parent)
    for folder, folders, names in os.walk(top):
        inside = os.path.relpath(folder, top)
        if b".git" in folders:
            folders.remove(b".git")
        for name in [*folders, *names]:
            path = os.path.join(folder, name)
            info = os.lstat(path)
            mode = stat.S_IMODE(info.st_mode)
            key = os.path.normpath(os.path.join(inside, name))
            if stat.S_ISLNK(info.st_mode):
                found[key] = ("link", 0, os.readlink(path))
            elif stat.S_ISDIR(info.st_mode):
                found[key] = ("folder", mode, b"")
            else:
                with open(path, "rb") as file:
                    found[key] = ("file", mode, file.read())
    for place in (".", "nested", "wt", "../tree"):
        here = sandbox.root / place
        if (here / ".git").exists():
            questions = _ASKED if place == "." else _ASKED_INSIDE
            words = ("git " + " ".join(f"'{word}'" for word in each.split(" ")) for each in questions)
            told = sandbox.bash("; echo ==next==; ".join(words), cwd=here).stdout
            for asked, said in zip(questions, told.split(b"==next=="), strict=True):
                found[f"git of {place}: {asked}".encode()] = ("git", 0, said)
    return found


def differences(before: State, after: State) -> list[str]:
    """What is not as before. A name in git or a stash that is new is none."""
    found = []
    for name, thing in before.items():
        now = after.get(name)
        if b"for-each-ref" in name and now is not None and set(thing[2].split()) <= set(now[2].split()):
            continue
        if b"stash list" in name and now is not None and now[2].endswith(thing[2]):
            continue
        if now != thing:
            found.append(f"{name!r}: {thing} is {now}")
    return found


def lost(before: State, after: State, sandbox: Sandbox) -> list[str]:
    """What was there before and is nowhere now: its bytes are in no file, and in nothing that git has a name for."""
    there = {thing[2] for thing in after.values() if thing[0] == "file"}
    links = {thing for thing in after.values() if thing[0] == "link"}
    told = sandbox.bash("git rev-list --objects --all HEAD 2>/dev/null | cut -d' ' -f1").stdout.decode().split()
    reachable = set(told)
    gone = []
    for name, thing in before.items():
        if after.get(name) == thing or any(part in MADE_AGAIN for part in name.split(b"/")[1:2]):
            continue
        if thing[0] == "file":
            if thing[2] not in there and _blob(sandbox, thing[2]) not in reachable:
                gone.append(repr(name))
        elif thing[0] == "link":
            if thing not in links and _blob(sandbox, thing[2]) not in reachable:
                gone.append(repr(name))
        elif thing[0] == "git" and b"git of .:" in name and (b"for-each-ref" in name or b"stash" in name):
            for line in thing[2].decode().split():
                number = line.rpartition(":")[2] if b"for-each" in name else line.partition(":")[0]
                if len(number) == 40 and number not in reachable:
                    gone.append(f"{name!r} {line}")
    return gone


def _blob(sandbox: Sandbox, text: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(text) + text).hexdigest()
