"""Private keys over many lines, whole and cut, in every dress."""

import random
from base64 import b64encode

import pytest

from holdfast.scrub import default_scrubber
from tests.support.table import each_of

pytestmark = pytest.mark.requirement("SEC-1")

BODY = b64encode(random.Random(3).randbytes(500)).decode()
LINES = [BODY[at : at + 64] for at in range(0, len(BODY), 64)]
BEGIN, END = "-----BEGIN RSA PRIVATE" + " KEY-----", "-----END RSA PRIVATE" + " KEY-----"
WHOLE = [BEGIN, *LINES, END]


def left(text: str) -> str:
    scrubbed = default_scrubber().text(text)
    assert "private-key" in scrubbed.found
    assert not any(line[:20] in scrubbed.text or line[-20:] in scrubbed.text for line in LINES)
    return scrubbed.text


@each_of(
    "text",
    [
        "\n".join(WHOLE),
        "\r\n".join(WHOLE),
        "\\n".join(WHOLE),
        "\\\\n".join(WHOLE),
        " ".join(WHOLE),
        "\n".join("\t" + line for line in WHOLE),
        "\n".join("> " + line for line in WHOLE),
        "\n".join("+" + line for line in WHOLE),
        "\n".join("# " + line for line in WHOLE),
        "\n".join(f'"{line}\\n"' for line in WHOLE),
        "\n".join(f"{at:6}\t{line}" for at, line in enumerate(WHOLE, 1)),
        "\n".join([BEGIN, "Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,0A1B", "", *LINES, END]),
    ],
)
def test_a_closed_key_goes_whole(text: str) -> None:
    assert left(f"before\n{text}\nafter").startswith("before\n")
    assert left(f"before\n{text}\nafter").endswith("\nafter")
    assert "[scrubbed:private-key]" + END in left("\n".join(WHOLE))


@pytest.mark.parametrize("join", ["\n", "\\n"])
def test_an_unclosed_key_goes_to_the_end_of_its_base64(join: str) -> None:
    text = left(join.join([BEGIN, *LINES]))
    assert text == BEGIN + "[scrubbed:private-key]"


def test_after_an_unclosed_key_prose_stays() -> None:
    text = left("\n".join([BEGIN, *LINES, "", "and then the build failed with three errors"]))
    assert text.endswith("\n\nand then the build failed with three errors")


def test_an_unclosed_key_with_omitted_lines_goes_on_behind_them() -> None:
    left("\n".join([BEGIN, *LINES[:3], "... 4 lines omitted ...", *LINES[7:]]))


def test_an_end_without_begin_takes_the_base64_before_it() -> None:
    assert left("\n".join(["the log says", *LINES, END, "done"])) == f"the log says\n[scrubbed:private-key]{END}\ndone"


def test_a_body_without_begin_and_end_is_known_by_its_first_bytes() -> None:
    text = "\n".join(["b3BlbnNzaC1r" + "ZXktdjEAAAAA" + LINES[0], *LINES[1:], "", "ordinary words follow here"])
    assert left(text) == "[scrubbed:private-key]\n\nordinary words follow here"


def test_a_key_file_in_base64_goes() -> None:
    encoded = b64encode("\n".join(WHOLE).encode()).decode()
    assert default_scrubber().text(f"client-key-data: {encoded}").text == (
        "client-key-data: [scrubbed:encoded-private-key]"
    )


def test_two_keys_leave_what_is_between_them() -> None:
    key = "\n".join(WHOLE)
    assert "\nand the other one\n" in left(f"{key}\nand the other one\n{key}")
