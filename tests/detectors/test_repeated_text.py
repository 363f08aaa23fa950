"""Sessions in which one short text is repeated very often: they're analysed in proportion to their length."""

from __future__ import annotations

import pytest

from analyzer.model.session import Event, Message
from tests.build import diagnosed, edit, run, says, user
from tests.growth import assert_in_proportion

PIECES = {
    "tags that open": "<task> ",
    "numbers in a row": "123,",
    "digits": "7",
    "spaces": " ",
    "quotes": '"a ',
    "backquotes": "`a` ",
    "parentheses": "((",
    "what is forbidden": "Don't touch a.py. ",
    "claims": "All 4 tests pass. ",
}


@pytest.mark.parametrize("piece", PIECES.values(), ids=PIECES)
@pytest.mark.parametrize("place", ["task", "edit", "result", "answer"])
def test_a_repeated_text_costs_in_proportion(piece: str, place: str) -> None:
    def made(size: int) -> list[Message | tuple[Event, ...]]:
        text = {place: piece * (size // len(piece))}
        return [
            user(text.get("task", "Mend a.py.")),
            edit("a.py", "x = 1", f"x = 2{text.get('edit', '')}y"),
            run("pytest -q", f"{text.get('result', '')}\n4 passed in 0.1s"),
            says(f"All 4 tests pass. {text.get('answer', '')}"),
        ]

    assert_in_proportion(lambda parts: diagnosed(*parts), made, 31_000, 93_000, piece)
