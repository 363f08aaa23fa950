"""A document that is written as Markdown, by our templates or the users' own, as HTML.

HTML in it is shown as text, pictures become links, and what a link may lead to is what markdown-it lets through:
nothing that runs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape

from analyzer.model.struct import Struct
from analyzer.report.safe import visible

_TABLE = '<div class="scroll" role="region" tabindex="0" aria-label="{}"><table>\n'


class Written(Struct, frozen=True):
    """A document taken apart: `title` is its first heading, empty where it has none; `lead` what comes before the
    first section, `body` the sections, and `sections` the ids and titles of these."""

    title: str
    lead: Markup
    body: Markup
    sections: Sequence[tuple[str, str]]


def written(markdown: str) -> Written:
    """The parts of a document in Markdown as HTML. Headings have ids made of their words, tables are in regions that
    scroll by themselves."""
    parser = _parser()
    tokens = parser.parse(visible(markdown))
    title, tokens = _title(tokens)
    sections = _name(tokens)
    first = next((position for position, token in enumerate(tokens) if token.type == "heading_open"), len(tokens))
    lead, body = (Markup(parser.renderer.render(part, parser.options, {})) for part in (tokens[:first], tokens[first:]))
    return Written(title, lead, body, sections)


def beginning(markdown: str) -> str:
    """The words of a document's first paragraph, list item or heading, without marks."""
    parser = _parser()
    return next((_text(token) for token in parser.parse(visible(markdown)) if token.type == "inline"), "")


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")
    parser.add_render_rule("link_open", _link_open)
    parser.add_render_rule("table_open", _table_open)
    parser.add_render_rule("table_close", lambda *_: "</table></div>\n")
    return parser


def _title(tokens: list[Token]) -> tuple[str, list[Token]]:
    """The text of the heading that the document begins with, and what follows it."""
    if len(tokens) > 2 and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        return _text(tokens[1]), tokens[3:]
    return "", tokens


def _name(tokens: Sequence[Token]) -> list[tuple[str, str]]:
    """Give every heading an id and every table the name of its section; the sections of the second level
    are returned."""
    taken: dict[str, int] = {}
    sections = []
    under = ""
    for position, token in enumerate(tokens):
        if token.type == "table_open":
            token.meta["label"] = f"Table: {under}" if under else "Table"
        if token.type != "heading_open":
            continue
        under = _text(tokens[position + 1])
        name = re.sub(r"[^a-z0-9]+", "-", under.lower()).strip("-")[:60] or "part"
        taken[name] = taken.get(name, 0) + 1
        token.attrSet("id", name if taken[name] == 1 else f"{name}-{taken[name]}")
        if token.tag == "h2":
            sections.append((str(token.attrGet("id")), under))
    return sections


def _text(inline: Token) -> str:
    return "".join(
        child.content if child.type in ("text", "code_inline") else " " if child.type == "softbreak" else ""
        for child in inline.children or []
    )


def _link_open(self: RendererHTML, tokens: Sequence[Token], position: int, options: object, _env: object) -> str:
    """A link that the document's author wrote: where it leads doesn't learn from where."""
    tokens[position].attrSet("rel", "noreferrer noopener")
    return self.renderToken(tokens, position, options, {})  # type: ignore[arg-type]


def _table_open(_self: RendererHTML, tokens: Sequence[Token], position: int, _options: object, _env: object) -> str:
    return _TABLE.format(escape(tokens[position].meta.get("label", "Table")))
