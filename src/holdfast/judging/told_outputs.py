"""The folders into which a run is told to write: by an option, a setting or a variable of its own. Pure; linear.

An option says by its last words that it names an output, in nearly every tool: `--outdir`, `-derivedDataPath`,
`--cache-dir`, `--results-directory`, `CARGO_TARGET_DIR=x`. Only what says less by its name stands in a table. A folder
that the same run names as what it reads is none.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from holdfast.commandline.effects.output_names import SOURCE_FOLDERS
from holdfast.commandline.model import Run
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

_KINDS = (
    r"out|outputs?|dest|destination|results?(?:-bundle)?|reports?|artifacts?|artefacts?|save|logs?|dist|export|publish|wheel|"
    r"download|extract|unpack|untar|site|generated|gen|videos|screenshots|to|install|pack"
)
_NEEDED = (
    r"work|cache|scratch|tmp|temp|target|build|staging|coverage|(?:go)?covers?|derived(?:-?data)?|conda|tf-data|obj"
)
_PLACES = r"dirs?|path|directory|folder|root|base|prefix|location|destination|filename|file|tmp"
_OUTPUT = lazy_pattern(
    rf"(?:\A|-)(?:(?:{_KINDS}|{_NEEDED})(?:-?(?:{_PLACES})){{1,2}}|"
    r"out|outputs?|(?<!link-)(?<!copy-)(?<!compare-)dest|destination|results?|reports?|artifacts?|artefacts?|basetemp|coverage|"
    r"cache|tmp|temp)\Z"
)
"""The end of an option's name, in small letters with a dash between its words."""
_NO_FILES = lazy_pattern(r"(?:\A|-)(?:obj|to|pack|install|log|cache|dist|site|build|target|work)-?(?:file|filename)\Z")
"""Options that end alike and name what is read, or one file."""
_FORMATS = lazy_pattern(
    r"(?:\A|-)(?:export|output|out|save|write|report)-(?:json|csv|markdown|md|xml|html|asciidoc|pdf)\Z|"
    r"(?:\A|-)(?:(?:junit-?)?xml|html|lcov|sarif)(?:-(?:report(?:er)?|file|path|name|output))*\Z|"
    r"(?:\A|-)(?:json|csv|markdown|md)(?:-(?:report(?:er)?|output|export)(?:-(?:file|path|name))?)\Z"
)
"""Options behind which the file for a report stands."""
_FOR_A_MOMENT = lazy_pattern(
    rf"(?:\A|-)(?:{_NEEDED})-?(?:dir|path|directory|folder|root|base|prefix)(?:-?prefix)?\Z|basetemp\Z|\A[wB]\Z"
)
"""Options that name a folder which a tool only needs while it works."""
_VARIABLE = lazy_pattern(
    r"(?i)(?:\w+_)?(?:CACHE(?:_(?:DIR|HOME|PATH|ROOT))?|GOMODCACHE|BROWSERS_PATH|BUNDLE_PATH|GOPATH|GOBIN|PREFIX|DESTDIR)\Z|"
    r"(?:GEM|CARGO|RUSTUP|GRADLE_USER|MIX|HEX|PUB|PNPM|BUN|POETRY|PIPX|NUGET|CONDA|AIRFLOW|DAGSTER|KAGGLE|HF)_HOME\Z"
)
"""Variables that tell a tool where to put what it fetches."""
_TABLE = {
    "-d": "hugo mkdocs jekyll zola unzip jadx unsquashfs west javac kotlinc scalac javadoc mdbook swc coverage "
    "pyreverse",
    "-w": "nextflow tcpdump", "-B": "cmake idf.py", "-D": "asciidoctor asciidoctor-pdf love-release",
    "-C": "ninja meson binwalk samu", "-dir": "optipng", "-P": "yt-dlp wget", "-f": "pg_dump",
    "--prefix": "zig configure git meson cmake", "--package": "serverless sls", "--dir": "miniwdl rollup",
    "--root": "cargo", "--nimcache": "nim", "maven.repo.local": "mvn mvnw", "O": "make gmake",
    "project": "yolo", "--repo": "flatpak-builder", "--target": "gem pip pip3",
    "--data-dir": "etcd influxd vault meilisearch qdrant", "-data-dir": "consul nomad vault",
    "--storage.tsdb.path": "prometheus", "--specpath": "pyinstaller", "--mdir": "verilator", "--csv": "locust",
}  # fmt: skip
"""Names that mean an output for these programs only."""
_PLAYER = re.compile(r"-build\w{1,30}Player\Z")
"""How Unity is told where a game goes."""
_OTHER_O = listed(
    "ssh scp ps mount useradd npm grep egrep fgrep rg ag ack find fd ls install unzip tar kubectl oc aws gcloud docker "
    "podman set eval git read column cut diff cmp helm az flux argocd stat date test lsof ss ip chown od nl sqlite3 "
    "psql mysql rsync"
)
"""Programs for which `-o` is no output."""
_VAGUE = lazy_pattern(
    r"(?<!CARGO_)(?<![A-Z])(?:INSTALL|WORK|TARGET|TO)_?(?:DIR|PATH|DIRECTORY|FOLDER|ROOT|BASE|PREFIX)\Z"
)
"""What may as well name the folder that a program is about; it counts only for programs that are known."""
_KNOW_WORK = listed(
    "nextflow snakemake cargo cross maturin wasm-pack trunk conan bazel swift xcodebuild mvn gradle cmake meson pip "
    "pip3 west dbt asciidoctor antora gatk cromwell miniwdl toil cutadapt fastp spades.py stack pyinstaller"
)
_IN_CONTAINERS = listed("docker podman nerdctl buildah kubectl docker-compose podman-compose flatpak")
"""Programs whose `--workdir` is a folder with what people made."""
_NOT_READ = listed("rm cp mv curl [ [[ test ssh mosh")
"""Programs whose words say nothing of an output here."""
_EXPORTS = listed("--export --export-release --export-debug --export-pack")
_LAST = {
    "sphinx-build": ("", 3), "terraform": ("providers mirror", 3), "tofu": ("providers mirror", 3),
    "pnpm": ("deploy", 2), "typst": ("compile", 3), "minio": ("server", 2), "docker": ("cp", 3),
    "podman": ("cp", 3), "skopeo": ("copy", 3),
    "papermill": ("", 2), "wkhtmltopdf": ("", 2), "wkhtmltoimage": ("", 2),
}  # fmt: skip
"""Programs that write into what stands last, each with the words that come first and how many words there are."""
_MOST = 60


