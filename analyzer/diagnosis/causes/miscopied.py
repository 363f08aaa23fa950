"""A name among a call's arguments that nobody had given, one slip away from a name that the user had."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from analyzer.diagnosis.case import Case
from analyzer.model.session import Message, ToolCall
from analyzer.text.expressions import compiled
from analyzer.text.plain import plain

_NAME = compiled(r"(?<![\w/.-])[A-Za-z0-9][\w-]{4,39}(?![\w/]|\.\w)")
_MARKED = compiled(r"\d|_|^[A-Z]+$")
"""What makes a word a name rather than prose: a digit, an underscore, capitals only."""
_MOST = 60_000


@dataclass(frozen=True, slots=True)
class Miscopied:
    """The name that was sent, and the one that the user had given."""

    sent: str
    given: str


def miscopied(case: Case) -> Miscopied | None:
    """The name that the failing call of the main finding got wrong, if its answer speaks of it."""
    main, failure = case.main, case.failure
    if main is None or failure is None:
        return None
    action = case.action(main.steps[-1])
    arguments = (
        action.arguments if isinstance(action.arguments, str) else json.dumps(action.arguments, ensure_ascii=False)
    )
    sent = [name for name in _names(failure.message) if name in arguments]
    if not sent:
        return None
    given = set(_names("\n".join(_said(case, main.detectable_at))))
    for name in sent:
        meant = [other for other in given if one_slip(name, other)]
        if len(meant) == 1 and name not in given and not _shown(case, name, main.steps[0]):
            return Miscopied(name, meant[0])
    return None


def one_slip(one: str, other: str) -> bool:
    """Whether two words differ by one character put in, left out or mistaken, or by two that changed places."""
    short, long = sorted((one, other), key=len)
    if one == other or len(long) - len(short) > 1:
        return False
    start = next((place for place, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) < len(long):
        return short[start:] == long[start + 1 :]
    swapped = short[start : start + 2] == long[start : start + 2][::-1] and short[start + 2 :] == long[start + 2 :]
    return swapped or short[start + 1 :] == long[start + 1 :]


def _names(text: str) -> list[str]:
    return [word for word in _NAME.findall(text[:_MOST]) if _MARKED.search(word)]


def _said(case: Case, until: int) -> Iterator[str]:
    """What the user had said before a step."""
    yield case.timeline.session.task or ""
    step = 0
    for event in case.timeline.session.events:
        if isinstance(event, ToolCall) and case.main is not None and event.lane == case.main.lane:
            step += 1
            if step >= until:
                return
        elif isinstance(event, Message) and event.role == "user":
            yield event.text


def _shown(case: Case, name: str, before: int) -> bool:
    """Whether a step that worked had shown the name."""
    return any(
        action.failure is None and name in plain((action.result or "")[:_MOST]) for action in case.lane[: before - 1]
    )
