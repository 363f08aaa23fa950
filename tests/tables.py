"""Tables of cases as data: `tests/data/cases/AREA/NAME.yaml` holds those of `tests/AREA/test_NAME.py`, each with its
columns, which are the arguments of the test, and its rows; the column `id` names a case. A value is read as the type
that the test gives the argument."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import pytest
import yaml
from msgspec import convert

Test = TypeVar("Test", bound=Callable[..., None])

TESTS = Path(__file__).resolve().parent
CASES = TESTS / "data" / "cases"


def table(*names: str) -> Callable[[Test], Test]:
    """The test runs once for each row of these tables, which have the same columns."""

    def of(test: Test) -> Test:
        tables = [_tables(sys.modules[test.__module__].__file__ or "")[name] for name in names]
        columns = [column for column in tables[0]["columns"] if column != "id"]
        hints = get_type_hints(test)
        types = [hints[column] for column in columns]
        run_with = pytest.mark.parametrize(columns, [row for each in tables for row in _rows(each, types)])
        made: Test = run_with(test)
        return made

    return of


def _rows(content: dict[str, Any], types: list[Any]) -> Iterator[Any]:
    named = content["columns"][0] == "id"
    for row in content["rows"]:
        values = row[1:] if named else row
        read = [convert(value, kind) for kind, value in zip(types, values, strict=True)]
        yield pytest.param(*read, id=row[0] if named else None)


@cache
def _tables(module: str) -> dict[str, Any]:
    place = Path(module).relative_to(TESTS)
    text = (CASES / place.with_name(f"{place.stem.removeprefix('test_')}.yaml")).read_text(encoding="utf-8")
    content: dict[str, Any] = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return content
