"""The timeline of a session that is still going on: one action at a time, in constant memory.

Each call is judged as in a recorded session, from what came before it. A banner that a sandbox prints before every
result is not taken out here: that it is one shows only after a while.
"""

from __future__ import annotations

from analyzer.failures import STANDARD, Groups, MaskTable
from analyzer.failures.roles import EditedFiles
from analyzer.model.action import Action
from analyzer.model.session import Message, ToolCall, ToolResult
from analyzer.model.struct import replace
from analyzer.timeline.context import Context
from analyzer.timeline.judgement import answer_of, complete, judged
from analyzer.timeline.keys import KeyMaker
from analyzer.timeline.origins import OriginFinder
from analyzer.timeline.status_checks import StatusChecks
from analyzer.timeline.trace import action_of

_MOST_FAILURES = 2_000
"""Different failures that are remembered."""
_MOST_ACTIONS = 200
"""Actions that are remembered for what they show of files."""
_MOST_EDITED = 500
_MOST_HEARD = 200
_HEAD, _TAIL = 50_000, 10_000
"""Characters of a result that are kept once it has been judged: the beginning and the end."""


class LiveLane:
    """The actions of one lane as they happen."""

    def __init__(self, lane: str, task: str = "", masks: MaskTable = STANDARD) -> None:
        self._lane = lane
        self._context = Context(most=_MOST_HEARD)
        self._groups = Groups(masks, most=_MOST_FAILURES)
        self._keys = KeyMaker(masks)
        self._origins = OriginFinder(task, most=_MOST_ACTIONS)
        self._edited = EditedFiles(most=_MOST_EDITED)
        self._looks = StatusChecks()

    def hear(self, message: Message) -> None:
        """Take a message that came before the next call."""
        self._context.hear(message)

    def compact(self, *, by_user: bool = False) -> None:
        """Earlier context was dropped or summarised before the next call; `by_user` says that the user ordered it."""
        self._context.compact(self._lane, by_user=by_user)

    def add(self, call: ToolCall, result: ToolResult | None) -> Action:
        """The next call with its result, judged."""
        made = self._context.call(call)
        answer = answer_of(made, result)
        made = replace(made, operation=complete(made, answer))
        found = judged(made, answer, self._edited, answer.text)
        made = replace(made, operation=self._looks.operation(made.operation, after_user=made.after_user))
        action = action_of(made, answer, found, self._keys.keys(made, answer))
        if action.failure is not None:
            self._groups.add(action.step, action.lane, action.failure)
        else:
            for edit in action.operation.edits:
                if edit.path:
                    self._edited.add(edit.path)
        self._origins.take(action)
        if action.result is not None and len(action.result) > _HEAD + _TAIL:
            action = replace(action, result=action.result[:_HEAD] + action.result[-_TAIL:])
        return action
