"""The questions that would have helped, and really different ways to go on, in this session's own terms."""

from __future__ import annotations

from analyzer.diagnosis import talk, unverified
from analyzer.diagnosis.case import NO_PROGRAM, Case, asks, call_text, steps_text
from analyzer.diagnosis.clues import (
    instruments,
    lines_text,
    missing_path,
    never_opened,
    one_range,
    regression,
    shown_instead,
    stated_rule,
    unopened_by_name,
)
from analyzer.diagnosis.guidance import guidance_for
from analyzer.diagnosis.miscopied import miscopied
from analyzer.diagnosis.no_match import why_no_match
from analyzer.diagnosis.root_cause import at, raised_at, requirement_of, unmet
from analyzer.diagnosis.shape import Shape, shape_of
from analyzer.diagnosis.step_back_others import (
    other_approaches,
    other_questions,
    swing_approaches,
    swing_questions,
)
from analyzer.failures.text import clip, code, middle
from analyzer.model.diagnosis import Approach
from analyzer.model.words import FailureKind


def questions_of(case: Case) -> list[str]:
    """Questions to the agent, each naming what it should have looked at."""
    ask = _QUESTIONS.get(shape_of(case))
    return ask(case) if ask is not None else []


def approaches_of(case: Case) -> list[Approach]:
    """At least three different ways out of a loop; none where nothing was wrong."""
    find = _APPROACHES.get(shape_of(case))
    return find(case) if find is not None else []


def _call(case: Case) -> str:
    assert case.main is not None
    action = case.action(case.main.steps[-1])
    return call_text(action)


def _wrong_file_questions(case: Case) -> list[str]:
    finding, failure = case.wrong_file, case.failure
    if finding is None or finding.fault is None or failure is None:
        return []
    raised = raised_at(failure)
    found = [
        f"Which frame supplies the value that is refused? ({at(finding.fault)})",
        f"What does the message demand, and does {code(finding.fault.code or 'the call', 90)} meet it?",
        f"If {_after(case, finding.steps[0])} edits of {_names(finding.edited_instead)} left the error unchanged to the letter, can the cause be in there at all?",
    ]
    if raised is not None and raised.guard:
        found.append(f"Is the check {code(raised.guard, 90)} wrong, or is it the input?")
    return found


def _after(case: Case, step: int) -> int:
    return sum(action.step > step for action in case.edits)


def _wrong_file_approaches(case: Case) -> list[Approach]:
    finding, failure = case.wrong_file, case.failure
    if finding is None or finding.fault is None or failure is None:
        return []
    fault = finding.fault
    raised = raised_at(failure)
    demand = unmet(failure)
    guard = f" The check is {code(raised.guard, 100)}." if raised is not None and raised.guard else ""
    if demand is not None:
        passes = f"{demand.given:g} {demand.noun} ({code(demand.code)})" if demand.counts else code(demand.code)
        fix = f'{at(fault)} passes {passes}; pass {_amount(demand.relation, demand.number)}. "{clip(failure.message, 120)}" says so.{guard}'
    else:
        fix = f'Change what {at(fault)} passes ({code(fault.code or "", 100)}) so that it meets "{clip(failure.message, 120)}".{guard}'
    noun = demand.noun if demand else "the arguments"
    rule = stated_rule(case, demand.noun) if demand else None
    found = [
        Approach(title="Fix the test data", text=fix),
        Approach(
            title="Validate the input first",
            text=f"Before running the whole test, build the one object of {at(fault)} by itself and check {noun} against the message's demand. One run of one line tells test data from implementation.",
        ),
        Approach(
            title="Read the requirement",
            text=(
                f"Step {rule.step} had already shown it: {code(rule.path, 180)}. Hold the line of the test against it, and the lines beside it that are built alike."
                if rule is not None
                else f"Open the code that raises{f' ({at(raised)})' if raised is not None else ''} and the documentation of what it constructs, write down the rule for {noun}, and compare every caller with it, the test included."
            ),
        ),
    ]
    found.append(
        Approach(
            title="Question the expectation",
            text=f"If the test's value is meant to be legal, the rule itself is what has to change: say so and ask, instead of editing around it in {_names(finding.edited_instead)}.",
        )
    )
    return found


