"""The stuck detectors of OpenHands."""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Hashable

from analyzer.diagnosis.policies.alternating import Turns
from analyzer.diagnosis.policies.errors import with_sorted_keys
from analyzer.diagnosis.policies.interface import Policy
from analyzer.model.action import Action
from analyzer.model.words import Mark, Status


class _OpenHands(Policy):
    """Equal calls with equal results in a row, equal calls that the program refuses, or two that take turns for three
    rounds."""

    published = True
    refusals = 3

    def __init__(self, **values: int) -> None:
        super().__init__(**values)
        self._last: deque[tuple[Hashable, Hashable, bool]] = deque(maxlen=4)
        self._turns = Turns(3)

    @abstractmethod
    def call(self, action: Action) -> Hashable:
        """What has to be equal of two calls."""

    @abstractmethod
    def result(self, action: Action) -> Hashable:
        """What has to be equal of two results."""

    def observe(self, action: Action) -> bool:
        """Take the next action; whether one of the rules is fulfilled with it."""
        call, result = self.call(action), self.result(action)
        self._last.append((call, result, _refused(action)))
        turns = self._turns.add((call, result))
        latest = list(self._last)
        equal = len(latest) == 4 and all(entry[:2] == (call, result) for entry in latest)
        refused = latest[-self.refusals :]
        return (
            turns
            or equal
            or (len(refused) == self.refusals and all(entry[0] == call and entry[2] for entry in refused))
        )


class OpenHands(_OpenHands):
    """OpenHands (V0): four equal calls and results, three equal calls that end in an error of its own, or six steps
    that take turns.

    Source: `openhands/controller/stuck.py` at 156d0686 in headless mode, where messages of the user change nothing. Two
    commands are equal if the thought before them is; two results of commands if their exit codes are, whatever was
    printed. What isn't replayed: three equal messages of the agent, ten condensations, three kinds of syntax error in a
    notebook cell.
    """

    name = "openhands"

    def call(self, action: Action) -> Hashable:
        """Name and arguments; of a command the thought before it as well."""
        return with_sorted_keys(action), action.said if action.operation.command is not None else ""

    def result(self, action: Action) -> Hashable:
        """Of a command the exit code (where none was recorded, whether it failed), else the text."""
        if action.operation.command is None or action.result is None:
            return action.keys.outcome
        return action.exit_code if action.exit_code is not None else str(action.status)


class OpenHandsSdk(_OpenHands):
    """OpenHands SDK: four equal calls and results, four equal calls that the program refuses, or six steps that take
    turns.

    Source: `stuck_detector.py` of the software agent SDK at 611629e6. Two calls are equal if the thought before them
    is, two results if their texts are; what the user says resets everything. What isn't replayed: three messages
    of the agent in a row.
    """

    name = "openhands-sdk"
    refusals = 4

    def call(self, action: Action) -> Hashable:
        """The thought, the name and the arguments."""
        return action.said, with_sorted_keys(action)

    def result(self, action: Action) -> Hashable:
        """The text."""
        return action.keys.outcome

    def observe(self, action: Action) -> bool:
        """Take the next action; whether one of the rules is fulfilled with it."""
        if action.after_user:
            self._last.clear()
            self._turns.clear()
        return super().observe(action)


def _refused(action: Action) -> bool:
    """Whether the harness, and no command, says that it went wrong."""
    return action.mark is Mark.REJECTED or (action.operation.command is None and action.status is Status.ERROR)
