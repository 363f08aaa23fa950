"""Which models a page names."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.formats.loading.load import load_bytes
from analyzer.model.session import ToolCall
from analyzer.report.figures import models
from tests.build import Part, diagnosed, run


def asked(model: str | None, count: int = 1, **more: Any) -> list[Part]:
    made = [run(f"ls {number}", "a", **more) for number in range(count)]
    for part in made:
        for event in part:
            if isinstance(event, ToolCall):
                event.model = model
    return list(made)


@pytest.mark.parametrize(
    ("parts", "named"),
    [
        pytest.param(
            [asked("large"), asked("small", 5, lane="helper")], [("small", 5), ("large", 1)], id="of a sub-agent"
        ),
        pytest.param([asked("large", 3), asked("small", 2)], [("large", 3), ("small", 2)], id="a switch"),
        pytest.param([asked("small", 2)], [("small", 2)], id="only another than the session's"),
        # Twins for which the session's model says it all.
        pytest.param([asked("large", 3), asked("large", lane="helper")], [], id="the same for all"),
        pytest.param([asked(None, 3)], [], id="not recorded"),
        pytest.param([asked("large"), asked(None, 2)], [], id="recorded for some"),
        pytest.param([asked("large"), asked("small", harness=True)], [], id="what the harness did"),
        pytest.param([], [], id="no action"),
    ],
)
def test_all_models_that_asked_for_actions_are_named(parts: list[Part], named: list[tuple[str, int]]) -> None:
    found = models(diagnosed(*parts, model="large").session)
    assert [(row.model, row.actions) for row in found] == named


def test_a_switch_in_the_middle_of_a_session_is_read() -> None:
    def answer(number: int, model: str) -> str:
        call = f'{{"type": "toolCall", "id": "c{number}", "name": "bash", "arguments": {{"command": "ls"}}}}'
        message = f'{{"role": "assistant", "model": "{model}", "content": [{call}], "timestamp": 1777881600000}}'
        return f'{{"type": "message", "id": "e{number}", "message": {message}}}'

    header = '{"type": "session", "version": 3, "id": "s", "cwd": "/srv"}'
    text = "\n".join([header, answer(1, "large"), answer(2, "small"), answer(3, "small")])
    (session,) = load_bytes(text.encode(), "log.jsonl", "pi").sessions
    assert [call.model for call in session.calls()] == ["large", "small", "small"]
