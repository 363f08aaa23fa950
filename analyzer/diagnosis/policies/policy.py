"""What a guard policy is: counters with parameters that see the actions of one lane in order and nothing later."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from analyzer.diagnosis.policies.counters import Counter
from analyzer.model.action import Action
from analyzer.model.errors import BadConfiguration
from analyzer.model.struct import Struct, field
from analyzer.text.english import did_you_mean


class Parameter(Struct, frozen=True):
    """A whole number that a policy can be given: its usual value, the least that makes sense, the values that a sweep
    tries, and what it is."""

    usual: int
    least: int
    grid: tuple[int, ...]
    about: str


class PolicyKind(Struct, frozen=True):
    """One row of the table of policies: what it watches for, in one sentence, and the counters of which any may fire,
    made from its parameters.

    Where `source` is given it's the rule of another program under its name, with what its authors publish as the usual
    value of every parameter; `source` says where that stands, and what of it isn't replayed. `starts_again` is whether
    what the user says resets everything.
    """

    name: str
    title: str
    counters: Callable[..., Sequence[Counter]]
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    source: str = ""
    starts_again: bool = False

    @property
    def published(self) -> bool:
        """Whether it's the rule of another program."""
        return bool(self.source)

    def __call__(self, **values: int) -> Policy:
        """A fresh policy. Raises `BadConfiguration` for a parameter that there isn't, or a value below the least."""
        for name, value in values.items():
            known = self.parameters.get(name)
            if known is None:
                raise BadConfiguration(
                    f"the policy {self.name!r} has no parameter {name!r}.", hint=did_you_mean(name, self.parameters)
                )
            if value < known.least:
                raise BadConfiguration(f"the policy {self.name!r}: {name} must be {known.least} or more, not {value}.")
        return Policy(self, {name: values.get(name, parameter.usual) for name, parameter in self.parameters.items()})


class Policy:
    """A policy at work. It takes the actions of one lane, without what the harness wrote; the first time that `observe`
    is True is when it fires."""

    def __init__(self, kind: PolicyKind, values: Mapping[str, int]) -> None:
        self.values = values
        self._kind = kind
        self._counters = kind.counters(**values)

    def observe(self, action: Action) -> bool:
        """Take the next action; whether the rule is fulfilled with it."""
        if action.after_user and self._kind.starts_again:
            self._counters = self._kind.counters(**self.values)
        counted = [counter.add(action) for counter in self._counters]  # each has to see every action
        return any(counted)

    @property
    def longest(self) -> int:
        """The most equal things in a row, or anywhere, that it has counted."""
        return max(counter.longest for counter in self._counters)
