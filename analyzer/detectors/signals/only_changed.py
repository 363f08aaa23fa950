"""Sentences of a report that only certain files were changed, held against the files that were."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.detectors.signals.commits.printed import made
from analyzer.detectors.signals.commits.scope import Commit, commit_of, same_end, takes_back
from analyzer.detectors.signals.speech import sentences
from analyzer.model.action import Action
from analyzer.text.clip import clip, clip_path
from analyzer.text.english import plural
from analyzer.text.late import late
from analyzer.text.markdown import code
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
_MADE = r"(?:committed|included|staged|in (?:the|this|that) commit|part of (?:the|this|that) commit)"
_ONLY_COMMITTED = late(
    rf"\bonly {_FILES}(?: files?)? (?:is|are|was|were|has been|have been|got) {_MADE}{_END}"
    rf"|\b(?:I|we)(?:'ve| have)? (?:only (?:committed|staged)|(?:committed|staged) (?:only|just|nothing but)) "
    rf"{_FILES}{_END}"
    rf"|\bcommit (?:only (?:contains|includes|holds|has|touches)|(?:contains|includes|holds|has|touches) only) "
    rf"{_FILES}{_END}",
    re.IGNORECASE,
)
_NAME = late(r"[`\"“](?P<name>[^`\"”\s]{3,200})[`\"”]")
_OPEN = late(r"\b(?:should|will|would|can|could|if|need to|so far|in this step|now)\b|\?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OnlyChanged:
    """A sentence that names the only files that were changed or committed, and what speaks against it: the end of a
    sentence, and the step with what it shows."""

    quote: str
    against: str
    step: int
    shown: str


def only_changed(report: str, actions: Sequence[Action], delivery: Delivery) -> OnlyChanged | None:
    """The first sentence of a report that names all files that were changed and leaves one out that the agent changed
    since the user spoke last, and that is left so; or all files of the last commit, whose result counts more."""
    for sentence in sentences(report):
        words = sentence.words[:600]
        changed = _ONLY.search(words) is not None
        if (not changed and _ONLY_COMMITTED.search(words) is None) or _OPEN.search(words) is not None:
            continue
        names = [match["name"] for match in _NAME.finditer(sentence.quote)]
        if not names or not all("." in name.rsplit("/", 1)[-1] for name in names):
            continue
        quote = clip(sentence.quote, 300)
        other = _beside(names, actions, delivery) if changed else None
        if other is not None:
            path = clip_path(other[0], 300)
            return OnlyChanged(quote, f"changed, and step {other[1]} changed {code(path, 80)}", other[1], path)
        commit = None if changed else _last_commit(actions)
        if commit is not None and commit.files > len(names):
            step, count = commit.action.step, plural(commit.files, "file")
            return OnlyChanged(quote, f"committed, and the commit of step {step} holds {count}", step, commit.counted)
    return None


def _last_commit(actions: Sequence[Action]) -> Commit | None:
    """The last commit of a session, where nothing took it back."""
    last = None
    for action in actions:
        commit = commit_of(action)
        if commit is not None or takes_back(action) or any(made(action.result or "")):
            last = commit
    return last


def _beside(names: Sequence[str], actions: Sequence[Action], delivery: Delivery) -> tuple[str, int] | None:
    start = next((place for place in range(len(actions) - 1, 0, -1) if actions[place].after_user), 0)
    left = [change.file for change in delivery.files]
    for action in actions[start:]:
        for edit in action.operation.edits if action.accepted_edits else ():
            known = any(same_end(edit.path, name) for name in names)
            if not known and any(same_end(edit.path, file) for file in left):
                return edit.path, action.step
    return None
