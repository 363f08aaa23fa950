"""Which result belongs to which call, and what is known about each step."""

from __future__ import annotations

from analyzer.model.session import Compaction, ReadWarning, ToolCall, ToolResult
from analyzer.model.words import Kind, Mark, Status, StatusSource
from analyzer.timeline import Timeline
from tests.build import call, edit, run, says, session, submit, think, timeline, together, user


def results(made: Timeline) -> list[str | None]:
    return [action.result for action in made.actions]


def test_results_go_to_the_calls_with_their_ids_in_whatever_order_they_come() -> None:
    made = timeline(
        [ToolCall("a", "bash", {}), ToolCall("b", "bash", {}), ToolCall("c", "bash", {})],
        [ToolResult("c", "third"), ToolResult("a", "first"), ToolResult("b", "second")],
    )
    assert results(made) == ["first", "second", "third"]


def test_an_id_that_repeats_goes_to_the_oldest_call_without_a_result() -> None:
    same = "REDACTED"
    made = timeline(
        [ToolCall(same, "bash", {}), ToolResult(same, "first")],
        [ToolCall(same, "bash", {}), ToolCall(same, "bash", {}), ToolResult(same, "second"), ToolResult(same, "third")],
    )
    assert results(made) == ["first", "second", "third"]


def test_calls_without_ids_are_answered_in_order() -> None:
    made = timeline(
        ToolCall(None, "bash", {}), ToolCall(None, "bash", {}), ToolResult(None, "first"), ToolResult(None, "second")
    )
    assert results(made) == ["first", "second"]


def test_calls_without_a_result_are_named_and_unknown() -> None:
    made = timeline(run("ls", "a.py"), run("ls", None), run("pwd", None))
    assert results(made) == ["a.py", None, None]
    assert [action.status for action in made.actions] == [Status.OK, Status.UNKNOWN, Status.UNKNOWN]
    assert made.warnings == [ReadWarning("steps 2, 3", "2 calls have no recorded result")]


def test_a_long_list_of_calls_without_a_result_is_cut() -> None:
    made = timeline(*(run("ls", None) for _ in range(12)), run("pwd", "/"))
    assert made.warnings[0].where == "steps 1, 2, 3, 4, 5, 6, 7, 8 ..."


def test_results_of_no_call_are_left_out_and_counted() -> None:
    made = timeline(ToolResult("x", "early"), run("ls", "a.py"), ToolResult("y", "other"), ToolResult(None, "no id"))
    assert results(made) == ["a.py"]
    assert made.warnings == [ReadWarning("results", "3 results belong to no call that was recorded; left out")]


def test_a_result_in_another_lane_is_not_the_calls() -> None:
    made = timeline(ToolCall("a", "bash", {}), ToolResult("a", "theirs", lane="helper"))
    assert results(made) == [None]


def test_warnings_of_the_reader_are_kept() -> None:
    warning = ReadWarning("line 3", "not JSON; skipped")
    assert timeline(run("ls"), warnings=[warning]).warnings == [warning]


def test_building_leaves_the_session_as_it_was() -> None:
    made = session(run("ls", None))
    timeline_of = timeline(made.events, warnings=made.warnings)
    assert timeline_of.warnings
    assert made.warnings == []


def test_every_lane_has_its_own_steps() -> None:
    made = timeline(
        run("ls"), run("ls", lane="helper"), run("pwd"), run("pwd", lane="helper"), run("ls", lane="second")
    )
    assert [(action.lane, action.step) for action in made.actions] == [
        ("main", 1),
        ("helper", 1),
        ("main", 2),
        ("helper", 2),
        ("second", 1),
    ]
    assert made.lanes() == ["main", "helper", "second"]
    assert [action.operation.target for action in made.lane("helper")] == ["ls", "pwd"]


def test_the_main_lane_comes_first_even_when_it_starts_later() -> None:
    assert timeline(run("ls", lane="helper"), run("ls")).lanes() == ["main", "helper"]


def test_an_empty_session_has_an_empty_timeline() -> None:
    made = timeline()
    assert (made.actions, made.groups, made.lanes(), made.warnings) == ([], [], ["main"], [])


def test_parallel_calls_are_numbered_as_listed_and_keep_their_batch() -> None:
    made = timeline(together("m1", run("ls", "1"), run("pwd", "2")), run("wc", "3"))
    assert [(action.step, action.batch, action.result) for action in made.actions] == [
        (1, "m1", "1"),
        (2, "m1", "2"),
        (3, None, "3"),
    ]


def test_what_was_said_before_a_batch_is_the_intent_of_each_of_its_calls() -> None:
    made = timeline(says("I'll look around."), together("m1", run("ls"), run("pwd")), run("wc"))
    assert [action.said for action in made.actions] == ["I'll look around.", "I'll look around.", ""]


