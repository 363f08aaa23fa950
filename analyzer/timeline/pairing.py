"""Which result belongs to which call.

The call with which a recording breaks off.

Language and runtime of a session: what its header states, else what the output of its commands shows.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence

from analyzer.model.action import Action, Answer, Call
from analyzer.model.session import Event, Message, ReadWarning, Session, ToolCall, ToolResult
from analyzer.model.struct import Struct, field
from analyzer.model.words import MAIN_LANE, Kind
from analyzer.text.english import one_or_many, plural
from analyzer.text.late import late

_SHOWN = tuple(
    (part, late(shown, re.MULTILINE))
    for part, shown in (
        ("language", r"^platform \w+ -- (?P<value>Python \d+\.\d+(?:\.\d+)?)"),
        ("test runner", r"^platform [^\n]*?, (?P<value>pytest-\d+[\w.+]*)"),
        ("language", r"^(?P<value>Python \d+\.\d+\.\d+(?=\s*$)|go version go[\d.]+|(?:rustc|cargo) \d+\.\d+\.\d+)"),
        ("runtime", r"^(?P<value>Node\.js v\d+[\d.]*(?=\s*$)|openjdk version \"[^\"]+\")"),
    )
)
_MOST = 4_000


class Pairing(Struct):
    """The calls in file order, the result of each (None where none was recorded), and the results that belong to no
    call."""

    calls: list[ToolCall] = field(default_factory=list)
    results: list[ToolResult | None] = field(default_factory=list)
    orphans: list[ToolResult] = field(default_factory=list)


def pair(events: Iterable[Event]) -> Pairing:
    """Pair calls with results by id, never by order alone.

    A result belongs to the oldest unanswered call of its lane that has its id, since ids may repeat or be redacted; one
    without an id to the oldest unanswered call without one. A result that was written down before its call belongs to
    it where only this one call has its id.
    """
    paired = Pairing()
    waiting: dict[tuple[str, str | None], deque[int]] = defaultdict(deque)
    for event in events:
        if isinstance(event, ToolCall):
            waiting[event.lane, event.id].append(len(paired.calls))
            paired.calls.append(event)
            paired.results.append(None)
        elif isinstance(event, ToolResult):
            queue = waiting.get((event.lane, event.call_id))
            if queue:
                paired.results[queue.popleft()] = event
            else:
                paired.orphans.append(event)
    if paired.orphans:
        _place_early(paired, waiting)
    return paired


def unanswered(paired: Pairing) -> ReadWarning | None:
    """The warning about calls without a recorded result; where all of them are, it says so."""
    steps: Counter[str] = Counter()
    without: list[int] = []
    made = [call for call in paired.calls if not call.harness and not call.task_done]
    for call, result in zip(paired.calls, paired.results, strict=True):
        steps[call.lane] += 1
        if result is None and not call.harness and not call.task_done:
            without.append(steps[call.lane])
    if not without:
        return None
    if len(without) == len(made) > 1:
        nor = "" if any(call.arguments for call in made) else ", nor any arguments"
        what = f"none of the {len(made)} calls has a recorded result{nor}: what came of them isn't known"
        return ReadWarning("results", what)
    shown = ", ".join(map(str, without[:8])) + (" ..." if len(without) > 8 else "")
    has = "has" if len(without) == 1 else "have"
    return ReadWarning(
        f"{one_or_many(len(without), 'step')} {shown}", f"{plural(len(without), 'call')} {has} no recorded result"
    )


def unpaired(paired: Pairing) -> Iterator[ReadWarning]:
    """The warnings about results without a call, calls without a result, and results without a text."""
    if orphans := len(paired.orphans):
        belong = one_or_many(orphans, "result belongs", "results belong")
        yield ReadWarning("results", f"{orphans} {belong} to no call that was recorded; left out")
    yield from filter(None, (unanswered(paired), _blanked(paired)))


def _blanked(paired: Pairing) -> ReadWarning | None:
    """The warning about results that a recorder blanked out."""
    emptied = [
        call
        for call, result in zip(paired.calls, paired.results, strict=True)
        if result is not None and result.unrecorded
    ]
    if not emptied:
        return None
    of = (
        f"all {len(emptied)} results are"
        if len(emptied) == sum(map(bool, paired.results)) > 1
        else (f"{plural(len(emptied), 'result')} {'is' if len(emptied) == 1 else 'are'}")
    )
    nor = "" if any(call.arguments for call in emptied) else ", and their calls have no arguments"
    return ReadWarning("results", f"{of} blanked out in the recording{nor}: what came back isn't known")


def _place_early(paired: Pairing, waiting: dict[tuple[str, str | None], deque[int]]) -> None:
    named = Counter((call.lane, call.id) for call in paired.calls)
    orphans, paired.orphans = paired.orphans, []
    for result in orphans:
        key = (result.lane, result.call_id)
        if result.call_id is not None and named[key] == 1 and waiting[key]:
            paired.results[waiting[key].popleft()] = result
        else:
            paired.orphans.append(result)


def unfinished(events: Sequence[Event], calls: Sequence[Call], answers: Sequence[Answer]) -> Call | None:
    """The last call of the main lane, where the recording ends with it and it has no result: its
    log calls it unfinished, or every earlier call of its tool came back. None where results of such calls aren't
    recorded, or where the call ends the session."""
    event = next((event for event in reversed(events) if not isinstance(event, Message) or not event.thought), None)
    if not isinstance(event, ToolCall) or event.lane != MAIN_LANE or event.harness:
        return None
    *others, (last, answer) = [made for made in zip(calls, answers, strict=True) if made[0].lane == MAIN_LANE]
    if answer.text is not None or last.operation.kind is Kind.FINISH:
        return None
    if event.unfinished:
        return last
    others = [made for made in others if made[0].tool == last.tool] or others
    if last.batch is not None:
        others = [made for made in others if made[0].batch != last.batch]
    return last if others and all(answer.text is not None for _, answer in others) else None


def environment_of(session: Session, actions: Sequence[Action]) -> dict[str, str]:
    """Label -> value. A value that was read from output ends in `(seen at step N)`."""
    found = dict(session.environment)
    for action in actions:
        if not action.result or not action.operation.command:
            continue
        head = action.result[:_MOST]
        for label, pattern in _SHOWN:
            if label not in found and (match := pattern.search(head)):
                found[label] = f"{match['value']} (seen at step {action.step})"
    return found
