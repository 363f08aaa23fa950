"""A failure for which the harness cancelled other calls of the same message."""

from __future__ import annotations

import pytest

from analyzer.model.session import Event
from analyzer.model.words import Mark
from tests.build import Part, findings, read, together


def cancelled() -> tuple[Event, ...]:
    return read("b.py", "Cancelled: parallel tool call errored", mark=Mark.CASCADE, is_error=True)


@pytest.mark.parametrize(
    ("parts", "kind", "steps", "detectable_at", "severity"),
    [
        pytest.param(
            [together("m", read("a.py", "File does not exist.", is_error=True), cancelled(), cancelled())],
            "cancelled-calls",
            [1, 2, 3],
            3,
            "low",
            id="cancelled calls",
        ),
    ],
)
def test_fires(parts: list[Part], kind: str, steps: list[int], detectable_at: int, severity: str) -> None:
    (found,) = findings(*parts, detector="cascade")
    assert (found.kind, found.steps, found.detectable_at, found.severity) == (kind, steps, detectable_at, severity)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            [together("m", read("a.py", "File does not exist.", is_error=True), cancelled())], id="one cancelled call"
        ),
        pytest.param([], id="nothing"),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert findings(*parts, detector="cascade") == []
