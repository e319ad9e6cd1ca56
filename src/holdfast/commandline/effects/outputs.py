"""Files that a program writes because an option, an operand or its own script names them: `curl -o`, `uniq IN OUT`,
`find -fprint`, `awk '{print > "f"}'`, `sed 'w f'`. Pure."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence

from holdfast.commandline.model import Arg, Run
from holdfast.commandline.running.given_commands import sed_commands

Written = tuple[Arg, str]
"""A file, and what names it in a few words."""

_AWK_TO = re.compile(r'>>?\s*(?:"([^"]+)"|([A-Za-z_]\w*))')
_SED_TO = re.compile(r"(?:\A|[\n;{}$!\d¤]|(?<=¤)[gpIiMme\d]+)[ \t]*[wW][ \t]+([^\n]+)")
_FIND = frozenset({"-fprint", "-fprint0", "-fprintf", "-fls"})
_REMOTE = re.compile(r"(?:[\w.-]+@)?[\w.-]+::?(?!\\)|\w+://")


def outputs(run: Run) -> Iterator[Written]:
    """All files that this run writes by its own doing; redirections are the shell's."""
    reader = PROGRAMS.get(run.program)
    if reader is not None:
        for arg, name in reader(run):
            if arg.text not in ("", "-"):
                yield arg, name


def additions(run: Run) -> Iterator[Arg]:
    """Files that get more, or other content, where what they held is not looked at: `tee -a`, `rsync`."""
    words = [arg for arg in run.args if not arg.text.startswith("-")]
    if run.program == "tee":
        yield from words
    elif run.program == "ln" and len(words) > 1:
        yield words[-1]
    elif run.program in ("rsync", "scp") and len(words) > 1 and not _REMOTE.match(words[-1].text):
        yield words[-1]
        for source in words[:-1]:
            yield landed(words[-1], source)


def landed(target: Arg, source: Arg) -> Arg:
    """Where something arrives if the target is a folder."""
    name = posixpath.basename(source.text.rstrip("/").rpartition(":")[2])
    return Arg(posixpath.join(target.text, name), target.known and source.known, target.quoted)


def _option(letter: str, names: tuple[str, ...], values: str) -> Callable[[Run], Iterator[Written]]:
    """`-o F`, `-oF`, `-fsSLo F`, `--output F`, `--output=F`; `values` are the other letters that take the rest."""

    def read(run: Run) -> Iterator[Written]:
        args = run.args
        for place, arg in enumerate(args):
            text = arg.text
            following = args[place + 1] if place + 1 < len(args) else None
            name, sign, value = text.partition("=")
            if text == "--":
                return
            if text.startswith("--"):
                if len(name) > 4 and any(each.startswith(name) for each in names):
                    found = Arg(value, arg.known, arg.quoted) if sign else following
                    if found is not None:
                        yield found, f"{run.program} {name}"
            elif text.startswith("-"):
                rest = _value_of(text[1:], letter, values)
                found = following if rest == "" else Arg(rest, arg.known, arg.quoted) if rest else None
                if found is not None:
                    yield found, f"{run.program} -{letter}"

    return read


def _value_of(letters: str, wanted: str, values: str) -> str | None:
    """What stands behind a letter in a bundle; None when it is not in it."""
    for place, letter in enumerate(letters):
        if letter == wanted:
            return letters[place + 1 :]
        if letter in values:
            return None
    return None


def _second(values: str) -> Callable[[Run], Iterator[Written]]:
    """Programs whose second operand is written: `uniq IN OUT`."""

    def read(run: Run) -> Iterator[Written]:
        words = _without_options(run, values)
        if len(words) > 1:
            yield words[1], run.program

    return read


def _find(run: Run) -> Iterator[Written]:
    for arg, following in zip(run.args, run.args[1:], strict=False):
        if arg.text in _FIND:
            yield following, f"find {arg.text}"


def _awk(run: Run) -> Iterator[Written]:
    script, files, given, in_place = _script_of(run.args, "vFfi", "")
    values = dict(each.partition("=")[::2] for each in given.get("v", ()))
    for text in script:
        for literal, name in _AWK_TO.findall(text):
            if target := literal or values.get(name, ""):
                yield Arg(target, quoted=True), "awk"
    if in_place or "inplace" in given.get("i", ()):
        for arg in files:
            yield arg, "awk -i inplace"


def _sed(run: Run) -> Iterator[Written]:
    script, _, given, _ = _script_of(run.args, "efl", "e")
    for text in (*script, *given.get("e", ())):
        for target in _SED_TO.findall(sed_commands(text)):
            yield Arg(target.strip(), quoted=True), "sed w"


