"""Folders into which a run is told to write, and what only looks like one."""

from __future__ import annotations

import pytest

from holdfast.commandline.reading.line import read
from holdfast.judging import told_outputs
from tests.support.table import each_of


def told(line: str, path: str) -> bool:
    return any(told_outputs.fills(run, path) for run in read(line).runs)


@pytest.mark.requirement("WRK-14")
@each_of(
    "line, path",
    (
        ("vite build --outDir vb", "vb"),
        ("xcodebuild -derivedDataPath DD test", "DD"),
        ("dotnet test --results-directory TR", "TR"),
        ("python -m cProfile train.py --output_dir x", "x"),
        ("nextflow run . -w scr", "scr"),
        ("nim c --outdir:no x.nim", "no"),
        ("msbuild /p:OutputPath=mso", "mso"),
        ("mvn package -DoutputDirectory=jars", "jars"),
        ("CARGO_TARGET_DIR=tgt cargo test", "tgt"),
        ("make install DESTDIR=$PWD/stage", "stage"),
        ("docker build --output type=local,dest=dout .", "dout"),
        ("docker cp web:/app/x dcp", "dcp"),
        ("pytest --cov-report=html:ch", "ch"),
        ("godot --headless --export-release Web webexp/index.html", "webexp"),
        ("cd web && vite build --outDir vb", "web/vb"),
    ),
)
def test_an_output_is_told_by_an_option_a_variable_or_a_place(line: str, path: str) -> None:
    assert told(line, path)


@pytest.mark.requirement("WRK-14")
@each_of(
    "line, path",
    (
        ("python train.py --data-dir set1 --output-dir x", "set1"),
        ("fastqc reads/a.fq -o reads", "reads"),
        ("tsc --rootDir handlers --outDir handlers", "handlers"),
        ("rsync -a --link-dest=prev a/ b/", "prev"),
        ("swift build --package-path engine", "engine"),
        ("python x.py --photo-dir pics", "pics"),
        ("npm --prefix frontend run build", "frontend"),
        ("docker run --workdir analysis img", "analysis"),
        ("docker cp mysite web:mysite", "mysite"),
        ("grep -o x handlers", "handlers"),
        ("test -d crm", "crm"),
        ("vite build --outDir /srv/www", "/srv/www"),
        ("ssh web1 vite build --outDir vb", "vb"),
        ("TARGET_DIR=packages/api make", "packages/api"),
        ("./tool --work-dir services/api", "services/api"),
        ("./deploy.sh --install-dir tools/mine", "tools/mine"),
        ("tar tzf package-1.0.tgz", "package/src"),
        ("sphinx-build . -b html docs", "docs/handbook"),
        ("etcd --data-dir=infra/etcd", "infra/etcd"),
    ),
)
def test_what_a_run_reads_is_no_output(line: str, path: str) -> None:
    assert not told(line, path)


@pytest.mark.requirement("WRK-14")
def test_some_options_name_a_folder_for_the_work_only() -> None:
    (run,) = read("nextflow run . --outdir res -work-dir scratch-nf").runs
    assert told_outputs.works_in(run, "scratch-nf/ab")
    assert not told_outputs.works_in(run, "res")
    assert told_outputs.is_below(run, "res")
