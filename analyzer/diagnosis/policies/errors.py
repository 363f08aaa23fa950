"""Policies that count errors, wherever in the session they come back.

What other programs compare of a call: its name and its arguments, to the letter or with sorted keys.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping
from typing import Any

from analyzer.diagnosis.policies.interface import Parameter, Policy
from analyzer.model.action import Action
from analyzer.model.failure import Failure
from analyzer.text.names import digest


class ErrorAgain(Policy):
    """An error comes back, whatever is called in between."""

    def __init__(self, **values: int) -> None:
        super().__init__(**values)
        self._times = self.values["times"]
        self._seen: Counter[str] = Counter()

    @abstractmethod
    def key(self, failure: Failure) -> str | None:
        """What has to be equal; None where the failure has nothing to compare."""

    @property
    def most(self) -> int:
        """How often the commonest error has come so far."""
        return max(self._seen.values(), default=0)

    def observe(self, action: Action) -> bool:
        """Take the next action; whether its error has come often enough with it."""
        failure = action.failure
        name = self.key(failure) if failure is not None and not failure.expected else None
        if name is None:
            return False
        self._seen[name] += 1
        return self._seen[name] >= self._times


class IdenticalError(ErrorAgain):
    """The same error to the letter several times in a session, whatever lies in between."""

    name = "identical-error"
    parameters = {"times": Parameter(3, 2, (2, 3, 4, 5, 6), "times in the session")}  # noqa: RUF012

    def key(self, failure: Failure) -> str | None:
        """Type and message."""
        return failure.headline


class MaskedError(ErrorAgain):
    """The same error several times in a session once line numbers, paths, times and ids are masked."""

    name = "masked-error"
    parameters = {"times": Parameter(3, 2, (2, 3, 4, 5, 6), "times in the session")}  # noqa: RUF012

    def key(self, failure: Failure) -> str | None:
        """The session's group of the failure."""
        return failure.group


_LONGEST = 500
"""Characters of arguments that are kept as they are; of longer ones a digest is."""


def as_written(action: Action) -> str:
    """The tool's name and its arguments as JSON in the order in which they were written."""
    return f"{action.tool}:{_json(action.arguments, in_order=False)}"


def with_sorted_keys(action: Action, without: str | None = None) -> str:
    """The tool's name and its arguments as JSON with sorted keys; the argument `without` is left out."""
    arguments = action.arguments
    if without is not None and not isinstance(arguments, str) and without in arguments:
        arguments = {name: value for name, value in arguments.items() if name != without}
    return f"{action.tool}:{_json(arguments, in_order=True)}"


def _json(arguments: Mapping[str, Any] | str, *, in_order: bool) -> str:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, sort_keys=in_order, default=str)
    return text if len(text) <= _LONGEST else digest(text)
