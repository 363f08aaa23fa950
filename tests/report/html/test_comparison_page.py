"""The comparison as an HTML page: the same numbers as the Markdown page and the JSON, and nothing of what a session
holds runs."""

from __future__ import annotations

import pytest

from analyzer.audit.compare import Side, compare
from analyzer.audit.compare.steps import RunOf, Step, beside
from analyzer.report.comparison import context_of
from analyzer.report.html.comparison import render
from tests.audit.compared import hostile_sides, pairs, run, side
from tests.audit.test_compare_page import apart, mixed
from tests.report.html.pages import parsed
from tests.report.html.test_hostile_pages import ALL, unharmed


def test_the_page_says_what_the_markdown_page_says() -> None:
    found = compare(*mixed())
    page = unharmed(render(found))
    texts = [" ".join(one.text.split()) for one in page.elements]

    assert found.verdict[0] in texts
    assert all(line.replace("`", "") in texts for line in found.verdict)
    for row in context_of(found)["metrics"]:
        cells = [one.text for one in page.elements if one.tag in ("th", "td")]
        assert {row["title"], row["before"], row["after"], row["change"], row["reading"], row["p"]} <= set(cells)
    assert page.headings() == [
        "Tasks that flipped",
        "Before and after",
        "Metrics",
        "Outcomes, task by task",
        "Findings, by sessions that have them",
        "Failures, by sessions that hit them",
    ]


def test_every_metric_has_a_row_in_the_pictures_with_its_numbers() -> None:
    found = compare(*mixed())
    page = parsed(render(found))
    drawn = {one.text for one in page.all("text")}

    assert {
        "Success rate",
        "25%",
        "83%",
        "+58 (+14 to +81)",
        "Tokens",
        "+52% (+51% to +53%)",
        "11 621",  # geometric means, whose ratio is +52%
        "17 684",
    } <= drawn
    assert all(one.attributes["role"] == "img" for one in page.all("svg", "chart"))


@pytest.mark.parametrize(
    ("sides", "word"),
    [
        (mixed(), "Better beyond chance"),
        (pairs("+" * 30, "-" * 30), "Worse beyond chance"),
        (apart(), "Better beyond chance"),
        (pairs("+", "-"), "Too few to tell"),
        (pairs("+-" * 20, "+-" * 20), "No change of success shown"),
        (pairs("?" * 20, "?" * 20), "Success unknown"),
        ((mixed()[0], mixed()[0]), "The same recordings"),
        (pairs("+-" * 20, "+-" * 20, B={"actions": 90}), "No change of success shown, worse elsewhere"),
        (pairs("?" * 20, "?" * 20, B={"actions": 90}), "Success unknown, worse elsewhere"),
    ],
)
def test_the_verdict_in_a_word(sides: tuple[Side, Side], word: str) -> None:
    page = unharmed(render(compare(*sides)))

    assert [one.text for one in page.all("p", "word")] == [word]


def test_there_is_one_line_of_verdict_and_one_chart() -> None:
    page = parsed(render(compare(*pairs("+", "-"))))

    (line,) = [one.text for one in page.all("p", "lead")]
    assert line == "Too few sessions to say whether B succeeds more often: A 100%, B 0% (1 task)."
    assert len(page.all("div", "chart")) == 1


def test_runs_stand_beside_each_other_step_by_step() -> None:
    found = compare(*pairs("+", "-"))
    old = RunOf(
        "a",
        "succeeded",
        [
            Step(1, "bash", "run", "make", "ok", "bash make"),
            Step(2, "bash", "run", "make test", "ok", "bash make test"),
        ],
    )
    new = RunOf(
        "b",
        "failed",
        [Step(1, "bash", "run", "make test -k", "error", "bash make test -k", (("command", "make test -k <one>"),))],
    )
    page = unharmed(render(found.model_copy(update={"runs": [beside("Build <it>", old, new)]})))

    rows = [one for one in page.all("tr") if {"same", "differs", "before", "after"} & set(one.classes)]
    assert [row.classes for row in rows] == [["before"], ["differs"]]
    assert "Step by step" in page.headings()
    assert any("make test -k <one>" in one.text for one in page.all("code"))


def test_more_success_is_not_called_worse_for_what_got_worse_beside_it() -> None:
    before = side("old", [run(f"s{number}", "failed") for number in range(30)])
    after = side("new", [run(f"s{number}", "succeeded", kinds=["loops/repeated-error"]) for number in range(30)])
    found = compare(before, after)
    assert found.regressions
    page = parsed(render(found))

    assert [one.text for one in page.all("p", "word")] == ["More success, and worse elsewhere"]


@pytest.mark.slow
@pytest.mark.parametrize("text", ALL.values(), ids=ALL.keys())
def test_a_text_stays_text_in_every_field(text: str) -> None:
    found = compare(*hostile_sides(text))
    html = render(found)
    unharmed(html)
    assert render(found) == html
