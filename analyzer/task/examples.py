"""Examples in the user's words: a call and the value that it is to give."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from analyzer.text.late import late

_LONGEST = 30_000
_CALL = r"(?P<{0}>[A-Za-z_][\w.]{{0,60}}\([^()`\n]{{0,80}}\))"
_VALUE = (
    r"`?(?P<{0}>-?\d+(?:\.\d+)?|\[[^\[\]`\n]{{0,80}}\]|\([^()`\n]{{0,80}}\)|\{{[^{{}}`\n]{{0,80}}\}}|'[^'\n]{{0,80}}'"
    r"|\"[^\"\n]{{0,80}}\"|True|False|None|true|false|null)(?![\w.]*\w)"
)
_SAYS = late(
    r"`?"
    + _CALL.format("said")
    + r"`?,? (?:must|should|has to|have to|needs? to|ought to|is (?:supposed|expected) to)(?: (?:always|now|then))? "
    r"(?:be|return|give|yield|equal|evaluate to|produce|print|output)(?: to)? " + _VALUE.format("value")
)


@dataclass(frozen=True, slots=True)
class Example:
    """A call as the user wrote it, without its blanks, and the value that it is to give."""

    call: str
    value: str

    def holds(self, output: str) -> bool | None:
        """Whether what a program printed is the value; None where it can't be compared."""
        return _compare(self.value, output)


def examples_of(text: str) -> Iterator[Example]:
    """The calls of which the user says what they must give."""
    for found in _SAYS.finditer(text[:_LONGEST]):
        yield Example(joined(found["said"]), found["value"])


def joined(code: str) -> str:
    """A piece of code without blanks and with one sort of quotes, to be found again in another spelling."""
    return "".join(code.split()).replace('"', "'")


def _compare(value: str, output: str) -> bool | None:
    lines = [line.strip() for line in output.strip().splitlines() if line.strip()]
    if len(lines) != 1:
        return None
    wanted, got = _literal(value), _literal(lines[0])
    if isinstance(wanted, str) and got is None:
        return wanted == lines[0]
    if wanted is None or got is None or isinstance(wanted, bool) != isinstance(got, bool):
        return None
    numbers = (int, float)
    if not isinstance(got, type(wanted)) and not (isinstance(wanted, numbers) and isinstance(got, numbers)):
        return None
    return bool(wanted == got)


def _literal(text: str) -> object:
    """The value that a text spells, None for what spells none."""
    spelled = {"true": "True", "false": "False"}.get(text, text)
    try:
        return ast.literal_eval(spelled)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
