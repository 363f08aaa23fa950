"""Tool calls that are written out in a script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.formats.codex.script import calls_of
from tests.growth import assert_in_proportion
from tests.tables import table


def found(script: str) -> list[tuple[str, object]]:
    return [(call.tool, call.argument) for call in calls_of(script)]


@table("what_is_written_out_is_found")
def test_what_is_written_out_is_found(script: str, expected: list[tuple[str, object]]) -> None:
    assert found(script) == expected


@given(st.text(alphabet=st.sampled_from("tools.exec_command({cmd:'a`\"$\\[]})+,constfr(of)map=>/*\n 0")))
def test_any_text_is_read(script: str) -> None:
    calls_of(script)


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", ["[", "{a:", "`", "'", "const a = [", "tools.x([", "/*", "\\", "${", "(" * 9, "tools.x(`${", "a+"]
)
def test_long_scripts_of_nothing_are_read_in_time(part: str) -> None:
    assert_in_proportion(calls_of, lambda size: part * size, 5_000, 20_000, repr(part))
