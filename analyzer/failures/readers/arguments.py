"""What a validator says of a call's arguments, where a tool answers with nothing else.

What a schema validation refused: pydantic's heading counts errors, the lines below it say which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.failures.evidence import Evidence, Exposure, Reading, Strength, first_line
from analyzer.failures.messages.search import is_outer, sharpest_line, specificity, telling_line
from analyzer.failures.rejections import rejection_in
from analyzer.model.failure import Failure
from analyzer.model.words import OF_CODE, FailureKind, Kind
from analyzer.text.late import late

_LONGEST = 3_000
_MOST_LINES = 30
_SENTENCE = 300
"""Characters of an answer in words of its own that says nothing else."""
_HEAD = 500
"""Characters within which an answer that rejects arguments names the first of them."""


def read(reading: Reading, text: str) -> Iterator[Evidence]:
    """The rejection, where the answer is short and begins with it."""
    if reading.operation.command is not None or reading.operation.kind is Kind.TEST:
        return
    shown = reading.exposure is Exposure.SHOWN and reading.may_be_content
    if len(text) > _LONGEST or text.strip().count("\n") > _MOST_LINES or shown:
        return
    said = rejection_in(text)
    if said is None or not said.specific or (said.loose and (len(text) > _SENTENCE or text.strip().count("\n") > 1)):
        return
    begins = rejection_in(text[:_HEAD])
    if begins is None or not begins.specific:
        return
    # The first line that names an argument is the message, so that two rejections of different arguments differ.
    naming = (line for line in text.splitlines() if (told := rejection_in(line)) is not None and told.specific)
    failure = Failure(FailureKind.INVALID_CALL, "InvalidArguments", first_line(next(naming, text)))
    yield Evidence("arguments", (0, len(text)), Strength.PLAIN, failure)


_BELOW = late(r"[ \t]{0,8}\n+(?P<lines>[^\n]{1,300}(?:\n[ \t]{1,8}(?:→|->|at) [^\n]{1,80})?)")
"""What stands below a line that only announces it, and the place that it names."""
_ANNOUNCES = late(
    r":$|\b(?:\w*execut\w+|request|operation|call|tool|lifecycle script \S+)(?: has)? failed\b[^\n]{0,30}$"
    r"|\berror (?:has )?occurred\b[^\n]{0,30}$|\b(?:internal|unknown|unexpected) error\W*$|\bsomething went wrong\W*$",
    re.IGNORECASE,
)
"""A line that says no more than that something went wrong."""
_OF_COMMANDS = frozenset({FailureKind.OTHER, FailureKind.EXCEPTION})
_BARE = ("CheckFailed", "TaskFailed", "TestFailure")
"""What a failure is called of which only a line that says that there is one is known."""
_HEADING = late(r"\d{1,6} validation errors? for \S[^\n]{0,200}")
_FIRST = late(r"\n(?P<field>[^\s:][^\n:]{0,200})\n {2}(?P<message>[^\n]{1,400})")
_DETAIL = late(r" \[type=\w+.*$")


def sharpen(failure: Failure, text: str) -> None:
    """Add the first error to a message that only announces it: the line below one that says no more, or the field and
    its error below pydantic's heading; and to one that says only that a command failed what that command said."""
    bare = failure.type in _BARE and not failure.failing_tests
    compiled = failure.kind is FailureKind.COMPILE
    if (bare or compiled or failure.kind in _OF_COMMANDS) and is_outer(failure.message):
        inner = telling_line(text) if bare or compiled else sharpest_line(text)
        if compiled and specificity(inner or "") <= specificity(failure.message):
            return
        # One word alone is a value that was printed.
        if inner and not inner.isalnum() and not is_outer(inner) and inner not in failure.message:
            told = failure.frames and not compiled and failure.message[-1:] != ":"
            failure.message = f"{failure.message} {inner}" if told else inner
        return
    if failure.kind not in OF_CODE and not failure.frames and _ANNOUNCES.search(failure.message) is not None:
        at = text.find(failure.message)
        below = _BELOW.match(text, at + len(failure.message)) if at >= 0 else None
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
