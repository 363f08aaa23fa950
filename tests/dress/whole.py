"""What the analyzer says of a whole session, as far as another form of the same session must give it too."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analyzer.detectors import detect
from analyzer.diagnosis import post_mortem
from analyzer.model.finding import Aspect, Finding
from analyzer.model.session import Session
from analyzer.model.words import Status
from analyzer.timeline import build_timeline

_PLACE = re.compile(r" \(in the record at [^)]*\)")
"""Where a definition stands, which is elsewhere in every form."""


@dataclass(frozen=True, slots=True)
class Whole:
    """One post-mortem in short: statuses step by step, failures as step and kind, findings as detector, kind and
    steps, how it ended, and the kind of root cause."""

    statuses: tuple[Status, ...]
    failures: tuple[tuple[int, str, str | None], ...]
    findings: frozenset[tuple[str, str, int, int]]
    outcome: str
    root_cause: str | None

    def differences(self, other: Whole) -> dict[str, str]:
        """What the other says differently, by part, in words."""
        found: dict[str, str] = {}
        if self.statuses != other.statuses:
            pairs = enumerate(zip(self.statuses, other.statuses, strict=False), 1)
            found["statuses"] = ", ".join(f"{step}: {one} -> {two}" for step, (one, two) in pairs if one != two) or (
                f"{len(self.statuses)} -> {len(other.statuses)} steps"
            )
        if self.failures != other.failures:
            lost, new = set(self.failures) - set(other.failures), set(other.failures) - set(self.failures)
            found["failures"] = f"lost {sorted(lost, key=str)}, new {sorted(new, key=str)}"
        if self.findings != other.findings:
            lost_findings, new_findings = self.findings - other.findings, other.findings - self.findings
            found["findings"] = f"lost {sorted(lost_findings)}, new {sorted(new_findings)}"
        for part in ("outcome", "root_cause"):
            if getattr(self, part) != getattr(other, part):
                found[part] = f"{getattr(self, part)!r} -> {getattr(other, part)!r}"
        return found

    def opposite(self, other: Whole) -> list[int]:
        """The steps that failed in one and went well in the other."""
        contrary = {Status.OK, Status.ERROR}
        pairs = enumerate(zip(self.statuses, other.statuses, strict=False), 1)
        return [step for step, pair in pairs if set(pair) == contrary]


def whole(session: Session) -> Whole:
    """What is said of a session."""
    timeline = build_timeline(session)
    found = post_mortem(timeline, detect(timeline))
    return Whole(
        tuple(row.status for row in found.timeline),
        tuple((failure.step, str(failure.kind), failure.type) for failure in found.failures),
        frozenset(entry for finding in found.findings for entry in (_finding(finding), *map(_aspect, finding.aspects))),
        str(found.outcome.status),
        _PLACE.sub("", found.diagnosis.root_cause or "") or None,
    )


def _finding(finding: Finding) -> tuple[str, str, int, int]:
    return finding.detector, finding.kind, finding.first_step, finding.last_step


def _aspect(aspect: Aspect) -> tuple[str, str, int, int]:
    return aspect.detector, aspect.kind, aspect.steps[0], aspect.steps[-1]
