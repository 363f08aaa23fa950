"""At which steps of a session the placeholders are that stand for secrets: a page shows a part of its texts only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from analyzer.model.session import Event, Session, ToolCall
from analyzer.model.words import MAIN_LANE
from analyzer.redaction.rules import RULES


def first_steps(session: Session, names: Iterable[str], texts_of: Callable[[Event], Iterable[str]]) -> dict[str, int]:
    """By the name of a rule, the first step of the main lane with one of its placeholders; 0 is what was said before
    the first step. A rule whose placeholders are only elsewhere has none."""
    sought = {rule.name: _pattern(rule.placeholder, rule.name) for rule in RULES if rule.name in set(names)}
    found: dict[str, int] = {}
    step = 0
    for event in session.events:
        if not sought:
            break
        if event.lane != MAIN_LANE:
            continue
        step += isinstance(event, ToolCall)
        texts = list(texts_of(event))
        for name in [name for name, pattern in sought.items() if any(map(pattern.search, texts))]:
            found[name] = step
            del sought[name]
    return found


def _pattern(placeholder: str, name: str) -> re.Pattern[str]:
    before, _, after = placeholder.format(name=name, number="\0").partition("\0")
    return re.compile(rf"{re.escape(before)}\d+{re.escape(after)}")
