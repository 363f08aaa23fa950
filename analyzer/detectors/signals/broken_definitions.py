"""Definitions that an edit left without their first line, and what became of them by the end of the session."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from analyzer.detectors.signals.speech import sentences
from analyzer.failures.roles import same_file
from analyzer.model.action import Action
from analyzer.model.words import MAIN_LANE, Kind
from analyzer.text.late import late
from analyzer.timeline.delivery import Delivery
from analyzer.timeline.timeline import Timeline
from analyzer.workspace.aftermath import fate_of
from analyzer.workspace.lost_headers import LostHeader, Now, lost_headers
from analyzer.workspace.ownership import scratch_paths
from analyzer.workspace.patches import is_patch
from analyzer.workspace.places import Place, Touched, places_in

_TAKES_OUT = late(
    r"\b(?:re)?(?:mov|nam)(?:e|es|ed|ing)\b|\b(?:delet|replac|rewrit|merg|inlin|combin|collaps|extract|unif|consolidat)\w*"
    r"|\b(?:drop|fold|strip|renam|refactor|simplif|split|get(?:ting)? rid|turn|convert|instead)\w*",
    re.IGNORECASE,
)
"""Words by which somebody announces that a definition goes away, or becomes another one."""
_LONGEST = 20_000


@dataclass(slots=True, frozen=True)
class Broken:
    """A definition of a file without its first line. `step` took it out (`shown` only: it's the diff handed in at that
    step which shows it); `fixed` is the step that changed that, None where it's still so at the end."""

    step: int
    lane: str
    path: str
    lost: LostHeader
    fixed: int | None
    shown: bool = False


def broken_definitions(timeline: Timeline, delivery: Delivery, touched: Iterable[Touched]) -> list[Broken]:
    """The definitions of delivered files that lost their first line by accident, in the order of the steps: those that
    are left so, and those that a later step fixed."""
    history = timeline.history
    if history is None:
        return []
    hidden = scratch_paths(history, timeline.session.task or "")
    found: list[Broken] = []
    for entry in touched:
        action, path = history.actions[entry.index], entry.path
        for lost in lost_headers(path, entry.places) if path not in hidden else ():
            if _announced(timeline, action, lost) or _known(found, path, lost):
                continue
            standing, fixed = fate_of(history, entry.index, path, (lost.above, lost.body)) or (False, None)
            delivered = any(same_file(change.file, path) for change in delivery.files)
            if (standing and delivered) or (fixed is not None and fixed > action.step):
                found.append(Broken(action.step, action.lane, path, lost, fixed))
    for action in timeline.lane(MAIN_LANE)[-2:]:
        found.extend(entry for entry in _handed_in(timeline, action) if not _known(found, entry.path, entry.lost))
    return found


def _known(found: Sequence[Broken], path: str, lost: LostHeader) -> bool:
    return any(
        (same_file(entry.path, path) or entry.path == path) and entry.lost.header == lost.header for entry in found
    )


def _announced(timeline: Timeline, action: Action, lost: LostHeader) -> bool:
    """Whether somebody said that the definition would go, or become another one."""
    if lost.used and lost.now is Now.JOINED:
        return True
    for text in (action.said, (timeline.session.task or "")[:_LONGEST]):
        for sentence in sentences(text):
            named = lost.name in sentence.quote
            if (named or (lost.now is Now.JOINED and text is action.said)) and _TAKES_OUT.search(sentence.words):
                return True
    return False


def _handed_in(timeline: Timeline, action: Action) -> Iterator[Broken]:
    """What the diff that a session hands in shows."""
    result = action.result or ""
    if not (action.harness or action.kind is Kind.FINISH or action.task_done) or not is_patch(result):
        return
    places: list[tuple[str, Place]] = list(places_in(result))
    for path, place in places:
        for lost in lost_headers(path, [place]):
            if lost.now is Now.JOINED or _announced(timeline, action, lost):
                continue
            yield Broken(action.step, action.lane, path, lost, None, shown=True)
