"""How the facts of a sentence are written where it names them."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.text.wording import worded


@pytest.mark.parametrize(
    ("template", "slots", "said"),
    [
        ("{n:call was|calls were} cut", {"n": 3}, "3 calls were cut"),
        ("{steps:~step|steps} {steps:and}", {"steps": [3, 5, 9]}, "steps 3, 5 and 9"),
        ("{files:path 12,and}", {"files": ["a.py", "long/folder/of/b.py"]}, "`a.py` and `…/of/b.py`"),
        ("sent{n:~| {n:times}}", {"n": 2}, "sent twice"),
        ("{text:quoted}", {"text": "{n} is no slot"}, '"{n} is no slot"'),
    ],
)
def test_a_slot_is_written_as_its_template_says(template: str, slots: dict[str, Any], said: str) -> None:
    assert worded(template, slots) == said


@pytest.mark.parametrize("template", ["{gone}", "{n:loudly}"])
def test_what_cannot_be_written_is_an_error(template: str) -> None:
    with pytest.raises((KeyError, ValueError)):
        worded(template, {"n": 1})
