"""The comparison as a page: to the letter, and harmless whatever the sessions hold.

`pytest --update-golden tests/audit/test_compare_page.py` writes what the program prints now; read the difference before
committing it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from analyzer.audit.compare import Side, compare
from analyzer.report.comparison import p_value, render
from tests.audit.compared import TASKS, hostile_sides, pairs, run, side
from tests.conftest import Golden
from tests.report.hostile import PAYLOADS
from tests.report.rendered import unharmed

GOLDEN = Path(__file__).parent / "golden"


def mixed() -> tuple[Side, Side]:
    """Twelve tasks, of which B does more, with fewer loops and more tokens; one session of B without a partner."""
    before, after = [], []
    for number, task in enumerate(TASKS):
        name = f"errand-{number + 1}"
        figures = {
            "task": task,
            "duration_seconds": 60.0 + 7 * number,
            "cost_usd": 0.2,
            "started_at": f"2025-03-{number + 1:02}T09:00:00Z",
        }
        before.append(
            run(
                name,
                "succeeded" if number % 4 == 1 else "stuck" if number % 2 else "failed",
                actions=20 + number,
                tokens_input=9_000 + 500 * number,
                loop_actions=8 if number % 2 else 0,
                kinds=["loops/repeated-error"] if number % 4 else [],
                failed=["ValueError: Need at least 8 knots"] * (number < 9),
                model="small-1",
                **figures,
            )
        )
        after.append(
            run(
                name,
                "failed" if number in (1, 4) else "succeeded",
                actions=14 + number % 5,
                tokens_input=14_000 + 700 * number,
                kinds=["gave-up/said-so"] if number in (1, 4) else [],
                failed=["exit code 2"] if number % 3 == 0 else [],
                model="large-1",
                **figures,
            )
        )
    after.append(run("errand-13", task="Water the plants on the third floor while they are away", model="large-1"))
    return side("runs/march", before), side("runs/april", after)


def apart() -> tuple[Side, Side]:
    """Two small sets that have nothing in common."""
    return (
        side("old", [run(f"a{n}", "failed" if n else "succeeded", task=task) for n, task in enumerate(TASKS[:5])]),
        side("new", [run(f"b{n}", "succeeded", task=task, format="chat") for n, task in enumerate(TASKS[5:9])]),
    )


@pytest.mark.golden
@pytest.mark.parametrize(("name", "made"), [("mixed", mixed), ("apart", apart)])
def test_page(name: str, made: Callable[[], tuple[Side, Side]], golden: Golden) -> None:
    golden(GOLDEN / f"comparison_{name}.md", render(compare(*made())))


@pytest.mark.parametrize(
    "made",
    [
        mixed,
        apart,
        lambda: (mixed()[0], mixed()[0]),
        lambda: pairs("+", "-"),
        lambda: pairs("?", "?"),
        lambda: pairs("+" * 30, "-" * 30),
    ],
)
def test_pages_are_well_formed(made: Callable[[], tuple[Side, Side]]) -> None:
    text = render(compare(*made()))
    unharmed(text)
    assert "\n\n\n" not in text
    assert "None" not in text
    assert all(
        text[:place].endswith("\n\n") for place in (found.start() for found in re.finditer(r"^## ", text, re.MULTILINE))
    )
    assert not any(line != line.rstrip() for line in text.split("\n"))


@pytest.mark.slow
@pytest.mark.parametrize("text", PAYLOADS.values(), ids=PAYLOADS.keys())
def test_no_text_breaks_out_of_its_place(text: str) -> None:
    markdown = render(compare(*hostile_sides(text)))
    assert unharmed(markdown).headings() == [
        "Tasks that flipped",
        "Metrics",
        "Outcomes, task by task",
        "Findings, by sessions that have them",
        "Failures, by sessions that hit them",
    ]
    markdown.encode("utf-8")


@pytest.mark.parametrize(
    ("p", "shown"), [(None, ""), (0.0004, "< 0.001"), (0.0312, "0.031"), (0.42, "0.42"), (0.999, "1"), (1.0, "1")]
)
def test_p_is_as_precise_as_it_is_read(p: float | None, shown: str) -> None:
    assert p_value(p) == shown
