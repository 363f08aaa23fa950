"""What there is to say about an agent that says the same again and calls nothing: alone, or with a user who answers the
same each time."""

from __future__ import annotations

from analyzer.detectors.episodes.episode import REPORTED
from analyzer.diagnosis.case import Case
from analyzer.model.action import Action
from analyzer.model.session import Message, ToolCall
from analyzer.model.words import Kind
from analyzer.text.english import times
from analyzer.text.markdown import code


def answered(case: Case) -> bool:
    """Whether a user spoke between the repeated words. Another word from the user would have ended the repetition."""
    main = case.main
    assert main is not None
    step = spoken = 0
    for event in case.timeline.session.events:
        if event.lane != main.lane:
            continue
        if isinstance(event, ToolCall):
            step += 1
            if step > main.last_step:
                break
        elif isinstance(event, Message) and step == main.last_step and event.role == "user":
            spoken += 1
    return spoken > 2


def place(case: Case) -> str:
    """Where the words come among the steps."""
    assert case.main is not None
    return f"after step {case.main.last_step}" if case.main.last_step else "before the first step"


def story(case: Case) -> list[str]:
    """What happened."""
    main = case.main
    assert main is not None
    where = place(case)
    if main.pattern == REPORTED:
        return [
            f"{where[0].upper()}{where[1:]} the program around the agent reported the same thing "
            f"{times(main.rounds or 0)}, and nothing else happened.",
            *([f"What it reported: {code(main.repeated, 200)}."] if main.repeated else []),
        ]
    with_user = ", and the user gave the same answer each time" if answered(case) else ""
    said = [
        (
            f"{where[0].upper()}{where[1:]} the agent said the same thing {times(main.rounds or 0)} (pattern: "
            f"**monologue**) and made no call in between{with_user}."
        )
    ]
    if main.repeated:
        said.append(f"What it said: {code(main.repeated, 200)}.")
    return said


def cause(case: Case) -> str:
    """The root cause, as far as the log shows it."""
    main = case.main
    assert main is not None
    where = place(case)
    if answered(case):
        return (
            f"{where[0].upper()}{where[1:]} the agent and the user repeated the same exchange "
            f"{times(main.rounds or 0)}: the agent waited for something that the user "
            "didn't provide and made no call that could have obtained it, and nothing ended the exchange."
        )
    return (
        f"{where[0].upper()}{where[1:]} the agent said the same thing {times(main.rounds or 0)} without making a "
        "call: the loop that runs it neither asks for a call nor ends the turn."
    )


def questions(case: Case) -> list[str]:
    """What to ask an agent that only speaks."""
    main = case.main
    assert main is not None
    if answered(case):
        return [
            "What is the agent waiting for, and is there a call that would obtain it without the user?",
            "If the user can't provide it, what is the next best question, and when should the conversation end?",
        ]
    return [
        "Which call would do what is still missing?",
        "Is the work done? If so, which call or word ends the session?",
    ]


def lesson(case: Case) -> str:
    """What to remember."""
    if answered(case):
        return "When agent and user wait for each other, only the agent can look something up or end the session."
    return "A turn without a call is either the last one or a mistake."


def last_answer(case: Case) -> Action | None:
    """The last call before the words that worked and wasn't a thought."""
    assert case.main is not None
    return next(
        (
            action
            for action in reversed(case.lane[: case.main.last_step])
            if action.failure is None and action.result and action.kind not in (Kind.THINK, Kind.PLAN)
        ),
        None,
    )
