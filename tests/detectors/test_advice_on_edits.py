"""What is advised about edits of a text that are refused: what the calls and the answers show, and nothing else."""

from __future__ import annotations

import pytest

from tests.build import Part, call, findings

GONE = "No replacement was performed: the text to be replaced did not appear verbatim in quay.py."
TWICE = "No replacement was performed. Multiple occurrences of `return 1` in lines [3, 9]. Please ensure it is unique."


def edited(before: str, answer: str = GONE, number: int = 0) -> Part:
    return call(
        "str_replace", {"path": "quay.py", "old_str": before, "new_str": f"berth = {number}"}, answer, is_error=True
    )


def advice(*parts: Part) -> list[str]:
    (found,) = [finding for finding in findings(*parts, detector="loops") if finding.category == "loop"]
    return found.advice


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        pytest.param(
            [edited("return 1", TWICE, n) for n in range(5)],
            "Put more of the lines around it into the text to be replaced: `quay.py` has it more than once.",
            id="more than once",
        ),
        pytest.param(
            [edited("berth == 7", number=n) for n in range(5)],
            "Copy the text to be replaced from a fresh read of `quay.py`: it isn't in there as step 5 has it.",
            id="not in the file",
        ),
        pytest.param(
            [edited("if berth == 7:\\n    moor()", number=n) for n in range(5)],
            "Send real line breaks: the text to be replaced at step 5 holds `\\n` written out where the file has line "
            "breaks.",
            id="line breaks written out",
        ),
    ],
)
def test_says_why_a_text_is_not_found(parts: list[Part], expected: str) -> None:
    assert advice(*parts) == [expected]


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
