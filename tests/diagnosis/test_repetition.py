"""Repetition that is no loop is named, and not flagged."""

from __future__ import annotations

import pytest

from tests.build import Part, call, diagnosed, edit, read, run, together, user, write

NAMES = ("alpha", "beta", "gamma", "delta", "epsilon")


@pytest.mark.parametrize(
    ("parts", "pattern", "rounds"),
    [
        pytest.param(
            [
                call("read", {"path": "a.py", "offset": 1 + 100 * page, "limit": 100}, f"page {page}")
                for page in range(5)
            ],
            "reading in parts",
            5,
            id="paging",
        ),
        pytest.param(
            [
                call("read", {"path": "a.py", "offset": line, "limit": 10}, f"from line {line}")
                for line in (301, 501, 41, 700)
            ],
            "reading in parts",
            4,
            id="places of a file",
        ),
        pytest.param([run(f"ls {name}", f"{name}.txt") for name in NAMES], "browsing directories", 5, id="directories"),
        pytest.param(
            [run(f"find {name} -type f", f"{name}/a.txt") for name in NAMES], "browsing directories", 5, id="searched"
        ),
        pytest.param([[call("wait", {"seconds": 5}, "")] for _ in range(4)], "waiting", 4, id="waiting"),
        pytest.param([run("deploy state", f"{done}/9 ready") for done in range(5)], "polling", 5, id="polling"),
        pytest.param([write(f"{name}.py", "x = 1") for name in NAMES], "batch work", 5, id="files written"),
        pytest.param(
            [[write(f"{name}.py", name), run("git status", "clean")] for name in NAMES],
            "a check between pieces of work",
            5,
            id="status between edits",
        ),
        pytest.param(
            [[user(f"Again, {name}."), run("date", "noon")] for name in NAMES], "asked for again", 5, id="the user asks"
        ),
        pytest.param(
            [
                [call("TodoWrite", {"todos": [name]}, "Todos have been modified."), run(f"python {name}.py", name)]
                for name in NAMES
            ],
            "keeping a list of tasks",
            5,
            id="a list of tasks",
        ),
    ],
)
def test_it_is_named(parts: list[Part], pattern: str, rounds: int) -> None:
    made = diagnosed(*parts)
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


@pytest.mark.parametrize(
    ("parts", "rows"),
    [
        pytest.param(
            [
                [user("Go on."), run("ls", "a.py"), edit("a.py", "x", "y"), run("git status", "clean")],
                [user("And now?"), run("git status", "clean")],
                [user("Once more."), run("git status", "clean")],
            ],
            [("asked for again", "the user spoke before each `git status`")],
            id="nothing was changed in between",
        ),
        pytest.param(
            [
                [run("git status", "clean"), edit("a.py", "x", "y"), run("git status", "clean")],
                [user("Once more."), run("git status", "clean")],
            ],
            [("a check between pieces of work", "something was changed, or the user spoke, before each `git status`")],
            id="once an edit, once the user",
        ),
        pytest.param(
            [
                [run("git status", "clean"), edit("a.py", "x", "y"), run("git status", "clean")],
                [edit("a.py", "y", "z"), run("git status", "clean")],
            ],
            [("a check between pieces of work", "something was changed before each `git status`")],
            id="an edit each time",
        ),
        pytest.param(
            [run(f"ls {options} /srv/quay", f"{options} a.py") for options in ("-l", "-a", "-R")],
            [],
            id="one place listed in three ways",
        ),
        pytest.param(
            [run(f"find /srv/{name} -type f -delete", "") for name in NAMES], [], id="removals are no listings"
        ),
        pytest.param([run("deploy state", None) for _ in range(4)], [], id="a poll of which no answer is recorded"),
        pytest.param([call("state", {}, "{}") for _ in range(4)], [], id="a poll that is recorded as a mere name"),
        pytest.param(
            [together("one", *[run("deploy state", f"{done}/9 ready") for done in range(4)])],
            [],
            id="sent in one message",
        ),
        pytest.param(
            [call("read", {"path": "a.py", "part": part}, f"part {part}\n") for part in "abcd"],
            [("reading in parts", "several parts of `a.py` are read")],
            id="parts whose lines nobody knows",
        ),
    ],
)
def test_a_row_says_no_more_than_is_known(parts: list[Part], rows: list[tuple[str, str]]) -> None:
    assert [(row.pattern, row.why) for row in diagnosed(*parts).repetition] == rows


def test_what_find_tests_for_is_no_place() -> None:
    made = diagnosed(*(run(f"find . -name '*.{name}' -type f", f"./a.{name}") for name in NAMES))

    assert "browsing directories" not in [row.pattern for row in made.repetition]


def test_names_that_a_recorder_masked_are_no_different_files() -> None:
    made = diagnosed(*(read(f"[redacted:path:{number}]", name) for number, name in enumerate(NAMES)))
    assert "batch work" not in [row.pattern for row in made.repetition]
    assert "batch work" in [row.pattern for row in diagnosed(*(read(f"{name}.py", name) for name in NAMES)).repetition]
