"""Repetition that is no loop is named, and not flagged."""

from __future__ import annotations

import pytest

from tests.build import Part, call, diagnosed, edit, read, run, user
from tests.sessions import Written, parts_of
from tests.tables import table

NAMES = ("alpha", "beta", "gamma", "delta", "epsilon")


@table("it_is_named")
def test_it_is_named(parts: Written, pattern: str, rounds: int) -> None:
    made = diagnosed(*parts_of(parts))
    assert [finding.title for finding in made.findings if finding.category == "loop"] == []
    assert (pattern, rounds) in [(row.pattern, row.rounds) for row in made.repetition]
    for row in made.repetition:
        assert row.steps == sorted(row.steps)
        assert (row.first_step, row.last_step, row.rounds) == (row.steps[0], row.steps[-1], len(row.steps))


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            [run("cat a.toml", "cat: a.toml: No such file or directory", 1) for _ in range(5)], id="a loop is a loop"
        ),
        pytest.param([run(f"python {name}.py", name) for name in NAMES[:2]], id="two"),
        pytest.param([read("a.py", "one"), run("make", "built"), edit("a.py", "x", "y")], id="nothing repeated"),
        pytest.param([], id="nothing"),
    ],
)
def test_nothing_is_named(parts: list[Part]) -> None:
    assert diagnosed(*parts).repetition == []


def page(first: int, lines: int) -> Part:
    return call("read", {"path": "a.py", "offset": first, "limit": lines}, f"from line {first}")


def test_a_word_of_the_user_ends_a_stretch() -> None:
    pages = [page(1, 10), page(11, 10), user("Thanks. And what does the rest do?"), page(21, 10), page(31, 10)]
    assert diagnosed(*pages).repetition == []
    assert [row.rounds for row in diagnosed(*pages, page(41, 10)).repetition] == [3]


def read_lines(first: int, last: int) -> Part:
    text = "\n".join(f"{number}: line" for number in range(first, last + 1))
    return call("read", {"path": "a.py", "offset": first, "limit": last - first + 1}, text)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([[read("a.py", f"version {n}"), run("make", f"{n}")] for n in range(4)], id="a whole file"),
        pytest.param([call("read", {"path": "a.py", "offset": n}, " ") for n in (1, 11, 21, 31)], id="an empty file"),
        pytest.param(
            [read_lines(1, 99), read_lines(10, 60), read_lines(20, 50), read_lines(30, 40)], id="the same lines"
        ),
    ],
)
def test_what_shows_nothing_new_is_no_paging(parts: list[Part]) -> None:
    assert [row.pattern for row in diagnosed(*parts).repetition if row.pattern in ("paging", "reading in parts")] == []


@table("a_row_says_no_more_than_is_known")
def test_a_row_says_no_more_than_is_known(parts: Written, rows: list[tuple[str, str]]) -> None:
    assert [(row.pattern, row.why) for row in diagnosed(*parts_of(parts)).repetition] == rows


def test_what_find_tests_for_is_no_place() -> None:
    made = diagnosed(*(run(f"find . -name '*.{name}' -type f", f"./a.{name}") for name in NAMES))

    assert "browsing directories" not in [row.pattern for row in made.repetition]


def test_names_that_a_recorder_masked_are_no_different_files() -> None:
    made = diagnosed(*(read(f"[redacted:path:{number}]", name) for number, name in enumerate(NAMES)))
    assert "batch work" not in [row.pattern for row in made.repetition]
    assert "batch work" in [row.pattern for row in diagnosed(*(read(f"{name}.py", name) for name in NAMES)).repetition]
