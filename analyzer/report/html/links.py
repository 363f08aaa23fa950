"""The names of places in a session's page, and the links that lead to them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from markupsafe import Markup, escape

from analyzer.model.postmortem import PostMortem, TimelineRow
from analyzer.model.words import MAIN_LANE
from analyzer.report.html.prose import STEP, prose
from analyzer.report.safe import steps


class Links:
    """The places in the page about one session. `prefix` begins every name, so that several sessions fit into
    one page; a step that the page doesn't show is named without a link."""

    def __init__(self, session: PostMortem, prefix: str = "", rows: Sequence[TimelineRow] | None = None) -> None:
        self.prefix = prefix
        self._lanes = {name: f"lane-{number}-" if number else "" for number, name in enumerate(_lanes(session))}
        self._known: dict[str, set[int]] = defaultdict(set)
        for row in session.timeline if rows is None else rows:
            self._known[row.lane].add(row.step)

    def lane(self, lane: str) -> str:
        """What comes before `step-N` in the names of a lane's steps."""
        return self.prefix + self._lanes.get(lane, "")

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


def _lanes(session: PostMortem) -> list[str]:
    """The main lane first, the others in the session's order."""
    return [MAIN_LANE, *(lane for lane in session.session.lanes if lane != MAIN_LANE)]
