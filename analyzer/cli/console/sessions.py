"""Which of a file's sessions are meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analyzer.model.errors import AnalyzerError

if TYPE_CHECKING:
    from analyzer.model.postmortem import Report

_LISTED = 20


def only(report: Report, session_id: str | None) -> Report:
    """The report with the session of that id alone, or as it is. Raises `AnalyzerError` with the ids that there are."""
    if session_id is None:
        return report
    chosen = [entry for entry in report.sessions if entry.session.id == session_id]
    if chosen:
        return report.model_copy(update={"sessions": chosen})
    ids = [entry.session.id for entry in report.sessions]
    raise no_session(session_id, ids, report.source.path)


def no_session(session_id: str, ids: Sequence[str], where: str) -> AnalyzerError:
    """The error for an id that no session of a file has."""
    return AnalyzerError(f"holds no session {session_id!r}.", where=where, hint=f"Its sessions: {named(ids)}.")


def named(ids: Sequence[str]) -> str:
    """The first ids, and how many more there are."""
    return ", ".join(ids[:_LISTED]) + (f" and {len(ids) - _LISTED} more" if len(ids) > _LISTED else "")
