"""Folders that a line removes and makes again, or that it filled itself before. Pure; linear.

`rm -rf gen && buf generate`, `train --out runs/smoke && rm -rf runs/smoke/weights`: nobody loses work by these.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from holdfast.commandline.effects.places import reads_as_output
from holdfast.commandline.model import Run
from holdfast.judging import put_again, told_outputs
from holdfast.judging.model import Finding
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

_GENERATORS = lazy_pattern(
    r"(?:buf|sqlc|oapi-codegen|orval|kiota|openapi-generator(?:-cli)?|swagger-codegen(?:-cli)?|graphql-codegen|gql-gen|gqlgen|"
    r"protoc(?:-\w+)?|prost-build|flatc|thrift|capnp|mockery|mockgen|moq|counterfeiter|wasm-pack|typedoc|jsdoc|sphinx-apidoc|"
    r"sphinx-build|doxygen|wire|ent|stringer|controller-gen|deepcopy-gen|client-gen|datamodel-codegen|quicktype|autorest|"
    r"openapi-typescript(?:-codegen)?|swagger-typescript-api|webpack|vite|rollup|tsup|esbuild|tsc|uniffi-bindgen|bindgen|cbindgen|"
    r"diesel_ext|antlr4?|bison|msgfmt|lrelease|codegen)\Z"
)
_WORDS = lazy_pattern(
    r"(?:\A|[\s:/_-])(?:generate|codegen|gen|regen(?:erate)?|grpc_tools\.protoc|assets:precompile|precompile|typegen|"
    r"openapi-typescript\S*|graphql-codegen|openapi-generator\S*|orval|protoc|typedoc|webpack|html|protos?|stubs|mocks|api-docs)"
    r"(?=[\s:@]|\Z)"
)
_MADE_NAME = lazy_pattern(
    r"(?i)(?:[\w.-]*[-_.])?(?:gen|generated|codegen|gql|graphql|pb|protos?|grpc|stubs?|mocks?|bindings|client|sdk|openapi|"
    r"swagger|assets|packs|pkg|api|types|typings|schema|_?autosummary|_?autoapi|reference|html|i18n|locale)(?:[-_.][\w.-]+)?\Z"
)
_SPARE_NAME = lazy_pattern(r"(?i).*(?:out|output|tmp|temp|smoke|report|result|scratch|trial|bench).*\Z")
_PRECIOUS = listed("src lib app apps test tests packages data db . .. ~ / config scripts migrations content")
_WORKSPACES = listed("services packages apps libs crates modules tools infra plugins projects")
"""Folders of which each is a package that people write."""
_MOST = 40
_MANAGERS: dict[str, tuple[str, str]] = {
    "pod": (r"install|update", r"Pods|Podfile\.lock"),
    "swift": (r"package (?:resolve|update)|build|test", r"\.build|\.swiftpm|Package\.resolved"),
    "yarn": (
        r"install|--(?:immutable|frozen-lockfile|force|check-files)|\Z",
        r"node_modules|yarn\.lock|\.yarn/(?:cache|unplugged|install-state\.gz|build-state\.yml)|"
        r"\.pnp\.(?:\*|c?js|loader\.mjs|data\.json)",
    ),
    "npm": (r"install|i|ci", r"node_modules|package-lock\.json"),
    "pnpm": (r"install|i", r"node_modules|pnpm-lock\.yaml|\.pnpm-store"),
    "bun": (r"install|i", r"node_modules|bun\.lockb?"),
    "helm": (r"(?:dependency|dependencies|dep) (?:update|up|build)", r"charts|Chart\.lock|charts/\*(?:\.tgz)?"),
    "composer": (r"install|update", r"vendor|composer\.lock"), "go": (r"mod vendor", r"vendor|go\.sum"),
    "carthage": (r"update|bootstrap", r"Carthage|Carthage/(?:Build|Checkouts)|Cartfile\.resolved"),
    "bundle": (r"install|update|lock", r"vendor/bundle|\.bundle|Gemfile\.lock"),
    "mix": (r"deps\.get|setup", r"deps|_build|mix\.lock"), "cargo": (r"build|test|update", r"target|Cargo\.lock"),
    "flutter": (r"pub get|pub upgrade", r"\.dart_tool|pubspec\.lock|\.flutter-plugins\S*|\.packages"),
    "dart": (r"pub get|pub upgrade", r"\.dart_tool|pubspec\.lock|\.packages"),
    "uv": (r"sync|lock", r"\.venv|uv\.lock"), "poetry": (r"install|lock|update", r"\.venv|poetry\.lock"),
    "pipenv": (r"install|sync|lock", r"Pipfile\.lock"),
    "pdm": (r"install|sync|lock", r"\.venv|pdm\.lock|__pypackages__"),
    **dict.fromkeys(("terraform", "tofu"), (r"init", r"\.terraform|\.terraform\.lock\.hcl")),
    "bower": (r"install|update", r"bower_components"), "jb": (r"install|update", r"vendor|jsonnetfile\.lock\.json"),
    "forge": (r"build|test", r"out|cache"), "shards": (r"install|update", r"lib|shard\.lock"),
    "berks": (r"install|update|vendor", r"Berksfile\.lock"), "nuget": (r"restore", r"packages|packages\.lock\.json"),
    "dotnet": (r"restore|build|test", r"bin|obj|packages\.lock\.json"),
    "spago": (r"install|build", r"\.spago|spago\.lock"), "rebar3": (r"get-deps|compile", r"_build|rebar\.lock"),
}  # fmt: skip
"""Package managers: with which words each fills a project's folder anew, and what it makes there."""
_FILLERS: dict[str, tuple[str, str]] = {
    "scrapy": (r"crawl|runspider", r"\.scrapy"), "quarto": (r"render|preview", r"_freeze|_site|_book"),
    "dvc": (r"pull|fetch", r"\.dvc/cache"), "mix": (r"docs", r"doc"), "yard": (r"doc|\Z", r"doc"),
    "rdoc": (r"", r"doc"), "mvn": (r"(?:\S+:)?(?:javadoc|site)(?::\S+)?", r"(?:docs/)?(?:apidocs|javadoc)"),
    "cargo": (r"doc", r"doc"), "ford": (r"", r"doc"), "swift": (r"package generate-documentation", r"docs/\w+"),
    "great_expectations": (r"docs build|checkpoint run", r"[\w-]+/uncommitted/data_docs"),
}  # fmt: skip
"""Programs that fill a cache, or write documents from the sources, in the same way."""
_COMPILED = listed("lib es esm cjs types typings umd distribution declarations")
"""Folders into which compilers of scripts write, where packages have their sources in `src`."""
_COMPILERS = listed("tsc tsup babel rollup swc esbuild vue-tsc microbundle unbuild father bob")
_USUAL_OUTPUTS = {
    **dict.fromkeys(("hugo", "zola", "gatsby", "hexo"), ("public", ".cache")),
    "mkdocs": ("site",), "jekyll": ("_site",), "eleventy": ("_site",), "mdbook": ("book",),
    "antora": ("build", "public"),
    "docusaurus": ("build",), "pelican": ("output",), "nikola": ("output", "cache"),
    "quarto": ("_site", "_book", "docs"), "nextflow": ("work",), "cromwell": ("cromwell-executions",),
    "snowpack": ("build",), "cibuildwheel": ("wheelhouse",), "slidev": ("dist",),
    "ladle": ("build",), "k6": ("results",),
    "locust": ("results",), "gatling": ("results",), "scrapy": ("output",), "packer": ("output", "packer_cache"),
    "doxygen": ("html", "latex", "docs/html"), "sphinx-build": ("html",), "typedoc": ("docs",), "cargo": ("target",),
}  # fmt: skip
"""Folders into which a program writes where it is told no other."""


