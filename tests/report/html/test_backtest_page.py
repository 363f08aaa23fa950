"""A backtest as an HTML page: the numbers of the JSON, marks that lead to their rows, and nothing of a run's that
runs."""

from __future__ import annotations

import pytest

from analyzer.model.backtest import Amount, Backtest, Example, FormatCounts, Interval, PolicyScore, RunCounts
from analyzer.report.html.backtest import render
from tests.report.html.pages import parsed
from tests.report.html.test_hostile_pages import ALL, unharmed


def score(policy: str, stopped: int, disturbed: int, **more: object) -> PolicyScore:
    """A policy that stops so many of 20 stuck runs and disturbs so many of 40 good ones."""
    name, _, setting = policy.partition(":")
    key, _, value = setting.partition("=")
    values: dict[str, object] = {
        "policy": policy,
        "name": name,
        "settings": {key: int(value) if value.isdigit() else value} if setting else {},
        "about": "It watches.",
        "kind": "plain",
        "as_published": False,
        "stopped": stopped,
        "late": 1,
        "too_soon": 0,
        "missed": 19 - stopped,
        "disturbed": disturbed,
        "disturbed_solved": 0,
        "fires_unclear": 0,
        "recall": stopped / 20,
        "recall_interval": Interval(low=0.1, high=0.9),
        "precision": stopped / (stopped + disturbed) if stopped + disturbed else None,
        "precision_interval": Interval(low=0.2, high=0.8),
        "false_alarm_rate": disturbed / 40,
        "to_come": 0.5,
        "spared": stopped / 40,
        "median_action": 6.0,
        "saved": Amount(actions=10 * stopped, tokens=900, tokens_of=2),
        "lost": Amount(actions=disturbed),
        "frontier": False,
        "beaten_by": None,
        "same_as": None,
        "misses": [],
        "disturbs": [],
    }
    return PolicyScore.model_validate(values | more)


def result(*policies: PolicyScore, text: str = "", **more: object) -> Backtest:
    """A backtest with those policies; `text` is in every field that comes from runs or from files."""
    counts = {"runs": 62, "stuck": 20, "good": 40, "solved": 5, "unclear": 2}
    values: dict[str, object] = {
        "truth": "labels" if text else "detectors",
        "labels": text or None,
        "counts": RunCounts(**counts),
        "formats": [FormatCounts(format=f"one {text}", **counts), FormatCounts(format="two", **counts)],
        "stopped_by_none": 1,
        "without_actions": 1,
        "copies": 1,
        "problems": [f"{text} can't be read."],
        "unused_labels": [text or "x"],
        "with_seconds": 0,
        "with_tokens": 2,
        "with_usd": 0,
        "swept": True,
        "policies": list(policies),
    }
    return Backtest.model_validate(values | more)


def several() -> Backtest:
    return result(
        score("guard", 18, 1, kind="guard", frontier=True),
        score("identical-call:times=2", 16, 4, frontier=True),
        score("identical-call:times=3", 10, 2, beaten_by="guard"),
        score("identical-call:times=4", 6, 0, frontier=True),
        score("openhands", 5, 3, kind="program", beaten_by="guard"),
        score("idle", 0, 2),
        score("twin", 18, 1, same_as="guard"),
    )


def test_every_policy_that_stops_something_is_a_mark_that_leads_to_its_row() -> None:
    page = unharmed(render(several()))
    rows = {one.id for one in page.all("th") if one.id}
    marks = [
        one
        for one in page.all("a")
        if one.attributes.get("href", "") in {f"#{name}" for name in rows}
        and any(outer.tag == "svg" for outer in one.parents)
    ]

    assert {one.attributes["href"][1:] for one in marks} == rows
    assert len(rows) == 5


