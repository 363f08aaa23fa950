"""How the answer that the agent gave and that was judged differs from the one that the task expects.

An expected answer that is itself an error: what was held against it was judged by a reference that failed.

What the record itself says about how a call that differs from the expected one could have been made."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from analyzer.detectors.reference.expectations import Difference, plain
from analyzer.failures import Reading, read
from analyzer.model.action import Action, Operation
from analyzer.model.finding import OtherCall
from analyzer.model.session import ExpectedAnswer, Session
from analyzer.model.words import Kind
from analyzer.text.clip import apart, clip
from analyzer.text.expressions import compiled
from analyzer.text.markdown import code

_MOST_WORDS = 40
_LAST_CALLS = 3


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
    words = f"The answer is {code(given)}, and the task expects {code(wanted)}"
    yield Difference("answer", words, actions[-1], answer=answer)


def as_written(given: str, actions: Sequence[Action], closing: str) -> str:
    """A judged answer as the agent wrote it: a scorer may have folded its letters."""
    words = given.split()
    if not words:
        return given
    pattern = re.compile(r"\s+".join(re.escape(word) for word in words[:_MOST_WORDS]), re.IGNORECASE)
    for text in (closing, *(arguments_text(action) for action in reversed(actions[-_LAST_CALLS:]))):
        found = pattern.search(text) if len(words) <= _MOST_WORDS else None
        if found is not None:
            return found[0]
    return given


def arguments_text(action: Action) -> str:
    """What a call hands over, as it was written."""
    if isinstance(action.arguments, str):
        return action.arguments
    return "\n".join(str(value) for value in action.arguments.values())


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


_LONGEST_VALUE = 80


def advice_for(details: OtherCall) -> list[str]:
    """Advice that a step or the user's words support; none where the record holds nothing to go by."""
    tool = code(details.tool or "")
    match details.how:
        case "differs" if details.argument is not None and details.expected_from is not None:
            return _of_argument(code(details.argument), details)
        case "missing" if details.never_shown is not None:
            return [f"Look up {code(details.never_shown)} for {tool}, or ask for it: nothing in the run holds it."]
        case "answer" | "unsaid" if (details.expected_from or "").startswith("step "):
            return [
                f"Compare the answer with {details.expected_from}: its result holds {_value(details.expected)}, "
                "which was expected."
            ]
        case _:
            return []


def _of_argument(name: str, details: OtherCall) -> list[str]:
    if details.expected_from == "the user":
        return [f"Take {name} from the user's words: they hold {_value(details.expected)}."]
    if details.given_from == "nothing":
        return [
            f"Look up {name} before the call, or ask for it: nothing before it holds {_value(details.given)}, the "
            "value that was given."
        ]
    return []


def _value(text: str | None) -> str:
    return code(clip(text or "", _LONGEST_VALUE))
