"""Work that wasn't done: when the agent says so or shows it, and when something else ended the session."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.words import Ending, Severity
from tests.build import Part, call, diagnosed, edit, findings, pytest_report, read, run, says, submit, user, write
from tests.detectors.given_up import FIX, REFUSED, TASK
from tests.sessions import Written, parts_of
from tests.tables import table


@table("fires")
def test_fires(parts: Written, kind: str, steps: list[int]) -> None:
    (found,) = findings(*parts_of(parts), detector="gave-up", task=TASK)
    assert (found.kind, found.steps, found.detectable_at) == (kind, steps, steps[-1])


@pytest.mark.parametrize(
    ("parts", "header"),
    [
        pytest.param([read("shapes.py"), FIX, says("I fixed the bug.")], {}, id="done"),
        pytest.param(
            [read("shapes.py"), says("I was unable to fix the bug.")], {"ending": Ending.LIMIT}, id="ended by a limit"
        ),
        pytest.param(
            [edit("shapes.py", "a", "b", "Edited.\n\nRunning 4 tests:\n\n3 passed. 0 failed. 1 errors."), submit()],
            {},
            id="an edit whose tests ended in an error",
        ),
        pytest.param([read("shapes.py"), submit()], {"ending": Ending.CRASHED}, id="ended by a crash"),
        pytest.param(
            [read("shapes.py"), says("I was unable to fix it.")], {"ending": Ending.CANCELLED}, id="ended by the user"
        ),
        pytest.param([read("shapes.py"), submit()], {"ending": Ending.SOLVED}, id="judged to be right"),
        pytest.param(
            [FIX, says("I fixed the bug. I couldn't run the tests, because Docker isn't installed here.")],
            {},
            id="something outside left over",
        ),
        pytest.param(
            [FIX, says("I couldn't finish the test run in this sandbox; the change is complete.")],
            {},
            id="a check that couldn't be run",
        ),
        pytest.param(
            [read("shapes.py"), FIX, says("At first I couldn't find the cause. The fix is in.")], {}, id="overcome"
        ),
        pytest.param([FIX, says('The log says "I was unable to fix the bug", which is gone now.')], {}, id="a quote"),
        pytest.param(
            [FIX, says("I couldn't fix the layout in this change; that is a separate issue.")],
            {},
            id="out of its scope",
        ),
        pytest.param(
            [read("shapes.py"), says("I couldn't find any bug in shapes.py.")], {}, id="nothing wrong was found"
        ),
        pytest.param(
            [FIX, says("I was unable to fix the bug."), user("Try again."), FIX, says("Fixed.")],
            {},
            id="said on the way",
        ),
        pytest.param(
            [read("shapes.py"), submit()], {"task": "Review the code in shapes.py and list the bugs."}, id="a review"
        ),
        pytest.param([read("shapes.py"), submit()], {"task": "What does make_shape in shapes.py do?"}, id="a question"),
        pytest.param(
            [read("shapes.py"), submit("The bug is already fixed in this version; no change is needed.")],
            {},
            id="nothing to change",
        ),
        pytest.param([run("python fix.py"), submit()], {}, id="a script that may have changed it"),
        pytest.param([run("sed -i s/a/b/ shapes.py"), submit()], {}, id="changed in place"),
        pytest.param([call("delegate", {"prompt": "Fix it"}, "Done."), submit()], {}, id="done by another"),
        pytest.param([read("shapes.py"), run("pytest", pytest_report(), 1)], {}, id="a log that stops"),
        pytest.param(
            [
                call("refund", {"id": "7"}, "No"),
                says("I'm unable to proceed with the refund, as the policy doesn't allow it."),
            ],
            {},
            id="a rule that forbids it",
        ),
    ],
)
def test_does_not_fire(parts: list[Part], header: dict[str, Any]) -> None:
    assert findings(*parts, detector="gave-up", **{"task": TASK, **header}) == []


def test_a_part_matters_less_than_all_of_it() -> None:
    (part,) = findings(
        FIX, says("I fixed make_shape. I was unable to solve the second case."), detector="gave-up", task=TASK
    )
    (whole,) = findings(FIX, says("I was unable to solve it."), detector="gave-up", task=TASK)
    assert (part.severity, whole.severity) == (Severity.LOW, Severity.HIGH)


@pytest.mark.parametrize(
    ("refused", "said"),
    [(1, "the only edit was rejected"), (2, "both edits were rejected"), (3, "all 3 edits were rejected")],
)
def test_how_many_edits_were_refused_is_said_as_people_say_it(refused: int, said: str) -> None:
    (found,) = findings(read("shapes.py"), *[REFUSED] * refused, submit(), detector="gave-up", task=TASK)
    assert said in found.title


@table("a_question_at_the_end_is_nothing_handed_in")
def test_a_question_at_the_end_is_nothing_handed_in(said: str, title: str) -> None:
    (found,) = findings(run("ls"), run("git status"), submit(said), detector="gave-up", task=TASK)
    assert found.title == title


REPORTED = "An issue in our repository: area() returns 0 for a square. It should return the square of the side."


TRIAL = [write("reproduce.py", "print(area(3))"), run("python reproduce.py", "0"), read("shapes.py")]


@pytest.mark.parametrize(
    "words",
    [
        "Rewriting the solver now would be premature.",
        "Changing this class without its author isn't safe; I'd rather stop our investigation.",
        "It may be best to hand the findings to the maintainers of the library.",
        "A fix would need a more careful analysis of the geometry.",
        "I think it is wise to wrap up this session with what was found.",
    ],
)
def test_the_change_is_left_to_others_or_to_later(words: str) -> None:
    (found,) = findings(*TRIAL, submit(words), detector="gave-up", task=REPORTED)
    assert (found.kind, found.severity) == ("said-so", "high")
    assert found.title.startswith("The agent ends without a change and says: ")
    assert found.title.endswith("only its own experimental files are left (`reproduce.py`)")
    outcome = diagnosed(*TRIAL, submit(words), task=REPORTED).outcome
    assert (outcome.status, outcome.basis) == ("abandoned", "claim")


@pytest.mark.parametrize(
    "parts",
    [
        pytest.param(
            [*TRIAL, FIX, submit("Fixed area(). A rewrite of the solver would need further analysis.")],
            id="an-optional-follow-up-after-real-work",
        ),
        pytest.param(
            [*TRIAL, FIX, submit("I've corrected it. You may want to discuss the name with your team.")],
            id="advice-after-real-work",
        ),
        pytest.param([*TRIAL, says("I assume you want the area of a square?")], id="a-question"),
        pytest.param([*TRIAL, says("No change is needed: changing it would be premature.")], id="no-change-is-needed"),
        pytest.param(
            [*TRIAL, run("python rewrite.py"), FIX, submit("I conclude that the work is complete.")], id="a-conclusion"
        ),
    ],
)
def test_the_change_is_made_or_needs_none(parts: list[Part]) -> None:
    assert findings(*parts, detector="gave-up", task=REPORTED) == []


def test_a_question_about_code_may_be_left_to_others() -> None:
    said = "The cache is shared. To change that you'd have to ask the maintainers of the library."
    assert findings(read("cache.py"), says(said), detector="gave-up", task="Who owns the module cache.py?") == []
