"""What a schema validation refused: pydantic's heading counts errors, the lines below it say which."""

from __future__ import annotations

from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind
from analyzer.text.expressions import compiled

_HEADING = compiled(r"\d{1,6} validation errors? for \S[^\n]{0,200}")
_FIRST = compiled(r"\n(?P<field>[^\s:][^\n:]{0,200})\n {2}(?P<message>[^\n]{1,400})")
_BELOW = compiled(r"[ \t]{0,8}\n(?P<lines>[^\n]{1,200}(?:\n[ \t]{1,8}(?:→|->|at) [^\n]{1,80})?)")
"""The first error below a line that only announces some, and the place that it names."""
_DETAIL = compiled(r" \[type=\w+.*$")


def sharpen(failure: Failure, text: str) -> None:
    """Add the first error to a message that only announces it: the line below one that ends with a colon, or the
    field and its error below pydantic's heading."""
    if failure.kind is FailureKind.INVALID_CALL and failure.message.endswith(":"):
        below = (
            _BELOW.match(text, text.find(failure.message) + len(failure.message)) if failure.message in text else None
        )
        if below is not None:
            failure.message = f"{failure.message} {' '.join(below['lines'].split())}"
        return
    heading = _HEADING.search(failure.message)
    if heading is None or not failure.message.endswith(heading.group()):
        return
    place = text.find(heading.group())
    first = _FIRST.match(text, place + len(heading.group())) if place >= 0 else None
    if first is not None:
        failure.message = f"{failure.message}: {first['field'].strip()}: {_DETAIL.sub('', first['message'].strip())}"
