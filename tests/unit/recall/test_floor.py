"""What proves that an item fits a question, and what does not."""

from __future__ import annotations

import pytest

from holdfast.recall.floor import FLOOR, FLOOR_ASKED, Evidence, by_direction
from holdfast.recall.score import Weight, weight
from holdfast.recall.tokens import terms
from tests.support.table import each_of

ITEMS = 1_000.0


IDENTIFIERS = frozenset({"tokenexpir", "tokenrefresh", "reconcilepi", "github"})


def fit(asked: dict[str, int], matched: tuple[str, ...], direction: float = 0.0) -> float:
    weights: list[Weight] = [weight(word, found, ITEMS) for word, found in asked.items()]
    return Evidence(weights, ITEMS, identifiers=IDENTIFIERS).fit(matched, direction)


@pytest.mark.requirement("MEM-7")
@each_of(
    ("asked", "matched", "fits"),
    [
        ({"kubernet": 3, "ingress": 2}, ("kubernet", "ingress"), True),
        ({"kubernet": 3, "ingress": 0, "websocket": 0}, ("kubernet",), False),
        ({"tokenexpir": 2, "token": 40, "expir": 8}, ("tokenexpir", "token", "expir"), True),
        ({"tokenrefresh": 0, "token": 4, "refresh": 8}, ("token", "refresh"), True),  # only its parts are known
        ({"git": 20, "hub": 3, "github": 3}, ("git", "hub", "github"), False),  # a name that any prompt has
        ({"zanzibar": 2}, ("zanzibar",), False),  # one rare word
        ({"doubl": 2, "check": 9}, ("doubl", "check"), False),  # "can you double check?"
        ({"reconcilepi": 3, "reconcil": 9, "py": 80}, ("reconcilepi", "reconcil", "py"), True),  # a file's name
        ({"garden": 120}, ("garden",), False),  # one everyday word
        ({"look": 150, "good": 200}, ("look", "good"), False),  # words of any conversation
        ({"fix": 20, "test": 90, "fail": 40}, ("fix", "test", "fail"), False),
        ({"fix": 20, "test": 90, "oauth": 4}, ("fix", "test", "oauth"), False),
        ({"fix": 20, "refresh": 9, "oauth": 4}, ("fix", "refresh", "oauth"), True),
        ({"fix": 20, "test": 90, "oauth": 0}, ("fix", "test"), False),
        ({"kubernet": 3}, (), False),
        ({}, (), False),
    ],
)
def test_by_words(asked: dict[str, int], matched: tuple[str, ...], fits: bool) -> None:
    assert (fit(asked, matched) >= FLOOR) is fits


@pytest.mark.requirement("MEM-7")
@each_of(
    ("asked", "kept", "fits"),
    [
        ("コミットを取り消すコマンドって何だっけ", "請求書の丸めって何に決めたんだっけ", False),
        ("请求的重试次数是在哪里设置的", "这个按钮的颜色是在哪里改的", False),
        ("로그인 화면을 어떻게 고칠 수 있어", "결제 모듈을 어떻게 하면 되는지", False),
        ("請求書の端数は切り捨てだっけ", "請求書の端数は切り捨てに決めました", True),
        ("重试次数是多少", "重试次数定为五次", True),
        ("로그 한도가 얼마지", "로그 한도를 늘렸습니다", True),
        ("지도 로고를 바꿔줘", "지도 로고가 바뀌었습니다", True),
        ("결제 모듈 오류 원인이 뭐였지", "결제 모듈 오류는 시간 초과 때문이었다", True),
    ],
)
def test_scripts_without_spaces_fit_by_more_than_their_grammar(asked: str, kept: str, fits: bool) -> None:
    weights = [weight(term, 2.0 if term in terms(kept) else 0.0, ITEMS) for term in dict.fromkeys(terms(asked))]
    shared = [each.word for each in weights if each.word in terms(kept)]
    assert shared
    assert (Evidence(weights, ITEMS).fit(shared) >= FLOOR_ASKED) is fits


@pytest.mark.requirement("MEM-7")
def test_a_long_prompt_fits_by_one_of_its_sentences() -> None:
    chatter = [weight(f"chatter{number}", 0, ITEMS) for number in range(20)]
    asked = [weight("kubernet", 3, ITEMS), weight("ingress", 2, ITEMS)]
    said = [frozenset(each.word for each in chatter), frozenset(["kubernet", "ingress"])]
    found = ("kubernet", "ingress")
    assert (
        Evidence([*chatter, *asked], ITEMS).fit(found) < FLOOR <= Evidence([*chatter, *asked], ITEMS, said).fit(found)
    )
    assert Evidence([*chatter, *asked], ITEMS, said).fit(("kubernet",)) > 0
    assert Evidence([*chatter, *asked], ITEMS, said).fit(()) == 0


@pytest.mark.requirement("MEM-7")
@pytest.mark.requirement("MEM-22")
def test_one_telling_word_is_enough_where_memory_is_asked_for_or_a_name_is_marked() -> None:
    weights = [weight("zanzibar", 2, ITEMS)]
    assert FLOOR_ASKED <= Evidence(weights, ITEMS).fit(("zanzibar",)) < FLOOR
    assert Evidence(weights, ITEMS, named=frozenset({"zanzibar"})).fit(("zanzibar",)) >= FLOOR


