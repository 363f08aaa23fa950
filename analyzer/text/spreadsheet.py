"""Cells of CSV files."""

from __future__ import annotations

from typing import Any

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def cell(value: Any) -> Any:
    """The value as a cell that no spreadsheet takes for a formula; `true` and `false` in lower case."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"'{value}" if isinstance(value, str) and value.lstrip(" \n").startswith(_FORMULA) else value
