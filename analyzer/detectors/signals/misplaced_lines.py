"""Lines that an edit left where they can't be reached, or twice in a row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from analyzer.failures.roles import same_file
from analyzer.model.action import Action
from analyzer.model.record import dataclass
from analyzer.text.late import late
from analyzer.timeline.delivery import Delivery
from analyzer.timeline.timeline import Timeline
from analyzer.workspace.aftermath import fate_of
from analyzer.workspace.ownership import scratch_paths
from analyzer.workspace.places import Place, Touched
from analyzer.workspace.unreachable import CutOff, cut_off

_MEANT = late(
    r"\b(?:early|unreach\w*|unused|dead|skip\w*|disabl\w*|bypass\w*|temporar\w*|short[- ]?circuit\w*|stub\w*|for now"
    r"|debug\w*|instead|replac\w*|test(?:ing)? whether)\b",
    re.IGNORECASE,
)
"""Words by which somebody announces that code isn't to be reached."""
_LEAST = 20
"""Characters of doubled lines below which standing twice says nothing."""
_MOST_LINES = 40


@dataclass(slots=True, frozen=True)
class Unreached:
    """A statement that a step made unreachable; `fixed` is the step that changed that, None where it's still so at the
    end."""

    step: int
    lane: str
    path: str
    cut: CutOff
    fixed: int | None


@dataclass(slots=True, frozen=True)
class Doubled:
    """Lines that a step put in right beside the same lines, and that are there twice at the end."""

    step: int
    lane: str
    path: str
    lines: tuple[str, ...]
    line: int | None


def unreached(timeline: Timeline, delivery: Delivery, touched: Iterable[Touched]) -> Iterator[Unreached]:
    """The statements of delivered files that an edit made unreachable, and of which nobody says so."""
    history = timeline.history
    if history is None:
        return
    hidden, seen = scratch_paths(history, timeline.session.task or ""), set[tuple[str, str, str]]()
    for entry in touched:
        action, path = history.actions[entry.index], entry.path
        if path in hidden or _meant(action):
            continue
        for cut in cut_off(path, entry.places):
            key = (path, cut.above, cut.below)
            standing, fixed = fate_of(history, entry.index, path, key[1:]) or (False, None)
            delivered = standing and any(same_file(change.file, path) for change in delivery.files)
            if key not in seen and (delivered or (fixed is not None and fixed > action.step)):
                seen.add(key)
                yield Unreached(action.step, action.lane, path, cut, fixed)


def doubled(timeline: Timeline, delivery: Delivery, touched: Iterable[Touched]) -> Iterator[Doubled]:
    """The lines of delivered files that an edit put in beside the same lines."""
    history = timeline.history
    if history is None:
        return
    hidden, seen = scratch_paths(history, timeline.session.task or ""), set[tuple[str, tuple[str, ...]]]()
    for entry in touched:
        action, path = history.actions[entry.index], entry.path
        twice = [] if path in hidden else [found for place in entry.places for found in _twice(place)]
        if not twice or not any(same_file(change.file, path) for change in delivery.files):
            continue
        for line, lines in twice:
            code = [text for text in (*lines, *lines) if text.strip()]
            if (path, lines) not in seen and fate_of(history, entry.index, path, code) == (True, None):
                seen.add((path, lines))
                yield Doubled(action.step, action.lane, path, lines, line)


def _meant(action: Action) -> bool:
    return _MEANT.search(action.said) is not None


def _twice(place: Place) -> Iterator[tuple[int | None, tuple[str, ...]]]:
    """The longest blocks of a place that stand twice in a row, of which one was put in and the other stayed."""
    put_in, new, at = place.put_in, place.new, 0
    before = "\n".join(place.old)
    while at < len(new):
        first_line, longest = new[at], min(_MOST_LINES, (len(new) - at) // 2)
        alike = [size for size in range(longest, 0, -1) if new[at + size] == first_line]
        size = next((size for size in alike if _is_twice(new, at, size)), 0)
        first, second = range(at, at + size), range(at + size, at + 2 * size)
        one_new = any(
            put_in.issuperset(one) and put_in.isdisjoint(other) for one, other in ((first, second), (second, first))
        )
        block = new[at : at + size]
        if size and one_new and "\n".join((*block, *block)) not in before:
            yield (place.line + at if place.line is not None else None), block
            at += 2 * size
        else:
            at += 1


def _is_twice(lines: tuple[str, ...], at: int, size: int) -> bool:
    block = lines[at : at + size]
    says = sum(len(line.strip()) for line in block) >= _LEAST and block[0].strip() and block[-1].strip()
    return bool(says) and block == lines[at + size : at + 2 * size]
