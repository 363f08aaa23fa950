"""Sessions whose log records what the task expects, without a verdict."""

from __future__ import annotations

import pytest

from analyzer.model.session import Expected, ExpectedCall
from analyzer.model.words import Ending
from tests.build import Part, call, diagnosed, says, user

ASK = user("Move my berth to the north pier.")
LOOK = call("get_berth", {"boat": "Gull"}, "south pier")
MOVED = call("move_berth", {"boat": "Gull", "pier": "north"}, "moved")
EXPECTED = Expected(
    (ExpectedCall("get_berth", {"boat": "Gull"}), ExpectedCall("move_berth", {"boat": "Gull", "pier": "north"})), ("7",)
)
LOOKS_ONLY = Expected((ExpectedCall("get_berth", {"boat": "Gull"}),))
DONE = says("Done. The fee is 7 crowns.")


@pytest.mark.parametrize(
    ("expected", "parts", "status", "confidence", "words"),
    [
        pytest.param(
            EXPECTED, [LOOK, MOVED, DONE], "succeeded", 0.8, "the call that the task expects", id="as expected"
        ),
        pytest.param(EXPECTED, [MOVED, DONE], "succeeded", 0.8, "the call that", id="it need not look"),
        pytest.param(LOOKS_ONLY, [LOOK, DONE], "succeeded", 0.8, "none of which changes", id="it only had to look"),
        pytest.param(
            EXPECTED,
            [call("move_berth", {"boat": "Gull", "pier": "south"}, "moved"), DONE],
            "failed",
            0.8,
            "instead of `north`",
            id="another argument",
        ),
        pytest.param(EXPECTED, [MOVED, says("Done.")], "failed", 0.8, "`7`", id="a value that wasn't said"),
        pytest.param(
            LOOKS_ONLY, [LOOK, MOVED, DONE], "failed", 0.8, "which the task doesn't expect", id="more than expected"
        ),
        pytest.param(
            EXPECTED, [LOOK, DONE], "failed", 0.6, "was never made", id="only missing: another may do as well"
        ),
        pytest.param(LOOKS_ONLY, [call("get_pier", {}, "north"), DONE], "unknown", 0.5, "", id="it looked elsewhere"),
        pytest.param(Expected(()), [LOOK, DONE], "unknown", 0.5, "", id="nothing is expected"),
    ],
)
def test_the_recorded_expectation_decides(
    expected: Expected, parts: list[Part], status: str, confidence: float, words: str
) -> None:
    outcome = diagnosed(ASK, *parts, expected=expected).outcome
    assert (str(outcome.status), outcome.confidence) == (status, confidence)
    assert words in outcome.reason


def test_a_verdict_outranks_the_expectation() -> None:
    assert diagnosed(ASK, LOOK, DONE, expected=EXPECTED, ending=Ending.SOLVED).outcome.status == "succeeded"
    assert diagnosed(ASK, MOVED, DONE, expected=EXPECTED, ending=Ending.UNSOLVED).outcome.status == "failed"
