"""The verdict of an evaluation whose tests ran after the agent had ended, read from what they printed.

A harness may fail to read the output of its own tests. Their runner's counts are then the judgement of somebody else
than the agent, wherever the log holds them.
"""

from __future__ import annotations

from dataclasses import replace

from analyzer.failures.closing_report import all_passed, closing_report
from analyzer.model.session import Session
from analyzer.model.words import Ending

_COUNTED = ("failed", "errors", "passed", "skipped")


def with_verdict(session: Session) -> Session:
    """The session with the verdict of the evaluation's own tests as its ending, where it records none itself and the
    log of these tests ends with a runner's counts."""
    log = session.evaluation
    report = closing_report(log.text) if log is not None and session.ending is None else None
    if log is None or report is None:
        return session
    passed = all_passed(log.text, report)
    if not passed and not (report.counts.get("failed") or report.counts.get("errors")):
        return session
    counted = ((report.counts[word], word) for word in _COUNTED if report.counts.get(word))
    said = ", ".join(f"{count} {'error' if (count, word) == (1, 'errors') else word}" for count, word in counted)
    shown = f"{log.file} ends with the counts of {report.runner}: {said}"
    return replace(session, ending=Ending.SOLVED if passed else Ending.UNSOLVED, ending_detail=shown)