def _script_of(
    args: Sequence[Arg], values: str, scripts: str
) -> tuple[list[str], list[Arg], dict[str, list[str]], bool]:
    """The script (unless an option gives it), the operands, the values by letter, and whether `--inplace` is said."""
    given: dict[str, list[str]] = {}
    words: list[Arg] = []
    waits = ""
    for arg in args:
        text = arg.text
        if waits:
            given.setdefault(waits, []).append(text)
            waits = ""
        elif text.startswith("--"):
            name, _, value = text[2:].partition("=")
            letter = {"expression": "e", "file": "f", "assign": "v", "include": "i"}.get(name, "")
            if letter and value:
                given.setdefault(letter, []).append(value)
            else:
                waits = letter
        elif text.startswith("-") and text != "-":
            letter = next((each for each in text[1:] if each in values), "")
            rest = text.partition(letter)[2] if letter else ""
            if letter and rest:
                given.setdefault(letter, []).append(rest)
            else:
                waits = letter
        else:
            words.append(arg)
    told = any(given.get(each) for each in (*scripts, "f"))
    script = [] if told else [arg.text for arg in words[:1]]
    return script, words if told else words[1:], given, any(arg.text == "--inplace" for arg in args)


def _git(run: Run) -> Iterator[Written]:
    """`git diff --output=F`, `git archive -o F`."""
    words = [text for text in run.texts if not text.startswith("-")]
    if set(words[:3]) & {"log", "diff", "show", "archive", "diff-tree", "diff-index"}:
        short = "o" if "archive" in words[:3] else "\0"
        yield from _option(short, ("--output",), "cCGSOU")(run)


def _openssl(run: Run) -> Iterator[Written]:
    for arg, following in zip(run.args, run.args[1:], strict=False):
        if arg.text in ("-out", "-keyout"):
            yield following, f"openssl {arg.text}"


def _sponge(run: Run) -> Iterator[Written]:
    if "-a" not in run.texts:
        for arg in run.args:
            if not arg.text.startswith("-"):
                yield arg, "sponge"


def _ffmpeg(run: Run) -> Iterator[Written]:
    """With `-y` it writes over what is there; the output stands last."""
    if "-y" in run.texts and not run.args[-1].text.startswith("-"):
        yield run.args[-1], "ffmpeg -y"


def _edited(values: str, words: int) -> Callable[[Run], Iterator[Written]]:
    """Programs that edit files in place, where `-i` tells them to: `yq -i EXPRESSION F`. `words` stand before files."""

    def read(run: Run) -> Iterator[Written]:
        if any(_IN_PLACE.match(text) for text in run.texts):
            yield from _behind(run, values, words)

    return read


def _operands(values: str, words: int) -> Callable[[Run], Iterator[Written]]:
    """Programs that always do: `sd FIND REPLACE F`, `dos2unix F`."""
    return lambda run: _behind(run, values, words)


def _behind(run: Run, values: str, words: int) -> Iterator[Written]:
    yield from ((arg, run.program) for arg in _without_options(run, values)[words:])


def _without_options(run: Run, values: str) -> list[Arg]:
    """The operands. The options whose letters are in `values` take the next word."""
    found: list[Arg] = []
    skip = False
    for arg in run.args:
        if skip:
            skip = False
        elif arg.text.startswith("-") and arg.text != "-":
            skip = len(arg.text) == 2 and arg.text[1] in values
        else:
            found.append(arg)
    return found


def _last(run: Run) -> Iterator[Written]:
    """Programs whose last operand is written: `magick IN OUT`, `qpdf IN OUT`."""
    words = [arg for arg in run.args if not arg.text.startswith("-")]
    if len(words) > 1 and words[0].text not in ("identify", "info", "compare", "display"):
        yield words[-1], run.program


def _copy_from_afar(run: Run) -> Iterator[Written]:
    """`aws s3 cp s3://b/x F`, `gsutil cp gs://b/x F`, `rclone copyto r:x F`."""
    words = [arg for arg in run.args if not arg.text.startswith("-")]
    if len(words) > 2 and {"cp", "copyto"} & set(run.texts[:3]):
        source, target = words[-2:]
        if _REMOTE.match(source.text) and not _REMOTE.match(target.text):
            yield target, f"{run.program} cp"
            yield landed(target, source), f"{run.program} cp"


