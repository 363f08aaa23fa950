"""Tools whose declared arguments don't fit the function behind them, and programs that merely have such a bug."""

from __future__ import annotations

from analyzer.model.session import Event
from tests.build import call, findings
from tests.sessions import Written, parts_of
from tests.tables import table

Call = tuple[Event, ...]

UNEXPECTED = "find_route() got an unexpected keyword argument 'stop'"


def route(text: str, tool: str = "find_route", **more: object) -> Call:
    return call(tool, {"start": "A", "stop": "B"}, text, is_error=text != "found", **more)  # type: ignore[arg-type]


@table("fires")
def test_fires(parts: Written, kind: str, steps: list[int], detectable_at: int) -> None:
    (found,) = findings(*parts_of(parts), detector="signature-mismatch")
    assert (found.kind, found.steps, found.detectable_at) == (kind, steps, detectable_at)


def test_says_which_argument_of_which_function() -> None:
    (found,) = findings(route(f"Error: {UNEXPECTED}"), detector="signature-mismatch")
    assert found.title == "The tool find_route fails in its own code, because find_route() doesn't accept stop"
    assert "`find_route()`, especially `stop`" in found.advice[0]


@table("does_not_fire")
def test_does_not_fire(parts: Written) -> None:
    assert findings(*parts_of(parts), detector="signature-mismatch") == []
