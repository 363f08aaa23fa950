"""The tables of an audit as pandas DataFrames."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice, repeat
from typing import TYPE_CHECKING, Any

from analyzer.model.tables import kinds

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
    types = {name: _TYPES.get(kind, text) for name, kind in kinds(table).items()}
    pieces: list[pandas.DataFrame] = []
    rest = iter(rows)
    while (piece := list(islice(rest, _PIECE))) or not pieces:
        columns = zip(*piece, strict=True) if piece else repeat(())
        kept = dict(zip(types, islice(columns, len(types)), strict=True))
        pieces.append(pandas.DataFrame(kept, dtype=object).astype(types))
    return pieces[0] if len(pieces) == 1 else pandas.concat(pieces, ignore_index=True)


class _Table:
    """One table of `Frames`."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, frames: Frames, owner: type) -> pandas.DataFrame:
        made = frames.__dict__[self._name] = frame(self._name, frames.read(self._name))
        return made


class Frames:
    """The seven tables of an audit, each read when it's first asked for.

    `read` gives the rows of a table by its name, as `analyzer.audit.store.store.Store.rows` does.
    """

    def __init__(self, read: Callable[[str], Iterable[tuple[Any, ...]]]) -> None:
        self.read = read

    files = _Table()
    """One row per file that was looked at."""
    sessions = _Table()
    """One row per session."""
    actions = _Table()
    """One row per action."""
    failures = _Table()
    """One row per step that failed."""
    failure_groups = _Table()
    """One row per failure that came back within a session."""
    findings = _Table()
    """One row per finding."""
    problems = _Table()
    """One row per file or record that could not be read."""
