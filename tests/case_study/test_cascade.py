"""The first failure that mattered of each run, why it happened, and what became of it."""

from __future__ import annotations

import pytest

from analyzer.case_study.notes import FailureNote, Notes
from analyzer.case_study.study import astray, case_study
from analyzer.model.case_study import CaseStudy, Failing
from analyzer.model.errors import AnalyzerError
from analyzer.model.words import Mark
from tests.build import Part, call, run, says, submit, traceback
from tests.case_study.loaded import loaded, study
from tests.case_study.story import (
    PLAN,
    PLUGINS,
    ask,
    first_three,
    good_run,
    list_plugins,
    read,
    run_1,
    run_2,
    run_3,
    run_4,
    scenario,
    write,
)

FIXED = PLAN + "fixes:\n" + "".join(f"  - {{after_run: {number}, text: Change {number}.}}\n" for number in (1, 2, 3, 4))


@pytest.fixture(scope="module")
def story() -> CaseStudy:
    return study(FIXED, run_1(), run_2(), run_3(), run_4(), good_run())


def only(*parts: Part, text: str = PLAN) -> Failing:
    (failing,) = study(text, list(parts)).cascade
    return failing


def test_each_failed_run_has_the_failure_behind_the_step_beyond_which_it_didnt_get(story: CaseStudy) -> None:
    assert [(failing.run, failing.title, failing.at, failing.step) for failing in story.cascade] == [
        (1, "Argument-validation loop at step 4", "step_4", 5),
        (2, "Signature mismatch at step 4", "step_4", 4),
        (3, "Signature mismatch, in planning", "planning", 1),
        (4, "Lost context at step 4: every step runs, the result is wrong", "step_4", 4),
    ]
    assert [entry.phase for entry in story.runs] == ["execution", "execution", "planning", "result", "none"]
    assert [entry.succeeded for entry in story.runs] == [False, False, False, False, True]
    assert (story.succeeded, story.trials, story.pass_rate) == (True, False, None)


def test_symptoms_are_quoted_from_the_action_that_shows_them(story: CaseStudy) -> None:
    assert [(failing.symptom[0].step, failing.symptom[0].quote) for failing in story.cascade] == [
        (5, "Invalid arguments for tool llm.execute: missing required argument: user_input"),
        (4, "TypeError: LLMTool.execute() got an unexpected keyword argument 'prompt'"),
        (1, "TypeError: create_plan() missing 1 required keyword-only argument: 'context'"),
        (4, "I'm sorry, I don't have a plugin list to convert."),
    ]


def test_only_what_the_transcript_doesnt_show_is_a_hypothesis(story: CaseStudy) -> None:
    assert [failing.hypothesis for failing in story.cascade] == [False, False, False, True]
    assert (
        "`LLMTool.execute()` is called with `prompt`, but its signature has no such parameter."
        in story.cascade[1].root_cause
    )
    assert "ask for `user_input` and `input` in turn" in story.cascade[0].root_cause


def test_what_was_changed_and_whether_it_helped(story: CaseStudy) -> None:
    assert [(failing.solution, failing.gone, failing.gone_because) for failing in story.cascade] == [
        ("Change 1.", True, "Run 2 calls step 4 (action 4), and it fails in another way."),
        ("Change 2.", True, "Run 3 doesn't get as far, so it can't show it; run 4 carries out step 4 (action 4)."),
        ("Change 3.", True, "Run 4 gets through planning and calls step 1 (action 1)."),
        ("Change 4.", True, "Run 5 carries out step 4 (action 4) and succeeds."),
    ]


def test_what_only_the_runs_together_teach(story: CaseStudy) -> None:
    assert [(lesson.text.split(":")[0].split(",")[0], lesson.runs) for lesson in story.lessons][:3] == [
        ("Each failure hid the next one", [1, 2, 3, 4]),
        ("A fix can break what worked", [2, 3]),
        ("That every step ran doesn't mean success", [4]),
    ]


def test_a_failure_that_comes_back_isnt_gone() -> None:
    found = study(FIXED.replace("after_run: 4", "after_run: 2"), run_2(), run_2(), good_run())
    assert [(failing.gone, failing.gone_because) for failing in found.cascade] == [
        (
            False,
            (
                "Run 2 shows it again: action 4 fails with `TypeError: LLMTool.execute() got an unexpected keyword "
                "argument 'prompt'` as well."
            ),
        ),
        (True, "Run 3 carries out step 4 (action 4) and succeeds."),
    ]


def test_where_no_later_run_gets_as_far_nobody_knows() -> None:
    found = study(PLAN + "fixes: [{after_run: 1, text: x}]\n", run_2(), run_3())
    assert (found.cascade[0].gone, found.cascade[0].gone_because) == (
        None,
        "Run 2 doesn't get as far, so nothing shows it.",
    )
    assert (found.cascade[1].gone, found.cascade[1].gone_because) == (None, None)


def test_a_call_that_gives_what_is_asked_for_and_is_rejected_all_the_same() -> None:
    def refused(given: str) -> Part:
        answer = (
            "Invalid plan: step 4 (llm.execute): missing required argument 'input'; unexpected argument 'prompt'\n  "
            f"given: {given}"
        )
        return call("planner.validate", {"plan": given}, answer, is_error=True, mark=Mark.REJECTED)

    failing = only(refused("prompt"), refused("prompt (alias of input)"), refused("prompt, input"))
    assert [evidence.step for evidence in failing.symptom] == [1, 3]
    assert "Even calls that give `input` were rejected as lacking it." in failing.root_cause
    failing = only(refused("prompt"), refused("prompt (alias of input)"), refused("prompt"))
    assert "Even calls" not in failing.root_cause