def folders(run: Run, path: str, *, for_a_moment: bool = False) -> Iterator[str]:
    """Relative paths, as they read from where the line began; none where no part of `path` is named."""
    if run.remote or run.directory is None or not mentions(run, path):
        return
    for name, told in _values(run):
        if for_a_moment and not _FOR_A_MOMENT.search(_plain(name)):
            continue
        bare = _MARK.sub("", told).removeprefix("$PWD/").removeprefix("${PWD}/").rstrip("/*")
        if not bare or bare.startswith(("-", "/", "~", "$", "..")) or " " in bare:
            continue
        if name.endswith(("-data-dir", ".path")) and "/" in bare:  # a server's own, where it is no name of the moment
            continue
        plain = posixpath.normpath(bare)
        others = [each.removeprefix("./") for each in run.texts[:_MOST] if each != told]
        if run.texts.count(told) < _TWICE and not any(each.startswith(f"{plain}/") for each in others):
            yield posixpath.normpath(posixpath.join(run.directory, plain))


def mentions(run: Run, path: str) -> bool:
    """A first look: does any word of the run, or a variable, hold a name of this path?"""
    said = "\n".join((*run.texts[:_MOST], *(value.text for _, value in run.environment)))
    return any(part in said for part in path.split("/"))


_TWICE = 2
_MARK = re.compile(r"\A[a-z]{2,8}[=:]")
"""`--out csv=FILE`, `--cov-report=html:ch`."""


