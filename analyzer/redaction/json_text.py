"""Redact a text that holds JSON without reading it as a value: everything but the strings with secrets stays byte for
byte as it is.

Numbers, key order, white space, duplicate keys and odd values (`NaN`) survive, and a line that is no JSON is still
looked at as a text.
"""

from __future__ import annotations

import json

from analyzer.redaction.redactor import Redactor, spliced
from analyzer.text.late import late

_STRING = late(r'"(?:[^"\\\n]|\\[^\n])*+"')
_BETWEEN = late(r"[\s{}\[\],:0-9eE+.\-]*+(?:(?:true|false|null|NaN|Infinity)[\s{}\[\],:0-9eE+.\-]*+)*+")
_AFTER_KEY = late(r"\s*:")


class JsonText:
    """Redacts JSON that comes in pieces, such as the lines of a file; a string never runs over a piece."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self._key = ""

    def redact(self, text: str) -> str:
        """The piece without secrets: as JSON where it's JSON, as any text where it isn't."""
        after = self.redact_json(text)
        return after if after is not None else self._redactor.redact(text)

    def redact_json(self, text: str) -> str | None:
        """The piece without secrets; None where it isn't JSON."""
        places = [found.span() for found in _STRING.finditer(text)]
        if not self._is_json(text, places):
            self._key = ""
            return None
        strings = [_value(text[start:end]) for start, end in places]
        keys = [_AFTER_KEY.match(text, end) is not None for _, end in places]
        shown: list[str] = []
        loose: list[int] = []
        for number, value in enumerate(strings):
            hidden = None if keys[number] or not self._key else self._redactor.hides(self._key, value)
            shown.append(hidden if hidden is not None else value)
            if hidden is None:
                loose.append(number)
            if keys[number]:
                self._key = value
            elif not self._follows(text, places, number):
                self._key = ""
            elif value.startswith("--"):
                # The arguments of a command: the next one is this one's value.
                self._key = value.lstrip("-")
        for number, after in zip(loose, self._redactor.redact_all([strings[number] for number in loose]), strict=True):
            shown[number] = after
        changed = (
            (start, end, _literal(after, text[start:end]))
            for (start, end), before, after in zip(places, strings, shown, strict=True)
            if after != before
        )
        return spliced(text, changed)

    @staticmethod
    def _follows(text: str, places: list[tuple[int, int]], number: int) -> bool:
        """Whether the next string belongs to the same key, as in a list of several."""
        end = places[number + 1][0] if number + 1 < len(places) else len(text)
        between = text[places[number][1] : end]
        return between.strip() == ","

    @staticmethod
    def _is_json(text: str, places: list[tuple[int, int]]) -> bool:
        done = 0
        for start, end in (*places, (len(text), len(text))):
            if _BETWEEN.fullmatch(text, done, start) is None:
                return False
            done = end
        return True


def _value(literal: str) -> str:
    try:
        value: str = json.loads(literal, strict=False)
    except ValueError:
        # An escape that JSON doesn't know: the text unchanged, in which escapes are looked past.
        return literal[1:-1]
    return value


def _literal(value: str, before: str) -> str:
    """The value as JSON, in ASCII where it was; halves of surrogate pairs and bytes of another encoding stay escapes or
    bytes."""
    try:
        json.loads(before, strict=False)
    except ValueError:
        return f'"{value}"'
    return json.dumps(value, ensure_ascii=before.isascii())
