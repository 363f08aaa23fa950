"""The sub-agents of a session as a tree: each under the action that started it, as far as that action's result names
it."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.model.postmortem import TimelineRow
from analyzer.model.step_texts import StepText
from analyzer.model.struct import Struct, field
from analyzer.model.words import MAIN_LANE, Kind, Status
from analyzer.text.late import Literals

_SHORTEST = 6
"""Characters of an id below which a result that holds it may mean anything."""


class LaneBranch(Struct):
    """One lane with those below it: its first action and what its actions came to, tokens in and out, and USD; and the
    action of another lane that started it, None where no result names it."""

    name: str
    first: TimelineRow | None = None
    started: TimelineRow | None = None
    actions: int = 0
    failed: int = 0
    tokens: int = 0
    usd: float = 0.0
    below: list[LaneBranch] = field(default_factory=list)


def lane_tree(names: Sequence[str], rows: Sequence[TimelineRow], texts: Sequence[StepText]) -> LaneBranch:
    """The main lane with the others below it."""
    known = {name: LaneBranch(name) for name in (MAIN_LANE, *names)}
    others = {name.removeprefix("agent-"): lane for name, lane in known.items() if name != MAIN_LANE}
    ids = Literals(name for name in others if len(name) >= _SHORTEST)
    for row, text in zip(rows, texts, strict=True):
        lane, result = known.setdefault(row.lane, LaneBranch(row.lane)), text.result
        lane.first, lane.actions = lane.first or row, lane.actions + 1
        lane.failed += row.shown_as is Status.ERROR
        if row.tokens is not None:
            lane.tokens += (row.tokens.input or 0) + (row.tokens.output or 0)
        lane.usd += row.cost_usd or 0.0
        for name in (
            ids.within(f"{result.head}\0{result.tail}") if result and row.kind is Kind.OTHER and ids.all else ()
        ):
            if others[name].started is None and others[name] is not lane:
                others[name].started = row
    for lane in others.values():
        known[lane.started.lane if lane.started is not None else MAIN_LANE].below.append(lane)
    return known[MAIN_LANE]
