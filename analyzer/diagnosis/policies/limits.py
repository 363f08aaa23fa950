"""The policy that looks at nothing: a limit of actions, which every other one has to beat."""

from __future__ import annotations

from analyzer.diagnosis.policies.interface import Parameter, Policy
from analyzer.model.action import Action


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
