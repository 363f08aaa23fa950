"""What a Markdown page looks like once it's rendered with raw HTML allowed, as careless viewers do."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

from markdown_it import MarkdownIt

OURS = frozenset(
    {
        "h1",
        "h2",
        "h3",
        "p",
        "ul",
        "ol",
        "li",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "code",
        "pre",
        "em",
        "strong",
    }
    | {"blockquote", "details", "summary", "hr", "br"}
)
"""The elements that a page may consist of."""
_ALIGNED = [("style", f"text-align:{side}") for side in ("left", "center", "right")]
"""How a renderer aligns the columns of a table."""
_VOID = frozenset({"hr", "br"})


@dataclass
class Page(HTMLParser):
    """The elements of a rendered page."""

    tags: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    headings: list[str] = field(default_factory=list)
    summaries: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    unbalanced: list[str] = field(default_factory=list)
    cells: list[int] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, value in attrs if (name, value) not in _ALIGNED)
        self.links.extend(value or "" for name, value in attrs if name == "href")
        if tag not in _VOID:
            self.open.append(tag)
        if tag == "h2":
            self.headings.append("")
        elif tag == "summary":
            self.summaries.append("")
        elif tag == "tr":
            self.cells.append(0)
        elif tag in ("td", "th"):
            self.cells[-1] += 1
        elif tag == "table":
            self.cells.append(-1)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            self.unbalanced.append(tag)

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "h2":
            self.headings[-1] += data
        elif "summary" in self.open:
            self.summaries[-1] += data

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def handle_decl(self, decl: str) -> None:
        self.comments.append(decl)

    def unknown_decl(self, data: str) -> None:
        self.comments.append(data)

    def handle_pi(self, data: str) -> None:
        self.comments.append(data)


def rendered(markdown: str) -> Page:
    """The page that `markdown` makes."""
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown)
    page = Page()
    page.feed(html)
    page.close()
    return page
