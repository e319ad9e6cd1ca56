"""Makes the scrubber's vendor rules and their examples from facts.

    python -m bench.make_rules                  facts.toml → vendors.json and the tests' examples
    python -m bench.make_rules --from LIST      a scanner's rules (JSON) → facts.toml, then the same

A fact is what a scanner knows about one secret: the word that stands beside it (`beside`) or the characters it begins
with, and its form, written anew in one notation. Facts are of Betterleaks (MIT, the successor of Gitleaks), OSV-SCALIBR
and Kingfisher (Apache-2.0, whose facts are added to those that are there); no code and no sentence is taken. Forms without a word or a prefix are left out:
entropy judges those.
"""

# ruff: noqa: E501
import argparse
import json
import re
import tomllib
from pathlib import Path
from re import _constants as names  # type: ignore[attr-defined]
from re import _parser as syntax  # type: ignore[attr-defined]
from typing import Any

from bench.scrub_samples import Sampler

ROOT = Path(__file__).parents[1]
FACTS, RULES = ROOT / "src/holdfast/scrub/facts.toml", ROOT / "src/holdfast/scrub/vendors.json"
EXAMPLES = ROOT / "tests/data/scrub-examples.json"
BESIDE = re.compile(r"\(\?:=\|>\|:\{1,3\}=\|\\\|\\\|\|:\|=>\|\\\?=\|,\)\[\\x60'\"\\s=\]\{0,5\}")
END = r"""(?:\\?['"\x60]|[\s;]|\\[nr]|$)"""
NO_SECRET = re.compile(
    r"(?:client|key|account|access|application|tenant)-id|-(?:url|host|name|domain|username|repository)\b|-id\b"
)
GENERIC = {
    "key",
    "secret",
    "access",
    "token",
    "account",
    "api",
    "tenant",
    "client",
    "curl",
    "endpoint",
    "https",
    "user_",
}
COMMON = {"message", "password", "private", "session", "cursor", "poly", "linked", "endor", "auth", "checkout", "basic"}
"""Words of every day: beside one of these nothing is proven, or `word_` must stand there."""
_EVERYDAY = (
    "adobe beams batch bootstrap channels cognitive cosmos customer cypress drone entra event fernet fixer forest graph "
    "guardian hunter lemon loops notification sanity sauce security sonar spark speech track tracking translation surge "
    "translator volcano appid authtoken railway capella convex packet scraper shutterstock telegram youtube spotify "
    "daily render branch scale canva carto frame linear clay modal notion segment stripe square monday postman "
    "buffer front drift close pipedrive intercom braze courier beamer canvas plaid wise circle ramp brex gusto "
    "mercury column unit increase method fleet retool airplane internal superblocks hex mode looker metabase redash "
    "tableau domo sigma count cube minio redis mongo mongodb mysql postgres postgresql elastic kafka rabbit "
    "rabbitmq docker django flask rails react vercel oracle google amazon azure apple facebook twitter microsoft "
    "github gitlab bitbucket basic bearer vault travis jenkins "
)
EVERYDAY = frozenset(_EVERYDAY.split())
"""Words that stand in ordinary text and code: beside them a long run of digits proves nothing."""
MOST, LEAST_PREFIX = 1000, 3
OPERATOR = r"""[A-Za-z0-9_. \t-]{0,24}[ \t\r\n"'`\\\])]{0,6}(?:=>|:{1,3}=|\|\||\?=|=|>|:|,|(?i:key|token|secret)[ \t])[ \t\r\n"'`\\=]{0,8}"""


def written(nodes: Any, fold: bool = False) -> str:
    """A parsed pattern in our notation: bounded, without anchors."""
    return "".join(_one(op, arg, fold) for op, arg in nodes)


