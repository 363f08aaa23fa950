"""Each action of the timeline: its line, its links, and what it opens to."""

from __future__ import annotations

from analyzer.model.session import Compaction
from tests.build import Part, call, edit, pytest_report, read, run, says, submit, timeline, traceback, user
from tests.build import session as made_session
from tests.report.html.pages import Element, Parsed, page, parsed, written

FAILS = pytest_report(
    "ValueError: Need at least 4 corners",
    test_code="Quad(corners=[0, 1, 2])",
    raised=("shapes.py", 49, "raise ValueError('corners')"),
)
LOOP: list[Part] = [[edit("shapes.py", f"a{n}", f"b{n}", said=f"Try {n}."), run("pytest", FAILS, 1)] for n in range(4)]


def texts(element: Element, shown: Parsed) -> list[str]:
    return [one.text for one in shown.all("pre") if one.inside(element.id)]


def labels(element: Element, shown: Parsed) -> list[str]:
    return [
        one.text
        for one in shown.all("p")
        if one.parents[-1].classes == ["in"] and one.inside(element.id) and not one.classes
    ]


def line(element: Element, shown: Parsed) -> str:
    (summary,) = [one for one in shown.all("summary") if one.parents[-1] is element]
    return " ".join(summary.text.split())


def test_a_step_says_what_it_did_and_opens_to_all_of_it() -> None:
    shown = page(user("Look."), run("ls -l src", "total 0", took=2.5, said="First a look."))
    step = shown.by_id("step-1")
    assert (step.tag, "data-status" in step.attributes) == ("details", False)
    assert line(step, shown) == "1search✓ okbash ls -l src2.5 s"
    assert labels(step, shown) == ["The agent said", "Call of bash", "Result, exit code 0"]
    assert texts(step, shown) == ["First a look.", "command: ls -l src", "total 0"]


def test_an_edit_shows_what_was_there_and_what_is_now() -> None:
    shown = page(edit("a.py", "x = 1\ny = 2", "x = 2"))
    assert [(one.classes, one.text) for one in shown.all("pre")] == [
        ([], "path: a.py"),
        (["diff"], "-x = 1\n-y = 2\n+x = 2"),
        ([], "Edited."),
    ]
    assert [line.text for line in shown.all("span", "del")] == ["-x = 1", "-y = 2"]
    assert [line.text for line in shown.all("span", "ins")] == ["+x = 2"]


def test_a_long_edit_is_shown_as_two_texts() -> None:
    shown = page(edit("a.py", "\n".join(f"x{n} = 1" for n in range(500)), "x = 2"))
    assert [one.classes for one in shown.all("pre") if one.classes] == [["old"], ["old"], ["old"], ["new"]]


def test_a_failure_says_where_it_comes_from_and_how_it_got_there() -> None:
    shown = page(*LOOP)
    (failure,) = [one for one in shown.all("div", "failure") if one.inside("step-2")]
    assert "ValueError: Need at least 4 corners" in failure.text
    assert "Comes from test tests/test_shapes.py:12" in " ".join(failure.text.split())
    frames = [one for one in shown.all("li") if one.inside("step-2") and one.inside("frames")]
    assert [frame.text.split()[0] for frame in frames] == ["test", "project"]
    assert [frame.classes for frame in frames] == [["origin"], []]
    assert frames[0].text.endswith("comes from here")
    (test,) = [one.text for one in shown.all("li") if one.inside("step-2") and one.inside("tests")]
    assert test == "tests/test_shapes.py::test_area"


def test_the_line_of_a_failure_says_what_came_back() -> None:
    shown = page(*LOOP)
    assert line(shown.by_id("step-4"), shown) == (
        "4test✕ failedbash pytestValueError: Need at least 4 corners · 1 of 4 tests failed · the same error again"
    )


def test_steps_and_findings_lead_to_each_other() -> None:
    shown = page(*LOOP)
    beside = [one for one in shown.elements if one.tag == "a" and one.inside("links")]
    assert "#group-F1" in {one.attributes["href"] for one in beside}
    assert "#finding-1" in {one.attributes["href"] for one in beside}
    loop, cause = (
        {one.attributes["href"] for one in shown.all("a") if one.inside(name)} for name in ("finding-1", "finding-2")
    )
    assert "#finding-2" in loop
    assert {"#step-2", "#step-4", "#step-6", "#step-8"} <= cause
    (row,) = [one for one in shown.all("tr") if one.id == "group-F1"]
    assert "#step-8" in [one.attributes["href"] for one in shown.all("a") if one.inside(row.id)]


def test_all_steps_of_a_loop_lead_to_it() -> None:
    shown = page(*LOOP)
    edits = [one for one in shown.all("div", "row") if "edit" in one.text and "Try 2." in one.text]
    (links,) = [one.text for one in shown.all("p", "links") if one.parents[-1] is edits[0]]
    assert links.strip().startswith("finding 1")
    assert "Edit-test loop" in shown.by_id("finding-1").text


def test_nothing_else_can_be_pressed_in_what_opens_a_step() -> None:
    shown = page(*LOOP)
    assert not [
        one
        for one in shown.elements
        if one.tag in ("a", "button", "input") and any(outer.tag == "summary" for outer in one.parents)
    ]


