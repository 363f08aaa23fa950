"""The bases of the program's records: classes of slots whose fields are declared with types and defaults.

Instances of `Struct` are compared and printed field by field, and hashed where they're frozen. It's the `Struct` of
msgspec: defining one costs a sixtieth of a frozen dataclass and making one an eighth, which counts in a run of half a
second.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from operator import methodcaller
from typing import Any, Self

import msgspec
from msgspec import NODEFAULT, Meta, Struct, ValidationError, convert, field, to_builtins
from msgspec.structs import FieldInfo, asdict, astuple, fields, force_setattr, replace

__all__ = ["NODEFAULT", "FieldInfo", "Meta", "Public", "Struct", "ValidationError", "asdict", "astuple", "convert"]
__all__ += ["field", "fields", "force_setattr", "replace", "to_builtins"]


_WRITTEN: Callable[[Any], Any] = methodcaller("model_dump", mode="json")
"""What people write is checked by pydantic, and said as it says it."""


class Public(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of everything that leaves the program: immutable, and closed against keys that nobody declared where it's
    read. What is made by the program itself isn't checked. Its methods are called as those of pydantic models."""

    def model_copy(self, *, update: Mapping[str, Any]) -> Self:
        """The same with some fields changed."""
        return replace(self, **update)

    def model_dump(self, *, exclude: Collection[str] = ()) -> dict[str, Any]:
        """As values of JSON: objects, lists, texts, numbers, booleans and None."""
        found: dict[str, Any] = to_builtins(self, enc_hook=_WRITTEN)
        return {name: value for name, value in found.items() if name not in exclude} if exclude else found

    def model_dump_json(self, *, indent: int | None = None) -> str:
        """As JSON. Raises `UnicodeEncodeError` for halves of surrogate pairs, which no UTF-8 text may hold."""
        text = msgspec.json.encode(self, enc_hook=_WRITTEN)
        return (msgspec.json.format(text, indent=indent) if indent is not None else text).decode()

    def _repr_html_(self) -> str | None:
        """What a notebook shows of it; None for what has no page."""
        found: str | None = import_module("analyzer.report.html").cell_of(self)
        return found

    @classmethod
    def model_validate(cls, value: object) -> Self:
        """What such values of JSON say. Raises `msgspec.ValidationError` where they say something else."""
        return convert(value, cls, dec_hook=lambda kind, given: kind.model_validate(given))

    @classmethod
    def model_validate_json(cls, text: str | bytes) -> Self:
        """What such JSON says. Raises `msgspec.ValidationError` where it says something else, and
        `msgspec.DecodeError` where it's none."""
        return msgspec.json.decode(text, type=cls, dec_hook=lambda kind, given: kind.model_validate(given))
