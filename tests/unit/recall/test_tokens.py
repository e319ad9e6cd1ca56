"""Text into terms: the same for what is kept and for what is asked."""

from __future__ import annotations

import threading

from holdfast.recall.tokens import LONGEST_TERM, MOST_TERMS, names, terms
from tests.support.table import each_of


@each_of(
    ("text", "expected"),
    [
        ("", []),
        ("the of and", []),
        ("Running tests, painted fences", ["run", "test", "paint", "fenc"]),
        ("She bought the children's indices", ["buy", "child", "index"]),
        ("Caroline’s naïve café", ["carolin", "naiv", "cafe"]),
        ("refresh_token", ["refresh", "token", "refreshtoken"]),
        ("refreshToken", ["refresh", "token", "refreshtoken"]),
        ("GitHub", ["git", "hub", "github"]),
        ("GitHub's", ["git", "hub", "github"]),
        ("iPhone eBayClient", ["iphon", "ebay", "client", "ebaycli"]),
        ("OAuth2", ["auth", "2", "oauth", "oauth2"]),
        ("OAuthClients", ["auth", "client", "oauth", "oauthclient"]),
        ("a.py 3.11 10.1", ["py", "a_py", "3", "11", "3_11", "10", "1", "10_1"]),
        ("URLs of README", ["url", "readm"]),
        ("HTTPServerError", ["http", "server", "error", "httpservererror"]),
        ("tests/auth/test_login.py", ["test", "auth", "test", "login", "py", "testloginpi"]),
        ("a well-known man-made lake", ["known", "man", "made", "lake"]),
        ("v2.3.1", ["v2", "3", "1", "v2_3_1"]),
        ("commit 3b7098e1a2b3c4d", ["commit", "3b7098e1a2b3c4d"]),
        ("修复登录", ["修复", "复登", "登录"]),
        ("修复loginBug", ["修复", "login", "bug", "loginbug"]),
        ("don't won't isn't", []),
        ("\x00 \ud800 !!! ~ _", []),
    ],
)
def test_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@each_of(
    ("one", "other"),
    [
        ("refreshToken", "refresh_tokens"),
        ("auth.test", "authTest"),
        ("src/a/Login_Form.tsx", "loginForm.tsx"),
        ("GitHub", "github"),
        ("iPhones", "iphone"),
        ("OAuth2", "oauth"),
        ("Node.js", "nodejs"),
        ("PostgreSQL", "postgresql"),
        ("UTF-8", "utf8"),
        ("URLs", "url"),
    ],
)
def test_different_spellings_meet(one: str, other: str) -> None:
    assert {*terms(one)} & {*terms(other)}


@each_of(("one", "other"), [("1.2", "12"), ("a.py", "api"), ("x_y", "xy"), ("v1.10", "v11.0")])
def test_what_is_not_the_same_stays_apart(one: str, other: str) -> None:
    assert not ({*terms(one)} - {*terms("1 2 v 10 0")}) & {*terms(other)}


@each_of(
    ("text", "expected"),
    [
        ("does reconcile.py read refreshToken?", {"reconcilepi", "refreshtoken"}),
        ("push README to GitHub", {"github"}),
        ("the URLs of a well-known lake", set()),
        ("v2.3 of src/a/b.py", {"v2_3", "b_py"}),
    ],
)
def test_names(text: str, expected: set[str]) -> None:
    assert names(text) == expected


def test_bounded() -> None:
    assert len(terms("word " * 10_000)) == MOST_TERMS
    assert all(len(term) <= LONGEST_TERM for term in terms("x" * 5_000 + " " + "ab_" * 500))


def test_no_term_looks_like_a_mark() -> None:
    for text in ("~tilde", "_private", "__init__.py", "~/.config/app", "a~b", "$HOME/_x"):
        assert all(term[0] not in "~_" and " " not in term and "~" not in term for term in terms(text)), text


def test_threads_agree() -> None:
    texts = [f"Universities generously hopping {number} databases" for number in range(300)]
    expected = [terms(text) for text in texts]
    wrong: list[int] = []

    def work() -> None:
        wrong.extend(number for number, text in enumerate(texts) if terms(text) != expected[number])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
