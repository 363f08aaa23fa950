"""Policies that see two things take turns, and exact cycles."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable

from analyzer.diagnosis.policies.interface import Parameter, Policy
from analyzer.model.action import Action

_ROUNDS = Parameter(3, 2, (2, 3, 4, 5), "rounds")


class AlternatingCalls(Policy):
    """Two calls with equal results take turns."""

    name = "alternating-calls"
    parameters = {"rounds": _ROUNDS}  # noqa: RUF012

    def __init__(self, **values: int) -> None:
        super().__init__(**values)
        self._calls = Turns(self.values["rounds"])
        self._tools = Turns(self.values["rounds"])
        self.tools_took_turns = False
        """Whether two tools at least did so."""

    def observe(self, action: Action) -> bool:
        """Take the next action; whether it ends the last round that it takes."""
        self.tools_took_turns = self._tools.add(action.tool) or self.tools_took_turns
        return self._calls.add((action.keys.call, action.keys.outcome))


class AlternatingError(Policy):
    """Two tools take turns, and the second one gives the same error every time."""

    name = "alternating-error"
    parameters = {"rounds": _ROUNDS}  # noqa: RUF012

    def __init__(self, **values: int) -> None:
        super().__init__(**values)
        self._last: deque[tuple[str, str | None]] = deque(maxlen=2 * self.values["rounds"])

    def observe(self, action: Action) -> bool:
        """Take the next action; whether it ends the last round that it takes."""
        self._last.append((action.tool, action.failure.group if action.failure is not None else None))
        if len(self._last) < (self._last.maxlen or 0):
            return False
        tool, group = self._last[-1]
        other, none = self._last[0]
        if group is None or none is not None or tool == other:
            return False
        entries = list(self._last)
        return all(entry == (other, None) for entry in entries[::2]) and all(
            entry[1] == group for entry in entries[1::2]
        )


class ExactCycle(Policy):
    """An exact cycle of calls comes round several times, whatever comes of them."""

    name = "exact-cycle"
    parameters = {  # noqa: RUF012
        "period": Parameter(5, 1, (1, 2, 3, 5, 8), "calls in the longest cycle that is looked for"),
        "rounds": Parameter(5, 2, (3, 4, 5, 6), "rounds"),
    }

    def __init__(self, **values: int) -> None:
        super().__init__(**values)
        self._cycle = Cycle(self.values["period"], self.values["rounds"])

    def observe(self, action: Action) -> bool:
        """Take the next action; whether it ends the last round that it takes."""
        return self._cycle.add((action.tool, action.keys.call))


class Turns:
    """Two different things that take turns: A B A B A B is three rounds."""

    def __init__(self, rounds: int) -> None:
        self._last: deque[Hashable] = deque(maxlen=2 * rounds)
        self._most = 2 * rounds

    def add(self, key: Hashable) -> bool:
        """Take the next thing; whether the last ones took turns for so many rounds."""
        last = self._last
        last.append(key)
        if len(last) < self._most or last[-1] == last[-2] or last[-1] != last[-3]:
            return False
        return all(entry == last[position % 2] for position, entry in enumerate(last))

    def clear(self) -> None:
        """Start again."""
        self._last.clear()


class Cycle:
    """Exact cycles of one to `period` things that come round `rounds` times."""

    def __init__(self, period: int, rounds: int, shortest: int = 1) -> None:
        self._periods = range(shortest, period + 1)
        self._rounds = rounds
        self._last: deque[Hashable] = deque(maxlen=period)
        self._equal = dict.fromkeys(self._periods, 0)

    def add(self, key: Hashable) -> bool:
        """Take the next thing; whether it ends the last round of a cycle."""
        found = False
        known = len(self._last)
        for period in self._periods:
            if period > known:
                break
            self._equal[period] = self._equal[period] + 1 if self._last[-period] == key else 0
            found = found or self._equal[period] >= (self._rounds - 1) * period
        self._last.append(key)
        return found

    def clear(self) -> None:
        """Start again."""
        self._last.clear()
        self._equal = dict.fromkeys(self._periods, 0)
