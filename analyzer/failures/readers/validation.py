"""What a schema validation refused: pydantic's heading counts errors, the lines below it say which."""

from __future__ import annotations

import re

from analyzer.model.failure import Failure

_HEADING = re.compile(r"\d{1,6} validation errors? for \S[^\n]{0,200}")
_FIRST = re.compile(r"\n(?P<field>[^\s:][^\n:]{0,200})\n {2}(?P<message>[^\n]{1,400})")
_DETAIL = re.compile(r" \[type=\w+.*$")


def sharpen(failure: Failure, text: str) -> None:
    """Add the first field and its error to a message that is nothing but pydantic's heading."""
    heading = _HEADING.search(failure.message)
    if heading is None or not failure.message.endswith(heading.group()):
        return
    place = text.find(heading.group())
    first = _FIRST.match(text, place + len(heading.group())) if place >= 0 else None
    if first is not None:
        failure.message = f"{failure.message}: {first['field'].strip()}: {_DETAIL.sub('', first['message'].strip())}"
