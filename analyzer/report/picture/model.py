"""What the picture of a session shows, whatever it's drawn with: one cell per action, and what is above and below
them.

It's a swimlane chart: a cell's row says what the action does, its place from left to right when, so that a session
that goes in circles shows as a pattern that recurs. Nothing is said by colour alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from analyzer.model.failure import FORMAT_REJECTED
from analyzer.model.postmortem import PostMortem, TimelineRow
from analyzer.model.struct import Struct
from analyzer.model.words import CHANGE_NOTHING, MAIN_LANE, Category, Kind, Severity, ShownKind, Status
from analyzer.text.english import plural

ROWS = ("look", "change", "check", "run", "think")
"""The rows of the chart from top to bottom: reads, searches, functions that ask, and what is done in a browser; edits;
tests and other checks; commands, other functions, waiting and whatever else; thoughts, plans and the end."""
_KINDS_OF_ROWS = (
    *("read:r search:s lookup:l browse:b", "edit:e", "test:t"),
    *("run:x call:k delegate:d wait:w other:o", "think:h plan:p finish:f"),
)
"""The kinds in each row of the chart, each with its letter."""
_KINDS = {ShownKind(kind[:-2]): (row, kind[-1]) for row, of in enumerate(_KINDS_OF_ROWS) for kind in of.split()}
ROW_OF: Mapping[ShownKind, int] = {kind: row for kind, (row, _) in _KINDS.items()}
LETTERS: Mapping[ShownKind, str] = {kind: _KINDS[kind][1] for kind in ShownKind}
"""A letter per kind, for pictures made of text; a failed action has the capital."""
_STAY = frozenset(map(str, (*CHANGE_NOTHING, Kind.TEST)))
MOST_GROUPS = 8
"""How many failures that came back have a colour and a sign of their own; the others share one."""


MOST_LANES = 4
"""How many sub-agents are drawn."""


def row_of(action: TimelineRow | Cell) -> int:
    """The place in `ROWS` of what an action does: a command that checks stands with the tests, another one that changes
    code with the edits."""
    return ROW_OF[drawn_as(action)]


def drawn_as(action: TimelineRow | Cell) -> ShownKind:
    """The kind of actions among which one is drawn."""
    changes = action.changes and action.shown_kind not in _STAY
    return ShownKind.TEST if action.checks else ShownKind.EDIT if changes else action.shown_kind


class Cell(Struct, frozen=True):
    """One action. `group` is the number, from 0, of a failure that came back, as in `Strip.groups`; None for any other
    action. `start` is in seconds since the session's first recorded time; `tokens` and `usd` are what the model used
    since the action before it. `silent` says that it has no recorded result, unlike others, `refused` that it never
    ran."""

    step: int
    lane: str
    shown_kind: ShownKind
    status: Status
    group: int | None = None
    start: float | None = None
    seconds: float | None = None
    tokens: int | None = None
    usd: float | None = None
    after_user: bool = False
    compacted_before: bool = False
    checks: bool = False
    changes: bool = False
    silent: bool = False
    refused: bool = False

    @property
    def row(self) -> int:
        """Its place in `ROWS`."""
        return ROW_OF[drawn_as(self)]

    @property
    def failed(self) -> bool:
        """Whether it failed."""
        return self.status is Status.ERROR


class Bracket(Struct, frozen=True):
    """An episode. `rounds` has the first and last step of each round; `finding` is its position in
    `PostMortem.findings`; `name` is what people call such an episode, such as `edit-test loop`."""

    lane: str
    first: int
    last: int
    rounds: tuple[tuple[int, int], ...]
    title: str
    severity: Severity
    finding: int
    name: str = "loop"


class Mark(Struct, frozen=True):
    """A step that the reader should know: `first failure`, `detectable`, `end`. `title` says it in a sentence
    without a full stop."""

    lane: str
    step: int
    word: str
    title: str


class Group(Struct, frozen=True):
    """A failure that came back, the most frequent first; `number` counts from 0 and chooses colour and sign."""

    number: int
    name: str
    lane: str
    count: int
    template: str


@dataclass(slots=True, frozen=True)
class PictureModel:
    """The whole picture."""

    lanes: tuple[str, ...]
    cells: tuple[Cell, ...]
    brackets: tuple[Bracket, ...]
    marks: tuple[Mark, ...]
    groups: tuple[Group, ...]
    _by_lane: dict[str, list[Cell]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def sub_agents(self) -> list[str]:
        """The sub-agents that are drawn, in the order of the session: those with episodes, then those with most
        failures and most actions."""
        looped = {bracket.lane for bracket in self.brackets}
        cells = {name: self.lane(name) for name in self.lanes if name != MAIN_LANE and self.lane(name)}

        def rank(name: str) -> tuple[bool, int, int]:
            return name not in looped, -sum(cell.failed for cell in cells[name]), -len(cells[name])

        chosen = sorted(cells, key=rank)[:MOST_LANES]
        return [name for name in cells if name in chosen]

    @property
    def left_out(self) -> str:
        """What of the session isn't drawn, in words; empty where nothing is left out."""
        left = {cell.lane for cell in self.cells} - {MAIN_LANE, *self.sub_agents}
        actions = plural(sum(cell.lane in left for cell in self.cells), "action")
        return f"and {plural(len(left), 'more sub-agent')} with {actions}" if left else ""

    def lane(self, name: str) -> list[Cell]:
        """The cells of one lane; step N is at index N - 1."""
        if not self._by_lane:
            for cell in self.cells:
                self._by_lane.setdefault(cell.lane, []).append(cell)
        return list(self._by_lane.get(name, ()))


