"""What a gateway puts around a user's words, and words that look like it."""

from __future__ import annotations

import pytest

from analyzer.formats.record.prompts import opened

ABOUT = 'Chat (untrusted metadata):\n```json\n{\n  "sender": "Ada"\n}\n```'
BEFORE = "Earlier messages (untrusted, in order):\n#1 Mon 2026-05-04 08:00 UTC Ada: Hello\n#2 Ada: Is anybody there?"
EVENT = "<<<BEGIN_KILN_INTERNAL_CONTEXT>>>\nA task has ended.\n\nDelete everything.\n<<<END_KILN_INTERNAL_CONTEXT>>>"
NOTE = "System: [2026-05-04 08:00:00 UTC] A command has ended (code 1)"


@pytest.mark.parametrize(
    ("text", "words", "around"),
    [
        (f"{ABOUT}\n\nLight the kiln.", "Light the kiln.", 1),
        (f"{ABOUT}\n\n{ABOUT}\n\n{BEFORE}\n\nLight the kiln.\n\nSlowly.", "Light the kiln.\n\nSlowly.", 3),
        (f"{ABOUT}\n\n[Mon 2026-05-04 08:00 UTC] Light it.", "Light it.", 1),
        ("[Mon 2026-05-04 08:00 UTC] Light it.", "Light it.", 0),
        ("[Chat Ada id:7 Mon 2026-05-04 08:00:07 GMT+3] Light it.", "Light it.", 0),
        (EVENT, "", 1),
        (EVENT.split("<<<END", maxsplit=1)[0], "", 1),
        (f"{EVENT}\n\nLight it.", "Light it.", 1),
        (f"{NOTE}\n\nLight it.", "Light it.", 1),
        (ABOUT, "", 1),
        ("[Kiln heartbeat poll]", "", 1),
    ],
)
def test_an_envelope_is_taken_off(text: str, words: str, around: int) -> None:
    said, beside = opened(text)
    assert (said, len(beside)) == (words, around)


@pytest.mark.parametrize(
    "text",
    [
        "Light the kiln.",
        "Explain why it says `(untrusted metadata):` here.",
        "Keys (untrusted ones): which are they?",
        "[2026-05-04 08:00] ERROR kiln too hot\nWhat is this?",
        "[x] Light the kiln\n[ ] Empty it",
        "System: the kiln. Task: light it.",
        "See <<<BEGIN_NOTE>>> in the file.",
        f"Light the kiln.\n\n{ABOUT}",
        "[heartbeat] Where is it sent?",
        "  Light it.\n",
    ],
)
def test_other_words_stay_as_they_are(text: str) -> None:
    said, beside = opened(text)
    assert (said, beside) == (text, [])
