"""Where the cause of a failure came in. The kinds are asked in order; the first that knows something answers."""

from __future__ import annotations

from functools import cached_property

from analyzer.diagnosis.provenance.calls import different, invented
from analyzer.diagnosis.provenance.context import FailureContext, Texts
from analyzer.diagnosis.provenance.edits import regressed, untouched, written
from analyzer.diagnosis.provenance.outside import not_there, raised_by_test, supplied_by_test
from analyzer.model.diagnosis import Provenance
from analyzer.model.failure import FailureGroup
from analyzer.timeline import Timeline

_KINDS = (raised_by_test, supplied_by_test, not_there, invented, written, regressed, different, untouched)


class Provenances:
    """The provenance of each failure group of a session, worked out when it's first asked for."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._found: dict[tuple[str, str], Provenance | None] = {}

    def of(self, group: FailureGroup | None) -> Provenance | None:
        """Where the cause of a group came in, None where nothing in the session shows it."""
        if group is None or self._texts is None:
            return None
        key = (group.lane, group.id)
        if key not in self._found:
            self._found[key] = _ask(group, self._texts)
        return self._found[key]

    @cached_property
    def _texts(self) -> Texts | None:
        history = self._timeline.history
        return Texts(self._timeline, history) if history is not None else None


def _ask(group: FailureGroup, texts: Texts) -> Provenance | None:
    lane = texts.timeline.lane(group.lane)
    failures = [failure for step in group.steps if (failure := lane[step - 1].failure) is not None]
    first = lane[group.steps[0] - 1]
    if first.failure is None or all(failure.expected for failure in failures):
        return None
    scene = FailureContext(texts, group, first, first.failure)
    return next((found for kind in _KINDS if (found := kind(scene)) is not None), None)
