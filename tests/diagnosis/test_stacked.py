"""What the agent says of an edit that it makes again and again, and when the page may say that it said nothing."""

from __future__ import annotations

import pytest

from tests.build import call, diagnosed

TEXT = "import math\nprint(math.tau)\nprint(math.pi)"
NOTHING = "Nothing in what the agent says mentions that the text was there already."
OTHER = "What the agent says between the rounds leads to no other edit."


def reasons(said: str) -> list[str]:
    rounds = [
        call(
            "edit",
            {"path": "a.py", "start": 1, "end": 1, "text": TEXT},
            f"Edited: the file has {3 + 2 * n} lines.",
            said=said if n else "",
        )
        for n in range(5)
    ]
    return [reason.text for reason in diagnosed(*rounds).diagnosis.reasons]


@pytest.mark.parametrize(
    "said",
    [
        "The lines are duplicated.",
        "I added redundant lines.",
        "There are multiple conflicting lines in the file.",
        "I have repeatedly added unnecessary lines.",
        "I made the same mistake again.",
        "The import was inserted several times.",
        "It still contains old lines.",
        "The import was already there, since I inserted it already.",
        "There are two definitions now.",
    ],
)
def test_it_noticed(said: str) -> None:
    assert any(
        f"The agent noticed it and made the same edit again: `{said}` (step 2)" in text for text in reasons(said)
    )


@pytest.mark.parametrize(
    "said",
    ["", "Now I print tau and pi.", "Let me put the import in.", "To avoid duplicate lines, I write the import."],
)
def test_it_said_nothing_of_it(said: str) -> None:
    found = reasons(said)
    assert any(NOTHING in text for text in found)
    assert not any("noticed" in text for text in found)


@pytest.mark.parametrize("said", ["Another mistake of mine.", "I try the same once more.", "Let me do that again."])
def test_nothing_is_said_where_it_may_have(said: str) -> None:
    found = reasons(said)
    assert any(OTHER in text for text in found)
    assert not any(NOTHING in text or "noticed" in text for text in found)
