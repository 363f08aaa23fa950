"""Lines that an edit left where they can't be reached, or twice in a row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate

from analyzer.failures.roles import same_file
from analyzer.model.action import Action
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
    if len(put_in) in (0, len(new)):
        return
    letters = [0, *accumulate(len(line.strip()) for line in new)]
    before = "\n".join(place.old)
    while at < len(new):
        size = next(
            (
                size
                for size in range(min(_MOST_LINES, (len(new) - at) // 2), 0, -1)
                if _is_twice(new, letters, at, size)
            ),
            0,
        )
        if size and _one_is_new(put_in, at, size) and "\n".join(new[at : at + 2 * size]) not in before:
            yield (place.line + at if place.line is not None else None), new[at : at + size]
            at += 2 * size
        else:
            at += 1


def _one_is_new(put_in: set[int], at: int, size: int) -> bool:
    first, second = range(at, at + size), range(at + size, at + 2 * size)
    return any(put_in.issuperset(one) and put_in.isdisjoint(other) for one, other in ((first, second), (second, first)))


def _is_twice(lines: tuple[str, ...], letters: list[int], at: int, size: int) -> bool:
    """Whether a block stands twice in a row that begins and ends with something said. `letters` counts those before
    each line."""
    if lines[at] != lines[at + size] or letters[at + size] - letters[at] < _LEAST:
        return False
    said = lines[at].strip() and lines[at + size - 1].strip()
    return bool(said) and lines[at : at + size] == lines[at + size : at + 2 * size]
