"""Results that say themselves that they were cut, whose rest no other step shows, in a session whose answer is about
just that: the diff of a review, the file of a question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from analyzer.diagnosis.outcome_rules.requests import wants_review
from analyzer.failures.envelope import printed
from analyzer.model.action import Action
from analyzer.model.session import Session
from analyzer.model.words import Kind
from analyzer.task.asked import asked_in
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.plain import plain

_MARK = late(
    r"\b\d[\d,]* (?:more )?(?:lines?|characters?|chars|tokens|bytes) (?:were |are )?(?:truncated|omitted|elided|cut"
    r"|clipped|left out)\b"
    r"|\b(?:output|result|response|content|file|diff) (?:(?:was|is|has been) )?(?:truncated|clipped|cut off|capped)\b"
    r"|<response clipped>|^\W{1,8}\d[\d,]* more (?:lines|characters|chars|tokens|bytes)\b|^\W{1,8}truncated\W{1,8}$",
    re.IGNORECASE,
)
_DIFF = late(r"^(?:diff --git |@@ -\d)", re.MULTILINE)
_OF_A_DIFF = (
    *("+", "-", " ", "@@", "\\ ", "diff ", "index ", "new file", "deleted file", "similarity", "rename ", "Binary "),
    *("old mode", "new mode", "commit ", "Author:", "Date:"),
)
_NUMBERED = late(r"^ {0,8}\d{1,7}\W")
_SAVED = late(r"(?<![\w.)\\/-])(?:/|[A-Za-z]:[\\/])[^\s'\"<>|]{3,300}[\\/](?P<name>[\w.-]{4,200})")
_LONGEST_LINE, _MOST = 300, 400_000
_REMARK = 6
"""Lines from a mark on in which a tool says where all of it is."""
_FIRST, _LAST = 3, 12
"""Lines at both ends of what a reader returns in which its own remarks stand."""


def unread_rest(session: Session, actions: Sequence[Action]) -> tuple[Action, str] | None:
    """The step that returned a part of what the answer is about, in words for what it is and by which mark; None where
    nothing was cut, or another step may show the rest."""
    if wants_review(session) == "review":
        return _diff(actions)
    asked = asked_in(session)
    return _file(actions, asked[-1].turn.text) if asked else None


def _diff(actions: Sequence[Action]) -> tuple[Action, str] | None:
    shown = [(action, plain(printed(action.result or "")[:_MOST])) for action in actions if action.failure is None]
    diffs = [(action, text) for action, text in shown if _DIFF.search(text) is not None]
    if len(diffs) != 1:
        return None
    action, text = diffs[0]
    lines = [line for line in text.splitlines() if not line.startswith(_OF_A_DIFF)]
    mark = next(_marks(lines), None)
    if mark is None or _fetched(actions, action, lines):
        return None
    return action, f'the diff under review came back cut at step {action.step} ("{clip(mark, 100)}")'


def _file(actions: Sequence[Action], asked: str) -> tuple[Action, str] | None:
    for action in actions:
        path = action.operation.path if action.kind is Kind.READ and action.failure is None else None
        name = re.split(r"[/\\]", path)[-1] if path else ""
        if not name or re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", asked) is None:
            continue
        lines = plain(printed(action.result or "")[:_MOST]).splitlines()
        ends = [*lines[:_FIRST], *lines[max(_FIRST, len(lines) - _LAST) :]]
        mark = next(_marks([line for line in ends if _NUMBERED.match(line) is None]), None)
        others = (other for other in actions if other is not action)
        again = any(name in (other.operation.command or other.operation.target) for other in others)
        if mark is not None and not again and not _fetched(actions, action, ends):
            return action, f'the file that it is about came back cut at step {action.step} ("{clip(mark, 100)}")'
    return None


def _marks(lines: Sequence[str]) -> Iterator[str]:
    return (line.strip() for line in lines if len(line) < _LONGEST_LINE and _MARK.search(line.strip()) is not None)


def _fetched(actions: Sequence[Action], cut: Action, lines: Sequence[str]) -> bool:
    """Whether a later step may have the rest: another agent was asked, or it names the file in which the tool's remark
    says that all of it was kept."""
    first = next((number for number, line in enumerate(lines) if next(_marks([line]), None) is not None), len(lines))
    remark = "\n".join(line for line in lines[first : first + _REMARK] if len(line) < _LONGEST_LINE)
    kept = {found["name"].rstrip(".") for found in _SAVED.finditer(remark)}
    later = [action for action in actions if action.step > cut.step]
    return any(
        action.asks_agent or any(name in (action.operation.command or action.operation.target) for name in kept)
        for action in later
    )
