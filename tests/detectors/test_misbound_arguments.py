"""Values that are bound to another parameter than the call meant."""

from __future__ import annotations

import json

import pytest

from tests.build import Part, call, findings, traceback


def kinds(*parts: Part) -> list[tuple[str, list[int]]]:
    return [(finding.kind, finding.steps) for finding in findings(*parts, detector="misbound-arguments")]


def move(answer: object) -> Part:
    return call("move", {"source": "A1", "target": "B2", "count": 3}, json.dumps(answer))


def test_two_values_that_come_back_in_each_others_place() -> None:
    assert kinds(move({"done": {"source": "B2", "target": "A1", "count": 3}})) == [("exchanged", [1])]


@pytest.mark.parametrize(
    "answer", [{"source": "A1", "target": "B2"}, {"source": "B2", "target": "C3"}, {"source": "B2"}, {"moved": 3}]
)
def test_an_answer_that_repeats_the_call_or_says_something_else_is_fine(answer: object) -> None:
    assert kinds(move(answer)) == []


TWICE = traceback(
    "TypeError: move() got multiple values for argument 'source'",
    ("/srv/app/engine.py", 50, "call", "return function(self.context, **arguments)"),
)
SCRIPT = (
    "TypeError: note.trim is not a function\n    at move (/srv/app/src/tools.ts:25:55)\n"
    "    at dispatch (/srv/app/src/registry.ts:38:24)"
)
ATTRIBUTE = traceback(
    "AttributeError: 'Context' object has no attribute 'strip'",
    ("/srv/app/engine.py", 50, "call", "return function(*arguments, context)"),
    ("/srv/app/tools.py", 9, "move", "label = note.strip()"),
)


CAST = "System.ArgumentException: Object of type 'Harbour.Context' cannot be converted to type 'System.String'."


@pytest.mark.parametrize("text", [TWICE, SCRIPT, ATTRIBUTE, CAST], ids=["twice", "typescript", "python", "net"])
def test_a_parameter_that_got_what_the_call_does_not_give_for_it(text: str) -> None:
    assert kinds(call("move", {"source": "A1", "target": "B2"}, text)) == [("context", [1])]


def test_a_wrong_value_that_the_call_itself_gives_is_not_misbound() -> None:
    assert kinds(call("move", {"source": "A1", "note": 7}, SCRIPT)) == []


def test_a_value_of_a_built_in_type_may_have_come_with_the_call() -> None:
    assert kinds(call("move", {"source": "A1"}, CAST.replace("Harbour.Context", "System.Int32"))) == []


def test_a_failure_inside_of_what_the_tool_calls_is_not_judged() -> None:
    inner = SCRIPT.replace("at move", "at render")
    assert kinds(call("move", {"source": "A1"}, inner)) == []
