"""A loop guard for an agent's own loop. It needs nothing but Python's standard library.

```python
guard = LoopGuard()
...
advice = guard.after_call(tool, arguments, output, failed=exit_code != 0, changes=tool in EDITING_TOOLS)
if advice:
    messages.append({"role": "user", "content": advice})
```
"""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Mapping
from hashlib import sha256
from typing import TypeVar

Entry = TypeVar("Entry")

_MASKS = (
    (r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", "<uuid>"),
    (r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?", "<time>"),
    (r"\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b", "<time>"),
    (r"/(?:private/)?(?:tmp|var/folders)/[^\s'\"`,;:)\]>]+", "<tmp>"),
    (r"\b0x[0-9a-f]{4,}\b", "<address>"),
    (r"\b\d+(?:\.\d+)? ?(?:ms|s|secs?|seconds?|minutes?)\b", "<duration>"),
    (r"(?<=line )\d+|(?<=\.[a-z]{2}:)\d+|(?<=\.[a-z]{3}:)\d+", "<line>"),
    (r"(?<=pid )\d+|(?<=pid=)\d+", "<pid>"),
)
"""What moves by itself. Never every digit: `3 failed` -> `1 failed` is progress."""


class LoopGuard:
    """Says when a call, or an error, has come back `times` times with nothing new, whatever lies in between.

    A call counts as repeated while its answer stays the same and nothing was changed; an error, while no call that
    failed with it has succeeded, whatever was changed.
    """

    def __init__(self, times: int = 3, *, remembered: int = 200) -> None:
        self._times = times
        self._remembered = remembered
        self._answers: OrderedDict[str, tuple[str, int]] = OrderedDict()
        self._errors: OrderedDict[str, tuple[set[str], int]] = OrderedDict()

    def after_call(
        self,
        tool: str,
        arguments: Mapping[str, object] | str,
        output: str,
        *,
        failed: bool = False,
        changes: bool = False,
    ) -> str | None:
        """What to put into the agent's context after a call, or None. `changes` says that it edited something."""
        call, answer = _call(tool, arguments), _masked(output)
        if failed:
            return self._failed(call, answer)
        if changes:
            self._answers.clear()
        self._errors = OrderedDict((error, known) for error, known in self._errors.items() if call not in known[0])
        before, count = self._answers.pop(call, ("", 0))
        count = count + 1 if before == answer and answer else 1
        self._keep(self._answers, call, (answer, count))
        if count == self._times and answer:
            return (
                f"Stop. You have made this call {count} times and got the same answer each time: {tool}. Say what the "
                "answer means, then do something else."
            )
        return None

    def _failed(self, call: str, error: str) -> str | None:
        calls, count = self._errors.pop(error, (set[str](), 0))
        self._keep(self._errors, error, (calls | {call}, count + 1))
        if count + 1 != self._times:
            return None
        return (
            f"Stop. The same error has come back {count + 1} times: {error[-300:]}\nWhich assumption do these attempts "
            "share? Name another cause, and check that first."
        )

    def _keep(self, known: OrderedDict[str, Entry], key: str, entry: Entry) -> None:
        known[key] = entry
        if len(known) > self._remembered:
            known.popitem(last=False)


def _call(tool: str, arguments: Mapping[str, object] | str) -> str:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, sort_keys=True, default=str)
    return sha256(f"{tool} {' '.join(text.split())}".encode()).hexdigest()


def _masked(output: str) -> str:
    for pattern, name in _MASKS:
        output = re.sub(pattern, name, output, flags=re.IGNORECASE)
    return " ".join(output.split())
