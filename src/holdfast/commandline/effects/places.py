"""Where a target lies: in the project, beyond it, in the system, nowhere known. Pure; links are followed by `facts`."""

from __future__ import annotations

import itertools
import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from holdfast.commandline.effects import output_names
from holdfast.commandline.model import Arg, Where
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

LocationKind = Literal[
    "system", "home", "outside", "project", "inside", "artefact", "temporary", "device", "nothing", "unknown"
]
"""`project` is the project's root or all of its content; `artefact` is something that a build makes again."""

_SYSTEM = listed(
    "/ /bin /boot /dev /etc /home /lib /lib32 /lib64 /media /mnt /opt /proc /root /run /sbin /srv /sys "
    "/usr /var /Applications /Library /System /Users /Volumes /private /cores"
)
_SYSTEM_TREES = (
    "/bin",
    "/boot",
    "/etc",
    "/lib",
    "/lib64",
    "/proc",
    "/root",
    "/sbin",
    "/sys",
    "/usr",
    "/System",
    "/Library",
)
_SYSTEM_BELOW = listed("/var/lib /var/log /var/spool /var/cache /var/www /usr/local /opt/homebrew")
_HARMLESS_DEVICES = lazy_pattern(r"/dev/(?:null|stdout|stderr|stdin|tty|zero|fd/\d+|tcp/.*|udp/.*|ptmx|pts/\d+)\Z")
CERTAIN_ARTEFACTS = listed(
    "node_modules __pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .venv .next .nuxt .svelte-kit .turbo "
    ".parcel-cache .nyc_output .gradle .eggs .terraform bower_components .angular .vite .dart_tool DerivedData "
    ".webpack .sass-cache .expo htmlcov .astro .docusaurus .swc .wireit .aws-sam cdk.out .hypothesis "
    ".ipynb_checkpoints .pytype .scannerwork .stack-work dist-newstyle .jekyll-cache elm-stuff .zig-cache zig-out "
    ".cxx .externalNativeBuild CMakeFiles buck-out .metals .bloop .kotlin .vinxi .rollup.cache .eslintcache "
    ".stylelintcache .cache-loader .pnpm-store storybook-static allure-results .sst .pyre .pdm-build zig-cache "
    ".wrangler .cpcache .bsp .clangd .ccls-cache .swiftpm xcuserdata .yalc .rpt2_cache .localstack lightning_logs "
    ".quarto .luarocks .dub .shards .flutter-plugins out-tsc dist-ssr .phpunit.cache .php-cs-fixer.cache .elixir_ls "
    "_opam .direnv .godot .stryker-tmp .gitlab-ci-local .nitro .react-router .tanstack .contentlayer .velite "
    ".open-next .pixi .ionide .fable .spago .jest-cache .babel-cache .umi .umi-production .lake .ccache .sccache "
    ".docz .wxt .plasmo .dumi .rsbuild .vitest .tap .sanity .mastra .serverless_nextjs .storybook-cache .swc-cache "
    ".netlify-cache .bazel-cache .fusebox"
)
CERTAIN_ARTEFACTS |= output_names.CERTAIN
"""Nobody writes into these by hand."""
_ARTEFACTS = (CERTAIN_ARTEFACTS | output_names.USUAL) | listed(
    "dist build out target venv env .cache coverage .coverage .output Pods _build .build bin obj tmp temp .tmp logs "
    "log test-results playwright-report .serverless site _site allure-report .bundle cache caches vendor deps "
    "generated __generated__ .elm Intermediate DerivedDataCache Binaries ScriptAssemblies Temp cov_profile "
    "vcpkg_installed spark-warehouse metastore_db"
)
_USUAL = CERTAIN_ARTEFACTS | listed(
    "dist build out target coverage .coverage .cache .output _build .build test-results"
)
"""What they hold can be told from the name alone, wherever the folder lies."""
_ONLY_OUTPUTS = _USUAL - listed("build out")
"""Of these also what lies below is made again: `target/debug/incremental`."""
_REMADE = _USUAL | listed("tmp temp cache caches logs")
_ARTEFACT_PATHS = lazy_pattern(
    r"(?:.*/)?(?:\.vercel/output|\.netlify/(?:functions|state\.json)|\.yarn/(?:cache|unplugged|install-state\.gz)|\.nx/cache|"
    r"public/(?:build|assets|packs|packs-test|vite|vite-test)|vendor/bundle|\.vitepress/(?:dist|cache)|\.vuepress/dist|resources/_gen|bazel-[\w.-]+|"
    r"cmake-build-[\w-]+|Library/(?:Bee|ShaderCache|PackageCache|Artifacts|StateCache|ArtifactDB)|"
    r"Saved/(?:Logs|Cooked|StagedBuilds|Crashes|ShaderDebugInfo)|"
    r"build[-_](?:debug|release|relwithdebinfo|[at]san|ubsan|clang|gcc|msvc|linux|mac|macos|darwin|win|windows|wasm|web|ios|"
    r"android|arm\w*|aarch64|x86\w*|x64|test|tests|ci|out|output|ninja|static|shared|cov|coverage|host|native|prod|dev|\d+)"
    r"[\w.-]*)(?:/.*)?\Z"
)
_ARTEFACT_NAME = lazy_pattern(
    r".*\.(?:pyc|pyo|o|obj|class|egg-info|tsbuildinfo|log|tmp|swp|orig|rej|bak~?|DS_Store|lock\.tmp|lcov|stamp)\Z|"
    r".*~\Z|\*pyc\Z|\.?venv[-_.\w]*\Z|[\w.-]*[-_.]venv\Z|"
    r"\.pnp\.c?js\Z|lcov\.info\Z|coverage\.(?:xml|json|out)\Z|\.coverage(?:\.\S+)?\Z|CMakeCache\.txt\Z|"
    r"(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|"
    r"pdm\.lock|Pipfile\.lock|Gemfile\.lock|composer\.lock|go\.sum|Podfile\.lock|pubspec\.lock|mix\.lock|flake\.lock|deno\.lock|\.terraform\.lock\.hcl)\Z"
)
"""Names of files that a tool makes again, those of resolved dependencies too."""
_RESOLVED = lazy_pattern(
    r"(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|poetry\.lock|uv\.lock|Gemfile\.lock)\Z"
)
_OLD_OUTPUT = lazy_pattern(
    r"(?:dist|build|out|target|node_modules|coverage|\.next|\.venv|venv|_build)[._-](?:old|bak|backup|prev|previous|orig|tmp|"
    r"temp|new|copy|before|after|\d+)\Z|"
    r"build[-_.](?:asan|ubsan|tsan|msan|debug|release|dbg|rel\w*|tests?|ci|cov\w*|linux|macos|win\w*|arm\w*|x86\w*|wasm|android|ios|"
    r"native|host|gcc|clang|ninja|fuzz|prof\w*)\Z"
)
"""An output that was put aside, or is one of several: `dist.old`, `build-asan`."""
_FILE_NAME = lazy_pattern(
    r".*[\w)\]*]\.(?:[ch](?:pp|xx|c|h)?|py[iw]?|ipynb|[cm]?[jt]sx?|json[c5l]?|md[x]?|rst|txt|ya?ml|toml|ini|cfg|conf|html?|s?css|"
    r"less|vue|svelte|go|rs|java|kts?|scala|rb|php|pl|sh|bash|zsh|fish|sql|csv|tsv|xml|svg|png|jpe?g|gif|webp|ico|pdf|"
    r"proto|graphql|tf|lua|swift|dart|exs?|hs|clj|erl|r|jl|zip|tgz|gz|bz2|xz|tar|whl|jar|so|dll|exe|lock|map|snap|patch|diff|"
    r"pid|sock|db-journal)\Z",
    re.I,
)
_CACHES = lazy_pattern(
    r"(?:\.cache/(?!\*|\.)[^/]+|\.ansible/tmp|\.npm/_\w+|Library/Caches/[^/]+|Library/Developer/Xcode/DerivedData|\.gradle/(?:caches|daemon)|"
    r"\.cargo/(?:registry|git)/|\.cargo/registry|\.m2/repository|\.pub-cache|\.yarn/(?:berry/)?cache|\.pnpm-store|"
    r"\.local/share/pnpm/store|\.bun/install/cache|\.nuget/packages|\.ivy2/cache|go/pkg/mod|\.composer/cache|\.deno/deps|"
    r"\.terraform\.d/plugin-cache|\.electron|\.node-gyp|\.nv/ComputeCache|\.ccache|\.sbt/boot|\.coursier/cache|\.cabal/packages|"
    r"\.stack/pantry|\.conda/pkgs|\.rustup/(?:downloads|tmp)|\.vscode-server/data/logs|"
    r"(?:\.config|Library/Application Support)/[^/]+/(?:Cache|Caches|CachedData|Code Cache|GPUCache))(?:/.*)?\Z"
)
"""Folders of the home that tools fill again."""
_SYSTEM_CACHES = lazy_pattern(
    r"/var/(?:lib/apt/lists|cache/(?:apt|apk|dnf|yum|zypp|pacman/pkg|debconf|man|fontconfig|ldconfig)|lib/dnf/history)(?:/.*)?\Z|"
    r"/usr/local/go\Z"
)
"""Folders of the system that package managers fill again, or an archive: Go is brought up to date so."""
_TEMPORARY_PREFIX = lazy_pattern(r"(?:/tmp|/var/tmp|/dev/shm|\$TMPDIR|/private/tmp)/[^$`/]*[\w-][^$`]*[$`]")
"""A name of its own in a temporary folder, with something computed behind it: `/tmp/shop-$VERSION`."""
_EXPANSION = lazy_pattern(r"\$\{[^}]*\}|\$\([^)]*\)|`[^`]*`|\$\w+|\$[@*#?!$-]")
_CACHE_VARIABLE = lazy_pattern(
    r"\$XDG_CACHE_HOME(?=/\w)|\$\{XDG_CACHE_HOME(?::?-(?:\$HOME|\$\{HOME\}|~)/\.cache)?\}(?=/\w)"
)
_HARMLESS_PLACE = lazy_pattern(r"/dev/(?:shm|fd|tcp|udp|pts|tty|null|zero|std\w+|ptmx|serial|snd|input|video)")
_DRIVE = lazy_pattern(r"[A-Za-z]:[\\/*]")
"""A path of Windows, as its shells write it."""
_GLOB = lazy_pattern(r"[*?\[{]")


