"""What is advised about edits of a text that are refused: what the calls and the answers show, and nothing else."""

from __future__ import annotations

from tests.build import Part, call, findings
from tests.sessions import Written, parts_of
from tests.tables import table


def advice(*parts: Part) -> list[str]:
    (found,) = [finding for finding in findings(*parts, detector="loops") if finding.category == "loop"]
    return found.advice


@table("says_why_a_text_is_not_found")
def test_says_why_a_text_is_not_found(parts: Written, expected: str) -> None:
    assert advice(*parts_of(parts)) == [expected]


def test_an_edit_by_line_numbers_is_told_of_its_range() -> None:
    parts = [
        call(
            "edit",
            f"9:9\nberth = {number}\nend_of_edit",
            "Your proposed edit has introduced new syntax error(s). \n- E999 IndentationError: unexpected indent",
            is_error=True,
        )
        for number in range(5)
    ]
    assert not any("Copy the text" in text for text in advice(*parts))
