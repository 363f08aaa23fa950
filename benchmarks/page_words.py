"""How many words a page shows before its folded parts, and how many of them its first screen has.

Usage: python -m benchmarks.page_words [--sample 500] [--workers 2] [--list]

Reads recordings of both corpora (our own samples where there are none), keeps the sessions of at least five actions,
at most three of a file, and counts the words of the Markdown page without the picture and other fenced blocks. A
session is troubled if one of its findings is of medium or high severity, else calm. --list also prints each session.
"""

from __future__ import annotations

import argparse
import re
import statistics
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from analyzer.api import analyze
from analyzer.model.errors import AnalyzerError
from analyzer.model.words import Severity
from analyzer.report.markdown import render
from benchmarks.recordings import Recording, recordings, sample

ACTIONS, SESSIONS = 5, 3
_FENCED = re.compile(r"```.*?```", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Page:
    """The words of one page."""

    place: str
    troubled: bool
    first_screen: int
    visible: int


def pages_of(recording: Recording) -> list[Page]:
    """The words of the pages of a file's first sessions."""
    try:
        report = analyze(recording.path)
    except AnalyzerError:
        return []
    pages = []
    for session in [one for one in report.sessions if len(one.timeline) >= ACTIONS][:SESSIONS]:
        shown = render(report.model_copy(update={"sessions": [session]})).split("\n", 1)[1].split("<details", 1)[0]
        text = _FENCED.sub("", shown)
        weighs = any(finding.severity.rank >= Severity.MEDIUM.rank for finding in session.findings)
        first = len(text.split("\n## ", 1)[0].split())
        pages.append(Page(f"{recording.name} {session.session.id}", weighs, first, len(text.split())))
    return pages


def main() -> None:
    """Count, and print medians and the ninth decile."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=500)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--list", action="store_true")
    asked = parser.parse_args()
    with ProcessPoolExecutor(asked.workers) as pool:
        made = pool.map(pages_of, sample(recordings(), asked.sample), chunksize=4)
        pages = [page for pages in made for page in pages]
    for name, troubled in (("troubled", True), ("calm", False)):
        own = [page for page in pages if page.troubled is troubled]
        for what, counts in (
            ("first screen", sorted(page.first_screen for page in own)),
            ("before details", sorted(page.visible for page in own)),
        ):
            if counts:
                tenth = counts[int(0.9 * (len(counts) - 1))]
                print(f"{name:9} {len(own):4} pages, {what:14} median {statistics.median(counts):.0f}, 90% {tenth}")
    if asked.list:
        for page in sorted(pages, key=lambda page: -page.visible):
            print(page.visible, page.first_screen, "troubled" if page.troubled else "calm", page.place)


if __name__ == "__main__":
    main()
