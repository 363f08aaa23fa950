"""Questions and ways to go on for a call that succeeds and brings nothing new."""

from __future__ import annotations

from analyzer.diagnosis.case import Case, asks
from analyzer.diagnosis.step_back.wording import main_call
from analyzer.model.diagnosis import Approach
from analyzer.text.markdown import code


def questions(case: Case) -> list[str]:
    """For a call that keeps giving the same answer."""
    if asks(case):
        return [
            f"What did {code(main_call(case))} answer the first time, and what follows from it?",
            "Is this the file or the place that the last search found, or another one with a similar name?",
        ]
    return [
        f"What changed after the last {code(main_call(case))}? What would be visible if it had worked?",
        "Is the goal of this step already reached? What does the task need next?",
    ]


def approaches(case: Case) -> list[Approach]:
    """For a call that keeps giving the same answer."""
    call = main_call(case)
    if asks(case):
        first = case.main.first_step if case.main is not None else 1
        return [
            Approach(
                title="Use the answer",
                text=(
                    f"Quote the lines of step {first} that are relevant to the task, and say what follows from them. "
                    "If none "
                    "is, that's an answer too."
                ),
            ),
            Approach(
                title="Ask for something else",
                text=(
                    f"{code(call)} keeps giving the same answer. Ask for something that distinguishes two "
                    "explanations: other "
                    "lines, another file, a search for a name from the task."
                ),
            ),
            Approach(
                title="Go on", text="Start the next part of the task with what is known, or submit what there is."
            ),
        ]
    answer = (case.action(case.main.steps[-1]).result or "").strip() if case.main is not None else ""
    return [
        Approach(
            title="Take the answer literally",
            text=f"{code(answer, 120)} came every time: say what it asks for, and change the call accordingly.",
        )
        if answer
        else Approach(
            title="Check the effect",
            text=f"Run or read what {code(call)} was meant to change; its acceptance says nothing about that.",
        ),
        Approach(
            title="Change the question",
            text=(
                f"If {code(call)} keeps giving the same answer, the answer is known. Ask for something that "
                "distinguishes two explanations."
            ),
        ),
        Approach(title="Go on", text="Start the next part of the task and return with what it shows."),
    ]
