"""The post-mortem as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import PurePath

from analyzer.model.finding import Finding
from analyzer.model.postmortem import PostMortem, Report, TimelineRow
from analyzer.model.words import MAIN_LANE, Category, Severity
from analyzer.report.environment import environment
from analyzer.report.picture.strip import Strip, strip_of
from analyzer.report.picture.text import strip_text, tells
from analyzer.report.safe import fence

MOST_PAGES = 20
"""How many post-mortems of one transcript are written out; the JSON output has all."""
SHOWN_ACTIONS = 12
"""How many actions "What happened" lists."""
_LONGEST_TIMELINE = 2_000
"""Rows of the folded timeline; of longer sessions the first and last thousand."""


def picture(strip: Strip) -> str:
    """The picture of a session as a fenced block."""
    return fence(strip_text(strip), "text", limit=20_000)


def render(report: Report, draw: Callable[[Strip], str] = picture) -> str:
    """The whole report as Markdown, ending in a newline. `draw` writes the picture that heads each post-mortem that has something to see.

    Of a transcript with several sessions first a table of all of them, then the post-mortems of those with findings, the worst
    first, as many as `MOST_PAGES`.
    """
    several = len(report.sessions) > 1
    chosen = sorted(filter(_has_findings, report.sessions), key=_badness) if several else report.sessions
    text = (
        environment()
        .get_template("markdown/report.md.j2")
        .render(
            report=report,
            name=PurePath(report.source.path).name or report.source.path,
            totals=", ".join(
                f"{count} {status.replace('_', ' ')}"
                for status, count in Counter(s.outcome.status.value for s in report.sessions).most_common()
            ),
            rows=[_row(session) for session in sorted(report.sessions, key=_interest)] if several else [],
            pages=[_page(session, draw) for session in chosen[:MOST_PAGES]],
            calm=len(report.sessions) - len(chosen),
            left_out=max(0, len(chosen) - MOST_PAGES),
        )
    )
    return tidy(text)


def _has_findings(session: PostMortem) -> bool:
    return any(finding.severity is not Severity.INFO for finding in session.findings)


def _interest(session: PostMortem) -> tuple[int, float, int]:
    """A key that puts sessions with findings first, then those that didn't succeed, each in the order that matters."""
    if _has_findings(session):
        return _badness(session)
    return (1 if session.outcome.status != "succeeded" else 2, 0.0, 0)


def _badness(session: PostMortem) -> tuple[int, float, int]:
    """A key that sorts the worst session first."""
    worst = session.findings[0]
    return (-worst.severity.rank, -worst.confidence, -worst.cost.actions)


def _row(session: PostMortem) -> dict[str, object]:
    """One line of the table of sessions."""
    worst = next(iter(session.findings), None)
    return {
        "id": session.session.id,
        "task": session.session.task or session.session.title or "",
        "why": session.outcome.reason if session.outcome.status != "succeeded" else "",
        "actions": session.session.actions,
        "outcome": session.outcome.status,
        "worst": f"{worst.severity}: {worst.title}" if worst is not None else "",
    }


def _page(session: PostMortem, draw: Callable[[Strip], str]) -> dict[str, object]:
    main = _main(session)
    strip = strip_of(session)
    rows, whose = _shown_actions(session, main)
    groups = {group.group: group for group in session.failure_groups}
    return {
        "pm": session,
        "main": main,
        "picture": draw(strip) if tells(strip) else "",
        "rows": rows,
        "rows_title": whose,
        "error": _error(session, main),
        "groups": groups,
        "minor": [finding for finding in session.findings if not _told(finding, main)],
        "why": _why(session),
        "timeline": session.timeline[:_LONGEST_TIMELINE],
        "left_out": max(0, len(session.timeline) - _LONGEST_TIMELINE),
        "has_lanes": len(session.session.lanes) > 1,
    }


def _told(finding: Finding, main: Finding | None) -> bool:
    """Whether the page tells a finding already: it's the main one, or says the same of the same failure."""
    if main is None:
        return False
    return finding is main or (finding.group is not None and finding.group == main.group and finding.lane == main.lane)


def _why(session: PostMortem) -> str:
    """The heading over the reasons: an agent that succeeded in the end didn't fail."""
    if session.outcome.status == "succeeded":
        return "Why it took so long"
    return "What went wrong" if session.outcome.status == "unknown" else "Why the agent failed"


def _main(session: PostMortem) -> Finding | None:
    """The finding that the page is about."""
    about = session.diagnosis.about
    return session.findings[about] if about is not None else None


def _shown_actions(session: PostMortem, main: Finding | None) -> tuple[Sequence[TimelineRow], str]:
    """The actions that show the trouble best: the last twelve of the session if it ended in the loop, else of the loop."""
    lane = main.lane if main is not None else MAIN_LANE
    rows = [row for row in session.timeline if row.lane == lane]
    if main is None or main.category is not Category.LOOP or main.first_step < 1:
        shown = rows[-SHOWN_ACTIONS:]
        return shown, f"The last {len(shown)} actions" if len(shown) < len(rows) else "The actions"
    if not main.escaped:
        shown = rows[-SHOWN_ACTIONS:]
        return shown, f"The last {len(shown)} actions"
    shown = rows[max(0, main.first_step - 1) : main.last_step][:SHOWN_ACTIONS]
    part = "" if len(shown) == main.last_step - main.first_step + 1 else " first"
    return shown, f"The{part} {len(shown)} actions of the loop"


def _error(session: PostMortem, main: Finding | None) -> str | None:
    if main is None or main.group is None:
        return None
    failure = next((failure for failure in session.failures if failure.group == main.group and failure.lane == main.lane), None)
    if failure is None:
        return None
    head = (
        failure.message
        if not failure.type or failure.message.startswith(failure.type)
        else f"{failure.type}: {failure.message}".rstrip(": ")
    )
    own = [frame for frame in failure.frames if frame.role in ("test", "project") and not frame.file.startswith("<")]
    trail = [f"{frame.file}:{frame.line}" + (f" in {frame.function}" if frame.function else "") for frame in own[-4:]]
    return "\n".join([*trail, head])


def tidy(text: str) -> str:
    """Never two blank lines in a row outside of fenced blocks, and one newline at the end."""
    lines: list[str] = []
    fence: str | None = None
    for line in text.split("\n"):
        marker = line[: len(line) - len(line.lstrip("`"))]
        if len(marker) >= 3 and "`" not in line[len(marker) :]:
            fence = None if fence is not None and line == fence else fence or marker
        if fence is None and not line.strip() and (not lines or not lines[-1].strip()):
            continue
        lines.append(line.rstrip() if fence is None else line)
    return "\n".join(lines).strip("\n") + "\n"
