"""Which policies with which settings: `NAME[:param=value,...]` and the grids of a sweep."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Literal

from analyzer.audit.backtest.guards import GUARD, GUARD_TITLE, check_setting, guard_grid, loop_detector
from analyzer.diagnosis.policies.policy import Policy
from analyzer.diagnosis.policies.registry import POLICIES, policy
from analyzer.model.errors import BadConfiguration
from analyzer.model.struct import Struct
from analyzer.text.english import did_you_mean

Value = int | str
_RANGE = re.compile(r"(?P<first>\d+)\.\.(?P<last>\d+)")
_MOST_OF_RANGE = 100


class Choice(Struct, frozen=True):
    """One policy with its settings. `values` holds every parameter of a policy, of our guard those that were set."""

    name: str
    values: tuple[tuple[str, Value], ...] = ()

    @property
    def label(self) -> str:
        """As the command line takes it. Of a published rule only what isn't as published is named."""
        kind = POLICIES.get(self.name)
        shown = [
            f"{name}={value}"
            for name, value in self.values
            if kind is None or not kind.published or kind.parameters[name].usual != value
        ]
        return f"{self.name}:{','.join(shown)}" if shown else self.name

    @property
    def title(self) -> str:
        """What it watches for, in one sentence."""
        return GUARD_TITLE if self.name == GUARD else policy(self.name).title

    @property
    def kind(self) -> Literal["plain", "program", "guard"]:
        """Whether it's a rule of a few lines, the rule of another program, or this program's guard."""
        if self.name == GUARD:
            return "guard"
        return "program" if policy(self.name).published else "plain"

    @property
    def as_published(self) -> bool:
        """Whether it's another program's rule with its published numbers."""
        return self.kind == "program" and all(
            POLICIES[self.name].parameters[name].usual == value for name, value in self.values
        )

    def make(self) -> Policy:
        """A fresh policy. Not for our guard, which watches messages too."""
        return policy(self.name)(**{name: int(value) for name, value in self.values})


def chosen(texts: Sequence[str], *, sweep: bool) -> list[Choice]:
    """The policies that the texts name, all where there are none; with `sweep` each over its whole grid but for what is
    set.

    A value may be a range, such as `times=2..6`, which makes as many policies. Raises `BadConfiguration` for a policy,
    a parameter or a value that there isn't.
    """
    wanted = [(text, sweep) for text in texts] or [
        *((name, sweep) for name in POLICIES),
        (GUARD, False),
        (f"{GUARD}:select={loop_detector()}", False),
        *([(GUARD, True)] if sweep else []),
    ]
    return list(dict.fromkeys(choice for text, swept in wanted for choice in _named(text, sweep=swept)))


def _named(text: str, *, sweep: bool) -> Iterator[Choice]:
    name, _, rest = text.strip().partition(":")
    given: dict[str, list[Value]] = {}
    for part in filter(None, (part.strip() for part in rest.split(","))):
        key, equals, value = part.partition("=")
        if not equals or not value.strip():
            hint = "Write NAME or NAME:param=value,param=value."
            raise BadConfiguration(f"{part!r} isn't param=value.", where=f"policy {text!r}", hint=hint)
        given[key.strip()] = _values(value.strip(), text)
    if name == GUARD:
        axes = {**guard_grid(), **given} if sweep else given
        for values in itertools.product(*axes.values()):
            settings = [(key, value) for key, value in sorted(zip(axes, values, strict=True)) if value != ""]
            yield Choice(GUARD, tuple((key, check_setting(key, value)) for key, value in settings))
    elif name in POLICIES:
        yield from _expanded(name, given, sweep=sweep)
    else:
        raise BadConfiguration(f"there is no policy {name!r}.", hint=did_you_mean(name, [*POLICIES, GUARD]))


def _values(text: str, whole: str) -> list[Value]:
    found = _RANGE.fullmatch(text)
    if found is None:
        return [text]
    first, last = int(found["first"]), int(found["last"])
    if last < first or last - first >= _MOST_OF_RANGE:
        raise BadConfiguration(f"{text!r} is no range of at most {_MOST_OF_RANGE} values.", where=f"policy {whole!r}")
    return list(range(first, last + 1))


def _expanded(name: str, given: dict[str, list[Value]], *, sweep: bool) -> Iterator[Choice]:
    kind = policy(name)
    kind(**dict.fromkeys((key for key in given if key not in kind.parameters), 1))
    axes: list[list[Value]] = []
    for key, parameter in kind.parameters.items():
        if key in given:
            axes.append([_whole(name, key, value) for value in given[key]])
        elif sweep:
            axes.append(sorted({*parameter.grid, parameter.usual}))
        else:
            axes.append([parameter.usual])
    for values in itertools.product(*axes):
        choice = Choice(name, tuple(zip(kind.parameters, values, strict=True)))
        choice.make()
        yield choice


def _whole(name: str, key: str, value: Value) -> int:
    try:
        return int(value)
    except ValueError:
        raise BadConfiguration(
            f"the policy {name!r}: {key} must be a whole number or a range such as 2..6, not {value!r}."
        ) from None
