from __future__ import annotations

from analyzer.case_study.conformance import conform
from analyzer.case_study.success import all_passed, check_success
from analyzer.model.case_study import Conformance
from tests.build import Part, diagnosed, timeline
from tests.case_study.story import good_run, run_1, run_2, run_3, run_4, scenario


def conformance(parts: list[Part]) -> Conformance:
    found = conform(scenario(), timeline(*parts))
    assert found is not None
    return found


def passes(parts: list[Part]) -> bool | None:
    return all_passed(check_success(scenario(), diagnosed(*parts), timeline(*parts)))


def test_the_last_run_follows_the_plan_and_passes_every_result_on() -> None:
    found = conformance(good_run())
    assert [row.conforms for row in found.rows] == [True] * 5
    assert [row.action for row in found.rows] == [1, 2, 3, 4, 5]
    assert [(entry.source, entry.source_step, entry.passed) for row in found.rows for entry in row.references] == [
        ("step_1", 1, "passed-on"),
        ("step_3", 3, "passed-on"),
        ("step_4", 4, "passed-on"),
    ]
    assert (found.fitness, found.precision, found.reached, found.extra, found.other_way) == (1.0, 1.0, 5, [], False)
    assert passes(good_run()) is True


def test_in_the_first_run_step_4_is_tried_three_times_and_never_done() -> None:
    found = conformance(run_1())
    row = found.rows[3]
    assert (row.done, row.attempts, row.action, row.deviations) == (False, 3, 9, ["wrong-arguments", "failed"])
    assert [(entry.name, entry.given, entry.renamed_to) for entry in row.arguments] == [("prompt", None, "input")]
    assert [entry.passed for entry in row.references] == ["passed-on"]
    assert (found.reached, found.planning_actions, found.repairs, found.extra) == (3, [1, 6, 8], 2, [])
    assert found.fitness < 1
    assert passes(run_1()) is False


def test_the_plan_that_is_revised_after_a_refusal_of_the_validator_counts_as_repaired() -> None:
    from tests.build import call

    refused = call("planner.validate", {}, '{"valid": false, "errors": ["step 4: input expected"]}')
    mended = call("planner.repair", {}, "Mended.")
    found = conformance([call("planner.create_plan", {}, "5 steps"), refused, mended, refused, mended, refused])
    assert (found.repairs, found.reached) == (2, 0)


def test_in_the_second_run_step_4_fails_in_the_tool() -> None:
    found = conformance(run_2())
    assert (found.rows[3].done, found.rows[3].attempts, found.rows[3].deviations) == (False, 1, ["failed"])
    assert found.rows[4].deviations == ["missing"]
    assert found.reached == 3


def test_in_the_third_run_nothing_but_planning_happens() -> None:
    found = conformance(run_3())
    assert (found.planning_actions, found.repairs, found.reached, found.precision, found.fitness) == (
        [1, 2],
        1,
        0,
        None,
        0.0,
    )
    assert {tuple(row.deviations) for row in found.rows} == {("missing",)}


def test_in_the_fourth_run_every_step_runs_and_the_result_of_step_4_is_wrong() -> None:
    found = conformance(run_4())
    assert [row.done for row in found.rows] == [True] * 5
    assert found.rows[3].deviations == ["wrong-result"]
    assert [entry.passed for entry in found.rows[3].references] == ["passed-on"]
    assert found.reached == 5
    assert 0.8 < found.fitness < 1
    assert passes(run_4()) is False
