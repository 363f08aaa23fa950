"""The post-mortem as one HTML page."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.model.postmortem import Report
from analyzer.model.recording import Recording
from analyzer.report.html.page import page


def render(report: Report, recordings: Sequence[Recording]) -> str:
    """The whole report as a page that needs nothing else, ending in a newline. `recordings` has the texts of each session, in the order of `report.sessions`."""
    return page("Post-mortem", "session.html.j2", {"report": report, "recordings": recordings}, parts=("strip", "session"))
