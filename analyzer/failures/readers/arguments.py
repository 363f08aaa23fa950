"""What a validator says of a call's arguments, where a tool answers with nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.failures.evidence import Evidence, Exposure, Reading, Strength, first_line
from analyzer.failures.rejections import rejection_in
from analyzer.model.failure import Failure
from analyzer.model.words import FailureKind, Kind

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
    if said is None or not said.specific:
        return
    if said.loose and (len(text) > _SENTENCE or text.strip().count("\n") > 1):
        return
    begins = rejection_in(text[:_HEAD])
    if begins is None or not begins.specific:
        return
    failure = Failure(FailureKind.INVALID_CALL, "InvalidArguments", _message(text))
    yield Evidence("arguments", (0, len(text)), Strength.PLAIN, failure)


def _message(text: str) -> str:
    """The first line that names an argument, so that two rejections of different arguments differ."""
    for line in text.splitlines():
        said = rejection_in(line)
        if said is not None and said.specific:
            return first_line(line.strip())
    return first_line(text.strip())
