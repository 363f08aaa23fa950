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

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Annotated

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.interface import Options, followed
from analyzer.detectors.engine.rule_state import LaneContext
from analyzer.detectors.episodes.shown import Probes, shows_more
from analyzer.detectors.signals.recurrence import Recurrence, Recurrences
from analyzer.model.action import Action
from analyzer.model.failure import Failure
from analyzer.model.finding import Evidence, Finding
from analyzer.model.struct import Meta
from analyzer.model.words import NOT_CARRIED_OUT, Severity

_MOST_QUOTED = 2_000
"""Occurrences whose wording is compared to say what differed."""
_LONGEST = 300
_MOST_CALLS = 200
"""Calls whose last failing run is remembered."""


class RepeatOptions(Options, frozen=True, kw_only=True):
    """Options of this detector."""

    occurrences: Annotated[int, Meta(ge=2)] = 3
    """How often the failure must have come back."""


class RepeatState(Recurrences):
    """The failures of one lane that came back: with another wording where `near`, to the letter otherwise."""

    def __init__(self, lane_context: LaneContext, options: RepeatOptions, *, near: bool) -> None:
        super().__init__(lane_context, options.occurrences)
        self._near = near
        self._wordings: dict[str, list[tuple[Failure, str]]] = {}
        """Each failure as it was understood, and as the results have it."""
        self._others: set[str] = set()
        self._probes = Probes()
        self._latest: dict[tuple[str, str], Action] = {}
        """The last run that showed a failure, for each call."""

    def on_action(self, action: Action) -> Iterable[Finding]:
        """Take the next action; the findings that became detectable with it."""
        failure, probed = action.failure, self._probes.is_probe(action)
        if failure is not None and failure.group is not None and not failure.expected:
            if failure.kind in NOT_CARRIED_OUT or probed or self._tells_more(failure.group, action):
                return ()
            said = self._wordings.setdefault(failure.group, [])
            if len(said) < (self._threshold if self.lane_context.live else _MOST_QUOTED):
                said.append((failure, _words(failure, action)))
            if self.lane_context.live and len(self._wordings) > 500:
                self._wordings.pop(next(iter(self._wordings)))
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
        now = _words(failure, action)
        known = self._wordings.get(failure.group, [(failure, now)])
        said, words = [one for one, _ in known], [text for _, text in known]
        if recurrence.finding is None:
            if failure.group in self._others:
                return None
            if any(other.headline != said[0].headline for other in said) is not self._near:
                self._others.add(failure.group)
                return None
        steps, masks = recurrence.steps, self.lane_context.masks
        quotes = [words[0], words[len(words) // 2], now] if len(words) > 2 else words
        at = [steps[0], steps[len(steps) // 2], steps[-1]]
        changed = [str(edit.step) for edit in edits]
        name = "near-identical-error" if self._near else "identical-error"
        return self.found(
            f"{name}/{name}",
            recurrence,
            failure,
            words="through-edits" if len(edits) > 1 else "",
            evidence=[Evidence(step=step, quote=quote) for step, quote in zip(at, quotes, strict=False)],
            repeated=masks.mask(said[0].headline),
            differed=list(masks.varied([entry.headline_with_line for entry in said])),
            slots={
                "times": recurrence.counter.times,
                "message": now,
                "edits": [*changed[:2], "others"] if len(changed) > 3 else changed,
            },
        )


def _words(failure: Failure, action: Action) -> str:
    """What a failure says: its headline, without the name of its type where the result hasn't got that."""
    named = failure.type is None or not failure.message or failure.type in (action.result or "")
    return (failure.headline if named else failure.message)[:_LONGEST]


OPTIONS = RepeatOptions()
STATE = partial(RepeatState, near=False)


def detect(facts: Facts, options: RepeatOptions, *, near: bool = False) -> Iterable[Finding]:
    """The findings of one session. An error inside a loop that the agent never left weighs more."""
    stuck = {(episode.lane, episode.group) for episode in facts.episodes if not episode.escaped}
    for finding in followed(lambda lane: RepeatState(lane, options, near=near), facts):
        worse = (finding.lane, finding.group) in stuck
        yield finding.model_copy(update={"severity": Severity.MEDIUM}) if worse else finding
