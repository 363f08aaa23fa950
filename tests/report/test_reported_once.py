"""Several loops with one cause are told once on a page; the data has each of them."""

from __future__ import annotations

from analyzer.report.contents import Contents
from tests.build import Part, diagnosed, edit, pytest_report, read, run, user


def rounds(count: int, error: str) -> list[Part]:
    return [
        part
        for number in range(count)
        for part in (
            edit("pier.py", f"posts = {number}", f"posts = {number + 1}"),
            run("pytest", pytest_report(error), 1),
        )
    ]


def work(name: str) -> list[Part]:
    plans = (read(f"{name}{number}.md", f"{name}, part {number}") for number in range(10))
    return [user(f"Look at the {name} first."), *plans]


PIER, MAST = "ValueError: a pier needs three posts", "KeyError: 'mast'"


def test_a_further_stretch_is_told_with_the_main_finding() -> None:
    found = diagnosed(*rounds(3, PIER), *work("plan"), *rounds(5, PIER), *work("map"), *rounds(3, PIER))
    contents = Contents(found)
    assert contents.main is found.findings[0]
    assert contents.told_by == {2: 1, 3: 1}
    assert [finding for finding in contents.minor if finding.category == "loop"] == []


def test_loops_of_another_cause_stay() -> None:
    found = diagnosed(*rounds(3, MAST), *work("plan"), *rounds(5, PIER))
    contents = Contents(found)
    assert contents.told_by == {}
    assert [finding.first_step for finding in contents.minor if finding.category == "loop"] == [1]


def test_a_loop_of_another_cause_between_them_is_told_by_itself() -> None:
    found = diagnosed(*rounds(8, PIER), *work("plan"), *rounds(3, MAST), *work("map"), *rounds(3, MAST))
    contents = Contents(found)
    assert contents.told_by == {3: 1}
    assert [finding.first_step for finding in contents.minor if finding.category == "loop"] == [1]


def fenced(count: int) -> list[Part]:
    return [run(f"mast d{number}", "sh: line 2: mast: command not found", 127) for number in range(count)]


def test_a_loop_and_what_explains_it_are_one_item() -> None:
    found = diagnosed(*fenced(6))
    contents = Contents(found)
    assert [found.findings[position - 1].detector for position in contents.order] == ["environment-trouble", "loops"]
    assert (len(contents.explained), contents.items, list(contents.minor)) == (1, 1, [])
    assert found.diagnosis.headline.startswith("6 steps fail because a program is missing: mast")
    assert found.diagnosis.contributing == []


def test_a_loop_that_nothing_explains_is_an_item_of_its_own() -> None:
    found = diagnosed(*fenced(6), *work("plan"), *rounds(3, MAST))
    contents = Contents(found)
    assert len(contents.explained) == 1
    assert contents.main is not None
    assert contents.main.detector == "loops"
    assert [finding.detector for finding in contents.minor] == ["environment-trouble"]