@dataclass(frozen=True, slots=True)
class Spot:
    """A target and what is known of its place."""

    kind: LocationKind
    path: str = ""
    """Absolute where the surroundings are known, else as it reads from the beginning."""
    said: str = ""
    """As the command wrote it."""


def spot(arg: Arg, directory: str | None, where: Where) -> Spot:
    """The place of one argument of a command that runs in `directory`."""
    kind, path = _found(arg, directory, where)
    return Spot(kind or _kind(path, where), path, arg.text)


def path_of(arg: Arg, directory: str | None, where: Where) -> str:
    """The path of `spot`, without asking what kind of place it is."""
    return _found(arg, directory, where)[1]


def _found(arg: Arg, directory: str | None, where: Where) -> tuple[LocationKind | None, str]:
    """The path, and the kind of place where the words alone tell it."""
    text = arg.text
    if (cache := _CACHE_VARIABLE.match(text)) is not None:
        arg = Arg(f"~/.cache{text[cache.end() :]}", "$" not in text[cache.end() :], quoted=False)
        text = arg.text
    if not arg.known:
        if text.startswith("/dev/") and not _HARMLESS_PLACE.match(text):
            return "device", ""
        bare = _EXPANSION.sub("", text)
        if bare in ("/", "/*", "/.", "/..") or (bare == "" and text.startswith("$(") is False and "/" in text):
            return "system", "/"  # an empty variable makes it the root
        if ".." not in text:
            if _TEMPORARY_PREFIX.match(text):
                return "temporary", ""
            if _USUAL.intersection(_EXPANSION.sub("$", text).rpartition("$")[2].split("/")[1:]):
                return "artefact", ""  # an output's name behind what is computed: `"$package/dist"`
            if (
                (last := text.rpartition(")")[2].rpartition("}")[2])
                and last[0] == "."
                and _ARTEFACT_NAME.match(f"x{last}")
            ):
                return "artefact", ""  # or by its ending: `"$file.bak"`
            before = text.partition("$")[0].partition("`")[0]
            if before[:1] not in ("", "/", "~") and _USUAL.intersection(before.split("/")[:-1]):
                return "artefact", ""  # or in front of it: `"build/$file"`
        return "unknown", ""
    if not text:
        return "nothing", ""
    if _DRIVE.match(text):
        return "outside", ""
    if _HARMLESS_DEVICES.match(text):
        return "nothing", text
    path = _absolute(text, arg.quoted, directory, where)
    if path is None:
        parts = posixpath.normpath(text).split("/")
        usual = text[0] not in "/$~" and parts[0] != ".." and _USUAL.intersection(parts)
        return "artefact" if usual else "unknown", ""
    return None, path


