"""How the answer that was judged differs from the one that the task expects.

Where the judged answer is what a command printed, the two are compared line by line without what no run can know in
advance: times, durations, addresses, ids.

An expected answer that is itself an error: what was held against it was judged by a reference that failed.

What the record itself says about how a call that differs from the expected one could have been made."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from analyzer.detectors.signals.expectations import Difference, plain
from analyzer.failures import Reading, read
from analyzer.model.action import Action, Operation
from analyzer.model.finding import OtherCall
from analyzer.model.session import ExpectedAnswer, Session
from analyzer.model.struct import Struct
from analyzer.model.words import Kind
from analyzer.text.clip import apart, clip
from analyzer.text.english import plural
from analyzer.text.expressions import compiled
from analyzer.text.late import late
from analyzer.text.markdown import code

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_MOVES = late(
    rf"\b(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?(?:{_MONTH} {{1,2}}\d{{1,2}}|\d{{1,2}} {_MONTH})"
    r"(?: \d{4})?(?: {1,2}\d\d:\d\d(?::\d\d)?| {1,2}\d{4})(?: [A-Z]{3,4})?(?: \d{4})?\b"
    r"|\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z| ?[+-]\d\d:?\d\d)?(?!\d)"
    r"|\b\d{1,2}:\d\d(?::\d\d)?\b|\b\d{1,9}(?:\.\d{1,9})? ?(?:msec|ms|us|ns)\b|\b\d{1,4}m\d{1,2}\.\d{1,6}s\b"
    r"|(?<=\bid: )\d{1,20}\b|(?<=\b[Pp][Ii][Dd] )\d{1,20}\b|(?<=\b[Pp][Ii][Dd]: )\d{1,20}\b"
)
"""What moves by itself in the output of a program: moments, durations, numbers of processes and requests. Sizes and
checksums say what is there."""


_MOST_WORDS = 40
_TELLING = 4
"""Characters from which an output isn't printed by chance."""
_LAST_CALLS = 3
_CLEARLY = 0.05
"""The share of the best score that must be lost to be worth a word."""
_NUMBER = late(r"\d+(?:\.\d+)?")
_SPEAKS = late(r"^(?:[\w./+-]{1,40}: ){1,2}(?:line \d{1,6}: )?\S|\b(?i:warning|usage):")
"""A line in which a program, or the shell, says something of its own rather than what it was asked for."""


def judged(answer: ExpectedAnswer | None, actions: Sequence[Action], closing: str = "") -> Iterable[Difference]:
    """The answer, where it was judged and isn't the expected one; as the agent wrote it in its last call or in its
    last words, where it stands there."""
    if answer is None or answer.given is None or plain(answer.given) == plain(answer.wanted):
        return
    source = printed(answer, actions)
    if source is None:
        given, wanted = apart(as_written(answer.given, actions, closing), answer.wanted, 120)
        words = f"The answer is {code(given)}, and the task expects {code(wanted)}"
        yield Difference("answer", words, actions[-1], answer=answer)
        return
    found = _apart(answer, source.step)
    if found is not None and not _was_better(actions) and not _a_reading(source, actions):
        words, line = found
        yield Difference("answer", words, source, answer=answer, line=line)


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


def printed(answer: ExpectedAnswer, actions: Sequence[Action]) -> Action | None:
    """The last action whose result is what was judged; None where the answer was written by the agent."""
    given = plain(answer.given)
    if not given:
        last = actions[-1]
        empty = last.result is not None and not last.result.strip()
        return last if empty and last.kind is not Kind.FINISH else None
    ran = (action for action in reversed(actions) if action.kind is not Kind.FINISH)
    return next((action for action in ran if action.result is not None and plain(action.result) == given), None)


def closest_advice(answer: ExpectedAnswer | None, actions: Sequence[Action]) -> list[str]:
    """Which step had printed more of a reference output than the last one did; nothing where none had, or where the
    answer was written by the agent."""
    source = printed(answer, actions) if answer is not None else None
    if answer is None or source is None or len(answer.wanted.strip()) < _TELLING:
        return []
    wanted = _lines(answer.wanted)
    of_last = len(wanted) - len(_without(wanted, _lines(answer.given or "")))
    best, most = None, of_last
    for action in actions:
        lines = _lines(action.result or "") if action.failure is None and action.step < source.step else []
        held = len(wanted) - len(_without(wanted, lines))
        if held > most:
            best, most = action, held
    if best is None:
        return []
    if most == len(wanted) and not _without(_lines(best.result or ""), wanted):
        return [f"End with the call of step {best.step}: it printed just what the reference output has."]
    if most == len(wanted):
        words = f"all {most} lines" if most > 1 else "the line"
        return [f"Start from the call of step {best.step}: it printed {words} of the reference output, among others."]
    count = f"{most} of the {len(wanted)} lines of the reference output, and step {source.step} {of_last or 'none'}"
    return [f"Start from the call of step {best.step}: it printed {count}."]


