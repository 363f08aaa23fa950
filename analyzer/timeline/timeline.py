"""All actions of one session with what is known about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analyzer.failures import STANDARD, MaskTable
from analyzer.model.action import Action
from analyzer.model.failure import FailureGroup
from analyzer.model.session import Message, ReadWarning, Session, ToolCall, ToolResult
from analyzer.model.words import MAIN_LANE
from analyzer.task.turns import Turn, turns_in
from analyzer.workspace import History

if TYPE_CHECKING:
    import pandas


@dataclass(slots=True)
class Timeline:
    """The actions of a session in file order, its failure groups and what was said.

    `environment` holds what the session's header states and, for labels that it doesn't, what was read from output.
    `masks` are those by which failures were grouped. `history` has the states that the files went through; None for a
    timeline that was put together otherwise than by `build_timeline`.
    """

    session: Session
    actions: list[Action]
    groups: list[FailureGroup]
    messages: list[Message]
    environment: dict[str, str] = field(default_factory=dict)
    warnings: list[ReadWarning] = field(default_factory=list)
    masks: MaskTable = STANDARD
    history: History | None = None
    _by_lane: tuple[int, dict[str, list[Action]]] = field(default=(-1, {}), init=False, repr=False, compare=False)
    _turns: list[Turn] | None = field(default=None, init=False, repr=False, compare=False)

    def turns(self) -> list[Turn]:
        """The turns of the user in the main lane, in order, each with the indexes of its actions in file order."""
        if self._turns is None:
            self._turns = turns_in(self.session)
        return self._turns

    def lanes(self) -> list[str]:
        """`main` first, then sub-agents in order of appearance."""
        return [MAIN_LANE, *(name for name in self._lanes() if name != MAIN_LANE)]

    def lane(self, name: str = MAIN_LANE) -> Sequence[Action]:
        """The actions of one lane; step N is at index N - 1."""
        return self._lanes().get(name, [])

    def _lanes(self) -> dict[str, list[Action]]:
        """The actions by their lanes, sorted out again when there are more of them."""
        count, found = self._by_lane
        if count != len(self.actions):
            found = {}
            for action in self.actions:
                found.setdefault(action.lane, []).append(action)
            self._by_lane = len(self.actions), found
        return found

    def failed(self, lane: str = MAIN_LANE) -> Iterator[Action]:
        """The actions of a lane that show a failure of their own."""
        return (action for action in self.lane(lane) if action.failed)

    def group(self, name: str | None) -> FailureGroup | None:
        """The failure group called `name`, or None."""
        return next((group for group in self.groups if group.id == name), None)

    def closing(self) -> str:
        """All that the agent said aloud after its last action, or an empty string."""
        return "\n\n".join(message.text for message in self.said_last())

    def said_last(self) -> list[Message]:
        """The messages in which the agent said aloud after its last action and the user's last words."""
        said: list[Message] = []
        for event in reversed(self.session.events):
            if event.lane != MAIN_LANE:
                continue
            if isinstance(event, ToolCall | ToolResult) or (isinstance(event, Message) and event.role == "user"):
                break
            if isinstance(event, Message) and event.role == "assistant" and not event.thought:
                said.append(event)
        return said[::-1]

    def closing_unrecorded(self) -> bool:
        """Whether the agent spoke after its last action and the user's last words, and the log doesn't hold all of
        it."""
        return any(message.unrecorded for message in self.said_last())

    def to_frame(self) -> pandas.DataFrame:
        """One row per action: step, lane, tool, kind, target, status, status_source, exit_code, failure columns, times
        in seconds. See `analyzer.timeline.frame`."""
        from analyzer.timeline.frame import to_frame

        return to_frame(self)