def test_all_that_was_said_since_the_call_before_is_the_intent() -> None:
    made = timeline(run("ls"), says("Hm."), says("  I'll count them. "), says(" "), run("wc"))
    assert made.actions[1].said == "Hm.\n\nI'll count them."


def test_an_intent_stays_in_its_lane() -> None:
    made = timeline(says("For me."), run("ls", lane="helper"), run("pwd"))
    assert [action.said for action in made.actions] == ["", "For me."]


def test_the_user_speaking_between_two_steps_is_noted_on_the_later_one() -> None:
    made = timeline(user("Do it."), run("ls"), user("Now count."), run("wc"), run("pwd"))
    assert [action.after_user for action in made.actions] == [False, True, False]


def test_a_user_who_repeats_the_same_words_says_nothing_new() -> None:
    made = timeline(user("Go on."), run("ls"), user("Go\n on."), run("wc"))
    assert [action.after_user for action in made.actions] == [False, False]


def test_a_compaction_is_noted_on_the_next_step_of_its_lane() -> None:
    made = timeline(run("ls"), Compaction(), run("ls", lane="helper"), run("wc"), run("pwd"))
    assert [action.compacted_before for action in made.actions] == [False, False, True, False]


def test_entries_of_the_harness_are_numbered_but_not_judged() -> None:
    made = timeline(run("ls"), call("exit_cost", {}, "Traceback: error", harness=True), run("ls", None, harness=True))
    assert [(action.step, action.status, action.failure) for action in made.actions][1] == (2, Status.UNKNOWN, None)
    assert made.warnings == []


def test_the_call_that_hands_in_the_work_needs_no_result() -> None:
    made = timeline(run("ls"), submit())
    assert made.actions[1].task_done
    assert made.actions[1].kind is Kind.FINISH
    assert made.warnings == []


def test_a_recorded_exit_code_is_a_recorded_status() -> None:
    made = timeline(run("make", "done", 0), run("make", "ld: no such symbol", 2))
    assert [(action.status, action.status_source, action.exit_code) for action in made.actions] == [
        (Status.OK, StatusSource.RECORDED, 0),
        (Status.ERROR, StatusSource.RECORDED, 2),
    ]


def test_a_status_that_only_the_text_shows_is_inferred() -> None:
    made = timeline(run("./tool", "bash: ./tool: No such file or directory", None))
    assert (made.actions[0].status, made.actions[0].status_source) == (Status.ERROR, StatusSource.INFERRED)


def test_a_search_without_a_hit_is_no_failure() -> None:
    assert timeline(run("grep -rn foo src", "", 1)).actions[0].failure is None


def test_a_note_that_speaks_of_an_error_is_no_failure() -> None:
    made = timeline(
        call("think", {"thought": "x"}, "Error: is what it printed"), call("TodoWrite", {"todos": []}, "Error: fix it")
    )
    assert [action.failure for action in made.actions] == [None, None]


def test_a_note_that_the_log_says_was_refused_is_a_failure() -> None:
    assert timeline(call("TodoWrite", {"todos": []}, "Error: bad list", is_error=True)).actions[0].failure is not None


def test_a_call_cancelled_with_its_neighbour_is_no_failure_of_its_own() -> None:
    made = timeline(run("ls", "Cancelled.", None, mark=Mark.CASCADE), run("pwd", "Refused.", None, mark=Mark.DENIED))
    assert [action.failed for action in made.actions] == [False, True]


def test_a_duration_is_taken_from_the_times_where_none_is_recorded() -> None:
    made = timeline(
        call("bash", {"command": "ls"}, "x", at=100.0, took=2.5),
        ToolCall("t", "bash", {}, 100.0),
        ToolResult("t", "x", time=103.0),
        ToolCall("u", "bash", {}, 100.0),
        ToolResult("u", "x", time=99.0),
        ToolCall("v", "bash", {"command": "lint", "timeout": 30_000}, 100.0),
        ToolResult("v", "x", time=3_600.0),
        run("ls"),
    )
    # A result that is older than its call has another clock, and one that came long after the call's own limit had been
    # waiting for somebody: how long that took isn't known.
    assert [action.duration for action in made.actions] == [2.5, 3.0, None, None, None]


def test_failures_that_come_back_are_groups() -> None:
    boom = 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    f()\nValueError: boom'
    made = timeline(
        run("python a.py", boom, 1), edit("a.py", "x", "y"), run("python a.py", boom, 1), run("python a.py", "ok", 0)
    )
    (group,) = made.groups
    assert (group.steps, group.match, made.group(group.id), made.group(None)) == ([1, 3], "identical", group, None)
    assert [action.step for action in made.failed()] == [1, 3]


def test_thinking_is_a_step() -> None:
    made = timeline(think("Where is it?"), run("ls"))
    assert [(action.step, action.kind) for action in made.actions] == [(1, Kind.THINK), (2, Kind.SEARCH)]
