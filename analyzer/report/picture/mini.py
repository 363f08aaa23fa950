"""The strip of a session in the size of a word, for tables with thousands of sessions."""

from __future__ import annotations

from markupsafe import Markup

from analyzer.model.words import MAIN_LANE
from analyzer.report.picture.strip import LETTERS, ROW_OF, Strip
from analyzer.report.picture.svg import element, picture

_MOST = 200
_ROWS = {letter: ROW_OF[kind] for kind, letter in LETTERS.items()}


def code_of(strip: Strip) -> str:
    """The actions of the main lane, a letter each; capitals for those that failed."""
    return "".join(LETTERS[cell.kind].upper() if cell.failed else LETTERS[cell.kind] for cell in strip.lane(MAIN_LANE)[:_MOST])


def svg_of(code: str, title: str = "The session in small") -> Markup:
    """The picture of a code."""
    width = 3
    cells = (
        element("rect", x=float(width * at), y=4.0 * _ROWS[letter.lower()], width=2.5, height=3.5, class_="mini-bad" if letter.isupper() else f"mini-{_ROWS[letter]}")
        for at, letter in enumerate(code)
    )
    return picture(max(1, width * len(code)), 20, *cells, title=title, class_="mini")
