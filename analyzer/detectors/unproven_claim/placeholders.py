"""Placeholders in code that is handed in: bodies that only say that they are still to be written."""

from __future__ import annotations

from analyzer.failures.roles import is_test_path
from analyzer.model.struct import Struct
from analyzer.text.late import late
from analyzer.timeline.delivery import Delivery
from analyzer.timeline.verification.checks import is_document

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
