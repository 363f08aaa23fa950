"""A context that fills up: what shows it, and what is only a large file or a word about it."""

from __future__ import annotations

import pytest

from analyzer.model.session import Compaction, Event, Message, Tokens, Usage
from analyzer.model.words import Severity
from tests.build import Part, call, edit, findings, read, run, says, user

Call = tuple[Event, ...]

ORDERED = Compaction(trigger="manual")
GIANT = "knot\n" * 12_000
CUT = "first lines\n[... 400 lines omitted ...]"


def files(count: int = 4) -> list[Call]:
    return [read(f"f{number}.py", f"text {number}") for number in range(count)]


@pytest.mark.parametrize(
    ("parts", "severity", "steps", "detectable_at"),
    [
        pytest.param(
            [files(), Compaction(), run("ls"), run("date"), Compaction(), run("pwd")],
            Severity.LOW,
            [5, 7],
            7,
            id="compacted twice",
        ),
        pytest.param(
            [files(), Compaction(trigger="auto"), run("ls"), Compaction(trigger="manual"), Compaction(), run("pwd")],
            Severity.LOW,
            [5, 6],
            6,
            id="compacted by itself right after the user asked for it",
        ),
        pytest.param(
            [run("cargo test", GIANT), read("a.py"), run("cargo test --all", GIANT)],
            Severity.LOW,
            [1, 3],
            3,
            id="two giant results",
        ),
        pytest.param(
            [files(), ORDERED, Compaction(), run("ls"), run("date"), Compaction(), run("pwd")],
            Severity.LOW,
            [5, 7],
            7,
            id="ordered once, and once more by itself",
        ),
        pytest.param(
            [read("a.py"), call("delegate", {"prompt": "Read all"}, "Prompt is too long", is_error=True), read("b.py")],
            Severity.MEDIUM,
            [2],
            2,
            id="a window error on the way",
        ),
        pytest.param(
            [run("find /", GIANT), read("b.py"), Message("harness", "Exit due to context window")],
            Severity.HIGH,
            [1, 2],
            2,
            id="a window error at the end",
        ),
    ],
)
def test_fires(parts: list[Part], severity: Severity, steps: list[int], detectable_at: int) -> None:
    (found,) = findings(*parts, detector="context-pressure")
    assert found.kind == ("called-agent" if found.title.startswith("What was called") else "context-pressure")
    assert (found.severity, found.steps, found.detectable_at) == (severity, steps, detectable_at)


def test_names_the_command_that_filled_it() -> None:
    (found,) = findings(run("cargo test", GIANT), run("cargo test --all", GIANT + "x"), detector="context-pressure")
    assert "`cargo test --all`" in found.advice[0]
    assert "60,001 characters" in found.title


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param([files(), Compaction(), run("ls"), edit("f1.py", "a", "b")], id="one compaction"),
        pytest.param(
            [files(), Compaction(trigger="manual"), files(), Compaction(trigger="manual"), run("pwd")],
            id="compactions that the user asked for",
        ),
        pytest.param(
            [files(), ORDERED, run("ls"), run("date"), ORDERED, run("pwd")], id="compacted twice, as the user ordered"
        ),
        pytest.param([Compaction(), run("ls"), run("date"), Compaction(), run("pwd")], id="a summary at the start"),
        pytest.param([run("cargo test", GIANT), read("a.py")], id="one giant result"),
        pytest.param([run(f"cat f{number}", "knot\n" * 6_000) for number in range(8)], id="large, but not giant"),
        pytest.param(
            [read("a.py", CUT), edit("b.py", "a", "b"), read("c.py", CUT), read("d.py", CUT)],
            id="truncated and not needed",
        ),
        pytest.param(
            [
                read("a.py", "File content (40000 tokens) exceeds maximum allowed tokens (25000).", is_error=True),
                read("b.py"),
            ],
            id="a tool that refuses a large file",
        ),
        pytest.param(
            [
                user("Why do I get 'prompt is too long'?"),
                read("a.py", "raise Error('prompt is too long')"),
                says("The context window is exceeded when ..."),
            ],
            id="words about it",
        ),
        pytest.param(
            [read("a.py"), Message("harness", "# Context Window Usage\n90,000 / 128K tokens used (70%)"), read("b.py")],
            id="a gauge",
        ),
        pytest.param([run("cargo test", None), run("cargo test", None)], id="no results"),
    ],
)
def test_does_not_fire(parts: list[Part]) -> None:
    assert findings(*parts, detector="context-pressure") == []


def test_each_lane_has_its_own() -> None:
    parts = [run("a", GIANT), run("b", GIANT, lane="helper"), run("c", GIANT, lane="helper")]
    (found,) = findings(*parts, detector="context-pressure")
    assert found.lane == "helper"


@pytest.mark.parametrize(
    ("parts", "title"),
    [
        pytest.param(
            [read("b.py"), Message("harness", "Exit due to context window")],
            "The context window ended it at step 1",
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
    assert found.title.startswith("The context window ended it at step 2; 1 giant result (")


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
