"""Whether a text that a tool of unknown kind is given can only be a shell line."""

from __future__ import annotations

from analyzer.commands.table import Does, knows, row_of
from analyzer.text.late import late

_FIRST = late(
    r"(?:[A-Za-z_]\w{0,60}=\S{0,200} ){0,9}(?P<path>(?:\.{0,2}/)?(?:[\w.+-]{1,60}/){0,20})"
    r"(?P<program>[\w.+\[-]{1,60})(?=\s|$)"
)
_SURELY = late(r"\s--?[A-Za-z]|&&|\|\||[<>;]|\s\.{1,2}/|^\s+(?:[./~$*\"'-]|\S{0,200}[/.*=]\S)")
"""What options, operators and paths look like."""
_ALSO = late(r"(?:^|\s)~?/|[\w-]/[\w.-]|\w\.\w{1,5}(?:[\s:]|$)|[$*\"'|]")
_PIPED = late(r"2>&1|\|\s{0,4}(?P<program>[\w.-]{1,60})")
_LONGEST, _FEW_WORDS = 4_000, 4


def is_shell_line(text: str) -> bool:
    """Whether a text begins with a program that is known and goes on as sentences don't. A program that is named by
    its path is enough."""
    line = text.strip()
    found = _FIRST.match(line[:300])
    if found is None or len(line) > _LONGEST or line.endswith(("?", "!")):
        return False
    program, rest = found["program"], line[found.end() :]
    if found["path"].startswith(("./", "../", "/")):
        return True
    if any(pipe["program"] is None or _is_program(pipe["program"]) for pipe in _PIPED.finditer(rest[:_LONGEST])):
        return True
    if not _is_program(program):
        return False
    if knows(program, Does.WORD) or _SURELY.search(rest):
        return _SURELY.search(rest) is not None
    return _ALSO.search(rest) is not None or len(rest.split()) < _FEW_WORDS


def _is_program(word: str) -> bool:
    """Whether a word is a program with which people begin shell lines."""
    row = row_of(word)
    if row is None:
        return False
    return bool(row.check or row.build or row.does & Does.TYPED or (row.does & _BEGINS and not row.does & Does.SPEAKS))


_HANDLES = Does.SHOWS | Does.ASKS | Does.WRITES | Does.MOVES | Does.RECORDS | Does.REMOTE | Does.TRANSFERS
_BEGINS = _HANDLES | Does.MANAGES | Does.FORMATS | Does.TASKS | Does.RECIPE | Does.RUNTIME
