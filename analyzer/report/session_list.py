"""What a document about a transcript has: the table of its sessions, and which of them have a page of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath

from analyzer.model.postmortem import PostMortem, Report
from analyzer.model.struct import Struct
from analyzer.model.words import Basis, OutcomeStatus, Severity
from analyzer.report.picture.thumbnail import code_of

MOST_PAGES = 20
"""How many post-mortems of one transcript are written out; the JSON output has all."""
MOST_IN_A_TEXT = 5
"""Of transcripts with more sessions a text has the table alone, a line for each."""


class SessionRow(Struct, frozen=True):
    """One line of the table of sessions. `code` is that of its thumbnail; `page` is the number, from 1, of the
    session's page in this document, None where it has none."""

    id: str
    task: str
    why: str
    actions: int
    outcome: str
    worst: str
    code: str
    page: int | None


class Document(Struct, frozen=True):
    """What one document about a transcript has: `rows` is the table of its sessions, empty where there's only one;
    `pages` are those that are written out, the worst first, and `introduction` says how many and which sessions
    these are; `calm` sessions have no finding, and `left_out` no page though they're worth one."""

    name: str
    totals: str
    rows: Sequence[SessionRow]
    pages: Sequence[PostMortem]
    introduction: str
    calm: int
    left_out: int


def document(report: Report, *, calm: bool = False, most: int = MOST_PAGES) -> Document:
    """Of a transcript with several sessions those with findings, the worst first, as many as `most`; else its only
    one. With `calm` also those without a finding, behind the others, if they hold an action."""
    several = len(report.sessions) > 1
    worth = [session for session in report.sessions if has_findings(session) or (calm and session.timeline)]
    chosen = sorted(worth, key=_interest) if several else report.sessions
    numbers = {id(session): number for number, session in enumerate(chosen[:most], 1)}
    ranked = sorted(report.sessions, key=_interest)
    counts = Counter(session.outcome.status.value for session in report.sessions)
    return Document(
        name=PurePath(report.source.path).name or report.source.path,
        totals=", ".join(f"{count} {status.replace('_', ' ')}" for status, count in counts.most_common()),
        rows=[_row(session, numbers.get(id(session))) for session in ranked] if several else [],
        pages=chosen[:most],
        introduction=_introduction(chosen[:most]) if most else "",
        calm=len(report.sessions) - len(chosen),
        left_out=max(0, len(chosen) - most),
    )


def has_findings(session: PostMortem) -> bool:
    """Whether something was found that is more than information."""
    return any(finding.severity is not Severity.INFO for finding in session.findings)


def _interest(session: PostMortem) -> tuple[int, float, int]:
    """A key that puts sessions with findings first, then those that didn't succeed, each in the order that matters."""
    if has_findings(session):
        worst = session.findings[0]
        return -worst.severity.rank, -worst.confidence, -worst.cost.actions
    return 1 if session.outcome.status != "succeeded" else 2, 0.0, 0


def _introduction(pages: Sequence[PostMortem]) -> str:
    if not pages:
        return "No session has a finding."
    if not any(map(has_findings, pages)):
        which = "Its post-mortem follows" if len(pages) == 1 else f"The post-mortems of {len(pages)} follow"
        return f"No session has a finding. {which}."
    the, which = ("the ", " with findings") if all(map(has_findings, pages)) else ("", "")
    if len(pages) == 1:
        return f"The post-mortem of the one session{which} follows."
    return f"The post-mortems of {the}{len(pages)} sessions{which} follow, the worst first."


def _row(session: PostMortem, page: int | None) -> SessionRow:
    worst = next(iter(session.findings), None)
    return SessionRow(
        id=session.session.id,
        task=next(
            (entry.text for entry in session.diagnosis.lead if entry.part == "asked"), session.session.title or ""
        ),
        why=_reason(session),
        actions=session.session.actions,
        outcome=session.outcome.words or session.outcome.status,
        worst=f"{worst.severity}: {worst.title}" if worst is not None else "",
        code=code_of(session.timeline, session.findings),
        page=page,
    )


def _reason(session: PostMortem) -> str:
    """Why the outcome beside it is what it is: what a verdict says beside its word, else the reason."""
    outcome, end = session.outcome, session.session.recorded_end
    if outcome.status is not OutcomeStatus.SUCCEEDED or outcome.basis is not Basis.VERDICT:
        return outcome.reason
    return (end.detail or "") if end is not None else ""
