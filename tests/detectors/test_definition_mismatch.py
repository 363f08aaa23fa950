"""Definitions of tools held against what was called and what came back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyzer.detectors import detect
from analyzer.formats.record.definitions import agreed, definitions_in
from analyzer.model.finding import DefinitionSides, Finding
from tests.build import Part, call, findings, timeline

FERRY = {
    "name": "book_ferry",
    "parameters": {
        "type": "object",
        "properties": {
            "port": {"type": "string"},
            "seats": {"type": "integer"},
            "deck": {"type": "string", "enum": ["upper", "lower"]},
            "car": {"type": "object", "properties": {"plate": {"type": "string"}}},
        },
        "required": ["port", "seats"],
    },
}
OK = '{"booked": true}'


def found(*parts: Part, tools: Any = (FERRY,)) -> list[Finding]:
    return findings(*parts, detector="definition-mismatch", definitions=agreed(definitions_in({"tools": list(tools)})))


def sides(*parts: Part, tools: Any = (FERRY,)) -> list[tuple[str, str, str, int]]:
    told: list[tuple[str, str, str, int]] = []
    for finding in found(*parts, tools=tools):
        assert isinstance(finding.details, DefinitionSides)
        told += [(finding.kind, side.sort, side.argument, side.step) for side in finding.details.sides]
    return told


def book(answer: str, *, error: bool | None = True, tool: str = "book_ferry", **arguments: Any) -> Part:
    return call(tool, arguments, answer, is_error=error)


CONTRADICTED = [
    ("unknown field", "Error: unexpected field 'seats'", "refused", "seats"),
    ("python", "TypeError: book_ferry() got an unexpected keyword argument 'seats'", "refused", "seats"),
    ("pydantic", "1 validation error for BookFerry\nseats\n  Extra inputs are not permitted", "refused", "seats"),
    ("not declared", "Error: missing required parameter: 'harbour'", "unknown-required", "harbour"),
    ("optional", "Error: missing required parameter: 'deck'", "unknown-required", "deck"),
    (
        "python, not declared",
        "TypeError: book_ferry() missing 1 required positional argument: 'harbour'",
        "unknown-required",
        "harbour",
    ),
    ("given all the same", "Error: missing required parameter: 'seats'", "not-passed", "seats"),
    ("type", "Error: parameter 'seats' must be a string", "value-refused", "seats"),
]


@pytest.mark.parametrize(
    ("answer", "sort", "argument"), [case[1:] for case in CONTRADICTED], ids=[c[0] for c in CONTRADICTED]
)
def test_a_call_that_follows_its_definition_and_is_rejected(answer: str, sort: str, argument: str) -> None:
    assert sides(book(answer, port="Aalborg", seats=2)) == [("contradicted", sort, argument, 1)]


def test_a_value_that_the_definition_allows_and_the_check_does_not() -> None:
    answer = "Error: parameter 'deck' must be one of: 'top', 'bottom'"
    assert sides(book(answer, port="Aalborg", seats=2, deck="upper")) == [("contradicted", "value-refused", "deck", 1)]


def test_both_sides_are_shown_with_their_places() -> None:
    (finding,) = found(book("Error: unexpected field 'seats'; it takes port, passengers", port="Aalborg", seats=2))
    assert finding.title == (
        "The definition of book_ferry and what takes its calls differ: `seats` is defined and "
        "refused as unknown (step 1, which takes port, passengers)"
    )
    assert finding.differed == [
        "defined (tools[0]): port: string, seats: integer, deck: one of upper, lower, car: object",
        "takes (step 1): port, passengers",
    ]
    assert [entry.step for entry in finding.evidence] == [1, 1]


FINE: list[tuple[str, list[Part]]] = [
    ("accepted", [book(OK, port="Aalborg", seats=2, error=None)]),
    ("another failure", [book("Error: no ferry today", port="Aalborg", seats=2)]),
    (
        "accepted with it later on",
        [
            book("Error: unexpected field 'seats'", port="Aalborg", seats=2),
            book(OK, port="Aalborg", seats=3, error=None),
        ],
    ),
    (
        "accepted without it before",
        [
            book(OK, port="Aalborg", seats=3, error=None),
            book("Error: missing required parameter: 'harbour'", port="Aalborg", seats=2),
        ],
    ),
    (
        "a name within a value",
        [book("Error: missing required parameter: 'plate'", port="Aalborg", seats=2, car={"colour": "red"})],
    ),
    (
        "a name that may stand within a value",
        [book("Error: missing required parameter: 'owner'", port="Aalborg", seats=2, car={"colour": "red"})],
    ),
    ("one of several would do", [book("Missing required parameter: 'harbour' or 'pier'", port="Aalborg", seats=2)]),
    ("no definition", [book("Error: unexpected field 'seats'", tool="book_train", port="Aalborg", seats=2)]),
    ("a name that wasn't given", [book("Error: unexpected field 'colour'", port="Aalborg", seats=2)]),
    (
        "a slip that the next call corrects",
        [
            book("Error: missing required parameter: 'seats'", port="Aalborg"),
            book(OK, port="Aalborg", seats=2, error=None),
        ],
    ),
    ("the type that is defined", [book("Error: parameter 'seats' must be an integer", port="Aalborg", seats=2)]),
    (
        "any text is defined, and only some are taken",
        [book("Error: parameter 'port' must be one of: 'north', 'south'", port="Aalborg", seats=2)],
    ),
]


@pytest.mark.parametrize("parts", [case[1] for case in FINE], ids=[case[0] for case in FINE])
def test_what_is_not_a_mismatch(parts: list[Part]) -> None:
    assert sides(*parts) == []


SLIPS = [
    ("undeclared", "Error: unexpected field 'seat'", {"port": "Aalborg", "seat": 2}, "seat"),
    ("left-out", "Error: missing required parameter: 'seats'", {"port": "Aalborg"}, "seats"),
    ("other-value", "Error: parameter 'seats' must be an integer", {"port": "Aalborg", "seats": "two"}, "seats"),
    (
        "other-value",
        "Error: parameter 'deck' must be one of: 'upper', 'lower'",
        {"port": "Aalborg", "seats": 2, "deck": "sun"},
        "deck",
    ),
]


@pytest.mark.parametrize(("sort", "answer", "given", "argument"), SLIPS)
def test_a_call_that_is_not_as_its_definition_says(
    sort: str, answer: str, given: dict[str, Any], argument: str
) -> None:
    assert sides(book(answer, **given)) == [("not-followed", sort, argument, 1)]


def test_the_nearest_declared_name_is_named() -> None:
    (finding,) = found(book("Error: unexpected field 'seat'", port="Aalborg", seat=2))
    assert finding.title == (
        "Calls of book_ferry aren't as its definition says: `seat` isn't there, `seats` is (step 1)"
    )


def test_the_step_of_a_rejected_plan_is_held_against_the_definition_of_its_tool() -> None:
    plan = [{"tool": "book_ferry", "arguments": {"port": "Aalborg", "seats": 2}}]
    answer = "Plan rejected: book_ferry: unexpected field 'seats'"
    assert sides(call("check_plan", {"plan": plan}, answer)) == [("contradicted", "refused", "seats", 1)]


def test_a_definition_that_stands_in_two_ways_is_not_held_against_anything() -> None:
    other = {"name": "book_ferry", "parameters": {"type": "object", "properties": {"port": {"type": "string"}}}}
    assert sides(book("Error: unexpected field 'seats'", port="Aalborg", seats=2), tools=(FERRY, other)) == []


def test_a_listing_that_a_call_got_counts_as_a_definition() -> None:
    listing = call(
        "list_tools", {}, json.dumps({"tools": [{"name": "book_ferry", "inputSchema": FERRY["parameters"]}]})
    )
    rejected = book("Error: unexpected field 'seats'", port="Aalborg", seats=2)
    assert sides(listing, rejected, tools=()) == [("contradicted", "refused", "seats", 2)]


def test_of_a_finding_about_the_same_calls_it_is_a_part() -> None:
    again = [book("Error: unexpected field 'seats'", port="Aalborg", seats=number) for number in (1, 2, 3)]
    made = timeline(*again, definitions=agreed(definitions_in({"tools": [FERRY]})))
    (finding,) = [entry for entry in detect(made) if entry.category == "tool"]
    assert finding.detector == "argument-validation-loop"
    assert [aspect.detector for aspect in finding.aspects] == ["definition-mismatch", "identical-error"]
