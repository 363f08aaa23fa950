"""Where the values of an answer come from: what the user said, what the calls returned, or nothing that is recorded.

An answer with a figure that no result holds may be right, for it may have been computed; it is the figure to look at
first all the same. Only values that hardly occur by chance are looked for: figures of three digits or more or with
decimals, addresses on the web, and words with braces as flags are written. Of those without a source only the ones are
named that nobody knows by heart: addresses, amounts, percentages, and figures of four digits or more that are neither
round nor a year.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from analyzer.diagnosis.end import End
from analyzer.model.session import Compaction, Message
from analyzer.model.struct import Struct
from analyzer.model.words import MAIN_LANE, Kind
from analyzer.text.late import late
from analyzer.text.markdown import without_fences

_MOST_VALUES = 60
_LONGEST_ANSWER = 4_000
_VALUE = late(
    r"https?://[^\s<>()\[\]\"'`*|]+|\b\w{2,20}\{[^\s{}]{3,80}\}"
    r"|(?<![\w.,/#:+-])[$€£]?\d[\d,]*(?:\.\d+)?%?(?![\w/:%-]|[.,]\d)"
)
_NUMBER = late(r"(?<![\w.])\d[\d,]{0,40}+(?![\d,])(?:\.\d++(?![\d,]{0,40}\w)|(?!\w))")
_CODE = late(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_SIGNS = "$€£%"
_SILENT = frozenset({Kind.THINK, Kind.PLAN, Kind.FINISH})


class Grounding(Struct, frozen=True):
    """The values of an answer, as it writes them.

    `found` have the step of the main lane whose result has them first. `missing` have no source in the messages to the
    agent, in what the calls returned and in what it sent itself.
    """

    found: dict[str, int]
    missing: tuple[str, ...]


def grounding(end: End) -> Grounding | None:
    """Where the values of the last words come from; None where they have none, or the log can't show it.

    `missing` is empty where a call has no recorded result or no message to the agent is recorded, and nothing is said
    after a compaction, for the summary that the agent went on with may have had the values.
    """
    words = end.closing_message.text[:_LONGEST_ANSWER] if end.closing_message is not None else ""
    values = list(dict.fromkeys(_values(without_fences(words))))[:_MOST_VALUES]
    events = end.session.events
    if not values or any(isinstance(event, Compaction) for event in events):
        return None
    made = [action for action in end.case.timeline.actions if action.kind not in _SILENT]
    results = [(action, action.result) for action in made if action.result]
    if not results:
        return None
    told = [event.text for event in events if isinstance(event, Message) and event.role != "assistant"]
    known = _Texts([*told, *(str(action.arguments) for action in made)])
    open_values = [value for value in values if not known.may_hold(value)]
    unseen = set(open_values)
    found: dict[str, int] = {}
    for action, result in results:
        text = _Texts([result])
        for value in open_values:
            if value not in found and action.lane == MAIN_LANE and text.holds(value):
                found[value] = action.step
            if value in unseen and text.may_hold(value):
                unseen.discard(value)
    if len(results) != len(made) or not told:
        return Grounding(found, ())
    plain = set(_values(_CODE.sub(" ", words)))
    return Grounding(found, tuple(value for value in open_values if value in unseen & plain and _is_particular(value)))


class _Texts:
    """Texts with the numbers in them, without the commas that group their digits."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._text = "\n".join(texts)

    def holds(self, value: str) -> bool:
        """Whether a value occurs in them; a number as a number of its own, also with other zeros or commas."""
        number = _number(value)
        return value in self._text if number is None else number in self.numbers

    def may_hold(self, value: str) -> bool:
        """Whether the value may come from them: it occurs in them as a part of something else, or is rounded."""
        number = _number(value)
        if value.strip(_SIGNS) in self._text:
            return True
        if number is None:
            inner = value.partition("{")[2].rstrip("}")
            return bool(inner) and inner in self._text
        digits = len(value.strip(_SIGNS).partition(".")[2])
        return any(number in (round(other, digits), round(other * 100, digits)) for other in self.numbers)

    @cached_property
    def numbers(self) -> frozenset[float]:
        """The numbers in them."""
        return frozenset(float(found.group().replace(",", "")) for found in _NUMBER.finditer(self._text))


def _number(value: str) -> float | None:
    digits = value.strip(_SIGNS).replace(",", "")
    return float(digits) if digits.replace(".", "", 1).isdigit() else None


def _values(answer: str) -> Iterator[str]:
    for found in _VALUE.finditer(answer):
        value = found.group().rstrip(".,;:")
        if _number(value) is None or "." in value or len(value.strip(_SIGNS).replace(",", "")) >= 3:
            yield value


def _is_particular(value: str) -> bool:
    """Whether a value is one that nobody knows by heart."""
    number = _number(value)
    if number is None or value[0] in _SIGNS or (value[-1] == "%" and "." in value):
        return True
    digits = value.replace(",", "").replace(".", "").strip("0")
    return len(digits) >= 4 and not (value.isdigit() and 1900 <= number < 2100)