def names_outputs(found: Sequence[str]) -> bool:
    """Do these words of `find` choose by names of what a tool makes again: `-name '*.pyc'`?"""
    chosen = [name for option, name in itertools.pairwise(found) if option in ("-name", "-iname")]
    return bool(chosen) and all(_ARTEFACT_NAME.match(name) or name in _USUAL for name in chosen) and "!" not in found


def chooses_sources(found: Sequence[str]) -> bool:
    """Do these words of `find` choose what people write: `-name '*.py'`, or everything that some list names?"""
    chosen = [
        name
        for before, (option, name) in zip(("", *found), itertools.pairwise(found), strict=False)
        if option in ("-name", "-iname", "-path", "-wholename") and before not in ("!", "-not")
    ]
    if not chosen:
        return tuple(found[-1:]) == ("-true",)  # a list from which something was chosen that is not known here
    return any(output_names.SOURCES.match(name) and not output_names.GENERATED.match(name) for name in chosen)


def reads_as_output(text: str) -> bool:
    """Does a word name an output of the project: `dist`, `./coverage`?"""
    return text[:1] not in ("/", "~", "$", "") and _inside(posixpath.normpath(text)) == "artefact"


def names_output(path: str) -> bool:
    """Is its own name that of an output: `~/projects/web/dist`?"""
    return posixpath.basename(path.rstrip("/")) in _USUAL


