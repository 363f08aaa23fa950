"""Tables of cases as data: each is one that a test names, and a value that the test can't take is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from msgspec import ValidationError

from tests.failures import test_read_commands
from tests.tables import CASES, TESTS, table

TABLES = sorted(path.relative_to(CASES) for path in CASES.rglob("*.yaml"))


@pytest.mark.parametrize("place", TABLES, ids=str)
def test_every_table_is_named_by_a_test(place: Path) -> None:
    module = (TESTS / place).with_name(f"test_{(CASES / place).stem}.py").read_text(encoding="utf-8")
    for name, content in yaml.safe_load((CASES / place).read_text(encoding="utf-8")).items():
        assert f'"{name}"' in module
        assert content["rows"]


def test_a_value_of_another_type_is_refused() -> None:
    def test_it(command: str, text: str, exit_code: int | None, kind: int) -> None: ...

    test_it.__module__ = test_read_commands.__name__
    with pytest.raises(ValidationError):
        table("failing")(test_it)
