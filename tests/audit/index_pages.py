"""Pages of audits, taken apart."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from typing import Any

from analyzer.audit.figures.summary import summarize
from analyzer.audit.index import index_of
from analyzer.audit.store.tables import Tables
from analyzer.report.html.audit import render

_VOID = {"meta", "input", "br"}
TAGS = {
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "a",
    "header",
    "h1",
    "h2",
    "h3",
    "p",
    "nav",
    "ul",
    "ol",
    "li",
    "main",
    "section",
    "dl",
    "dt",
    "dd",
    "div",
    "strong",
    "b",
    "span",
    "svg",
    "desc",
    "g",
    "rect",
    "line",
    "circle",
    "path",
    "text",
    "figure",
    "figcaption",
    "details",
    "summary",
    "table",
    "caption",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "code",
    "form",
    "label",
    "input",
    "select",
    "option",
    "button",
    "script",
}
"""The tags of which the page of an audit consists."""


class Taken(HTMLParser):
    """What is in a page: its tags, attributes, ids, links, texts, and the JSON that it carries."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.texts: list[str] = []
        self.rows: list[list[str]] = []
        self.data: dict[str, Any] = {}
        self.open: list[str] = []
        self._island = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.add(tag)
        self.attributes |= set(given)
        if tag not in _VOID:
            self.open.append(tag)
        if "id" in given:
            self.ids.append(given["id"] or "")
        if tag == "a":
            self.links.append(given.get("href") or "")
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        self._island = given.get("id") or "" if given.get("type") == "application/json" else ""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self._island = ""

    def handle_data(self, data: str) -> None:
        if self._island:
            self.data[self._island] = json.loads(data)
        elif self.open and self.open[-1] not in ("style", "script"):
            self.texts.append(data)
            if "td" in self.open or "th" in self.open:
                self.rows[-1][-1] = f"{self.rows[-1][-1]} {data.strip()}".strip()

    @property
    def text(self) -> str:
        """All that is shown."""
        return " ".join(" ".join(self.texts).split())


def index_page(tables: Tables, pages: dict[str, str] | None = None, thumbnails: dict[str, str] | None = None) -> str:
    """The page of an audit with these tables."""
    report = summarize(tables, "/runs/audit")
    return render(report, index_of(tables, report, pages or {}, thumbnails or {}, lambda _: ["main", "helper"]))
