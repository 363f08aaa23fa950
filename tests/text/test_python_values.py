"""Values as Python writes them."""

from __future__ import annotations

import warnings

import pytest

from analyzer.text.python_values import python_values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'a': [1, 2.5, None, True]}", {"a": [1, 2.5, None, True]}),
        ("(1, 'b')", [1, "b"]),
        ("{1: 'a', 'b': 2}", {"1": "a", "b": 2}),
        ("{'a': b'x'}", {"a": "b'x'"}),
        ("{'a': ...}", {"a": "Ellipsis"}),
        ("{'a': 2j}", {"a": "2j"}),
    ],
)
def test_what_is_spelled(text: str, value: object) -> None:
    assert python_values(text) == value


@pytest.mark.parametrize(
    "text", ["", "a", "f()", "{[]: 1}", "{'a': {{}}}", "{'a': 1", "\0", "(" * 500, "-" * 200_000, "9" * 5_000]
)
def test_what_spells_nothing(text: str) -> None:
    with pytest.raises(ValueError, match=r"\A"):
        python_values(text)


def test_nothing_is_remarked_on_odd_escapes() -> None:
    with warnings.catch_warnings(record=True) as remarks:
        warnings.simplefilter("always")
        assert python_values(r"'\d'") == r"\d"
    assert not remarks
