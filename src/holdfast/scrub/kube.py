"""The values of a Kubernetes Secret: `kind: Secret`, then `data:` or `stringData:` with one value a line. Its names
promise nothing (`username`, `.dockerconfigjson`), its kind does.
"""

import re

from .steps import Budget, judging

ID = "kubernetes-secret"
KEYWORDS = (b"kind: secret", b'kind": "secret', b'kind":"secret', b"kind: 'secret", b'kind: "secret')
REACH = 16_384
_END = re.compile(rb"^(?:---|\.\.\.)[ \t\r]*$", re.MULTILINE)
_BLOCK = re.compile(
    rb"^([ \t]{0,16})[\"']?(?:data|stringData)[\"']?[ \t]{0,4}:[ \t]{0,4}\{?[ \t\r]{0,4}$", re.MULTILINE
)
_LINE = re.compile(rb"([ \t]{1,32})[\"']?[A-Za-z0-9._-]{1,128}[\"']?:[ \t]{1,8}[\"']?([^\x00-\x20\"'#]{4,4096})")


def values(data: bytes, start: int, budget: Budget) -> tuple[int, list[tuple[int, int]]]:
    """Where the values of the Secret around `start` stand, and how far was read."""
    stop = min(len(data), start + REACH)
    if ending := _END.search(data, start, stop):
        stop = ending.start()
    begin = max(0, start - REACH // 4)
    if (earlier := data.rfind(b"\n---", begin, start)) >= 0:
        begin = earlier + 1
    budget.used += (stop - begin) // 256
    found: list[tuple[int, int]] = []
    for block in _BLOCK.finditer(data, begin, stop):
        at = block.end() + 1
        while at < stop:
            line = _LINE.match(data, at, stop)
            if line is None or len(line[1]) <= len(block[1]):
                break
            budget.used += judging(line.end(2) - line.start(2))
            found.append(line.span(2))
            at = data.find(b"\n", line.end(), stop) + 1 or stop
    return stop, found
