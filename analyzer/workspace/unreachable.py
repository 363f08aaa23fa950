"""Lines that can't be reached, because the line right above them leaves the block."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from analyzer.text.late import late
from analyzer.workspace.headers import indent_of
from analyzer.workspace.places import Place

_LEAVES = late(r"^[ \t]*(?:return|raise|throw|continue|break)\b")
_GOES_ON = late(r"[,\\(\[{=+\-*/%&|^<>?:.!~]$|\b(?:and|or|not|in|is|if|else|unless|lambda)$")
"""The end of a line whose statement goes on in the next one."""
_CONDITIONAL = late(r"\b(?:if|unless|when)\b")
_NO_STATEMENT = late(
    r"^[ \t]*(?:[})\].?:&|+*/%,<>=#@\"'`-]|(?:case|default|else|elif|elsif|except|finally|catch|rescue|ensure|when|end"
    r"|break|yield|function|async function|class|def|func|fn|and|or|in|is)\b|\w+[ \t]*:[ \t]*$)"
)
"""What follows a line that leaves a block without being one more statement of it."""
_C_LIKE = frozenset({"java", "js", "jsx", "mjs", "cjs", "ts", "tsx", "c", "h", "cc", "cpp", "hpp", "cs", "php", "rs"})
_FREE = frozenset({"go", "kt", "kts", "swift", "scala", "rb"})
_PAIRS = ("()", "[]", "{}")


def follows_an_end(path: str, above: str, line: str) -> bool:
    """Whether a statement can't be reached since the one right above it, equally indented, leaves the block. Nothing is
    said of a language that isn't known, and of lines that may be anything else than two whole statements."""
    if indent_of(above) != indent_of(line) or _LEAVES.match(above) is None or _NO_STATEMENT.match(line) is not None:
        return False
    suffix = path.rsplit(".", 1)[-1].lower()
    bare = above.split(" #", 1)[0].split("//", 1)[0].rstrip()
    if any(bare.count(pair[0]) != bare.count(pair[1]) for pair in _PAIRS):
        return False
    if suffix in ("py", "pyi"):
        return _is_statement(above.strip()) and _is_statement(line.strip())
    if suffix in _C_LIKE:
        return bare.endswith(";") and line.rstrip().endswith((";", "{", "(", ","))
    return suffix in _FREE and _GOES_ON.search(bare) is None and _CONDITIONAL.search(bare) is None


def in_string(lines: Sequence[str]) -> bool:
    """Whether what follows some lines is within a text of several lines."""
    text = "\n".join(lines)
    return any(text.count(quote) % 2 == 1 for quote in ('"""', "'''", "`"))


@dataclass(slots=True, frozen=True)
class CutOff:
    """A statement that a change made unreachable: `above` leaves the block right above it. `new` says which of the two
    the change put in: the statement below, or what cuts it off."""

    above: str
    below: str
    new: str
    line: int | None


def cut_off(path: str, places: Iterable[Place]) -> Iterator[CutOff]:
    """The statements of a file that can't be reached since a change, which put in one of the two lines, or took out
    what was between them."""
    for place in places:
        put_in = place.put_in
        rows = [index for index, line in enumerate(place.new) if line.strip()]
        for first, second in pairwise(rows):
            above, below = place.new[first], place.new[second]
            if (first in put_in and second in put_in) or not follows_an_end(path, above, below):
                continue
            if in_string(place.new[:first]) or (above, below) in set(
                pairwise(line for line in place.old if line.strip())
            ):
                continue
            yield CutOff(above, below, below if second in put_in else above, place.line and place.line + second)


@lru_cache(maxsize=256)
def _is_statement(line: str) -> bool:
    """Whether a line is a statement of Python, or the beginning of one that has a block."""
    tried = [line, f"{line} pass"] if line.endswith(":") else [line]
    for text in tried:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ast.parse(
                    f"while 1:\n def _():\n  {text}" if text.startswith(("return", "yield")) else f"while 1:\n {text}"
                )
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            continue
        return True
    return False
