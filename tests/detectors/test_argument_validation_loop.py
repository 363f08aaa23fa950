"""Arguments that are turned down: when that is a loop, and when it's a slip."""

from __future__ import annotations

import pytest

from analyzer.model.session import Event
from analyzer.model.words import Mark
from tests.build import Part, call, findings, read, run, together
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
        "The plan calls weigh with item where it wants load or what and is rejected 3 times by check_plan, "
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
    assert found.title == "The tool edit is called 3 times with filename where it wants path and rejected each time"
    assert found.differed == ["expected: path, old, new", "given: filename, old, new"]
    assert "`path` in place of `filename`" in found.advice[0]


TRACE = (
    'Traceback (most recent call last):\n  File "app.py", line 3, in <module>\n    run()\nValueError: 1 validation '
    "error for Boat\nname\n  Field required"
)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            [
                call("view", {"path": place}, f"Invalid `path` parameter: {place}. The path {place} does not exist.")
                for place in ("/quay/pier/deck.py", "/quay/pier", "/quay")
            ],
            id="paths that don't exist",
        ),
        pytest.param(
            [
                call(
                    "view", {"file": place}, f"Invalid value for parameter 'file': no such file: {place}", is_error=True
                )
                for place in ("/quay/pier/deck.py", "/quay/pier.py", "/quay.py")
            ],
            id="files that don't exist",
        ),
        pytest.param([edit_by(), good()], id="a slip"),
        pytest.param([edit_by(), edit_by(), good()], id="two slips"),
        pytest.param(
            [part for tool in ("edit", "append", "insert") for part in (edit_by(tool=tool), good(tool))],
            id="three tools, each corrected at once",
        ),
        pytest.param(
            [
                edit_by(text=f"Missing required parameter: {name}", tool=tool)
                for name, tool in (("path", "edit"), ("text", "say"), ("url", "fetch"))
            ],
            id="three tools, three complaints",
        ),
        pytest.param([run("python app.py", TRACE, 1) for _ in range(4)], id="a program's own validation"),
        pytest.param(
            [run("deploy --boat", "error: missing required argument: name", 2) for _ in range(4)],
            id="a program's own usage error",
        ),
        pytest.param(
            [run("cat notes.md", "Missing required parameter: path", 0) for _ in range(4)],
            id="a text that a shell shows",
        ),
        pytest.param([together("m1", *(edit_by() for _ in range(4)))], id="calls of one message"),
        pytest.param(
            [call("click", {"x": 1}, "Unknown tool: click", is_error=True) for _ in range(4)],
            id="tools that don't exist",
        ),
        pytest.param(
            [read("schema.md", "Missing required parameter: path\n" * 200) for _ in range(4)],
            id="a file that quotes the message",
        ),
        pytest.param(
            [
                call(
                    "edit",
                    {"path": "a.py", "old": "x", "new": "y"},
                    "No replacement was performed, old was not found",
                    is_error=True,
                )
                for _ in range(4)
            ],
            id="an edit that doesn't match",
        ),
        pytest.param(
            [
                call(
                    "bash",
                    {"command": "ls"},
                    "Please always provide EXACTLY ONE action, found 2 actions.",
                    mark=Mark.REJECTED,
                )
                for _ in range(4)
            ],
            id="a badly formatted answer",
        ),
        pytest.param(
            [
                part
                for _ in range(3)
                for part in (
                    call("edit", {}, f"InputValidationError: arguments are wrong {_}", is_error=True),
                    *(good() for _ in range(20)),
                )
            ],
            id="rejections far apart",
        ),
        pytest.param(
            [part for _ in range(4) for part in (edit_by(), *(good() for _ in range(20)))],
            id="one complaint, far apart",
        ),
        pytest.param(
            [call("pay", {"amount": 9}, "Error: the balance is too low for this booking") for _ in range(4)],
            id="a refusal of the domain",
        ),
        pytest.param(
            [
                call(
                    "view_chart",
                    {"path": f"/charts/{name}"},
                    f"Invalid `path` parameter: /charts/{name}. The path /charts/{name} does not exist. Give another.",
                    is_error=True,
                )
                for name in ("east/bay", "east", "west", "old")
            ],
            id="paths that don't exist",
        ),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert findings(*parts, detector="argument-validation-loop") == []
