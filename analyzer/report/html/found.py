"""The page of a search over the sessions of an audit."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.model.search import Hit, Search
from analyzer.report.html.page import page
from analyzer.report.plain_lines import head_of, place_of


def render(found: Search) -> str:
    """The page, ending in a newline."""
    context = {"found": found, "head_of": head_of, "place_of": place_of, "parts_of": _parts}
    return page(f"Search: {' '.join(found.words)}", "find.html.j2", context, served=True)


def _parts(hit: Hit) -> Iterator[tuple[str, bool]]:
    """The excerpt in parts, each with whether it's what was searched for."""
    position = 0
    for begin, end in hit.marks:
        yield hit.excerpt[position:begin], False
        yield hit.excerpt[begin:end], True
        position = end
    yield hit.excerpt[position:], False
