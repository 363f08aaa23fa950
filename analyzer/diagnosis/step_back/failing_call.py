"""Questions and ways to go on for a call that fails again and again."""

from __future__ import annotations

from analyzer.detectors.engine.registry import declared
from analyzer.diagnosis.case import Case
from analyzer.diagnosis.clues import missing_path, shown_instead
from analyzer.diagnosis.guidance import guidance_for
from analyzer.diagnosis.miscopied import miscopied
from analyzer.diagnosis.step_back.wording import main_call
from analyzer.model.diagnosis import Approach
from analyzer.model.words import FailureKind
from analyzer.text.clip import middle
from analyzer.text.markdown import code


def questions(case: Case) -> list[str]:
    """For a call that keeps failing."""
    failure = case.failure
    if case.misread is not None:
        return list(guidance_for(case.misread).questions)
    wrong = miscopied(case)
    named = (
        [f"Where does {code(wrong.sent)} come from? The user had written {code(wrong.given)}."]
        if wrong is not None
        else []
    )
    found = [
        *named,
        (
            f"What would have to change for {code(main_call(case))} to give a different answer, and did anything "
            "change it?"
        ),
    ]
    path = missing_path(case)
    if path:
        found.append(f"Where is the intended file? What does the last successful listing call it, if not {code(path)}?")
    if failure is not None and failure.kind is FailureKind.COMMAND_NOT_FOUND:
        found.append(
            "Does the task need this program, or is there a wrapper, another installation or another way to check?"
        )
    if failure is not None and failure.kind is FailureKind.TIMEOUT:
        found.append(
            "Is it waiting for input that never comes, or is it only slow? What does it print before it stops?"
        )
    return found


def approaches(case: Case) -> list[Approach]:
    """For a call that keeps failing."""
    failure, call = case.failure, main_call(case)
    if case.misread is not None:
        return [
            *(Approach(title="In this session", text=text) for text in case.misread.advice[:1]),
            *(Approach(title=title, text=text) for title, text in guidance_for(case.misread).approaches),
        ]
    clue, path = shown_instead(case), missing_path(case)
    found: list[Approach] = []
    if path:
        if clue is not None:
            found.append(
                Approach(
                    title="Use the name that was shown",
                    text=f"Step {clue.step} showed {code(clue.path)}. Use it instead of {code(path)}.",
                )
            )
        name = path.rstrip("/").rsplit("/", 1)[-1]
        found.append(
            Approach(
                title="Check the working directory",
                text=f"Print the working directory and list it; {code(path)} is resolved relative to it.",
            )
        )
        found.append(
            Approach(
                title="Search for it",
                text=f"Search the tree for {code(name)} and use the absolute path from the result.",
            )
        )
        found.append(
            Approach(
                title="Do without it",
                text=(
                    "Go back to the task and get the same information another way, such as by searching for the "
                    "content instead of the file's name."
                ),
            )
        )
    elif failure is not None and failure.kind is FailureKind.COMMAND_NOT_FOUND:
        found = [
            Approach(
                title="Look for another way to run the program",
                text=(
                    f"Search for an installation or a wrapper in the repository before concluding that {code(call)} "
                    "can't run."
                ),
            ),
            Approach(
                title="Check by other means",
                text=(
                    "Check what can be checked without it: reread the code, run what the environment does have, "
                    "write the check for someone who can run it."
                ),
            ),
            Approach(
                title="Report it and move on",
                text="Finish the rest of the task and state plainly that this step could not be checked here.",
            ),
        ]
    elif failure is not None and failure.kind is FailureKind.TIMEOUT:
        hang = next(
            (finding for finding in case.findings if failure.kind in declared(finding).explains and finding.advice),
            None,
        )
        found = [
            Approach(title="In this session", text=hang.advice[0])
            if hang is not None
            else Approach(
                title="Avoid the prompt",
                text=(
                    f"Run {code(call)} so that it can't wait for input (non-interactive flags, closed standard input), "
                    "in the background with its output redirected to a file."
                ),
            ),
            Approach(
                title="Make it smaller",
                text="Run the smallest part of it that shows whether it makes progress, with its own time limit.",
            ),
            Approach(
                title="Do without it",
                text="Decide whether the task needs it at all; if it isn't available here, say so and do the rest.",
            ),
        ]
    else:
        message = middle(failure.headline, 120) if failure else "the answer"
        wrong = miscopied(case)
        named = (
            [
                Approach(
                    title="Use the name that was given",
                    text=(
                        f"Call it with {code(wrong.given)}, as the user wrote it, and compare the two letter by "
                        f"letter: {code(wrong.sent)} was never given."
                    ),
                )
            ]
            if wrong is not None
            else []
        )
        found = [
            *named,
            Approach(
                title="Take the message literally",
                text=f"{code(message)}: name the condition that it states, and check that condition separately.",
            ),
            Approach(
                title="Change one variable",
                text=(
                    f"Call {code(call)} with exactly one relevant change, and say beforehand what "
                    "each answer would mean."
                ),
            ),
            Approach(
                title="Work around it",
                text="List two other ways to the same goal and take the one that doesn't depend on what fails here.",
            ),
        ]
    return found
