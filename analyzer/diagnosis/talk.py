"""What there is to say about an agent that says the same again and calls nothing: alone, or with a user who answers the
same each time."""

from __future__ import annotations

from analyzer.diagnosis.case import Case, call_text
from analyzer.model.action import Action
from analyzer.model.diagnosis import Approach
from analyzer.model.session import Message, ToolCall
from analyzer.model.words import Kind
from analyzer.text.clip import clip
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
        f"{where[0].upper()}{where[1:]} the agent said {times(main.rounds or 0)} what it would do without making "
        "a call: the loop that runs it neither asks for a call nor ends the turn."
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
        f"Which call would do what was announced {times(main.rounds or 0)}?",
        "Is the work done? If so, which call or word ends the session?",
    ]


def approaches(case: Case) -> list[Approach]:
    """Ways out for an agent that only speaks."""
    main = case.main
    assert main is not None
    if answered(case):
        last = _last_answer(case)
        known = (
            (
                f" The last useful call was {code(call_text(last), 80)} (step {last.step}): see what "
                "can be looked up with its answer."
            )
            if last is not None
            else ""
        )
        return [
            Approach(title="Look instead of asking", text=f"Get the missing information with a call.{known}"),
            Approach(
                title="Ask for something else",
                text="Ask for other information that leads to the same goal: a name, a date, the subject.",
            ),
            Approach(
                title="End it",
                text=(
                    "Say what is missing and how to provide it, and end the conversation; repeating the same words "
                    "won't change "
                    "the answer."
                ),
            ),
        ]
    return [
        Approach(
            title="Make the call",
            text=f"Make the first call that {code(main.repeated or '', 100)} announces before saying anything more.",
        ),
        Approach(
            title="End it",
            text="If nothing is left to do, submit the work with a sentence on what was done and what wasn't.",
        ),
        Approach(
            title="Ask",
            text="If something is missing, ask for it by name instead of announcing the work again.",
        ),
    ]


def lesson(case: Case) -> str:
    """What to remember."""
    if answered(case):
        return "When agent and user wait for each other, only the agent can look something up or end the session."
    return "An announcement isn't an action: a turn without a call is either the last one or a mistake."


def impact(case: Case) -> str:
    """What a guard on turns would have saved."""
    main = case.main
    assert main is not None
    rounds = main.rounds or 0
    grade = "High" if rounds > 7 else "Medium" if rounds > 4 else "Low"
    return f"{grade}: would have stopped it at the third of {rounds} equal turns."


def prompt(case: Case) -> str:
    """The message that a guard puts into the agent's context."""
    main = case.main
    assert main is not None
    return (
        f"Stop. You have said this {times(main.rounds or 0)} without a call:\n    "
        f"{clip(main.repeated or main.title, 160)}\n"
        "Don't say it again. Answer first:\n"
        "1. What are you waiting for, and from whom?\n"
        "2. Which call could obtain it, or an adequate substitute?\n"
        "3. If there's none: what do you report as open if you end the session now?\n"
        "Then make that call, or end the session."
    )


def _last_answer(case: Case) -> Action | None:
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