def _apart(answer: ExpectedAnswer, step: int) -> tuple[str, str | None] | None:
    """What an output lacks or has too much, in words, with its first line that isn't as expected."""
    wanted, given = _lines(answer.wanted), _lines(answer.given or "")
    lacking, more = _telling(_without(wanted, given)), _telling(_without(given, wanted))
    line = more[0] if more else None
    if not lacking and not more:
        if [_settled(entry) for entry in wanted] == [_settled(entry) for entry in given]:
            return None
        return f"Step {step} printed the lines of the reference output in another order", None
    if not given:
        return f"Step {step} printed nothing, and the reference output has {_shown(lacking)}", None
    if not more:
        return f"Step {step} printed no {_shown(lacking)}, which the reference output has", None
    if not lacking:
        return f"Step {step} printed {_shown(more)}, which the reference output hasn't", line
    return f"Step {step} printed {_shown(more)}, and the reference output has {_shown(lacking)}", line


def _was_better(actions: Sequence[Action]) -> bool:
    """Whether the log scores an earlier step clearly higher than the end: the outcome says then where it fell."""
    scores = [action.score for action in actions if not action.harness and action.score is not None]
    return bool(scores) and max(scores) > 0 and max(scores) - scores[-1] > _CLEARLY * max(scores)


def _a_reading(source: Action, actions: Sequence[Action]) -> bool:
    """Whether a command reads something that moves by itself: the run made the same call before and got other
    numbers in the same words."""
    same = [action.result for action in actions if action.keys.call == source.keys.call and action.result]
    return len({_numberless(text) for text in same}) == 1 < len(set(same))


def _numberless(text: str) -> str:
    return _NUMBER.sub("0", " ".join(text.split()))


def _telling(lines: list[str]) -> list[str]:
    """The lines, those in which a program speaks of itself last: a reference that warns expects no warning."""
    return sorted(lines, key=lambda line: _SPEAKS.search(line) is not None)


def _lines(text: str) -> list[str]:
    return [words for line in text.splitlines() if (words := " ".join(line.split()))]


def _settled(line: str) -> str:
    return _MOVES.sub("<moves>", line).casefold()


def _without(lines: list[str], others: list[str]) -> list[str]:
    """The lines that the others haven't got, as often as they stand there."""
    left = Counter(map(_settled, others))
    lacking = []
    for line in lines:
        settled = _settled(line)
        if left[settled]:
            left[settled] -= 1
        else:
            lacking.append(line)
    return lacking


def _shown(lines: list[str]) -> str:
    more = f" and {plural(len(lines) - 1, 'more line')}" if len(lines) > 1 else ""
    return f"{code(clip(lines[0], 120))}{more}"


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


class Grounds(Struct, frozen=True):
    """What the run had shown before an expected call was left out: whether all of its values stood there, and whether
    the call that hands over is the first of the run."""

    all_known: bool = False
    at_once: bool = False


def advice_for(details: OtherCall, grounds: Grounds) -> list[str]:
    """Advice that a step or the user's words support; none where the record holds nothing to go by."""
    tool = code(details.tool or "")
    match details.how:
        case "differs" if details.argument is not None and details.expected_from is not None:
            return _of_argument(code(details.argument), details)
        case "refused" if details.too_late_after is not None:
            return [f"Call {tool} before the call of step {details.too_late_after}: after it, {tool} is refused."]
        case "missing" if grounds.at_once:
            return [
                f"Ask the user or look something up before step {details.instead_at} calls "
                f"{code(details.instead or '')}: it's the first call of the run."
            ]
        case "missing" if details.never_shown is not None:
            return [f"Look up {code(details.never_shown)} for {tool}, or ask for it: nothing in the run holds it."]
        case "missing" if details.instead is not None and details.instead_at is not None and grounds.all_known:
            return [f"Call {tool} before step {details.instead_at} calls {code(details.instead)} in its place."]
        case "answer" | "unsaid" if _step_of(details.expected_from) is not None:
            return [
                f"Compare the answer with {details.expected_from}: its result holds {_value(details.expected)}, "
                "which was expected."
            ]
        case _:
            return []


def _of_argument(name: str, details: OtherCall) -> list[str]:
    if _step_of(details.expected_from) is not None:
        return [f"Take {name} from {details.expected_from}: its result holds {_value(details.expected)}."]
    if details.expected_from == "the user":
        return [f"Take {name} from the user's words: they hold {_value(details.expected)}."]
    if details.given_from == "nothing":
        return [
            f"Look up {name} before the call, or ask for it: nothing before it holds {_value(details.given)}, the "
            "value that was given."
        ]
    return []


def _step_of(place: str | None) -> str | None:
    return place if place is not None and place.startswith("step ") else None


def _value(text: str | None) -> str:
    return code(clip(text or "", _LONGEST_VALUE))
