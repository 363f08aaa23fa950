"""Detectors of other packages: an error in one of them costs its own findings, not the report."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

from analyzer.detectors.engine.facts import Facts
from analyzer.detectors.engine.interface import Detector, LiveDetector
from analyzer.detectors.engine.rule_state import LaneContext, RuleState
from analyzer.model.action import Action
from analyzer.model.finding import Finding
from analyzer.model.session import Message, ReadWarning
from analyzer.text.clip import clip

_PACKAGE = __name__.partition(".")[0]
_LONGEST_ERROR = 200


def is_ours(detector: Detector) -> bool:
    """Whether a detector belongs to this package."""
    return type(detector).__module__.partition(".")[0] == _PACKAGE


def findings_of(detector: Detector, facts: Facts) -> Iterable[Finding]:
    """What a detector finds in a session. Where one of another package raises an error, nothing it found is kept, and a
    warning of the session names it, its package and the error."""
    if is_ours(detector):
        return detector.detect(facts)
    try:
        return list(detector.detect(facts))
    except Exception as error:  # noqa: BLE001 - what another package raises is not known
        warning, known = ReadWarning(*_described(detector, error)), facts.timeline.warnings
        if warning not in known:
            known.append(warning)
        return []


def start(detector: LiveDetector, lane_context: LaneContext) -> RuleState:
    """The state of a detector's rule in a lane that is about to begin. One of another package that raises an error
    stays silent from then on, and Python's warnings say so once."""
    return detector.start(lane_context) if is_ours(detector) else _Contained(detector, lane_context)


class _Contained(RuleState):
    """The state of a rule whose errors must not reach the agent that is being watched."""

    def __init__(self, detector: LiveDetector, lane_context: LaneContext) -> None:
        super().__init__(lane_context)
        self._detector = detector
        self._state: RuleState | None = None
        self._failed = False

    def feed(self, event: Action | Message) -> Iterable[Finding]:
        if self._failed:
            return ()
        try:
            if self._state is None:
                self._state = self._detector.start(self.lane_context)
            return list(self._state.feed(event))
        except Exception as error:  # noqa: BLE001 - what another package raises is not known
            self._failed = True
            where, what = _described(self._detector, error)
            warnings.warn(f"{where}: {what}", RuntimeWarning, stacklevel=2)
            return ()

    def findings(self) -> Iterable[Finding]:
        return () if self._failed or self._state is None else self._state.findings()


def _described(detector: Detector, error: Exception) -> tuple[str, str]:
    """Which detector of which package failed, and with what."""
    reason = clip(f"{type(error).__name__}: {error}", _LONGEST_ERROR)
    package = type(detector).__module__.partition(".")[0]
    what = f"it stopped with an error ({reason}), so its findings are missing"
    return f"detector {detector.name} of {package}", what
