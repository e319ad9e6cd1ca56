"""Folders that a line removes and puts there again."""

from __future__ import annotations

import pytest

from holdfast.commandline.model import Where
from holdfast.commandline.reading.line import read
from holdfast.judging.packs import built_in
from holdfast.judging.rules import judged
from tests.support.table import each_of

HOME = Where(home="/home/u")


def passes(line: str) -> bool:
    return not any(each.decision in ("ask", "deny") for each in judged(read(line), built_in(), HOME).findings)


@pytest.mark.requirement("WRK-14")
@each_of(
    "line",
    (
        "rm -rf www/pkg && cp -r pkg www/",
        "rm -rf www/pkg && cp -r pkg www/pkg",
        "rm -rf docs/api && cp -r build/docs/javadoc docs/api",
        "rm -rf app/src/main/assets/www && cp -r dist app/src/main/assets/www",
        "rm -rf third_party/zlib && git clone https://example.com/zlib third_party/zlib",
        "rm -rf stagingroot && mkdir stagingroot && cp -R App.app stagingroot/",
        "cd web && rm -rf js && rsync -a out/js/ js",
        "rimraf www/js && cpy 'build/*.js' www/js",
    ),
)
def test_a_copy_is_put_there_again(line: str) -> None:
    assert passes(line)


@pytest.mark.requirement("WRK-7")
@each_of(
    "line",
    (
        "rm -rf www/pkg && cp -r pkg www2/",
        "rm -rf pkg && cp -r pkg www/",
        "rm -rf www/pkg && cp -r www/pkg/old www/pkg",
        "rm -rf www/pkg || cp -r pkg www/",
        "rm -rf www/uploads && cp -r dist/uploads www/uploads",
        "rm -rf src/billing && cp -r ../old/src/billing src/",
        "rm -rf src && cp -r /tmp/src src",
        "rm -rf lectures && mkdir lectures",
        "rm -rf ~/www/pkg && cp -r pkg ~/www/",
        "rm -rf recipes && mkdir recipes && cp template.txt recipes/",
        "rm -rf recipes && cp template.txt recipes",
        "rm -rf wiki && unzip template.zip -d wiki",
        "rm -rf wiki && git clone https://example.com/template wiki",
        "rm -rf handlers && cd other && cp -r dist handlers",
    ),
)
def test_what_is_not_brought_back_is_asked_about(line: str) -> None:
    assert not passes(line)