def test_the_user_is_heard_before_the_step() -> None:
    shown = page(user("Do it."), run("make"), user("No, <b>cleanly</b>."), run("make clean"), says("Done."))
    step = shown.by_id("step-2")
    assert "after the user" in line(step, shown)
    assert labels(step, shown)[0] == "The user said"
    assert texts(step, shown)[0] == "No, <b>cleanly</b>."
    (closing,) = shown.all("details", "closing")
    assert closing.text.endswith("Done.")


def test_a_compacted_context_is_said() -> None:
    shown = page(run("make"), Compaction(), run("make clean"))
    assert "context compacted" in line(shown.by_id("step-2"), shown)


def test_what_was_not_recorded_is_said() -> None:
    shown = page(run("make", None), submit())
    assert labels(shown.by_id("step-1"), shown) == ["Call of bash", "No result was recorded"]
    assert "? no result" in line(shown.by_id("step-1"), shown)
    assert labels(shown.by_id("step-2"), shown)[0] == "Call of submit without arguments"
    empty = page(run("true", ""))
    assert "empty" in empty.by_id("step-1").text


def test_arguments_that_are_no_names_are_shown_as_they_were() -> None:
    shown = page(call("bash", "{broken", "no JSON"))
    assert texts(shown.by_id("step-1"), shown) == ["{broken", "no JSON"]


def test_lanes_have_their_own_numbers() -> None:
    shown = page(
        run("ls"), run("ls a", lane="helper"), run("ls b", lane="helper"), run("ls c", lane="tester"), run("pwd")
    )
    assert [one.id for one in shown.all("details", "step")] == [
        "step-1",
        "lane-1-step-1",
        "lane-1-step-2",
        "lane-2-step-1",
        "step-2",
    ]
    assert "helper" in line(shown.by_id("lane-1-step-2"), shown)
    assert shown.by_id("lane-2-step-1").attributes["data-lane"] == "2"
    (lanes,) = [one for one in shown.all("select") if one.attributes["data-filter"] == "lane"]
    assert " ".join(lanes.text.split()) == "allmain (2)helper (2)tester (1)"


def test_sub_agents_are_a_tree_under_the_actions_that_name_them() -> None:
    task = call("Task", {"description": "Count"}, "Counted. agentId: counter")
    nested = call("Task", {"description": "Look"}, "agentId: helper-7", lane="counter")
    shown = page(task, nested, run("ls", lane="helper-7"), run("pwd"))
    tree = " ".join(shown.all("details", "lanes")[0].text.split())
    assert "main: 2 actionscounter: 1 action; Task Count (step 1)helper-7: 1 action; Task Look" in tree
    inside = [one.attributes["href"] for one in shown.all("a") if one.inside("lanes")]
    assert inside == ["#step-1", "#lane-1-step-1", "#step-1", "#lane-2-step-1", "#lane-1-step-1"]


def test_findings_of_a_lane_lead_to_its_steps() -> None:
    parts = [
        [edit("shapes.py", f"a{n}", f"b{n}", lane="helper"), run("pytest", FAILS, 1, lane="helper")] for n in range(4)
    ]
    shown = page(run("ls"), *parts)
    assert "explained by" in shown.by_id("finding-1").text
    assert "#lane-1-step-4" in [one.attributes["href"] for one in shown.all("a") if one.inside("finding-2")]
    assert "#step-4" not in shown.links()


def test_filters_count_and_those_that_change_nothing_are_left_out() -> None:
    shown = page(*LOOP)
    chosen = {one.attributes["data-filter"]: " ".join(one.text.split()) for one in shown.all("select")}
    assert chosen == {
        "kind": "alledit (4)test (4)",
        "status": "allok (4)failed (4)",
        "group": "allF1: ValueError: Need at least 4 corners (4)",
    }
    assert not page(read("a.py"), read("b.py")).all("select")


def test_a_long_trace_shows_its_end() -> None:
    frames = [(f"part{number}.py", number + 1, f"go{number}", "go()") for number in range(40)]
    shown = page(run("python part0.py", traceback("KeyError: 'x'", *frames), 1))
    (failure,) = shown.all("div", "failure")
    assert "the last 16 of 40 frames" in failure.text
    assert len([one for one in shown.all("li") if one.inside("frames")]) == 16


def test_recordings_and_timelines_have_the_same_steps() -> None:
    entry = made_session(*LOOP, run("ls", lane="helper"))
    assert len(parsed(written(entry)).all("details", "step")) == len(timeline(*LOOP, run("ls", lane="helper")).actions)


def test_a_step_says_which_it_repeats_and_leads_there() -> None:
    shown = page(run("ls src", "a.py"), read("a.py"), run("ls src", "a.py"))
    (link,) = [one for one in shown.all("a") if one.attributes.get("href") == "#step-1" and one.inside("in")]
    assert link.text == "step 1"
    assert [tag.text for tag in shown.all("span", "tag")] == ["repeats 1"]
    assert "Repeats step 1: same call." in [one.text for one in shown.all("p")]


def test_a_failure_says_what_brought_it_in_where_something_shows_that() -> None:
    missing = traceback("ModuleNotFoundError: No module named 'tides'", ("/w/a.py", 1, "<module>", "import tides"))
    other = traceback("KeyError: 'low'", ("/w/b.py", 1, "<module>", "LOW['low']"))
    shown = page(run("python a.py", missing, 1), run("python b.py", other, 1))
    said = [" ".join(one.text.split()) for one in shown.all("p") if one.text.startswith("What introduced it")]
    assert said == [
        "What introduced it: The environment (/w/a.py:1). The module tides isn't installed, and nothing before this "
        "step shows its installation (confidence 80%)"
    ]
