"""What a guard policy is: counters with parameters that see the actions of one lane in order and nothing later.

They count equal things in a row, anywhere, in turns, in cycles, within a window or within messages. What has to be
equal is a counter's key.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter as Counts
from collections import deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import takewhile

from analyzer.model.action import Action
from analyzer.model.errors import BadConfiguration
from analyzer.model.struct import Struct, field
from analyzer.text.english import did_you_mean

Key = Callable[[Action], Hashable]
"""What has to be equal of two actions; None is equal to nothing."""


class Counter(ABC):
    """Base of all counters."""

    longest = 0
    """The most equal things so far, where it counts these one by one."""

    @abstractmethod
    def add(self, action: Action) -> bool:
        """Take the next action; whether enough has been counted with it."""


class InARow(Counter):
    """Equal keys that come one after the other; anything else in between resets the count."""

    def __init__(self, key: Key, times: int) -> None:
        self._key, self._times = key, times
        self._before: Hashable = None
        self._count = 0

    def add(self, action: Action) -> bool:
        """Take the next action; whether it completes the run, or makes it longer."""
        key = self._key(action)
        self._count = 0 if key is None else self._count + 1 if key == self._before else 1
        self._before = key
        self.longest = max(self.longest, self._count)
        return self._count >= self._times


class Anywhere(Counter):
    """Equal keys, whatever comes in between; an action without a key of which `forgets` is true resets all counts."""

    def __init__(self, key: Key, times: int, forgets: Callable[[Action], bool] | None = None) -> None:
        self._key, self._times, self._forgets = key, times, forgets
        self._seen: Counts[Hashable] = Counts()

    def add(self, action: Action) -> bool:
        """Take the next action; whether its key has come often enough with it."""
        key = self._key(action)
        if key is None:
            if self._forgets is not None and self._forgets(action):
                self._seen.clear()
            return False
        self._seen[key] += 1
        self.longest = max(self.longest, self._seen[key])
        return self._seen[key] >= self._times


class Turns(Counter):
    """Two different keys that take turns: A B A B A B is three rounds. `of` says which pairs count."""

    def __init__(self, key: Key, rounds: int, of: Callable[[Hashable, Hashable], bool] | None = None) -> None:
        self._key, self._of, self._most = key, of, 2 * rounds
        self._last: deque[Hashable] = deque(maxlen=self._most)

    def add(self, action: Action) -> bool:
        """Take the next action; whether the last ones took turns for so many rounds."""
        last = self._last
        last.append(self._key(action))
        if len(last) < self._most or last[-1] == last[-2]:
            return False
        if self._of is not None and not self._of(last[-2], last[-1]):
            return False
        return all(one == other for one, other in zip(last, list(last)[2:], strict=False))


class Cycle(Counter):
    """Exact cycles of `shortest` to `period` keys that come round `rounds` times."""

    def __init__(self, key: Key, period: int, rounds: int, shortest: int = 1) -> None:
        self._key, self._rounds = key, rounds
        self._last: deque[Hashable] = deque(maxlen=period)
        self._equal = dict.fromkeys(range(shortest, period + 1), 0)

    def add(self, action: Action) -> bool:
        """Take the next action; whether it ends the last round of a cycle."""
        key, found = self._key(action), False
        for period in range(min(self._equal), len(self._last) + 1):
            self._equal[period] = self._equal[period] + 1 if self._last[-period] == key else 0
            found = found or self._equal[period] >= (self._rounds - 1) * period
        self._last.append(key)
        return found


class Window(Counter):
    """Equal keys among the last `size` actions; where these have values, up to the last of them with another value."""

    def __init__(self, key: Key, size: int, times: int, value: Key | None = None) -> None:
        self._key, self._value, self._times = key, value, times
        self._last: deque[tuple[Hashable, Hashable]] = deque(maxlen=size)

    def add(self, action: Action) -> bool:
        """Take the next action; whether there are enough of its sort."""
        key, value = self._key(action), self._value(action) if self._value is not None else None
        self._last.append((key, value))
        values = (other for name, other in reversed(self._last) if name == key)
        return sum(1 for _ in takewhile(lambda other: other == value, values)) >= self._times


class Messages(Counter):
    """Equal messages among the last `size`, once there are so many; the calls of a message are one key."""

    def __init__(self, key: Key, size: int, times: int) -> None:
        self._key, self._times = key, times
        self._last: deque[tuple[Hashable, ...]] = deque(maxlen=size)
        self._batch: str | None = None

    def add(self, action: Action) -> bool:
        """Take the next action; whether enough of the messages are equal."""
        before = self._last.pop() if self._last and action.batch is not None and action.batch == self._batch else ()
        self._last.append((*before, self._key(action)))
        self._batch = action.batch
        return len(self._last) == self._last.maxlen and max(Counts(self._last).values()) >= self._times


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
        of = f"the policy {self.name!r}"
        for name, value in values.items():
            if name not in self.parameters:
                raise BadConfiguration(f"{of} has no parameter {name!r}.", hint=did_you_mean(name, self.parameters))
            if value < (least := self.parameters[name].least):
                raise BadConfiguration(f"{of}: {name} must be {least} or more, not {value}.")
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
