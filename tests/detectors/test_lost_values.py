"""Values that don't reach the calls that need them, with a plan in the record and without one."""

from __future__ import annotations

import json

import pytest

from analyzer.model.finding import Finding, LostValues
from tests.build import Part, call, findings
from tests.sessions import Written, parts_of
from tests.tables import table

PLAN = [
    {"tool": "shop.find", "arguments": {"name": "lamp"}},
    {"tool": "shop.order", "arguments": {"id": "$result.step_1.id", "count": 2}},
    {"tool": "shop.mail", "arguments": {"text": "Order $result.step_2.order for $result.step_1.id is placed."}},
]
FOUND = '{"id": "L-77", "price": 12}'
ORDERED = '{"order": "O-5150", "count": 2}'


def plan(style: str = "$result.step_{}.{}") -> Part:
    text = json.dumps({"plan": PLAN})
    for number, key in ((1, "id"), (2, "order")):
        text = text.replace(f"$result.step_{number}.{key}", style.format(number, key))
    return call("planner.make", {"goal": "order a lamp"}, text)


def carried_out(lamp: str | None, text: str) -> list[Part]:
    return [
        call("shop.find", {"name": "lamp"}, FOUND),
        call("shop.order", {"id": lamp, "count": 2}, ORDERED),
        call("shop.mail", {"text": text}, "Sent."),
    ]


def found(*parts: Part) -> list[Finding]:
    return findings(*parts, detector="lost-values")


def fates(finding: Finding) -> list[tuple[int, str, str]]:
    assert isinstance(finding.details, LostValues)
    return [(value.step, value.argument, value.fate) for value in finding.details.values]


GOOD = "Order O-5150 for L-77 is placed."


@pytest.mark.parametrize("style", ["$result.step_{}.{}", "{{{{step_{}.output.{}}}}}", "${{steps.{}.{}}}", "#E{}.{}"])
def test_references_that_arrive_are_nothing_to_report(style: str) -> None:
    assert found(plan(style), *carried_out("L-77", GOOD)) == []


@pytest.mark.parametrize("style", ["$result.step_{}.{}", "{{{{step_{}.output.{}}}}}", "${{steps.{}.{}}}", "#E{}.{}"])
def test_all_references_that_are_lost_are_one_finding_with_the_pattern(style: str) -> None:
    (finding,) = found(plan(style), *carried_out(None, "Order None for None is placed."))
    assert finding.kind == "nothing-arrives"
    assert fates(finding) == [(3, "id", "null"), (4, "text", "null"), (4, "text", "null")]
    assert finding.steps == [3, 4]


def test_one_reference_that_is_lost_is_named_with_its_source() -> None:
    (finding,) = found(plan(), *carried_out("L-77", "Order undefined for L-77 is placed."))
    assert finding.kind == "lost-values"
    assert fates(finding) == [(4, "text", "null")]
    assert "`$result.step_2.order` (from step 3)" in finding.title


def test_a_reference_that_arrives_as_itself_is_not_replaced() -> None:
    (finding,) = found(plan(), *carried_out("$result.step_1.id", GOOD))
    assert fates(finding) == [(3, "id", "placeholder")]


def test_a_reference_in_an_argument_is_found_without_a_plan() -> None:
    (finding,) = found(call("shop.order", {"id": "{{step_1.id}}"}, "Placed."))
    assert fates(finding) == [(1, "id", "placeholder")]


def test_undefined_in_a_text_is_found_without_a_plan() -> None:
    (finding,) = found(call("shop.mail", {"text": "Order undefined costs 12"}, "Sent."))
    assert fates(finding) == [(1, "text", "null")]


@pytest.mark.parametrize(
    "part",
    [
        call("shop.mail", {"text": "None of the lamps is in stock."}, "Sent."),
        call("bash", {"command": "node -e 'console.log(typeof x === \"undefined\")'"}, "true"),
        call("write_file", {"path": "a.js", "content": "if (x === undefined) { stop() }"}, "Written."),
        call("shop.order", {"id": None, "count": 2}, ORDERED),
        call("browser_evaluate", {"code": "return x === undefined"}, "true"),
        call("grep_code", {"pattern": "undefined"}, "a.js:1"),
    ],
)
def test_words_for_nothing_that_mean_something_else_are_left_alone(part: Part) -> None:
    assert found(part) == []


SAMPLES = '{"samples": [{"at": 4, "value": 2}]}'


def test_a_list_as_text_that_the_tool_takes_is_none() -> None:
    text = '[{"at": 4, "value": 2}]'
    assert found(call("read", {"zone": 1}, SAMPLES), call("mean", {"samples": text}, "2")) == []


NO_RATES = call("rates", {"to": "Turin"}, '{"to": "Turin", "rates": []}')


def test_a_value_that_nothing_before_holds_in_place_of_an_empty_answer_is_made_up() -> None:
    (finding,) = found(NO_RATES, call("book", {"rateId": "STANDARD"}, "Booked."))
    assert finding.kind == "invented-value"
    assert (finding.steps, fates(finding)) == ([1, 2], [(2, "rateId", "invented")])


def test_an_empty_answer_that_is_passed_on_is_built_upon() -> None:
    (finding,) = found(
        call("sensors", {"zone": "n"}, '{"zone": "n", "samples": []}'), call("need", {"samples": []}, '{"litres": 0}')
    )
    assert finding.kind == "empty-answer"


@table("an_empty_answer_that_nothing_is_built_upon_is_fine")
def test_an_empty_answer_that_nothing_is_built_upon_is_fine(parts: Written) -> None:
    assert found(*parts_of(parts)) == []
