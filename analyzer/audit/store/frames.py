"""The tables of an audit as pandas DataFrames."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import islice, repeat
from typing import TYPE_CHECKING, Any, get_args

from analyzer.model.tables import TABLES

if TYPE_CHECKING:
    import pandas

_PIECE = 5_000
"""Rows of a piece."""
_TYPES = {int: "Int64", float: "float64", bool: "boolean"}


def frame(table: str, rows: Iterable[tuple[Any, ...]]) -> pandas.DataFrame:
    """Rows of one table as a DataFrame with the columns of `analyzer.model.tables`; unknown is NA or None.

    It's made of pieces, so that only few rows are held as Python's objects at a time.
    """
    # A program that audits and asks for no table needn't wait for pandas.
    import pandas

    # Before pandas 3 the type `str` is none of its own: None would become the text "None".
    text = "str" if int(pandas.__version__.split(".", 1)[0]) >= 3 else "object"
    fields = TABLES[table].model_fields
    types = {name: _type(field.annotation) or text for name, field in fields.items()}
    pieces: list[pandas.DataFrame] = []
    rest = iter(rows)
    while (piece := list(islice(rest, _PIECE))) or not pieces:
        columns = zip(*piece, strict=True) if piece else repeat(())
        kept = dict(zip(types, islice(columns, len(fields)), strict=True))
        pieces.append(pandas.DataFrame(kept, dtype=object).astype(types))
    return pieces[0] if len(pieces) == 1 else pandas.concat(pieces, ignore_index=True)


def _type(annotation: Any) -> str | None:
    """What pandas calls the type; None for texts."""
    return next((_TYPES[kind] for kind in (annotation, *get_args(annotation)) if kind in _TYPES), None)


class Frames:
    """The seven tables of an audit, each read when it's first asked for.

    `read` gives the rows of a table by its name, as `analyzer.audit.store.store.Store.rows` does.
    """

    def __init__(self, read: Callable[[str], Iterable[tuple[Any, ...]]]) -> None:
        self._read = read

    def _frame(self, table: str) -> pandas.DataFrame:
        return frame(table, self._read(table))

    @cached_property
    def files(self) -> pandas.DataFrame:
        """One row per file that was looked at."""
        return self._frame("files")

    @cached_property
    def sessions(self) -> pandas.DataFrame:
        """One row per session."""
        return self._frame("sessions")

    @cached_property
    def actions(self) -> pandas.DataFrame:
        """One row per action."""
        return self._frame("actions")

    @cached_property
    def failures(self) -> pandas.DataFrame:
        """One row per step that failed."""
        return self._frame("failures")

    @cached_property
    def failure_groups(self) -> pandas.DataFrame:
        """One row per failure that came back within a session."""
        return self._frame("failure_groups")

    @cached_property
    def findings(self) -> pandas.DataFrame:
        """One row per finding."""
        return self._frame("findings")

    @cached_property
    def problems(self) -> pandas.DataFrame:
        """One row per file or record that could not be read."""
        return self._frame("problems")
