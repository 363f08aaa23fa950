"""The project's own form: its objects are read key by key, with a warning for every value of the wrong type and every
key that nobody asked for. Formats of others are read leniently; the authors of this one want to hear about slips.

What a task expects and what other models used has the same shape where the form is exported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from analyzer.formats.record.fields import (
    bool_or_none,
    count_or_none,
    dict_of,
    float_or_none,
    int_or_none,
    is_naive,
    list_of,
    parse_time,
    str_or_none,
)
from analyzer.formats.record.usage import cost_or_none
from analyzer.formats.record.warnings import WarningLog
from analyzer.model.session import Beside, EvaluationLog, Expected, ExpectedAnswer, ExpectedCall, Tokens, Usage

_Word = TypeVar("_Word", bound=str)
_Value = TypeVar("_Value")


def _kind(expected: str, kind: Callable[[Any], _Value | None]) -> Callable[[Checked, str], _Value | None]:
    """Return the method that reads values of one kind."""
    return lambda checked, key: checked.read(key, expected, kind)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _scalar(value: Any) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return _text(value) if float_or_none(value) is None else str(value)


class Checked:
    """One object of a document. A key that is absent or null gives None; so does a value of the wrong type, with a
    warning."""

    def __init__(self, place: str, value: object, warning_log: WarningLog) -> None:
        self.place = place
        self.naive = False
        self.given = isinstance(value, dict)
        self._value: dict[str, Any] = dict_of(value)
        self._asked: set[str] = set()
        self._warning_log = warning_log
        if value is not None and not self.given:
            warning_log.wrong_type(place, value, "an object", "ignored")

    def __iter__(self) -> Iterator[str]:
        return iter(self._value)

    def done(self) -> None:
        """Warn of the keys that nobody asked for."""
        self._warning_log.unknown_keys(self.place, self._value, self._asked)

    def anything(self, key: str) -> Any:
        """Return the value as it is."""
        self._asked.add(key)
        return self._value.get(key)

    def part(self, key: str) -> Checked:
        """Return the object under the key."""
        return Checked(f"{self.place}, {key}", self.anything(key), self._warning_log)

    text = _kind("a text", _text)
    identifier = _kind(
        "a text or a whole number", lambda it: _text(it) if int_or_none(it) is None else str(int_or_none(it))
    )
    scalar = _kind("a text or a number", _scalar)
    flag = _kind("true or false", bool_or_none)
    whole = _kind("a whole number", int_or_none)
    count = _kind("a whole number from 0", count_or_none)
    number = _kind("a number from 0", cost_or_none)
    signed = _kind("a number", float_or_none)

    def time(self, key: str) -> float | None:
        """Return seconds since 1970, from an RFC 3339 text or a number; `naive` remembers one without a time zone."""
        self.naive = self.naive or is_naive(self._value.get(key))
        return self.read(key, "a time (RFC 3339, or seconds since 1970)", parse_time)

    def choice(self, key: str, words: Sequence[_Word]) -> _Word | None:
        """Return one of a closed set of words."""
        return self.read(
            key, f"one of {', '.join(words)}", lambda value: next((word for word in words if word == value), None)
        )

    def read(self, key: str, expected: str, kind: Callable[[Any], _Value | None]) -> _Value | None:
        """Return what `kind` makes of the value; an empty text counts as absent."""
        value = self.anything(key)
        found = kind(value)
        if found is None and value is not None:
            self._warning_log.add(self.place, f"{key} is not {expected}; ignored")
        return None if found == "" else found


def evaluation_of(log: Checked) -> EvaluationLog | None:
    """What an evaluation printed, with the name of its file; None where one of them is missing."""
    file, printed = log.text("file"), log.text("text")
    log.done()
    return EvaluationLog(file, printed) if file and printed else None


def expected_of(value: object) -> Expected | None:
    """The expected calls, words and answer under `calls`, `words` and `answer`; None where `value` is no object. What
    isn't a call with a tool, or no text, is left out."""
    if not isinstance(value, dict):
        return None
    about = dict_of(value.get("answer"))
    wanted = str_or_none(about.get("wanted"))
    given, why = (str_or_none(about.get(key)) for key in ("given", "why"))
    answer = ExpectedAnswer(wanted, given, why) if wanted is not None else None
    if answer is not None and "calls" not in value:
        return Expected(None, _names(value.get("words")) or (), answer)
    calls = (
        ExpectedCall(tool, dict_of(call.get("arguments")), _names(call.get("compared")))
        for call in map(dict_of, list_of(value.get("calls")))
        if (tool := str_or_none(call.get("tool")))
    )
    return Expected(tuple(calls), _names(value.get("words")) or (), answer)


def _names(value: object) -> tuple[str, ...] | None:
    return tuple(name for name in value if isinstance(name, str)) if isinstance(value, list) else None


def usage_of_other_models(value: object) -> tuple[Beside, ...]:
    """Return the models of an evaluation with what they used; entries without a role say nothing."""
    found = []
    for entry in map(dict_of, list_of(value)):
        role, used = str_or_none(entry.get("role")), dict_of(entry.get("tokens"))
        if role is not None:
            tokens = Tokens(*(count_or_none(used.get(name)) for name in ("input", "output", "cached", "written")))
            usage = Usage(tokens, cost_or_none(entry.get("cost_usd")))
            found.append(Beside(role, str_or_none(entry.get("model")), usage))
    return tuple(found)
