"""The loop rules of coding assistants that compare calls and not what comes of them."""

from __future__ import annotations

from collections import Counter

from analyzer.diagnosis.policies.alternating import Cycle, Turns
from analyzer.diagnosis.policies.errors import as_written, with_sorted_keys
from analyzer.diagnosis.policies.in_a_row import Row
from analyzer.diagnosis.policies.interface import Parameter, Policy
from analyzer.model.action import Action


class GeminiCli(Policy):
    """gemini-cli: an exact cycle of one to five calls comes round five times, whatever comes of them.

    Source: `loopDetectionService.ts` at 5411f113. Calls are compared with their arguments as written; what the user
    says resets the count. What isn't replayed: repeated text, and the model that judges after thirty turns.
    """

    name = "gemini-cli"
    published = True

    def __init__(self, **values: int) -> None:
        super().__init__(**values)
        self._cycle = Cycle(5, 5)

    def observe(self, action: Action) -> bool:
        """Take the next action; whether it ends the fifth round."""
        if action.after_user:
            self._cycle.clear()
        return self._cycle.add(as_written(action))


class QwenCode(Policy):
    """qwen-code: five equal calls in a row, six anywhere since the user spoke, two calls that take turns three times,
    or eight calls of one tool in a row.

    Source: `loopDetectionService.ts` at 00aa71b4, its heuristics switched on. What isn't replayed: eight reads among
    fifteen calls, eight overviews of the repository, the caps of 100 and 1000 calls, repeated text and thoughts.
    """

    name = "qwen-code"
    published = True

    def __init__(self, **values: int) -> None:
        super().__init__(**values)
        self._start()

    def observe(self, action: Action) -> bool:
        """Take the next action; whether one of the rules is fulfilled with it."""
        if action.after_user:
            self._start()
        key = with_sorted_keys(action)
        self._seen[key] += 1
        turns, row, of_one_tool = self._turns.add(key), self._calls.add(key), self._tools.add(action.tool)
        return turns or row >= 5 or self._seen[key] >= 6 or of_one_tool >= 8

    def _start(self) -> None:
        self._seen: Counter[str] = Counter()
        self._turns = Turns(3)
        self._calls, self._tools = Row(), Row()


class RooCode(Policy):
    """Roo-Code: the fourth equal call in a row, whatever comes of it.

    Source: `ToolRepetitionDetector.ts` at 37479466, where three are allowed. Keys are sorted; any other call resets the
    count.
    """

    name = "roo-code"
    published = True

    def __init__(self, **values: int) -> None:
        super().__init__(**values)
        self._row = Row()

    def observe(self, action: Action) -> bool:
        """Take the next action; whether it's the fourth."""
        return self._row.add(with_sorted_keys(action)) >= 4


class Cline(Policy):
    """Cline: the fifth equal call in a row, whatever comes of it; at the third it only warns.

    Source: `src/core/task/loop-detection.ts` at 59229327. Keys are sorted and `task_progress` is left out; any other
    call resets the count.
    """

    name = "cline"
    published = True
    parameters = {"times": Parameter(5, 2, (3, 5), "calls in a row: it warns at 3 and stops at 5")}  # noqa: RUF012

    def __init__(self, **values: int) -> None:
        super().__init__(**values)
        self._row = Row()

    def observe(self, action: Action) -> bool:
        """Take the next action; whether it's the fifth."""
        return self._row.add(with_sorted_keys(action, without="task_progress")) >= self.values["times"]


class OpenCode(Policy):
    """opencode: three equal calls in a row within one message.

    Source: issues #25254 and #50073 about `processor.ts`: every message resets the count, so that only calls that were
    sent together are compared.
    """

    name = "opencode"
    published = True

    def __init__(self, **values: int) -> None:
        super().__init__(**values)
        self._row = Row()
        self._batch: str | None = None

    def observe(self, action: Action) -> bool:
        """Take the next action; whether it's the third of its message."""
        if action.batch is None or action.batch != self._batch:
            self._row = Row()
        self._batch = action.batch
        return self._row.add(as_written(action)) >= 3
