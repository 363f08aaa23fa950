"""What a guard policy is: a rule with a name and parameters that sees the actions of one lane in order and nothing
later."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from analyzer.model.action import Action
from analyzer.model.errors import BadConfiguration
from analyzer.text.english import did_you_mean


@dataclass(frozen=True, slots=True)
class Parameter:
    """A whole number that a policy can be given: its usual value, the least that makes sense, the values that a sweep
    tries, and what it is."""

    usual: int
    least: int
    grid: tuple[int, ...]
    about: str


class Policy(ABC):
    """Base of all policies. The first line of a subclass's docstring says what it watches for.

    `observe` takes the next action and is True where the rule is fulfilled with it; the first time that it's True is
    when the policy fires. Actions of other lanes, and entries that the harness wrote, aren't shown to it. `published`
    policies are the rules of other programs under their names: what their authors publish is the usual value of every
    parameter.
    """

    name: ClassVar[str]
    parameters: ClassVar[Mapping[str, Parameter]] = {}
    published: ClassVar[bool] = False

    def __init__(self, **values: int) -> None:
        """Raises `BadConfiguration` for a parameter that the policy doesn't have, or a value below the least."""
        for name, value in values.items():
            known = self.parameters.get(name)
            if known is None:
                raise BadConfiguration(
                    f"the policy {self.name!r} has no parameter {name!r}.", hint=did_you_mean(name, self.parameters)
                )
            if value < known.least:
                raise BadConfiguration(f"the policy {self.name!r}: {name} must be {known.least} or more, not {value}.")
        self.values = {name: values.get(name, parameter.usual) for name, parameter in self.parameters.items()}

    @classmethod
    def title(cls) -> str:
        """What it watches for, in one sentence."""
        return (cls.__doc__ or "").split("\n\n", 1)[0].replace("\n    ", " ").strip()

    @abstractmethod
    def observe(self, action: Action) -> bool:
        """Take the next action; whether the rule is fulfilled with it."""
