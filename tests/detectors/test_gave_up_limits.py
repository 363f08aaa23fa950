"""A limit that was announced or recorded, and what is advised to an agent that gave up."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.model.session import Message
from analyzer.model.words import Ending
from tests.build import Part, call, findings, read, run, says, user
from tests.detectors.given_up import TASK, finish
from tests.sessions import Written, parts_of
from tests.tables import table

UNABLE = says("I was unable to fix the bug.")


LIMIT = Message("harness", "Max time (90s) reached.")


REFUSED_CALL = Message("harness", "Error code: 400, the request was blocked", failed=True)


@pytest.mark.parametrize(
    ("parts", "header", "many"),
    [
        pytest.param([REFUSED_CALL, UNABLE], {}, 1, id="a refused call of the model that it answered after all"),
        pytest.param([UNABLE], {"recorded_status": "max_steps"}, 0, id="the log's word for the end"),
        pytest.param([UNABLE], {"recorded_status": "incorrect"}, 1, id="only a verdict"),
        pytest.param(
            [says("I read it. The maximum time is reached soon."), UNABLE], {}, 1, id="only the agent speaks of one"
        ),
        pytest.param([LIMIT, user("Go on."), UNABLE], {}, 1, id="the user let it go on"),
    ],
)
def test_a_limit_beside_a_verdict_ends_it(parts: list[Part], header: dict[str, Any], many: int) -> None:
    made = findings(read("shapes.py"), *parts, detector="gave-up", task=TASK, ending=Ending.UNSOLVED, **header)
    assert len(made) == many


OPEN = finish("Two fields are left.", success=False)


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(says("This is the last step of my plan."), id="the end of a plan"),
        pytest.param(Message("harness", "Step 3/5."), id="steps are left"),
        pytest.param(says("The user wants two fields more."), id="nothing about steps"),
    ],
)
def test_a_verdict_of_its_own_without_a_limit_is_reported(said: Message) -> None:
    parts: list[Part] = [read("form.html"), call("type", {"text": "a"}, "typed"), said, OPEN]
    (found,) = findings(*parts, detector="gave-up", task="Fill the form.")
    assert found.kind == "said-so"


def test_an_agent_that_may_take_no_more_steps_has_not_given_up() -> None:
    ends: list[Part] = [
        run("ls"),
        says("This is the last step, so I have to end here."),
        finish("I couldn't finish the task."),
    ]
    assert findings(ends, detector="gave-up", task=TASK) == []


def test_a_limit_that_was_announced_long_before_is_none() -> None:
    parts: list[Part] = [Message("harness", "This is your last step."), read("form.html"), read("b.html"), OPEN]
    assert len(findings(*parts, detector="gave-up", task="Fill the form.")) == 1


def test_a_last_step_that_was_hard_is_no_limit() -> None:
    said = "The last step was the hardest."
    end = call("finish", {"text": "Some shapes are left.", "success": False}, "ok", said=said, task_done=True)
    (found,) = findings(read("shapes.py"), end, detector="gave-up", task=TASK)
    assert (found.title.partition(":")[0], found.advice) == ("The agent stops without completing the task", [])


@table("advises_by_what_was_tried")
def test_advises_by_what_was_tried(parts: Written, advice: list[str]) -> None:
    (found,) = findings(*parts_of(parts), detector="gave-up", task=TASK)
    assert found.advice == advice
