"""Our own sentences as HTML: code spans as code, and the steps they name as links."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from analyzer.report.safe import SPAN, clip

_STEPS = re.compile(r"\b(?P<word>[Ss]teps?) (?P<list>\d+(?:-\d+)?(?:(?:, | and )\d+(?:-\d+)?)*)")
_STEP = re.compile(r"(?P<first>\d+)(?P<rest>-\d+)?")
_LONGEST = 4_000


def prose(text: object, prefix: str = "") -> Markup:
    """One paragraph. Backticks make `code`; "step 17" and "steps 15-26" lead to `#<prefix>step-17`. Everything else shows as it is."""
    line = clip(str(text), _LONGEST)
    parts: list[Markup] = []
    position = 0
    for span in SPAN.finditer(line):
        parts.extend((_plain(line[position : span.start()], prefix), Markup("<code>") + escape(span["body"].strip()) + Markup("</code>")))
        position = span.end()
    parts.append(_plain(line[position:], prefix))
    return Markup().join(parts)


def _plain(text: str, prefix: str) -> Markup:
    made = Markup()
    position = 0
    for found in _STEPS.finditer(text):
        made += escape(text[position : found.start()]) + escape(found["word"]) + " "
        made += Markup(_STEP.sub(lambda step: f'<a href="#{escape(prefix)}step-{step["first"]}">{step.group()}</a>', found["list"]))
        position = found.end()
    return made + escape(text[position:])


_LINK = re.compile(r"</?a\b[^>]*>")


def told(text: object) -> Markup:
    """`prose` without links, for pages that don't have the steps that a sentence names."""
    return Markup(_LINK.sub("", prose(text)))