def numbers_of(lanes: Sequence[str]) -> dict[str, int]:
    """The number of each lane: 0 for the main one, then in the session's order."""
    return {name: number for number, name in enumerate(dict.fromkeys((MAIN_LANE, *lanes)))}


def of_lane(number: int | None) -> str:
    """What comes before the steps of a lane in the names of places; nothing for the main one, or one that isn't
    known."""
    return f"lane-{number}-" if number else ""


def model_of(session: PostMortem) -> PictureModel:
    """What the picture of a session shows."""
    ranked = sorted(session.failure_groups, key=lambda group: (-group.count, group.steps[0], group.lane))
    groups = tuple(
        Group(number, group.group, group.lane, group.count, group.template) for number, group in enumerate(ranked)
    )
    numbers = {(group.lane, group.name): group.number for group in groups}
    moments = [_moment(row.started_at) for row in session.timeline]
    began = min((moment for moment in moments if moment is not None), default=0.0)
    asked = [row for row in session.timeline if row.kind is not Kind.FINISH]
    unanswered = {(row.lane, row.step) for row in asked if row.result_characters is None}
    if len(unanswered) == len(asked):
        unanswered = set()  # where none is recorded, the headline says so
    turns, compactions = set(session.session.user_turns), set(session.session.compactions)
    cells = tuple(
        Cell(
            row.step,
            row.lane,
            row.shown_kind,
            row.shown_as,
            numbers.get((row.lane, row.failure_group or "")),
            moment - began if moment is not None else None,
            row.duration_seconds,
            tokens_of(row),
            row.cost_usd,
            row.lane == MAIN_LANE and row.step in turns,
            row.lane == MAIN_LANE and row.step in compactions,
            row.checks,
            row.changes,
            (row.lane, row.step) in unanswered,
            row.not_run is not None,
        )
        for row, moment in zip(session.timeline, moments, strict=True)
    )
    brackets = []
    for position, one in enumerate(session.findings):
        if one.category is Category.LOOP and one.round_ends and one.first_step >= 1:
            first, last, name = one.first_step, one.last_step, one.pattern or "loop"
            rounds = tuple(zip((first, *(end + 1 for end in one.round_ends[:-1])), one.round_ends, strict=True))
            brackets.append(Bracket(one.lane, first, last, rounds, one.title, one.severity, position, name))
    return PictureModel(tuple(session.session.lanes), cells, tuple(brackets), tuple(_marks(session)), groups)


def _marks(session: PostMortem) -> list[Mark]:
    about = session.diagnosis.about
    main = session.findings[about] if about is not None else None
    lane = main.lane if main is not None else MAIN_LANE
    marks = []
    never_ran = {(row.lane, row.step) for row in session.timeline if row.not_run is not None}
    shown = (failure for failure in session.failures if (failure.lane, failure.step) not in never_ran)
    failed = next((failure for failure in shown if failure.lane == lane and not failure.expected), None)
    if failed is not None:
        why = " (the format of a message was rejected, and nothing ran)" if failed.type == FORMAT_REJECTED else ""
        marks.append(Mark(lane, failed.step, "first failure", f"Step {failed.step}: the first failure{why}"))
    known = session.early_stop.detectable_at
    if main is not None and known is not None and known >= 1:
        marks.append(Mark(lane, known, "detectable", f"Step {known}: detectable from here"))
    last = max((row.step for row in session.timeline if row.lane == MAIN_LANE), default=None)
    if last is not None:
        marks.append(Mark(MAIN_LANE, last, "end", f"Step {last}: the end ({session.outcome.status.replace('_', ' ')})"))
    return marks


def tokens_of(row: TimelineRow) -> int | None:
    """The tokens that a model took in and wrote for an action, as far as that is recorded; None where it isn't."""
    if row.tokens is None:
        return None
    known = [count for count in (row.tokens.input, row.tokens.output) if count is not None]
    return sum(known) if known else None


def _moment(text: str | None) -> float | None:
    """Seconds since 1970; a clock without a zone is read as UTC, since only differences matter."""
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text if text.endswith("Z") else f"{text}Z").timestamp()
    except ValueError:
        return None