def _amount(relation: str, number: float) -> str:
    words = {">=": "at least", "<=": "at most", "==": "exactly", ">": "more than", "<": "less than"}
    return f"{words[relation]} {number:g}"


def _refused_questions(case: Case) -> list[str]:
    span = one_range(case)
    path = case.edited_paths[0] if case.edited_paths else "the file"
    found = [f"What does {code(path)} look like now, around the place of the edit?"]
    if span:
        found.append(f"Which whole statement does {lines_text(span)} belong to, and does the new text replace all of it?")
    if _no_match(case):
        found.append("Where does the text to be replaced differ from the file to the letter: white space, quotes, an edit made earlier?")
    else:
        found.append("What in the refusal differs from what I expected the file to look like after the edit?")
    return found


def _refused_approaches(case: Case) -> list[Approach]:
    span = one_range(case)
    failure = case.failure
    path = f"{code(case.edited_paths[0])}" if case.edited_paths else "the file"
    message = clip(failure.message, 100) if failure else "the refusal"
    if _no_match(case):
        reason = why_no_match(case)
        return [
            Approach(title="Copy, don't remember", text=f"Take the text to be replaced from a fresh read of {path}, to the letter.{f' {reason}.' if reason else ''}"),
            Approach(title="Use a smaller anchor", text="Replace one line that occurs only once instead of a block: the less text, the less of it can differ."),
            Approach(title="Use another tool", text=f"Make the change by line numbers, with a short script or a patch, or write {path} anew, and look at the difference before going on."),
        ]
    around = f" (say {max(1, span[0] - 5)}-{span[1] + 5})" if span else ""
    return [
        Approach(
            title="Look first",
            text=f"Print {path} around the place{around} with line numbers and indentation, and only then choose the range.",
        ),
        Approach(
            title="Replace a larger whole",
            text=f"Replace the whole function or block in one edit instead of {lines_text(span) if span else 'the fragment'}: {code(message)} says that the fragment and its surroundings don't fit together.",
        ),
        Approach(
            title="Use another tool",
            text=f"Write the change with a short script or a patch, or write {path} anew, and compile it before going on.",
        ),
    ]


def _no_match(case: Case) -> bool:
    """Whether the tool refused because the text to be replaced isn't there."""
    return case.failure is not None and case.failure.type == "EditNoMatch"


def _failing_questions(case: Case) -> list[str]:
    failure = case.failure
    if case.cause is not None and case.cause.kind in NO_PROGRAM:
        return list(guidance_for(case.cause).questions)
    wrong = miscopied(case)
    named = [f"Where does {code(wrong.sent)} come from? The user had written {code(wrong.given)}."] if wrong is not None else []
    found = [*named, f"What would have to be different for {code(_call(case))} to give another answer, and did anything change it?"]
    path = missing_path(case)
    if path:
        found.append(f"Where is the file that I mean? What does the last listing that worked call it, if not {code(path)}?")
    if failure is not None and failure.kind is FailureKind.COMMAND_NOT_FOUND:
        found.append("Does the task need this program, or is there a wrapper, another installation or another way to check?")
    if failure is not None and failure.kind is FailureKind.TIMEOUT:
        found.append("Does it wait for an answer that nobody gives, or is it only slow? What does it print before it stops?")
    return found


