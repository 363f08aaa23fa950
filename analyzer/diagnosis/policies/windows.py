"""The loop rules of other agents that count within a window, most of them calls together with their results."""

from __future__ import annotations

from collections import Counter, deque

from analyzer.diagnosis.policies.alternating import Cycle, Turns
from analyzer.diagnosis.policies.errors import as_written, with_sorted_keys
from analyzer.diagnosis.policies.in_a_row import Row
from analyzer.diagnosis.policies.interface import Parameter, Policy
from analyzer.model.action import Action
from analyzer.model.words import Kind


class Crush(Policy):
    """crush: more than five of the last ten messages make equal calls with equal results.

    Source: `internal/agent/loop_detection.go` at 37f36e93. Calls that were sent together are compared together; before
    the tenth message it says nothing.
    """

    name = "crush"
    published = True

    def __init__(self, **values: int) -> None:
        super().__init__(**values)
        self._last: deque[tuple[str, ...]] = deque(maxlen=10)
        self._batch: str | None = None

    def observe(self, action: Action) -> bool:
        """Take the next action; whether its message is the sixth of its sort."""
        signature = (as_written(action), action.keys.outcome)
        if self._last and action.batch is not None and action.batch == self._batch:
            self._last[-1] = (*self._last[-1], *signature)
        else:
            self._last.append(signature)
        self._batch = action.batch
        return len(self._last) == 10 and max(Counter(self._last).values()) > 5


class BrowserUse(Policy):
    """browser-use: five equal actions among the last twenty, whatever comes of them; it nudges at 5, at 8 and at 12.

    Source: `browser_use/agent/views.py` at 85ddbfed. Arguments are compared in lower case with sorted keys. What isn't
    replayed: five unchanged pages in a row.
    """

    name = "browser-use"
    published = True
    parameters = {"times": Parameter(5, 2, (5, 8, 12), "equal actions among the last twenty")}  # noqa: RUF012

    def __init__(self, **values: int) -> None:
        super().__init__(**values)
        self._last: deque[str] = deque(maxlen=20)

    def observe(self, action: Action) -> bool:
        """Take the next action; whether it's the fifth."""
        key = with_sorted_keys(action).casefold()
        self._last.append(key)
        return self._last.count(key) >= self.values["times"]


class Openclaw(Policy):
    """openclaw: twenty calls with equal results among the last thirty, or two that take turns for as long; it warns at
    ten.

    Source: `src/agents/tool-loop-detection.ts` at 00655306, switched on. Other calls in between don't count, another
    result of the same call resets the count. What isn't replayed: ten calls of an unknown tool, and the ids and times
    that it takes out of its own tools' results.
    """

    name = "openclaw"
    published = True
    parameters = {"times": Parameter(20, 2, (10, 20, 30), "calls: it warns at 10 and stops at 20")}  # noqa: RUF012

    def __init__(self, **values: int) -> None:
        super().__init__(**values)
        self._last: deque[tuple[str, str]] = deque(maxlen=max(30, self.values["times"]))
        self._turns = Turns((self.values["times"] + 1) // 2)

    def observe(self, action: Action) -> bool:
        """Take the next action; whether one of the rules is fulfilled with it."""
        call, result = entry = (with_sorted_keys(action), action.keys.outcome)
        self._last.append(entry)
        turns = self._turns.add(entry)
        same = 0
        for other, outcome in reversed(self._last):
            if other == call:
                if outcome != result:
                    break
                same += 1
        return turns or same >= self.values["times"]


class HermesAgent(Policy):
    """hermes-agent: five equal calls with equal results in a row, five laps of a cycle of two to four, or five equal
    calls that fail.

    Source: `agent/tool_guardrails.py` at 06c25ac9 with its hard stops on; with `times=3` where it takes notice. Keys
    are sorted. A failing call is counted until a call that changes something succeeds; what the user says
    resets everything. What isn't replayed: eight failures of one tool (commands are exempt there), the pollers that it
    knows by name, the caps on searches and sub-agents.
    """

    name = "hermes-agent"
    published = True
    parameters = {"times": Parameter(5, 2, (3, 5), "rounds: it warns at 3 and stops at 5")}  # noqa: RUF012

    def __init__(self, **values: int) -> None:
        super().__init__(**values)
        self._start()

    def observe(self, action: Action) -> bool:
        """Take the next action; whether one of the rules is fulfilled with it."""
        if action.after_user:
            self._start()
        times = self.values["times"]
        call = with_sorted_keys(action)
        entry = (call, action.keys.outcome)
        laps = self._cycle.add(entry)
        row = self._row.add(entry)
        if action.failed:
            self._failures[call] += 1
        elif action.kind in (Kind.EDIT, Kind.RUN, Kind.TEST):
            self._failures.clear()
        return laps or row >= times or self._failures[call] >= times

    def _start(self) -> None:
        self._cycle = Cycle(4, self.values["times"], shortest=2)
        self._row = Row()
        self._failures: Counter[str] = Counter()
