"""Last words that announce what doesn't follow, and those that say something."""

from __future__ import annotations

import pytest

from analyzer.timeline.closing.announced import announces


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Let me try the other gauge:",
            "Now let me check the lamps.",
            "The log is empty. I'll look at the tide table.",
        ),
        *("Voy a probar con otro faro:", "Jetzt sehe ich nach：", "Great! Next, I will run the pumps."),
        "Good.\n\nI'm going to read the harbour's log now.",
    ],
)
def test_what_is_about_to_be_done_is_announced(text: str) -> None:
    assert announces(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "The lamp is broken.", "Let me know which lamp you mean.", "I'll wait for your answer."),
        *("I will start as soon as you agree.", "Shall I look at the pumps?", "I'll fix it if you like."),
        *("Lamps:\n- pier 1\n- pier 2", "I need to know the pier.", "I'll be here.", "I will not touch the pumps."),
        "Let me sum up: the lamp of pier 1 is broken.\nIt wants a new lens.",
        "Every pier was looked at, and each has a lamp. " * 12 + "Let me look at the pumps.",
        "Run this:\n```\nmake lamps\n```",
    ],
)
def test_other_words_say_something(text: str) -> None:
    assert not announces(text)
