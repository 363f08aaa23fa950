from __future__ import annotations

import pytest

from analyzer.case_study.conformance import conform
from analyzer.model.case_study import Conformance
from tests.build import Part, call, read, run, think, timeline, together, write
from tests.case_study.story import scenario
from tests.sessions import Written, parts_of
from tests.tables import table

HEAD = "title: t\nprompt: p\nplan:\n"


def conformance(plan: str, *parts: Part, succeeded: bool | None = None) -> Conformance:
    lines = [line for line in plan.strip("\n").split("\n") if line.strip()]
    found = conform(scenario(HEAD + "\n".join(f"  {line}" for line in lines)), timeline(*parts), succeeded)
    assert found is not None
    return found


def done(tool: str, **arguments: object) -> Part:
    return call(tool, arguments, "fine")


def failing(tool: str, **arguments: object) -> Part:
    return call(tool, arguments, "Error: it broke", is_error=True)


ABC = "- tool: a\n- tool: b\n- tool: c"


def test_a_scenario_without_a_plan_has_no_conformance() -> None:
    assert conform(scenario("title: t\nprompt: p\n"), timeline(done("a"))) is None


@table("steps_are_found_in_the_run")
def test_steps_are_found_in_the_run(
    parts: Written, rows: list[tuple[int | None, list[str]]], extra: list[int], reached: int
) -> None:
    found = conformance(ABC, *parts_of(parts))
    assert [(row.action, list(row.deviations)) for row in found.rows] == rows
    assert (found.extra, found.reached) == (extra, reached)


def test_attempts_are_counted_and_cost_no_fitness() -> None:
    found = conformance(ABC, done("a"), failing("b"), think("why?"), failing("b"), done("b"), done("c"))
    assert [row.attempts for row in found.rows] == [1, 3, 1]
    assert (found.fitness, found.precision) == (1.0, 1.0)


def test_a_step_that_is_done_otherwise_and_then_as_planned_was_tried_twice() -> None:
    plan = "- tool: save\n  arguments: {path: a.md, content: new}"
    found = conformance(plan, done("save", path="a.md", content="old"), done("save", path="a.md", content="new"))
    assert (found.rows[0].action, found.rows[0].attempts, found.rows[0].deviations, found.extra) == (2, 2, [], [])


def test_looks_are_not_extra_and_change_nothing() -> None:
    found = conformance(
        ABC,
        read("x.py"),
        done("a"),
        run("grep -n b x.py", "3:b"),
        done("b"),
        done("get_status"),
        run("echo hello", "hello"),
        done("c"),
        read("x.py"),
    )
    assert (found.fitness, found.precision, found.extra) == (1.0, 1.0, [])


def test_calls_that_were_sent_together_have_no_order() -> None:
    found = conformance(ABC, done("a"), together("batch-1", call("c", {}, "fine"), call("b", {}, "fine")))
    assert [(row.action, row.deviations) for row in found.rows] == [(1, []), (3, []), (2, [])]
    assert found.fitness == 1.0


def test_optional_steps_may_be_left_out() -> None:
    plan = "- tool: a\n- tool: b\n  optional: true\n- tool: c"
    without, with_it = conformance(plan, done("a"), done("c")), conformance(plan, done("a"), done("b"), done("c"))
    assert [(row.done, row.conforms, row.deviations) for row in without.rows] == [
        (True, True, []),
        (False, True, []),
        (True, True, []),
    ]
    assert (without.fitness, without.reached) == (1.0, 2)
    assert (with_it.fitness, with_it.reached) == (1.0, 3)


def test_steps_of_a_group_come_in_any_order() -> None:
    plan = "- tool: a\n- any_order:\n  - tool: b\n  - tool: c\n  - tool: d\n- tool: e"
    for order in ("bcd", "dcb", "cdb"):
        found = conformance(plan, done("a"), *(done(tool) for tool in order), done("e"))
        assert (found.fitness, found.reached, found.extra) == (1.0, 5, [])
    part = conformance(plan, done("a"), done("d"), done("b"), done("e"))
    assert [(row.tool, row.done) for row in part.rows] == [
        ("a", True),
        ("b", True),
        ("c", False),
        ("d", True),
        ("e", True),
    ]
    assert part.reached == 3


def test_a_group_that_is_too_large_for_all_orders_is_followed_as_well() -> None:
    names = [f"t{number}" for number in range(20)]
    plan = "- tool: a\n- any_order:\n" + "\n".join(f"  - tool: {name}" for name in names) + "\n- tool: e"
    found = conformance(plan, done("a"), *(done(name) for name in reversed(names)), done("e"))
    assert (found.fitness, found.reached, found.extra) == (1.0, 22, [])


def test_of_several_ways_the_one_that_was_gone_is_shown() -> None:
    plan = (
        "- tool: a\n- one_of:\n  - - tool: edit\n      arguments: {path: x}\n  - - tool: drop\n    - tool: make\n- "
        "tool: e"
    )
    found = conformance(plan, done("a"), done("drop"), done("make"), done("e"))
    assert [(row.step, row.tool) for row in found.rows] == [
        ("step_1", "a"),
        ("step_3", "drop"),
        ("step_4", "make"),
        ("step_5", "e"),
    ]
    assert found.fitness == 1.0


def test_a_way_of_one_step_needs_no_list() -> None:
    plan = "- one_of:\n  - tool: a\n  - - tool: b\n    - tool: c"
    assert [conformance(plan, *(done(tool) for tool in run)).fitness for run in ("a", "bc")] == [1.0, 1.0]


