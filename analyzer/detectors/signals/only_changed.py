"""Sentences of a report that only certain files were changed, held against the files that were."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.detectors.signals.commits.scope import same_end
from analyzer.detectors.signals.speech import sentences
from analyzer.model.action import Action
from analyzer.text.clip import clip
from analyzer.text.late import late
from analyzer.timeline.delivery import Delivery

_DONE = r"(?:changed|modified|touched|edited|updated|affected)"
_FILES = r"(?:the )?(?:files? )?(?:…{3,}(?:, (?:and )?| and )?){1,4}"
_END = r"(?=\s*(?:[.,;:!)]|$))"
_ONLY = late(
    rf"\bonly {_FILES}(?: files?)? (?:is|are|was|were|has been|have been) {_DONE}{_END}"
    rf"|\b(?:I|we)(?:'ve| have)? (?:only {_DONE}|{_DONE} (?:only|nothing but|just)) {_FILES}{_END}"
    rf"|\bthe only files? (?:that (?:was|were) )?{_DONE} (?:is|are|was|were):? {_FILES}{_END}",
    re.IGNORECASE,
)
_NAME = late(r"[`\"“](?P<name>[^`\"”\s]{3,200})[`\"”]")
_OPEN = late(r"\b(?:should|will|would|can|could|if|need to|so far|in this step|now)\b|\?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OnlyChanged:
    """A sentence that only certain files were changed, and another file that the agent changed, with the step."""

    quote: str
    path: str
    step: int


def only_changed(report: str, actions: Sequence[Action], delivery: Delivery) -> OnlyChanged | None:
    """The first sentence of a report that names all files that were changed and leaves one out that the agent changed
    since the user spoke last, and that is left so."""
    for sentence in sentences(report):
        found = _ONLY.search(sentence.words[:600])
        if found is None or _OPEN.search(sentence.words[:600]) is not None:
            continue
        names = [match["name"] for match in _NAME.finditer(sentence.quote)]
        if not names or not all("." in name.rsplit("/", 1)[-1] for name in names):
            continue
        other = _beside(names, actions, delivery)
        if other is not None:
            return OnlyChanged(clip(sentence.quote, 300), *other)
    return None


def _beside(names: Sequence[str], actions: Sequence[Action], delivery: Delivery) -> tuple[str, int] | None:
    start = next((place for place in range(len(actions) - 1, 0, -1) if actions[place].after_user), 0)
    left = [change.file for change in delivery.files]
    for action in actions[start:]:
        for edit in action.operation.edits if action.accepted_edits else ():
            known = any(same_end(edit.path, name) for name in names)
            if not known and any(same_end(edit.path, file) for file in left):
                return edit.path, action.step
    return None