def _one(op: Any, arg: Any, fold: bool) -> str:
    if op is names.LITERAL:
        char = chr(arg)
        both = fold and char.isalpha() and char.isascii()
        return f"[{char.upper()}{char.lower()}]" if both else re.escape(char)
    if op is names.IN:
        return _class(arg, fold)
    if op is names.BRANCH:
        return "(?:" + "|".join(written(branch, fold) for branch in arg[1]) + ")"
    if op is names.SUBPATTERN:
        inside = (fold or bool(arg[1] & re.IGNORECASE)) and not arg[2] & re.IGNORECASE
        return "(?:" + written(arg[3], inside) + ")"
    if op in (names.MAX_REPEAT, names.MIN_REPEAT):
        low, high, body = arg
        high = min(int(high), MOST)
        inner = written(body, fold)
        inner = (
            inner if len(body) == 1 and body[0][0] in (names.LITERAL, names.IN, names.SUBPATTERN) else f"(?:{inner})"
        )
        return inner + (f"{{{low}}}" if low == high else f"{{{low},{high}}}")
    if op in (names.AT, names.ASSERT, names.ASSERT_NOT):
        return ""
    raise ValueError(f"a construct without a form: {op}")


def _class(parts: Any, fold: bool) -> str:
    chars: set[str] = set()
    for kind, arg in parts:
        if kind is names.LITERAL:
            chars.add(chr(arg))
        elif kind is names.RANGE and arg[1] < 128:
            chars |= {chr(code) for code in range(arg[0], arg[1] + 1)}
        elif kind is names.CATEGORY and arg in (names.CATEGORY_DIGIT, names.CATEGORY_WORD):
            chars |= {
                chr(c)
                for c in range(128)
                if chr(c).isdigit() or (arg is names.CATEGORY_WORD and (chr(c).isalnum() or c == 95))
            }
        else:
            raise ValueError("a class without a form")
    if fold:
        chars |= {char.swapcase() for char in chars if char.isalpha()}
    ranges = [
        span
        for span in ("A-Z", "a-z", "0-9", "A-F", "a-f", "2-7")
        if {chr(c) for c in range(ord(span[0]), ord(span[2]) + 1)} <= chars
    ]
    covered = {chr(c) for span in ranges for c in range(ord(span[0]), ord(span[2]) + 1)}
    ranges = [span for span in ranges if span not in ("A-F", "a-f", "2-7") or not ({span[0]} & _of(ranges, span))]
    rest = "".join(re.escape(char) if char in r"\]^" else char for char in sorted(chars - covered - {"-"}))
    return "[" + "".join(dict.fromkeys(ranges)) + rest + ("-" if "-" in chars else "") + "]"


def _of(ranges: list[str], but: str) -> set[str]:
    return {chr(c) for span in ranges if span != but for c in range(ord(span[0]), ord(span[2]) + 1)}


def prefixes(nodes: Any) -> set[str]:
    """What a form begins with, as far as it is certain."""
    found = {""}
    for op, arg in nodes:
        if op is names.LITERAL:
            found = {one + chr(arg).lower() for one in found}
        elif op is names.SUBPATTERN:
            inner = prefixes(arg[3])
            found = {one + more for one in found for more in inner}
            if not _fixed(arg[3]):
                return found
        elif op is names.BRANCH:
            inner = {more for branch in arg[1] for more in prefixes(branch)}
            return {one + more for one in found for more in inner}
        elif op not in (names.AT, names.ASSERT, names.ASSERT_NOT):
            return found
    return found


def _fixed(nodes: Any) -> bool:
    return all(op is names.LITERAL for op, _ in nodes)


def fact_id(name: str) -> str:
    """A scanner's name of a rule, without its own name and number."""
    return re.sub(r"\.\d+$|^[a-z]+\.(?:secrets/)?", "", name)


def flattened(pattern: str) -> tuple[str, int]:
    """A scanner's pattern as Python reads it: its flags apart, the classes and names of other dialects written out."""
    flags = 0
    for letters in re.findall(r"\(\?([imsxu]+)\)", pattern):
        flags |= sum({"i": re.I, "m": re.M, "s": re.S, "x": re.X, "u": 0}[letter] for letter in set(letters))
    flat = re.sub(r"\(\?[imsxu]+\)", "", pattern).replace(r"\z", r"\Z")
    for name, letters in (("alnum", "A-Za-z0-9"), ("xdigit", "A-Fa-f0-9"), ("alpha", "A-Za-z"), ("digit", "0-9")):
        flat = flat.replace(f"[:{name}:]", letters).replace(f"[:^{name}:]", f"^{letters}")
    return re.sub(r"\(\?<(?=[A-Za-z_])", "(?P<", flat), flags


