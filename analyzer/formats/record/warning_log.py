"""What a format warns of while it reads."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from analyzer.model.session import ReadWarning

NAMELESS_CALL = "tool call without a name, kept as 'unknown'"


class WarningLog:
    """What could not be read as it stands, each kind once, with the first place and the number of places."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[int, str]] = {}

    def add(self, place: str, what: str) -> None:
        """Note that `what` holds at a place."""
        count, first = self._found.get(what, (0, place))
        self._found[what] = (count + 1, first)

    def wrong_type(self, place: str, value: object, expected: str, so: str = "skipped") -> None:
        """Note a value of the wrong JSON type; `so` says what was done with it."""
        self.add(place, f"a JSON {type(value).__name__} where {expected} was expected; {so}")

    def unknown_keys(self, place: str, value: Iterable[str], known: Collection[str]) -> None:
        """Note every key that isn't known."""
        for key in value:
            if key not in known:
                self.add(place, f"unknown key {key[:60]!r}; ignored")

    def warnings(self) -> list[ReadWarning]:
        """Return them as warnings, in the order in which they were first met."""
        return [
            ReadWarning(place, what if count == 1 else f"{what} ({count} times, first here)")
            for what, (count, place) in self._found.items()
        ]
