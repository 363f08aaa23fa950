"""Policies that count what comes several times in a row.

The policy that looks at nothing: a limit of actions, which every other one has to beat.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable

from analyzer.diagnosis.policies.interface import Parameter, Policy
from analyzer.model.action import Action


class Row:
    """Equal things that come one after the other; None is none of them."""

    def __init__(self) -> None:
        self._before: Hashable = None
        self._count = 0

    def add(self, key: Hashable) -> int:
        """Take the next thing; how many equal ones there are at the end now."""
        self._count = self._count + 1 if key == self._before else 1
        self._before = key
        return self._count


class InARow(Policy):
    """Something comes a number of times in a row; anything else in between resets the count."""

    def __init__(self, **values: int) -> None:
        super().__init__(**values)
        self._times = self.values["times"]
        self._row = Row()
        self.longest = 0
        """The longest run so far."""

    @abstractmethod
    def key(self, action: Action) -> Hashable:
        """What has to be equal; never None."""

    def observe(self, action: Action) -> bool:
        """Take the next action; whether it completes the run, or makes it longer."""
        count = self._row.add(self.key(action))
        self.longest = max(self.longest, count)
        return count >= self._times


class SameTool(InARow):
    """The same tool several times in a row, whatever it's called with."""

    name = "same-tool"
    parameters = {"times": Parameter(5, 2, (3, 4, 5, 8, 10, 15), "calls in a row")}  # noqa: RUF012

    def key(self, action: Action) -> Hashable:
        """The tool's name."""
        return action.tool


class IdenticalCall(InARow):
    """The same call several times in a row, whatever comes of it."""

    name = "identical-call"
    parameters = {"times": Parameter(3, 2, (2, 3, 4, 5, 6, 8), "calls in a row")}  # noqa: RUF012

    def key(self, action: Action) -> Hashable:
        """The canonical call."""
        return action.keys.call


class IdenticalCallAndResult(InARow):
    """The same call with an equal result several times in a row."""

    name = "identical-call-and-result"
    parameters = {"times": Parameter(4, 2, (2, 3, 4, 5, 6), "calls in a row")}  # noqa: RUF012

    def key(self, action: Action) -> Hashable:
        """The canonical call and the digest of its result."""
        return action.keys.call, action.keys.outcome


class StepLimit(Policy):
    """A limit of actions, whatever they do.

    The usual value is LangGraph's `recursion_limit` of 25, which counts super-steps: a graph that goes from the model
    to its tools and back takes two for every call, so that 25 are about twelve actions there.
    """

    name = "step-limit"
    parameters = {"actions": Parameter(25, 1, (10, 15, 25, 50, 100, 200), "actions")}  # noqa: RUF012

    def __init__(self, **values: int) -> None:
        super().__init__(**values)
        self._left = self.values["actions"]

    def observe(self, action: Action) -> bool:  # noqa: ARG002
        """Take the next action; whether it's the last one that is allowed."""
        self._left -= 1
        return self._left <= 0
