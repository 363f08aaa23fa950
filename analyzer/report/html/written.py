"""Markdown as HTML: documents of ours, and messages of a session, of which nothing leads or loads anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape

from analyzer.report.safe import visible

_TABLE = '<div class="scroll" role="region" tabindex="0" aria-label="{}"><table>\n'


@cache
def document_parser() -> MarkdownIt:
    """The parser of documents: HTML in them is shown as text, pictures are links, tables scroll by themselves."""
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")
    parser.add_render_rule("link_open", _link_open)
    parser.add_render_rule(
        "table_open", lambda _, tokens, at, *__: _TABLE.format(escape(tokens[at].meta.get("label", "Table")))
    )
    parser.add_render_rule("table_close", lambda *_: "</table></div>\n")
    return parser


@cache
def _message_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).disable(
        ["image", "link", "autolink", "reference"]
    )
    parser.add_render_rule("heading_open", lambda *_: "<p><strong>")
    parser.add_render_rule("heading_close", lambda *_: "</strong></p>\n")
    return parser


def message(text: str) -> Markup:
    """A message of a session: its lists, emphasis and code as such, its headings as strong words, its links and HTML as
    text."""
    return Markup(_message_parser().render(visible(text)))


def _link_open(self: RendererHTML, tokens: Sequence[Token], position: int, options: object, _env: object) -> str:
    """A link that the document's author wrote: where it leads doesn't learn from where."""
    tokens[position].attrSet("rel", "noreferrer noopener")
    return self.renderToken(tokens, position, options, {})  # type: ignore[arg-type]
