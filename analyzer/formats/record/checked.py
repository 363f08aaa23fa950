"""Reading an object key by key, with a warning for every value of the wrong type and every key that nobody asked for.

Formats of others are read leniently; this is for the form that we define ourselves, whose authors want to hear about
slips.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from analyzer.formats.record.fields import dict_of, float_or_none, int_or_none, is_naive, parse_time
from analyzer.formats.record.warning_log import WarningLog

_Word = TypeVar("_Word", bound=str)


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

    def text(self, key: str) -> str | None:
        """Return a text; an empty one counts as absent."""
        value = self.anything(key)
        return (value or None) if isinstance(value, str) else self._wrong(key, value, "a text")

    def identifier(self, key: str) -> str | None:
        """Return a text or a whole number, as a text."""
        value = self.anything(key)
        number = int_or_none(value)
        if number is not None:
            return str(number)
        return (value or None) if isinstance(value, str) else self._wrong(key, value, "a text or a whole number")

    def scalar(self, key: str) -> str | None:
        """Return a text, a number or a truth value, as a text."""
        value = self.anything(key)
        if isinstance(value, bool):
            return "true" if value else "false"
        number = float_or_none(value)
        if number is not None:
            return str(value)
        return (value or None) if isinstance(value, str) else self._wrong(key, value, "a text or a number")

    def flag(self, key: str) -> bool | None:
        """Return a truth value."""
        value = self.anything(key)
        return value if isinstance(value, bool) else self._wrong(key, value, "true or false")

    def whole(self, key: str) -> int | None:
        """Return a whole number."""
        value = self.anything(key)
        number = int_or_none(value)
        return number if number is not None else self._wrong(key, value, "a whole number")

    def count(self, key: str) -> int | None:
        """Return a whole number that isn't negative."""
        value = self.anything(key)
        number = int_or_none(value)
        return number if number is not None and number >= 0 else self._wrong(key, value, "a whole number from 0")

    def number(self, key: str) -> float | None:
        """Return a number that isn't negative."""
        value = self.anything(key)
        number = float_or_none(value)
        return number if number is not None and number >= 0 else self._wrong(key, value, "a number from 0")

    def signed(self, key: str) -> float | None:
        """Return a number of either sign."""
        value = self.anything(key)
        number = float_or_none(value)
        return number if number is not None else self._wrong(key, value, "a number")

    def time(self, key: str) -> float | None:
        """Return seconds since 1970, from an RFC 3339 text or a number; `naive` remembers one without a time zone."""
        value = self.anything(key)
        seconds = parse_time(value)
        self.naive = self.naive or is_naive(value)
        return seconds if seconds is not None else self._wrong(key, value, "a time (RFC 3339, or seconds since 1970)")

    def choice(self, key: str, words: Sequence[_Word]) -> _Word | None:
        """Return one of a closed set of words."""
        value = self.anything(key)
        found = next((word for word in words if word == value), None)
        return found if found is not None else self._wrong(key, value, f"one of {', '.join(words)}")

    def _wrong(self, key: str, value: object, expected: str) -> Any:
        if value is not None:
            self._warning_log.add(self.place, f"{key} is not {expected}; ignored")
        return None
