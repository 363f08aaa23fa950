"""A check of many cases in one test that names all which fail. What stands around a test takes some milliseconds, so
that a product of tables, whose cases take microseconds each, is one test for each row of the first."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest

T = TypeVar("T")


def check_each(cases: Iterable[T], check: Callable[[T], object], name: Callable[[T], str] = repr) -> None:
    """Fail where the check of a case does, when all of them were checked, or where there is none."""
    count, failed = 0, []
    for case in cases:
        count += 1
        try:
            check(case)
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - each is said below
            failed.append(f"{name(case)}: {type(error).__name__}: {error}")
    assert count, "no case to check"
    if failed:
        pytest.fail("\n".join((f"{len(failed)} of {count} cases failed:", *failed)), pytrace=False)