def fact(name: str, pattern: str) -> dict[str, Any] | None:
    """What one rule of a scanner knows, or nothing that we can use."""
    if NO_SECRET.search(name):
        return None
    flat = pattern.replace("[[:alnum:]]", "[A-Za-z0-9]").replace(r"\z", r"\Z")
    flat = flat.replace(END, "")
    fold = "(?i)" in flat
    flat = re.sub(r"\(\?[isx]+\)", "", flat)
    split = BESIDE.split(flat)
    try:
        if len(split) == 2:
            value = split[1]
            tree = syntax.parse(value[: _closing(value) + 1])
            words = {one.strip("_. -") for one in prefixes(syntax.parse(_head(split[0])))}
            words = {word for word in words if len(word) >= LEAST_PREFIX} - GENERIC
            words = {f"{word}_" if len(word) < 4 or word in COMMON else word for word in words}
            return {"id": name, "beside": sorted(words), "form": written(tree, fold)} if words else None
        tree = syntax.parse(flat)
        form = written(tree, fold)
        heads = {one for one in prefixes(tree) if len(one) >= LEAST_PREFIX and one not in GENERIC}
        if any(one in COMMON or (len(one) < 4 and one.isalpha()) or one == "ion_" for one in heads):
            return None
        if not heads or heads != prefixes(tree) or any(one.startswith(("http", "endpoint", "curl")) for one in heads):
            return None
        return {"id": name, "begins": sorted(one[:32] for one in heads), "form": form}
    except (ValueError, re.error, RecursionError):
        return None


GAP = re.compile(r"\(\?:\.\|\[\\n\\r\]\)\{0,\d+\}\?")
LEAST_FORM, LEAST_BESIDE = 20, 5
UNUSABLE = {"shortcut-1", "asaas-1", "lark-3", "mailjet-1", "unleash-1"}
"""Forms that RE2 does not take, or that a plain word fits too."""


def fact_of_gap(name: str, title: str, pattern: str) -> dict[str, Any] | None:
    """What a rule of Kingfisher knows: a word, a gap, and the group of the secret; or the group alone."""
    if (
        name in UNUSABLE
        or NO_SECRET.search(plain(title))
        or re.search(r"(?i)publi[cs]|\bID\b|host|domain|url|user", title)
    ):
        return None
    flat, flags = flattened(pattern)
    flat = _compact(flat) if flags & re.X else flat
    start = re.search(r"\((?!\?)|\(\?P<TOKEN>", flat)
    if start is None:
        return None
    head, value = flat[: start.start()], flat[start.start() :]
    fold = bool(flags & re.I)
    try:
        tree = syntax.parse(value[: _closing(value) + 1])
        form = written(tree, fold)
        if re.search(r"[\x00-\x1f]", form):
            return None
        low = tree.getwidth()[0]
        if GAP.search(head):
            words = {one.strip("_. -") for one in prefixes(syntax.parse(_head(GAP.split(head)[0])))}
            words = {one for one in words if len(one) >= LEAST_BESIDE and one not in GENERIC | COMMON | EVERYDAY}
            return {"id": name, "beside": sorted(words), "form": form} if words and low >= LEAST_FORM else None
        heads = prefixes(tree)
        certain = heads and all(len(one) >= 4 and not one.isalpha() and one not in GENERIC for one in heads)
        if head.strip("\\b(?:^)") or not certain or low < LEAST_FORM or any(one.startswith("http") for one in heads):
            return None
        return {"id": name, "begins": sorted({one[:32] for one in heads}), "form": form}
    except (ValueError, re.error, RecursionError):
        return None


def _compact(pattern: str) -> str:
    """A pattern written with spaces, without them."""
    kept, inside, at = [], False, 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            kept.append(pattern[at : at + 2])
            at += 2
            continue
        inside = char != "]" if inside else char == "["
        if not inside and char == "#":
            at = (pattern.find("\n", at) + 1) or len(pattern)
            continue
        if inside or not char.isspace():
            kept.append(char)
        at += 1
    return "".join(kept)


def _closing(text: str) -> int:
    depth, inside, at = 0, False, 0
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 1
        elif inside:
            inside = char != "]"
        elif char == "[":
            inside = True
        elif char in "()":
            depth += 1 if char == "(" else -1
            if not depth:
                return at
        at += 1
    return at - 1