def test_one_way_may_be_empty() -> None:
    plan = "- one_of:\n  - - tool: a\n  - []\n- tool: b"
    assert conformance(plan, done("b")).fitness == 1.0


@table("arguments_are_compared_by_value")
def test_arguments_are_compared_by_value(expected: str, given: object, right: bool) -> None:
    found = conformance(
        f"- tool: a\n  arguments: {{x: {expected}, other: 1}}", done("a", x=given, other=1, more="ignored")
    )
    assert found.rows[0].deviations == ([] if right else ["wrong-arguments"])
    assert [entry.name for entry in found.rows[0].arguments] == ([] if right else ["x"])


def test_an_argument_under_another_name_is_seen() -> None:
    found = conformance("- tool: ask\n  arguments: {prompt: Say hello}", done("ask", user_input="Say  hello"))
    assert [(entry.name, entry.given, entry.renamed_to) for entry in found.rows[0].arguments] == [
        ("prompt", None, "user_input")
    ]
    assert 0 < found.fitness < 1


def test_an_argument_that_is_missing_is_no_other_one() -> None:
    found = conformance("- tool: ask\n  arguments: {prompt: Say hello}", done("ask", user_input="Say goodbye"))
    assert [(entry.name, entry.given, entry.renamed_to) for entry in found.rows[0].arguments] == [
        ("prompt", None, None)
    ]


@pytest.mark.parametrize(
    "name", ["files.write", "files__write", "mcp__files__write", "Files.Write", "write", "files/write"]
)
def test_a_tool_is_known_by_however_its_namespace_is_written(name: str) -> None:
    assert conformance("- tool: files.write", done(name)).rows[0].done


@table("a_star_stands_for_any_part_of_a_tools_name")
def test_a_star_stands_for_any_part_of_a_tools_name(pattern: str, name: str, fits: bool) -> None:
    assert conformance(f"- tool: '{pattern}'", done(name)).rows[0].done is fits


def test_any_of_several_tools_will_do() -> None:
    found = conformance("- tool: [write, edit]", done("edit"))
    assert (found.rows[0].tool, found.rows[0].done) == ("write or edit", True)


def test_a_look_at_something_else_is_not_the_plans() -> None:
    plan = "- tool: get_order\n  arguments: {id: W6247578}\n- tool: cancel_order\n  arguments: {id: W6247578}"
    found = conformance(plan, done("get_order", id="W9711842"), done("cancel_order", id="W9711842"))
    assert [row.deviations for row in found.rows] == [["missing"], ["wrong-arguments"]]


def test_calls_of_one_tool_are_distinguished_by_their_arguments() -> None:
    plan = "- tool: cancel\n  arguments: {id: A1, why: cheaper}\n- tool: cancel\n  arguments: {id: B2, why: cheaper}"
    found = conformance(plan, failing("cancel", id="B2", why="too late"), done("cancel", id="B2", why="cheaper"))
    assert [(row.action, row.attempts, row.deviations) for row in found.rows] == [(None, 0, ["missing"]), (2, 2, [])]


def test_a_command_that_has_nothing_of_the_plans_is_not_taken_for_it() -> None:
    found = conformance(
        "- tool: bash\n  arguments: {command: {matches: pytest}}",
        run("pip install x", "done"),
        run("pytest -q", "1 passed"),
    )
    assert (found.rows[0].action, found.rows[0].attempts, found.extra) == (2, 1, [1])


def test_a_call_without_a_result_where_others_have_one_was_not_carried_out() -> None:
    found = conformance(ABC, done("a"), call("b", {}, None))
    assert (found.rows[1].done, found.rows[1].attempts, found.rows[1].deviations) == (False, 1, ["failed"])


def test_where_no_result_is_recorded_at_all_calls_count_as_done() -> None:
    assert conformance(ABC, call("a", {}, None), call("b", {}, None), call("c", {}, None)).fitness == 1.0


def test_planning_is_taken_apart_from_the_execution() -> None:
    found = conformance(ABC, call("TodoWrite", {"todos": []}, "ok"), done("a"), done("b"), done("c"))
    assert (found.planning_actions, found.precision) == ([1], 1.0)


def test_a_to_do_list_that_goes_on_after_a_failure_mends_no_plan() -> None:
    todo = call("TodoWrite", {"todos": []}, "ok")
    assert conformance(ABC, todo, failing("a"), todo, done("a")).repairs == 0


def test_actions_of_sub_agents_are_not_the_plans() -> None:
    found = conformance("- tool: a", done("a"), call("x", {}, "fine", lane="helper"))
    assert found.extra == []


def test_a_run_that_succeeds_without_following_the_plan_went_another_way() -> None:
    text = HEAD + "  - tool: save\n    arguments: {path: a.md}\nsuccess:\n  files:\n    - {path: a.md, contains: x}\n"
    parts = [run("cat > a.md <<'E'\nx\nE", ""), run("ls", "a.md")]
    found = conform(scenario(text), timeline(*parts))
    assert found is not None
    assert (found.other_way, found.rows[0].done) == (True, False)
    failed = conform(scenario(text), timeline(write("a.md", "y")))
    assert failed is not None
    assert not failed.other_way


def test_who_asks_may_say_whether_the_run_succeeded() -> None:
    assert conformance(ABC, done("x"), succeeded=True).other_way
    assert not conformance(ABC, done("a"), done("b"), done("c"), succeeded=True).other_way
    assert not conformance(ABC, done("x")).other_way
