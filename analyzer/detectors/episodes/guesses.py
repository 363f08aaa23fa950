"""The guess track: one value after another is tried in the same call, none of them was ever shown, and each time the
answer is the same refusal.

Values that a result or the user had named are looked up, not guessed, however many of them turn out not to be there.
Where the refusal is an error with a trace, its message must name the only word in which two calls differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from analyzer.detectors.engine.rule_state import LaneContext
from analyzer.detectors.episodes.episode import GUESSED, Recurring, Stretch
from analyzer.detectors.episodes.shown import ShownValues, Slots, differing, slots_of
from analyzer.model.action import Action
from analyzer.model.struct import Struct
from analyzer.model.words import FailureKind, LoopKind
from analyzer.text.late import late

_ROUNDS = 6
"""How many values must be tried: a person tries a few, too."""
_GAP = 2
"""How many other actions may lie between two tries."""
_LONGEST = 400
"""Characters of a refusal, and of a call."""
_NOTHING = late(
    r"\bno (?:such|results?|match(?:es|ing)?|files?|records?|entr(?:y|ies)|items?|data|hits?)\b"
    r"|\bnot (?:found|exist)|n't exist|\b0 (?:results?|match(?:es)?)\b|\b(?:unknown|invalid|incorrect|wrong)\b"
    r"|\bnothing (?:found|happens|happened|changes|changed)\b|\bno effect\b|\b(?:do not|don't) understand\b"
    r"|\b(?:can't|cannot|can not) (?:do|go) (?:that|there)\b",
    re.IGNORECASE,
)
_LONGEST_MESSAGE = 200
_LONGEST_TRACE = 2_000
"""Characters of a message, and of the result that it's in, which names what was tried."""
_NAME = late(r"[A-Za-z_]\w{2,80}")
_REFUSED = frozenset({FailureKind.NOT_FOUND, FailureKind.INVALID_CALL, FailureKind.PERMISSION, FailureKind.OTHER})


class _Run(Struct):
    """Tries of one call: what varies in it, and what it's answered."""

    slots: Slots
    tries: Recurring
    varies: str = ""
    answer: str = ""


class GuessTrack:
    """Follows one lane; see the module's text."""

    def __init__(self, lane_context: LaneContext, rounds: int, shown: ShownValues) -> None:
        self._lane_context = lane_context
        self._rounds = max(rounds, _ROUNDS)
        self._position = -1
        self._shown = shown
        self._runs: dict[str, _Run] = {}

    def on_action(self, unit: Action) -> Iterable[Stretch]:
        """Take the next action; the stretches that became episodes with it."""
        self._position += 1
        if unit.after_user:
            self._runs.clear()
        if refuses(unit) or fails_over_a_name(unit):
            return self._try(unit)
        self._runs.pop(unit.tool, None)
        return ()

    def _try(self, unit: Action) -> Iterator[Stretch]:
        slots = slots_of(unit)
        run, begun = self._runs.get(unit.tool), _Run(slots, Recurring.of(unit, self._position))
        if run is None or self._position - run.tries.position > _GAP + 1:
            self._runs[unit.tool] = begun
            return
        latest, name = run.tries.latest, differing(run.slots, slots)
        together = unit.batch is not None and unit.batch == latest.batch
        before, now = dict(run.slots).get(name, ""), dict(slots).get(name, "")
        if not refuses(unit):
            before, now = _only_word(before, now), _only_word(now, before)
            message = unit.failure.message if unit.failure is not None else ""
            name = name if now and now in message else ""
        other = not name or together or (run.varies and name != run.varies) or not self._shown.invented(now, before)
        if other or _answer(unit, now) != (run.answer or _answer(latest, before)):
            self._runs[unit.tool] = begun
            return
        if not run.varies:
            run.varies, run.answer = name, _answer(unit, now)
            if not self._shown.invented(before):
                run.tries.steps.clear()
                run.tries.calls.clear()
        run.slots = slots
        run.tries.again(unit, self._position, live=self._lane_context.live)
        if run.tries.stretch is None and len(run.tries.calls) >= self._rounds:
            yield run.tries.open(LoopKind.REPEATED_ERROR, GUESSED, period=1, same_calls=False)


def refuses(unit: Action) -> bool:
    """Whether an action was answered by a short refusal, or by saying that there's nothing of the sort."""
    text = unit.result
    if not text or len(text) > _LONGEST or len(unit.keys.call) > _LONGEST:
        return False
    if unit.failure is not None:
        return unit.failure.kind in _REFUSED
    return _NOTHING.search(text) is not None


def fails_over_a_name(unit: Action) -> bool:
    """Whether an action failed with a message that may name what was tried, such as a key or an attribute; packages
    that are missing may be missing indeed."""
    failure = unit.failure
    if failure is None or failure.kind is not FailureKind.EXCEPTION or failure.expected:
        return False
    sizes = (unit.keys.call, _LONGEST), (failure.message, _LONGEST_MESSAGE), (unit.result or "", _LONGEST_TRACE)
    return all(len(text) <= most for text, most in sizes)


def _only_word(value: str, other: str) -> str:
    """The only name in a value that another one doesn't have; empty where it's none, or several."""
    words = dict.fromkeys(_NAME.findall(value))
    own = [word for word in words if word not in _NAME.findall(other)]
    return own[0] if len(own) == 1 else ""


def _answer(unit: Action, value: str) -> str:
    """The answer without the value that was tried; of a failure with a trace, its message."""
    text = unit.result or ""
    if not refuses(unit) and unit.failure is not None:
        text = unit.failure.headline
    return text.casefold().replace(value.strip("\"'").casefold(), "<value>")
