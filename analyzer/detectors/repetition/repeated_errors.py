"""A failure that came back: to the letter, or apart from what varies by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pydantic import Field

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.interface import Options, followed
from analyzer.detectors.engine.rule_state import LaneContext, RuleState
from analyzer.detectors.episodes.shown import Probes, shows_more
from analyzer.detectors.signals.recurrence import Recurrence, Recurrences
from analyzer.model.action import Action
from analyzer.model.failure import Failure
from analyzer.model.finding import Evidence, Finding
from analyzer.model.words import NOT_CARRIED_OUT, Severity
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


def worse_in_loops(
    state: Callable[[LaneContext, RepeatOptions], RuleState], facts: Facts, options: RepeatOptions
) -> Iterable[Finding]:
    """The findings of one session. An error inside a loop that the agent never left weighs more."""
    stuck = {(episode.lane, episode.group) for episode in facts.episodes if not episode.escaped}
    for finding in followed(lambda lane: state(lane, options), facts):
        worse = (finding.lane, finding.group) in stuck
        yield finding.model_copy(update={"severity": Severity.MEDIUM}) if worse else finding


class RepeatState(Recurrences):
    """The failures of one lane that came back: with another wording where `near`, to the letter otherwise."""

    def __init__(self, lane_context: LaneContext, options: RepeatOptions, *, near: bool) -> None:
        super().__init__(lane_context, options.occurrences)
        self._near = near
        self._wordings: dict[str, list[Failure]] = {}
        self._words: dict[str, list[str]] = {}
        """The same as the results have it."""
        self._others: set[str] = set()
        self._probes = Probes()
        self._latest: dict[tuple[str, str], Action] = {}
        """The last run that showed a failure, for each call."""

    def on_action(self, action: Action) -> Iterable[Finding]:
        """Take the next action; the findings that became detectable with it."""
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
        """What a failure that came back shows; None where it came back in the other way."""
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
        name = "near-identical-error" if self._near else "identical-error"
        return self.found(
            f"{name}/{name}",
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
