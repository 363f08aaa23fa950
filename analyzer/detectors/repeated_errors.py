"""A failure that came back: to the letter, or apart from what varies by itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from pydantic import Field

from analyzer.detectors.engine.facts import Facts, Need
from analyzer.detectors.engine.interface import LiveDetector, Options, Trait
from analyzer.detectors.engine.rule_state import LaneContext, RuleState
from analyzer.detectors.episodes.shown import Probes, shows_more
from analyzer.detectors.signals.recurrence import Recurrence, Recurrences
from analyzer.model.action import Action
from analyzer.model.failure import Failure
from analyzer.model.finding import Evidence, Finding, Taxonomy
from analyzer.model.words import NOT_CARRIED_OUT, Category, Severity
from analyzer.text.clip import clip
from analyzer.text.english import listed

_MOST_QUOTED = 2_000
"""Occurrences whose wording is compared to say what differed."""
_LONGEST = 300
_SEVERAL = 2
"""Edits from which on they may share an assumption."""
_MOST_CALLS = 200
"""Calls whose last failing run is remembered."""


class RepeatOptions(Options):
    """Options of this detector."""

    occurrences: int = Field(default=3, ge=2)
    """How often the failure must have come back."""


class RepeatedError(LiveDetector):
    """Base of the two detectors: `near` says which of them it is."""

    category = Category.ERROR
    needs = Need.FAILURES
    taxonomy = Taxonomy.of(mast=["FM-1.3"], trail=["Resource Abuse"])
    options = RepeatOptions.usual()
    traits = frozenset({Trait.REPETITION, Trait.RECOUNTS, Trait.ASPECT_OF_LOOP})
    near: ClassVar[bool]

    def start(self, lane_context: LaneContext) -> RuleState:
        """The state of the rule in a lane that is about to begin."""
        return _State(lane_context, type(self), self.options.occurrences)

    def detect(self, facts: Facts) -> Iterable[Finding]:
        """The findings of one session. An error inside a loop that the agent never left weighs more."""
        stuck = {(episode.lane, episode.group) for episode in facts.episodes if not episode.escaped}
        for finding in super().detect(facts):
            worse = (finding.lane, finding.group) in stuck
            yield finding.model_copy(update={"severity": Severity.MEDIUM}) if worse else finding


class _State(Recurrences):
    def __init__(self, lane_context: LaneContext, detector: type[RepeatedError], threshold: int) -> None:
        super().__init__(lane_context, threshold)
        self._detector = detector
        self._near = detector.near
        self._wordings: dict[str, list[Failure]] = {}
        self._words: dict[str, list[str]] = {}
        """The same as the results have it."""
        self._others: set[str] = set()
        self._probes = Probes()
        self._latest: dict[tuple[str, str], Action] = {}
        """The last run that showed a failure, for each call."""

    def on_action(self, action: Action) -> Iterable[Finding]:
        failure, probed = action.failure, self._probes.is_probe(action)
        if failure is not None and failure.group is not None and not failure.expected:
            if failure.kind in NOT_CARRIED_OUT or probed:
                return ()
            if self._tells_more(failure.group, action):
                return ()
            said = self._wordings.setdefault(failure.group, [])
            if len(said) < (self._threshold if self.lane_context.live else _MOST_QUOTED):
                said.append(failure)
                self._words.setdefault(failure.group, []).append(_words(failure, action))
            if self.lane_context.live and len(self._wordings) > 500:
                gone = next(iter(self._wordings))
                self._wordings.pop(gone)
                self._words.pop(gone, None)
        return super().on_action(action)

    def _tells_more(self, group: str, action: Action) -> bool:
        """Whether a run shows more than the one before it of the same call, ahead of the same failure."""
        key = group, action.keys.call_masked
        before = self._latest.pop(key, None)
        self._latest[key] = action
        if len(self._latest) > _MOST_CALLS:
            self._latest.pop(next(iter(self._latest)))
        return before is not None and shows_more(before, action, self.lane_context.masks)

    def judge(self, recurrence: Recurrence, action: Action, edits: Sequence[Action]) -> Finding | None:
        failure = action.failure
        assert failure is not None
        assert failure.group is not None
        said = self._wordings.get(failure.group, [failure])
        if recurrence.finding is None:
            if failure.group in self._others:
                return None
            if any(other.headline != said[0].headline for other in said) is not self._near:
                self._others.add(failure.group)
                return None
        return self._finding(recurrence, action, said, edits)

    def _finding(
        self, recurrence: Recurrence, action: Action, said: Sequence[Failure], edits: Sequence[Action]
    ) -> Finding:
        steps, masks = recurrence.steps, self.lane_context.masks
        failure = action.failure
        assert failure is not None
        now = _words(failure, action)
        words = self._words.get(failure.group or "", [now])
        how = "nearly the same error" if self._near else "the same error"
        quotes = [words[0], words[len(words) // 2], now] if len(words) > 2 else words
        at = [steps[0], steps[len(steps) // 2], steps[-1]]
        return self.found(
            self._detector,
            recurrence,
            failure,
            severity=Severity.LOW,
            confidence=0.85 if self._near else 0.95,
            title=f"{how.capitalize()} {recurrence.counter.times}: {clip(now, 200)}",
            evidence=[Evidence(step=step, quote=quote) for step, quote in zip(at, quotes, strict=False)],
            advice=_advice(edits),
            repeated=masks.mask(said[0].headline),
            differed=list(masks.varied([entry.headline_with_line for entry in said])),
        )


def _words(failure: Failure, action: Action) -> str:
    """What a failure says: its headline, without the name of its type where the result hasn't got that."""
    named = failure.type is None or not failure.message or failure.type in (action.result or "")
    return (failure.headline if named else failure.message)[:_LONGEST]


