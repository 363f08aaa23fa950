"""Text of others, made safe for a terminal: a file name or a log must not move the cursor, set a title or hide
words."""

from __future__ import annotations

import unicodedata

from analyzer.text.expressions import compiled

_ESCAPES = compiled(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor, erasing
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"  # OSC and the other strings
    r"|\x1b[ -/]*[0-~]"  # everything else that starts with ESC
)
_DIRECTION = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_CONTROLS = compiled(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f{_DIRECTION}]")


def without_escapes(text: str) -> str:
    """`text` without terminal escapes, control characters other than newline and tab, and marks that reorder words."""
    return _CONTROLS.sub("", _ESCAPES.sub("", text.replace("\r\n", "\n")))


def visible(text: str) -> str:
    r"""`text` for a message: what a terminal would act upon is spelled out (`\x1b`), so that nothing is hidden."""
    return "".join(_spelled(character) for character in text)


def _spelled(character: str) -> str:
    if character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cf", "Cs"):
        return character
    return character.encode("unicode_escape").decode("ascii")
