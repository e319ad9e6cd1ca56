"""Tokens that a call prints into its own words, and sends with them. Pure; linear.

`curl -d "t=$(gh auth token)" https://…`: the token leaves. In a header to the service that gave it, it only proves who
asks: `curl -H "Authorization: Bearer $(gh auth token)" https://api.github.com/user`.
"""

from __future__ import annotations

from holdfast.commandline.model import Run
from holdfast.judging import secret_files
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

_SENDS = listed("curl wget http https httpie xh")
_HEADER = lazy_pattern(r"(?i)(?:-H\s?)?(?:--header[= ])?(?:[\w-]*authorization|private-token|x-[\w-]+)\s*:")
_PROVES = listed("-u --user --oauth2-bearer --bearer -a --auth --password --http-password")
_ADDRESS = lazy_pattern(r"(?:--url=)?(https?)://(?:[^\s/@]*@)?([^\s/:?#]+)")
_NEAR = lazy_pattern(r"(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|[\w-]+\.localhost)\Z")
_OWN = (
    (
        lazy_pattern(r"\bgh auth"),
        lazy_pattern(
            r"(?:[\w-]+\.)*(?:github(?:usercontent|copilot)?\.(?:com|ai|io)|ghcr\.io|ghe\.com|ai\.azure\.com)\Z|"
            r"github\.(?!com\.)[\w.-]+\Z"
        ),
    ),
    (
        lazy_pattern(r"\bgcloud auth (?!print-identity)"),
        lazy_pattern(
            r"(?:[\w-]+\.)*(?:googleapis\.com|google\.com|google\.internal|googleusercontent\.com|run\.app|gcr\.io|pkg\.dev|"
            r"cloudfunctions\.net|cloudproxy\.app|goog)\Z"
        ),
    ),
)
"""Who prints a token, and the hosts of the service that it is for."""


def are_sent(run: Run) -> bool:
    """Does a call send a token that it prints, or a private key, to a machine that it is not for?"""
    if run.program not in _SENDS or run.remote:
        return False
    hosts = [match[2].lower() for text in run.texts if (match := _ADDRESS.match(text))]
    if not hosts or all(_NEAR.match(host) for host in hosts):
        return False
    return any(_is_sent(text, run.texts[place - 1] if place else "", hosts) for place, text in enumerate(run.texts))


def is_header(text: str) -> bool:
    """Is it a header with which a call proves who asks?"""
    return _HEADER.match(text) is not None


def _is_sent(text: str, before: str, hosts: list[str]) -> bool:
    printed = secret_files.PRINTED.search(text)
    if printed is None:
        return False
    own = next((place for says, place in _OWN if says.search(printed[0])), None)
    if own is not None:
        # A host that is computed at run time may be the right one.
        return not all(own.match(host) or "$" in host or "`" in host for host in hosts)
    return before not in _PROVES and not is_header(text)