def _values(run: Run) -> Iterator[tuple[str, str]]:
    """What names an output, and the output."""
    for variable, said in run.environment:
        if _VARIABLE.match(variable) or (variable.isupper() and _says_output(variable) and not _VAGUE.search(variable)):
            yield variable, said.text
    if run.program in _NOT_READ:
        return
    texts = run.texts[:_MOST]
    for place, text in enumerate(texts):
        name, sign, told = text.partition("=")
        if not sign and text[:2] == "--":  # `--outdir:x`
            name, sign, told = text.partition(":")
        name = name.removeprefix("-D").removeprefix("-P") if sign else name
        value = told if sign else texts[place + 1] if place + 1 < len(texts) else ""
        if (
            run.program in _TABLE.get(name if len(name) <= 2 else name.lower(), "").split()
            or _is_option(run, name, sign)
            or _PLAYER.match(name)
        ):
            yield name, value
        elif text in _EXPORTS and place + 2 < len(texts):
            yield text, texts[place + 2]
        elif "/" in value and name[:2] == "--" and _FORMATS.search(_plain(name)):
            yield name, value
        if "=" in value and name[:1] == "-" and " " not in value:  # `--output type=local,dest=x`
            pairs = (each.partition("=") for each in value.split(",")[:_MOST])
            yield from ((key, each) for key, equals, each in pairs if equals and _says_output(key))
    yield from (("", each) for each in _behind(run))


def _is_option(run: Run, name: str, sign: str) -> bool:
    if name in ("-o", "-O"):
        return run.program not in _OTHER_O
    if run.program in _IN_CONTAINERS and "work" in name:
        return False
    if run.program not in _KNOW_WORK and _VAGUE.search(_plain(name).replace("-", "_").upper()):
        return False
    return (name[:1] in ("-", "+") or bool(sign)) and _says_output(name)


def _says_output(name: str) -> bool:
    plain = _plain(name)
    return _OUTPUT.search(plain) is not None and not _NO_FILES.search(plain)


_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def _plain(name: str) -> str:
    """An option's words in small letters, with a dash between; of a short one its letter."""
    bare = name[:60].strip("-+")
    return bare if len(bare) == 1 else re.sub(r"[-_.:/]+", "-", _HUMP.sub("-", bare)).lower()


def _behind(run: Run) -> Iterator[str]:
    """What a place behind other words names."""
    words = [text for text in run.texts[:_MOST] if not text.startswith("-")]
    said, least = _LAST.get(run.program, ("", _MOST))
    if len(words) >= least and set(said.split()) <= set(words[:4]):
        yield words[-1] if run.program not in _IN_CONTAINERS or ":" not in words[-1] else ""
    elif run.program == "flatpak-builder" and len(words) > 1:
        yield words[-2]
    elif run.program == "tar" and _EXTRACTS.match(" ".join(run.texts[:2])) and any(w.endswith(".tgz") for w in words):
        yield "package"  # what `npm pack` made holds this folder


_EXTRACTS = re.compile(r"-?[a-zA-Z]{0,9}x|--extract\b|--get\b")


def fills(run: Run, path: str) -> bool:
    """Is a folder, or what is above it, told to the run as its output? The folder of a file, too."""
    for output in folders(run, path):
        if output == path or (path.startswith(f"{output}/") and output not in _ALSO_WRITTEN):
            return True
        if output.startswith(f"{path}/") and ("/" in path or _NAMES_FILE.match(output[len(path) + 1 :])):
            return True
    return False


_ALSO_WRITTEN = listed("docs doc documentation book site www web public static content")
"""Outputs in which people write, too: a folder below is not told."""
_NAMES_FILE = re.compile(r"[^/]+\.\w{1,12}\Z|res\w*\Z|r\Z")


def works_in(run: Run, path: str) -> bool:
    """Is it told that it may work in this folder, and in no other that it needs afterwards?"""
    return any(path == told or path.startswith(f"{told}/") for told in folders(run, path, for_a_moment=True))


def is_below(run: Run, path: str) -> bool:
    """Is this folder itself an output of the run, or the page or the picture in it that makes up the whole?"""
    if run.program in _BRING:
        return False
    return any(
        output == path or (output.startswith(f"{path}/") and _WHOLE.search(output) is not None)
        for output in folders(run, path)
    )


_BRING = listed("unzip wget curl tar")
"""What these bring need not be what was there."""
_WHOLE = lazy_pattern(r"\.iconset/[^/]+\Z|/[\w-]*docs?/index\.html\Z")


def holds_sources(path: str) -> bool:
    """Does a part of the path say that it is a folder of sources?"""
    return not SOURCE_FOLDERS.isdisjoint(path.split("/"))
