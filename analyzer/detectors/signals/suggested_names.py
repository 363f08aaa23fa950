"""What an answer offers in place of what was sent: the name that it suggests, or the same name written as it has it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.model.action import Action
from analyzer.text.late import late
from analyzer.text.plain import plain

_OFFERS = late(
    r"\b(?:did you mean|do you mean|perhaps you meant|maybe you meant|you might mean|similar(?: \w+)?(?: is| are)?|"
    r"closest(?: \w+)?|suggest(?:ions?|ed)?|most like)\b:?",
    re.IGNORECASE,
)
_ITEM = late(r"`([^`\n]{2,120})`|'([^'\n]{2,120})'|\"([^\"\n]{2,120})\"|(?<=[\s(])(-{1,2}[\w-]{2,60})")
_ONE = late(r"^[^\n.]{0,40}$")
_REACH = 1_500
_MOST = 20_000


@dataclass(frozen=True, slots=True)
class SuggestedName:
    """The name that an answer offers, what was sent, and the step."""

    name: str
    sent: str
    step: int


def suggested_name(action: Action, known: Sequence[Action]) -> SuggestedName | None:
    """The name that the answer of a call offers and that no call has: what was sent, written otherwise, or the only
    one that it suggests; None where it offers none, or several others."""
    text = plain(action.result or "")[:_MOST]
    hint = _OFFERS.search(text)
    if hint is None:
        return None
    items = [next(part for part in found if part) for found in _ITEM.findall(text[hint.end() : hint.end() + _REACH])]
    target = action.operation.command or action.operation.target
    words = [target, *target.split()]
    names = dict.fromkeys(items)
    same = [
        SuggestedName(item, word, action.step)
        for item in names
        for word in words
        if item != word and item not in word.split() and len(_bare(item)) > 2 and _bare(item) == _bare(word)
    ]
    if same:
        return same[0] if not _is_tried(same[0].name, known) else None
    line = text[hint.end() :].split("\n", 1)[0]
    if len(names) != 1 or _ONE.search(line.strip()) is None:
        return None
    (item,) = names
    near = next((word for word in target.split() if word != item and word[:2] == item[:2]), None)
    return SuggestedName(item, near, action.step) if near is not None and not _is_tried(item, known) else None


def _is_tried(name: str, known: Sequence[Action]) -> bool:
    """Whether a call has a name as it was offered."""
    pattern = re.compile(rf"(?<![\w\"'`-]){re.escape(name)}(?![\w\"'`-])")
    return any(pattern.search(action.operation.command or action.operation.target) is not None for action in known)


def _bare(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
