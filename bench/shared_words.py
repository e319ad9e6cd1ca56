"""Words that a prompt and a commit share by chance: the entries of one public changelog asked of another repository.

`recall.sure.SharedWords` decides of an order whether it shares words with an item by more than chance. For each of the
seven repositories of `bench.commits` its weights and its limit come from the six others: entries asked of their own
repository, of every other one, chat. Chosen is the lowest limit by which at most `WITHIN` per cent of other
repositories' entries are given something; reported is the one left out. Then the limits that holdfast uses are measured
on repositories that no choice ever saw (`ASIDE`), many of them kin to the seven: GNU tools asked of GNU tools, libtool
beside automake, nettle beside gnutls, pinentry beside gnupg. `--write` prints what all seven give.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench.coding import ELSEWHERE, UNRELATED
from bench.commits import MORE, OWNER, RIVALS, Repository, as_items, load, standings, there, told
from bench.figures import Report, Row, Sample, main
from bench.regression import weights_of

from holdfast.items.asked import MOST_GIVEN
from holdfast.items.standing_out import LIMITS
from holdfast.program import CATALOG
from holdfast.recall import Query, index, search
from holdfast.recall.intent import Intent, read_intent
from holdfast.recall.sure import SURENESS, SharedWords, clear, features
from holdfast.store import open_store, sqlite_url

ASIDE = (
    "coreutils", "diffutils", "gdb", "gettext", "gzip", "libgmp-dev", "liblzma5", "libltdl7", "libmpfr6", "libnettle8",
    "pinentry-curses", "sed", "tar", "wget",
)  # fmt: skip
"""Repositories that nothing was chosen on, besides `MORE`. Few of their entries name a commit: they only show false
gifts."""
EACH, EACH_ASIDE = 60, 8
"""Entries of one repository that are asked of another."""
WITHIN, WANTED, CHAT = 9.0, 10.0, 2.0
"""Per cent of other repositories' entries that may be given something where the limit is chosen; what is wanted where
it is reported; and of chat."""
OTHERS_COUNT = 0.35
"""How much the line of a prompt counts that is about something else: there are four times as many."""
STEP = 0.005
LOOKED_AT = 0.3
"""The fit from which on a line counts for the weights: a little below the floor of orders."""
NAMES = ("fit", "share", "ahead", "covered", "pairs", "base")
"""The weights of `SharedWords`, in the order of what is seen. Whether the prompt asks is none: no entry does."""


@dataclass(frozen=True, slots=True)
class Gift:
    """A prompt, and what is seen of the commits that fit it."""

    kind: str
    """`own`, `other`, `chat` or `elsewhere`."""
    repository: str
    source: str
    intent: Intent
    seen: Sequence[tuple[float, ...]]
    right: Sequence[bool]

    def given(self, words: SharedWords) -> list[bool]:
        """Which lines are given, as right or wrong."""
        limits = replace(LIMITS, sureness=replace(SURENESS, words=words))
        chosen = clear(self.seen, limits.sureness, many=self.intent.many, least=limits.least_for(self.intent))
        fits = [at for at in chosen if self.seen[at][0] ** 2 >= limits.floor_for(self.intent) - 1e-9]
        return [self.right[at] for at in fits[:MOST_GIVEN]]


def spread(texts: Sequence[str], most: int) -> Sequence[str]:
    """So many of them, from all over."""
    return texts if len(texts) <= most else [texts[len(texts) * at // most] for at in range(most)]


async def gifts(repositories: Sequence[Repository], entries: Mapping[str, Sequence[str]], each: int) -> list[Gift]:
    """What the entries of all, and chat, are given by each."""
    found = []
    with tempfile.TemporaryDirectory() as name:
        store = await open_store(sqlite_url(Path(name) / "bench.db"), CATALOG, backups=Path(name) / "backups")
        try:
            for repository in repositories:
                items = as_items(repository, whole=True)
                await store.write(lambda tx, items=items: index(tx, items))  # type: ignore[misc]
            for repository in repositories:
                asked = [("own", repository.name, one.text, one.commits) for one in repository.entries]
                for source, texts in entries.items():
                    if source != repository.name:
                        asked += [("other", source, text, frozenset()) for text in spread(texts, each)]
                asked += [("chat", "", text, frozenset()) for text in UNRELATED]
                asked += [("elsewhere", "", text, frozenset()) for text in ELSEWHERE]
                for kind, source, text, about in asked:
                    intent = read_intent(text, 0)
                    floor = min(LOOKED_AT, LIMITS.floor_for(intent))
                    query = Query(text, (OWNER,), (repository.name,), floor=floor, below=RIVALS)
                    fitting, rival = standings(await search(store.read, query), floor)
                    seen = features(list(fitting.values()), rival, intent.question)
                    right = [commit in about for commit in fitting]
                    found.append(Gift(kind, repository.name, source, intent, seen, right))
        finally:
            await store.close()
    return found


def percent(some: Iterable[Gift], kind: str, words: SharedWords) -> float:
    """Of the own entries how many are given their commit; of others how many are given anything."""
    lines = [each.given(words) for each in some if each.kind == kind]
    return 100 * sum(any(each) if kind == "own" else bool(each) for each in lines) / max(1, len(lines))


def fit(some: Iterable[Gift]) -> SharedWords:
    """The weights by which it is likely that a line which is about its prompt is taken for one."""
    lines = [
        ((*seen[:3], *seen[4:6]), right, 1.0 if each.kind == "own" else OTHERS_COUNT)
        for each in some
        for seen, right in zip(each.seen, each.right, strict=True)
    ]
    weights = weights_of([seen for seen, _, _ in lines], [right for _, right, _ in lines], [n for _, _, n in lines])
    return replace(SURENESS.words, **dict(zip(NAMES, weights, strict=True)))


def choose(some: Sequence[Gift]) -> SharedWords:
    """The weights, and the lowest limit for orders that keeps false gifts within what is wanted."""
    words = replace(fit(some), order=SURENESS.words.hint)
    while percent(some, "other", words) > WITHIN:
        words = replace(words, order=words.order + STEP)
    return words


def measure(chosen: argparse.Namespace) -> Report:
    repositories = [load(chosen.docs, name) for name in there(chosen.docs)]
    own = {each.name: [entry.text for entry in each.entries] for each in repositories}
    found = asyncio.run(gifts(repositories, own, EACH))
    kinds = {
        "own": "own entries, given their commit",
        "other": "another repository's entries, given something",
        "chat": "words of any session, given something",
        "elsewhere": "work on other projects, given something",
    }
    wanted = {"other": WANTED, "chat": CHAT}
    held: dict[str, list[tuple[int, float]]] = {kind: [] for kind in kinds}
    notes = []
    for name in own:
        words = choose([each for each in found if name not in (each.repository, each.source)])
        left = [each for each in found if each.repository == name]
        some = {kind: percent(left, kind, words) for kind in kinds}
        for kind, value in some.items():
            held[kind].append((sum(each.kind == kind for each in left), value))
        notes.append(
            f"{name} left out: {said(words)}: {', '.join(f'{kind} {value:.1f}' for kind, value in some.items())}."
        )
    rows = []
    for kind, label in kinds.items():
        value = sum(count * share for count, share in held[kind]) / max(1, sum(count for count, _ in held[kind]))
        now = percent(found, kind, SURENESS.words)
        rows.append(Row(f"left out: {label}", "%", Sample.one(value), Sample.one(now), wanted.get(kind)))
    if chosen.write:
        print(choose(found))
    aside = [replace(load(chosen.docs, name), entries=()) for name in there(chosen.docs, ASIDE)]
    more = [load(chosen.docs, name) for name in there(chosen.docs, MORE)]
    names = [each.name for each in (*aside, *more)]
    texts = [told(chosen.docs, name) for name in there(chosen.docs, ASIDE)]
    texts += [[entry.text for entry in each.entries] for each in more]
    entries: dict[str, Sequence[str]] = dict(zip(names, texts, strict=True))
    kept = asyncio.run(gifts([*aside, *more, *repositories], {**own, **entries}, EACH_ASIDE))
    strange = [each for each in kept if each.repository in entries or each.source in entries]
    for kind in kinds:
        value, bare = (
            percent(strange, kind, words) for words in (SURENESS.words, replace(SURENESS.words, order=0, hint=0))
        )
        count = sum(each.kind == kind for each in strange)
        rows.append(
            Row(f"aside: {kinds[kind]} ({count:,})", "%", Sample.one(value), Sample.one(bare), wanted.get(kind))
        )
    for name in names:
        there_asked = [each for each in strange if name == each.repository]
        notes.append(f"aside, asked of {name}: {percent(there_asked, 'other', SURENESS.words):.1f} %.")
    return Report(
        "Words shared by chance", "MEM-22, MEM-29",
        "left out: what holdfast uses, on the same data; aside: the same without this rule", rows, notes,
    )  # fmt: skip


def said(words: SharedWords) -> str:
    weights = " ".join(f"{getattr(words, name):.2g}" for name in NAMES)
    return f"weights {weights}, limit {words.order:.3g}"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--docs", type=Path, default=Path("/usr/share/doc"), help="where Debian keeps changelogs")
    parser.add_argument("--write", action="store_true", help="also print what all seven give")


if __name__ == "__main__":
    main(measure, __doc__ or "", "python -m bench.shared_words", arguments)
