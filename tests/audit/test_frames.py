"""Tables as DataFrames, made of pieces."""

from __future__ import annotations

import pandas
import pytest

from analyzer.audit.audit import frame
from analyzer.model.tables import TABLES


def many(count: int) -> list[tuple[object, ...]]:
    return [
        (f"run-{number}.jsonl", number, "error", None if number % 2 else "here", "is cut.") for number in range(count)
    ]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 8])
def test_a_table_of_several_pieces_is_the_same_as_one_of_one_piece(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = frame("problems", many(count))
    monkeypatch.setitem(frame.__globals__, "_PIECE", 3)
    pandas.testing.assert_frame_equal(frame("problems", many(count)), whole)
    assert list(whole["number"]) == list(range(count))


def test_large_numbers_stay_exact_beside_unknown_ones() -> None:
    names = list(TABLES["sessions"].__struct_fields__)
    rows = [tuple(2**60 + 1 if name == "tokens_input" and known else None for name in names) for known in (True, False)]
    made = frame("sessions", rows)["tokens_input"]
    assert made[0] == 2**60 + 1
    assert made.isna().tolist() == [False, True]
