"""What stretches of a lane cost: the sum of what is known, and nothing where a part of it isn't."""

from __future__ import annotations

import pytest

from analyzer.model.action import Action
from analyzer.model.session import Tokens, Usage
from analyzer.timeline.spending import Spending, running
from tests.build import Part, run, timeline


def used(sent: int | None, output: int | None = None, usd: float | None = None) -> Usage:
    return Usage(Tokens(sent, output), usd)


def lane(*parts: Part) -> list[Action]:
    return list(timeline(*parts).lane())


THREE = (run("a", used=used(10, 1, 0.25)), run("b", used=used(20, 2, 0.5)), run("c", used=used(30, 3, 1.0)))


@pytest.mark.parametrize(
    ("first", "last", "tokens", "usd"),
    [(1, 3, 66, 1.75), (2, 3, 55, 1.5), (1, 1, 11, 0.25), (3, 2, None, None), (0, 2, None, None), (2, 9, None, None)],
)
def test_a_stretch_has_the_sum_of_its_steps(first: int, last: int, tokens: int | None, usd: float | None) -> None:
    spending = Spending(lane(*THREE))
    assert (spending.tokens(first, last), spending.usd(first, last)) == (tokens, usd)


def test_of_actions_that_were_sent_together_the_first_has_it() -> None:
    spending = Spending(lane(run("a", batch="x", used=used(10, 1)), run("b", batch="x"), run("c", used=used(30))))
    assert (spending.tokens(1, 2), spending.tokens(1, 3)) == (11, 41)
    assert spending.tokens(2, 2) is None, "nobody knows which part of the answer was this one's"


def test_a_step_that_says_nothing_makes_the_sum_unknown() -> None:
    spending = Spending(lane(*THREE[:2], run("silent"), *THREE[2:]))
    assert (spending.tokens(1, 2), spending.tokens(1, 4), spending.usd(2, 3)) == (33, None, None)


def test_what_the_harness_wrote_used_nothing() -> None:
    assert Spending(lane(*THREE, run("exit", harness=True))).tokens(1, 4) == 66


def test_output_alone_is_no_token_count() -> None:
    spending = Spending(lane(run("a", used=used(None, 5, 0.5))))
    assert (spending.tokens(1, 1), spending.usd(1, 1)) == (None, 0.5)


def test_nothing_recorded_is_nothing_known() -> None:
    assert Spending(lane(run("a"))).tokens(1, 1) is None
    assert Spending([]).usd(1, 1) is None


def test_running_sums_go_over_all_lanes() -> None:
    both = timeline(
        run("a", used=used(10, 1, 0.25)),
        run("b", lane="helper", used=used(20, 2, 0.5)),
        run("c", used=used(30, 3, 1.0)),
    )
    assert running(both.actions) == ([11, 33, 66], [0.25, 0.75, 1.75])
    assert running(timeline(*THREE, run("silent")).actions) == (None, None)


def test_a_log_may_claim_any_number() -> None:
    most = 2**63 - 1
    assert Spending(lane(run("a", used=used(most, most)), run("b", used=used(most)))).tokens(1, 2) == most
