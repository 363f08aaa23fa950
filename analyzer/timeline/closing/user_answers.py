"""Calls that hand in the work or a plan and come back with the user's own words: an answer to what was handed in, which
is neither a success of the call nor a failure.

Calls that a person decided against, and calls of which only an answer is known.
"""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.failures import Verdict
from analyzer.model.action import Action, Answer, Call
from analyzer.model.session import Event, Message, ToolCall, ToolResult
from analyzer.model.words import FailureKind, Kind, Mark, NotRun, Status
from analyzer.task.turns import read_turn
from analyzer.text.clip import clip
from analyzer.text.late import late

_HANDS_IN = frozenset({Kind.FINISH, Kind.PLAN})
_SHORTEST = 3
"""Characters of what a user says at least: less may be in a result by chance."""
_HEAD = 300
"""Characters of a result within which it says whose words follow."""
_LONGEST_QUOTE = 100
_FEEDBACK = late(
    r"\b(?:the |a )?(?:human |code )?(?:user|reviewer|operator|human|customer) (?:has |have )?"
    r"(?:provided|given|gave|left|sent|added|answered with|replied with) (?:the following |some |new )?"
    r"(?:feedback|comments?|remarks?|notes?|changes|instructions)\b",
    2,
)
"""How a result announces what the user says of what was handed in."""
_WRONG = late(
    r"\b(?:submission|answer|solution|flag|result|guess)s? (?:is|was|are|were|seems?|looks?) (?:still |also )?"
    r"(?:incorrect|wrong|not (?:correct|right|accepted)|rejected|invalid)\b|\b(?:incorrect|wrong|invalid) "
    r"(?:submission|answer|solution|flag)\b",
    2,
)
"""How a program or a person says that what was handed in is wrong."""
_SHORT = 400
"""Characters of a message up to which it's an answer to what was handed in."""
ANSWERED_WRONG = "answered "
"""What a status rests on begins with, where a hand-in was answered as wrong."""


def not_run(action: Action) -> NotRun | None:
    """Why a call never ran; None where it did, or where the log doesn't tell."""
    failure = action.failure
    if failure is not None and (failure.is_decision or failure.is_held_back):
        return NotRun.REFUSED
    return NotRun.CANCELLED if failure is not None and failure.kind is FailureKind.CASCADE else None


def not_ended(action: Action) -> NotRun | None:
    """Why a call never ran, or not to its end; None where it did, or where the log doesn't tell."""
    return NotRun.STOPPED if action.mark is Mark.INTERRUPTED else not_run(action)


def has_failed(action: Action) -> bool:
    """Whether a step counts as failed: it shows a failure, and not one that kept it from running to its end."""
    return action.failure is not None and not_ended(action) is None


def only_answered(action: Action) -> bool:
    """Whether a call asked another agent, and all that is known is that it answered."""
    return action.asks_agent and action.status is Status.UNKNOWN and bool((action.result or "").strip())


class UserAnswers:
    """What the user says of what is handed in, and the session's harness."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._said = _said_next(events)
        self._answers = _said_next(events, ("user", "harness"))

    def verdict(self, call: Call, answer: Answer, result: ToolResult | None, verdict: Verdict) -> Verdict:
        """A verdict; it's open where the call hands something in and comes back with words of the user that aren't
        plain agreement."""
        if call.operation.kind not in _HANDS_IN or result is None or not result.text:
            return verdict
        # The words decide only where nothing else did, and they aren't a decision of the harness.
        failure = verdict.failure
        marked = answer.mark is not None or (failure is not None and (failure.recorded or failure.is_decision))
        if marked and verdict.status is not Status.OK:
            return verdict
        why = _left_open_by(call, result, self._said.get(id(result), ()), self._answers.get(id(result), ()))
        return verdict if why is None else Verdict(Status.UNKNOWN, verdict.source, None, why)


def _left_open_by(call: Call, result: ToolResult, said: Sequence[str], answers: Sequence[str]) -> str | None:
    """The words that leave it open whether what was handed in was accepted; None for no such words."""
    ends = call.operation.kind is Kind.FINISH
    wrong = next((said for said in answers if len(said) <= _SHORT and _WRONG.search(said)), None) if ends else None
    if wrong is not None:
        return f'{ANSWERED_WRONG}"{clip(" ".join(wrong.split()), _LONGEST_QUOTE)}"'
    own = str(call.arguments)
    heard = (text for text in said if _is_in(text, result.text) and not _is_in(text, own))
    words = next((text for text in heard if ends or 3 * len(text) > len(result.text)), None)
    if words is not None:
        shown = clip(" ".join(words.split()), _LONGEST_QUOTE)
        return None if read_turn(words).approves else f'the user answered "{shown}"'
    announced = ends and _FEEDBACK.search(result.text[:_HEAD]) is not None
    return "the result is the user's answer" if announced else None


def _said_next(events: Sequence[Event], roles: Sequence[str] = ("user",)) -> dict[int, list[str]]:
    """What was said behind each result by somebody of these roles, before the agent spoke or made a call, by the
    identity of the result."""
    said: dict[int, list[str]] = {}
    open_results: dict[str, list[int]] = {}
    for event in events:
        if isinstance(event, ToolResult):
            open_results.setdefault(event.lane, []).append(id(event))
        elif isinstance(event, ToolCall):
            open_results.pop(event.lane, None)
        elif isinstance(event, Message):
            if event.role == "assistant":
                open_results.pop(event.lane, None)
            elif event.role in roles:
                for key in open_results.get(event.lane, ()):
                    said.setdefault(key, []).append(event.text)
    return said


def _is_in(text: str, result: str) -> bool:
    words = " ".join(text.split())
    return len(words) >= _SHORTEST and words in " ".join(result.split())
