"""What a Markdown page looks like once it's rendered with raw HTML allowed, as careless viewers do."""

from __future__ import annotations

from markdown_it import MarkdownIt

from analyzer.text.names import name_set
from tests.report.html.pages import Parsed, parsed

OURS = name_set("h1 h2 h3 p ul ol li table thead tbody tr th td code pre em strong blockquote details summary hr br")
"""The elements that a page may consist of."""
_ALIGNED = [("style", f"text-align:{side}") for side in ("left", "center", "right")]
"""How a renderer aligns the columns of a table."""


def rendered(markdown: str) -> Parsed:
    """The page that `markdown` makes, taken apart."""
    return parsed(MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown))


def unharmed(markdown: str, *, links: bool = False) -> Parsed:
    """The page, after everything in it was found to be ours and in its place: it may hold `links`."""
    page = rendered(markdown)
    assert page.tags <= OURS | ({"a"} if links else set())
    names = {name for one in page.elements for name, value in one.attributes.items() if (name, value) not in _ALIGNED}
    assert names <= {"class", "start", *(["href"] if links else [])}
    assert (page.unbalanced, page.open, page.odd) == ([], [], [])
    assert all(len(table) == 1 for table in widths(page))
    return page


def widths(page: Parsed) -> list[set[int]]:
    """How many cells the rows of each table have."""
    cells = [one.parents for one in page.elements if one.tag in ("td", "th")]
    rows = {row for *_, row in cells}
    return [
        {sum(row is own for *_, own in cells) for row in rows if table in row.parents} for table in page.all("table")
    ]
