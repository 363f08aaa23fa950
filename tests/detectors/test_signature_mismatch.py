"""Tools whose declared arguments don't fit the function behind them, and programs that merely have such a bug."""

from __future__ import annotations

import pytest

from analyzer.model.session import Event
from analyzer.model.words import Mark
from tests.build import Part, call, edit, findings, pytest_report, read, run, together, traceback

Call = tuple[Event, ...]

UNEXPECTED = "find_route() got an unexpected keyword argument 'stop'"
MISSING = "find_route() missing 1 required positional argument: 'stop'"


def route(text: str, tool: str = "find_route", **more: object) -> Call:
    return call(tool, {"start": "A", "stop": "B"}, text, is_error=text != "found", **more)  # type: ignore[arg-type]


INSIDE = traceback(
    "TypeError: FindRouteTool.invoke() got an unexpected keyword argument 'stop'",
    ("/srv/tools/base.py", 9, "call", "return tool.invoke(**given)"),
)

TIED = traceback(
    "TypeError: RopeTool.execute() got an unexpected keyword argument 'knot'",
    ("/srv/rig/engine.py", 171, "_call", "return plugin.execute(**given)"),
)


@pytest.mark.parametrize(
    ("parts", "kind", "steps", "detectable_at"),
    [
        pytest.param(
            [read("a.py"), route(f"Error: {UNEXPECTED}")],
            "unexpected-argument",
            [2],
            2,
            id="once, and it's the tool's own function",
        ),
        pytest.param(
            [route(f"Error executing tool find_route: TypeError: {MISSING}") for _ in range(3)],
            "missing-argument",
            [1, 2, 3],
            1,
            id="an argument that isn't passed on",
        ),
        pytest.param(
            [
                route("Error: lookup() takes 1 positional argument but 3 were given"),
                read("a.py"),
                route("Error: lookup() takes 1 positional argument but 3 were given"),
            ],
            "argument-positions",
            [1, 3],
            3,
            id="positions, twice, by a helper's name",
        ),
        pytest.param([route(INSIDE)], "unexpected-argument", [1], 1, id="at the end of the tool's trace"),
        pytest.param(
            [route("TypeError: search() got multiple values for argument 'start'") for _ in range(2)],
            "argument-positions",
            [1, 2],
            2,
            id="twice the same argument",
        ),
        pytest.param(
            [route("Error: TypeError: missing a required argument: 'stop'") for _ in range(2)],
            "missing-argument",
            [1, 2],
            2,
            id="bound to a signature",
        ),
        pytest.param(
            [route("found"), route(f"Error: {UNEXPECTED}"), route(f"Error: {UNEXPECTED}")],
            "unexpected-argument",
            [2, 3],
            3,
            id="a tool that has worked before, twice",
        ),
        pytest.param(
            [call("mcp__maps__find_route", {"start": "A"}, f"Error: {MISSING}", is_error=True)],
            "missing-argument",
            [1],
            1,
            id="a tool of a server",
        ),
        pytest.param(
            [call("tool_rope.execute", {"knot": "bowline"}, TIED, is_error=True)],
            "unexpected-argument",
            [1],
            1,
            id="a method of the class that the tool's name speaks of",
        ),
    ],
)
def test_fires(parts: list[Part], kind: str, steps: list[int], detectable_at: int) -> None:
    (found,) = findings(*parts, detector="signature-mismatch")
    assert (found.kind, found.steps, found.detectable_at) == (kind, steps, detectable_at)


def test_says_which_argument_of_which_function() -> None:
    (found,) = findings(route(f"Error: {UNEXPECTED}"), detector="signature-mismatch")
    assert found.title == "The tool find_route fails in its own code, because find_route() doesn't accept stop"
    assert "`find_route()`, especially `stop`" in found.advice[0]


SCRIPT = traceback(
    "TypeError: make_shape() got an unexpected keyword argument 'sides'",
    ("app.py", 3, "<module>", "make_shape(sides=4)"),
)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([run("python app.py", SCRIPT, 1) for _ in range(3)], id="a script"),
        pytest.param(
            [call("tool_sail.execute", {"knot": "bowline"}, TIED, is_error=True)],
            id="once, and it's the method of another class",
        ),
        pytest.param(
            [
                run("pytest", pytest_report("TypeError: make_shape() got an unexpected keyword argument 'sides'"), 1)
                for _ in range(3)
            ],
            id="a test report",
        ),
        pytest.param(
            [call("run_tests", {"path": "tests"}, SCRIPT, is_error=True) for _ in range(3)], id="a tool that runs tests"
        ),
        pytest.param(
            [call("python", {"code": "make_shape(sides=4)"}, SCRIPT, is_error=True) for _ in range(3)],
            id="code in a notebook",
        ),
        pytest.param(
            [call("evaluate", {"snippet": "make_shape(sides=4)"}, SCRIPT, is_error=True) for _ in range(3)],
            id="a snippet in another tool",
        ),
        pytest.param(
            [
                call(
                    "check",
                    {"call": "make_shape(sides=4)"},
                    "TypeError: make_shape() got an unexpected keyword argument 'sides'",
                    is_error=True,
                )
                for _ in range(3)
            ],
            id="a function that the call names",
        ),
        pytest.param(
            [call("deploy", {"project": "shapes"}, SCRIPT, is_error=True) for _ in range(3)],
            id="a tool that shows the project's trace",
        ),
        pytest.param(
            [read("log.txt", f"2 errors\n{UNEXPECTED}\n{UNEXPECTED}") for _ in range(3)], id="a file that quotes it"
        ),
        pytest.param(
            [edit("a.py", "a", "b", "Edited. The linter says nothing.") for _ in range(3)], id="a tool that works"
        ),
        pytest.param(
            [route("Error: lookup() takes 1 positional argument but 3 were given")], id="once, by a helper's name"
        ),
        pytest.param(
            [route("found"), route(f"Error: {UNEXPECTED}"), route("found")],
            id="an argument invented once for a tool that works",
        ),
        pytest.param(
            [route(f"Error: {UNEXPECTED}", mark=Mark.REJECTED) for _ in range(3)], id="turned down before the tool ran"
        ),
        pytest.param(
            [
                route("found"),
                together(
                    "m1", *(route("Error: lookup() takes 1 positional argument but 3 were given") for _ in range(3))
                ),
            ],
            id="calls of one message",
        ),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert findings(*parts, detector="signature-mismatch") == []
