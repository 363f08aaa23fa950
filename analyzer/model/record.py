"""`dataclass` as in `dataclasses`, without functions that are compiled for each class when it's made.

The program has some three hundred of them in use before it reads the first log. The library compiles up to seven
functions for each, which took a fifth of what a small log takes from start to end. Here all but `__init__` are shared,
and that is compiled when the first object of the class is made. What the library knows of a class (`fields`, `replace`,
`asdict`) it knows of these, too.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import MISSING, FrozenInstanceError, field
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any, TypeVar, dataclass_transform, overload

__all__ = ["dataclass", "field"]

_Class = TypeVar("_Class", bound=type)
_Method = Callable[..., Any]
_Fields = Sequence[dataclasses.Field[Any]]


@overload
def dataclass(cls: _Class, /) -> _Class: ...


@overload
def dataclass(*, eq: bool = True, frozen: bool = False, slots: bool = False) -> Callable[[_Class], _Class]: ...


@dataclass_transform(field_specifiers=(field,))
def dataclass(cls: Any = None, /, *, eq: bool = True, frozen: bool = False, slots: bool = False) -> Any:
    """A class with the fields that its annotations name, as `dataclasses.dataclass` makes it."""
    if cls is None:
        return lambda given: _made(given, eq=eq, frozen=frozen, slots=slots)
    return _made(cls, eq=eq, frozen=frozen, slots=slots)


def _made(given: type, *, eq: bool, frozen: bool, slots: bool) -> type:
    if given.__doc__ is None:
        # The library would work out a signature for it.
        given.__doc__ = given.__name__
    own = set(vars(given))
    cls: type = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(given)
    every = dataclasses.fields(cls)
    methods = [_init(cls, every, frozen=frozen, slots=slots), _repr(every)]
    if eq:
        methods.append(_eq(every))
    if frozen:
        methods += [_setattr(cls, every), _delattr(cls, every)]
    if frozen and slots:
        # By itself, what is unpickled would be given its values one by one.
        methods += [_getstate(every), _setstate(every)]
    if frozen and eq:
        methods.append(_hash(every))
    elif eq and "__hash__" not in own:
        cls.__hash__ = None  # type: ignore[assignment]
    for method in methods:
        if method.__name__ not in own:
            method.__qualname__ = f"{cls.__qualname__}.{method.__name__}"
            setattr(cls, method.__name__, method)
    return cls


def _init(cls: type, every: _Fields, *, frozen: bool, slots: bool) -> _Method:
    def __init__(self: object, /, *values: object, **named: object) -> None:  # noqa: N807
        made = _compiled(cls, every, frozen=frozen, slots=slots)
        type.__setattr__(cls, "__init__", made)
        made(self, *values, **named)

    return __init__


def _compiled(cls: type, every: _Fields, *, frozen: bool, slots: bool) -> _Method:
    """What the library would compile as well; the fields of a frozen object are set by their slots."""
    names: dict[str, object] = {"MISSING": MISSING, "set_": object.__setattr__}
    given: list[str] = []
    named: list[str] = []
    lines: list[str] = []
    for number, each in enumerate(every):
        value, default = each.name, ""
        if each.default_factory is not MISSING:
            names[f"default_{number}"] = each.default_factory
            value = f"default_{number}()" + (f" if {each.name} is MISSING else {each.name}" if each.init else "")
            default = "=MISSING"
        elif each.default is not MISSING:
            names[f"default_{number}"] = each.default
            value = each.name if each.init else f"default_{number}"
            default = f"=default_{number}"
        if each.init:
            (named if each.kw_only else given).append(each.name + default)
        elif not default or (default != "=MISSING" and not slots):
            continue
        slot = getattr(getattr(cls, each.name, None), "__set__", None) if slots else None
        if not frozen:
            lines.append(f"self.{each.name} = {value}")
        elif slot is not None:
            names[f"set_{number}"] = slot
            lines.append(f"set_{number}(self, {value})")
        else:
            lines.append(f"set_(self, {each.name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    parameters = ", ".join(["self", *given, *(["*", *named] if named else [])])
    exec(f"def __init__({parameters}):\n " + "\n ".join(lines or ["pass"]), names)
    made: Any = names["__init__"]
    made.__qualname__, made.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    return made  # type: ignore[no-any-return]


def _values(every: _Fields) -> Callable[[Any], tuple[object, ...]]:
    """The values of fields, as a tuple."""
    names = [each.name for each in every]
    if len(names) > 1:
        return attrgetter(*names)
    if names:
        return lambda one: (getattr(one, names[0]),)
    return lambda _: ()


def _repr(every: _Fields) -> _Method:
    names = [each.name for each in every if each.repr]

    @recursive_repr()
    def __repr__(self: object) -> str:  # noqa: N807
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return __repr__


def _eq(every: _Fields) -> _Method:
    values = _values([each for each in every if each.compare])

    def __eq__(self: object, other: object) -> bool:  # noqa: N807
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return __eq__


def _hash(every: _Fields) -> _Method:
    values = _values([each for each in every if (each.compare if each.hash is None else each.hash)])

    def __hash__(self: object) -> int:  # noqa: N807
        return hash(values(self))

    return __hash__


def _setattr(cls: Any, every: _Fields) -> _Method:
    names = {each.name for each in every}

    def __setattr__(self: object, name: str, value: object) -> None:  # noqa: N807
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    return __setattr__


def _delattr(cls: Any, every: _Fields) -> _Method:
    names = {each.name for each in every}

    def __delattr__(self: object, name: str) -> None:  # noqa: N807
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return __delattr__


def _getstate(every: _Fields) -> _Method:
    def __getstate__(self: object) -> list[object]:  # noqa: N807
        return [getattr(self, each.name) for each in every]

    return __getstate__


def _setstate(every: _Fields) -> _Method:
    def __setstate__(self: object, state: Sequence[object]) -> None:  # noqa: N807
        for each, value in zip(every, state, strict=True):
            object.__setattr__(self, each.name, value)

    return __setstate__
