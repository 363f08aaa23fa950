"""What there is to say about an agent that says the same again and calls nothing: alone, or with a user who answers the
same each time."""

from __future__ import annotations

from analyzer.diagnosis.case import Case, call_text, times
from analyzer.model.action import Action
from analyzer.model.diagnosis import Approach
from analyzer.model.session import Message, ToolCall
from analyzer.model.words import Kind
from analyzer.text.clip import clip
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
    """Where the words stand among the steps."""
    assert case.main is not None
    return f"after step {case.main.last_step}" if case.main.last_step else "before the first step"


def story(case: Case) -> list[str]:
    """What happened."""
    main = case.main
    assert main is not None
    where = place(case)
    with_user = ", and the user answered the same each time" if answered(case) else ""
    said = [
        (
            f"{where[0].upper()}{where[1:]} the agent said the same {times(main.rounds or 0)} (pattern: "
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
            f"{where[0].upper()}{where[1:]} the agent and the user told each other the same "
            f"{times(main.rounds or 0)}: the agent waited for something that the user "
            "didn't give, called nothing that could have got it, and nothing broke the talk off."
        )
    return (
        f"{where[0].upper()}{where[1:]} the agent said {times(main.rounds or 0)} what it would do, and called "
        "nothing: nothing in the loop that runs it asks for a call or ends the turn."
    )


def questions(case: Case) -> list[str]:
    """What to ask an agent that only speaks."""
    main = case.main
    assert main is not None
    if answered(case):
        return [
            "What does the agent wait for, and is there a call that would get it without the user?",
            "If the user can't give it: what is the next best thing to ask for, and when is the talk over?",
        ]
    return [
        f"Which call would do what was announced {main.rounds or 0} times?",
        "Is the work done? Then what is the call, or the word, that ends the session?",
    ]


def approaches(case: Case) -> list[Approach]:
    """Ways out for an agent that only speaks."""
    main = case.main
    assert main is not None
    if answered(case):
        last = _last_answer(case)
        known = (
            (
                f" The last call that brought something was {code(call_text(last), 80)} (step {last.step}): see what "
                "can be looked up with its answer."
            )
            if last is not None
            else ""
        )
        return [
            Approach(title="Look instead of asking", text=f"Get what is missing by a call.{known}"),
            Approach(
                title="Ask for something else",
                text="Ask for another thing that leads to the same place: a name, a date, what it is about.",
            ),
            Approach(
                title="End it",
                text=(
                    "Say what is missing and how to come back with it, and end the talk; the same words won't bring "
                    "another answer."
                ),
            ),
        ]
    return [
        Approach(
            title="Make the call",
            text=(
                f"Do the first thing that {code(main.repeated or '', 100)} announces, as a call, before saying "
                "anything more."
            ),
        ),
        Approach(
            title="End it",
            text="If nothing is left to do, hand in the work with a sentence on what was done and what wasn't.",
        ),
        Approach(
            title="Ask",
            text="If something is missing to go on, ask for it by name instead of announcing the work again.",
        ),
    ]


def lesson(case: Case) -> str:
    """What to remember."""
    if answered(case):
        return "Two who wait for each other wait for ever: the agent is the one that can look something up or end it."
    return "An announcement is no action: a turn without a call is either the last one or a fault."


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
        f"Stop. You have said this {main.rounds or 0} times without a call:\n    "
        f"{clip(main.repeated or main.title, 160)}\n"
        "Don't say it again. Answer first:\n"
        "1. What are you waiting for, and from whom?\n"
        "2. Which call could bring it, or bring something that does as well?\n"
        "3. If there's none: what do you report as open when you end this now?\n"
        "Then make that call, or end it."
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