def _key(words: tuple[str, ...], options: tuple[str, ...]) -> Callable[[Run], Iterator[Written]]:
    """Programs that make a key: where one of `words` is said, they write the files behind `options`. The key that was
    there is gone then."""

    def read(run: Run) -> Iterator[Written]:
        if not words or not set(words).isdisjoint(run.texts):
            for arg, following in zip(run.args, (*run.args[1:], Arg("")), strict=True):
                name, sign, value = arg.text.partition("=")
                if name in options:
                    yield Arg(value, arg.known, arg.quoted) if sign else following, f"{run.program} {name}"

    return read


def _key_behind(words: tuple[str, ...], values: str = "") -> Callable[[Run], Iterator[Written]]:
    """Those that take the files behind words: `step crypto keypair PUBLIC PRIVATE`."""

    def read(run: Run) -> Iterator[Written]:
        found = _without_options(run, values)
        if tuple(arg.text for arg in found[: len(words)]) == words:
            yield from ((arg, " ".join((run.program, *words))) for arg in found[len(words) :])

    return read


_KEYS: dict[str, Callable[[Run], Iterator[Written]]] = {
    "imgtool": _key(("keygen",), ("-k", "--key")),
    "certtool": _key(("--generate-privkey", "-p"), ("--outfile",)),
    "minisign": _key(("-G", "-R"), ("-s", "-p")), "signify": _key(("-G",), ("-s", "-p")),
    "signify-openbsd": _key(("-G",), ("-s", "-p")),
    "mkcert": _key((), ("-key-file", "-cert-file", "-p12-file")),
    "keytool": _key(
        ("-genkeypair", "-genkey", "-delete", "-importkeystore", "-changealias"), ("-keystore", "-destkeystore")
    ),
    "step": _key_behind(("crypto", "keypair")), "nrfutil": _key_behind(("keys", "generate")),
    "espsecure.py": _key_behind(("generate_signing_key",), "vs"),
    "espsecure": _key_behind(("generate-signing-key",), "vs"),
}  # fmt: skip
_IN_PLACE = re.compile(r"-[a-zA-Z]{0,5}i[a-zA-Z]{0,5}\Z|--in-?place(?:=|\Z)")
_KEPT_ONLY: dict[str, Callable[[Run], Iterator[Written]]] = {
    "shuf": _option("o", ("--output",), "in"),
    "iconv": _option("o", ("--output",), "ft"),
    "pandoc": _option("o", ("--output",), "ftrwFLMVHABcT"),
    "age": _option("o", ("--output",), "riR"), "rage": _option("o", ("--output",), "riR"),
    "xmllint": _option("\0", ("--output",), ""), "xsltproc": _option("o", ("--output",), ""),
    "pg_dump": _option("f", ("--file",), "hpUdFjntTNZES"), "pg_dumpall": _option("f", ("--file",), "hpUdlS"),
    "mysqldump": _option("r", ("--result-file",), "huPSpw"),
    "mariadb-dump": _option("r", ("--result-file",), "huPSpw"),
    "yq": _edited("IpoPe", 1), "sops": _edited("k", 0), "sd": _operands("nf", 2),
    "dos2unix": _operands("n", 0), "unix2dos": _operands("n", 0), "mac2unix": _operands("n", 0),
    "magick": _last, "convert": _last, "qpdf": _last,
    "aws": _copy_from_afar, "gsutil": _copy_from_afar, "rclone": _copy_from_afar, **_KEYS,
}  # fmt: skip
"""What they write over is kept where it would be lost. Where they write is no reason to ask: most write a new file."""


def is_kept_only(run: Run) -> bool:
    return run.program in _KEPT_ONLY


PROGRAMS: dict[str, Callable[[Run], Iterator[Written]]] = {
    "git": _git, "openssl": _openssl, "sponge": _sponge, "ffmpeg": _ffmpeg,
    "gpg": _option("o", ("--output",), "urRN"), "gpg2": _option("o", ("--output",), "urRN"),
    "curl": _option("o", ("--output",), "AbcCdDeEFhHKmPQrtTuUwxXyYz"),
    "wget": _option("O", ("--output-document",), "aoeiBtTwQPUlADIRX"),
    "sort": _option("o", ("--output",), "kStT"),
    "tree": _option("o", (), "LPIH"),
    "patch": _option("o", ("--output",), "pidBDFrYzV"),
    "xxd": _second("cglosn"),
    "uniq": _second("fsw"),
    "find": _find, "gfind": _find,
    "awk": _awk, "gawk": _awk, "mawk": _awk, "nawk": _awk,
    "sed": _sed, "gsed": _sed, **_KEPT_ONLY,
}  # fmt: skip
