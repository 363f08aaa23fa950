"""Which of a file's sessions are meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.model.errors import AnalyzerError

if TYPE_CHECKING:
    from analyzer.model.postmortem import Report


def only(report: Report, session_id: str | None) -> Report:
    """The report with the session of that id alone, or as it is. Raises `AnalyzerError` with the ids that there are."""
    if session_id is None:
        return report
    chosen = [entry for entry in report.sessions if entry.session.id == session_id]
    if chosen:
        return report.model_copy(update={"sessions": chosen})
    ids = [entry.session.id for entry in report.sessions]
    listed = ", ".join(ids[:20]) + (f" and {len(ids) - 20} more" if len(ids) > 20 else "")
    raise AnalyzerError(f"holds no session {session_id!r}.", where=report.source.path, hint=f"Its sessions: {listed}.")