def is_output_anywhere(path: str, home: str) -> bool:
    """Is it an output of some project, as far as its path alone tells?"""
    return _kind(path, Where(home=home)) == "artefact"


def is_output(path: str) -> bool:
    """Is it something that a build or a program makes again, wherever it lies: `/srv/app/dist`, `~/app/tmp/cache`?"""
    return bool(_REMADE.intersection(path.split("/")[2:]))


def names_file(path: str) -> bool:
    """Does the name say that it is one file, not a folder: `src/app.py`?"""
    name = posixpath.basename(path)
    if _BY_ENDING.match(name):
        return True
    return _FILE_NAME.match(name) is not None and not _GLOB.search(name.rpartition(".")[2])


_BY_ENDING = lazy_pattern(r"\*\.[A-Za-z][A-Za-z0-9]{0,11}\Z")
"""`*.profraw`: files, whatever they are."""


def takes_files_in(path: str) -> bool:
    """Is it in a folder into which everybody puts files of their own: a source of packages, a site, a user unit?"""
    return _TAKES_FILES_IN.match(path) is not None


_TAKES_FILES_IN = lazy_pattern(
    r"/etc/(?:apt/(?:sources\.list\.d|keyrings|preferences\.d|trusted\.gpg\.d)|yum\.repos\.d|sysctl\.d|modules-load\.d|"
    r"nginx/(?:sites-available|sites-enabled|conf\.d|snippets)|apache2/(?:sites|conf)-available|bash_completion\.d)"
    r"(?:/[^/*]+)?\Z|/usr/(?:local/)?share/(?:keyrings|ca-certificates|applications|fonts|man|bash-completion|zsh|fish)/[^*]+\Z|"
    r"/usr/local/(?:etc|include|lib)/[^*]+\Z|"
    r"(?:~|/home/[^/]+|/Users/[^/]+)/\.config/(?:systemd/user/[\w@.-]+\.(?:service|timer|socket|path))\Z"
)


