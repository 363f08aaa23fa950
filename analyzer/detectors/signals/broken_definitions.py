"""Definitions that an edit left without their first line, and what became of them by the end of the session."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analyzer.detectors.signals.speech import sentences
from analyzer.failures.roles import same_file
from analyzer.model.action import Action
from analyzer.model.words import MAIN_LANE, Kind
from analyzer.text.late import late
from analyzer.timeline.delivery import Delivery
from analyzer.timeline.timeline import Timeline
from analyzer.workspace.history import History
from analyzer.workspace.lost_headers import LostHeader, Now, lost_headers, stands
from analyzer.workspace.ownership import scratch_paths
from analyzer.workspace.patches import is_patch
from analyzer.workspace.paths import normal
from analyzer.workspace.places import Place, places_in, places_of

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


def broken_definitions(timeline: Timeline, delivery: Delivery) -> list[Broken]:
    """The definitions of delivered files that lost their first line by accident, in the order of the steps: those that
    are left so, and those that a later step fixed."""
    history = timeline.history
    if history is None:
        return []
    hidden = scratch_paths(history, timeline.session.task or "")
    found: list[Broken] = []
    for index, action in enumerate(history.actions):
        for path, lost in _lost_at(history, index):
            if path in hidden or _announced(timeline, action, lost) or _known(found, path, lost):
                continue
            fate = _fate(history, index, path, lost)
            if fate is None:
                continue
            standing, fixed = fate
            delivered = any(same_file(change.file, path) for change in delivery.files)
            if (standing and delivered) or (fixed is not None and fixed > action.step):
                found.append(Broken(action.step, action.lane, path, lost, fixed))
    for action in timeline.lane(MAIN_LANE)[-2:]:
        found.extend(entry for entry in _handed_in(timeline, action) if not _known(found, entry.path, entry.lost))
    return found


def _lost_at(history: History, index: int) -> Iterator[tuple[str, LostHeader]]:
    """What one step left without its first line: by the files before and after it, and by the patch that it applies."""
    action, step = history.actions[index], history.taken[index]
    for version in step.versions:
        yield from ((version.path, lost) for lost in lost_headers(version.path, places_of(version)))
    changed = {version.path for version in step.versions}
    if not changed or not action.accepted_edits:
        return
    for text in _texts(action):
        for name, place in places_in(text) if is_patch(text) else ():
            path = normal(name, step.directory)
            if path in changed:
                yield from ((path, lost) for lost in lost_headers(path, [place]))


def _texts(action: Action) -> list[str]:
    arguments = action.arguments
    return [arguments] if isinstance(arguments, str) else [text for text in arguments.values() if isinstance(text, str)]


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


def _fate(history: History, index: int, path: str, lost: LostHeader) -> tuple[bool, int | None] | None:
    """Whether the lines still stand so at the end, or else the step that changed that; None where that isn't known."""
    equal = history.files.equal
    own = [version for version in history.taken[index].versions if version.path == path]
    last = stands(own[-1].after, lost) if own else None
    if last is False:
        return None
    for later in range(index + 1, len(history.taken)):
        for version in history.taken[later].versions:
            if version.path != path:
                continue
            back = equal.of(path, version.after.token) == equal.of(path, own[0].before.token)
            standing = False if back else stands(version.after, lost)
            if standing is False:
                whole = version.after.exists and history.actions[later].lane == history.actions[index].lane
                return (False, history.actions[later].step) if whole else None
            last = standing
    return (True, None) if last or _only_change(history, index, path) else None


def _only_change(history: History, index: int, path: str) -> bool:
    """Whether no later step changed a file."""
    return not any(version.path == path for step in history.taken[index + 1 :] for version in step.versions)


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
