"""Long errors: what they say stands behind what any such error says."""

from __future__ import annotations

import pytest

from analyzer.text.clip import middle
from analyzer.text.excerpts import informative_parts

REFUSED = (
    "tower.BadRequestError: Error code: 400 - {'error': {'message': \"The answer was held back because of the "
    "prompt's policy. Please change your prompt and try again, or read what stands at tower.example about that.\", "
    "'type': None, 'param': 'prompt', 'code': 'content_filter', 'status': 400, 'inner': {'code': 'PolicyViolation', "
    "'result': {'hate': {'filtered': False, 'severity': 'safe'}, 'jailbreak': {'filtered': True, 'detected': True}, "
    "'violence': {'filtered': False, 'severity': 'safe'}}}}}"
)


def test_codes_and_what_was_held_back_are_kept() -> None:
    assert informative_parts(REFUSED, 300) == (
        "tower.BadRequestError: Error code: 400 - … The answer was held back because of the prompt's policy … 'code': "
        "'content_filter' … 'code': 'PolicyViolation' … 'jailbreak': {'filtered': True, 'detected': True} …"
    )
    assert informative_parts(REFUSED, 80) == "tower.BadRequestError: Error code: 400 - … 'code': 'content_filter' …"


@pytest.mark.parametrize("limit", range(40, 700, 37))
def test_it_keeps_within_its_length_and_to_the_letter(limit: int) -> None:
    shown = informative_parts(REFUSED, limit)
    assert len(shown) <= limit
    assert all(piece.strip() in REFUSED for piece in shown.split("…"))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("ValueError: the tide is too low", id="short"),
        pytest.param("ValueError: " + "low tide " * 30, id="no answer of a service"),
        pytest.param("bad arguments: [ {" + "'code': 'invalid_type', " * 30, id="no answer of a service, with a code"),
        pytest.param("KeyError: {" + "'depth': 3, " * 30, id="a value of the program"),
    ],
)
def test_other_errors_are_cut_as_before(text: str) -> None:
    assert informative_parts(text, 60, middle) == middle(text, 60)