def is_setting(path: str) -> bool:
    """Is it one setting of the system, without which people can still sign in and the machine still starts?"""
    return path.startswith("/etc/") and not _GLOB.search(path) and not _VITAL.match(path)


_VITAL = lazy_pattern(
    r"/etc/(?:passwd|shadow|group|gshadow|sub[ug]id|login\.defs|securetty|shells|nsswitch\.conf|sudoers|doas\.conf|pam\.|security/|"
    r"polkit|ssh/|ssl/private|krb5|fstab|crypttab|mtab|default/grub|grub|kernel/|initramfs|dracut|mkinitcpio|modules|modprobe|"
    r"ld\.so|selinux|apparmor|audit|machine-id|inittab|init\.d/|rc|cron|anacron|at\.|profile|environment|bash\.?bashrc|zsh|"
    r"kubernetes/|letsencrypt/)"
)
"""What lets people in and starts the machine, what runs for everybody, and keys of which there is one copy."""


def may_be_project(folder: str, home: str) -> bool:
    """A folder of the system, or one that holds the home directory, is no project."""
    return bool(folder) and _kind(folder, Where(home=home)) not in ("system", "home", "device")


def _absolute(text: str, quoted: bool, directory: str | None, where: Where) -> str | None:
    for name in ("$HOME", "${HOME}"):
        if text == name or text.startswith(f"{name}/"):
            text = "~" + text[len(name) :]
    own = f"~{posixpath.basename(where.home)}" if where.home else "~"  # `~alice` at home in /home/alice
    if text == own or text.startswith(f"{own}/"):
        text = "~" + text[len(own) :]
    if text == "~" or text.startswith("~/"):
        return posixpath.normpath((where.home or "~") + text[1:])
    if text.startswith("~"):
        return posixpath.normpath("/home/" + text[1:])
    for name in ("$TMPDIR", "${TMPDIR}"):
        if text == name or text.startswith(f"{name}/"):
            return posixpath.normpath((where.temporary[0] if where.temporary else "/tmp") + text[len(name) :])
    for name in ("$PWD", "${PWD}"):
        if text == name or text.startswith(f"{name}/"):
            text = "." + text[len(name) :]
    if text.startswith("$OLDPWD"):
        return None
    if text.startswith("/"):
        return _normal(text)
    if directory is None:
        return None
    if directory.startswith(("~", "/", "$TMPDIR", "$HOME")):
        base = _absolute(directory, False, "", where) or directory
    else:
        base = posixpath.join(where.cwd, directory) if where.cwd else directory
    return _normal(posixpath.join(base, text))


def _normal(path: str) -> str:
    """Without `.`, `..` and doubled slashes; a leading `//` is the root like any other."""
    path = posixpath.normpath(path)
    return path[1:] if path.startswith("//") else path


def _kind(path: str, where: Where) -> LocationKind:
    if path.startswith("/dev/") and not path.startswith("/dev/shm/"):
        return "nothing" if _HARMLESS_DEVICES.match(path) else "device"
    parent, name = posixpath.split(path)
    everything = bool(_GLOB.match(name)) and not name.strip("*.?[]!{},")
    aimed = (parent or ".") if everything else path
    if aimed == "/":
        return "system"
    if where.root and _is_at(where.root, aimed):
        return "project"
    if where.root and _is_below(where.root, aimed):
        return _inside(_relative(path, where.root))
    home = where.home or "~"
    if _is_at(home, aimed) or _is_below(aimed, home) or aimed == "~":
        return "home"
    if aimed.startswith("~/") or _is_below(home, aimed):
        below = aimed[2:] if aimed.startswith("~/") else _relative(aimed, home)
        if _CACHES.match(below) or _is_output_of_another(below, known=bool(where.cwd)):
            return "artefact"
        return "home" if "/" not in below and below.startswith(".") and below[1:2].isalpha() else "outside"
    if path.startswith("/"):
        for folder in where.temporary:
            if _is_below(folder, aimed):
                return "temporary"
            if _is_at(folder, aimed):
                return "outside"
        if _SYSTEM_CACHES.match(aimed):
            return "artefact"
        if aimed in _SYSTEM or aimed.lower() in _SYSTEM or aimed in _SYSTEM_BELOW:
            return "system"
        if any(_is_below(tree, aimed) for tree in _SYSTEM_TREES):
            return "system"
        if aimed.count("/") == 1:
            return "system"
        return "artefact" if _is_output_elsewhere(aimed, known=bool(where.cwd)) else "outside"
    if path == ".." or path.startswith("../"):
        other = _is_output_of_another(path.removeprefix("../"), known=bool(where.cwd))
        return "artefact" if other else "outside"
    if aimed in (".", ""):
        return "project"
    return _inside(path)