def is_made_again(finding: Finding, run: Run, number: int, runs: Sequence[Run]) -> bool:
    """Does the line make this folder again after it, or has it filled it before?"""
    if finding.act != "delete" or run.remote or run.after_failure:
        return False
    if _is_filled_again(finding, run, runs[number + 1 : number + 1 + _MOST]):
        return True
    if finding.place != "inside":
        return False
    path = posixpath.normpath(finding.path.removesuffix("/*"))
    if path.startswith(("/", "..", "~")):
        path = posixpath.normpath(finding.deed.targets[0].text if finding.deed and finding.deed.targets else path)
    name = path.rsplit("/", 1)[-1]
    if name in _COMPILED and (
        _is_of_package(finding, run) or any(map(_compiles, runs[number + 1 : number + 1 + _MOST]))
    ):
        return True
    if path in _PRECIOUS or path.startswith(("/", "..", "~", "$")):
        return False
    if not _is_of_worth(path) and (
        _in_company(finding, run, number, runs) or any(map(_builds, runs[number + 1 : number + 1 + _MOST]))
    ):
        return True
    if any(path in _USUAL_OUTPUTS.get(each.program, ()) for each in runs[max(0, number - _MOST) : number + 1 + _MOST]):
        return True
    of_workspace = path.count("/") == 1 and path.partition("/")[0] in _WORKSPACES
    sources = of_workspace or told_outputs.holds_sources(path) or put_again.holds_data(path)
    for each in runs[number + 1 : number + 1 + _MOST]:
        if (not sources and told_outputs.is_below(each, path)) or (
            not each.remote and _MADE_NAME.match(path.rsplit("/", 1)[-1]) and _generates(each)
        ):
            return True
    if put_again.is_put_again(path, run, runs[number + 1 : number + 1 + _MOST], _is_of_worth):
        return True
    own = path.count("/") > 0 or _SPARE_NAME.match(path) is not None or not _is_of_worth(path)
    before = runs[max(0, number - _MOST) : number]
    if sources:
        return False
    return any((own and told_outputs.fills(each, path)) or told_outputs.works_in(each, path) for each in before)


