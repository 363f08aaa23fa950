"""Our own sentences on a page that has none of the steps they name: code spans as code, and no links."""

from __future__ import annotations

from markupsafe import Markup, escape

from analyzer.report.safe import SPAN, clip


def spans(text: object, limit: int = 1_000) -> Markup:
    """One paragraph of at most `limit` characters. Backticks make `code`; a span that the end cuts off shows as it
    is."""
    line = clip(str(text), limit)
    made, position = Markup(), 0
    for span in SPAN.finditer(line):
        made += (
            escape(line[position : span.start()]) + Markup("<code>") + escape(span["body"].strip()) + Markup("</code>")
        )
        position = span.end()
    return made + escape(line[position:])
