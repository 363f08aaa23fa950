"""The gate on speed: what counts as slower, and what the work is held against."""

from __future__ import annotations

import json

import pytest

from benchmarks.ratio import KEPT, STAGES, fallen
from benchmarks.reference import reference


@pytest.mark.parametrize(
    ("now", "slower"),
    [
        pytest.param({"reading": 1.0, "analysis": 1.0}, set(), id="as it was"),
        pytest.param({"reading": 0.4, "analysis": 1.19}, set(), id="quicker, and nearly a fifth slower"),
        pytest.param({"reading": 1.0, "analysis": 1.25}, {"analysis"}, id="a quarter slower"),
        pytest.param({"reading": 3.0, "analysis": 2.0}, {"analysis", "reading"}, id="both"),
    ],
)
def test_more_than_a_fifth_is_slower(now: dict[str, float], slower: set[str]) -> None:
    assert fallen(now, {"reading": 1.0, "analysis": 1.0}) == slower


def test_the_reference_does_the_same_for_the_same_bytes() -> None:
    data = b'{"result": "Error: no such file: a.py:3\\n1 failed in 0.1s"}\n' * 20
    assert reference(data) == reference(data) > 0
    assert reference(data + data) > reference(data)


def test_every_stage_that_is_measured_has_a_kept_ratio() -> None:
    assert set(json.loads(KEPT.read_text(encoding="utf-8"))) == set(STAGES)
