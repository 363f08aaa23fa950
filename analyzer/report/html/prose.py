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
from analyzer.text.late import late

_STEPS = late(r"\b(?P<word>[Ss]teps?) (?P<list>\d+(?:-\d+)?(?:(?:, | and )\d+(?:-\d+)?)*)")
STEP = late(r"(?P<first>\d+)(?P<rest>-\d+)?")
"""A step or a stretch of them."""
_STRESSED = late(r"(?<![\w*])(?P<stars>\*{1,2})(?P<words>[A-Z_]{4,20}|[a-z](?:[^*]{0,100}[\w)])?)(?P=stars)(?![\w*])")
_GROUPED = late(r"(?<=\d) (?=\d{3}(?!\d))")
"""The blank between the groups of a number, at which a line must not break."""
_LONGEST = 4_000


def prose(text: object, prefix: str = "", known: Container[int] | None = None) -> Markup:
    """One paragraph. Backticks make `code`, one or two stars around words `em` or `strong`; "step 17" and "steps 15-26"
    lead to `#<prefix>step-17`, as far as those steps are `known`; None knows all. Everything else shows as it is."""
    return with_code(clip(str(text), _LONGEST), lambda between: _plain(between, prefix, known))


def with_code(line: str, plain: Callable[[str], Markup]) -> Markup:
    """A line with its code spans as code; `plain` writes what is between them."""
    return _written(line, SPAN, lambda span: Markup("<code>{}</code>").format(span["body"].strip()), plain)


def _written(
    text: str,
    pattern: re.Pattern[str],
    found: Callable[[re.Match[str]], Markup],
    between: Callable[[str], Markup] = escape,
) -> Markup:
    """A text of which one function writes what the pattern finds, and another one the rest."""
    made, position = Markup(), 0
    for match in pattern.finditer(text):
        made += between(text[position : match.start()]) + found(match)
        position = match.end()
    return made + between(text[position:])


def _plain(text: str, prefix: str, known: Container[int] | None) -> Markup:
    def stressed(found: re.Match[str]) -> Markup:
        return Markup("<strong>{}</strong>" if len(found["stars"]) == 2 else "<em>{}</em>").format(found["words"])

    return _written(text, _STRESSED, stressed, lambda between: _linked(between, prefix, known))


def _linked(text: str, prefix: str, known: Container[int] | None) -> Markup:
    def link(step: re.Match[str]) -> str:
        if known is not None and int(step["first"][:18]) not in known:
            return step.group()
        return f'<a href="#{escape(prefix)}step-{step["first"]}">{step.group()}</a>'

    def links(found: re.Match[str]) -> Markup:
        return escape(found["word"]) + " " + Markup(STEP.sub(link, found["list"]))

    return _written(_GROUPED.sub("\N{NO-BREAK SPACE}", text), _STEPS, links)


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

    def step_id(self, step: int, lane: str) -> str:
        """The name of a step."""
        return f"{self.lane(lane)}step-{step}"

    def step(self, step: int, lane: str = MAIN_LANE, word: str = "step") -> Markup:
        """`step 17` as a link."""
        return self._named(step, lane, f"{word} {step}" if word else str(step))

    def steps(self, values: Sequence[int], lane: str = MAIN_LANE, limit: int = 12) -> Markup:
        """`15-26, 30` with a link for each part, to its first step."""

        def link(found: re.Match[str]) -> Markup:
            return self._named(int(found["first"]), lane, found.group())

        return _written(steps(values, limit), STEP, link)

    def prose(self, text: object, lane: str = MAIN_LANE) -> Markup:
        """A sentence of ours, the steps in it as links."""
        return prose(text, self.lane(lane), self._known[lane])

    def _named(self, step: int, lane: str, text: str) -> Markup:
        """A text that leads to a step, where that's shown."""
        link = Markup('<a href="#{}">{}</a>')
        return link.format(self.step_id(step, lane), text) if step in self._known[lane] else escape(text)
