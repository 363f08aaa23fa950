"""Lines of text whose stretches have a role each, so that whoever shows them may colour them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True, frozen=True)
class Piece:
    """A stretch of one line. `role` says what it is: `kind:edit`, `failed:edit`, `group:0`, `bracket:high`, `mark`,
    `label`, `ruler`, `text`, or nothing."""

    text: str
    role: str = ""


Line = tuple[Piece, ...]


def plain(line: Line) -> str:
    """The words of a line without white space at its end."""
    return "".join(piece.text for piece in line).rstrip()


class Row:
    """One line of characters to write into, `width` columns wide. Text outside of it is refused rather than cut."""

    def __init__(self, width: int) -> None:
        self.width = width
        self._characters = [" "] * width
        self._roles = [""] * width

    def free(self, start: int, length: int) -> bool:
        """Whether nothing is written there, nor right beside it."""
        if start < 0 or start + length > self.width:
            return False
        return all(character == " " for character in self._characters[max(0, start - 1) : start + length + 1])

    def write(self, start: int, text: str, role: str = "") -> None:
        """Write from column `start` on, over whatever is there."""
        if start < 0 or start + len(text) > self.width:
            raise ValueError(f"{len(text)} characters from column {start} on don't fit into {self.width}")
        for column, character in enumerate(text, start):
            self._characters[column] = character
            self._roles[column] = role

    def write_beside(self, start: int, end: int, text: str, role: str = "") -> bool:
        """Write with a space between right of the columns `start` to `end`, else left of them; return whether there was
        room."""
        for place in (end + 2, start - 1 - len(text)):
            if self.free(place, len(text)):
                self.write(place, text, role)
                return True
        return False

    def line(self) -> Line:
        """What was written, as pieces of equal role."""
        pieces: list[Piece] = []
        for character, role in zip(self._characters, self._roles, strict=True):
            if pieces and pieces[-1].role == role:
                pieces[-1] = Piece(pieces[-1].text + character, role)
            else:
                pieces.append(Piece(character, role))
        return tuple(pieces)
