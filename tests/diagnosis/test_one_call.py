"""What is said of one call that is sent again, and of different calls with one answer."""

from __future__ import annotations

import pytest

from analyzer.model.postmortem import PostMortem
from tests.build import Part, diagnosed, run

ROWS = "harbour/east.log\nharbour/north.log\nharbour/west.log"
FIND = "find harbour -name '*.log'"
LINES = (
    FIND,
    f"{FIND} | sort",
    f"{FIND} | sort -u",
    f"{FIND} | sort | awk '{{print}}'",
    f"{FIND} | sort | xargs -n1 echo",
)


def listed(*lines: str) -> list[Part]:
    return [run(line, ROWS) for line in lines]


def text_of(found: PostMortem) -> str:
    diagnosis = found.diagnosis
    proposals = (f"{entry.title}: {entry.text}" for entry in diagnosis.approaches)
    reasons = (f"{reason.title}: {reason.text}" for reason in diagnosis.reasons)
    return "\n".join([diagnosis.headline, diagnosis.root_cause or "", *diagnosis.story, *reasons, *proposals])


def test_one_call_that_is_sent_again_is_named() -> None:
    said = text_of(diagnosed(*listed(*[FIND] * 5)))
    assert f"`{FIND}` 5 times" in said


@pytest.mark.parametrize("count", [4, 5])
def test_different_calls_with_one_answer_are_not_called_one(count: int) -> None:
    found = diagnosed(*listed(*LINES[:count]))
    said = text_of(found)
    assert found.findings[0].kind == "repeated-call"
    assert "The calls differ" in said
    for words in (
        f"`{LINES[count - 1]}` {count} times",
        "made the same call",
        "Go on from the answer",
        "No other hypo",
    ):
        assert words not in said