def _is_filled_again(finding: Finding, run: Run, after: Sequence[Run]) -> bool:
    """`rm -rf Pods && pod install`: does a package manager make it again, in the folder in which it runs? What is
    removed is named from that folder, and not as a place of the home or the system."""
    named = {arg.text.removeprefix("./").rstrip("/") for arg in (finding.deed.targets[:_MOST] if finding.deed else ())}
    path = posixpath.normpath(finding.path)
    for each in after:
        tables = [table[each.program] for table in (_MANAGERS, _FILLERS) if each.program in table]
        if not tables or each.remote or each.after_failure or each.directory is None or run.directory is None:
            continue
        said = " ".join(each.texts[:_WORDS_OF_MANAGER])
        fills = [made for words, made in tables if re.match(rf"(?:{words})(?:\s|\Z)" if words else "", said)]
        if not fills:
            continue
        folders = (each.directory, *(posixpath.join(each.directory, text) for text in each.texts[2:4]))
        for folder in folders:
            name = posixpath.relpath(path, folder or ".") if path.startswith("/") == folder.startswith("/") else ".."
            as_named = posixpath.relpath(posixpath.join(folder or ".", name), run.directory or ".")
            if any(re.fullmatch(made, name) for made in fills) and as_named in named:
                return True
    return False


_WORDS_OF_MANAGER = 3


def _is_of_worth(path: str) -> bool:
    """Does a part of the path say that people made what is in it, or that nothing makes it again?"""
    return any(_OF_WORTH.search(part) is not None for part in path.split("/"))


def _in_company(finding: Finding, run: Run, number: int, runs: Sequence[Run]) -> bool:
    """`rm -rf target project/project .bloop`: one of the others is only made by a build, so this is a cleaning up. So
    are those that one program of the line removes."""
    others = [arg.text for arg in (finding.deed.targets if finding.deed else ())[: _MOST + 1]]
    if run.via and len(others) == 1:
        near = runs[max(0, number - _NEAR) : number + _NEAR + 1]
        others = [each.texts[-1] for each in near if each.via == run.via and each.program == "rm" and each.texts]
    if len(others) > _MOST:  # each of many would look at all of them
        return False
    outputs = [text for text in others if reads_as_output(text)]
    return len(outputs) * 2 >= len(others) > 1 and not any(
        text not in outputs and (_is_of_worth(posixpath.normpath(text)) or text.startswith(("/", "~", "$", "..")))
        for text in others
    )


_NEAR = 8


