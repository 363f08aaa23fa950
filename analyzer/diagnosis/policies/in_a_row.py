"""Policies that count what comes several times in a row."""

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
