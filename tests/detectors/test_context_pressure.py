"""A context that fills up: what shows it, and what is only a large file or a word about it."""

from __future__ import annotations

import pytest

from analyzer.model.session import Compaction, Event, Message, Tokens, Usage
from analyzer.model.words import Severity
from tests.build import Part, findings, read, run
from tests.sessions import Written, parts_of
from tests.tables import table

Call = tuple[Event, ...]

GIANT = "knot\n" * 12_000


def files(count: int = 4) -> list[Call]:
    return [read(f"f{number}.py", f"text {number}") for number in range(count)]


@table("fires")
def test_fires(parts: Written, severity: Severity, steps: list[int], detectable_at: int) -> None:
    (found,) = findings(*parts_of(parts), detector="context-pressure")
    assert found.kind == ("called-agent" if found.title.startswith("The called agent or model") else "context-pressure")
    assert (found.severity, found.steps, found.detectable_at) == (severity, steps, detectable_at)


def test_names_the_command_that_filled_it() -> None:
    (found,) = findings(run("cargo test", GIANT), run("cargo test --all", GIANT + "x"), detector="context-pressure")
    assert "`cargo test --all`" in found.advice[0]
    assert "60,001 characters" in found.title


@table("does_not_fire")
def test_does_not_fire(parts: Written) -> None:
    assert findings(*parts_of(parts), detector="context-pressure") == []


def test_each_lane_has_its_own() -> None:
    parts = [run("a", GIANT), run("b", GIANT, lane="helper"), run("c", GIANT, lane="helper")]
    (found,) = findings(*parts, detector="context-pressure")
    assert found.lane == "helper"


@pytest.mark.parametrize(
    ("parts", "title"),
    [
        pytest.param(
            [read("b.py"), Message("harness", "Exit due to context window")],
            "The run ended at step 1 because the context window was full",
            id="its own",
        )
    ],
)
def test_whose_window_was_full_is_said(parts: list[Part], title: str) -> None:
    (found,) = findings(*parts, detector="context-pressure")
    assert found.title == title
    assert "sub-agents" in found.advice[0]


def test_what_a_full_window_held_is_said_after_it() -> None:
    (found,) = findings(
        run("find /", GIANT),
        read("b.py"),
        Message("harness", "Exit due to context window"),
        detector="context-pressure",
    )
    assert found.title.startswith(
        "The run ended at step 2 because the context window was full; 1 giant result (60,000 characters, "
    )


def prompt(tokens: int) -> Usage:
    return Usage(Tokens(tokens, 100))


@pytest.mark.parametrize(
    ("prompts", "at"),
    [
        pytest.param([20_000, 160_000], 2, id="a prompt that is nearly full"),
        pytest.param([160_000, 20_000], 2, id="a prompt that was nearly full before"),
        pytest.param([20_000, 60_000, 170_000], 3, id="full behind them"),
        pytest.param([None, None], 2, id="no tokens are recorded"),
    ],
)
def test_giant_results_count_where_the_prompts_show_it(prompts: list[int | None], at: int) -> None:
    parts = [run(f"cat f{n}", GIANT, used=prompt(tokens) if tokens else None) for n, tokens in enumerate(prompts)]
    (found,) = findings(*parts, detector="context-pressure")
    assert found.detectable_at == at


@pytest.mark.parametrize(
    "prompts",
    [
        pytest.param([20_000, 35_000], id="small prompts"),
        pytest.param([20_000, 60_000, 109_000], id="a half full one"),
        pytest.param([20_000, 149_999], id="just below"),
        pytest.param([20_000, None, None], id="of one call alone"),
    ],
)
def test_giant_results_are_no_pressure_where_the_prompts_stay_small(prompts: list[int | None]) -> None:
    parts = [run(f"cat f{n}", GIANT, used=prompt(tokens) if tokens else None) for n, tokens in enumerate(prompts)]
    assert findings(*parts, detector="context-pressure") == []


def test_other_signs_count_whatever_the_prompts_say() -> None:
    parts: list[Part] = [*files(), Compaction(), run("ls", used=prompt(20_000)), run("date"), Compaction(), run("pwd")]
    assert len(findings(*parts, detector="context-pressure")) == 1
