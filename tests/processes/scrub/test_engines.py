"""The scrubber in an interpreter that has the standard library only."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import holdfast.scrub

pytestmark = pytest.mark.requirement("SEC-1")

TOKEN = "gh" + "p_" + "aB3dE6gH9kL2mN5pQ8rS1tU4vW7xY0zC" + "fJ4k"


def test_the_standard_library_alone_is_enough() -> None:
    source = Path(holdfast.scrub.__file__).parents[2]
    program = (
        f"import sys; sys.path.insert(0, {str(source)!r})\n"
        "from holdfast.scrub.engine import default_scrubber\n"
        "from holdfast.scrub import scan\n"
        f"print(scan.FAST, default_scrubber().text({TOKEN!r}).text)"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False [scrubbed:github-token]"
