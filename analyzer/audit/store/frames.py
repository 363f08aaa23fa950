"""The tables of an audit as pandas DataFrames."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, get_args

import pandas

from analyzer.model.tables import TABLES

# Before pandas 3 the type `str` is none of its own: None would become the text "None".
_TEXT = "str" if int(pandas.__version__.split(".", 1)[0]) >= 3 else "object"
_TYPES = {int: "Int64", float: "float64", bool: "boolean", str: _TEXT}


def frame(table: str, rows: Iterable[tuple[Any, ...]]) -> pandas.DataFrame:
    """Rows of one table as a DataFrame with the columns of `analyzer.model.tables`; unknown is NA or None."""
    fields = TABLES[table].model_fields
    made = pandas.DataFrame(list(rows), columns=list(fields))
    return made.astype({name: _type(field.annotation) for name, field in fields.items()})


def _type(annotation: Any) -> str:
    kinds = [kind for kind in (annotation, *get_args(annotation)) if kind in _TYPES]
    return _TYPES[kinds[0]] if kinds else _TEXT


class Frames:
    """The seven tables of an audit, each read when it's first asked for.

    `read` gives the rows of a table by its name, as `analyzer.audit.store.store.Store.rows` does.
    """

    def __init__(self, read: Callable[[str], Iterable[tuple[Any, ...]]]) -> None:
        self._read = read

    @cached_property
    def files(self) -> pandas.DataFrame:
        """One row per file that was looked at."""
        return frame("files", self._read("files"))

    @cached_property
    def sessions(self) -> pandas.DataFrame:
        """One row per session."""
        return frame("sessions", self._read("sessions"))

    @cached_property
    def actions(self) -> pandas.DataFrame:
        """One row per action."""
        return frame("actions", self._read("actions"))

    @cached_property
    def failures(self) -> pandas.DataFrame:
        """One row per step that failed."""
        return frame("failures", self._read("failures"))

    @cached_property
    def failure_groups(self) -> pandas.DataFrame:
        """One row per failure that came back within a session."""
        return frame("failure_groups", self._read("failure_groups"))

    @cached_property
    def findings(self) -> pandas.DataFrame:
        """One row per finding."""
        return frame("findings", self._read("findings"))

    @cached_property
    def problems(self) -> pandas.DataFrame:
        """One row per file or record that could not be read."""
        return frame("problems", self._read("problems"))