def _builds(run: Run) -> bool:
    """Does it build or test the project? What it needs is made again then."""
    if run.remote:
        return False
    if run.program in _BUILDERS:
        return not run.texts or run.texts[0] not in ("install", "i", "ci", "add", "clean", "init", "--version", "-v")
    words = [text for text in run.texts[:3] if not text.startswith("-")]
    return run.program in _CALLERS and any(map(_BUILD_WORD.match, words[:2]))


_BUILDERS = listed(
    "make ninja gradle gradlew mvn mvnw sbt bazel bazelisk buck2 tsc tsup vite webpack rollup esbuild parcel ant lein "
    "nix nix-build xcodebuild scons meson ctest pytest jest vitest mill zig dune latexmk hugo jekyll turbo nx"
)
_BUILD_WORD = lazy_pattern(
    r"(?:build|compile|test|tests|bundle|package|dist|prepare|generate|bench|check|lint|typecheck|docs?)(?:[:_-]\S*)?\Z"
)
_WORTHY = (
    *(
        r"src",
        r"source\w*",
        r"libs?",
        r"apps?",
        r"tests?",
        r"specs?",
        r"packages?",
        r"crates",
        r"modules?",
        r"components?",
    ),
    *(r"features?", r"pages", r"data\w*", r"dbs?", r"databases?", r"sql\w*", r"postgres\w*", r"pgdata", r"mysql\w*"),
    *(r"mongo\w*", r"redis\w*", r"uploads?", r"media", r"storage", r"images?", r"photos?", r"videos?", r"docs?"),
    *(
        r"documents?",
        r"notes?",
        r"drafts?",
        r"archives?",
        r"backups?",
        r"dumps?",
        r"exports?",
        r"customers?",
        r"users?",
    ),
    *(
        r"orders?",
        r"invoices?",
        r"reports",
        r"records",
        r"migrations?",
        r"models?",
        r"checkpoints?",
        r"weights",
        r"runs",
    ),
    *(r"wandb", r"experiments?", r"secrets?", r"keys?", r"certs?", r"credentials", r"configs?", r"conf", r"settings"),
    *(r"templates?", r"scripts?", r"tools?", r"content", r"posts", r"blog", r"assets", r"static", r"public", r"i18n"),
    *(
        r"locales?",
        r"fixtures?",
        r"schemas?",
        r"infra\w*",
        r"terraform",
        r"tf",
        r"deploy\w*",
        r"k8s",
        r"helm",
        r"charts?",
    ),
    *(r"volumes?", r"state", r"git", r"github", r"vscode", r"idea", r"claude", r"pulumi", r"server", r"client", r"api"),
    *(r"web", r"frontend", r"backend", r"core", r"common", r"shared", r"internal", r"cmd", r"include", r"examples?"),
    *(r"samples?", r"notebooks?", r"papers?", r"thesis", r"work", r"projects", r"old", r"legacy", r"v\d+", r"env"),
)
_OF_WORTH = lazy_pattern(rf"(?i)(?:\A|[-_. ])(?:{'|'.join(_WORTHY)})(?:\Z|[-_. ])")
"""Names of what people write, collect or need; a folder of such a name is asked about, whatever is built afterwards."""


def _is_of_package(finding: Finding, run: Run) -> bool:
    """`rimraf lib`, `rm -rf lib coverage`: by a program of such packages, or together with what only a build makes."""
    others = [arg.text for arg in (finding.deed.targets if finding.deed else ())]
    return run.program in _OF_PACKAGES or "node" in run.via or any(map(reads_as_output, others))


_OF_PACKAGES = listed("rimraf rimraf-cli del-cli premove rmrf rm-cli")


def _compiles(run: Run) -> bool:
    """Does a compiler write its output folder: `tsc -b`, `npx tsc`, `npm run build`?"""
    words = (run.program, *run.texts[:2])
    return not run.remote and (not _COMPILERS.isdisjoint(words) or run.texts[:2] == ("run", "build"))


def _generates(run: Run) -> bool:
    return _GENERATORS.match(run.program) is not None or (
        run.program in _CALLERS and _WORDS.search(" ".join(run.texts[:6])[:400]) is not None
    )


_CALLERS = listed(
    "npx npm pnpm yarn bun bunx make just task go cargo python python3 uv poetry rails rake bundle mix gradle gradlew "
    "mvn dotnet java docker buf deno sqlc prisma ent php"
)
