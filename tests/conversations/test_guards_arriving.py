"""What arrives over a file that is the only copy: from an archive, from elsewhere, from a program that is told to write
there. Its bytes are kept. A new hook of git is asked about, by whichever program it is put there."""

from __future__ import annotations

import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.contract.site import Site
from tests.conversations.talk import Talk
from tests.conversations.test_guards import bash, decision, repository
from tests.support.roads import run

__all__ = ["repository"]
KEPT = (
    "tar -xf x.tar -C ~",
    "unzip -o x.zip -d ~",
    "scp host:x only.txt",
    "scp host:only.txt ~",
    "shuf -o only.txt other",
    "yq -i '.a = 1' only.txt",
    "sd a b only.txt",
    "dos2unix only.txt",
    "iconv -f latin1 -t utf8 -o only.txt other",
    "pg_dump -f only.txt shop",
    "magick in.png only.txt",
    "aws s3 cp s3://b/x only.txt",
    "openssl genrsa -out only.txt 2048",
    "imgtool keygen -t ecdsa-p256 -k only.txt",
    "imgtool keygen --type rsa-2048 --key=only.txt",
    "certtool --generate-privkey --outfile only.txt",
    "minisign -G -f -s only.txt -p new.pub",
    "signify -G -n -p new.pub -s only.txt",
    "step crypto keypair new.pub only.txt --force",
    "mkcert -key-file only.txt -cert-file new.pem localhost",
    "espsecure.py generate_signing_key -v 2 only.txt",
    "nrfutil keys generate only.txt",
    "keytool -importkeystore -noprompt -srckeystore in.jks -destkeystore only.txt",
)
PASS = (
    "tar -xf x.tar -C /tmp/elsewhere",
    "curl -sL https://example.com/x.tar | tar -xz -C ~/.local",
    "scp only.txt host:x",
    "scp host:x new.txt",
    "shuf only.txt",
    "yq '.a' only.txt",
    "sd -p a b",
    "pg_dump -f new.sql shop",
    "aws s3 cp only.txt s3://b/x",
    "magick identify only.txt",
    "imgtool sign --key only.txt in.bin signed.bin",
    "imgtool getpub -k only.txt",
    "minisign -S -s only.txt -m a.tgz",
    "signify -S -s only.txt -m a.tgz",
    "keytool -list -keystore only.txt",
    "step crypto inspect only.txt",
    "nrfutil keys display only.txt",
    "mkcert -key-file new.pem localhost",
)
ASKED = (
    "cp hook .git/hooks/pre-commit",
    "install -m755 hook .git/hooks/pre-commit",
    "ln -s ../../hook .git/hooks/pre-push",
    "mv hook .git/hooks/pre-commit",
    "chmod -R 000 src",
    "chmod -R a-r src",
    "ls src | xargs -I% sh -c '> src/%'",
    "holdfast service disable",
)
HARMLESS = (
    "cp committed .git/hooks/pre-commit",
    "ln -sf ../../committed .git/hooks/pre-push",
    "chmod -R 755 src",
    "chmod -R a+r src",
)


@pytest.mark.requirement("WRK-7", "WRK-13")
def test_what_is_written_over_is_kept_and_what_runs_later_is_asked_about(
    site: Site, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "person"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for folder in (repository, home):
        (folder / "only.txt").write_text("precious\n")
    (repository / "committed").write_text("#!/bin/sh\n")
    subprocess.run(("git", "add", "committed"), cwd=repository, check=True)
    known = ("-c", "user.name=n", "-c", "user.email=e@example.org")
    subprocess.run(("git", *known, "commit", "-qm", "hook"), cwd=repository, check=True)
    (repository / "hook").write_text("#!/bin/sh\n")
    (repository / "src").mkdir(exist_ok=True)
    with tarfile.open(repository / "x.tar", "w") as archive:
        archive.add(repository / "only.txt", "only.txt")
    with zipfile.ZipFile(repository / "x.zip", "w") as zipped:
        zipped.write(repository / "only.txt", "only.txt")

    async def story() -> None:
        async with site.open() as store:
            talk = Talk(store, home=tmp_path / "own")
            found = {}
            for number, line in enumerate((*KEPT, *PASS, *ASKED, *HARMLESS)):
                answer = await talk.tell(bash(line, repository, use=f"t{number}"))
                is_kept = "kept" in answer.get("hookSpecificOutput", {}).get("additionalContext", "")
                found[line] = "kept" if is_kept else decision(answer) or "pass"
            wanted = {**dict.fromkeys(KEPT, "kept"), **dict.fromkeys(ASKED, "ask")}
            wanted |= dict.fromkeys((*PASS, *HARMLESS), "pass")
            wrong = {line: said for line, said in found.items() if said != wanted[line]}
            assert wrong == {}

    run(story())
