"""Made-up coding sessions for measuring recall: the same for the same seed, with prompts that do and do not fit them.

Not a model of any real project: parts, files, symbols and faults are drawn from short lists with a long tail, so that
common words are common and names are rare, as in real observations.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from holdfast.ids import ItemId, ListenerId
from holdfast.recall import Item

OWNER = "bench"
HOUR = 3_600_000_000
START = 1_700_000_000_000_000

# (what a part of a program is called in its files, how people speak of it)
PARTS = [
    ("auth", "login"), ("billing", "invoices"), ("cache", "stale entries"), ("scheduler", "cron jobs"),
    ("uploader", "file uploads"), ("parser", "parsing"), ("router", "routing"), ("mailer", "outgoing mail"),
    ("webhook", "callbacks"), ("search", "full text search"), ("session", "sign-in sessions"),
    ("exporter", "CSV export"),
    ("importer", "bulk import"), ("thumbnail", "image previews"), ("payment", "card payments"), ("quota", "limits"),
    ("telemetry", "metrics"), ("migration", "schema changes"), ("websocket", "live updates"), ("notifier", "alerts"),
    ("locale", "translations"), ("pagination", "paging"), ("retry", "backoff"), ("throttle", "rate limiting"),
]  # fmt: skip
_NOUNS = (
    "handler worker client server config schema model view token queue buffer index record table column header payload"
    " request response cursor batch lock thread pool timeout socket stream filter mapper adapter registry factory"
    " fixture helper wrapper loader writer reader encoder decoder validator resolver visitor snapshot digest ledger"
)
_VERBS = (
    "refresh validate resolve fetch render merge flush rotate expire decode encode collect dispatch enqueue parse load"
    " save sync revoke restore compute normalise truncate reconcile debounce hydrate serialise"
)
NOUNS, VERBS = _NOUNS.split(), _VERBS.split()
FAULTS = [
    ("KeyError", "a missing key"), ("TimeoutError", "a timeout"), ("ConnectionRefusedError", "a refused connection"),
    ("UnicodeDecodeError", "broken characters"), ("IntegrityError", "a duplicate row"),
    ("RecursionError", "endless recursion"),
    ("AssertionError", "a failing assertion"), ("PermissionError", "missing rights"),
    ("OverflowError", "a number too large"),
    ("DeadlockDetected", "a deadlock"), ("MemoryError", "running out of memory"), ("SSLError", "a certificate problem"),
]  # fmt: skip
ACTS = [
    "Ran pytest {file}: {count} failed, {fault} raised in {symbol}. {tail}",
    "Edited {file}: {verb} now goes through {symbol} so that {noun} and {noun2} agree. {tail}",
    "Read {file}: {symbol} builds the {noun} for the {part} {noun2}. {tail}",
    "Searched for {symbol} in the {part} package: {count} places use the {noun}. {tail}",
    "Built the {part} image; the {noun} step took {count} s, warning in {file}. {tail}",
    "Decided to keep the {noun} of {part} in one {noun2}, because {verb} twice led to {fault}. {tail}",
    "git commit: {part}: {verb} the {noun} before the {noun2} ({file}). {tail}",
    "All tests pass after the {noun} of {symbol} was changed to {verb} lazily. {tail}",
]
UNRELATED = [
    "hello", "thanks!", "continue", "yes, go on", "ok", "looks good to me", "try again", "what do you think?", "stop",
    "write a haiku about autumn leaves", "what is the capital of Mongolia?", "rename this variable to total",
    "explain how garbage collection works in Go", "draft a birthday greeting for my sister",
    "how many ounces are in a litre of milk?", "please be more concise from now on", "summarise what you just did",
    "convert this paragraph into bullet points", "can you add a blank line there?", "what does this regex do?",
    "translate the README into Portuguese", "which colours go well with dark green?",
    "add a docstring to this function",
    "bump the copyright year", "fix the typo", "run it again", "commit and push", "open a pull request",
    "recommend a good restaurant in Lisbon", "who won the chess world championship in 1972?", "fix the failing test",
    "why is it red?", "do the next step", "now do the same for the other one", "revert that", "good morning",
]  # fmt: skip
"""Said in any session, about nothing that is stored."""
ELSEWHERE = [
    "centre the navbar with flexbox on small screens", "upgrade the terraform provider of the vpc module",
    "the docker container exits with code 137", "write a bash one-liner that counts lines per extension",
    "why does the React hook rerender on every keystroke?", "add a dark theme to the settings page",
    "make the sprite collide with the platform edges", "set up eslint with the airbnb rules",
    "our kubernetes pod is stuck in CrashLoopBackOff", "port the matrix multiplication to CUDA",
    "generate an OpenAPI document for the orders endpoint", "the Gradle build cannot find the Android SDK",
    "profile the slow regex in the markdown lexer", "teach the bot to answer in Slack threads",
    "compress the PNG assets before publishing", "replace moment.js by date-fns", "animate the sidebar opening",
    "calculate the moving average of the sensor data in pandas", "fix the off-by-one in the bubble sort homework",
    "the figure captions overlap in the LaTeX paper", "add OAuth with Google to the Flutter app",
    "tune the learning rate of the transformer", "draw the family tree with graphviz",
    "why is my Arduino servo jittering?", "rewrite the resume in two columns",
    "solve the knapsack with dynamic programming",
    "plot monthly rainfall as a bar chart", "migrate the blog from Jekyll to Hugo", "flash the router with OpenWrt",
    "make the Makefile work on Windows",
]  # fmt: skip
"""Real work, but of other projects."""
AROUND = (
    "I have been at this since yesterday, so before we go any further think carefully about the edge cases.\n{}\n"
    "Keep the public interface as it is, write the tests first, run the whole suite, and tell me in two sentences what"
    " you changed and why. Do not touch generated files, and keep the commit small enough to be reviewed this afternoon"
    " by my colleague, who knows this part of the product better than either of us."
)
"""How a prompt looks when someone has time."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A prompt, and the items that it is about."""

    prompt: str
    about: frozenset[str]


