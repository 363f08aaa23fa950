"""Every kind of call in a Codex rollout, with its results."""

from __future__ import annotations

from analyzer.model.words import Kind, Mark, Status
from analyzer.timeline import build_timeline
from tests.formats.codex_builders import (
    META,
    SAMPLE,
    Json,
    call,
    event,
    exited,
    item,
    output,
    record,
    script,
    session_of,
)
from tests.formats.events import calls_in, results_in
from tests.tables import table


def test_calls_before_a_result_were_sent_together() -> None:
    first, second, third = (one.batch for one in calls_in(session_of(*SAMPLE)))
    assert first == second != third


@table("a_script_is_one_call_that_shows_what_it_runs")
def test_a_script_is_one_call_that_shows_what_it_runs(input_text: str, name: str, arguments: Json, kind: Kind) -> None:
    session = session_of(
        META, script(1, "c1", input_text), item(2, "custom_tool_call_output", call_id="c1", output="Script completed")
    )
    (only,) = calls_in(session)
    assert (only.name, only.arguments) == (name, {**arguments, "raw": input_text})
    assert build_timeline(session).actions[0].kind is kind


def test_a_patch_and_a_command_in_one_script() -> None:
    text = (
        "await tools.apply_patch(`*** Begin Patch\n*** Update File: a.c\n-x\n+y\n*** End Patch`); await "
        "tools.exec_command({cmd: 'ls'})"
    )
    (action,) = build_timeline(session_of(META, script(1, "c1", text))).actions
    assert [edit.path for edit in action.operation.edits] == ["a.c"]


def test_reports_of_a_script_belong_to_its_call() -> None:
    session = session_of(
        META,
        script(1, "c1", "notify('half')"),
        item(2, "custom_tool_call_output", call_id="c1", output="half"),
        item(
            3,
            "custom_tool_call_output",
            call_id="c1",
            output=[
                {"type": "input_text", "text": "Script completed\nWall time 2.0 seconds\nOutput:\n"},
                {"type": "input_text", "text": '{"exit_code": 3, "output": "whole"}'},
            ],
        ),
    )
    assert [(one.text, one.exit_code, one.duration) for one in results_in(session)] == [("half\nwhole", 3, 2.0)]


def test_polls_wait() -> None:
    poll = {"session_id": 7, "chars": "", "yield_time_ms": 1000}
    running = "Chunk ID: b\nWall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n"
    session = session_of(
        META,
        *(one for n in (1, 2, 3) for one in (call(n, f"c{n}", "write_stdin", **poll), output(n, f"c{n}", running))),
    )
    assert [action.kind for action in build_timeline(session).actions] == [Kind.WAIT] * 3
    assert {one.text for one in results_in(session)} == {"Process running with session ID 7"}


@table("every_kind_of_call")
def test_every_kind_of_call(one: Json, name: str, arguments: object) -> None:
    (only,) = calls_in(session_of(META, one))
    assert (only.name, only.arguments) == (name, arguments)


def test_a_web_search_has_an_end_without_a_result() -> None:
    search = item(1, "web_search_call", action={"query": "q"}, status="completed")
    session = session_of(META, search, search, item(2, "web_search_call", action={"query": "q"}, status="in_progress"))
    assert [action.status for action in build_timeline(session).actions] == [Status.OK, Status.OK, Status.UNKNOWN]


def test_ids_that_repeat_are_paired_in_order() -> None:
    session = session_of(
        META,
        call(1, "REDACTED"),
        output(2, "REDACTED", exited(0, "one")),
        call(3, "REDACTED"),
        output(4, "REDACTED", exited(1, "two")),
    )
    assert [(action.result, action.exit_code) for action in build_timeline(session).actions] == [("one", 0), ("two", 1)]


def test_results_without_an_id_stay_apart() -> None:
    session = session_of(META, call(1, None), call(1, None), output(2, None, "one"), output(3, None, "two"))
    assert [action.result for action in build_timeline(session).actions] == ["one", "two"]


@table("an_event_adds_what_the_output_does_not_say")
def test_an_event_adds_what_the_output_does_not_say(
    end: Json, code: int | None, is_error: bool | None, seconds: float | None
) -> None:
    session = session_of(META, call(1, "c1"), record(2, "event_msg", **end, call_id="c1"), output(3, "c1", "said"))
    (result,) = results_in(session)
    assert (result.text, result.exit_code, result.is_error, result.duration) == ("said", code, is_error, seconds)


def test_the_end_of_a_process_is_not_the_end_of_the_call_that_started_it() -> None:
    started = "Wall time: 1.0 seconds\nProcess running with session ID 7\nOutput:\n"
    session = session_of(
        META, call(1, "c1"), output(2, "c1", started), event(9, "exec_command_end", call_id="c1", exit_code=1)
    )
    assert results_in(session)[0].exit_code is None


def test_a_denied_call_is_marked() -> None:
    session = session_of(META, call(1, "c1"), output(2, "c1", "exec command rejected by user"))
    assert [one.mark for one in results_in(session)] == [Mark.DENIED]
