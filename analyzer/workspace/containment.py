"""Which of many texts hold a text, or are held by it, found by the words in them."""

from __future__ import annotations

from analyzer.text.late import late

_WORD = late(r"\w+")


class Containment:
    """Texts under numbers.

    Where one text stands within another, each word of the first that neither begins nor ends it is a word of the other
    as well: only texts that share such a word are compared. A text without one is compared with all.
    """

    def __init__(self) -> None:
        self._texts: dict[int, str] = {}
        self._holding: dict[str, set[int]] = {}
        """The texts by each of their words."""
        self._anchors: dict[int, str] = {}
        self._anchored: dict[str, set[int]] = {}
        """The texts by one of the words that neither begin nor end them: the one that was rarest among those known."""
        self._loose: dict[int, str] = {}
        """The texts that have no such word."""

    def put(self, number: int, text: str) -> None:
        """Add a text."""
        self._texts[number] = text
        inner = _inner(text)
        if inner:
            anchor = self._anchors[number] = min(inner, key=lambda word: (len(self._holding.get(word, ())), -len(word)))
            self._anchored.setdefault(anchor, set()).add(number)
        else:
            self._loose[number] = text
        for word in _words(text):
            self._holding.setdefault(word, set()).add(number)

    def remove(self, number: int) -> None:
        """Take a text out again."""
        text = self._texts.pop(number)
        if self._loose.pop(number, None) is None:
            self._anchored[self._anchors.pop(number)].discard(number)
        for word in _words(text):
            self._holding[word].discard(number)

    def related(self, text: str) -> set[int]:
        """The texts that hold a text, or that it holds."""
        inner = _inner(text)
        rarest = min((self._holding.get(word, set()) for word in inner), key=len) if inner else self._texts.keys()
        found = {number for number in rarest if text in self._texts[number]}
        found.update(number for number, loose in self._loose.items() if loose in text)
        for word in _words(text):
            found.update(number for number in self._anchored.get(word, ()) if self._texts[number] in text)
        return found


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text))


def _inner(text: str) -> dict[str, None]:
    """The words of a text that neither begin nor end it, in order."""
    return {found[0]: None for found in _WORD.finditer(text) if found.start() > 0 and found.end() < len(text)}
