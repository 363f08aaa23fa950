"""Literals that stand in every text which an expression matches."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.failures.messages.tables import ACCESS, CAUSES, HARNESS, PROGRAMS, SHELL, TOOLS, WRAPPERS, Table
from analyzer.text.late import late
from analyzer.text.required import Formula, required
from tests.conftest import ROOT
from tests.tables import table

TABLES = {
    "HARNESS": HARNESS,
    "ACCESS": ACCESS,
    "CAUSES": CAUSES,
    "PROGRAMS": PROGRAMS,
    "SHELL": SHELL,
    "WRAPPERS": WRAPPERS,
    "TOOLS": TOOLS,
}


@table("what_an_expression_needs")
def test_what_an_expression_needs(source: str, needed: str | None) -> None:
    found = required(source)
    assert (shown(found) if found is not None else None) == needed


def shown(formula: Formula) -> str:
    """A formula as people write it."""
    if isinstance(formula, str):
        return repr(formula)
    return f"({f' {formula[0]} '.join(map(shown, formula[1:]))})"


SOURCES = (r"(?:error|fatal)(?::| x)", r"^(?:permission )+denied$", r"\d (?i:ERROR)", r"x{3,}|7+", r"(error)\1")
TWO = (
    r"error\b.*?(?:denied|fatal)",
    r"(?:permission )?(?:denied|Error:)\s+(?:\w+ )*(?:fatal|error)",
    r"\Afatal|x\Z",
)
LATE = [late(source, re.MULTILINE) for source in (*SOURCES, *TWO)]
PIECES = ["error", "Error:", "fatal", " ", "x", "denied", "7", "\n", "permission "]


@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
def test_a_late_expression_finds_what_the_plain_one_finds(text: str) -> None:
    for source, lazy in zip((*SOURCES, *TWO), LATE, strict=True):
        plain = re.compile(source, re.MULTILINE).search(text)
        found = lazy.search(text)
        assert (found and found.span()) == (plain and plain.span())


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_no_row_is_left_out_that_matches_a_recorded_output(table: Table) -> None:
    for path in sorted((ROOT / "tests" / "data" / "outputs").rglob("*.txt")):
        text = path.read_text(encoding="utf-8", errors="replace")
        asked = table.candidates(text)
        assert [row for row in table if row.pattern.search(text) and row not in asked] == [], path.name


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_nearly_every_row_has_literals(table: Table) -> None:
    assert sum(required(row.expression, re.MULTILINE) is None for row in table) <= 1
