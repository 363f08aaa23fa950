"""The definition of a tool that the model had, as far as the record holds it."""

from __future__ import annotations

from analyzer.model.struct import Struct

Scalar = str | int | float | bool | None


class Parameter(Struct, frozen=True):
    """One argument of a definition. `types` are JSON's words for what it takes, empty where the definition doesn't say;
    `required` is None where it doesn't say either; `values` are the only ones it takes, None where any will do."""

    name: str
    types: tuple[str, ...] = ()
    required: bool | None = None
    values: tuple[Scalar, ...] | None = None


class ToolDefinition(Struct, frozen=True):
    """One tool with its arguments. `place` is where in the record it stands; `inner` are the names that stand deeper in
    its arguments."""

    name: str
    parameters: tuple[Parameter, ...]
    place: str
    inner: frozenset[str] = frozenset()

    def parameter(self, name: str) -> Parameter | None:
        """The argument called `name`, None where the definition has none."""
        return next((entry for entry in self.parameters if entry.name == name), None)
