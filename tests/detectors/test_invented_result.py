"""Results that no tool gave, in the agent's own messages."""

from __future__ import annotations

import pytest

from analyzer.model.finding import Finding
from tests.build import Part, call, findings, user

SHOWN = "[File: /w/gauge.py (86 lines total)]\n1:def level():"


def opened(path: str, lines: int, said: str = "") -> Part:
    return call("open", {"path": path}, f"[File: {path} ({lines} lines total)]\n1:import tide", said=said)


def invented(*parts: Part, task: str = "Fix level() in gauge.py.") -> list[Finding]:
    return findings(*parts, detector="invented-result", task=task)


@pytest.mark.parametrize(
    ("parts", "title"),
    [
        pytest.param(
            [opened("/w/gauge.py", 86, "Let's open it.\n[File: /w/gauge.py (100 lines total)]\n1:import os")],
            "The agent's message before step 1 holds 1 line of a result that no tool gave, such as "
            "`[File: /w/gauge.py (100 lines total)]`",
            id="another content than the file has",
        ),
        pytest.param(
            [
                opened("/w/gauge.py", 86),
                call(
                    "bash", {"command": ""}, "", said="I made it.\n(Open file: /w/try.py)\n(Open file: /w/a.py)\ndone"
                ),
                call("bash", {"command": "ls"}, "(Open file: /w/gauge.py)"),
            ],
            "The agent's message before step 2 holds 2 lines of results that no tool gave, such as "
            "`(Open file: /w/try.py)`",
            id="a form that a later result has",
        ),
        pytest.param(
            [
                opened("/w/gauge.py", 86, "[File: /w/tide.py (3 lines total)]"),
                opened("/w/pier.py", 5, "[File: /w/pier.py (9 lines total)]"),
            ],
            "Messages of the agent hold 2 lines of results that no tool gave, first before step 1: "
            "`[File: /w/tide.py (3 lines total)]`",
            id="in two messages",
        ),
    ],
)
def test_fires(parts: list[Part], title: str) -> None:
    (found,) = invented(*parts)
    assert (found.title, found.severity) == (title, "medium")


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            [opened("/w/gauge.py", 86), opened("/w/a.py", 5, "It said\n[File: /w/gauge.py (86 lines total)]\nabove.")],
            id="a quote of an earlier result",
        ),
        pytest.param([opened("/w/gauge.py", 86, "[File: /w/gauge.py (86 lines total)]")], id="the result bears it out"),
        pytest.param(
            [user("I saw\n[File: /w/b.py (3 lines total)]"), opened("/w/a.py", 5, "[File: /w/a.py (4 lines total)]")],
            id="a form of the user's",
        ),
        pytest.param([opened("/w/gauge.py", 86, "[Note: the gauge is read twice]")], id="a remark of its own"),
        pytest.param(
            [opened("/w/gauge.py", 86, "The file has (as the header [File: x (2 lines total)] shows) lines.")],
            id="within a line",
        ),
        pytest.param([opened("/w/gauge.py", 86, "Let's open it.")], id="nothing of the sort"),
        pytest.param([], id="nothing"),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert invented(*parts) == []