def _failing_approaches(case: Case) -> list[Approach]:
    failure, call = case.failure, _call(case)
    if case.cause is not None and case.cause.kind in NO_PROGRAM:
        return [
            *(Approach(title="In this session", text=text) for text in case.cause.advice[:1]),
            *(Approach(title=title, text=text) for title, text in guidance_for(case.cause).approaches),
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
                title="Ask where you are", text=f"Print the working directory and list it; {code(path)} is looked for from there."
            )
        )
        found.append(
            Approach(title="Search for it", text=f"Search the tree for {code(name)} and use the absolute path from the answer.")
        )
        found.append(
            Approach(
                title="Do without it",
                text="Go back to the task and reach the same information by another way, such as a search for the content instead of the file's name.",
            )
        )
    elif failure is not None and failure.kind is FailureKind.COMMAND_NOT_FOUND:
        found = [
            Approach(
                title="Look for another way to the same program",
                text=f"Search for an installation or a wrapper in the repository before concluding that {code(call)} can't run.",
            ),
            Approach(
                title="Check by other means",
                text="Do what can be checked without it: read the code again, run what the environment does have, write the check for somebody who can run it.",
            ),
            Approach(
                title="Say it and move on",
                text="Finish the rest of the task and report plainly that this step could not be checked here.",
            ),
        ]
    elif failure is not None and failure.kind is FailureKind.TIMEOUT:
        hang = next((finding for finding in case.findings if finding.detector == "hang-and-timeouts" and finding.advice), None)
        found = [
            Approach(title="In this session", text=hang.advice[0])
            if hang is not None
            else Approach(
                title="Take away the question",
                text=f"Run {code(call)} so that it can't wait for an answer (non-interactive flags, closed standard input), in the background with its output in a file.",
            ),
            Approach(
                title="Make it smaller",
                text="Run the smallest part of it that shows whether it gets anywhere, with a time limit of its own.",
            ),
            Approach(
                title="Do without it",
                text="Decide whether the task needs it at all; if it can't be had here, say so and do the rest.",
            ),
        ]
    else:
        message = middle(failure.headline, 120) if failure else "the answer"
        wrong = miscopied(case)
        named = (
            [Approach(title="Use the name that was given", text=f"Call it with {code(wrong.given)}, as the user wrote it, and compare the two letter by letter: {code(wrong.sent)} was never given.")]
            if wrong is not None
            else []
        )
        found = [
            *named,
            Approach(
                title="Take the message at its word",
                text=f"{code(message)}: name the condition that it states, and check that condition by itself.",
            ),
            Approach(
                title="Change one thing",
                text=f"Call {code(call)} with exactly one thing changed that bears on the message, and say beforehand what each answer would mean.",
            ),
            Approach(
                title="Go round it",
                text="List two other ways to the same goal and take the one that needs nothing of what fails here.",
            ),
        ]
    return found


def _same_error_questions(case: Case) -> list[str]:
    failure = case.failure
    if failure is None:
        return []
    raised = raised_at(failure)
    opened = never_opened(case)
    found = [f"Which assumption do the last {len(case.main.steps) if case.main else 0} attempts share?"]
    if raised is not None and failure.kind not in (FailureKind.COMPILE, FailureKind.LINT) and not any(instruments(edit) for edit in case.edits):
        found.append(f"What are the values at {at(raised)} when it fails? Has anything printed them?")
    unopened = unopened_by_name(case)
    if unopened is not None:
        found.append(f"What is in {code(unopened.path)}, which step {unopened.step} listed?")
    elif opened:
        found.append(f"What is in {', '.join(f'{code(path)}' for path in opened[:3])}?")
    broken = regression(case)
    if broken is not None:
        steps = steps_text([edit.step for edit in broken.edits])
        found.insert(
            0, f"What did the edits of steps {steps} change? Before them, at step {broken.passed}, the same check passed."
        )
    names = [
        name
        for name in _quoted(failure.message)
        if not any(name in (edit.after or "") for action in case.edits for edit in action.operation.edits)
    ]
    if names:
        found.append(f"Where does {', '.join(f'{code(name)}' for name in names[:2])} come from? No edit in between mentions it.")
    return found


def _quoted(message: str) -> list[str]:
    import re

    return re.findall(r"['\"`]([\w./-]{3,60})['\"`]", message)