@pytest.mark.requirement("MEM-7")
@each_of(
    ("asked", "matched", "fits"),
    [
        ({"camp": 12}, ("camp",), True),
        ({"camp": 12, "norway": 0}, ("camp",), False),  # another camping
        ({"camp": 12, "norway": 0}, ("camp", "norway"), True),
        ({"parad": 0, "pride": 2, "summer": 15}, ("summer",), False),
        ({"camp": 12, "summer": 15}, ("camp",), True),  # the better half
        ({"camp": 12, "go": 300, "test": 90}, ("camp",), True),  # the other words tell nothing
    ],
)
def test_one_telling_word_of_several_is_enough_nowhere_if_the_others_tell_more(
    asked: dict[str, int], matched: tuple[str, ...], fits: bool
) -> None:
    assert (fit(asked, matched) >= FLOOR_ASKED) is fits


@pytest.mark.requirement("MEM-7")
def test_a_vector_that_is_near_may_stand_for_the_words_that_are_missing() -> None:
    asked = {"camp": 12, "norway": 0}
    near = 0.1
    assert fit(asked, ("camp",), near) > 1 - (1 - fit(asked, ("camp",))) * (1 - near)


@pytest.mark.requirement("MEM-7")
def test_one_telling_word_is_held_against_its_own_sentence() -> None:
    weights = [weight("camp", 2, ITEMS), weight("norway", 0, ITEMS), weight("pride", 0, ITEMS)]
    said = [frozenset(["camp"]), frozenset(["norway", "pride"])]
    assert Evidence(weights, ITEMS, said).fit(("camp",)) >= FLOOR_ASKED > Evidence(weights, ITEMS).fit(("camp",))


@pytest.mark.requirement("MEM-7")
def test_words_beside_an_item_prove_less_than_its_own() -> None:
    weights = [weight("kubernet", 3, ITEMS), weight("ingress", 2, ITEMS), weight("pod", 4, ITEMS)]
    found = ("kubernet", "ingress")
    assert Evidence(weights, ITEMS).fit(found, mine=frozenset()) < Evidence(weights, ITEMS).fit(found)


@pytest.mark.requirement("MEM-7")
def test_the_more_sentences_a_prompt_has_the_less_one_of_them_proves() -> None:
    asked = [weight("kubernet", 3, ITEMS), weight("ingress", 2, ITEMS)]
    fits = []
    for count in (1, 10, 30):
        chatter = [weight(f"chatter{number}", 0, ITEMS) for number in range(count)]
        said = [frozenset(["kubernet", "ingress"]), *(frozenset([each.word]) for each in chatter)]
        fits.append(Evidence([*chatter, *asked], ITEMS, said).fit(("kubernet", "ingress")))
    assert fits == sorted(fits, reverse=True)
    assert len(set(fits)) == 3


@pytest.mark.requirement("MEM-7")
def test_a_cosine_counts_beside_those_of_everything_else() -> None:
    scale = (0.6, 0.8)
    assert by_direction(0.7, scale, above=0.5) == 0.0
    assert 0 < by_direction(0.7, scale, above=3.0) < by_direction(0.7, scale, above=6.0) == pytest.approx(0.5)


@pytest.mark.requirement("MEM-7")
@pytest.mark.parametrize("items", [1.0, 3.0, 10.0, 40.0])
def test_in_a_young_index(items: float) -> None:
    """Where every item is about the login, "login" still says something."""
    weights = [weight("login", items, items), weight("token", max(1.0, items / 2), items), weight("haiku", 0, items)]
    assert Evidence(weights[:2], items).fit(("login", "token")) >= FLOOR
    assert Evidence(weights, items).fit(("login",)) < FLOOR
    assert Evidence([weight("test", items, items), weight("haiku", 0, items)], items).fit(("test",)) < FLOOR


@pytest.mark.requirement("MEM-7")
@pytest.mark.parametrize(
    ("cosine", "scale", "expected"),
    [
        (None, (0.6, 0.8), 0.0),
        (0.9, None, 0.0),
        (0.5, (0.6, 0.8), 0.0),
        (0.7, (0.6, 0.8), 0.5),
        (0.9, (0.6, 0.8), 1.0),
    ],
)
def test_by_direction(cosine: float | None, scale: tuple[float, float] | None, expected: float) -> None:
    direction = by_direction(cosine, scale)
    assert direction == pytest.approx(expected)
    asked = {"kubernet": 3, "ingress": 0, "websocket": 0}
    assert fit(asked, (), direction) == pytest.approx(expected)
    assert fit(asked, ("kubernet",), direction) >= max(direction, fit(asked, ("kubernet",)))


@pytest.mark.requirement("MEM-22")
@each_of(
    ("asked", "found"),
    [
        (
            "welche Datenbank benutzen wir für die Pflanzenliste und warum?",
            "Regen kommt für München an, die URL war roh",
        ),
        (
            "wie weit sind wir mit den E-Mails?",
            "an den Tagen der Umstellung, mit Temporal wäre das weg; ob wir wechseln",
        ),
        ("quelle base de données on utilise pour les plantes ?", "on a mis les logs dans un fichier pour les erreurs"),
        ("¿qué base de datos usamos para las plantas?", "los registros se guardan para las pruebas que usamos"),
    ],
)
def test_small_words_of_other_languages_prove_nothing(asked: str, found: str) -> None:
    wanted = {term: weight(term, 0 if term not in terms(found) else 1, 20) for term in terms(asked)}
    matched = tuple(set(wanted) & set(terms(found)))
    assert matched
    assert Evidence(list(wanted.values()), 20).fit(matched) < FLOOR_ASKED
