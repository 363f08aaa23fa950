"""Pages: one file each that needs nothing else; and what a notebook shows of a result."""

from __future__ import annotations

from html import escape

from analyzer.model.comparison import Comparison
from analyzer.model.postmortem import PostMortem, Report, Source
from analyzer.model.step_texts import Recording, StepText
from analyzer.model.struct import Public

_FRAME = '<iframe srcdoc="{}" sandbox="allow-scripts" style="width: 100%; height: 40em; border: 0"></iframe>'
"""The page keeps its own styles and policy, and reaches nothing of the notebook."""


def cell_of(value: Public) -> str | None:
    """What a notebook shows of a result: its page, in a frame; None for what has none."""
    if isinstance(value, PostMortem):
        value = Report(source=Source(path="", format="", size_bytes=0, sha256=""), sessions=[value])
    if isinstance(value, Report):
        from analyzer.report.html.session import render

        without_texts = [
            Recording([StepText(row.step, row.lane, (), None) for row in session.timeline])
            for session in value.sessions
        ]
        return framed(render(value, without_texts))
    if isinstance(value, Comparison):
        from analyzer.report.html.comparison import render as render_comparison

        return framed(render_comparison(value))
    return None


def framed(page: str) -> str:
    """A page as a part of another one."""
    return _FRAME.format(escape(page))
