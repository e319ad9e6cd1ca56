"""Which files belong together, how a file changed, and where it went: by the commits alone."""

from __future__ import annotations

import pytest

from holdfast.rooms.commits.history import MOST_TOGETHER, MUCH_COMMITS, MUCH_LINES, History
from holdfast.rooms.commits.model import Commit, CommitFile, Partner
from holdfast.rooms.commits.search import WordIndex


def commit(at: int, *files: str, subject: str = "", author: str = "Ada", old: str = "", merge: bool = False) -> Commit:
    changes = tuple(CommitFile(each, 10, 5, old if each == files[0] else "") for each in files)
    return Commit(f"{at:040x}", author, at, subject, changes=changes, file_count=len(files), is_merge=merge)


def history(*commits: Commit) -> History:
    return History(sorted(commits, key=lambda each: -each.happened_at))


@pytest.mark.requirement("CTX-4")
def test_files_belong_together_only_with_support() -> None:
    pair, alone = ("a.py", "test_a.py"), ("a.py",)
    wide = tuple(f"f{n}" for n in range(MOST_TOGETHER))
    cases: list[tuple[list[tuple[str, ...]], list[Partner]]] = [
        ([pair, pair, pair], [Partner("test_a.py", 3, 3)]),
        ([pair, pair], []),
        ([pair, pair, pair, alone, alone], [Partner("test_a.py", 3, 5)]),
        ([pair, pair, pair, alone, alone, alone], []),
        ([("a.py", *wide)] * 5, []),
        ([("b.py", "c.py")] * 5, []),
    ]
    for files, expected in cases:
        made = history(*(commit(at, *each) for at, each in enumerate(files, 1)))
        assert made.partners("a.py") == expected, files
    merged = history(*(commit(at, *pair, merge=True) for at in range(1, 6)))
    assert merged.partners("a.py") == [] == merged.partners("unknown.py")


@pytest.mark.requirement("CTX-4")
def test_a_moved_file_is_one_file() -> None:
    made = history(
        commit(1, "old.py", "test.py"),
        commit(2, "old.py", "test.py"),
        commit(3, "new.py", "test.py", old="old.py"),
        commit(4, "old.py"),
        commit(5, "last.py", old="new.py"),
    )
    assert [each.commit.happened_at for each in made.of_file("last.py")] == [5, 3, 2, 1]
    assert made.of_file("new.py") == made.of_file("last.py")
    assert made.moved_to("new.py") == "last.py"
    assert [each.commit.happened_at for each in made.of_file("old.py")] == [4], "a new file of the old name"
    assert made.moved_to("old.py") == ""
    assert made.partners("last.py") == [Partner("test.py", 3, 4)]


@pytest.mark.requirement("CTX-4")
def test_churn_authors_and_much_change() -> None:
    made = history(commit(1, "a.py"), commit(2, "a.py", "b.py", author="Bo"), commit(9, "b.py"))
    assert [(each.path, each.commits, each.authors, each.last_at) for each in made.churn()] == [
        ("a.py", 2, 2, 2),
        ("b.py", 2, 2, 9),
    ]
    assert [each.path for each in made.churn(since=5)] == ["b.py"]
    assert made.authors("a.py") == [("Bo", 1), ("Ada", 1)]
    busy = history(*(commit(at, "a.py") for at in range(1, MUCH_COMMITS + 2)))
    assert 15 * MUCH_COMMITS < MUCH_LINES
    assert busy.changed_since("a.py", 1) == 0, "many commits, few lines"
    assert busy.changed_since("a.py", 0) == MUCH_COMMITS + 1
    assert busy.changed_since("other.py", 0) == 0


@pytest.mark.requirement("CTX-4")
def test_search_prefers_rare_words_and_needs_more_than_one_of_several() -> None:
    index = WordIndex(
        [
            commit(5, "src/a.py", subject="Fix the flaky login test"),
            commit(4, "src/cookie_jar.py", subject="Set the cookie before the redirect"),
            commit(3, "src/b.py", subject="Fix the build"),
            commit(2, "src/c.py", subject="Fix a typo"),
        ]
    )
    assert [each.commit.happened_at for each in index.find("flaky login")] == [5]
    assert next(each.commit.happened_at for each in index.find("fix the cookie jar")) == 4
    assert index.find("login nonexistent words") == [] == index.find("") == index.find("the of")
    assert index.find("flaky login")[0].fit > 0.9
