"""Calls of the web that only talk to this machine: what they send leaves it for nowhere. Pure; linear.

`curl localhost:3000/api/auth/callback/credentials -d 'password=test1234'`. Every address must be this machine's, and
neither an option nor the line may lead it elsewhere.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from holdfast.commandline.model import Run
from holdfast.patterns import lazy_pattern
from holdfast.shell.tools import listed

_WEB = listed("curl wget http https httpie xh curlie")
_RULE = "secrets.leave"
_HERE = lazy_pattern(
    r"(?i)(?:https?://)?(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|0\.0\.0\.0)(?::\d{1,5})?(?:[/?#]\S*)?\Z|:\d{1,5}(?:/\S*)?\Z"
)
_VALUES = listed(
    "-d --data --data-raw --data-binary --data-urlencode --json -H --header -X --request -o --output -c --cookie-jar "
    "-b --cookie -F --form -A --user-agent -e --referer -w --write-out -m --max-time --connect-timeout --retry -u "
    "--user --post-data --body-data --method -O --output-document --retry-delay --cacert --cert --key -T --upload-file "
    "--timeout"
)
_ITEMS = lazy_pattern(r"[\w.\[\]-]{1,80}(?::=|==?|:|@)\S?|(?-i:[A-Z]{3,8})\Z")
"""What HTTPie takes behind the address: fields, headers and the method."""
_LEADS_AWAY = lazy_pattern(
    r"-x|-K|-L|--(?:pre)?proxy|--socks|--connect-to|--resolve|--config|--location|--doh|--interface|--unix-socket|"
    r"--abstract-unix-socket|-[a-zA-Z]*[xKL][a-zA-Z]*\Z"
)
_TUNNELS = listed("ssh autossh socat ngrok cloudflared chisel frpc bore lt localtunnel tailscale kubectl")
_PROXY = re.compile(r"(?i)(?:https?|all|ftp)_proxy\Z")
_MOST, _NEAR = 60, 40


def only_here(rule: str, run: Run, before: Sequence[Run]) -> bool:
    """Does this call send what it sends to this machine alone?"""
    if rule != _RULE or run.program not in _WEB or run.remote or len(run.args) > _MOST:
        return False
    if any(not arg.known for arg in run.args) or any(_PROXY.match(name) for name, _ in run.environment):
        return False
    if any(_LEADS_AWAY.match(text) for text in run.texts) or any(each.program in _TUNNELS for each in before[-_NEAR:]):
        return False
    takes_items = run.program not in ("curl", "wget", "curlie")
    places = [
        text
        for option, text in itertools.pairwise(("", *run.texts))
        if not text.startswith("-") and option not in _VALUES and not (takes_items and _is_item(text))
    ]
    addresses = [text.partition("=")[2] if text.startswith("--url=") else text for text in places]
    return bool(addresses) and all(_HERE.match(text) for text in addresses)


def _is_item(text: str) -> bool:
    return _HERE.match(text) is None and "//" not in text.partition("=")[0] and _ITEMS.match(text) is not None
