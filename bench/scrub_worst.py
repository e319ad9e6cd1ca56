"""Shows that scrubbing is linear: the time for texts made to be slow, at one size and at twice that size.

    python -m bench.scrub_worst [--kilobytes N] [--most N]

The texts are generated: for every keyword and every rule, alone and beside what its pattern wants next. A linear
scrubber takes twice as long for twice the text, a quadratic one four times.
"""

import argparse
import re
import time
from collections.abc import Iterator

from bench.scrub_samples import Sampler

from holdfast.scrub import Scrubber, SecretRule, default_rules, default_scrubber
from holdfast.scrub.places import Places

GLUE = ("", "=", " ", ": ", "\n", '":"', "%26", "&", "a", "Zk3")
SHAPES = (
    'password = "aa' + "QWERTZUIOPASDFGHJKLYXCVBNMQWERTZUIOP" + '!"\n',
    'password = "aa' + "13579246801357924680135792468" + 'b!"\n',
    'token = "a' + "_" * 200 + '!"\n',
    "api_key = " + "a." * 120 + "!\n",
    "-----BEGIN PRIVATE KEY-----\n" + "+" * 4000 + "!\n",
    "-----BEGIN PRIVATE KEY-----\n" + "-/+" * 2000 + "!\n",
    "MHcCAQEEI!",
    "MHcCAQEEI" + "a" * 40 + "!",
    "kind: Secret\n...\n",
    "kind: Secret\ndata:\n  a: bbbbbbbb\n",
    "Ab3/xY9+" * 8 + "aZ19" * 3 + "\n",
    "curl" + " -u" * 80 + "\n",
    "cookie: " + "a=b1c2d3e4f5;" * 40,
    "\x1b[32mtoken\x1b[0m=",
    "pass\u200bword=hunter2\u200b\n",
    "access_token=Ab3dEf6hIj%26refresh_token=Kl9mNo2pQr%26",
    "Q2hhbmdlIG1lIHBsZWFzZSBzaXIgYW5kIGdvIG9u\n\n\n",
)


def seeds(rule: SecretRule) -> Iterator[str]:
    """What keeps one rule busy: its keywords, glued in many ways, and texts that nearly match."""
    for word in rule.keywords:
        for glue in GLUE:
            yield word.decode() + glue
            yield word.decode().upper() + glue
    sampler = Sampler(rule.regex.decode("latin-1"), seed=len(rule.id), most=40)
    for _ in range(2):
        text, _ = sampler.sample()
        yield text
        yield text + " "
        yield text[: len(text) * 2 // 3]
        yield text[:-1] + "!\n"
        yield text[: max(4, len(text) // 4)] * 2


def worst_seeds() -> Iterator[tuple[str, str]]:
    """Everything that is repeated, with the name of what it is against."""
    rules = default_rules()
    for rule in rules.rules:
        for seed in seeds(rule):
            yield rule.id, seed
    for word in Places(rules, default_scrubber()._allow, fast=True).words:
        for glue in GLUE:
            yield "names", word.decode() + glue
    for shape in SHAPES:
        yield "shapes", shape


def repeated(seed: str, size: int) -> str:
    return (seed * (size // len(seed) + 1))[:size]


def took(scrubber: Scrubber, text: str, rounds: int = 3) -> float:
    """Processor seconds for one text: the least of a few rounds, because everything else only adds."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        scrubber.text(text)
        best = min(best, time.process_time() - start)
    return best


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kilobytes", type=int, default=64, help="the smaller of the two sizes")
    options.add_argument("--most", type=int, default=20, help="how many of the slowest are shown")
    chosen = options.parse_args()
    scrubber, size = default_scrubber(), chosen.kilobytes * 1024
    rows = []
    for name, seed in dict.fromkeys(worst_seeds()):
        small = took(scrubber, repeated(seed, size), 1)
        rows.append((small, name, seed))
    rows.sort(reverse=True)
    print(f"{len(rows)} texts of {chosen.kilobytes} KiB; the slowest:")
    for _, name, seed in rows[: chosen.most]:
        small, large = took(scrubber, repeated(seed, size)), took(scrubber, repeated(seed, size * 2))
        shown = re.sub(r"\s+", " ", seed)[:40]
        print(f"  {name:24} {shown!r:44} {small * 1e3:8.1f} ms   twice the size: {large / max(small, 1e-9):5.2f} x")


if __name__ == "__main__":
    main()
