"""The estimate of tokens that every budget is kept by, beside the tokenizer that Anthropic has published (CTX-2).

That one (`@anthropic-ai/tokenizer`, by npm, into the cache) is of an older model; for newer ones there is none. Texts:
this project's prose, code, SQL, recorded payloads, outputs, transcripts and scenes in pieces of 1,500 characters, and
a sentence or two in other languages. The baseline is UTF-8 bytes over 3.6. Figures are estimate over count: 1 is right.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

from bench.figures import Report, Row, Sample, main, quantile

from holdfast.events.tokens import count_tokens

ROOT = Path(__file__).parents[1]
CACHE = ROOT / ".cache" / "tokenizer"
PIECE = 1_500
LEAST = 0.9
"""A budget may be missed by so much, for no kind of text by more."""
PACKAGE = "@anthropic-ai/tokenizer@0.0.4"
_COUNT = """
import { countTokens } from "@anthropic-ai/tokenizer";
import { readFileSync } from "node:fs";
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(text => countTokens(text))));
"""
KINDS = {
    "prose": ("*.md", "docs/**/*.md"),
    "Python": ("src/**/*.py",),
    "SQL": ("src/**/*.sql",),
    "JSON": ("tests/data/payloads/*.json",),
    "transcripts": ("tests/data/transcripts/*.jsonl",),
    "output of commands": ("tests/data/outputs/**/*.*",),
    "scenes in C, JavaScript, Bash": ("bench/work/scenes/*.toml",),
}
SCRIPTS = (
    "今天我们修复了登录页面的缓存问题。过期的会话没有被清除，所以用户被反复重定向。测试现在全部通过，文档还需要更新。",
    "Мы исправили ошибку в разборе дат: переход на летнее время учитывался дважды. Осталось обновить документацию.",
    "ログイン画面のリダイレクトが止まらない問題を修正しました。期限切れのクッキーが消去されていなかったのが原因です。",
    "Der Zwischenspeicher wurde nicht geleert, weil die Prüfung vor dem Schreiben lief; übrig bleibt die Ausfuhr.",
)


def pieces(patterns: tuple[str, ...]) -> Iterator[str]:
    for pattern in patterns:
        for path in sorted(ROOT.glob(pattern)):
            text = path.read_text("utf-8", "replace") if path.is_file() else ""
            yield from (text[at : at + PIECE] for at in range(0, len(text) - 200, PIECE))


def counted(texts: list[str]) -> list[int]:
    """By the real tokenizer, in a process of node."""
    if not (CACHE / "node_modules").is_dir():
        CACHE.mkdir(parents=True, exist_ok=True)
        install = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", PACKAGE]
        subprocess.run(install, cwd=CACHE, check=True)
    (CACHE / "count.mjs").write_text(_COUNT, "utf-8")
    done = subprocess.run(
        ["node", "count.mjs"], cwd=CACHE, input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    found: list[int] = json.loads(done.stdout)
    return found


def measure(chosen: argparse.Namespace) -> Report:
    most = 40 if chosen.quick else int(chosen.pieces)
    rows = []
    total = 0
    for kind, texts in {
        **{kind: list(pieces(of)) for kind, of in KINDS.items()},
        "other languages": list(SCRIPTS),
    }.items():
        some = texts[:: max(1, len(texts) // most)]
        real = counted(some)
        total += len(some)
        ours = sorted(count_tokens(text) / count for text, count in zip(some, real, strict=True))
        old = sorted(len(text.encode()) / 3.6 / count for text, count in zip(some, real, strict=True))
        rows.append(Row(kind, "estimate / count", _spread(ours), _spread(old), LEAST, at_least=True))
    notes = [f"{total} pieces; the median, in brackets the values at 5 and 95 per cent."]
    return Report("The estimate of tokens", "CTX-2", "bytes over 3.6", rows, notes)


def _spread(values: list[float]) -> Sample:
    return Sample(quantile(values, 0.5), quantile(values, 0.05), quantile(values, 0.95))


if __name__ == "__main__":
    main(measure, __doc__ or "", "python -m bench.tokens", pieces=(200, "pieces of each kind"))
