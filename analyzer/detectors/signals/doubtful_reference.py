"""An expected answer that is itself an error: what was held against it was judged by a reference that failed."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.failures import Reading, read
from analyzer.model.action import Action, Operation
from analyzer.model.session import Session
from analyzer.model.words import Kind
from analyzer.text.expressions import compiled

_MESSAGE = compiled(r"(?P<program>[\w.+-]+): \S")
_MOST_LINES = 5


def doubtful_reference(session: Session, actions: Sequence[Action]) -> str | None:
    """The expected answer where it's an error text rather than an answer; None else.

    It's one where it reads as a failure, or where each of its lines is an error message of a program that the agent
    ran, too (`grep: ...`), and the agent's own answer isn't the same.
    """
    answer = session.expected.answer if session.expected is not None else None
    wanted = answer.wanted.strip() if answer is not None else ""
    if answer is None or not wanted or (answer.given or "").strip() == wanted:
        return None
    verdict = read(Reading(text=wanted, operation=Operation(kind=Kind.RUN, target="", command=""), tool=""))
    if verdict.failure is not None:
        return wanted
    lines = wanted.splitlines()
    ran = {command.program for action in actions for command in action.operation.commands}
    named = [found for line in lines if (found := _MESSAGE.match(line)) is not None]
    same = len(lines) <= _MOST_LINES and len(named) == len(lines)
    return wanted if same and all(found["program"] in ran for found in named) else None
