"""The guess track: one value after another is tried in the same call, none of them was ever shown, and each time the
answer is the same refusal.

Values that a result or the user had named are looked up, not guessed, however many of them turn out not to be there.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from analyzer.detectors.engine.rule_state import LaneContext
from analyzer.detectors.episodes.episode import GUESSED, MOST_LIVE, Stretch
from analyzer.model.action import Action
from analyzer.model.session import Message
from analyzer.model.words import FailureKind, LoopKind
from analyzer.text.late import late

_ROUNDS = 6
"""How many values must be tried: a person tries a few, too."""
_GAP = 2
"""How many other actions may lie between two tries."""
_SHORTEST = 4
"""Characters of a value below which it can't be said whether it was shown."""
_LONGEST = 400
"""Characters of a refusal, and of a call."""
_MOST_RESULTS = 200
_MOST_KEPT = 20_000
"""Results that are remembered, and the characters of each."""
_NOTHING = late(
    (
        r"\bno (?:such|results?|match(?:es|ing)?|files?|records?|entr(?:y|ies)|items?|data|hits?)\b"
        r"|\bnot (?:found|exist)|n't exist|\b0 (?:results?|match(?:es)?)\b|\b(?:unknown|invalid|incorrect|wrong)\b"
        r"|\bnothing found"
    ),
    re.IGNORECASE,
)
_REFUSED = frozenset({FailureKind.NOT_FOUND, FailureKind.INVALID_CALL, FailureKind.PERMISSION, FailureKind.OTHER})
_WORD = late(r"\"[^\"]*\"|'[^']*'|\S+")

Slots = tuple[tuple[str, str], ...]


@dataclass(slots=True)
class _Run:
    """Tries of one call: what varies in it, and what it's answered."""

    slots: Slots
    position: int
    latest: Action
    varies: str = ""
    answer: str = ""
    steps: list[int] = field(default_factory=list)
    calls: set[str] = field(default_factory=set)
    stretch: Stretch | None = None


class GuessTrack:
    """Follows one lane; see the module's text."""

    def __init__(self, lane_context: LaneContext, rounds: int) -> None:
        self._lane_context = lane_context
        self._rounds = max(rounds, _ROUNDS)
        self._position = -1
        self._shown: deque[str] = deque(maxlen=_MOST_RESULTS)
        self._runs: dict[str, _Run] = {}

    def on_message(self, message: Message) -> None:
        """Remember what the user named."""
        if message.role == "user":
            self._shown.append(message.text[:_MOST_KEPT].casefold())

    def on_action(self, unit: Action) -> Iterable[Stretch]:
        """Take the next action; the stretches that became episodes with it."""
        self._position += 1
        if unit.after_user:
            self._runs.clear()
        if _refuses(unit):
            return self._try(unit)
        if unit.result:
            self._shown.append(unit.result[:_MOST_KEPT].casefold())
        self._runs.pop(unit.tool, None)
        return ()

    def _try(self, unit: Action) -> Iterator[Stretch]:
        slots = _slots(unit)
        run = self._runs.get(unit.tool)
        if run is None or self._position - run.position > _GAP + 1:
            self._runs[unit.tool] = _Run(slots, self._position, unit)
            return
        name = _differing(run.slots, slots)
        together = unit.batch is not None and unit.batch == run.latest.batch
        before, now = dict(run.slots).get(name, ""), dict(slots).get(name, "")
        if (
            not name
            or together
            or (run.varies and name != run.varies)
            or not self._invented(now)
            or _answer(unit, now) != (run.answer or _answer(run.latest, before))
        ):
            self._runs[unit.tool] = _Run(slots, self._position, unit)
            return
        if not run.varies:
            run.varies, run.answer, run.steps, run.calls = name, _answer(unit, now), [], set()
            if self._invented(before):
                run.steps.append(run.latest.step)
                run.calls.add(run.latest.keys.call_masked)
        run.slots, run.position, run.latest = slots, self._position, unit
        yield from self._add(run, unit)

    def _add(self, run: _Run, unit: Action) -> Iterator[Stretch]:
        if run.stretch is not None:
            run.stretch.last = unit.step
        if not self._lane_context.live or len(run.steps) < MOST_LIVE:
            run.steps.append(unit.step)
            run.calls.add(unit.keys.call_masked)
        if run.stretch is None and len(run.steps) >= self._rounds and len(run.calls) == len(run.steps):
            run.stretch = Stretch(
                LoopKind.REPEATED_ERROR,
                run.steps[0],
                unit.step,
                1,
                run.steps,
                run.steps,
                None,
                False,
                False,
                GUESSED,
                1,
                run.calls,
                unit.step,
            )
            yield run.stretch

    def _invented(self, value: str) -> bool:
        """Whether nothing had shown a value."""
        bare = value.strip("\"'").casefold()
        if len(bare) < _SHORTEST or bare in self._lane_context.task.casefold():
            return False
        return not any(bare in text for text in self._shown)


def _refuses(unit: Action) -> bool:
    """Whether an action was answered by a short refusal, or by saying that there's nothing of the sort."""
    text = unit.result
    if not text or len(text) > _LONGEST or len(unit.keys.call) > _LONGEST:
        return False
    if unit.failure is not None:
        return unit.failure.kind in _REFUSED
    return _NOTHING.search(text) is not None


def _slots(unit: Action) -> Slots:
    """The words of a shell line or the arguments of a call, by their places."""
    if unit.operation.command is not None:
        words = _WORD.findall(unit.operation.command)
        return tuple((str(number), word) for number, word in enumerate(words))
    if isinstance(unit.arguments, str):
        return (("", unit.arguments),)
    return tuple((key, json.dumps(value, default=str)) for key, value in sorted(unit.arguments.items()))


def _differing(one: Slots, other: Slots) -> str:
    """The only place at which two calls differ; empty where there's none, or several, or other places."""
    if len(one) != len(other):
        return ""
    differ = [first[0] for first, second in zip(one, other, strict=True) if first != second]
    return f"{differ[0]}" if len(differ) == 1 and [key for key, _ in one] == [key for key, _ in other] else ""


def _answer(unit: Action, value: str) -> str:
    """The answer without the value that was tried."""
    return (unit.result or "").casefold().replace(value.strip("\"'").casefold(), "<value>")
