"""The user's own sentences count; what they pasted does not."""

from __future__ import annotations

import pytest

from holdfast.prose.typed import typed

PLAN = """Hash Join  (cost=230.47..713.98 rows=101 width=488) (actual time=0.711..7.427 rows=100 loops=1)
  Hash Cond: (t2.client = t1.client)
  ->  Seq Scan on invoices t2  (cost=0.00..445.00 rows=10000 width=244)
  ->  Hash  (cost=229.20..229.20 rows=101 width=244)
Planning Time: 0.181 ms"""
JAVA = """java.lang.IllegalStateException: client has been shutdown
    at org.apache.http.impl.conn.PoolingClient.lease(PoolingClient.java:191)
    at com.acme.reports.Mailer.send(Mailer.java:88)
Caused by: java.net.SocketException: connection reset
    ... 12 more"""
PYTHON = """Traceback (most recent call last):
  File "/usr/lib/python3/dist-packages/gi/overrides.py", line 12, in load
    raise ValueError(name)
ValueError: namespace Gtk not available"""
RUST = """thread 'main' panicked at src/render/queue.rs:44:9:
index out of bounds: the len is 3 but the index is 3
note: run with `RUST_BACKTRACE=1` to see a backtrace"""
LOG = """2026-11-02T09:14:11Z INFO  worker started pid=4411 queue=mail
2026-11-02T09:14:12Z ERROR retry budget of the client is spent attempt=5 wait=30s
2026-11-02T09:14:13Z INFO  worker stopped"""
SERIAL = """[    0.112] boot: rev B, 96 MHz
[    0.340] radio: min -91 dBm max -40 dBm
[    0.512] watchdog: reset, cause=4"""
ENVIRONMENT = """PAGE_SIZE=100
CLIENT_TIMEOUT=30
REGION=eu-west-1"""
YAML = """    client:
      retries: 3
      timeout: 30"""
SCREENSHOT = "[screenshot: latency min 3 ms, max 40 ms, client 12]"
DIFF = """@@ -1,3 +1,3 @@
-timeout = 30
+timeout = 60"""
TABLE = """| client | min | max |
|---|---|---|
| web | 3 | 40 |"""
FENCE = """```
the client retries the upload of the invoice
```"""
QUOTE = """> the client retries the upload
> and the invoice is sent twice"""
GO = """goroutine 12 [running]:
main.(*Client).Upload(0xc000010000)
	/srv/app/client.go:44 +0x1d"""


@pytest.mark.requirement("MEM-22")
def test_what_is_pasted_does_not_count_and_the_sentences_around_it_do() -> None:
    own = (
        ("why is this slow?", ""),
        ("", "anything you can make of it?"),
        ("the report page hangs, here is what I see:", "please add an index if it helps"),
        ("beim Start kommt seit heute das hier:", "bitte schau mal drauf"),
        ("got this from their server.", ""),
    )
    pastes = (PLAN, JAVA, PYTHON, RUST, LOG, SERIAL, ENVIRONMENT, YAML, SCREENSHOT, DIFF, TABLE, FENCE, QUOTE, GO)
    for paste in pastes:
        assert typed(f"{paste}\n\n") == "", paste
        for before, after in own:
            told = [part for part in (before, after) if part]
            assert typed("\n\n".join([before, paste, after])) == "\n".join(told), (before, paste)
            if paste not in (SCREENSHOT,):
                assert typed("\n".join([before, paste, after]).strip()) == "\n".join(told), (before, paste)


@pytest.mark.requirement("MEM-22")
def test_a_prompt_that_somebody_typed_in_several_lines_counts_whole() -> None:
    for prompt in (
        "TypeError: cannot read properties of undefined (reading 'page')",
        "Please do this:\n- add a retry to the uploader\n- log the attempts,\n  with their delay\n- test it",
        "1. the grid jumps\n2. the footer overlaps on 13 inch screens\nfix both",
        "Die Suche ist langsam.\nKannst du den Index prüfen?\n\nDanke!",
        "set page size to 50 (was 100)\nand the timeout to 30 s",
        "rename foo -> bar in src/api/client.py\nthen run the tests",
    ):
        assert typed(prompt) == prompt.replace("\n\n", "\n")


@pytest.mark.requirement("MEM-22")
@pytest.mark.parametrize(
    "prompt",
    [
        "#412 still fails on CI\nplease look why",
        "at noon (UTC) the export hangs\nfind out why",
        "For today:\n[ ] write the tests\n[x] fix the menu",
        "+ add dark mode\n+ remove the banner",
    ],
)
def test_a_ticket_a_time_and_a_list_are_the_users_own(prompt: str) -> None:
    assert typed(prompt) == prompt


@pytest.mark.requirement("MEM-22")
@pytest.mark.parametrize(
    "paste",
    [
        "#0  0x00007ffff7 in raise () at raise.c:51\n#1  main (argc=1) at app.c:9",
        "    at Object.<anonymous> (/srv/app.js:3:4)\n    at run (node:internal/main:12)",
        "+import os\n+\n+def a():",
    ],
)
def test_a_stack_and_a_diff_are_still_pasted(paste: str) -> None:
    assert typed(f"it breaks since today:\n\n{paste}") == "it breaks since today:"
