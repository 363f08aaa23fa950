"""Pages of audits, taken apart."""

from __future__ import annotations

import json
from typing import Any

from analyzer.audit.figures.summary import summarize
from analyzer.audit.index import index_of
from analyzer.audit.store.tables import Tables
from analyzer.report.html.audit import render
from analyzer.text.names import name_set
from tests.report.html.pages import Element, Parsed

TAGS = name_set(
    "html head meta title style body a header h1 h2 h3 p nav ul ol li main section dl dt dd div strong b span svg "
    "desc g rect line circle path text figure figcaption details summary table caption thead tbody tr th td code "
    "form label input select option button script"
)
"""The tags of which the page of an audit consists."""


class Taken(Parsed):
    """A page with its tables, its words, and the JSON that it carries."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.feed(page)
        self.close()
        assert (self.unbalanced, self.open) == ([], [])

    @property
    def ids(self) -> list[str]:
        """The ids of all elements."""
        return [one.id for one in self.elements if one.id]

    @property
    def rows(self) -> list[list[str]]:
        """The words of the cells of each row."""
        cells: dict[Element, list[str]] = {row: [] for row in self.all("tr")}
        for one in self.elements:
            if one.tag in ("td", "th"):
                cells[one.parents[-1]].append(" ".join(filter(None, map(str.strip, one.pieces))))
        return list(cells.values())

    @property
    def data(self) -> dict[str, Any]:
        """The JSON in it by name."""
        return {one.id: json.loads(one.text) for one in self.all("script") if one.id}

    @property
    def text(self) -> str:
        """All that is shown."""
        (page,) = self.all("html")
        return " ".join(" ".join(page.pieces).split())


def index_page(tables: Tables, pages: dict[str, str] | None = None, thumbnails: dict[str, str] | None = None) -> str:
    """The page of an audit with these tables."""
    report = summarize(tables, "/runs/audit")
    return render(report, index_of(tables, report, pages or {}, thumbnails or {}, lambda _: ["main", "helper"]))
