"""Files that the agent wrote and that can't be parsed as what their names say they are.

Placeholders in code that is handed in: bodies that only say that they are still to be written.
"""

from __future__ import annotations

import ast
import warnings

from analyzer.failures.roles import is_test_path
from analyzer.model.difference import ChangeKind
from analyzer.model.struct import Struct
from analyzer.text.late import late
from analyzer.timeline.delivery import Delivery
from analyzer.timeline.verification.checks import is_document

_LONGEST = 200_000
_SURE = late(
    r"was never closed|^unmatched |unterminated (?:string|triple)|unexpected indent|expected an indented block"
    r"|unindent does not match|does not match opening parenthesis"
)
"""What is wrong in every version of Python."""


def unparsable(delivery: Delivery) -> tuple[str, str] | None:
    """The first file that the agent made, that is left, and whose text as the session shows it can't be parsed, with
    what is wrong."""
    for change in delivery.files:
        if change.kind is not ChangeKind.CREATED:
            continue
        text = delivery.text(change.file)
        if text is None or not text.strip() or len(text) > _LONGEST:
            continue
        wrong = _python(text) if change.file.endswith(".py") else None
        if wrong is not None:
            return change.file, wrong
    return None


def _python(text: str) -> str | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        message = error.msg or ""
        return f"line {error.lineno}: {message}" if _SURE.search(message) is not None else None
    except (ValueError, MemoryError, RecursionError):
        return None
    return None


_STUB = late(
    r"\braise NotImplementedError\b|\b(?:todo|unimplemented)!\(|\bthrow new (?:\w*Error|\w*Exception)\(['\"](?:TODO|not"
    r" (?:yet )?implemented)|\bpanic\(['\"](?:TODO|not (?:yet )?implemented)|\bthrow new NotImplementedException\("
    r"|(?:#|//|/\*|--)\s*(?:TODO|FIXME)\b:?\s*(?:implement|fill|finish|write|add (?:the )?(?:real|actual|proper|logic))"
    r"|(?:#|//|/\*|--)[^\n]{0,30}\b(?:placeholder|stub(?:bed)?|dummy|mock|fake) (?:implementation|value|data|response"
    r"|result|for now)|(?:#|//|/\*|--)\s*(?:rest|remaining|other)\b[^\n]{0,30}\b(?:unchanged|here|as before)"
    r"|(?:#|//|/\*|--|<!--)[^\n\w]{0,6}(?:\.\.\.|…)[^\n\w]{0,6}(?:the )?(?:existing|rest|remaining|other|previous"
    r"|unchanged)\b"
)
_ABSTRACT = late(r"@(?:abc\.)?abstract\w*|\b(?:ABC|Protocol|abstract class|Base\w*|interface)\b")
_BEFORE = 12


class Placeholder(Struct, frozen=True):
    """A line that is left of the agent's edits, in its file."""

    path: str
    line: str


def placeholder_left(delivery: Delivery) -> Placeholder | None:
    """The first placeholder that the agent's edits put into code and that is still there at the end; a method that
    others are to override is none."""
    for change in delivery.files:
        if is_document(change.file) or is_test_path(change.file):
            continue
        for hunk in change.hunks:
            removed = {line[1:].strip() for line in hunk.lines if line.startswith("-")}
            for place, line in enumerate(hunk.lines):
                if not line.startswith("+") or _STUB.search(line) is None or line[1:].strip() in removed:
                    continue
                near = "\n".join(hunk.lines[max(0, place - _BEFORE) : place + 1])
                if _ABSTRACT.search(near) is None:
                    return Placeholder(change.file, line[1:].strip())
    return None
