"""What tools say of files that they write whole: that a file was there before. One that says so of every file says
nothing."""

from __future__ import annotations

from analyzer.model.struct import Struct, field

_MOST_UNSEEN = 2
"""Files that nothing had shown before, and that a tool claims to have overwritten, from which it isn't believed."""


class Claims(Struct):
    """The words in which a session's tools say that they overwrote a file, with the files that nothing had shown."""

    _unseen: dict[str, set[str]] = field(default_factory=dict)
    _disproved: list[str] = field(default_factory=list)
    _tells_apart: bool = False

    def tells_apart(self) -> None:
        """A tool said of a file that it's new."""
        self._tells_apart = True

    def hold(self, words: str, path: str, *, known: bool) -> bool:
        """Whether these words, said of a file, show that it was there; `known` where the session had shown it."""
        if known or self._tells_apart:
            return True
        unseen = self._unseen.setdefault(words.casefold(), set())
        unseen.add(path)
        if len(unseen) < _MOST_UNSEEN:
            return True
        if len(unseen) == _MOST_UNSEEN:
            self._disproved = sorted(unseen - {path})
        return False

    def disproved(self) -> list[str]:
        """The files that were taken for ones that were there, until now; each once."""
        found, self._disproved = self._disproved, []
        return found
