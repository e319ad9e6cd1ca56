"""Names of what test runners, builds and other tools make anew with each run. Pure.

A name alone proves nothing: where there is a folder, git and the file system are asked. Without one, these names are
what an engineer removes without a thought: `rm -rf TestResults cypress/videos && npm test`.
"""

from __future__ import annotations

from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

CERTAIN = listed(
    # test runners and reports
    "TestResults BenchmarkDotNet.Artifacts blob-report mochawesome-report mochawesome-reports "
    ".lighthouseci .nyc_output "
    "mutants.out surefire-reports failsafe-reports .allure allure-results .testcafe .wdio .vitest-reports "
    "reports-junit coveragereport coverage-report coverage-reports cov-html cov_html lcov-report .coverage-reports "
    ".benchmarks .asv .tarpaulin tarpaulin-report __diff_output__ __image_snapshots_diff__ .reg-suit .loki-diff "
    "detox-artifacts StrykerOutput reports-mutation .hypothesis .rspec_status .simplecov .phpunit.result.cache "
    # builds and caches
    ".pio .pioenvs .piolibdeps managed_components nimcache autom4te.cache .libs .terragrunt-cache cdktf.out "
    "typechain-types dbt_packages dbt_modules .Rproj.user .pants.d .pids .nox .cargo-cache .docusaurus "
    ".vuepress-cache .cache-loader .rpt2_cache .tsc-cache .nx-cache .gradle-cache .kotlin-cache "
    ".moon-cache .rollup-cache "
    ".yarn-cache .npm-cache .pip-cache .uv-cache .mypy .pytest .eslint-cache .prettiercache .stylelint-cache "
    ".esbuild .snowpack .rush-temp .heft .bundler-cache .solargraph .yardoc .shadow-cljs .lsp-cache .clj-kondo-cache "
    "_esy esy.lock-cache .merlin-cache .hie-cache .ghc-cache dist-newstyle .stack-work .spago .psc-package .purs-repl "
    "sstate-cache data_docs CMakeFiles .cmake .fetchcontent .xmake .zig-cache .unity-cache ipch .vs-cache "
    ".wheelhouse pip-wheel-metadata .pdm-build .pybuild .eggs .ipynb_checkpoints .jupyter-cache jupyter_execute "
    ".jekyll-metadata .hugo_build.lock .eleventy-cache .observablehq-cache .sveltekit .qwik .nuxt-cache .vite-cache "
    ".expo-shared .bundle-cache .metro-cache .firebase-cache .netlify-functions .vercel-build .amplify-build .aws-sam "
    ".serverless .webpack-cache .hardhat-cache foundry-out "
)
"""Nobody writes into these by hand."""
USUAL = listed(
    "reports test-reports test-report test_reports test-output test_output testoutput junit "
    "junit-reports junit_reports "
    "artifacts .artifacts test-artifacts artefacts test_results e2e-results bench-results benchmark-results "
    "benchmark_results perf-results k6-results load-results screenshots-diff snapshots-diff cover covdata coverdata "
    "playwright-results cypress-results profile-results profiling dumps-tmp crash-reports "
    "Debug Release RelWithDebInfo MinSizeRel x64 ARM64 x86 Win32 AppPackages "
    "esm cjs umd iife lib-esm lib-cjs dist-es dist-esm dist-cjs dist-types build-output build_output output outputs "
    "dist-electron release-builds out-build packaged unpacked staging-build stage-build www-build compiled "
    "storybook-out docs-build docs-dist site-build public-dist rendered _rendered _out _output _gen _tmp .out "
    "gen-out tmp-build build-tmp sandbox-out smoke-out trial-out "
    "node_modules_old node_modules.bak jars classes test-classes generated-sources generated-test-sources "
    "Testing jacoco wheelhouse test-ledger spark-warehouse cmake_build _cmake _deps _packages "
    "blib cover_db _book _bookdown_files tmpcharts svg-inkscape cromwell-executions cromwell-workflow-logs .nextflow "
    ".snakemake .Xil .flatpak-builder slprj .import .symlinks "
    "install-tree stagedir wheel wheels sdist .wheels mutants.out mutants.out.old"
)
"""Names that a tool makes most often; in a folder with git these are asked about."""
BY_PARTS = lazy_pattern(
    r"(?:built|prebuilds|dts|es(?:5|6|next|2015)?|\.tshy|[\w.-]+\.docset|"
    r"(?:dist|tmp|temp|cov)[-_.](?![\w.-]*(?:scripts?|tools?|configs?|templates?|src)\Z)[\w.@*?-]*|"
    r"[\w.@*]+(?:-[\w.@*]+)*[-_](?:dist|builds?|outs?(?<!(?:sign|time|roll|fade)[-_]out)(?<!(?:log|opt|pay|buy)[-_]out)(?<!(?:check|print|break)[-_]out)|outputs?|tmp|temp|cov|coverage|caches?|artifacts)(?:[-_.]?\d+)?(?:[-_.]?\*[\w*-]*)?|"
    r"(?:tests?|smoke|bench|gen|docs?|web|js|ts|tsc|py|wasm|render)[-_.]out|"
    r"[a-z]\w*(?:Dist|Build|Output|Tmp|Temp|Coverage)|"
    r"\.?(?:http|page|file|disk|web|query|image|thumb|view|template|result|response|request|tile|feed|dns|opcode|object)s?caches?|"
    r"(?:html|tests?|lint|junit|coverage|lighthouse|bundle|size|e2e|perf|bench\w*|mutation|allure|jest|karma|cucumber|axe|a11y|"
    r"audit|profil\w+|pytest|cypress|playwright|load|visual)[-_.](?:reports?|results?))\Z"
)
"""Names of which the last word, or the first, says that it is an output: `plugin-dist`, `testDist`, `dist-types`. Among
sources a name says less: `src/query-cache` is a module."""
SOURCE_FOLDERS = listed("src lib app pkg internal source sources components features modules cmd crates")
PATHS = lazy_pattern(
    r"(?:.*/)?(?:cypress/(?:screenshots|videos|downloads|reports|results)|playwright/\.(?:cache|auth)|"
    r"playwright-report[\w.-]*|"
    r"(?:e2e|tests?|spec|__tests__|integration)(?:/[\w.-]+)*/(?:screenshots?(?:/(?:diff|actual|failed|"
    r"current|failures))?|videos|"
    r"downloads|__diffs?__|output|outputs|results?|reports?|artifacts|tmp|temp|logs)|"
    r"screenshots?/(?:diff|actual|failed|current|failures)|__screenshots__/(?:diff|actual)|"
    r"fastlane/(?:test_output|report\.xml|screenshots_diff|README\.md\.bak)|gatling/results|"
    r"target/gatling|jmeter/(?:results|report)|"
    r"(?:android|ios|app|apps/[\w.-]+|packages/[\w.-]+)/(?:build|\.cxx|\.gradle|DerivedData|Pods)|"
    r"fuzz/(?:target|artifacts|corpus-tmp|coverage)|renv/(?:library|staging)|var/(?:cache|log)|"
    r"storage/framework/(?:cache|views|sessions)|"
    r"bootstrap/cache|priv/static/(?:assets|cache_manifest\.json)|tmp/[^.].*|spec/(?:examples\.txt|reports)|"
    r"docs?/(?:_build|build|_site|site|public|html|\.vitepress/(?:dist|cache)|api/(?:_autosummary|"
    r"generated|_build)|_autosummary|reference/_build)|"
    r"(?:runs|outputs?|multirun|tb_logs|lightning_logs|tensorboard(?:_logs)?|logs)/(?:[\w.]+[-_])*(?:debug|smoke|scratch|tmp|temp|test|"
    r"trial|sanity)(?:[-_][\w.-]*)?|lightning_logs/version_[\d*]+|wandb/(?:offline-run-[\w*-]+|latest-run|debug[\w.*-]*)|"
    r"[\w.-]+\.(?:Rcheck|xcresult|dSYM|egg-info|dist-info|prof|pprof|profraw|profdata|gcda|gcno|gcov|"
    r"trace|heapsnapshot|cpuprofile|"
    r"iml\.bak|aux|toc|fls|fdb_latexmk|bbl|blg|synctex\.gz|nav|snm|vrb|hi|cmi|cmo|cmx|beam|elc|rlib|rmeta|"
    r"pdb|ilk|exp|d))(?:/.*)?\Z"
)
OF_ENGINES = lazy_pattern(
    r"(?:.*/)?(?:Library/(?:Bee|ScriptAssemblies|ShaderCache|PackageCache|Artifacts|StateCache|ArtifactDB|BurstCache|"
    r"Il2cppBuildCache|il2cpp_cache|APIUpdater|TempArtifacts|PlayerDataCache|SplashScreenCache)|DerivedDataCache|"
    r"Saved/(?:\w*Cache\w*|Cooked|StagedBuilds|ShaderDebugInfo))(?:/.*)?\Z"
)
"""What Unity and Unreal make again in a project, wherever it lies."""
USUAL_OF_ENGINES = listed("Temp obj Intermediate Binaries")
FILES = lazy_pattern(
    r"(?:perf\.data(?:\.old)?|flamegraph[\w.-]*\.(?:svg|html)|profile\.json(?:\.gz)?|callgrind\.out\S*|"
    r"massif\.out\S*|vgcore\.\d+|"
    r"core(?:\.\d+)?|gmon\.out|cover(?:age)?\.(?:out|html|txt|cobertura\.xml|lcov|dat|ec|exec)|coverage-final\.json|"
    r"junit(?:[-_.][\w.-]+)?\.xml|test-?results?(?:[-_.][\w.-]+)?\.(?:xml|json|html|txt|trx)|[\w.-]+\.trx|"
    r"report\.(?:html|xml|json)|"
    r"config\.(?:log|status|cache)|aclocal\.m4|compile_commands\.json|sdkconfig\.old|dependencies\.lock|nohup\.out|"
    r"\.nextflow\.log[\w.*?-]*|\.nextflow\*|slurm-[\w*?%-]*\.(?:out|err)|[\w.*-]*\.log[.*?\[\]\d-]+(?:gz)?|tmpcharts[-\w*]*|"
    r"\.ninja_(?:log|deps)|build\.ninja|crash\.(?:[\w*]+\.)?log|_minted-[\w*.-]+|\.terraform\.tmp[\w*]*|[\w.*-]+\.(?:jou|slxc)|"
    r"npm-debug\.log\S*|yarn-(?:debug|error)\.log\S*|hs_err_pid\d+\.log|\.?Thumbs\.db|\.DS_Store|"
    r"stats\.json|bundle-stats\.\w+|"
    r"tarpaulin-report\.html|cobertura\.xml|clover\.xml|lcov\.\w+|bench(?:mark)?(?:[-_]results?)?\.(?:json|txt|csv)|"
    r"[\w.-]+\.(?:snap\.new|js\.map|css\.map|d\.ts\.map|mjs\.map|cjs\.map|pid|sock|core|dmp|stackdump|retry|pyd))\Z"
)
"""Files that a tool writes anew."""
SOURCES = lazy_pattern(
    r"(?i).*[.*](?:py|pyi|ipynb|rb|erb|go|rs|java|kts?|scala|groovy|c|h|cc|cpp|cxx|hpp|cs|fs|vb|swift|mm?|"
    r"[cm]?[jt]sx?|vue|svelte|astro|"
    r"php|exs?|heex|erl|hrl|hs|mli?|clj[sc]?|lua|jl|r|rmd|qmd|dart|zig|nim|sql|proto|graphql|tf|tfvars|"
    r"hcl|md|mdx|rst|adoc|tex|bib|"
    r"ya?ml|toml|csv|tsv|parquet|xlsx?|docx?|pptx?|psd|ai|blend|sh|bash|ps1|css|scss|less|html?|j2|tmpl|"
    r"feature|env|pem|key|"
    r"sqlite3?|db|dump|bak|tar|gz|tgz|zip)\*?\Z"
)
"""Names of what people write, or keep."""
GENERATED = lazy_pattern(
    r"(?i).*(?:\.d\.[cm]?ts|\.min\.\w+|[._-](?:gen|generated|pb|pb\.gw|g|freezed|mocks?|bundle|chunk|"
    r"compiled|snap)\.\w+|_pb2\S*|"
    r"generated\S*|\.stories\.snap|\.orig|~|\.snap\S*|[-_.](?:copy|old|tmp|temp|orig|backup|conflict\S*)\.\w+)\*?\Z|"
    r"(?i:mock_\S*|zz_generated\S*|tmp[-_.*]\S*|\.\#\S*|\._\S*|\*\*?/(?:dist|build|node_modules|"
    r"__pycache__|target)/\S*|"
    r".*\.(?:bak|gz|tgz|tar|zip|key|db|dump))\Z"
)
"""Names of sources that a tool makes again, and of what was put aside."""
