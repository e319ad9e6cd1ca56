"""The command client: one hook event from stdin to the daemon, its answer to stdout. Always exits 0.

Run by `hook.py`; the plugin's hooks add the word `plugin`. It is on the time of every session, so this file imports
only what the bare interpreter has loaded already, plus `_socket`: `socket` alone would double its cost. Whatever does
not go straight through (no daemon, a slow or a failing one, no Unix socket) is the business of `alone.py`, which is
loaded only then.

Nothing to say is `{}`, but at PreCompact and PostCompact it is no output at all: there the client takes `{}` for plain
text, asks the model to sum up with the "Additional Instructions: {}", and shows it to the user (2.1.325).
"""

import _socket
from _signal import ITIMER_REAL, SIGALRM, setitimer, signal  # type: ignore[import-not-found]
from posix import access, environ, getpid, read, urandom, write

DEADLINE = 4.0
"""Seconds for all of it: shorter than the shortest timeout of the hooks that `install` writes."""
KEEPING = 1.0
"""Seconds of these for scrubbing and spooling, when the daemon does not answer."""

_HEAD = b"POST /hooks/%s HTTP/1.1\r\nContent-Type: application/json\r\nX-Holdfast-Door: command\r\n"
_REST = b"X-Holdfast-Id: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"


def name_of(body: bytes) -> bytes:
    """The event's name, without a JSON parser: the client writes it into every payload."""
    _, found, rest = body.partition(b'"hook_event_name"')
    name = rest.lstrip(b" \t\r\n:").split(b'"', 2)[1:2] if found else []
    return name[0] if name and name[0].isalnum() and name[0][:1].isalpha() and len(name[0]) <= 64 else b"Unknown"


def new_id(now_ns: int) -> bytes:
    """A UUIDv7, as `ids.py` makes them."""
    bits = int.from_bytes(urandom(10), "big")
    number = (now_ns // 1_000_000) << 80 | 7 << 76 | (bits & 0xFFF) << 64 | 2 << 62 | bits >> 18
    text = f"{number:032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:])).encode()


def said_by() -> bytes:
    """The header that tells which program calls, from what it says of itself; nothing that could break the header."""
    said = environ.get(b"AI_AGENT", b"")
    plain = said.replace(b"_", b"").replace(b"-", b"").replace(b".", b"")
    return b"X-Holdfast-Agent: %s\r\n" % said if plain.isalnum() and len(said) <= 128 else b""


def sent_by() -> bytes:
    """Headers that name the agent, its pane, the client's process and the `holdfast run` that started it, as far as the
    environment tells: these four variables and no other. A value that could break the header is left out."""
    found = b""
    for name, header in (
        (b"AGENT_ID", b"Agent-Id"),
        (b"TMUX_PANE", b"Pane"),
        (b"CLAUDE_PID", b"Pid"),
        (b"HOLDFAST_RUN", b"Run"),
    ):
        value = environ.get(name, b"")
        if value and len(value) <= 128 and value.decode("utf-8", "replace").isprintable():
            found += b"X-Holdfast-%s: %s\r\n" % (header, value)
    return found


def command_here(home: str) -> bytes:
    """The header that tells whether `holdfast`, typed in this session, would reach this home: what is said to the agent
    names a command only where there is one."""
    named = environ.get(b"HOLDFAST_HOME")
    if named is not None and named != home.encode("utf-8", "surrogateescape"):
        return b""
    for folder in environ.get(b"PATH", b"").split(b":"):
        if folder[:1] == b"/" and access(folder + b"/holdfast", 1):
            return b"X-Holdfast-Command: %s\r\n" % (b"default" if named is None else b"named")
    return b""


def behind_a_proxy() -> bytes:
    """The header that tells whether this client would post to a proxy instead of to us: it obeys these variables also
    for this machine (2.1.325)."""
    for name in (b"http_proxy", b"HTTP_PROXY", b"all_proxy", b"ALL_PROXY"):
        if environ.get(name):
            excepted = environ.get(b"no_proxy") or environ.get(b"NO_PROXY") or b""
            return b"" if b"127.0.0.1" in excepted or excepted == b"*" else b"X-Holdfast-Proxy: 1\r\n"
    return b""


def exchange(
    connection: "_socket.socket",
    event: bytes,
    arrival_id: bytes,
    body: bytes,
    credentials: bytes = b"Host: localhost\r\n",
) -> "tuple[int, bytes]":
    """Send one event on a connected socket; the answer's status and body."""
    head = (_HEAD % event) + credentials + said_by() + sent_by() + behind_a_proxy() + (_REST % (arrival_id, len(body)))
    connection.sendall(head + body)
    parts = []
    while part := connection.recv(1 << 16):
        parts.append(part)
    answer_head, _, answer = b"".join(parts).partition(b"\r\n\r\n")
    status = answer_head[9:12]
    if not status.isdigit():
        raise OSError("the connection broke before the answer")
    return int(status), answer


def main(home: str, way: str = "") -> None:
    import time

    began, arrival_id = time.monotonic(), new_id(time.time_ns())
    parts: list[bytes] = []
    # One clock over reading and delivering: a stdin that nobody closes must not hold up the session either.
    signal(SIGALRM, _too_late)
    setitimer(ITIMER_REAL, DEADLINE - KEEPING)
    try:
        while part := read(0, 1 << 16):
            parts.append(part)
        body = b"".join(parts)
        if way == "plugin" and _is_served_by_settings(home, body):
            return
        connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        connection.connect(home + "/holdfast.sock")
        status, answer = exchange(
            connection, name_of(body), arrival_id, body, b"Host: localhost\r\n" + command_here(home)
        )
        setitimer(ITIMER_REAL, 0)
        if status >= 500:
            raise OSError("the daemon failed")
    except Exception:
        setitimer(ITIMER_REAL, 0)
        from holdfast.revive import start_missing

        started = start_missing(home, time.time())
        from holdfast.alone import deliver

        body = b"".join(parts)
        status, answer = deliver(home, name_of(body), arrival_id, body, began, started)
    said = answer if status == 200 else b"{}"
    if said != b"{}" or not name_of(body).endswith(b"Compact"):
        write(1, said)


def _is_served_by_settings(home: str, body: bytes) -> bool:
    """With hooks in the settings, too, the plugin's hooks leave the event to them."""
    from holdfast.plugin_overlap import is_served

    return is_served(home, name_of(body).decode("ascii"))


def _too_late(*_: object) -> None:
    raise TimeoutError("the deadline is over")


def run(words: "list[str]") -> None:
    """The whole life of the process. Nothing is torn down: the system does that sooner."""
    try:
        main(*words)
    except BaseException as error:
        # Memory fails open: a sentence for the debug log, an empty answer, and never an exit code.
        write(2, f"holdfast: {type(error).__name__}: {error} (pid {getpid()})\n".encode())
    finally:
        from posix import _exit

        _exit(0)