def _head(text: str) -> str:
    text = re.split(r"\(\?:\[ \\t\\w\.-\]\{0,20\}\)", text)[0]
    text = text.replace(r"[\w.-]{0,50}?", "").replace("(?-i:", "(?:").replace("(?i:", "(?:")
    return text + ")" * (len(re.findall(r"(?<!\\)\(", text)) - len(re.findall(r"(?<!\\)\)", text)))


def plain(about: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", about.lower()).strip("-")


def rules_of(facts: list[dict[str, Any]]) -> str:
    """The rules as JSON, one a line: the daemon and the command client read them at every start."""
    rules = []
    for one in facts:
        beside = "beside" in one
        form = one["form"] + r"\b" if re.search(r"\]\{\d+\}\)?$", one["form"]) else one["form"]
        words = "|".join(re.escape(word) for word in one.get("beside", []))
        rules.append(
            {
                "id": plain(one["id"]),
                "about": one["id"].replace("-", " "),
                "keywords": one.get("beside") or one["begins"],
                "regex": f"(?i:{words}){OPERATOR}({form})" if beside else form,
            }
            | ({"secret": 1, "check": "key-like", "left": "any"} if beside else {"check": "plausible", "wraps": True})
        )
    return "[\n" + ",\n".join(json.dumps(rule, ensure_ascii=False) for rule in rules) + "\n]\n"


def examples_of(facts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """For each fact a made-up secret that goes, in two parts so that scanners stay quiet."""
    made = []
    for seed, one in enumerate(facts):
        secret = Sampler(one["form"], seed=seed * 7 + 1, most=4).sample()[0]
        before = f'{one["beside"][0]}_api_key = "' if "beside" in one else "it was "
        cut = max(2, len(secret) // 3)
        made.append({"id": plain(one["id"]), "before": before, "secret": [secret[:cut], secret[cut:]]})
    return [one for one in made if len("".join(one["secret"])) >= 12]


def near_misses(facts: list[dict[str, Any]]) -> list[str]:
    """What looks like a fact's secret and is none: its beginning alone, or a word where the secret should be."""
    made = []
    for one in facts:
        made.append(
            f"see {one['begins'][0]}, then go on" if "begins" in one else f"{one['beside'][0]}_api_key = settings.key"
        )
    return made


def new_facts(raw: list[dict[str, Any]], old: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What another scanner knows beside what is known."""
    known = {one["id"] for one in old} | {begin for one in old for begin in one.get("begins", [])}
    words = {(word, one["form"]) for one in old for word in one.get("beside", [])}
    made = []
    for one in raw:
        found = fact_of_gap(kingfisher_id(one["id"]), one["name"], one["pattern"])
        if found is None or found["id"] in known or known & set(found.get("begins", [])):
            continue
        if not any((word, found["form"]) in words for word in found.get("beside", [])):
            made.append(found)
    return made


def kingfisher_id(name: str) -> str:
    return name.partition(".")[2].replace(".", "-")


def facts_page(facts: list[dict[str, Any]]) -> str:
    lines = [
        "# What public scanners know about secrets: Betterleaks (MIT), OSV-SCALIBR and Kingfisher (Apache-2.0).",
        "# See bench/make_rules.py.",
        "",
    ]
    for one in facts:
        lines.append("[[fact]]")
        for key, value in one.items():
            lines.append(f"{key} = {json.dumps(value) if key != 'form' else chr(39) * 3 + value + chr(39) * 3}")
        lines.append("")
    return "\n".join(lines)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--from", dest="source", type=Path, help="a scanner's rules as JSON")
    chosen = options.parse_args()
    if chosen.source:
        raw = json.loads(chosen.source.read_text())
        old = tomllib.loads(FACTS.read_text())["fact"]
        if raw and "examples" in raw[0] and raw[0]["id"].startswith("kingfisher."):
            FACTS.write_text(facts_page([*old, *new_facts(raw, old)]))
        else:
            found = [fact(fact_id(one["id"]), one["pattern"]) for one in raw]
            FACTS.write_text(facts_page([one for one in found if one]))
    facts = tomllib.loads(FACTS.read_text())["fact"]
    RULES.write_text(rules_of(facts))
    EXAMPLES.write_text(json.dumps(examples_of(facts), indent=1) + "\n")
    print(f"{len(facts)} facts")


if __name__ == "__main__":
    main()
