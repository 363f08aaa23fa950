from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.api import load
from analyzer.case_study.conformance import conform
from analyzer.case_study.scenario import load_scenario
from analyzer.case_study.success import goal_reached


@pytest.mark.parametrize(
    ("run", "reached", "repairs", "off", "goal"),
    [
        (1, 0, 4, {f"step_{number}": ["missing"] for number in range(1, 6)}, False),
        (2, 3, 0, {"step_4": ["failed"], "step_5": ["missing"]}, False),
        (3, 0, 0, {f"step_{number}": ["missing"] for number in range(1, 6)}, False),
        (4, 5, 0, {"step_4": ["wrong-result"]}, False),
        (5, 5, 0, {}, True),
    ],
)
def test_the_runs_of_the_sample_get_further_and_further(
    samples: Path, run: int, reached: int, repairs: int, off: dict[str, list[str]], goal: bool
) -> None:
    folder = samples / "plugin_table"
    scenario = load_scenario(folder / "scenario.yaml")
    timeline = load(folder / f"run{run}.json").sessions[0]
    found = conform(scenario, timeline)
    assert found is not None
    assert (found.reached, found.repairs, found.extra, found.other_way) == (reached, repairs, [], False)
    assert {row.step: row.deviations for row in found.rows if not row.conforms} == off
    assert goal_reached(scenario, timeline) is goal
    assert all(entry.passed == "passed-on" for row in found.rows for entry in row.references)
