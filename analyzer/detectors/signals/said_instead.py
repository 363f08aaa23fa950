"""What an agent said to the user in place of a value that the user was to hear: another one of the same form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.detectors.signals.expectations import shape
from analyzer.model.action import Action
from analyzer.model.session import Message
from analyzer.text.clip import around
from analyzer.text.expressions import compiled

_SHORTEST = 5
_TOKEN = compiled(r"[#\w](?:[\w.-]*\w)?")


@dataclass(frozen=True, slots=True)
class Said:
    """Another value, the step after which it was said, and the message around it."""

    value: str
    step: int
    quote: str


def said_instead(wanted: str, events: Sequence[Action | Message]) -> Said | None:
    """The only other value of the form of `wanted` that the agent says and the user hasn't said before; None where
    there are several or none, or the form is that of a plain word or a short number."""
    if len(wanted) < _SHORTEST or not any(letter.isdigit() for letter in wanted) or _TOKEN.fullmatch(wanted) is None:
        return None
    form, found, known, step = shape(wanted), dict[str, Said](), set[str](), 1
    for event in events:
        if isinstance(event, Action):
            step = event.step
            continue
        tokens = [match for match in _TOKEN.finditer(event.text[:20_000]) if shape(match[0]) == form]
        if event.role == "user":
            known.update(match[0] for match in tokens)
        elif event.role == "assistant" and not event.thought:
            for match in tokens:
                if match[0] not in known and match[0] != wanted:
                    found.setdefault(
                        match[0], Said(match[0], step, around(event.text, match.start(), match.end(), 200))
                    )
    return next(iter(found.values())) if len(found) == 1 else None
