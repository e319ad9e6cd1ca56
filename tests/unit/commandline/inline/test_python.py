"""A Python program in a line is read with bounded work, whatever it puts together."""

from __future__ import annotations

import pytest

from holdfast.commandline.inline.python import python_calls

LONG = 20_000


@pytest.mark.requirement("WRK-15", "SEC-7")
@pytest.mark.parametrize(
    "program",
    [
        "x = 'ab'\n" + "x = x + x\n" * 60 + "import os\nos.remove(x)",
        "x = 'ab'\n" + "x = f'{x}{x}'\n" * 60 + "import os\nos.remove(x)",
        "x = 'ab'\n" + "x = x / x\n" * 60 + "import os\nos.remove(x)",
        "x = 'ab'\n" + "x = '%s%s' % (x, x)\n" * 60 + "import os\nos.remove(x)",
        "x = 'ab'\n" + "x = '{}{}'.format(x, x)\n" * 60 + "import os\nos.remove(x)",
        "x = 'ab'\n" + "x = ''.join([x, x, x])\n" * 60 + "import os\nos.remove(x)",
        "import os\nos.remove(" + "os.environ.get(" * 60 + "'HOME'" + ")" * 60 + ")",
    ],
    ids=["plus", "f-string", "slash", "percent", "format", "join", "get of get"],
)
def test_a_text_that_grows_without_end_is_cut_and_unknown(program: str) -> None:
    [(text, known, _)], _, _ = python_calls(program)
    assert len(text) <= LONG
    assert not known


@pytest.mark.requirement("WRK-15")
def test_a_text_of_usual_length_is_still_known() -> None:
    [(text, known, recursive)], _, _ = python_calls("import shutil\nx = 'a' + 'b'\nshutil.rmtree(x + '/c')")
    assert (text, known, recursive) == ("ab/c", True, True)
