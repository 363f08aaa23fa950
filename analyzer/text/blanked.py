"""What a recorder puts where it blanks a text out: nothing is known of such a text, nor that two of them were equal."""

from __future__ import annotations

import re

from analyzer.text.late import late

_LONGEST = 80
_PART = late(
    r"\*{3,}(?![\s*/])|(?<==)\s?\*{3,}|\bx{6,}\b|\A\W*(?:redacted|masked|removed|hidden|scrubbed|omitted)\W*\Z"
    r"|[<\[({_*](?:redacted|masked|scrubbed|omitted)\w*[>\])}_*]",
    re.IGNORECASE,
)
_EMPTY = frozenset({"{}", "null", "[]"})
_NAMED = late(r"[<\[({](?:tool|function|call)?[ _-]?(?:result|output|response)[>\])}]", re.IGNORECASE)
_WHOLE = late(
    r"\*{3,}|[xX]{6,}|REDACTED|MASKED|SCRUBBED|SANITIZED"
    r"|[<\[({_*]{1,3}(?i:redacted|masked|scrubbed|omitted|sanitized|stripped)(?i:[ :_-][\w :,.-]{1,40})?[>\])}_*]{1,3}"
)
"""Words that people write, too, count only within brackets or in capitals."""


def is_blanked(text: str) -> bool:
    """Whether a text is nothing but what a recorder put in its place."""
    return len(text) <= _LONGEST and _WHOLE.fullmatch(text.strip()) is not None


def is_hollow(text: str) -> bool:
    """Whether a result is an empty object or a word for a result rather than one. That's what is left where a recorder
    took out what was in it; a tool that has nothing to say may return it as well."""
    return len(text) <= _LONGEST and (text.strip() in _EMPTY or _NAMED.fullmatch(text.strip()) is not None)


def is_partly_blanked(text: str) -> bool:
    """Whether some of a text, or the whole of it, is what a recorder put there."""
    return _PART.search(text) is not None or is_blanked(text)