def test_numbers_to_sort_by_are_those_of_the_json() -> None:
    found = several()
    page = parsed(render(found))
    names = {id(one.parents[-1]): one.id for one in page.all("th") if one.id.startswith("policy-")}
    cells: dict[str, list[str]] = {}
    for one in page.all("td"):
        row = names.get(id(one.parents[-1]), "")
        if row and "data-value" in one.attributes:
            cells.setdefault(row, []).append(one.attributes["data-value"])

    for number, entry in enumerate((one for one in found.policies if one.same_as is None), 1):
        if entry.stopped:
            assert [float(value) for value in cells[f"policy-{number}"]] == [
                entry.stopped,
                entry.recall,
                entry.late,
                entry.too_soon,
                entry.disturbed,
                entry.precision,
                entry.to_come,
                entry.spared,
                entry.median_action,
                entry.saved.actions - entry.lost.actions,
            ]


def test_no_stuck_run_no_curve() -> None:
    counts = RunCounts(runs=3, stuck=0, good=3, solved=0, unclear=0)
    page = unharmed(
        render(
            result(
                score("same-tool", 0, 1, recall=None, recall_interval=None, to_come=None, spared=None),
                counts=counts,
                formats=[],
            )
        )
    )

    assert not page.all("svg")
    assert any(one.text.startswith("None of these runs was stuck") for one in page.all("p"))


@pytest.mark.slow
@pytest.mark.parametrize("text", ALL.values(), ids=ALL.keys())
def test_a_text_stays_text_in_every_field(text: str) -> None:
    example = Example(path=f"/x/{text}", position=2, id=text, action=3)
    made = result(
        score(f"guard:ignore={text}", 18, 1, kind="guard", frontier=True, misses=[example], disturbs=[example]),
        score(f"b {text}", 6, 2, beaten_by=f"guard:ignore={text}"),
        score(f"c {text}", 0, 0),
        score(f"d {text}", 6, 2, same_as=f"b {text}"),
        text=text,
    )
    html = render(made)
    unharmed(html)
    assert render(made) == html


@pytest.mark.parametrize(("many", "begin"), [(20, "Best in these few runs:"), (40, "Take")])
def test_one_policy_is_recommended_in_plain_words(many: int, begin: str) -> None:
    counts = RunCounts(runs=2 * many, stuck=many, good=40, solved=0, unclear=0)
    page = unharmed(
        render(
            result(
                score("often:times=3", 16, 1, about="the same call three times in a row.", frontier=True),
                score("rarely", 2, 0, frontier=True),
                counts=counts,
            )
        )
    )
    (said,) = [" ".join(one.text.split()) for one in page.all("p", "recommended")]
    assert said == (
        f"{begin} often:times=3. The same call three times in a row. It would have stopped 16 of {many} stuck runs, "
        "with 50% of the loop still to come, and disturbed 1 of 40 good runs."
    )


@pytest.mark.parametrize("policies", [[score("wild", 3, 30)], [score("wild", 3, 9), score("wilder", 9, 30)]])
def test_a_policy_that_is_mostly_wrong_is_not_recommended(policies: list[PolicyScore]) -> None:
    page = parsed(render(result(*policies)))
    (said,) = [one.text for one in page.all("p", "recommended")]
    assert said.startswith("Take none of them to stop runs")


def test_without_a_policy_that_stops_anything_none_is_recommended() -> None:
    assert not parsed(render(result(score("idle", 0, 0)))).all("p", "recommended")


def test_what_each_rule_watches_for_is_said_once_and_other_programs_also_in_the_table() -> None:
    other = score("elsewhere", 5, 0, kind="program", about="Elsewhere: the fourth equal call.", frontier=True)
    page = parsed(
        render(result(other, score("plain:times=2", 4, 0), score("plain:times=3", 3, 0, about="It watches.")))
    )
    named = [" ".join(one.text.split()) for one in page.all("dt")]
    assert [sum(name.endswith(rule) for name in named) for rule in ("elsewhere", "plain")] == [1, 1]
    rows = [one.text for one in page.all("th") if "elsewhere" in one.text]
    assert any("Elsewhere: the fourth equal call." in text for text in rows)