def test_an_argument_bound_to_the_wrong_parameter_is_read_from_the_trace() -> None:
    error = traceback(
        "TypeError: context must be a Context, not str",
        ("/app/planner.py", 9, "create_plan", "answer = self.llm.execute(question)"),
        ("/app/llm.py", 4, "execute", 'raise TypeError(f"context must be a Context, not {type(context).__name__}")'),
    )
    failing = only(call("planner.create_plan", {"goal": "table"}, error, is_error=True))
    assert failing.title == "TypeError: an argument bound to the wrong parameter, in planning"
    assert failing.hypothesis
    assert (
        "The call at `/app/planner.py:9` passes `question` by position (`execute(question)`), and it was "
        "probably bound to `context`."
    ) in failing.root_cause


def test_an_argument_that_is_named_at_the_call_isnt_bound_to_the_wrong_parameter() -> None:
    error = traceback(
        "TypeError: context must be a Context, not str",
        ("/app/planner.py", 9, "create_plan", "answer = self.llm.execute(context=question)"),
        ("/app/llm.py", 4, "execute", 'raise TypeError(f"context must be a Context, not {type(context).__name__}")'),
    )
    failing = only(call("planner.create_plan", {"goal": "table"}, error, is_error=True))
    assert failing.title == "TypeError: context must be a Context, not str, in planning"
    assert "bound" not in failing.root_cause


def test_a_reference_that_was_never_put_in_is_the_cause() -> None:
    failing = only(
        list_plugins(),
        write("temp_plugins.txt", "$result.step_1"),
        read("temp_plugins.txt", "$result.step_1"),
        ask("| a |", about="$result.step_1"),
        write("plugins.md", "| a |"),
    )
    assert failing.title == "The result of step 1 was not substituted on its way to step 2"
    assert not failing.hypothesis
    assert "the text `$result.step_1`" in failing.root_cause


def test_a_step_that_was_left_out() -> None:
    failing = only(*first_three(), submit("Done."))
    assert (failing.title, failing.at, failing.step) == ("Step 4 left out", "step_4", None)


def test_a_failure_on_the_way_that_the_run_got_over_isnt_the_one_that_mattered() -> None:
    stumble = call("files.read_file", {"path": "nowhere.txt"}, "FileNotFoundError: nowhere.txt", is_error=True)
    failing = only(
        list_plugins(),
        stumble,
        *first_three()[1:],
        ask("TypeError: LLMTool.execute() got an unexpected keyword argument 'prompt'", is_error=True),
    )
    assert (failing.at, failing.step) == ("step_4", 5)


def test_a_run_that_succeeds_has_none_whatever_happened_on_the_way() -> None:
    stumble = call("files.read_file", {"path": "nowhere.txt"}, "FileNotFoundError: nowhere.txt", is_error=True)
    found = study(PLAN, [stumble, *good_run()])
    assert (found.cascade, found.succeeded) == ([], True)


def test_without_a_plan_the_diagnosis_tells() -> None:
    failing = only(
        run("make", "make: *** No rule to make target 'all'.  Stop.", 2),
        says("I can't build it."),
        text="title: t\nprompt: p\nsuccess: {final_answer: {contains: built}}\n",
    )
    assert failing.run == 1
    assert failing.symptom


def test_a_wrong_result_that_nothing_explains_is_reported_as_such() -> None:
    failing = only(
        run("ls", "a"), says("It's done."), text="title: t\nprompt: p\nsuccess: {final_answer: {contains: forty-two}}\n"
    )
    assert (failing.title, failing.detector) == ("Wrong result", None)
    assert failing.root_cause.startswith("The transcript alone doesn't show it.")


def test_a_fix_may_name_its_run() -> None:
    found = study(PLAN + "fixes: [{after_run: run-1, text: Mended.}]\n", run_2(), good_run())
    assert found.cascade[0].solution == "Mended."


def test_a_fix_after_a_run_that_isnt_there_is_left_out_and_reported() -> None:
    found = study(
        PLAN + "fixes: [{after_run: 7, commits: HEAD, repository: nowhere}, {after_run: 1, text: Mended.}]\n",
        run_2(),
        good_run(),
    )
    assert found.cascade[0].solution == "Mended."
    assert astray(found) == [
        "fixes, entry 1: there is no run 7, so this fix isn't shown; the runs are 1 (run-1), 2 (run-2)."
    ]


def test_without_runs_there_is_no_case_study() -> None:
    with pytest.raises(AnalyzerError, match="no recorded run"):
        case_study(scenario(), [])


def test_a_solution_in_the_notes_makes_it_a_story() -> None:
    notes = Notes(failures=[FailureNote(1, None, {"solution": "Renamed it."})])
    assert not study(PLAN, run_2(), good_run(), notes=notes).trials


def test_another_version_of_the_agent_makes_it_a_story() -> None:
    runs = [loaded("a", *run_2(), agent_version="1"), loaded("b", *good_run(), agent_version="2")]
    assert not case_study(scenario(), runs).trials


def test_a_goal_reached_in_another_way_isnt_a_failure() -> None:
    table = "| n |\n|-|\n" + "\n".join(f"| {line.split(':')[0]} |" for line in PLUGINS.split("\n"))
    found = study(PLAN, [list_plugins(), write("plugins.md", table)])
    assert (found.succeeded, found.cascade) == (True, [])
    assert found.runs[0].conformance is not None
    assert found.runs[0].conformance.other_way
