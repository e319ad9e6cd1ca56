"""Recall on a public scanner's fixtures, by kind: those that the vendor rules were made from, and those left out.

    python -m bench.scrub_fixtures PATH [--samples N] [--half A|B] [--leave-out] [--missed]

PATH is JSON: a list of {"kind", "text", "secret"}, or a scanner's rules: {"id", "pattern"} (texts are then made from
each pattern), with "name" and "examples" where it has them (what `kingfisher rules list --format json` prints).

Raw recall counts every example. The fair set leaves out what is no secret (hosts, addresses, user names, ids, public
keys), what is a hash or encrypted, names of variables, what says that it is an example, whole documents, and bare
digits that nothing announces: a commit and a key look the same there. `--half` takes the vendors of one half only (by
a hash of their name): rules are improved by looking at A, and B says what that is worth. `--leave-out` tries each
vendor's examples without that vendor's rules: what is then found, general rules find (names, addresses, shapes).
"""

import argparse
import hashlib
import json
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from bench.make_rules import FACTS, NO_SECRET, fact_id, flattened, kingfisher_id
from bench.scrub_corpus import MARK
from bench.scrub_samples import Sampler

from holdfast.scrub import Scrubber, default_rules, default_scrubber

PUBLIC = re.compile(
    r"(?i)\b(?:ID|IDs|SID)\b|host|domain|region|user ?name|\buser\b|tenant|endpoint|\bsite\b|redirect|publishable|"
    r"public|reference|bucket|instance|(?:base|server|project|content|jfrog|service|api|team|workspace|account|app) "
    r"ur[li]|consumer key|integration key|organi[sz]ation|account name|email|subscribe key|"
    r"\bURL\b(?!.*(?:webhook|key|token|cred))"
)
SEALED = re.compile(r"(?i)\bhash|krb5|kerberos|encrypted|bcrypt|argon|vault (?:enc|file)|certificate")
PASSWORD = re.compile(r"://[^/\s@]*:(.+)@[^@]*\Z", re.DOTALL)
SIGNED = re.compile(r"[?&;](?:sig|signature|code|token|key|api_key|password)=([^&;\s]{6,})")
VARIABLE = re.compile(r"[\"']?[$#%]?[{(<]?\$?[A-Za-z_.\[\]']+[})>]?[\"']?")
BARE = re.compile(r"[\s\"']*(?:[0-9A-Fa-f]{8,}|[0-9A-Fa-f-]{36}|[0-9]+)[\s\"']*")
EXAMPLE = re.compile(r"EXAMPLE|SAMPLE|TEST(?=[a-z])|your[_-]|xxxx|1234-1234-1234|example\.")
"""It says itself that it is none."""
LEAST = 8
GENERAL = frozenset({"auth", "curl", "generic", "jwt", "netrc", "privkey", "uri"})
"""Kinds that are forms, not vendors."""


class Fixture(NamedTuple):
    kind: str
    text: str
    secret: str
    fair: bool = True


def fixtures(raw: list[dict[str, Any]], count: int) -> Iterator[Fixture]:
    for one in raw:
        if "text" in one:
            yield Fixture(one["kind"], one["text"], one["secret"])
        elif one.get("examples"):
            yield from examples(one)
        elif "examples" not in one:
            yield from made(one, count)


def made(one: dict[str, Any], count: int) -> Iterator[Fixture]:
    kind = fact_id(one["id"])
    if NO_SECRET.search(kind):
        return
    try:
        sampler = Sampler(flattened(one["pattern"])[0], seed=99)
        texts = [sampler.sample() for _ in range(count)]
    except (re.error, KeyError, ValueError):
        return
    for text, groups in texts:
        yield Fixture(kind, text, next((group for _, group in sorted(groups.items()) if len(group) >= 8), text))


def examples(one: dict[str, Any]) -> Iterator[Fixture]:
    """A rule's own examples; the secret is the group that the rule takes, of an address the part that opens it."""
    flat, flags = flattened(one["pattern"])
    try:
        pattern = re.compile(flat, flags)
    except re.error:
        return
    for text in dict.fromkeys(one["examples"]):
        if found := pattern.search(text):
            groups = found.groupdict()
            last = [each for each in found.groups() if each and len(each) >= 6][-1:]
            secret = groups.get("TOKEN") or (last or [found[0]])[0]
            secret = secret.partition("-----\n")[2] if secret.startswith("-----BEGIN") else secret
            for part in (PASSWORD, SIGNED):
                secret = match[1] if (match := part.search(secret)) else secret
            if secret.startswith("http"):
                secret = secret.rstrip("/").rpartition("/")[2]
            public = PUBLIC.search(one["name"]) or SEALED.search(one["name"]) or VARIABLE.fullmatch(secret)
            none = bool(public or secret.startswith("{") or EXAMPLE.search(secret))
            yield Fixture(
                kingfisher_id(one["id"]), text, secret, not none and len(secret) >= 6 and not BARE.fullmatch(text)
            )


def vendor(kind: str) -> str:
    return kind.partition("-")[0]


def in_half(kind: str, half: str) -> bool:
    return not half or (hashlib.md5(vendor(kind).encode(), usedforsecurity=False).digest()[0] % 2 == 0) == (half == "A")


@lru_cache(maxsize=1)
def without(left_out: str) -> Scrubber:
    """The scrubber without the rules of one vendor. A form that belongs to no vendor is left out by nobody."""
    if left_out in GENERAL:
        return default_scrubber()
    whole = default_rules()
    rules = tuple(rule for rule in whole.rules if not rule.id.replace("-", "").startswith(left_out.replace("-", "")))
    return Scrubber(whole._replace(rules=rules))


def is_left(fixture: Fixture, scrubber: Scrubber) -> bool:
    """Is a part of the secret still there?"""
    left, secret = MARK.sub(" ", scrubber.text(fixture.text).text), fixture.secret
    if len(secret) <= LEAST + 4:
        return secret in left
    return any(secret[at : at + LEAST] in left for at in range(4, max(5, len(secret) - LEAST + 1)))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("path", type=Path)
    options.add_argument("--samples", type=int, default=4, help="texts made from each pattern")
    options.add_argument("--half", choices=["", "A", "B"], default="", help="the vendors of one half only")
    options.add_argument("--leave-out", action="store_true", help="each vendor's examples without that vendor's rules")
    options.add_argument("--missed", action="store_true", help="show what was missed of the fair set")
    chosen = options.parse_args()
    known = {one["id"] for one in tomllib.loads(FACTS.read_text())["fact"]}
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    missed = []
    for fixture in fixtures(json.loads(chosen.path.read_text()), chosen.samples):
        if not in_half(fixture.kind, chosen.half):
            continue
        left = is_left(fixture, without(vendor(fixture.kind)) if chosen.leave_out else default_scrubber())
        counts[fixture.kind].update(all=1, found=not left, fair=fixture.fair, fair_found=fixture.fair and not left)
        if left and fixture.fair:
            missed.append(f"{fixture.kind}: {fixture.text[:120]!r} ({fixture.secret[:40]!r})")
    for title, kinds in (("known", known), ("left out", counts.keys() - known), ("all", set(counts))):
        total = sum((counts[kind] for kind in counts if kind in kinds), Counter[str]())
        print(
            f"{title:10} {sum(kind in kinds for kind in counts):4} kinds {total['all']:6} texts   "
            f"recall {total['found'] / max(1, total['all']):.3f}   "
            f"fair {total['fair']:6}   recall {total['fair_found'] / max(1, total['fair']):.3f}"
        )
    if chosen.missed:
        print("\n".join(missed))


if __name__ == "__main__":
    main()
