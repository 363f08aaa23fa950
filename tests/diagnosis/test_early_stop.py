"""What early detection would have saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analyzer import analyze
from analyzer.model.session import Tokens, Usage
from analyzer.model.words import Category
from tests.build import Part, diagnosed, edit, pytest_report, read, run, user
from tests.sessions import Written, parts_of
from tests.tables import table


def failing(**more: Any) -> Part:
    return run("pytest", pytest_report(), 1, **more)


def test_the_founding_case(samples: Path) -> None:
    (session,) = analyze(samples / "bspline_clamping.json").sessions
    stop = session.early_stop
    assert (stop.detectable_at, stop.actions_saved, stop.fraction_saved) == (20, 6, 0.6)
    assert stop.seconds_saved is not None
    assert 40 < stop.seconds_saved < 70
    fired = {policy.policy: policy.at_step for policy in stop.policies if policy.fires}
    assert set(fired.values()) == {20}
    assert {"identical error 3 times", "two tools alternating 3 times with the same error"} <= set(fired)
    assert not {"same tool 5 times in a row", "identical call 3 times in a row"} & set(fired)


@pytest.mark.parametrize("name", ["bspline_solved", "polling_a_build"])
def test_a_session_without_a_loop_has_nothing_to_save(samples: Path, name: str) -> None:
    (session,) = analyze(samples / f"{name}.json").sessions
    stop = session.early_stop
    assert (stop.detectable_at, stop.actions_saved, stop.fraction_saved, stop.seconds_saved) == (None, None, None, None)
    assert stop.policies


@table("what_is_saved")
def test_what_is_saved(parts: Written, detectable_at: int, saved: int, fraction: float) -> None:
    stop = diagnosed(*parts_of(parts)).early_stop
    assert (stop.detectable_at, stop.actions_saved, stop.fraction_saved) == (detectable_at, saved, fraction)
    assert stop.seconds_saved is None


def test_seconds_are_those_from_the_end_of_the_step_to_the_end_of_the_loop() -> None:
    stop = diagnosed(run("ls", "a", at=100.0 + 10 * n, took=2.0) for n in range(5)).early_stop
    assert stop.seconds_saved == 20.0


def test_tokens_and_money_are_those_of_the_steps_that_would_not_have_been_taken() -> None:
    stop = diagnosed(run("ls", "a", used=Usage(Tokens(100 * n, 10), 0.5)) for n in range(1, 6)).early_stop
    assert (stop.detectable_at, stop.tokens_saved, stop.usd_saved) == (3, 920, 1.0)


def test_clocks_that_go_backwards_save_nothing() -> None:
    stop = diagnosed(run("ls", "a", at=100.0 - 10 * n, took=2.0) for n in range(5)).early_stop
    assert stop.seconds_saved == 0.0


def test_the_rules_are_replayed_on_the_lane_of_the_loop() -> None:
    stop = diagnosed(read("a.py"), [run("ls", "a", lane="helper") for _ in range(5)]).early_stop
    assert {policy.at_step for policy in stop.policies if policy.fires} == {3, 4, 5}
    calm = diagnosed([run("ls", "a"), read("b.py")], run("ls", "a", lane="helper")).early_stop
    assert [policy.policy for policy in calm.policies if policy.fires] == []


def fix(text: str, **more: Any) -> Part:
    return edit("gauge.py", text, f"not {text}", **more)


def look(name: str, **more: Any) -> Part:
    return read(f"{name}.txt", f"{name}: 4 m", **more)


ALARM = [fix("a"), failing(), fix("b"), failing(), fix("c"), failing(batch="m")]


@pytest.mark.parametrize(
    ("after", "saved"),
    [
        # What fails, or makes no difference, could have been saved.
        pytest.param([fix("d"), failing()], 2, id="another round"),
        pytest.param([fix("d"), failing(batch="n"), fix("e", batch="n"), failing()], 4, id="the next messages"),
        # What succeeds couldn't.
        pytest.param([fix("d"), look("quay"), failing()], 2, id="a success in the round"),
        pytest.param([look("quay"), fix("d"), failing(), look("mole"), fix("e"), failing()], 4, id="two successes"),
        pytest.param([fix("d"), run("pytest -k tide", "1 passed in 0.1s"), failing()], 1, id="a check that confirms"),
        # What was on its way couldn't.
        pytest.param([fix("d", batch="m"), failing()], 1, id="an edit in the message of the alarm"),
        pytest.param([look("quay", batch="m"), fix("d", batch="m"), failing()], 1, id="two calls in that message"),
    ],
)
def test_what_succeeded_or_was_on_its_way_is_not_saved(after: list[Part], saved: int) -> None:
    made = diagnosed(*ALARM, *after)
    (loop,) = [finding for finding in made.findings if finding.category is Category.LOOP]
    assert loop.detectable_at == 6
    assert made.early_stop.actions_saved == saved
    own = next(policy for policy in made.early_stop.policies if policy.policy == "this program's guard")
    assert own.saves == saved
    (guard,) = [entry.saves for entry in made.diagnosis.improvements if entry.where == "guard"]
    assert guard is not None
    assert guard.actions == saved


def test_a_pause_of_the_user_within_a_loop_is_not_saved() -> None:
    def looped(pause: float) -> list[Part]:
        later = [run("ls", "a", at=100.0 + 10 * n + pause * (n > 3), took=2.0) for n in range(6)]
        asked = user("Go on with the gauge.")
        asked.time = 139.0 + pause
        return [*later[:4], asked, *later[4:]]

    long, short = (diagnosed(*looped(pause)) for pause in (36_000.0, 0.0))
    assert long.early_stop.seconds_saved == short.early_stop.seconds_saved
    (first,), (second,) = (
        [found for found in made.findings if found.category is Category.LOOP] for made in (long, short)
    )
    assert (first.cost.seconds, first.severity) == (second.cost.seconds, second.severity)
