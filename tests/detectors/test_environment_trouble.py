"""Steps lost on the environment, and failures that only look like it."""

from __future__ import annotations

from analyzer.model.session import Event
from tests.build import findings, run, traceback
from tests.sessions import Written, parts_of
from tests.tables import table

Call = tuple[Event, ...]


def without(module: str, command: str = "python check.py") -> Call:
    return run(
        command,
        traceback(f"ModuleNotFoundError: No module named '{module}'", ("check.py", 1, "<module>", f"import {module}")),
        1,
    )


@table("fires")
def test_fires(parts: Written, kind: str, steps: list[int], detectable_at: int) -> None:
    (found,) = findings(*parts_of(parts), detector="environment-trouble")
    assert (found.kind, found.steps, found.detectable_at) == (kind, steps, detectable_at)


def test_names_what_was_missing() -> None:
    (found,) = findings(without("numpy"), without("scipy.linalg"), without("numpy"), detector="environment-trouble")
    assert found.title == "3 steps fail because packages are missing: numpy, scipy"
    assert found.advice[0].startswith("Install `numpy`, `scipy` before")


@table("does_not_advise_an_installation_that_failed")
def test_does_not_advise_an_installation_that_failed(installing: Written, advice: str) -> None:
    parts = [without("numpy"), parts_of(installing), without("scipy.linalg"), without("numpy")]
    (found,) = findings(*parts, detector="environment-trouble")
    assert found.advice == [advice]


@table("does_not_fire")
def test_does_not_fire(parts: Written, task: str) -> None:
    assert findings(*parts_of(parts), detector="environment-trouble", task=task) == []
