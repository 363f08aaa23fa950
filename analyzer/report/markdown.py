"""The post-mortem as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from analyzer.model.postmortem import PostMortem, Report
from analyzer.report.contents import Contents
from analyzer.report.environment import written
from analyzer.report.lead import SHOWN_TASK, WHERE, begins_alike
from analyzer.report.picture.model import PictureModel, model_of
from analyzer.report.picture.text import is_worth_drawing, picture_text
from analyzer.report.safe import clip, fence, visible
from analyzer.report.session_list import MOST_IN_A_TEXT, MOST_PAGES, SessionRow, document
from analyzer.report.step_notes import moves_text

_LONGEST_TIMELINE = 2_000
"""Rows of the folded timeline; of longer sessions the first and last thousand."""


def picture(model: PictureModel) -> str:
    """The picture of a session as a fenced block."""
    return fence(picture_text(model), "text", limit=20_000)


def render(report: Report, draw: Callable[[PictureModel], str] = picture, *, narrow: bool = False) -> str:
    """The whole report as Markdown, ending in a newline. `draw` writes the picture that heads each post-mortem that has
    something to see.

    Of a transcript with several sessions first a table of all of them, a line each, then the post-mortems of those with
    findings, the worst first; of one with more than `MOST_IN_A_TEXT` sessions only the table. `narrow` sets it
    in columns of fixed width, for a terminal.
    """
    many = len(report.sessions) > MOST_IN_A_TEXT
    shown = document(report, most=0 if many else MOST_PAGES)
    return written(
        "report",
        name=shown.name,
        totals=shown.totals,
        rows=shown.rows,
        pages=[_page(session, draw) for session in shown.pages],
        introduction=shown.introduction,
        left_out=0 if many else shown.left_out,
        many=many,
        listing=_listing(shown.rows) if narrow and shown.rows else "",
    )


def _listing(rows: Sequence[SessionRow]) -> str:
    """The table of sessions in columns of fixed width, a line for each."""
    lines = [f"{'session':18} {'actions':>7} {'outcome':22} {'worst finding, or the task':47}".rstrip()]
    for row in rows:
        about = visible(row.worst or row.task)
        cells = (clip(row.id, 18), row.actions, clip(row.outcome, 22), clip(about, 47))
        lines.append(f"{cells[0]:18} {cells[1]:>7} {cells[2]:22} {cells[3]}".rstrip())
    return fence("\n".join(lines), "text", limit=1_000_000)


def _page(session: PostMortem, draw: Callable[[PictureModel], str]) -> dict[str, object]:
    title, task = session.session.title or "", session.session.task or ""
    model, contents = model_of(session), Contents(session)
    drawn = is_worth_drawing(model)
    return {
        "contents": contents,
        "picture": draw(model) if drawn else "",
        "has_title": bool(title) and not begins_alike(title, task),
        "cut_task": len(" ".join(task.split())) > SHOWN_TASK,
        "where": WHERE,
        "timeline": session.timeline[:_LONGEST_TIMELINE],
        "moves": {(row.lane, row.step): text for row in session.timeline if (text := moves_text(row))},
        "left_out": max(0, len(session.timeline) - _LONGEST_TIMELINE),
    }