def _advice(edits: Sequence[Action]) -> list[str]:
    """What to do about a failure that came back through edits; nothing where there were none."""
    steps = [str(action.step) for action in edits]
    if len(steps) < _SEVERAL:
        return []
    shown = [*steps[:2], *(["others"] if len(steps) > _SEVERAL + 1 else steps[2:])]
    return [
        f"Say which assumption the edits of steps {listed(shown)} share, and check that one before the next edit: "
        "the error outlived them all."
    ]


class IdenticalError(RepeatedError):
    """The identical error occurs repeatedly.

    What it flags
        A failure that occurred three times or more, anywhere in the session, with the same type, message and failing
        tests.

    Why it matters
        An error that doesn't change shows that nothing done in between affected its cause. Counting it is the cheapest
        possible guard.

    What it does not flag
        Refusals by the user, calls cancelled because another call of the same message failed, several failures among
        the calls of one message, a reproduction that is meant to fail before the fix, failures whose tests or numbers
        change.

    Options
        occurrences: how often the failure must have occurred (3).

    Example:
        `ValueError: Need at least 8 knots for degree 3` at steps 16, 18, 20, 22, 24 and 26.

    """

    name = "identical-error"
    cause_name = "the same error repeatedly"
    near = False


class NearIdenticalError(RepeatedError):
    """The same error occurs repeatedly, apart from what varies by itself.

    What it flags
        A failure that came back three times or more with equal type, failing tests and masked message, while line
        numbers, temporary paths, ids, ports, durations or the wording around the same names changed.

    Why it matters
        An exact comparison sees a new error each time, and so does an agent that doesn't look closely.

    What it does not flag
        Errors whose first three occurrences are exactly equal: that's `identical-error`. Errors that name another
        identifier, another test or another count: those are different failures with the same wording.

    Options
        occurrences: how often the failure must have occurred (3).

    Example:
        `batch 7f3c... could not be written to /tmp/tmpab12/part-0001` five times, each with another batch and path.

    """

    name = "near-identical-error"
    cause_name = "nearly the same error repeatedly"
    near = True


DETECTORS = (IdenticalError(), NearIdenticalError())
