"""What the timeline can be filtered by, with how many actions each choice leaves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.model.postmortem import PostMortem, TimelineRow
from analyzer.model.words import MAIN_LANE, Kind, Status
from analyzer.report.html.steps import WORDS
from analyzer.report.safe import clip

_MOST_GROUPS = 40


@dataclass(slots=True, frozen=True)
class Choice:
    """One entry of a filter."""

    value: str
    label: str
    count: int


@dataclass(slots=True, frozen=True)
class Controls:
    """The filters; one with a single entry would change nothing and is empty."""

    kinds: Sequence[Choice]
    statuses: Sequence[Choice]
    groups: Sequence[Choice]
    lanes: Sequence[Choice]
    failed: int


def controls_of(session: PostMortem, rows: Sequence[TimelineRow]) -> Controls:
    """The filters for the rows of a session's timeline."""
    kinds = Counter(row.kind for row in rows)
    statuses = Counter(row.shown_as for row in rows)
    groups = Counter(row.failure_group for row in rows)
    lanes = Counter(row.lane for row in rows)
    names = [MAIN_LANE, *(lane for lane in session.session.lanes if lane != MAIN_LANE)]
    returned = sorted(session.failure_groups, key=lambda group: -group.count)[:_MOST_GROUPS]
    return Controls(
        kinds=_several([Choice(kind, kind, kinds[kind]) for kind in Kind if kinds[kind]]),
        statuses=_several([Choice(status, WORDS[status], statuses[status]) for status in Status if statuses[status]]),
        groups=[
            Choice(group.group, f"{group.group}: {clip(group.template, 60)}", groups[group.group])
            for group in returned
            if groups[group.group]
        ],
        lanes=_several(
            [Choice(str(place), clip(name, 60), lanes[name]) for place, name in enumerate(names) if lanes[name]]
        ),
        failed=statuses[Status.ERROR],
    )


def _several(choices: list[Choice]) -> list[Choice]:
    return choices if len(choices) > 1 else []
