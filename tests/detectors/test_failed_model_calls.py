"""Calls of the model that failed."""

from __future__ import annotations

import pytest

from analyzer.model.finding import Finding
from analyzer.model.session import EMPTY_ANSWER, Message
from tests.build import Part, findings, read, run, says, user

LIMIT = Message("harness", "403 key limit exceeded", failed=True)
RIGHTS = Message("harness", "401 no such key", failed=True)
EMPTY = Message("harness", EMPTY_ANSWER, failed=True)
HELLO = user("hello")


def failed(*parts: Part) -> list[Finding]:
    return findings(*parts, detector="failed-model-calls")


@pytest.mark.parametrize(
    ("parts", "severity", "title"),
    [
        pytest.param(
            [read("a.md"), [(HELLO, LIMIT)] * 3, HELLO, RIGHTS],
            "medium",
            '4 model calls failed (3 times "403 key limit exceeded"); 4 messages of the user have no other answer',
            id="nobody answers",
        ),
        pytest.param(
            [read("a.md"), HELLO, [LIMIT] * 3, says("Hello.")],
            "low",
            '3 model calls failed (each time "403 key limit exceeded")',
            id="answered in the end",
        ),
        pytest.param(
            [[(HELLO, LIMIT)] * 3, HELLO, says("Hello.")],
            "medium",
            '3 model calls failed (each time "403 key limit exceeded"); 3 messages of the user have no other answer',
            id="before the first step",
        ),
    ],
)
def test_fires(parts: list[Part], severity: str, title: str) -> None:
    (found,) = failed(*parts)
    assert (found.severity, found.title) == (severity, title)


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([read("a.md"), HELLO, LIMIT, HELLO, RIGHTS, says("Hello.")], id="two"),
        pytest.param([read("a.md"), [(HELLO, EMPTY)] * 4], id="empty answers"),
        pytest.param([[run("curl api", "403 key limit exceeded", 1)] * 4], id="a program of the agent's"),
        pytest.param([read("a.md"), [(HELLO, Message("harness", "403 key limit exceeded"))] * 4], id="a note"),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert failed(*parts) == []


def test_each_text_is_quoted_where_it_came() -> None:
    (found,) = failed(read("a.md"), [(HELLO, LIMIT)] * 2, read("b.md"), HELLO, RIGHTS)
    assert [(entry.step, entry.quote) for entry in found.evidence] == [(1, LIMIT.text), (2, RIGHTS.text)]
