"""What a finding quotes of a failing step: words of the log."""

from __future__ import annotations

from analyzer.failures.messages.search import sharpest_line
from analyzer.model.action import Action
from analyzer.model.finding import Evidence
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.text.plain import plain

_COUNTS = late(r"(?i)\b[1-9]\d{0,6} (?:tests? )?(?:fail|error)|\b(?:fail|error)\w{0,4}: ?[1-9]")
"""A closing line that counts what failed."""
_LETTER = late(r"[^\W\d_]")
_TELLING = 10
_ENOUGH = 40
"""Characters of a message that are looked for: messages are cut, and put together from several lines."""


def evidence_of(action: Action, limit: int = 300) -> Evidence:
    """What a failing step shows: words of its result; where none is recorded, the call."""
    if action.failure is not None and not (action.result or "").strip() and action.operation.target:
        return Evidence(step=action.step, label="no output is recorded of", quote=clip(action.operation.target, limit))
    return Evidence(step=action.step, quote=quoted(action, limit))


def quoted(action: Action, limit: int = 300) -> str:
    """The failure's headline where its message is in the result; else the line of the result that says most, or,
    where nothing was returned, the headline."""
    failure = action.failure
    result = plain(action.result or "")
    if failure is None:
        return clip(result, limit)
    if not result.strip():
        return clip(failure.headline, limit)
    # A part of the message may be there, however the lines are broken.
    text, parts = _bare(result), failure.message.replace("...", "…").split("…")
    if any(part in text for part in [_bare(part)[:_ENOUGH] for part in parts] if part):
        named = failure.type is not None and _bare(failure.type) in text
        return clip(failure.headline if named or not failure.message else failure.message, limit)
    lines = [line.strip() for line in result.splitlines() if line.strip()]
    code = failure.frames[-1].code if failure.unexplained and failure.frames else None
    marked = next((line for line in lines if code and code in line), None)
    if marked is not None:
        return clip(" ".join(marked.split()), limit)
    if failure.counts and _COUNTS.search(lines[-1]):
        return clip(" ".join(lines[-1].split()), limit)
    line = sharpest_line(result, action.operation.command or "", last=action.operation.command is not None)
    return clip(" ".join((line if says_something(line) else result).split()), limit)


def says_something(text: str) -> bool:
    """Whether a text has letters enough for more than a label."""
    return len(_LETTER.findall(text)) >= _TELLING


def _bare(text: str) -> str:
    return "".join(text.replace("\\", "").replace('"', "'").split())
