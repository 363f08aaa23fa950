"""What every kind of provenance looks at: a failure group, its first occurrence, and what is shown up to it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from analyzer.failures.roles import last_part, same_file
from analyzer.model.action import Action
from analyzer.model.diagnosis import Provenance, ProvenanceKind
from analyzer.model.failure import Failure, FailureGroup, Frame
from analyzer.model.session import Message
from analyzer.model.words import FrameRole
from analyzer.text.clip import clip
from analyzer.text.plain import plain
from analyzer.timeline import Timeline
from analyzer.workspace.checks import Baseline, baseline_failures
from analyzer.workspace.document import Document
from analyzer.workspace.history import History
from analyzer.workspace.written import Authored, author_of

_MOST_TEXT = 200_000


@dataclass
class FailureContext:
    """One failure group. `action` is its first step, with its failure."""

    texts: Texts
    group: FailureGroup
    action: Action
    failure: Failure

    @cached_property
    def history(self) -> History:
        """What became of the files."""
        return self.texts.history

    @cached_property
    def index(self) -> int:
        """The place of the first step among all actions of the session."""
        return self.history.places(self.action.step, self.group.lane)[0]

    @cached_property
    def frames(self) -> list[Frame]:
        """The frames of the project and its tests, the deepest first, each place once."""
        own = [frame for frame in reversed(self.failure.frames) if frame.role in (FrameRole.TEST, FrameRole.PROJECT)]
        return list({(frame.file, frame.line): frame for frame in own}.values())

    @cached_property
    def earlier(self) -> Sequence[Action]:
        """The actions of the same lane before the first occurrence."""
        return self.texts.timeline.lane(self.group.lane)[: self.action.step - 1]

    @cached_property
    def same_calls(self) -> Sequence[Action]:
        """The actions of the same lane before the first occurrence that made the same call."""
        made = self.texts.same.get((self.group.lane, self.action.keys.call), [])
        return [self.history.actions[index] for index in made[: bisect_left(made, self.index)]]

    def author(self, path: str, text: str) -> Authored | None:
        """Which step of the lane had written a line before the failure first showed."""
        found = author_of(self.history, path, text, self.texts.changed(path, self.index))
        return found if found is not None and found.lane == self.group.lane else None

    def document(self, path: str) -> Document | None:
        """A file as it was when the failure first showed, None where no step before had changed it."""
        indexes = self.texts.changed(path, self.index)
        own = (index for index in indexes if self.history.actions[index].lane == self.group.lane)
        versions = (version for index in own for version in reversed(self.history.taken[index].versions))
        return next((version.after for version in versions if same_file(version.path, path)), None)

    @cached_property
    def deepest(self) -> tuple[str | None, int | None]:
        """The file and the line of the deepest frame of the project and its tests, as far as there is one."""
        return (self.frames[0].file, self.frames[0].line) if self.frames else (None, None)


@dataclass
class Texts:
    """What the user and the results show, action by action."""

    timeline: Timeline
    history: History
    _plain: dict[int, str] = field(default_factory=dict)

    def changed(self, path: str, before: int) -> Iterator[int]:
        """The actions before the one at index `before` that may have changed a file, of all lanes, the latest first."""
        named = self._named.get(last_part(path), [])
        return reversed(named[: bisect_left(named, before)])

    @cached_property
    def _named(self) -> dict[str, list[int]]:
        """Which actions changed files by their last parts, which two spellings of one file share."""
        found: dict[str, list[int]] = defaultdict(list)
        for index, taken in enumerate(self.history.taken):
            for name in {last_part(version.path) for version in taken.versions}:
                found[name].append(index)
        return found

    @cached_property
    def same(self) -> dict[tuple[str, str], list[int]]:
        """Where each call was made, by its lane and itself, in order; nothing for what has no call to compare."""
        found: dict[tuple[str, str], list[int]] = defaultdict(list)
        for index, action in enumerate(self.history.actions):
            if action.keys.call:
                found[action.lane, action.keys.call].append(index)
        return found

    @cached_property
    def baselines(self) -> dict[tuple[str, str], Baseline]:
        """The failures that first showed on untouched code, by lane and group."""
        return {(entry.lane, entry.group): entry for entry in baseline_failures(self.history)}

    @cached_property
    def said(self) -> str:
        """All that the user and the system say."""
        session = self.timeline.session
        said = (event.text for event in session.events if isinstance(event, Message) and event.role != "assistant")
        return "\n".join([session.task or "", *said, *self.timeline.environment.values()])

    def shown(self, value: str, upto: int) -> bool:
        """Whether the user, the log's header or a result before the action at index `upto` has a value."""
        pattern = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)")
        if pattern.search(self.said):
            return True
        return any(value in self.text(index) and pattern.search(self.text(index)) for index in range(upto))

    def text(self, index: int) -> str:
        """The result of an action."""
        if index not in self._plain:
            self._plain[index] = plain((self.history.actions[index].result or "")[:_MOST_TEXT])
        return self._plain[index]


def answer(
    kind: ProvenanceKind,
    confidence: float,
    reason: str,
    *,
    quote: str | None,
    step: int | None = None,
    place: tuple[str | None, int | None] = (None, None),
) -> Provenance:
    """One answer: how the cause came in, how sure that is, what shows it, and the step and the place where known."""
    return Provenance(
        kind=kind,
        introduced_at=step,
        file=place[0] or None,
        line=place[1],
        quote=clip(quote, 300) or None if quote else None,
        confidence=confidence,
        reason=reason,
    )
