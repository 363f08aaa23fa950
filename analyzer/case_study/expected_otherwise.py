"""The cause of a failed trial whose log records what its task expects: what differs, and where the values come from."""

from __future__ import annotations

from collections.abc import Callable

from analyzer.case_study.cause import Cause
from analyzer.case_study.first_failure import Trouble
from analyzer.model.finding import OtherCall
from analyzer.text.markdown import code

_ARGUMENT_LESSON = (
    "A call that changes something is right only if every argument is: check each against the result or the words that "
    "it was taken from."
)
_MISSING_LESSON = "Compare what was asked for with the calls that were made before the session ends."
_ORDER_LESSON = "A change can rule another one out: list all that is asked for before the first change is made."
_UNSAID_LESSON = "What the user is to hear has to stand in a message, to the digit."


def expected_otherwise(trouble: Trouble) -> Cause | None:
    """The cause where a run is known to differ from what its task expects."""
    finding = trouble.finding
    if finding is None or not isinstance(finding.details, OtherCall):
        return None
    details = finding.details
    title, text, lesson = _WORDS[details.how](details, trouble)
    others = finding.differed[1:4]
    more = f" Besides: {'; '.join(others)}." if others else ""
    about = details.argument.split("[")[0].split(".")[0] if details.argument else ""
    return Cause(
        f"expected-otherwise/{details.how}/{details.tool or ''}/{about or details.instead or ''}",
        title,
        text + more,
        finding.confidence < 0.75,
        tuple(finding.advice),
        frozenset(filter(None, (about,))),
        lesson,
        (details.tool,) if details.tool else (),
    )


def _differs(details: OtherCall, trouble: Trouble) -> tuple[str, str, str]:
    tool, name, wanted = (
        code(details.tool or "", 80),
        code(details.argument or "", 80),
        code(details.expected or "", 80),
    )
    given = code(details.given, 80) if details.given is not None else "nothing"
    came, stood = details.given_from, details.expected_from
    text = f"{tool} is called with {name} = {given} (action {trouble.step}); the task expects {wanted}."
    if came == "nothing":
        text += " No message of the user and no result before holds the value that was given: it was made up."
    elif came is not None:
        text += f" The value that was given comes from {_place(came)}."
    if stood == "nothing":
        text += " No result before holds the expected one, so what would have shown it was never looked up."
    elif stood is not None:
        text += f" The expected one was there, from {_place(stood)}."
    return f"{tool} called with another {name}", text, _ARGUMENT_LESSON


def _place(where: str) -> str:
    return f"the result of action {where.removeprefix('step ')}" if where.startswith("step ") else where


def _missing(details: OtherCall, trouble: Trouble) -> tuple[str, str, str]:
    tool = code(details.tool or "", 80)
    action, end = trouble.action, details.ended_with
    known = f", {code(action.tool, 80)}" if action is not None and action.step == end else ""
    last = f" The run's last call is action {end}{known}." if end is not None else ""
    text = f"The task expects a call of {tool} with {code(details.expected or '', 160)}, and none was made."
    if details.never_shown is not None:
        text += (
            f" No message of the user and no result holds the value of {code(details.never_shown, 60)}: what would "
            "have shown it was never looked up."
        )
    if details.instead is not None:
        other = code(details.instead, 80)
        return (
            f"{other} called instead of {tool}",
            f"{text} Action {details.instead_at} calls {other} instead.",
            _MISSING_LESSON,
        )
    return f"An expected call of {tool} never made", text + last, _MISSING_LESSON


def _refused(details: OtherCall, trouble: Trouble) -> tuple[str, str, str]:
    tool = code(details.tool or "", 80)
    action = trouble.action
    said = f" with {code(action.failure.headline, 160)}" if action is not None and action.failure is not None else ""
    wanted = code(details.expected or "", 160)
    text = f"The expected call of {tool} ({wanted}) was made and refused{said}, and never accepted."
    if details.too_late_after is not None:
        text += (
            f" Action {details.too_late_after} had changed the same thing before; the task expects that only after "
            "this call."
        )
        return f"The expected call of {tool} made too late", text, _ORDER_LESSON
    return f"The expected call of {tool} refused", text, _MISSING_LESSON


def _unexpected(details: OtherCall, trouble: Trouble) -> tuple[str, str, str]:
    tool = code(details.tool or "", 80)
    text = f"{tool} is called (action {trouble.step}), which changes something that the task doesn't expect."
    return f"{tool} called without need", text, _ARGUMENT_LESSON


def _unsaid(details: OtherCall, _trouble: Trouble) -> tuple[str, str, str]:
    text = f"The user was to hear {code(details.expected or '', 80)}, and no message of the agent says it."
    return "The user never heard what the task expects", text, _UNSAID_LESSON


def _answer(details: OtherCall, _trouble: Trouble) -> tuple[str, str, str]:
    given, wanted = code(details.given or "", 120), code(details.expected or "", 120)
    text = f"The answer is {given}; the task expects {wanted}."
    if details.expected_from == "nothing":
        text += " Nothing that the user said and no result holds the expected one."
    elif details.expected_from is not None:
        text += f" The expected one was there, from {_place(details.expected_from)}."
    return "Another answer than the expected one", text, "An answer without a source is a guess."


_WORDS: dict[str, Callable[[OtherCall, Trouble], tuple[str, str, str]]] = {
    "differs": _differs,
    "missing": _missing,
    "refused": _refused,
    "unexpected": _unexpected,
    "unsaid": _unsaid,
    "answer": _answer,
}
