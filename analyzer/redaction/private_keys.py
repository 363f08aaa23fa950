"""Private keys in armour: the whole block, a block that was cut off, and lines of it that are quoted elsewhere without
its header."""

from __future__ import annotations

from analyzer.redaction.rule import END
from analyzer.text.late import late

_LINE_END = r"(?:\\{1,8}r)?(?:\\{1,8}n|\n|\r\n?|[ ])"
"""The end of a line as such or as an escape; a blank, where lines were joined."""
_MARGIN = r"(?:[ \t]{0,12}(?:[0-9]{1,5}[ ]?[\t:|→][ \t]?|[+>|\-][ \t]{0,4}|[\"'][ ]?)?)"
"""What tools put before a line: its number, the sign of a difference or of a quote."""
_BASE64 = r"[A-Za-z0-9+/]"
_HEADER = r"(?:[A-Z][A-Za-z-]{2,20}:[ ][^\n\\\x00]{0,100}|)"
PRIVATE_KEY = (
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    rf"(?:{_LINE_END}{{1,3}}+{_MARGIN}(?:{_BASE64}{{16,}}+={{0,2}}|{_HEADER}(?=\\|\n|\r)))*+"
    rf"(?:{_LINE_END}{{0,3}}{_MARGIN}(?:{_BASE64}{{1,64}}+={{0,2}}(?={_LINE_END}{{0,3}}{_MARGIN}-----END|…|{END})"
    rf"|{_BASE64}{{2,64}}+={{1,2}}(?=\\|\s)|=[A-Za-z0-9+/]{{4}}(?=\\|\s)))?"
    rf"(?:…{_BASE64}*={{0,2}}|{_LINE_END}{{0,3}}{_MARGIN}-----END [A-Z0-9 ]{{1,60}}-----)?"
)
"""A block with at least one line of its body; the header alone, as in a program's source, is no key."""
_LONG = late(rf"{_BASE64}{{20,}}={{0,2}}")
LEAST = 20
"""A line of a key is known again from so many characters on."""


def body_lines(block: str) -> list[str]:
    """The lines of a block's body that are long enough to be known again."""
    return _LONG.findall(block)


def has_body(block: str) -> bool:
    """Whether the block holds some of a key."""
    inside = block.split("-----", 3)
    rest = inside[2] if len(inside) > 2 else ""
    return sum(letter.isalnum() for letter in rest) >= 8


class KeyLines:
    """The lines of private keys that were seen whole, by which they're known again in pieces."""

    def __init__(self) -> None:
        self._lines: dict[str, str] = {}
        self._starts: dict[str, str] = {}

    def __bool__(self) -> bool:
        return bool(self._lines)

    def learn(self, block: str) -> None:
        """Remember the lines of a block."""
        for line in body_lines(block):
            self._lines.setdefault(line, block)
            self._starts.setdefault(line[:LEAST], block)

    def pieces(self, text: str) -> list[tuple[int, int, str]]:
        """Where lines of known keys are in a text, whole or cut, with the key's block."""
        found = []
        for match in _LONG.finditer(text):
            line = match.group().lstrip("+")  # The sign of a difference is a letter of base64, too.
            block = self._lines.get(line) or self._starts.get(line[:LEAST])
            if block is not None:
                found.append((match.end() - len(line), match.end(), block))
        return found