@dataclass(slots=True)
class Sessions:
    """A stream of items; `asked` grows by a prompt about every `asked_every`th of them."""

    seed: int
    projects: int = 20
    per_session: int = 40
    tail_words: int = 20_000
    asked_every: int = 100

    def items(self, count: int, asked: list[Asked] | None = None) -> Iterator[Item]:
        chance = random.Random(self.seed)
        tail = [_made_up(chance) for _ in range(self.tail_words)]
        session, project = "", ""
        for number in range(count):
            if number % self.per_session == 0:
                session = f"s{self.seed}-{number // self.per_session}"
                # Project 0 is worked on half of the time.
                project = f"p{self.seed}-{0 if chance.random() < 0.5 else chance.randrange(self.projects)}"
            item, prompt = self._item(chance, tail, number, session, project)
            if asked is not None and number % self.asked_every == 0:
                asked.append(Asked(prompt, frozenset([item.id])))
            yield item

    def _item(
        self, chance: random.Random, tail: list[str], number: int, session: str, project: str
    ) -> tuple[Item, str]:
        part, spoken = chance.choice(PARTS)
        noun, noun2 = chance.sample(NOUNS, 2)
        verb = chance.choice(VERBS)
        fault, trouble = chance.choice(FAULTS)
        rare = _zipf(chance, tail)
        file = f"src/{part}/{chance.choice([noun, rare])}_{chance.choice(['api', 'core', 'test', 'util'])}.py"
        symbol = chance.choice([f"{verb}_{rare}", f"{verb}_{noun}", f"{verb.title()}{rare.title()}"])
        act = chance.randrange(len(ACTS))
        text = ACTS[act].format(
            file=file, count=chance.randint(1, 400), fault=fault, symbol=symbol, verb=verb, noun=noun, noun2=noun2,
            part=part, tail=" ".join(_zipf(chance, tail) for _ in range(chance.randint(5, 25))),
        )  # fmt: skip
        prompts = [
            f"why does {symbol} run into {trouble}?"
            if "{fault}" in ACTS[act]
            else f"what did we change about {symbol}?",
            f"the {spoken} code has trouble again, look at {file.rsplit('/', 1)[-1]}",
            f"did we see {fault} in the {part} {noun} before?"
            if "{fault}" in ACTS[act]
            else f"how is {symbol} used in {part}?",
        ]
        item = Item(
            id=ItemId(f"i{self.seed}-{number}"), kind="observation", owner=OWNER, text=text, project_id=project,
            listener=ListenerId(session), happened_at=START + number * HOUR // 60, files=(file,),
            outcome="failed" if act == 0 else "ok" if act == 7 else "none",
        )  # fmt: skip
        return item, prompts[chance.randrange(3)]


def _made_up(chance: random.Random) -> str:
    return "".join(chance.choice("bcdfghklmnprstvz") + chance.choice("aeiou") for _ in range(chance.randint(2, 4)))


def _zipf(chance: random.Random, words: list[str]) -> str:
    """Early words often, late ones rarely."""
    return words[int(len(words) ** chance.random()) - 1]
