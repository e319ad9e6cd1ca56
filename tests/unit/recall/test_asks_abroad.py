"""Which prompts ask for memory in other languages than English (English ones: `test_intent`)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from holdfast.recall.intent import read_intent
from tests.support.table import each_of

NOON = int(datetime(2026, 10, 21, 12, tzinfo=UTC).timestamp()) * 1_000_000


@pytest.mark.requirement("MEM-22")
@each_of(
    "text",
    [
        "was haben wir diese Woche gemacht",
        "was haben wir vor Weihnachten entschieden?",
        "woran haben wir vor drei Tagen gearbeitet?",
        "was war vor dem Urlaub der Stand?",
        "on a corrigé quoi mardi ?",
        "on en était où vendredi ?",
        "qu'a-t-on fait la semaine passée ?",
        "¿qué decidimos antes de las vacaciones?",
        "¿en qué trabajamos la semana pasada?",
        "cosa abbiamo fatto due giorni fa?",
        "wat hebben we maandag gedaan?",
        "wat deden we vorige week?",
        "o que decidimos na semana passada?",
    ],
)
def test_who_names_a_time_and_no_subject_asks_what_was_done_then(text: str) -> None:
    found = read_intent(text, NOON, UTC)
    assert (found.strength, found.has_time, found.overview) == ("asks", True, True)


@pytest.mark.requirement("MEM-22")
@each_of(
    "text",
    [
        "was war letzten Freitag mit dem Deploy?",
        "¿qué hicimos el lunes con las traducciones?",
        "voor het weekend hadden we een bug in de parser, welke?",
        "qu'est-ce qu'on avait décidé la semaine dernière pour la base de données ?",
    ],
)
def test_who_names_a_subject_asks_for_that(text: str) -> None:
    found = read_intent(text, NOON, UTC)
    assert (found.strength, found.has_time, found.overview) == ("asks", True, False)


@pytest.mark.requirement("MEM-22")
@each_of(
    "text",
    [
        "perché avevamo cambiato il formato delle date?",
        "waarom hebben we Redis eruit gehaald?",
        "por que removemos o cache?",
        "¿por qué quitamos el índice?",
        "pourquoi on a abandonné Webpack ?",
        "woran lag der Absturz beim letzten Mal?",
    ],
)
def test_asks_for_memory_without_a_time(text: str) -> None:
    assert read_intent(text, NOON, UTC).strength == "asks"


@pytest.mark.requirement("MEM-22")
@each_of(
    "text",
    [
        "¿qué hacemos ahora?",
        "¿cómo vamos?",
        "führe das am Montag aus",
        "lance le déploiement vendredi",
        "warum schlägt der Build fehl?",
        "esegui i test",
        "remind me on friday to call Bob",
        "remind me to rotate the keys next week",
        "pianifica il rilascio per lunedì",
    ],
)
def test_plans_and_orders_ask_for_nothing(text: str) -> None:
    found = read_intent(text, NOON, UTC)
    assert (found.strength, found.has_time, found.overview) == ("", False, False)


@pytest.mark.requirement("MEM-22")
@each_of(
    "text",
    [
        "キャッシュの有効期限って何分にしたんだっけ？",
        "前回の障害の原因を教えて",
        "ログの形式をなぜ変えたか覚えてる？",
        "上次支付回调失败是什么原因",
        "我们为什么把队列换成了别的？",
        "我们当时定了多少个分片？",
        "之前那个超时是怎么修的",
        "지난번에 빌드가 왜 깨졌어?",
        "재시도 횟수를 몇 번으로 했더라",
        "왜 정렬 방식을 바꿨지?",
    ],
)
def test_japanese_chinese_and_korean_ask_for_memory(text: str) -> None:
    assert read_intent(text, NOON, UTC).strength == "asks"


@pytest.mark.requirement("MEM-22")
@each_of(
    "text",
    [
        "キャッシュの有効期限を10分にして",
        "この関数の引数を3つに減らして",
        "提交之前先跑一遍测试",
        "把超时改成三十秒",
        "当时间超过五秒时重试",
        "그때그때 로그를 남겨줘",
        "빌드 스크립트를 고쳐 줘",
        "정렬 방식을 바꾸자",
    ],
)
def test_an_order_in_japanese_chinese_or_korean_asks_for_nothing(text: str) -> None:
    assert read_intent(text, NOON, UTC).strength == ""