def _is_output_of_another(below: str, *, known: bool) -> bool:
    """Is it the output of another project in the home directory? `dist` may be anything: where there is a folder, git
    is asked about it."""
    first, *rest = below.split("/")
    if first.startswith(".") or not rest:
        return False
    if any(part in CERTAIN_ARTEFACTS for part in rest):
        return True
    if first not in _NO_PROJECTS and output_names.OF_ENGINES.match("/".join(rest)):
        return True
    if not known and rest[-1] in output_names.USUAL_OF_ENGINES and first not in _NO_PROJECTS:
        return first not in _OF_PERSON or len(rest) > 1
    return not known and (
        rest[-1] in _USUAL or not _ONLY_OUTPUTS.isdisjoint(rest) or _RESOLVED.match(rest[-1]) is not None
    )


_NO_PROJECTS = listed("Library snap AppData Applications")
_OF_PERSON = listed("Documents Desktop Downloads Pictures Music Movies Videos Public")
"""Folders of the home in which `Temp` may be a person's own."""
_SYSTEMS_OWN = (
    *("/var/lib/", "/var/cache/", "/var/log/", "/var/spool/", "/run/", "/nix/", "/snap/"),
    *("/opt/homebrew/", "/opt/local/", "/home/linuxbrew/"),
)
"""Trees in which a program of the system has its files, whatever they are called."""
_OF_OTHERS = ("/home/", "/Users/", "/mnt/", "/media/", "/Volumes/", "/var/")
"""Below these stand people, disks and services, and projects only below them."""


def _is_output_elsewhere(path: str, *, known: bool) -> bool:
    """Is it the output of a project that lies in another place: `/srv/app/node_modules`, `/mnt/work/shop/dist`?"""
    if path.startswith(_SYSTEMS_OWN):
        return False
    places = path.split("/")[3 if path.startswith(_OF_OTHERS) else 2 :]
    return len(places) > 1 and _is_output_of_another("/".join(places), known=known)


def _relative(path: str, folder: str) -> str:
    """The path as it reads from a folder that it is below. Both are absolute and normal."""
    return path[len(folder) + 1 :] if path.startswith(f"{folder}/") else posixpath.relpath(path, folder)


def _inside(path: str) -> LocationKind:
    parts = path.split("/")
    if parts[0] == ".git" and parts[-1].endswith(".lock"):
        return "artefact"
    if parts[0] == ".git" and (len(parts) == 1 or parts[1] in ("objects", "refs", "HEAD", "config", "hooks", "index")):
        return "project"
    if ".dvc" in parts and "cache" in parts:
        return "inside"  # what DVC tracks is here, and often nowhere else yet
    if any(part in _ARTEFACTS or _OLD_OUTPUT.match(part) for part in parts):
        return "artefact"
    if output_names.SOURCE_FOLDERS.isdisjoint(parts) and any(map(output_names.BY_PARTS.match, parts)):
        return "artefact"
    if _ARTEFACT_NAME.match(parts[-1]) or _ARTEFACT_PATHS.match(path):
        return "artefact"
    if output_names.FILES.match(parts[-1]) or output_names.PATHS.match(path):
        return "artefact"
    return "inside"


def _is_at(folder: str, path: str) -> bool:
    return bool(folder) and folder.rstrip("/").lower() == path.rstrip("/").lower()


def _is_below(folder: str, path: str) -> bool:
    return bool(folder) and path.lower().startswith(folder.rstrip("/").lower() + "/")
