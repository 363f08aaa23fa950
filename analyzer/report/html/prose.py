"""Our own sentences as HTML: code spans as code, and the steps they name as links."""

from __future__ import annotations

import re
from collections.abc import Container

from markupsafe import Markup, escape

from analyzer.report.safe import SPAN, clip
from analyzer.text.expressions import compiled

_STEPS = compiled(r"\b(?P<word>[Ss]teps?) (?P<list>\d+(?:-\d+)?(?:(?:, | and )\d+(?:-\d+)?)*)")
STEP = compiled(r"(?P<first>\d+)(?P<rest>-\d+)?")
"""A step or a stretch of them."""
_STRESSED = compiled(
    r"(?<![\w*])(?P<stars>\*{1,2})(?P<words>[A-Z_]{4,20}|[a-z](?:[^*]{0,100}[\w)])?)(?P=stars)(?![\w*])"
)
_GROUPED = compiled(r"(?<=\d) (?=\d{3}(?!\d))")
"""The blank between the groups of a number, at which a line must not break."""
_LONGEST = 4_000


def prose(text: object, prefix: str = "", known: Container[int] | None = None) -> Markup:
    """One paragraph. Backticks make `code`, one or two stars around words `em` or `strong`; "step 17" and "steps 15-26"
    lead to `#<prefix>step-17`, as far as those steps are `known`; None knows all. Everything else shows as it is."""
    line = clip(str(text), _LONGEST)
    parts: list[Markup] = []
    position = 0
    for span in SPAN.finditer(line):
        parts.extend(
            (
                _plain(line[position : span.start()], prefix, known),
                Markup("<code>") + escape(span["body"].strip()) + Markup("</code>"),
            )
        )
        position = span.end()
    parts.append(_plain(line[position:], prefix, known))
    return Markup().join(parts)


def _plain(text: str, prefix: str, known: Container[int] | None) -> Markup:
    made, position = Markup(), 0
    for found in _STRESSED.finditer(text):
        stressed = Markup("<strong>{}</strong>" if len(found["stars"]) == 2 else "<em>{}</em>").format(found["words"])
        made += _linked(text[position : found.start()], prefix, known) + stressed
        position = found.end()
    return made + _linked(text[position:], prefix, known)


def _linked(text: str, prefix: str, known: Container[int] | None) -> Markup:
    def link(step: re.Match[str]) -> str:
        if known is not None and int(step["first"][:18]) not in known:
            return step.group()
        return f'<a href="#{escape(prefix)}step-{step["first"]}">{step.group()}</a>'

    made = Markup()
    position = 0
    text = _GROUPED.sub("\N{NO-BREAK SPACE}", text)
    for found in _STEPS.finditer(text):
        made += escape(text[position : found.start()]) + escape(found["word"]) + " "
        made += Markup(STEP.sub(link, found["list"]))
        position = found.end()
    return made + escape(text[position:])


def unlinked(text: object) -> Markup:
    """`prose` without links, for pages that don't have the steps that a sentence names."""
    return prose(text, known=())
