"""Our own sentences as HTML: code spans as code, and the steps they name as links; and the names of the places in a
session's page to which those lead."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Container, Sequence

from markupsafe import Markup, escape

from analyzer.model.postmortem import PostMortem, TimelineRow
from analyzer.model.words import MAIN_LANE
from analyzer.report.picture.model import numbers_of, of_lane
from analyzer.report.safe import SPAN, clip, steps
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
    return with_code(clip(str(text), _LONGEST), lambda between: _plain(between, prefix, known))


def with_code(line: str, plain: Callable[[str], Markup]) -> Markup:
    """A line with its code spans as code; `plain` writes what is between them."""
    made, position = Markup(), 0
    for span in SPAN.finditer(line):
        made += plain(line[position : span.start()]) + Markup("<code>") + escape(span["body"].strip())
        made += Markup("</code>")
        position = span.end()
    return made + plain(line[position:])


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


def spans(text: object, limit: int = 1_000) -> Markup:
    """One paragraph of at most `limit` characters. Backticks make `code`; a span that the end cuts off shows as it
    is."""
    return with_code(clip(str(text), limit), escape)


class Links:
    """The places in the page about one session. `prefix` begins every name, so that several sessions fit into
    one page; a step that the page doesn't show is named without a link."""

    def __init__(self, session: PostMortem, prefix: str = "", rows: Sequence[TimelineRow] | None = None) -> None:
        self.prefix = prefix
        self._numbers = numbers_of(session.session.lanes)
        self._known: dict[str, set[int]] = defaultdict(set)
        for row in session.timeline if rows is None else rows:
            self._known[row.lane].add(row.step)

    def lane(self, lane: str) -> str:
        """What comes before `step-N` in the names of a lane's steps."""
        return self.prefix + of_lane(self._numbers.get(lane))

    def step_id(self, step: int, lane: str = MAIN_LANE) -> str:
        """The name of a step."""
        return f"{self.lane(lane)}step-{step}"

    def step(self, step: int, lane: str = MAIN_LANE, word: str = "step") -> Markup:
        """`step 17` as a link."""
        text = f"{word} {step}" if word else str(step)
        return self._link(self.step_id(step, lane), text) if step in self._known[lane] else escape(text)

    def steps(self, values: Sequence[int], lane: str = MAIN_LANE, limit: int = 12) -> Markup:
        """`15-26, 30` with a link for each part, to its first step."""
        made, position = Markup(), 0
        text = steps(values, limit)
        for found in STEP.finditer(text):
            made += escape(text[position : found.start()])
            first = int(found["first"])
            made += (
                self._link(self.step_id(first, lane), found.group())
                if first in self._known[lane]
                else escape(found.group())
            )
            position = found.end()
        return made + escape(text[position:])

    def prose(self, text: object, lane: str = MAIN_LANE) -> Markup:
        """A sentence of ours, the steps in it as links."""
        return prose(text, self.lane(lane), self._known[lane])

    def _link(self, place: str, text: str) -> Markup:
        return Markup('<a href="#{}">{}</a>').format(place, text)
