"""How the answer that the agent gave and that was judged differs from the one that the task expects.

An expected answer that is itself an error: what was held against it was judged by a reference that failed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from analyzer.detectors.reference.expectations import Difference, plain
from analyzer.failures import Reading, read
from analyzer.model.action import Action, Operation
from analyzer.model.session import ExpectedAnswer, Session
from analyzer.model.words import Kind
from analyzer.text.clip import apart
from analyzer.text.late import late

_MOST_WORDS = 40
_LAST_CALLS = 3
_MESSAGE = late(r"(?P<program>[\w.+-]+): \S")
_MOST_LINES = 5


def judged(answer: ExpectedAnswer | None, actions: Sequence[Action], closing: str = "") -> Iterable[Difference]:
    """The answer, where it was judged and isn't the expected one; as the agent wrote it in its last call or in its
    last words, where it stands there."""
    if answer is None or answer.given is None or plain(answer.given) == plain(answer.wanted):
        return
    ran = [action for action in actions if action.kind is not Kind.FINISH]
    empty = not plain(answer.given) and actions[-1] in ran[-1:] and not (actions[-1].result or "x").strip()
    if empty or any(action.result and plain(action.result) == plain(answer.given) for action in ran):
        return  # what a command prints holds times and numbers that no run can know in advance
    given, wanted = apart(as_written(answer.given, actions, closing), answer.wanted, 120)
    yield Difference("answer", {"given": given, "expected": wanted}, actions[-1], answer=answer)


def as_written(given: str, actions: Sequence[Action], closing: str) -> str:
    """A judged answer as the agent wrote it: a scorer may have folded its letters."""
    words, last = given.split(), [action.arguments for action in reversed(actions[-_LAST_CALLS:])]
    if not 0 < len(words) <= _MOST_WORDS:
        return given
    pattern = re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE)
    texts = (text if isinstance(text, str) else "\n".join(map(str, text.values())) for text in last)
    found = next(filter(None, map(pattern.search, (closing, *texts))), None)
    return found[0] if found is not None else given


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
