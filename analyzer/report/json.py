"""Reports as JSON: the output contract."""

from __future__ import annotations

import json
from typing import Any

from analyzer.model.struct import Public
from analyzer.text.late import late

_OBEYED = late(r"[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that move the cursor, or turn a line around, where a terminal shows them."""


def render(report: Public) -> str:
    """The report as indented JSON in the order of the contract, ending in a newline, as `dump` writes it."""
    try:
        text = report.model_dump_json(indent=2)
    except UnicodeEncodeError:  # lone surrogates
        return dump(report.model_dump(), indent=2)
    return _harmless(text)


def dump(value: Any, indent: int | None = None) -> str:
    """The value as JSON, ending in a newline. Characters that no UTF-8 file can hold (lone surrogates from a
    transcript's escapes) are written as escapes, and so are those that a terminal would obey: control characters of
    eight bits, and marks of direction."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, indent=indent).replace("\x7f", "\\u007f") + "\n"
    return _harmless(text)


def _harmless(text: str) -> str:
    return _OBEYED.sub(lambda found: f"\\u{ord(found.group()):04x}", text) + "\n"
