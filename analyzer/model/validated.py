"""The pydantic model of a record: what checks the input of users, and what the published schemas are made of. It's
built when it's asked for; nothing else needs pydantic."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, SerializeAsAny, create_model

from analyzer.model.finding import PAYLOADS, Finding, Payload
from analyzer.model.struct import NODEFAULT, FieldInfo, Meta, Struct, fields


@cache
def model_of(kind: type[Struct], *, is_open: bool = False) -> type[BaseModel]:
    """The model of a record's class, closed against fields that it doesn't declare unless it `is_open`."""
    hints: dict[str, Any] = get_type_hints(kind, include_extras=True)
    if kind is Finding:
        others: Any = SerializeAsAny[model_of(Payload, is_open=True)]  # type: ignore[misc]
        known = _union([*map(model_of, PAYLOADS.values()), others])
        hints["details"] = _union([Annotated[known, Field(union_mode="left_to_right")], None])
        hints["slots"] = dict[str, str | int | float | list[str] | list[int] | None]
    made: dict[str, Any] = {field.name: (_typed(hints[field.name]), _default(field)) for field in fields(kind)}
    config = ConfigDict(frozen=True, extra="allow" if is_open else "forbid", defer_build=True)
    return create_model(kind.__name__, __config__=config, __doc__=kind.__doc__, __module__=kind.__module__, **made)


def checked(kind: type[Struct], values: Mapping[str, Any]) -> dict[str, Any]:
    """What a user gives for the fields of a record, as its model reads it. Raises `pydantic.ValidationError` where it
    doesn't fit."""
    made = model_of(kind)(**values)
    return {name: getattr(made, name) for name in made.model_fields_set}


def _default(field: FieldInfo) -> Any:
    if field.default_factory is not NODEFAULT:
        return Field(default_factory=field.default_factory)
    return ... if field.required else field.default


def _typed(hint: Any) -> Any:
    """A type with models in place of records, and pydantic's constraints in place of msgspec's."""
    if isinstance(hint, type) and issubclass(hint, Struct):
        return model_of(hint)
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        first, *constraints = args
        return Annotated[(_typed(first), *map(_constraint, constraints))]
    if origin in (Union, UnionType):
        return _union(map(_typed, args))
    generic: Any = origin
    return generic[tuple(map(_typed, args))] if args and isinstance(origin, type) else hint


def _union(kinds: Any) -> Any:
    either: Any = Union
    return either[tuple(kinds)]


def _constraint(meta: Any) -> Any:
    return Field(ge=meta.ge, gt=meta.gt, le=meta.le, lt=meta.lt) if isinstance(meta, Meta) else meta