def _same_error_approaches(case: Case) -> list[Approach]:
    failure = case.failure
    if failure is None or case.main is None:
        return []
    raised, opened = raised_at(failure), never_opened(case)
    where = at(raised) if raised is not None else "the place that the message names" if failure.kind in (FailureKind.COMPILE, FailureKind.LINT) else "the place that fails"
    edited = _names(case.edited_paths) if case.edited_paths else "what was changed"
    requirement = requirement_of(failure)
    names = _quoted(failure.message)
    unopened = unopened_by_name(case)
    read = (
        f"Open {code(unopened.path)}: step {unopened.step} listed it, the message speaks of what it is named after, and nobody opened it."
        if unopened is not None
        else f"Open {', '.join(f'{code(path)}' for path in opened[:2])}, which the trace names and nobody read in between."
        if opened
        else f"Follow the value that fails at {where} back to where it is made."
    )
    static = failure.kind in (FailureKind.COMPILE, FailureKind.LINT)
    if static and not opened and unopened is None:
        read = "Find where the name that the message speaks of is declared, and where it's imported."
    broken = regression(case)
    if broken is not None:
        steps = steps_text([edit.step for edit in broken.edits])
        back = [
            Approach(
                title="Undo what broke it",
                text=f"{code(broken.command, 80)} passed at step {broken.passed}. Take back the edits of steps {steps} one by one, or compare the file with its state at that step, until it passes again.",
            )
        ]
    else:
        back = []
    found = [
        *back,
        Approach(title="Read the place", text=f"Open {where} with the lines around it, and say in one sentence what {code(middle(failure.headline, 100), 100)} objects to.")
        if static
        else Approach(
            title="Measure before the next edit",
            text=f"Print the inputs at {where} once, and compare them with what {code(middle(failure.headline, 100), 100)} complains about{f' ({requirement})' if requirement else ''}.",
        ),
        Approach(
            title="Look where nobody looked",
            text=read + (f" Search for {code(names[0])}: the message names it." if names else ""),
        ),
        Approach(title="Mend the first message", text=f"Run the checker on {edited} alone and mend its first message only; later ones often follow from it.")
        if static
        else Approach(
            title="Make it small",
            text=f"Reproduce the failure in the fewest lines that still show it, away from {edited}. What can be left out isn't the cause.",
        ),
    ]
    if case.edited_paths:
        found.append(
            Approach(
                title="Go back and vary one thing",
                text=f"Undo the edits of steps {case.edits[0].step}-{case.edits[-1].step}; if the failure is the same without them, none of them was about it.",
            )
        )
    return found


def _idle_questions(case: Case) -> list[str]:
    if asks(case):
        return [
            f"What did {code(_call(case))} answer the first time, and what follows from it?",
            "Is this the file or the place that the last search found, or another one of a similar name?",
        ]
    return [
        f"What changed after the last {code(_call(case))}? What would I expect to see if it had worked?",
        "Is the goal of this step already reached? What is the next thing that the task needs?",
    ]


def _idle_approaches(case: Case) -> list[Approach]:
    call = _call(case)
    if asks(case):
        first = case.main.first_step if case.main is not None else 1
        return [
            Approach(title="Use the answer", text=f"Quote the lines of step {first} that bear on the task, and say what follows from them. If none does, that's an answer too."),
            Approach(title="Ask for something else", text=f"{code(call)} keeps giving the same answer. Ask for what would tell two explanations apart: other lines, another file, a search for a name from the task."),
            Approach(title="Go on", text="Take up the next part of the task with what is known, or hand in what there is."),
        ]
    answer = (case.action(case.main.steps[-1]).result or "").strip() if case.main is not None else ""
    return [
        Approach(title="Take the answer at its word", text=f"{code(answer, 120)} came every time: say what it asks for, and change the call for that.")
        if answer
        else Approach(
            title="Check the effect",
            text=f"Run or read what {code(call)} was meant to change; its acceptance says nothing about that.",
        ),
        Approach(
            title="Change the question",
            text=f"If {code(call)} keeps giving the same answer, the answer is known. Ask for something that would tell two explanations apart.",
        ),
        Approach(title="Go on", text="Take up the next part of the task and come back with what it shows."),
    ]


def _names(paths: list[str]) -> str:
    return ", ".join(f"{code(path)}" for path in paths[:3]) or "the files"


_QUESTIONS = {
    Shape.WRONG_FILE: _wrong_file_questions,
    Shape.REFUSED_EDIT: _refused_questions,
    Shape.FAILING_CALL: _failing_questions,
    Shape.SAME_ERROR: _same_error_questions,
    Shape.IDLE_CALL: _idle_questions,
    Shape.UNVERIFIED: unverified.questions,
    Shape.SWING: swing_questions,
    Shape.TALK: talk.questions,
    Shape.OTHER: other_questions,
}
_APPROACHES = {
    Shape.WRONG_FILE: _wrong_file_approaches,
    Shape.REFUSED_EDIT: _refused_approaches,
    Shape.FAILING_CALL: _failing_approaches,
    Shape.SAME_ERROR: _same_error_approaches,
    Shape.IDLE_CALL: _idle_approaches,
    Shape.UNVERIFIED: unverified.approaches,
    Shape.SWING: swing_approaches,
    Shape.TALK: talk.approaches,
    Shape.OTHER: other_approaches,
}
