"""Which result belongs to which call."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from analyzer.model.session import Event, ReadWarning, ToolCall, ToolResult
from analyzer.text.english import one_or_many, plural


@dataclass(slots=True)
class Pairing:
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


def blanked(paired: Pairing) -> ReadWarning | None:
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
