"""Arguments that are turned down: when that is a loop, and when it's a slip."""

from __future__ import annotations

from analyzer.model.session import Event
from tests.build import call, findings
from tests.sessions import Written, parts_of
from tests.tables import table

Call = tuple[Event, ...]


def edit_by(name: str = "filename", text: str = "Missing required parameter: path", tool: str = "edit") -> Call:
    return call(tool, {name: "knots.py", "old": "a", "new": "b"}, text, is_error=True)


def good(tool: str = "edit") -> Call:
    return call(tool, {"path": "knots.py", "old": "a", "new": "b"}, "Edited.")


@table("fires")
def test_fires(parts: Written, kind: str, steps: list[int], detectable_at: int) -> None:
    (found,) = findings(*parts_of(parts), detector="argument-validation-loop")
    assert (found.kind, found.steps, found.detectable_at) == (kind, steps, detectable_at)


def plan(refused: str, *names: str) -> Call:
    """A plan whose last step calls `weigh`, given to a validator that refuses it."""
    steps = [{"step": number, "tool": "look", "arguments": {"path": f"{number}.txt"}} for number in range(1, 5)]
    last = {"step": 5, "tool": "weigh", "arguments": dict.fromkeys(names, "the rope")}
    return call("check_plan", {"plan": [*steps, last]}, refused, is_error=True)


def test_a_plan_that_is_refused_whatever_name_it_gives() -> None:
    refused = "PlanError: step 5 (weigh): missing required argument 'load' or 'what'; unexpected argument 'item'"
    (found,) = findings(
        *(plan(refused, name) for name in ("item", "load", "what")), detector="argument-validation-loop"
    )
    assert found.kind == "swapped-argument"
    assert found.title == (
        "The plan calls weigh with item instead of load or what and is rejected 3 times by check_plan, "
        "with load and what as well"
    )
    assert found.differed == ["expected: load, what", "given: item, load, what"]
    assert found.advice[0].startswith(
        "Give the input of `weigh` one name in its description, its schema and its validation"
    )


def test_a_plan_that_never_gives_the_wanted_name_could_still_be_right() -> None:
    refused = "PlanError: step 5 (weigh): missing required argument 'load'"
    (found,) = findings(*(plan(refused, "item") for _ in range(3)), detector="argument-validation-loop")
    assert found.title == "The plan calls weigh without load and is rejected 3 times by check_plan"
    assert found.advice[0].startswith("Give `weigh` its required `load`")


def test_a_plan_whose_refusal_names_several_tools_is_about_none_of_them() -> None:
    refused = "PlanError: missing required argument 'load'; look runs before weigh"
    (found,) = findings(*(plan(refused, "item") for _ in range(3)), detector="argument-validation-loop")
    assert found.title == "The tool check_plan is called 3 times without load and rejected each time"


def test_all_missing_names_are_reported() -> None:
    refused = "Error: missing required arguments: 'load', 'what'"
    (found,) = findings(
        *(call("weigh", {"unit": "kg"}, refused, is_error=True) for _ in range(3)), detector="argument-validation-loop"
    )
    assert (found.kind, found.title) == (
        "missing-argument",
        "The tool weigh is called 3 times without load, what and rejected each time",
    )


@table("reads_the_complaint")
def test_reads_the_complaint(answer: str, fault: str) -> None:
    (found,) = findings(
        *(call("note", {"colour": "red"}, answer, is_error=True) for _ in range(3)), detector="argument-validation-loop"
    )
    assert found.title == f"The tool note is called 3 times {fault} and rejected each time"


def test_says_what_was_wanted_and_what_was_given() -> None:
    (found,) = findings(good(), *(edit_by() for _ in range(3)), detector="argument-validation-loop")
    assert found.title == "The tool edit is called 3 times with filename instead of path and rejected each time"
    assert found.differed == ["expected: path, old, new", "given: filename, old, new"]
    assert "`path` in place of `filename`" in found.advice[0]


@table("does_not_fire")
def test_does_not_fire(parts: Written) -> None:
    assert findings(*parts_of(parts), detector="argument-validation-loop") == []
